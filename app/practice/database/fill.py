"""Fills a data directory with its world, and keeps a little of the future ready so that the world goes on.

The columns that requests search are stored; the rest follows from seed and number (see `world`). A fill is one
transaction.
"""

from collections.abc import Iterable, Iterator

import apsw

from app.practice.database import practice_schema
from app.practice.database.clients import LIMITED, MAIN, OTHER, Client
from app.practice.world.dice import roll, upto
from app.practice.world.made_orders import start_order
from app.practice.world.seconds import DAY

FIRST_NUMBER = 700_001
FIRST_AUDIT = 4_001
QUEUE_OF_THE_PAST = 20  # seconds that a made-up order waited in the import queue
AHEAD = 3 * DAY  # how much of the future is ready
_LONGEST_GAP = 45 * DAY  # a longer absence leaves a gap in the arrivals
_MANY = 20_000  # from so many new rows on, indexes are built afterwards
_RECENT_SHARE, _RECENT_DAYS, _OLDEST_DAYS = 0.45, 21, 420
_AUDIT_DAYS = 270
_SMALL = {OTHER: 60, LIMITED: 25}

OrderRow = tuple[int, int, str, str, str, int, int, int, int]
INSERT_ORDER = "INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


def fill_orders(connection: apsw.Connection, seed: int, client: Client, target: int, now: int) -> int:
    """Makes orders until the client has `target` that are in by now; returns how many were made."""
    have: int = connection.execute(
        "SELECT count(*) FROM orders WHERE client = ? AND imported_at <= ?", (client.id, now)
    ).get
    missing = target - have
    if missing <= 0:
        return 0
    rows = _past(seed, client, next_number(connection), missing, now)
    # One transaction: a process that is killed here leaves a world of the size that it had.
    with connection:
        if missing < _MANY:
            connection.executemany(INSERT_ORDER, rows)
        else:
            practice_schema.drop_order_indexes(connection)
            connection.executemany(INSERT_ORDER, rows)
            practice_schema.index_orders(connection)
    return missing


def fill_others(connection: apsw.Connection, seed: int, clients: Iterable[Client], now: int) -> None:
    """The few orders of the other clients."""
    for client in clients:
        if client.kind in _SMALL:
            fill_orders(connection, seed, client, _SMALL[client.kind], now)


def next_number(connection: apsw.Connection) -> int:
    """The next free system number."""
    highest: int | None = connection.execute("SELECT max(number) FROM orders").get
    return FIRST_NUMBER if highest is None else highest + 1


def _past(seed: int, client: Client, first: int, count: int, now: int) -> Iterator[OrderRow]:
    """Oldest first, so that numbers grow with time: many in the last weeks, ever fewer before."""
    for index in range(count):
        # Without the dice for very many orders, where the throw is a good part of the work and nobody sees the
        # difference.
        jitter = roll(seed, b"arrival", first + index)[0] / 65_536 if count < _MANY else 0.5
        imported = now - int(_age((index + jitter) / count) * DAY) - QUEUE_OF_THE_PAST
        yield order_row(seed, client, first + index, imported)


def _age(fraction: float) -> float:
    """Days before now of the order at a fraction of the past, 0 the oldest."""
    old = 1 - _RECENT_SHARE
    if fraction >= old:
        return _RECENT_DAYS * (1 - fraction) / _RECENT_SHARE
    return float(_RECENT_DAYS + (_OLDEST_DAYS - _RECENT_DAYS) * (1 - fraction / old) ** 1.5)


def order_row(seed: int, client: Client, number: int, imported: int) -> OrderRow:
    """A made-up order as a row of the orders table."""
    start = start_order(seed, number, client.kind, imported)
    cancelled = start.life.cancelled < start.life.delivered
    return (
        number,
        client.id,
        start.reference,
        start.bill_to,
        start.facility,
        imported - QUEUE_OF_THE_PAST,
        imported,
        start.life.closed,
        int(cancelled),
    )


def fill_audits(connection: apsw.Connection, client: Client, target: int, now: int) -> None:
    """Makes audits until the client has `target` that lie in the past, denser towards now."""
    have: int = connection.execute("SELECT count(*) FROM audits WHERE client = ? AND at <= ?", (client.id, now)).get
    first = next_audit(connection)
    missing = max(0, target - have)
    rows = (
        (first + index, client.id, now - int(((missing - index) / missing) ** 2 * _AUDIT_DAYS * DAY))
        for index in range(missing)
    )
    with connection:
        connection.executemany("INSERT INTO audits VALUES (?, ?, ?)", rows)


def next_audit(connection: apsw.Connection) -> int:
    """The next free audit number."""
    highest: int | None = connection.execute("SELECT max(id) FROM audits").get
    return FIRST_AUDIT if highest is None else highest + 1


def arrive(connection: apsw.Connection, seed: int, client: Client, now: int, per_day: float, until: int) -> int:
    """Makes the orders and audits that arrive after `until`, the end of the future made so far; returns the new end."""
    if per_day <= 0:
        return until
    end = now + AHEAD
    # Otherwise a folder that was not opened for years would make all those orders now.
    at = max(until, now - _LONGEST_GAP)
    first = number = next_number(connection)
    rows = []
    # Gaps are drawn evenly from nothing up to this, so they are half of it on average.
    gap = int(2 * DAY / per_day)
    while at < end:
        at += 1 + upto(gap, roll(seed, b"arrival", number)[1])
        rows.append(order_row(seed, client, number, at))
        number += 1
    with connection:
        connection.executemany(INSERT_ORDER, rows)
        _audits_arrive(connection, client, [row[6] for row in rows if row[0] % 20 == first % 20])
    return at


def _audits_arrive(connection: apsw.Connection, client: Client, moments: list[int]) -> None:
    first = next_audit(connection)
    connection.executemany(
        "INSERT INTO audits VALUES (?, ?, ?)", ((first + index, client.id, at) for index, at in enumerate(moments))
    )


__all__ = ["MAIN", "arrive", "fill_audits", "fill_orders", "fill_others", "next_number", "order_row"]
