"""Notes on an order. Each note belongs to an event of the order's life and appears once that event has happened."""

from collections.abc import Iterator

from app.practice.world import name_tables
from app.practice.world.dice import Roll, chance, pick, upto
from app.practice.world.life import Life
from app.practice.world.seconds import DAY, HOUR, NEVER

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")


def notes_at(thrown: Roll, life: Life, first_name: str, load: str, now: int) -> list[tuple[str, int]]:
    """(text, when written) up to now, oldest first."""
    written = [
        (_fill(pick(name_tables.words()[occasion], thrown[31 - index]), thrown, first_name, load), when)
        for index, (occasion, when) in enumerate(_occasions(thrown, life))
        if when <= now
    ]
    return sorted(written, key=lambda note: note[1])


def _occasions(thrown: Roll, life: Life) -> Iterator[tuple[str, int]]:
    if chance(30, thrown[28]):
        yield "imported", life.imported + 2 * HOUR
    if chance(60, thrown[29]):
        yield "received", life.received + 600
    if chance(65, thrown[30]):
        yield "scheduled", life.scheduled + 300
    if chance(25, thrown[31]):
        yield "planned", life.planned + 900
    if chance(30, thrown[27]):
        yield "loaded", life.loaded + 120
    yield "attempt", life.attempted
    if chance(55, thrown[26]):
        yield "delivered", life.delivered + 240
    if life.appointment - life.requested > 2 * DAY:
        yield "late", max(life.received, life.imported) + 5 * HOUR
    yield "cancelled", life.cancelled
    yield from _stuck(life)


def _stuck(life: Life) -> Iterator[tuple[str, int]]:
    if life.delivered != NEVER or life.cancelled != NEVER:
        return
    if life.received == NEVER:
        yield "stuck_not_received", life.estimated + 3 * DAY
    elif life.loaded == NEVER:
        yield "stuck_received", life.received + 4 * DAY
    else:
        yield "stuck_loaded", life.loaded + DAY


def _fill(text: str, thrown: Roll, first_name: str, load: str) -> str:
    if "{" not in text:
        return text
    return text.format(
        aisle=f"{upto(40, thrown[9]) + 1}{pick('ABCD', thrown[10])}",
        trailer=load,
        first=first_name,
        day=pick(_DAYS, thrown[11]),
        route=100 + upto(80, thrown[12]),
        stop=1 + upto(18, thrown[13]),
    )
