"""Where the program's own files lie: beside the sources, or inside the packed program."""

import sys
from pathlib import Path


class ResourceMissing(Exception):
    """A file that belongs to the program is not there or cannot be read; `sentence` says which and what to do."""

    def __init__(self, path: Path, why: str) -> None:
        self.sentence = (
            f"A file that belongs to Waybill could not be read: {path} ({why}). "
            "Install Waybill again; what was typed and sent lies elsewhere and stays."
        )
        super().__init__(self.sentence)


def resource(*parts: str) -> Path:
    """The path of a file below `resources/`."""
    packed = getattr(sys, "_MEIPASS", None)
    base = Path(packed) if packed else Path(__file__).resolve().parents[3]
    return base.joinpath("resources", *parts)


def resource_text(*parts: str) -> str:
    """What stands in a file below `resources/`. Raises `ResourceMissing`."""
    path = resource(*parts)
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise ResourceMissing(path, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise ResourceMissing(path, "it is damaged") from error
