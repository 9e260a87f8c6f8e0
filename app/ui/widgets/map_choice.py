"""The map site that a person chose, for every page that shows an address. None is chosen at first: nothing is asked."""

from PySide6.QtCore import QObject, Signal

from app.desk.text.contact_links import MAP_SITES
from app.store.journal import setting_store
from app.store.sqlite.database import Database

_KEY = "map site"


class MapChoice(QObject):
    """`site` is a key of `MAP_SITES`, or empty."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.site = ""

    async def read(self, journal: Database) -> None:
        """Take what is kept. Raises `StoreError`."""
        self._take(str(await journal.read(setting_store.read_setting, _KEY, "")))

    async def keep(self, journal: Database, site: str) -> None:
        """Choose this site; empty for none. Raises `StoreError`."""
        await journal.write(setting_store.write_setting, _KEY, site)
        self._take(site)

    def _take(self, site: str) -> None:
        site = site if site in MAP_SITES else ""
        if site != self.site:
            self.site = site
            self.changed.emit()


MAP_CHOICE = MapChoice()
