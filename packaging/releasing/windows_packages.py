"""The Windows program, its installer (NSIS) and its zip: made on Windows, or by the same steps under Wine on Debian.

Signed if the environment names a certificate: WAYBILL_SIGN_PFX, a file, with WAYBILL_SIGN_PASSWORD.
"""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from devtools import debian, environment, logged, places, turns
from devtools.errors import CannotGoOn

from releasing import licences, program, reproducible, wine
from releasing.program import Program

SCRIPTS = places.PACKAGING / "windows"
TARGET = places.DIST / "windows"
NSIS = debian.Need("nsis", command="makensis")
SIGNER = debian.Need("osslsigncode", command="osslsigncode")
PFX, PASSWORD = "WAYBILL_SIGN_PFX", "WAYBILL_SIGN_PASSWORD"  # the names of variables
_PACKING_S = 1_500
# Reads the certificate and its password from the environment: the arguments of a command can be read by everybody.
_SIGN_ON_WINDOWS = """
$ErrorActionPreference = 'Stop'
$kind = 'System.Security.Cryptography.X509Certificates.X509Certificate2'
$certificate = New-Object $kind $env:WAYBILL_SIGN_PFX, $env:WAYBILL_SIGN_PASSWORD
$signed = Set-AuthenticodeSignature -FilePath $env:WAYBILL_SIGNED -Certificate $certificate -HashAlgorithm SHA256
if (-not $signed.SignerCertificate) { Write-Output $signed.StatusMessage; exit 1 }
"""
_FIXED_FILE = """VSVersionInfo(
  ffi=FixedFileInfo(filevers=({numbers}), prodvers=({numbers}), mask=0x3f, flags=0, OS=0x40004, fileType=1),
  kids=[StringFileInfo([StringTable("040904B0", [
    StringStruct("CompanyName", "The makers of Waybill"), StringStruct("FileDescription", "Waybill"),
    StringStruct("FileVersion", "{version}"), StringStruct("InternalName", "waybill"),
    StringStruct("OriginalFilename", "waybill.exe"), StringStruct("ProductName", "Waybill"),
    StringStruct("ProductVersion", "{version}")])]),
  VarFileInfo([VarStruct("Translation", [1033, 1200])])]
)
"""


@cache
def packed(icons: Path) -> Program:
    """The packed Windows program, made once for both packages. Raises `CannotGoOn`."""
    number = program.version()
    resource = places.BUILD / "version-resource.txt"
    numbers = ", ".join([*number.split("."), "0"])
    resource.write_text(_FIXED_FILE.format(numbers=numbers, version=number), encoding="utf-8")
    if sys.platform == "win32":
        python = environment.ensure(program.PINS, program.ENVIRONMENT)
        more = {"WAYBILL_VERSION_RESOURCE": str(resource), "WAYBILL_ICON": str(icons / "waybill.ico")}
        folder = program.pack(python, TARGET, more)
        made = program.finish(folder, places.venv_site_packages(program.ENVIRONMENT))
    else:
        with turns.turn("packing-windows"):
            made = _packed_under_wine(resource, icons / "waybill.ico")
    for name in ("waybill.exe", "waybill-cli.exe"):
        sign(made.folder / name)
    return Program(made.folder, number, reproducible.digest_of(made.folder))


def _packed_under_wine(resource: Path, icon: Path) -> Program:
    if (there := program.packed_before(TARGET / "waybill")) is not None:
        return there
    sources = program.sources_digest()
    windows = wine.ensure(program.PINS)
    log = places.log_file("pyinstaller-windows")
    print(f"Packing for Windows, some five minutes (what PyInstaller says is in {log})", flush=True)
    shutil.rmtree(TARGET, ignore_errors=True)
    work = places.BUILD / "pyinstaller-windows"
    command: list[str | Path] = [windows.python, *program.PACKER]
    command += [f"--distpath={wine.path_in(TARGET)}", f"--workpath={wine.path_in(work)}", wine.path_in(places.SPEC)]
    more = {"WAYBILL_VERSION_RESOURCE": wine.path_in(resource), "WAYBILL_ICON": wine.path_in(icon)}
    more |= program.PLAIN | wine.WITHOUT_DRIVES
    ran = windows.run(command, log, _PACKING_S, more)
    if ran.returncode != 0:
        raise CannotGoOn(logged.with_tail(program.FAILED, log), ran.returncode)
    text = windows.python.parent / "LICENSE.txt"
    python = licences.Part("python", wine.PYTHON_VERSION, "PSF-2.0", "generic", {"LICENSE.txt": text})
    made = program.finish(TARGET / "waybill", windows.site_packages, "win32", python)
    program.remember(made, sources)
    return made


