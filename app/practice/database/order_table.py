"""Orders in the file: found, listed page by page, submitted, cancelled.

Every function takes the connection first and the service's `now` in seconds. An order is *queued* from `queued_at`
until `imported_at`, *open* from then until `closed_at`, and does not exist before `queued_at`.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import apsw

from app.practice.database.clients import Client
from app.practice.database.fill import INSERT_ORDER, next_number
from app.practice.world.life import Life, cancel, plan_life
from app.practice.world.made_orders import made_up_facts, order_roll
from app.practice.world.record import Known
from app.practice.world.submitted import facility_of, given_date, receiving_load, submitted_facts


class Row(NamedTuple):
    """A row of the orders table with its submission, if there is one."""

    number: int
    client: int
    reference: str
    bill_to: str
    facility: str
    queued_at: int
    imported_at: int
    closed_at: int
    cancelled: int
    body: str | None
    life: str | None


_COLUMNS = (
    "SELECT o.number, o.client, o.reference, o.bill_to, o.facility, o.queued_at, o.imported_at, o.closed_at,"
    " o.cancelled, s.body, s.life FROM orders o LEFT JOIN submissions s ON s.number = o.number"
)


def rows_of(connection: apsw.Connection, tail: str, values: tuple[object, ...]) -> list[Row]:
    """The orders that a statement's end (`WHERE …`) finds, each with its submission."""
    return [Row(*row) for row in connection.execute(f"{_COLUMNS} {tail}", values)]


def _first(connection: apsw.Connection, tail: str, values: tuple[object, ...]) -> Row | None:
    rows = rows_of(connection, f"{tail} LIMIT 1", values)
    return rows[0] if rows else None


def by_number(connection: apsw.Connection, client: int, number: int, now: int) -> Row | None:
    """The client's order with a system number, once it is out of the import queue or cancelled."""
    tail = "WHERE o.number = ? AND +o.client = ? AND (o.imported_at <= ? OR o.closed_at <= ?)"
    return _first(connection, tail, (number, client, now, now))


# A plus keeps a column out of the choice of index: only number, reference and bill-to narrow a look-up down.
_MATCHES = (
    "WHERE o.number IN (SELECT number FROM orders WHERE client = ?1 AND reference = ?2 UNION SELECT ?3)"
    " AND +o.client = ?1"
)


def open_match(
    connection: apsw.Connection, client: int, reference: str | None, number: int | None, now: int
) -> Row | None:
    """The first open order with a matching reference or system number."""
    tail = f"{_MATCHES} AND +o.imported_at <= ?4 AND +o.closed_at > ?4 ORDER BY o.number"
    return _first(connection, tail, (client, reference, number, now))


def closed_match(
    connection: apsw.Connection, client: int, reference: str | None, number: int | None, now: int
) -> Row | None:
    """The latest closed order with a matching reference or system number."""
    tail = f"{_MATCHES} AND +o.closed_at <= ?4 ORDER BY o.closed_at DESC, o.number DESC"
    return _first(connection, tail, (client, reference, number, now))


def queue_match(
    connection: apsw.Connection, client: int, reference: str | None, number: int | None, now: int
) -> Row | None:
    """The latest order in the import queue with a matching reference or system number."""
    tail = f"{_MATCHES} AND +o.queued_at <= ?4 AND +o.imported_at > ?4 AND +o.closed_at > ?4 ORDER BY o.number DESC"
    return _first(connection, tail, (client, reference, number, now))


def bill_to_has_open(connection: apsw.Connection, client: int, bill_to: str, now: int) -> bool:
    """Whether the bill-to has any open order."""
    tail = "WHERE o.client = ?1 AND o.bill_to = ?2 AND o.closed_at > ?3 AND o.imported_at <= ?3"
    return _first(connection, tail, (client, bill_to, now)) is not None


def latest_closed(connection: apsw.Connection, client: int, bill_to: str | None, now: int) -> Row | None:
    """The latest closed order of a bill-to, or of the client."""
    if bill_to is None:
        tail = "WHERE o.client = ? AND o.closed_at <= ? ORDER BY o.closed_at DESC, o.number DESC"
        return _first(connection, tail, (client, now))
    tail = "WHERE o.client = ? AND o.bill_to = ? AND o.closed_at <= ? ORDER BY o.closed_at DESC, o.number DESC"
    return _first(connection, tail, (client, bill_to, now))


def live_match(connection: apsw.Connection, client: int, reference: str, now: int) -> Row | None:
    """The order that a submission or cancellation of a reference means: open, or still in the import queue."""
    tail = (
        "WHERE o.client = ?1 AND o.reference = ?2 AND o.queued_at <= ?3 AND +o.closed_at > ?3"
        " ORDER BY +o.imported_at, o.number"
    )
    return _first(connection, tail, (client, reference, now))


