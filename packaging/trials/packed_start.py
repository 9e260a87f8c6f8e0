"""What it takes to measure the start of the packed program: the program, and a bare window packed in the same way.

`dev.py bench --packed [NAME …]` measures S1P beside the other measures, which run from source.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from devtools import environment, logged, places
from releasing import packages, program, reproducible

_BARE = places.ROOT / "tests" / "bench" / "bare_window.py"
PACKED, PACKED_BARE = "WAYBILL_PACKED", "WAYBILL_PACKED_BARE"  # what tests/bench/s1_start reads


def programs() -> Mapping[str, str]:
    """Both programs, by the names of the variables that say where they are. Raises `CannotGoOn`."""
    made = packages.packed()
    return {PACKED: str(made.folder / "waybill"), PACKED_BARE: str(_bare())}


def _bare() -> Path:
    """A bare window, packed as the program is: one folder, modules of one optimization and as they are."""
    home = places.BUILD / "bare-window"
    folder, work = home / "dist", home / "work"
    python = environment.ensure(program.PINS, program.ENVIRONMENT)
    command: list[str | Path] = [python, "-m", "PyInstaller", "--noconfirm", "--clean", "--onedir", "--noupx"]
    command += ["--optimize=1", f"--distpath={folder}", f"--workpath={work}", f"--specpath={home}", _BARE]
    log = places.log_file("bare-window")
    print(f"Packing a bare window (what PyInstaller says is in {log})", flush=True)
    surroundings = {**reproducible.surroundings(os.environ), **program.PLAIN}
    logged.run(command, log, "PyInstaller could not pack the bare window:", env=surroundings, cwd=places.ROOT)
    return folder / _BARE.stem / _BARE.stem
