"""The bundle and the disk image for macOS. Made by the release workflow; unproven until that has run.

Signed if the environment names an identity (WAYBILL_CODESIGN_IDENTITY) that the keychain holds.
"""

import os
import subprocess
from pathlib import Path

from devtools import environment, logged, places

from releasing import program, reproducible

IDENTITY = "WAYBILL_CODESIGN_IDENTITY"
_NOBODY = "-"  # a signature of nobody, without which Apple's processors run nothing


def make(icons: Path) -> list[Path]:
    """dist/Waybill-VERSION.dmg. Raises `CannotGoOn`."""
    python = environment.ensure(program.PINS, program.ENVIRONMENT)
    number = program.version()
    more = {"WAYBILL_ICON": str(icons / "waybill.icns"), "WAYBILL_VERSION": number}
    folder = program.pack(python, places.DIST, more)
    program.finish(folder, places.venv_site_packages(program.ENVIRONMENT))
    bundle = places.DIST / "Waybill.app"
    licences = bundle / "Contents" / "Resources" / "licences"
    licences.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-R", folder / "licences", licences], check=True)
    identity = os.environ.get(IDENTITY) or _NOBODY
    hardened = [] if identity == _NOBODY else ["--options=runtime", "--timestamp"]
    signing: list[str | Path] = ["codesign", "--force", "--deep", *hardened, f"--sign={identity}", bundle]
    logged.run(signing, places.log_file("codesign"), f"{bundle.name} could not be signed:")
    image = places.DIST / f"Waybill-{number}.dmg"
    image.unlink(missing_ok=True)
    command: list[str | Path] = ["hdiutil", "create", "-volname", "Waybill", "-srcfolder", bundle]
    log = places.log_file("hdiutil")
    failure = f"{image.name} could not be made:"
    logged.run([*command, "-format", "UDZO", image], log, failure, env=reproducible.surroundings(os.environ))
    return [image]