def setup(icons: Path) -> list[Path]:
    """dist/Waybill-VERSION-setup.exe. Raises `CannotGoOn`."""
    return [installer(packed(icons), icons, places.DIST)]


def installer(made: Program, icons: Path, folder: Path, *, small: bool = True) -> Path:
    """Waybill-VERSION-setup.exe in `folder`; a trial does without making it small, which takes minutes.

    Raises `CannotGoOn`.
    """
    debian.ensure([NSIS])
    tool = _makensis()
    if tool is None:
        raise CannotGoOn("The installer needs NSIS, whose makensis is not on the path.")
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"Waybill-{made.version}-setup.exe"
    facts = {"VERSION": made.version, "SOURCE": made.folder, "OUTPUT": target, "ICON": icons / "waybill.ico"}
    quick = [] if small and reproducible.made_small() else ["-DQUICK"]
    defined = [*(f"-D{name}={value}" for name, value in facts.items()), *quick]
    log = places.log_file("nsis")
    for path in (made.folder, *reproducible.files_of(made.folder)):  # the archive keeps the moments of files
        os.utime(path, (reproducible.epoch(), reproducible.epoch()))
    command: list[str | Path] = [tool, "-V3", "-WX", *defined, SCRIPTS / "waybill.nsi"]
    logged.run(command, log, "NSIS could not make the installer:", env=reproducible.surroundings(os.environ))
    sign(target)
    return target


def _makensis() -> str | None:
    """NSIS's own installer on Windows does not put it on the path."""
    usual = Path(os.environ.get("PROGRAMFILES(X86)", "")) / "NSIS"
    return shutil.which("makensis") or shutil.which("makensis", path=usual)


def stick(icons: Path) -> list[Path]:
    """dist/Waybill-VERSION-windows.zip: the program with a folder for its data beside it."""
    made = packed(icons)
    folder = places.BUILD / "stick"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(made.folder, folder)
    (folder / "data").mkdir()
    words = (SCRIPTS / "stick.txt").read_text(encoding="utf-8")
    (folder / "data" / "README.txt").write_text(words, encoding="utf-8", newline="\r\n")
    name = f"Waybill-{made.version}"
    return [reproducible.zip_of(folder, name, places.DIST / f"{name}-windows.zip")]


def sign(file: Path) -> None:
    """Sign a program with the certificate that the environment names; without one it stays unsigned."""
    certificate = os.environ.get(PFX)
    if not certificate:
        return
    if sys.platform == "win32":
        given = {**os.environ, "WAYBILL_SIGNED": str(file)}
        command: list[str | Path] = ["powershell", "-NoProfile", "-NonInteractive", "-Command", _SIGN_ON_WINDOWS]
        logged.run(command, places.log_file("sign"), f"{file.name} could not be signed:", env=given)
    else:
        _sign_on_debian(file, certificate)


def _sign_on_debian(file: Path, certificate: str) -> None:
    debian.ensure([SIGNER])
    tool = shutil.which("osslsigncode")
    if tool is None:
        raise CannotGoOn("Signing for Windows needs osslsigncode, which is not on the path.")
    signed = file.with_suffix(".signed")
    # The password goes through a file of this user alone: arguments of a command can be read by everybody.
    secret = file.with_suffix(".secret")
    descriptor = os.open(secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as words:
            words.write(os.environ.get(PASSWORD, ""))
        command: list[str | Path] = [tool, "sign", "-pkcs12", certificate, "-readpass", secret]
        command += ["-n", "Waybill", "-h", "sha256"]
        ran = subprocess.run([*command, "-in", file, "-out", signed], capture_output=True, text=True, check=False)
    finally:
        secret.unlink()
    if ran.returncode != 0:
        raise CannotGoOn(f"{file.name} could not be signed:\n{ran.stderr.strip() or ran.stdout.strip()}")
    signed.replace(file)
