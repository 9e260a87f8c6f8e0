"""Tries the .deb and the .tar.xz on bare Debian roots without Python: `dev.py trial`. Needs root, and ten minutes.

In each root: what is missing is said in one sentence; installed over apt, started on a screen, an order entered by
keys and taken by practice; upgraded while it runs; started again with its data; removed, and nothing left but data.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from devtools import debian, places
from devtools.errors import CannotGoOn
from releasing import debian_package, packages, reproducible
from releasing.program import Program

from trials.expected import Failed, expect
from trials.screen import NEEDS as HANDS
from trials.screen import Screen, accepted, screen, until

SUITES = ("bookworm", "trixie")
NEEDS = (debian.Need("debootstrap", command="debootstrap"), *HANDS)
ROOTS = places.BUILD / "roots"
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_OLDER = "0.0.1"


def run(suites: list[str]) -> int:
    """Try on the named suites, or on all; 1 if one failed."""
    if os.geteuid() != 0:
        raise CannotGoOn("Trying packages on bare roots needs the rights of root.")
    debian.ensure(NEEDS)
    made, icons = packages.packed(), packages.icons()
    # The packages as they are shipped, but not made small, which takes minutes.
    quick = places.BUILD / "trial"
    newer = debian_package.make(made, icons, quick, packed=False)
    older = _older(made, icons, quick)
    archive = quick / "waybill.tar"
    with archive.open("wb") as out:
        reproducible.write_tar(made.folder, f"waybill-{made.version}", out)
    failed = []
    for suite in suites or SUITES:
        started = time.monotonic()
        try:
            with bare_root(suite) as root:
                _try(suite, root, older, newer, archive)
            print(f"== {suite}: passed in {time.monotonic() - started:.0f} s", flush=True)
        except Failed as why:
            print(f"== {suite}: FAILED: {why}", flush=True)
            failed.append(suite)
    return 1 if failed else 0


def _older(made: Program, icons: Path, target: Path) -> Path:
    """The same program as an older version: to dpkg, and in the folder that it runs from."""
    return debian_package.make(Program(made.folder, _OLDER, "0" * 64), icons, target, packed=False)


@contextmanager
def bare_root(suite: str) -> Iterator[Path]:
    """A copy of a bare root, with what a program needs mounted; gone when the block ends."""
    bare, root = ROOTS / suite, ROOTS / f"{suite}-trial"
    if not (bare / "etc/debian_version").exists():
        _bootstrap(suite, bare)
    _unmount(root)
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["cp", "-a", str(bare), str(root)], check=True)
    for place in ("proc", "dev"):
        subprocess.run(["mount", "--rbind", "--make-rslave", f"/{place}", root / place], check=True)
    try:
        _apt_settings(root)
        inside(root, "useradd", "--create-home", "desk")
        yield root
    finally:
        _unmount(root)
        shutil.rmtree(root, ignore_errors=True)


def _unmount(root: Path) -> None:
    for place in ("proc", "dev"):
        subprocess.run(["umount", "--recursive", "--lazy", root / place], capture_output=True, check=False)
    if (root / "proc/self").exists():
        raise CannotGoOn(
            f"{root / 'proc'} is still mounted; unmount it by hand before anything below {root} is removed."
        )


def _bootstrap(suite: str, target: Path) -> None:
    """A minimal Debian, from where this machine gets its own packages."""
    asked = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Component: main"],
        capture_output=True,
        text=True,
        check=True,
    )
    mirrors = [each.rstrip("/") for each in asked.stdout.split() if each.rstrip("/").endswith("/debian")]
    if not mirrors:
        raise CannotGoOn("This machine's own packages do not come from an archive of Debian.")
    log = places.log_file(f"debootstrap-{suite}")
    print(f"Making a bare {suite} (what debootstrap says is in {log})", flush=True)
    unfinished = target.with_name(f"{suite}-unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as words:
        command = ["debootstrap", "--variant=minbase", suite, str(unfinished), mirrors[0]]
        if subprocess.run(command, stdout=words, stderr=subprocess.STDOUT, check=False).returncode != 0:
            raise CannotGoOn(f"debootstrap could not make {suite}; see {log}.")
    unfinished.rename(target)


def _apt_settings(root: Path) -> None:
    """How this machine reaches its archive, for the apt inside too."""
    for file in sorted(Path("/etc/apt/apt.conf.d").glob("99*")):
        shutil.copyfile(file, root / "etc/apt/apt.conf.d" / file.name)
    for name in ("etc/hosts", "etc/resolv.conf"):
        with suppress(FileNotFoundError):
            shutil.copyfile(f"/{name}", root / name)


def inside(root: Path, *command: str, user: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the root, and say what it said if it fails."""
    return subprocess.run(
        _chrooted(root, user, variables, command), capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )


def _chrooted(root: Path, user: str, variables: dict[str, str], command: tuple[str, ...]) -> list[str]:
    rights = [f"--userspec={user}:{user}"] if user else []
    home = f"/home/{user}" if user else "/root"
    given = [f"{name}={value}" for name, value in variables.items()]
    return [
        "chroot",
        *rights,
        str(root),
        "env",
        "-i",
        f"PATH={_PATH}",
        f"HOME={home}",
        "LANG=C.UTF-8",
        *given,
        *command,
    ]


