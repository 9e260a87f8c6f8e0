"""Tries the Windows program under Wine: `dev.py test --windows`. Takes some twenty minutes.

What was made for it is kept: `dev.py test --windows FILE::TEST` runs one test by Windows' own Python in seconds.

What Wine cannot tell: UI Automation for screen readers, SmartScreen and virus scanners, real printers, changes of
density between monitors, Windows Terminal as the default console. Those need a person with Windows.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import takewhile
from pathlib import Path

from devtools import debian, places
from devtools.errors import CannotGoOn
from releasing import msi_package, packages, program, reproducible, windows_packages, wine
from releasing.wine import Wine

from trials.expected import Failed, expect
from trials.screen import NEEDS as HANDS
from trials.screen import TITLE, Screen, accepted, fetched, journal_says, screen, until

UNIT = tuple(f"tests/unit/{each}" for each in ("store", "api", "desk", "practice", "imaging", "test_windows_jobs.py"))
_PROCESSES = min(4, 2 * (os.cpu_count() or 1))  # a program under Wine waits for its server half of the time
_UNIT_S, _SELFTEST_S, _SETUP_S, _WINDOW_S = 7_200, 180, 300, 180
_OPENING_S = 6.0  # for a form at its first use, on a machine that has much to do
_GIVEN_UP, _RUNNING = 2, 3  # exit statuses of the installer
_OLDER = "0.0.1"
_ENTRY = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Waybill"
_LINKS = r"HKCU\Software\Classes\waybill"
_EVERYBODY = r"HKLM\Software\Microsoft\Windows\CurrentVersion\Uninstall"
_LINKS_OF_ALL = r"HKLM\Software\Classes\waybill\shell\open\command"
PICTURES = places.BUILD / "trial"


def run(names: list[str]) -> int:
    """Run the named trials, or all, and the tests that are named behind them as pytest names them; 1 if one failed."""
    chosen = list(takewhile(TRIALS.__contains__, names))
    tests = names[len(chosen) :]
    file = "".join(tests[:1]).partition("::")[0]
    if tests and not (places.ROOT / file).is_file():
        raise CannotGoOn(f"There is no trial {file}, and no file of tests; there are {', '.join(TRIALS)}.")
    trials = {name: TRIALS[name] for name in (chosen if names else TRIALS)}
    if tests:
        trials["tests"] = partial(_some_tests, tests)
    debian.ensure((*HANDS, windows_packages.NSIS))
    failed = []
    for name, trial in trials.items():
        print(f"\n== {name}", flush=True)
        started = time.monotonic()
        try:
            trial()
            ended = "passed"
        except Failed as why:
            ended = f"FAILED: {why}"
            failed.append(name)
        print(f"== {name}: {ended} in {time.monotonic() - started:.0f} s", flush=True)
    print(f"\nFailed: {', '.join(failed)}" if failed else "\nAll passed.")
    return 1 if failed else 0


def selftest() -> None:
    """The packed program checks what it stands on."""
    windows = wine.ensure(program.PINS)
    made = windows_packages.packed(packages.icons())
    with screen() as shown:
        more = {"DISPLAY": shown.environment["DISPLAY"]}
        command: list[str | Path] = [made.folder / "waybill-cli.exe", "--selftest"]
        ran = windows.run(command, places.log_file("windows-selftest"), _SELFTEST_S, more)
    print(ran.stdout.decode("utf-8", "replace"))
    expect(ran.returncode == 0, "the self-test passes")


def units() -> None:
    """The tests of what has no window, by Windows' own Python."""
    said = _tests("tests.suite", f"--processes={_PROCESSES}", *UNIT)
    print("\n".join(line for line in said if line.startswith(("[", "FAILED", "ERROR", *map(str, range(10))))))


def _some_tests(words: Sequence[str]) -> None:
    """A few tests of those, as pytest is told of them."""
    print("\n".join(_tests("pytest", "-q", "-p", "no:cacheprovider", *words)))


def _tests(module: str, *words: str) -> list[str]:
    """The lines that a module of tests prints; it has to pass."""
    windows = wine.ensure(places.DEV_PINS)
    log = places.log_file("windows-units")
    windows.stop()  # what ran on in this prefix has a server with other settings
    with _scratch() as folder, _ending(windows):
        more = {"PYTHONUTF8": "1", "TMPDIR": folder, **windows.quick()}
        ran = windows.run([windows.python, "-m", module, *words], log, _UNIT_S, more)
    said = log.read_text(encoding="utf-8", errors="replace")
    if ran.returncode != 0:
        print(said)
    expect(ran.returncode == 0, "the tests pass")
    return said.splitlines()


