"""The MSI, for administrators who install for everybody on a computer: made by wixl on Debian.

Each file is a component of its own, whose id is made from its place in the program; the product's id is made from the
version and the packed program. So nothing in the package is by chance, and a newer version replaces the files of an
older one. Windows Installer refuses an older version over a newer one, and takes out what a version no longer has.
"""

import os
import shutil
import struct
import uuid
import zipfile
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from devtools import debian, logged, places
from devtools.errors import CannotGoOn

from releasing import program, reproducible, windows_packages
from releasing.program import Program

FROM_ZIP = "WAYBILL_WINDOWS_ZIP"  # the name of a variable: the zip whose program goes into the MSI
WIXL = debian.Need("wixl", command="wixl")
# What tells an installation for everybody from one for a person: this program's updates look for it.
MARK = "installed-for-everybody.txt"
_MARK_WORDS = "Waybill was installed for everybody on this computer by Windows Installer.\r\n"
_UPGRADE = "5B2C1C70-6E0B-4E0E-9C39-0B6A5C3B8E11"  # the same for all versions, for ever: how Windows knows them
_OURS = uuid.UUID(_UPGRADE)
# The summary as its stream lies in the package: [MS-OLEPS], "PropertySetStream".
_SUMMARY = bytes.fromhex("e0859ff2f94f6810ab9108002b27b3d9")  # the kind of property set
_SUMMARY_AT = 28  # how far into the stream that stands
_MOMENT, _REVISION = 0x40, 9  # a type, and the number of the package's id
_BEFORE_1970_S = 11_644_473_600  # Windows counts from 1601
_NAMESPACE = "http://schemas.microsoft.com/wix/2006/wi"
_MAKER = "The makers of Waybill"
_NEWER = "A newer version of Waybill is installed on this computer. Remove it first if you want this one."


def make(icons: Path) -> list[Path]:
    """dist/Waybill-VERSION-x64.msi. Raises `CannotGoOn`."""
    given = os.environ.get(FROM_ZIP)
    made = unpacked(Path(given)) if given else windows_packages.packed(icons)
    return [package(made, icons, places.DIST)]


def unpacked(archive: Path) -> Program:
    """The program of a zip for sticks, which was packed and signed on Windows. Raises `CannotGoOn`."""
    folder = places.BUILD / "msi-program"
    shutil.rmtree(folder, ignore_errors=True)
    try:
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(folder)
        (whole,) = folder.iterdir()
        shutil.rmtree(whole / "data")  # which makes it a stick's
    except (OSError, ValueError, zipfile.BadZipFile) as why:
        raise CannotGoOn(f"{archive} is no zip of the Windows program: {why}") from why
    return Program(whole, program.version(), reproducible.digest_of(whole))


def why_not() -> str:
    """Why this machine cannot make it."""
    if not debian.is_debian():
        return "It is made by wixl, which Debian has."
    return ""


def package(made: Program, icons: Path, folder: Path) -> Path:
    """Waybill-VERSION-x64.msi in `folder`. Raises `CannotGoOn`."""
    debian.ensure([WIXL])
    tool = shutil.which("wixl")
    if tool is None:
        raise CannotGoOn("The MSI needs wixl, which is not on the path.")
    scratch = places.BUILD / "msi"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    (scratch / MARK).write_bytes(_MARK_WORDS.encode())
    source = scratch / "waybill.wxs"
    whole = described(made, icons / "waybill.ico", scratch / MARK)
    for each in whole.iter():
        for name in ("Source", "SourceFile"):  # wixl takes only paths from where its description lies
            if (place := each.get(name)) is not None:
                each.set(name, os.path.relpath(place, scratch))
    whole.write(source, encoding="utf-8", xml_declaration=True)
    for path in (made.folder, *reproducible.files_of(made.folder), scratch / MARK):
        os.utime(path, (reproducible.epoch(), reproducible.epoch()))  # the cabinet keeps the moments of files
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"Waybill-{made.version}-x64.msi"
    log = places.log_file("wixl")
    command: list[str | Path] = [tool, "--arch", "x64", "--output", target, source]
    logged.run(command, log, "wixl could not make the MSI:", env=reproducible.surroundings(os.environ))
    _without_chance(target, made)
    windows_packages.sign(target)
    return target


def _without_chance(package: Path, made: Program) -> None:
    """Give the summary of the package our id and our moment in place of those that wixl took."""
    content = bytearray(package.read_bytes())
    start = content.index(_SUMMARY)
    section = start + struct.unpack_from("<I", content, start + len(_SUMMARY))[0] - _SUMMARY_AT
    count = struct.unpack_from("<I", content, section + 4)[0]
    for at in range(count):
        number, offset = struct.unpack_from("<II", content, section + 8 + 8 * at)
        place = section + offset
        kind = struct.unpack_from("<I", content, place)[0]
        if kind == _MOMENT:
            struct.pack_into("<Q", content, place + 4, (reproducible.epoch() + _BEFORE_1970_S) * 10_000_000)
        elif number == _REVISION:
            own = f"{{{_id('package', made.version, made.digest)}}}".encode("ascii")
            if struct.unpack_from("<I", content, place + 4)[0] != len(own) + 1:
                raise CannotGoOn("wixl has written another summary than was expected.")
            content[place + 8 : place + 8 + len(own)] = own
    package.write_bytes(content)


