"""The .deb: the program, its menu entry, icons, AppStream data, man page, and what it needs of the system.

The dependencies are found by dpkg-shlibdeps from what the program's files are linked to. dpkg-deb packs reproducibly by
SOURCE_DATE_EPOCH, on one thread.
"""

import gzip
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from devtools import places
from devtools.errors import CannotGoOn

from releasing import changelog, linked, reproducible
from releasing.program import Program

FILES = places.PACKAGING / "linux"
MAKER = "WAYBILL_MAINTAINER"  # in the environment: who stands in the package as its maintainer
_NOBODY = "Waybill <waybill@localhost.localdomain>"
# A font is opened by its file, not by linking; any of these has Latin letters.
_FONTS = "fonts-dejavu-core | fonts-noto-core | fonts-liberation | fonts-liberation2 | fonts-freefont-ttf"
# Each does without: a keyring (secrets are kept in memory), printing, opening of folders and files.
_RECOMMENDS = "gnome-keyring | kwalletmanager, cups-client, xdg-utils"
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256)


def make(program: Program, icons: Path, target: Path = places.DIST, packed: bool = True) -> Path:
    """waybill_VERSION_ARCH.deb in the folder `target`, made small if `packed`. Raises `CannotGoOn`."""
    architecture = _run(["dpkg", "--print-architecture"]).strip()
    with tempfile.TemporaryDirectory(prefix="waybill-deb-") as scratch:
        root = Path(scratch) / "root"
        lay_out(program, icons, root)
        control = root / "DEBIAN"
        control.mkdir()
        for script in ("postinst", "prerm"):
            shutil.copyfile(FILES / script, control / script)
            (control / script).chmod(0o755)
        depends = f"{dependencies(program.folder, Path(scratch))}, {_FONTS}"
        (control / "control").write_text(_control(program, architecture, depends, _kibibytes(root)), encoding="utf-8")
        (control / "md5sums").write_text(_sums(root), encoding="utf-8")
        for path in [root, *reproducible.files_of(root)]:
            if not path.is_symlink():
                path.chmod(reproducible.mode_of(path))
        target.mkdir(parents=True, exist_ok=True)
        made = target / f"waybill_{program.version}_{architecture}.deb"
        small = packed and reproducible.made_small()
        how = ["--root-owner-group", "--threads-max=1", *(("-Zxz", "-z9") if small else ("-Znone",))]
        _run(["dpkg-deb", *how, "--build", str(root), str(made)])
    return made


def lay_out(program: Program, icons: Path, root: Path) -> None:
    """Every file of the package at its place below `root`."""
    library = root / "usr/lib/waybill"
    shutil.copytree(program.folder, library / "files", symlinks=True)
    _write(library / "current", f"{program.build}\n")
    _write(root / "usr/bin/waybill", (FILES / "waybill.sh").read_text(encoding="utf-8"))
    (root / "usr/bin/waybill").chmod(0o755)
    _write(root / "usr/share/applications/waybill.desktop", (FILES / "waybill.desktop").read_text(encoding="utf-8"))
    _write(root / "usr/share/metainfo/waybill.metainfo.xml", metainfo())
    theme = root / "usr/share/icons/hicolor"
    _write(theme / "scalable/apps/waybill.svg", (FILES / "waybill.svg").read_text(encoding="utf-8"))
    for size in ICON_SIZES:
        (theme / f"{size}x{size}/apps").mkdir(parents=True)
        shutil.copyfile(icons / f"{size}.png", theme / f"{size}x{size}/apps/waybill.png")
    _packed(root / "usr/share/man/man1/waybill.1.gz", manual(program.version))
    documents = root / "usr/share/doc/waybill"
    told = changelog.debian(changelog.releases(), _maintainer(), reproducible.day())
    _packed(documents / "changelog.gz", told)
    _write(documents / "copyright", (FILES / "copyright").read_text(encoding="utf-8"))
    (documents / "licences").symlink_to("../../../lib/waybill/files/licences")
    _write(root / "usr/share/lintian/overrides/waybill", (FILES / "lintian-overrides").read_text(encoding="utf-8"))


def manual(version: str) -> str:
    """The man page of this version."""
    text = (FILES / "waybill.1").read_text(encoding="utf-8")
    return text.replace("@VERSION@", version).replace("@DAY@", reproducible.day())


def metainfo() -> str:
    """The AppStream metadata with all releases."""
    text = (FILES / "waybill.metainfo.xml").read_text(encoding="utf-8")
    return text.replace("@RELEASES@", changelog.appstream(changelog.releases(), reproducible.day()))


def dependencies(folder: Path, scratch: Path) -> str:
    """What the files below `folder` are linked to and do not hold themselves, as `Depends` names it."""
    control = scratch / "debian" / "control"
    control.parent.mkdir()
    control.write_text("Source: waybill\n\nPackage: waybill\nArchitecture: any\n", encoding="utf-8")
    binaries = linked.binaries(folder)
    own = sorted({path.parent for path in folder.rglob("*.so*")})
    command = ["dpkg-shlibdeps", "-O", "--ignore-missing-info", *(f"-l{place}" for place in own)]
    said = _run([*command, *(f"-e{binary}" for binary in binaries)], cwd=scratch)
    found = [line for line in said.splitlines() if line.startswith("shlibs:Depends=")]
    if len(found) != 1:
        raise CannotGoOn("dpkg-shlibdeps named no dependencies.")
    return found[0].partition("=")[2]


def _control(program: Program, architecture: str, depends: str, size: int) -> str:
    return f"""Package: waybill
Version: {program.version}
Architecture: {architecture}
Maintainer: {_maintainer()}
Installed-Size: {size}
Depends: {depends}
Recommends: {_RECOMMENDS}
Section: misc
Priority: optional
Description: delivery orders at a logistics provider
 Waybill is the desktop program of a dispatch desk. Dispatchers enter, find,
 change and cancel delivery orders at a logistics provider with it; auditors
 look through audit photos.
 .
 Every order typed is safe, every answer is instant, and the program never
 claims what the provider has not said. A complete practice service is inside.
"""


def _maintainer() -> str:
    return os.environ.get(MAKER) or _NOBODY


def _kibibytes(root: Path) -> int:
    return sum(-(-path.lstat().st_size // 1024) if path.is_file() else 1 for path in root.rglob("*"))


def _sums(root: Path) -> str:
    import hashlib

    listed = [path for path in reproducible.files_of(root) if path.is_file() and not path.is_symlink()]
    return "".join(
        f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {path.relative_to(root).as_posix()}\n"
        for path in listed
        if path.relative_to(root).parts[0] != "DEBIAN"
    )


def _write(target: Path, text: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8", newline="\n")


def _packed(target: Path, text: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def _run(command: list[str], cwd: Path | None = None) -> str:
    ran = subprocess.run(
        command, cwd=cwd, env=reproducible.surroundings(os.environ), capture_output=True, text=True, check=False
    )
    if ran.returncode != 0:
        raise CannotGoOn(f"{command[0]} failed:\n{ran.stderr.strip()}")
    return ran.stdout
