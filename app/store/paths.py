"""Which file lies where. Everything of one run lies under one folder, so that it can be moved, kept or wiped whole."""

from dataclasses import dataclass
from pathlib import Path

from app.store.store_errors import NotOpened


@dataclass(frozen=True)
class DataDir:
    """The folder of one installation, or of one run with `--data-dir`. Nothing is made before `create`."""

    root: Path

    @property
    def journal(self) -> Path:
        """Drafts, what was sent, profiles, settings. Precious."""
        return self.root / "journal.sqlite3"

    @property
    def cache(self) -> Path:
        """Orders as last seen. May be deleted while the program is not running."""
        return self.root / "cache.sqlite3"

    @property
    def practice(self) -> Path:
        """The practice service's own folder."""
        return self.root / "practice"

    @property
    def pictures(self) -> Path:
        """Photos and documents that were fetched. May be deleted at any time."""
        return self.root / "pictures"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def lock(self) -> Path:
        """Held by the one program that owns this folder."""
        return self.root / "waybill.lock"

    def create(self) -> None:
        """Make the folder, for its owner's eyes only. Raises `NotOpened`."""
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.logs.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise NotOpened(
                f"Waybill cannot keep its data in {self.root}: {(error.strerror or str(error)).lower()}."
            ) from error


def default_data_dir() -> DataDir:
    """The place the operating system gives a program for its data."""
    import platformdirs  # not needed before the first paint when a folder was named

    return DataDir(platformdirs.user_data_path("Waybill", appauthor=False))