def all_with_reference(connection: apsw.Connection, client: int, reference: str, now: int) -> list[Row]:
    """Every order that ever had a reference, oldest first."""
    tail = "WHERE o.client = ? AND o.reference = ? AND o.queued_at <= ? ORDER BY o.number"
    return rows_of(connection, tail, (client, reference, now))


def numbers_between(connection: apsw.Connection, client: int, first: int, last: int, now: int) -> list[int]:
    """The client's order numbers in a range that are in by now."""
    tail = "WHERE o.number BETWEEN ? AND ? AND +o.client = ? AND +o.imported_at <= ? ORDER BY o.number"
    return [row.number for row in rows_of(connection, tail, (first, last, client, now))]


def numbers_on_load(connection: apsw.Connection, client: int, load: str, now: int) -> list[int]:
    """The client's orders whose submission named an inbound load."""
    rows = connection.execute(
        "SELECT o.number FROM submissions s JOIN orders o ON o.number = s.number"
        " WHERE s.load = ? AND s.load <> '' AND +o.client = ? AND +o.imported_at <= ? ORDER BY 1",
        (load, client, now),
    )
    return [number for (number,) in rows]


def known_order(seed: int, row: Row) -> Known:
    """Everything about an order of the file."""
    thrown = order_roll(seed, row.number)
    life = Life(*json.loads(row.life)) if row.life else plan_life(thrown, row.imported_at)
    # The moment of a cancellation by a client is stored with the row alone; the life is that of the seed or the
    # submission.
    if row.cancelled and life.cancelled != row.closed_at:
        life = cancel(life, row.closed_at)
    if row.body is None:
        facts = made_up_facts(thrown, row.number, row.facility)
    else:
        facts = submitted_facts(thrown, row.number, row.facility, json.loads(row.body))
    return Known(row.number, row.reference, thrown, facts, life)


class Submitted(NamedTuple):
    """The effect of a submission."""

    number: int
    created: bool


def submit(
    connection: apsw.Connection,
    seed: int,
    client: Client,
    body: Mapping[str, Any],
    default_bill_to: str,
    now: int,
    queue: int,
) -> Submitted:
    """Updates the open order with the body's reference, or creates one that waits `queue` seconds to be imported."""
    reference = str(body["orderReferenceNumber"])
    with connection:
        # Within the transaction that writes: two submissions of one reference make one order.
        row = live_match(connection, client.id, reference, now)
        if row is not None:
            _update(connection, seed, row, body, default_bill_to, now)
            return Submitted(row.number, created=False)
        number = next_number(connection)
        life = plan_life(
            order_roll(seed, number),
            now + queue,
            given_date(body, "estimatedReceiveDate"),
            given_date(body, "requestedDeliveryDate"),
            fated=False,
        )
        bill_to = body.get("billToCode") or default_bill_to
        connection.execute(
            INSERT_ORDER,
            (number, client.id, reference, bill_to, facility_of(body), now, life.imported, life.closed, 0),
        )
        _keep_submission(connection, number, body, life, now)
    return Submitted(number, created=True)


def _update(
    connection: apsw.Connection, seed: int, row: Row, body: Mapping[str, Any], default_bill_to: str, now: int
) -> None:
    """Replaces the data that a client submits; the events of the order stay."""
    # Before the new body is stored, which this would read.
    life = known_order(seed, row).life
    life = life._replace(
        estimated=given_date(body, "estimatedReceiveDate") or life.estimated,
        requested=given_date(body, "requestedDeliveryDate") or life.requested,
    )
    connection.execute(
        "UPDATE orders SET bill_to = ?, facility = ? WHERE number = ?",
        (body.get("billToCode") or default_bill_to, facility_of(body), row.number),
    )
    _keep_submission(connection, row.number, body, life, now)


def _keep_submission(connection: apsw.Connection, number: int, body: Mapping[str, Any], life: Life, now: int) -> None:
    connection.execute(
        "INSERT INTO submissions VALUES (?, ?, ?, ?, ?, 1) ON CONFLICT (number) DO UPDATE SET body = excluded.body,"
        " life = excluded.life, load = excluded.load, submitted_at = excluded.submitted_at, times = times + 1",
        (number, json.dumps(body, ensure_ascii=False), json.dumps(life), receiving_load(body), now),
    )


def cancel_order(connection: apsw.Connection, number: int, now: int) -> None:
    """Closes an open order as cancelled."""
    connection.execute("UPDATE orders SET closed_at = ?, cancelled = 1 WHERE number = ?", (now, number))
