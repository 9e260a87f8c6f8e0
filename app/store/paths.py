"""The paths of the program's own files.

Invariant: all of them are in one folder, so that a person can move, back up or delete everything at once.
"""

import errno
import sys
from pathlib import Path
from typing import NamedTuple

from app.store.store_errors import NotOpened
from app.translation import translate


def without_links(path: Path) -> Path:
    """The path without links, by which every start knows a folder again. Raises OSError for a circle of links."""
    try:
        return path.resolve()
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise
        # Windows cannot ask every drive where a long path leads. Whether the folder can be used shows when it is made.
        return path.absolute()


class DataDir(NamedTuple):
    """The data folder of one installation, or of one run with `--data-dir`. Only `create` writes to the disk."""

    root: Path

    @property
    def journal(self) -> Path:
        """The database of drafts, writes, profiles and settings. Precious."""
        return self.root / "journal.sqlite3"

    @property
    def cache(self) -> Path:
        """The database of orders and audits as last fetched. May be deleted while the program is not running."""
        return self.root / "cache.sqlite3"

    @property
    def console(self) -> Path:
        """The database of calls made by hand. May be deleted while the program is not running."""
        return self.root / "console.sqlite3"

    @property
    def team(self) -> Path:
        """The database of what the other desks of a team did. May be deleted while the program is not running."""
        return self.root / "team.sqlite3"

    @property
    def team_roots(self) -> Path:
        """The system's authorities as a file, where the system has none."""
        return self.root / "authorities.pem"

    @property
    def requests(self) -> Path:
        """The folder of requests that were kept under a name, each a file that can be shared."""
        return self.root / "requests"

    @property
    def practice(self) -> Path:
        """The folder of the practice service."""
        return self.root / "practice"

    @property
    def pictures(self) -> Path:
        """The folder of fetched photos and documents. May be deleted at any time."""
        return self.root / "pictures"

    @property
    def still(self) -> Path:
        """The picture of the window for the first moment of the next start (`ui/still`). May be deleted at any time."""
        return self.root / "still.bin"

    @property
    def updates(self) -> Path:
        """The folder of a newer version that was fetched. May be deleted at any time."""
        return self.root / "updates"

    @property
    def logs(self) -> Path:
        """The folder of log files."""
        return self.root / "logs"

    @property
    def lock(self) -> Path:
        """The file that the owner of this folder keeps locked (`runtime/single_owner`)."""
        return self.root / "waybill.lock"

    def create(self) -> None:
        """Create the folder, readable by its user alone. Raises `NotOpened`."""
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.logs.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise NotOpened(
                translate(
                    "Waybill cannot keep its data in {folder}: {reason}.",
                    folder=self.root,
                    reason=(error.strerror or str(error)).lower(),
                )
            ) from error


def default_data_dir() -> DataDir:
    """A folder `data` beside the packed program, which so runs from a stick; else the one that the operating system has
    for a program's data."""
    beside = Path(sys.executable).parent / "data"
    if getattr(sys, "frozen", False) and beside.is_dir():
        return DataDir(beside)
    import platformdirs  # imported here: with `--data-dir` the first paint does without it

    return DataDir(platformdirs.user_data_path("Waybill", appauthor=False))
