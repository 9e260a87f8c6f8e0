"""Audits in the file: only their dates are stored, the rest follows from their numbers."""

import apsw

Entry = tuple[int, int]


def audits_between(connection: apsw.Connection, client: int, start: int, end: int, now: int) -> list[Entry]:
    """(number, when made) of a client's audits in a range, up to now, oldest first."""
    rows = connection.execute(
        "SELECT id, at FROM audits WHERE client = ? AND at BETWEEN ? AND min(?, ?) ORDER BY at, id",
        (client, start, end, now),
    )
    return [(number, at) for number, at in rows]


def find_audit(connection: apsw.Connection, client: int, number: int, now: int) -> Entry | None:
    """A client's audit by its number, once it has been made."""
    rows = connection.execute(
        "SELECT id, at FROM audits WHERE id = ? AND client = ? AND at <= ?", (number, client, now)
    )
    return next(((found, at) for found, at in rows), None)


def audited_order(connection: apsw.Connection, client: int, number: int, at: int) -> int | None:
    """The order that an audit looked at: one of the last forty before it."""
    found: int | None = connection.execute(
        "SELECT number FROM (SELECT number FROM orders WHERE client = ?1 AND imported_at <= ?2"
        " ORDER BY imported_at DESC, number DESC LIMIT 40) LIMIT 1 OFFSET ?3",
        # Seven and forty have no common factor, so neighbouring audits look at orders that lie apart.
        (client, at, number * 7 % 40),
    ).get
    return found
