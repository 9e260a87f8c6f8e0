"""Reads the files in the folder `resources`, and says which one cannot be read."""

from pathlib import Path

from app.resource_folder import RESOURCES
from app.translation import translate


class ResourceMissing(Exception):
    """A file of the program is missing or cannot be read; `sentence` says which one, and what to do."""

    def __init__(self, path: Path, why: str) -> None:
        self.sentence = translate(
            "A file that belongs to Waybill could not be read: {path} ({why}). "
            "Install Waybill again; drafts and sent orders lie elsewhere and stay.",
            path=path,
            why=why,
        )
        super().__init__(self.sentence)


def resource(*parts: str) -> Path:
    """The path of a file below `resources`."""
    return RESOURCES.joinpath(*parts)


def resource_text(*parts: str) -> str:
    """The text of a file below `resources`. Raises `ResourceMissing`."""
    path = resource(*parts)
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise ResourceMissing(path, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise ResourceMissing(path, "it is damaged") from error