@contextmanager
def _scratch() -> Iterator[str]:
    """A folder for the files of tests, in memory where there is such a place: each commit of a test waits for the disk.

    Its name has no drive: Wine's own server reads TMPDIR too, and Windows' Python takes it to be on the drive of Z:.
    """
    memory = Path("/dev/shm")  # noqa: S108 - the folder in it is made for this user alone
    with tempfile.TemporaryDirectory(prefix="waybill-", dir=memory if memory.is_dir() else None) as folder:
        yield folder


@dataclass
class _Hands:
    """What a person does with the program on one screen: installs it, starts it, removes it."""

    windows: Wine
    shown: Screen

    @property
    def more(self) -> dict[str, str]:
        return {"DISPLAY": self.shown.environment["DISPLAY"]}

    @property
    def home(self) -> Path:
        """The person's folder for programs of this computer alone."""
        users = self.windows.prefix / "drive_c" / "users"
        (name,) = (each.name for each in users.iterdir() if each.name != "Public")
        return users / name / "AppData" / "Local"

    def run(self, *command: str | Path) -> "subprocess.CompletedProcess[bytes]":
        return self.windows.run(list(command), places.log_file("windows-flows"), _SETUP_S, self.more)

    def install(self, setup: Path, *words: str) -> int:
        """The exit status of a silent installation."""
        return self.run(setup, "/S", *words).returncode

    def remove(self, installed: Path) -> int:
        """The exit status of a silent removal; `_?=` has the uninstaller wait for its own end."""
        return self.run(installed / "uninstall.exe", "/S", f"_?={wine.path_in(installed)}").returncode

    def registered(self) -> str:
        """The version that stands among the apps; nothing if it is not there."""
        said = self.run("reg", "query", _ENTRY, "/v", "DisplayVersion").stdout.decode("utf-8", "replace")
        return said.split()[-1] if "REG_SZ" in said else ""

    def forget(self) -> None:
        """Leave nothing of an earlier trial."""
        for key in (_ENTRY, _LINKS):
            self.run("reg", "delete", key, "/f")
        for folder in (self.home / "Programs" / "Waybill", self.home / "Waybill"):
            shutil.rmtree(folder, ignore_errors=True)

    def in_start_menu(self) -> bool:
        return any((self.windows.prefix / "drive_c").rglob("Waybill.lnk"))

    @contextmanager
    def started(self, program_file: Path) -> Iterator[Callable[[], None]]:
        """The program, and how to kill it as a person does who has lost patience."""
        # Through a pipe: standard output that is a file keeps Wine's programs from starting.
        with places.log_file("windows-program").open("wb") as words:
            reader = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=words)
        process = subprocess.Popen(
            ["timeout", "-k", "2", "900", "wine", str(program_file)],
            env=self.windows.surroundings(self.more),
            stdin=subprocess.DEVNULL,
            stdout=reader.stdin,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        assert reader.stdin is not None
        reader.stdin.close()

        def kill() -> None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

        try:
            yield kill
        finally:
            kill()
            reader.terminate()  # a child of the program may hold the pipe still
            reader.wait()

    def usable(self, data: Path) -> str:
        """The window, once it has fetched orders: then what it does by itself at a first start is done."""
        window = self.shown.window(_WINDOW_S)
        until(lambda: fetched(data), _WINDOW_S, "orders in the list")
        time.sleep(10)  # a later start shows what was fetched before, and nobody tells from outside when it is at work
        return window


def flows() -> None:
    """An older version installed, worked with, replaced (not while it runs), worked with again, removed."""
    windows = wine.ensure(program.PINS)
    older, newer = _installers()
    with screen() as shown, _ending(windows):
        hands = _Hands(windows, shown)
        hands.forget()
        installed, data = hands.home / "Programs" / "Waybill", hands.home / "Waybill"
        exe = installed / "program" / "waybill.exe"
        expect(hands.install(older) == 0 and exe.exists(), "an older version installed silently")
        expect(hands.registered() == _OLDER and hands.in_start_menu(), "it is among the apps and in the start menu")
        with hands.started(exe) as kill:
            window = hands.usable(data)
            shown.picture(PICTURES / "windows-started.png")
            shown.enter_order(window, "TRIAL-1", opening=_OPENING_S)
            shown.picture(PICTURES / "windows-typed.png")
            shown.keys(window, "ctrl+Return")
            until(lambda: accepted(data, "TRIAL-1"), _WINDOW_S, "the order at the provider")
            expect(True, "an order entered by keys was taken by practice")
            shown.keys(window, "ctrl+n")
            time.sleep(_OPENING_S)
            shown.type(window, "TRIAL-DRAFT")
            until(lambda: journal_says(data, "TRIAL-DRAFT"), 30, "the draft on the disk")
            before = reproducible.digest_of(installed)
            expect(hands.install(newer) == _RUNNING, "while it runs it is not replaced")
            expect(reproducible.digest_of(installed) == before, "and is as it was, to the byte")
            expect(hands.remove(installed) == _RUNNING and exe.exists(), "nor is it removed")
            expect(hands.run(exe, "waybill:order/TRIAL-1").returncode == 0, "a link is shown by the window there is")
            shown.picture(PICTURES / "windows-link.png")
            kill()
        until(lambda: hands.install(newer) == 0, 60, "the upgrade")
        expect(hands.registered() == program.version(), "killed, and upgraded with its data: its children had ended")
        expect(hands.install(newer) == 0 and _whole(installed), "installed over itself")
        with hands.started(exe):
            window = hands.usable(data)
            shown.picture(PICTURES / "windows-again.png")
            expect(accepted(data, "TRIAL-1") and journal_says(data, "TRIAL-DRAFT"), "order and draft are there again")
            shown.keys(window, "ctrl+q")
            until(lambda: not shown.do("search", "--onlyvisible", "--name", TITLE), 60, "the end")
        log = (data / "logs" / "waybill.log").read_text(encoding="utf-8", errors="replace")
        expect(" ERROR " not in log, "it made no mistake of its own")
        until(lambda: hands.remove(installed) == 0, 60, "the removal")
        expect(not any(installed.rglob("*")) or _only_uninstaller(installed), "removed silently")
        expect(not hands.registered() and not hands.in_start_menu(), "it is in no menu and no list any more")
        expect((data / "journal.sqlite3").exists(), "the data is there")


def hindered() -> None:
    """Installed where the disk is too small, and where nothing may be written (a disk of its own needs root)."""
    if os.geteuid() != 0:
        print("   left out: a small disk is made by root alone", flush=True)
        return
    windows = wine.ensure(program.PINS)
    older, newer = _installers()
    size = packages.folder_size(windows_packages.packed(packages.icons()).folder)
    with screen() as shown, _ending(windows), _small_disk(size * 3 // 2) as disk:
        hands = _Hands(windows, shown)
        hands.forget()
        installed = disk / "Waybill"
        there = f"/D={wine.path_in(installed)}"
        expect(hands.install(older, there) == 0 and _whole(installed), "installed on a small disk")
        before = reproducible.digest_of(installed)
        expect(hands.install(newer, there) == _GIVEN_UP, "a second version has no room there")
        expect(_whole(installed) and reproducible.digest_of(installed) == before, "the first one is as it was")
        expect(hands.registered() == _OLDER, "and is the one among the apps")
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        expect(hands.install(newer, there) == _GIVEN_UP, "where nothing may be written it gives up")
        expect(reproducible.digest_of(installed) == before, "and the first one is as it was")
        subprocess.run(["mount", "-o", "remount,rw", disk], check=True)
        expect(hands.remove(installed) == 0, "removed")
        shutil.rmtree(installed, ignore_errors=True)
        (disk / "filled").write_bytes(bytes(size))
        expect(hands.install(newer, there) == _GIVEN_UP, "a first installation has no room either")
        left = [each.name for each in installed.rglob("*")] if installed.exists() else []
        expect(not left and not hands.registered(), "and leaves nothing behind")


def stick() -> None:
    """The zip, unpacked where a path has a blank and an umlaut, keeps everything in its own folder."""
    windows = wine.ensure(program.PINS)
    (archive,) = windows_packages.stick(packages.icons())
    folder = wine.HOME / "stick of the Büro"
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
    (unpacked,) = folder.iterdir()
    with screen() as shown, _ending(windows):
        hands = _Hands(windows, shown)
        hands.forget()
        with hands.started(unpacked / "waybill.exe"):
            window = hands.usable(unpacked / "data")
            shown.picture(PICTURES / "windows-stick.png")
            expect((unpacked / "data" / "journal.sqlite3").exists(), "its data is beside it")
            expect(not (hands.home / "Waybill").exists(), "and not where Windows keeps programs' data")
            shown.keys(window, "ctrl+q")
            until(lambda: not shown.do("search", "--onlyvisible", "--name", TITLE), 60, "the end")


def everybody() -> None:
    """The MSI: an older version installed for everybody, replaced by this one, which no older one replaces, removed."""
    windows = wine.ensure(program.PINS)
    made, icons = windows_packages.packed(packages.icons()), packages.icons()
    older, newer = (msi_package.package(each, icons, PICTURES) for each in (replace(made, version=_OLDER), made))
    home = windows.prefix / "drive_c" / "Program Files" / "Waybill"
    with screen() as shown, _ending(windows):
        hands = _Hands(windows, shown)
        hands.forget()
        installer = "msiexec", "/qn"

        def asked(*words: str | Path) -> int:
            return hands.run(*installer, *words).returncode

        def registered() -> list[str]:
            said = hands.run("reg", "query", _EVERYBODY, "/s").stdout.decode("utf-8", "replace")
            apps = [each.split() for each in said.split("HKEY_") if "DisplayName    REG_SZ    Waybill" in each]
            return [words[words.index("DisplayVersion") + 2] for words in apps]

        for each in (newer, older):
            asked("/x", wine.path_in(each))  # what an earlier trial left
        expect(asked("/i", wine.path_in(older)) == 0, "an older version installed silently for everybody")
        exe = home / "program" / "waybill.exe"
        expect(exe.exists() and (home / msi_package.MARK).exists(), "it is among the programs of the computer")
        expect(registered() == [_OLDER] and hands.in_start_menu(), "it is among the apps and in the start menu")
        link = hands.run("reg", "query", _LINKS_OF_ALL, "/ve").stdout.decode("utf-8", "replace")
        expect("waybill.exe" in link, "links are shown by it")
        (home / "program" / "of-another-version.txt").touch()
        expect(asked("/i", wine.path_in(newer)) == 0, "upgraded")
        expect(registered() == [made.version], "one version is among the apps, and it is this one")
        wanted = {path.relative_to(made.folder) for path in made.folder.rglob("*") if path.is_file()}
        there = {path.relative_to(home / "program") for path in (home / "program").rglob("*") if path.is_file()}
        expect(wanted <= there, "every file of it is there")
        said = hands.run(exe.with_name("waybill-cli.exe"), "--selftest").stdout.decode("utf-8", "replace")
        expect("selftest passed" in said, "its self-test passes")
        expect(asked("/i", wine.path_in(older)) != 0 and registered() == [made.version], "no older one replaces it")
        (home / "program" / "of-another-version.txt").unlink()
        status = asked("/x", wine.path_in(newer))
        expect(status == 0, f"removed{f' (msiexec: {status})' if status else ''}")
        left = [each.name for each in home.rglob("*") if each.is_file()] if home.exists() else []
        expect(not left and not registered(), f"nothing of it is left{': ' + ', '.join(left) if left else ''}")
        expect(not hands.in_start_menu(), "nor in the start menu")


@cache
def _installers() -> tuple[Path, Path]:
    """Setups that were not made small: one that says it is an older version, and this one."""
    made, icons = windows_packages.packed(packages.icons()), packages.icons()
    folder = places.BUILD / "trial"
    older = replace(made, version=_OLDER)
    return (
        windows_packages.installer(older, icons, folder, small=False),
        windows_packages.installer(made, icons, folder, small=False),
    )


def _whole(installed: Path) -> bool:
    """Whether exactly one version is there."""
    names = {each.name for each in installed.iterdir()}
    return names == {"program", "uninstall.exe"} and (installed / "program" / "waybill.exe").exists()


def _only_uninstaller(installed: Path) -> bool:
    """Started with `_?=` the uninstaller runs in its place, and cannot delete itself."""
    return [each.name for each in installed.rglob("*")] == ["uninstall.exe"]


@contextmanager
def _small_disk(size: int) -> Iterator[Path]:
    folder = wine.HOME / "disk"
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "waybill-trial", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def _ending(windows: Wine) -> Iterator[None]:
    """Whatever happens, nothing of this prefix runs on."""
    try:
        yield
    finally:
        windows.stop()


TRIALS: dict[str, Callable[[], None]] = {
    "selftest": selftest,
    "flows": flows,
    "hindered": hindered,
    "stick": stick,
    "everybody": everybody,
    "units": units,
}
