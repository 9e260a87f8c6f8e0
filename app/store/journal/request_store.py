"""Every quote, truck and slot reservation that was sent from here, with its exact bytes and its outcome.

sending ──► accepted | refused | not_sent | in_doubt        in_doubt ──► accepted | not_arrived (a person decided)

A request is no write of the outbox: nothing can be asked of the provider that would prove what became of it, and it
waits in no queue. Invariants:
- It is on the disk before its first byte is sent, and its bytes never change.
- It is sent once. Whoever wants it again begins a new request.
- If nobody knows whether it arrived, it is in doubt until a person decides, whatever happens to the program.

All functions take the connection first and run through `Database.read` or `Database.write`. Moments are in UTC.
"""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

import apsw

from app.contract.codes import Format
from app.store.journal.claim import refuse_if_moved
from app.store.journal.profile_store import Profile
from app.store.journal.write_store import refuse_removed
from app.store.sqlite.plain_rows import row, rows, value
from app.store.sqlite.text_values import from_moment, read_moment, storable, to_moment
from app.store.store_errors import WrongState
from app.translation import translate

RequestState = Literal["sending", "accepted", "refused", "not_sent", "in_doubt", "not_arrived"]
REQUEST_STATES: tuple[RequestState, ...] = ("sending", "accepted", "refused", "not_sent", "in_doubt", "not_arrived")
DECISIONS: tuple[RequestState, ...] = ("accepted", "not_arrived")  # of a person, about a request in doubt
_DIED = translate("Waybill stopped while this was being sent. It is not known whether it arrived.")
_NAMED_IN_DOUBT = "SELECT title, subject, operation FROM requests WHERE state = 'in_doubt' ORDER BY id"
_COLUMNS = """
    id, profile, operation, subject, title, state, began_at, ended_at, http_status, sentence, payload, reply, sha256,
    sent_as
"""


@dataclass(frozen=True, slots=True)
class RequestRow:
    """One request. `operation` is the contract's name, `subject` the order it is about (empty for none), `title` what a
    person called it. `payload` is its record as JSON, `sent_as` the format in which it left. `damaged`: the record is
    not the one that was sent."""

    id: int
    profile: str
    operation: str
    subject: str
    title: str
    state: RequestState
    began_at: datetime
    ended_at: datetime | None
    http_status: int | None
    sentence: str
    payload: bytes = field(repr=False)
    reply: bytes | None = field(default=None, repr=False)
    damaged: bool = False
    sent_as: Format = "json"


def begin_request(
    c: apsw.Connection,
    place: Profile,
    operation: str,
    subject: str,
    title: str,
    payload: bytes,
    now: datetime,
    *,
    sent_as: Format = "json",
) -> int:
    """Store a request that is about to be sent by this connection in this format; returns its id.

    To be committed before the first byte is sent. Raises `WrongState` if the connection was removed, or if it leads to
    another provider by now.
    """
    refuse_removed(c, place.id)
    refuse_if_moved(c, place)
    c.execute(
        """
        INSERT INTO requests (profile, operation, subject, title, payload, sha256, state, began_at, sent_as)
        VALUES (?, ?, ?, ?, ?, ?, 'sending', ?, ?)
        """,
        (
            place.id,
            operation,
            storable(subject),
            storable(title),
            payload,
            hashlib.sha256(payload).hexdigest(),
            to_moment(now),
            sent_as,
        ),
    )
    return c.last_insert_rowid()


def end_request(
    c: apsw.Connection,
    request: int,
    state: RequestState,
    sentence: str,
    now: datetime,
    *,
    http_status: int | None = None,
    reply: bytes | None = None,
) -> None:
    """Store how a request ended. Raises `WrongState` if it has ended before."""
    c.execute(
        """
        UPDATE requests SET state = ?, sentence = ?, ended_at = ?, http_status = ?, reply = ?
        WHERE id = ? AND state = 'sending'
        """,
        (state, storable(sentence), to_moment(now), http_status, reply, request),
    )
    if c.changes() != 1:
        raise WrongState(translate("This request has ended already."))


