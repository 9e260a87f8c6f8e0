"""The choices of the last printing, which are offered the next time."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from app.store.journal import setting_store
from app.store.sqlite.database import Database

_KEY = "printing"


@dataclass(frozen=True, slots=True)
class Choices:
    """Keys of `stock.STOCKS`, `stock.FINENESSES` and `stock.PAPERS`, and the name of a printer."""

    stock: str = "4x6in"
    fineness: str = "203"
    paper: str = "letter"
    printer: str = ""


async def last(journal: Database) -> Choices:
    """The choices of the last time, or the defaults."""
    kept = await journal.read(setting_store.read_setting, _KEY, {})
    found = kept if isinstance(kept, Mapping) else {}
    return Choices(**{each.name: str(found[each.name]) for each in fields(Choices) if each.name in found})


async def remember(journal: Database, chosen: Choices) -> None:
    """Save the choices. Raises `StoreError`."""
    await journal.write(setting_store.write_setting, _KEY, asdict(chosen))
