"""Orders that a person watches. They are kept in the journal, since they cannot be fetched again.

Invariant: each change of a watched order is reported once. The standing last reported is kept with its number.
"""

from collections.abc import Iterable, Mapping, Sequence

from app.desk.connections.connection_choices import keep_choice, read_choice
from app.desk.desk import Desk
from app.desk.orders import order_words
from app.store.cache import order_query
from app.store.cache.order_rows import OrderLine

_CHOICE = "watched"
MOST = 5_000


async def watched(desk: Desk) -> dict[int, str]:
    """The watched numbers, those watched longest first, each with the standing last reported."""
    return _read(await read_choice(desk, _CHOICE))


async def watch(desk: Desk, lines: Iterable[OrderLine]) -> str:
    """Watch these orders too; returns the sentence if there are too many, else \"\". Raises `StoreError`."""
    now = await watched(desk)
    more = now | {line.number: standing(line) for line in lines if line.number not in now}
    if len(more) > MOST:
        return order_words.too_many_watched(MOST)
    await _keep(desk, more)
    return ""


async def unwatch(desk: Desk, numbers: Iterable[int]) -> None:
    """Stop watching these orders. Raises `StoreError`."""
    gone = set(numbers)
    await _keep(desk, {number: last for number, last in (await watched(desk)).items() if number not in gone})


async def take_changes(desk: Desk) -> Sequence[OrderLine]:
    """The watched orders whose standing has changed; they count as reported from now on. Raises `StoreError`."""
    now = await watched(desk)
    if not now:
        return ()
    lines = await desk.reader.read(order_query.orders_numbered, desk.profile.id, list(now))
    changed = [line for line in lines if now[line.number] != standing(line)]
    if changed:
        await _keep(desk, now | {line.number: standing(line) for line in changed})
    return changed


def standing(line: OrderLine) -> str:
    """The part of an order whose change is worth a notice: its list, its state and its planned days."""
    days = (line.scheduled_delivery, line.loaded_at, line.delivered_at)
    return " ".join([line.list, line.state or "?", *(day.date().isoformat() if day else "-" for day in days)])


async def _keep(desk: Desk, now: Mapping[int, str]) -> None:
    await keep_choice(desk, _CHOICE, {str(number): last for number, last in now.items()})


def _read(saved: object) -> dict[int, str]:
    records = saved if isinstance(saved, Mapping) else {}
    return {int(number): str(last) for number, last in records.items() if str(number).isdecimal()}