def decide_request(c: apsw.Connection, request: int, state: RequestState, sentence: str, now: datetime) -> None:
    """Store what a person decided about a request in doubt. Raises `WrongState` if it is not in doubt any more."""
    if state in DECISIONS:
        c.execute(
            "UPDATE requests SET state = ?, sentence = ?, ended_at = ? WHERE id = ? AND state = 'in_doubt'",
            (state, storable(sentence), to_moment(now), request),
        )
    if state not in DECISIONS or c.changes() != 1:
        raise WrongState(translate("This request is not in doubt any more."))


def end_unfinished(c: apsw.Connection, now: datetime) -> int:
    """At start: put the requests in doubt that were being sent when the program ended; returns how many."""
    c.execute(
        "UPDATE requests SET state = 'in_doubt', sentence = ?, ended_at = ? WHERE state = 'sending'",
        (_DIED, to_moment(now)),
    )
    return c.changes()


def requests_page(
    c: apsw.Connection, profile: str, operations: Collection[str], limit: int, subject: str | None = None
) -> list[RequestRow]:
    """The latest requests of these operations, the newest first; with `subject` only those about this order."""
    marks = ", ".join("?" * len(operations))
    found = rows(
        c,
        f"""
        SELECT {_COLUMNS} FROM requests WHERE profile = ? AND operation IN ({marks}) AND subject = coalesce(?, subject)
        ORDER BY id DESC LIMIT ?
        """,  # noqa: S608 (marks for values that are bound)
        (profile, *operations, subject, limit),
    )
    return [_request(values) for values in found]


def requests_in_doubt(c: apsw.Connection, profile: str, limit: int) -> list[RequestRow]:
    """The requests of a connection that nobody knows the end of, the newest first."""
    found = rows(
        c,
        f"SELECT {_COLUMNS} FROM requests WHERE profile = ? AND state = 'in_doubt' ORDER BY id DESC LIMIT ?",  # noqa: S608
        (profile, limit),
    )
    return [_request(values) for values in found]


def count_in_doubt(c: apsw.Connection, profile: str) -> int:
    """How many requests of a connection wait for a person."""
    return int(value(c, "SELECT count(*) FROM requests WHERE profile = ? AND state = 'in_doubt'", (profile,)))


def names_in_doubt(c: apsw.Connection) -> list[str]:
    """The names of the requests in doubt of all connections, in the order in which they were sent."""
    return [_name(*found) for found in rows(c, _NAMED_IN_DOUBT)]


def names_of_sent(c: apsw.Connection) -> dict[tuple[str, ...], str]:
    """The name of each request, by the key that tells it from all others: its bytes, connection and moment."""
    found = rows(c, "SELECT sha256, profile, operation, began_at, title, subject, operation FROM requests ORDER BY id")
    return {values[:4]: _name(*values[4:]) for values in found}


def _name(title: str, subject: str, operation: str) -> str:
    return title or subject or operation


def request_row(c: apsw.Connection, request: int) -> RequestRow | None:
    """One request; None for an unknown id."""
    found = row(c, f"SELECT {_COLUMNS} FROM requests WHERE id = ?", (request,))  # noqa: S608 (our own columns)
    return None if found is None else _request(found)


def _request(values: tuple[Any, ...]) -> RequestRow:
    key, profile, operation, subject, title, state, began, ended, status, sentence, payload, reply, *rest = values
    digest, sent_as = rest
    sent = bytes(payload)
    return RequestRow(
        key, profile, operation, subject, title, state, read_moment(began), from_moment(ended), status, sentence or "",
        sent, None if reply is None else bytes(reply), hashlib.sha256(sent).hexdigest() != digest, sent_as,
    )  # fmt: skip