def _apt(root: Path, *words: str) -> None:
    ran = inside(root, "apt-get", "--yes", "--quiet", *words, DEBIAN_FRONTEND="noninteractive")
    if ran.returncode != 0:
        raise Failed(f"apt-get {' '.join(words)}:\n{ran.stdout[-2_000:]}{ran.stderr[-2_000:]}")


def _try(suite: str, root: Path, older: Path, newer: Path, archive: Path) -> None:
    for package in (older, newer):
        shutil.copyfile(package, root / "srv" / package.name)
    expect(inside(root, "sh", "-c", "command -v python3").returncode != 0, "there is no Python")
    folder = _unpacked(root, archive)
    told = inside(root, f"{folder}/waybill", user="desk", DISPLAY=":77")
    lines = [line for line in told.stderr.splitlines() if line]
    fits = told.returncode == 2 and len(lines) == 1 and ": sudo apt-get install lib" in told.stderr
    expect(
        fits and "dynlib" not in told.stderr, f"bare, one sentence with the packages is said and no more: {lines[:3]}"
    )
    _apt(root, "update")
    _apt(root, "install", f"/srv/{older.name}")
    expect(inside(root, "waybill", "--version", user="desk").returncode == 0, "installed with what it needs by apt")
    expect("selftest passed" in inside(root, "waybill", "--selftest", user="desk").stdout, "the self-test passes")
    expect(
        "selftest passed" in inside(root, f"{folder}/waybill", "--selftest", user="desk").stdout,
        "the self-test of the .tar.xz passes",
    )
    with screen() as shown:
        _work(suite, root, shown, newer)
    _apt(root, "remove", "waybill")
    shutil.rmtree(root / folder.lstrip("/"))
    left = _left_over(root)
    expect(not left, f"removed, and nothing is left but data{': ' + ', '.join(left) if left else ''}")
    expect((root / "home/desk/.local/share/Waybill/journal.sqlite3").exists(), "the data is there")


def _unpacked(root: Path, archive: Path) -> str:
    shutil.unpack_archive(archive, root / "opt", filter="data")
    (found,) = (root / "opt").glob("waybill-*")
    return f"/opt/{found.name}"


def _work(suite: str, root: Path, shown: Screen, newer: Path) -> None:
    """An order by keys, an upgrade meanwhile, the data of before in the new version."""
    data = root / "home/desk/.local/share/Waybill"
    display = shown.environment["DISPLAY"]
    pictures = places.BUILD / "trial"
    command = _chrooted(root, "desk", {"DISPLAY": display}, ("waybill",))
    printed = pictures / f"{suite}-printed.txt"
    pictures.mkdir(parents=True, exist_ok=True)
    with printed.open("wb") as words, subprocess.Popen(command, stdout=words, stderr=words) as running:
        try:
            window = shown.window(60)
            shown.enter_order(window, "TRIAL-1")
            shown.picture(pictures / f"{suite}-typed.png")
            shown.keys(window, "ctrl+Return")
            until(lambda: accepted(data, "TRIAL-1"), 60, "the order at the provider")
            expect(True, "an order entered by keys was taken by practice")
            _apt(root, "install", f"/srv/{newer.name}")
            expect(running.poll() is None, "upgraded while it runs, and it runs on")
            for page in (f"ctrl+{at}" for at in range(3, 10)):  # pages that were not open yet
                shown.keys(window, page)
                time.sleep(1.5)
            shown.keys(window, "ctrl+1")
            time.sleep(61)  # it looks once a minute whether another build is there
            shown.picture(pictures / f"{suite}-upgraded.png")
            shown.keys(window, "ctrl+q")
            expect(running.wait(60) == 0, "it closes in good order")
        finally:
            running.kill()
    expect(not printed.read_bytes(), "it printed nothing")
    log = (data / "logs/waybill.log").read_text(encoding="utf-8")
    expect(" ERROR " not in log, "no page that was opened after the upgrade failed")
    command = _chrooted(root, "desk", {"DISPLAY": display}, ("waybill",))
    with subprocess.Popen(command) as running:
        try:
            window = shown.window(60)
            expect(accepted(data, "TRIAL-1"), "the new version has the data of the older one")
            time.sleep(3)
            shown.picture(pictures / f"{suite}-anew.png")
            shown.keys(window, "ctrl+q")
            expect(running.wait(60) == 0, "and closes in good order")
        finally:
            running.kill()
    builds = sorted(each.name for each in (root / "usr/lib/waybill/builds").iterdir())
    expect(len(builds) == 2, f"the build that ran was kept: {builds}")


def _left_over(root: Path) -> list[str]:
    """What is called after the program and is no data, no document of ours and no list of dpkg's downloads."""
    command = ["find", str(root), "-xdev", "-iname", "*waybill*", "-not", "-path", f"{root}/home/*"]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [path for path in found if not path.startswith((f"{root}/srv/", f"{root}/proc/", f"{root}/dev/"))]
