"""Orders that a person watches, by their numbers, in the journal: nobody else has them.

A change of a watched order is told once, by a desktop notice; what was told is kept with the number.
"""

from collections.abc import Iterable, Mapping, Sequence

from app.desk.connections.connection_choices import keep_choice, read_choice
from app.desk.desk import Desk
from app.store.cache import order_query
from app.store.cache.order_rows import OrderLine

_CHOICE = "watched"
MOST = 5_000


async def watched(desk: Desk) -> dict[int, str]:
    """The numbers that are watched, in the order in which that began, each with what was told last."""
    return _read(await read_choice(desk, _CHOICE))


async def watch(desk: Desk, lines: Iterable[OrderLine]) -> str:
    """Watch these too; the sentence when there are too many, else empty. Raises `StoreError`."""
    now = await watched(desk)
    more = now | {line.number: standing(line) for line in lines if line.number not in now}
    if len(more) > MOST:
        return f"No more than {MOST:,} orders can be watched. Stop watching some first."
    await _keep(desk, more)
    return ""


async def unwatch(desk: Desk, numbers: Iterable[int]) -> None:
    """Watch these no longer. Raises `StoreError`."""
    gone = set(numbers)
    await _keep(desk, {number: told for number, told in (await watched(desk)).items() if number not in gone})


async def changes(desk: Desk) -> Sequence[OrderLine]:
    """Watched orders that stand otherwise than was told last; from now on that counts as told. Raises `StoreError`."""
    now = await watched(desk)
    if not now:
        return ()
    lines = await desk.reader.read(order_query.orders_numbered, desk.profile.id, list(now))
    changed = [line for line in lines if now[line.number] != standing(line)]
    if changed:
        await _keep(desk, now | {line.number: standing(line) for line in changed})
    return changed


def standing(line: OrderLine) -> str:
    """What a notice would tell of: the state, and the days that an order is planned by."""
    days = (line.scheduled_delivery, line.loaded_at, line.delivered_at)
    return " ".join([line.list, line.state or "?", *(day.date().isoformat() if day else "-" for day in days)])


async def _keep(desk: Desk, now: Mapping[int, str]) -> None:
    await keep_choice(desk, _CHOICE, {str(number): told for number, told in now.items()})


def _read(kept: object) -> dict[int, str]:
    records = kept if isinstance(kept, Mapping) else {}
    return {int(number): str(told) for number, told in records.items() if str(number).isdecimal()}
