"""Where the program's own files lie: beside the sources, or inside the packed program."""

import sys
from pathlib import Path


def resource(*parts: str) -> Path:
    """The path of a file below `resources/`."""
    packed = getattr(sys, "_MEIPASS", None)
    base = Path(packed) if packed else Path(__file__).resolve().parents[3]
    return base.joinpath("resources", *parts)
