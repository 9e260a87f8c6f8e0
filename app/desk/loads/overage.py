"""The items that the provider marked as overage on a load, in whatever shape they come, kept with their age."""

from app.desk.desk import Desk
from app.desk.records import kept_records
from app.desk.records.kept_records import KeptRecords, Noted

SUBJECT = "overage"
_LOAD = "load"
_NOTED = 300


async def ask(desk: Desk, load: str) -> KeptRecords:
    """Ask the provider for the overage of a load. Trouble is part of the result."""
    name = load.strip()
    return await kept_records.fetch(desk, SUBJECT, {_LOAD: name}, lambda provider: provider.information.overage(name))


async def last_answer(desk: Desk, load: str) -> KeptRecords:
    """The last answer about a load, without asking. Raises `StoreError`."""
    return await kept_records.read(desk, SUBJECT, {_LOAD: load.strip()})


async def asked_loads(desk: Desk) -> dict[str, Noted]:
    """The loads that were asked about, the last one first. Raises `StoreError`."""
    return {each.asked[_LOAD]: each for each in await kept_records.latest(desk, SUBJECT, _NOTED)}