def described(made: Program, icon: Path, mark: Path) -> "ElementTree.ElementTree[Element]":
    """The package as WiX describes it."""
    whole = Element("Wix", xmlns=_NAMESPACE)
    product = SubElement(
        whole, "Product", Id=_id("product", made.version, made.digest), Name="Waybill", Language="1033",
        Version=made.version, Manufacturer=_MAKER, UpgradeCode=_UPGRADE,
    )  # fmt: skip
    SubElement(
        product, "Package", Id=_id("package", made.version, made.digest), InstallerVersion="500", Compressed="yes",
        InstallScope="perMachine", Manufacturer=_MAKER, Description=f"Waybill {made.version}",
    )  # fmt: skip
    SubElement(product, "MajorUpgrade", DowngradeErrorMessage=_NEWER)
    # Inside the transaction: an upgrade that fails leaves the version that was there.
    order = SubElement(product, "InstallExecuteSequence")
    SubElement(order, "RemoveExistingProducts", After="InstallInitialize")
    SubElement(product, "Media", Id="1", Cabinet="waybill.cab", EmbedCab="yes")
    SubElement(product, "Icon", Id="waybill.ico", SourceFile=str(icon))
    SubElement(product, "Property", Id="ARPPRODUCTICON", Value="waybill.ico")
    SubElement(product, "Property", Id="ARPNOMODIFY", Value="1")
    top = SubElement(product, "Directory", Id="TARGETDIR", Name="SourceDir")
    files = SubElement(top, "Directory", Id="ProgramFiles64Folder")
    home = SubElement(files, "Directory", Id="INSTALLDIR", Name="Waybill")
    components = [_component(home, "mark", mark, MARK)]
    components += _laid_out(home, made.folder)
    menu = SubElement(top, "Directory", Id="ProgramMenuFolder")
    components.append(_menu_entry(menu))
    components.append(_links(home))
    feature = SubElement(product, "Feature", Id="Waybill", Title="Waybill", Level="1")
    for each in components:
        SubElement(feature, "ComponentRef", Id=each)
    return ElementTree.ElementTree(whole)


def _laid_out(home: Element, folder: Path) -> list[str]:
    """A directory for each folder of the program and a component for each file; the ids of the components."""
    directories = {Path(): SubElement(home, "Directory", Id="PROGRAM", Name="program")}
    components = []
    for path in reproducible.files_of(folder):
        place = path.relative_to(folder)
        parent = directories[place.parent]
        if path.is_dir():
            directories[place] = SubElement(parent, "Directory", Id=_name("d", place), Name=path.name)
        else:
            file = "waybill.exe" if place == Path("waybill.exe") else ""
            components.append(_component(parent, _name("c", place), path, place.as_posix(), file))
    return components


def _component(parent: Element, name: str, source: Path, place: str, file: str = "") -> str:
    made = SubElement(parent, "Component", Id=name, Guid=_id("file", place), Win64="yes")
    SubElement(made, "File", Id=file or f"f_{name}", Source=str(source), Name=source.name, KeyPath="yes")
    return name


def _menu_entry(menu: Element) -> str:
    made = SubElement(menu, "Component", Id="menu", Guid=_id("menu"), Win64="yes")
    SubElement(
        made, "Shortcut", Id="shortcut", Name="Waybill", Description="Delivery orders", Target="[PROGRAM]waybill.exe",
        WorkingDirectory="PROGRAM",
    )  # fmt: skip
    _value(made, r"Software\Waybill", "MenuEntry", "1", key=True)
    return "menu"


def _links(home: Element) -> str:
    made = SubElement(home, "Component", Id="links", Guid=_id("links"), Win64="yes")
    _value(made, r"Software\Classes\waybill", "", "URL:Waybill order", key=True)
    _value(made, r"Software\Classes\waybill", "URL Protocol", "")
    _value(made, r"Software\Classes\waybill\shell\open\command", "", '"[PROGRAM]waybill.exe" "%1"')
    return "links"


def _value(component: Element, where: str, name: str, text: str, *, key: bool = False) -> None:
    given = {"Root": "HKLM", "Key": where, "Type": "string", "Value": text}
    if name:
        given["Name"] = name
    if key:
        given["KeyPath"] = "yes"
    SubElement(component, "RegistryValue", given)


def _id(*words: str) -> str:
    return str(uuid.uuid5(_OURS, "\0".join(words))).upper()


def _name(kind: str, place: Path) -> str:
    """An id that Windows Installer takes, of a place of any length and letters."""
    return f"{kind}{uuid.uuid5(_OURS, place.as_posix()).hex}"
