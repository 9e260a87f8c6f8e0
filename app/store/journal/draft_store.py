"""Drafts of orders as typed, until a person closes them or `write_store.queue_write` makes them a write.

Invariant: a draft that became a write stays closed, and tied to this write, until the write is rejected or withdrawn.
All functions take the connection first and run through `Database.read` or `Database.write`.
"""

from datetime import datetime
from typing import NamedTuple

import apsw

from app.store.journal.records import DraftRow, draft_row
from app.store.sqlite.plain_rows import row, rows, value
from app.store.sqlite.text_values import read_moment, storable, to_moment
from app.store.store_errors import WrongState
from app.translation import translate

_DRAFT = "SELECT id, profile, body, created_at, changed_at, closed_at, submission_id FROM drafts"


class DraftName(NamedTuple):
    """An open draft as a list shows it."""

    id: str
    reference: str
    consignee: str
    begun_at: datetime
    changed_at: datetime


def save_draft(c: apsw.Connection, profile: str, draft_id: str, body: str, now: datetime) -> None:
    """Store a form as typed (`body` is JSON text). Raises `WrongState` if the draft is closed."""
    c.execute(
        """
        INSERT INTO drafts (id, profile, body, created_at, changed_at) VALUES (?1, ?2, ?3, ?4, ?4)
        ON CONFLICT (id) DO UPDATE SET body = ?3, changed_at = ?4 WHERE closed_at IS NULL
        """,
        (draft_id, profile, storable(body), to_moment(now)),
    )
    if c.changes() == 0:
        raise WrongState(translate("This draft has been closed already, so it was not changed."))


def open_drafts(c: apsw.Connection, profile: str) -> list[DraftRow]:
    """The open drafts, the latest changed first."""
    found = rows(c, f"{_DRAFT} WHERE profile = ? AND closed_at IS NULL ORDER BY changed_at DESC, id", (profile,))
    return [draft_row(values) for values in found]


def draft(c: apsw.Connection, draft_id: str) -> DraftRow | None:
    """The draft, open or closed."""
    found = row(c, f"{_DRAFT} WHERE id = ?", (draft_id,))
    return None if found is None else draft_row(found)


def close_draft(c: apsw.Connection, draft_id: str, now: datetime) -> None:
    """Close a draft; it stays readable. A second call does nothing."""
    c.execute("UPDATE drafts SET closed_at = ? WHERE id = ? AND closed_at IS NULL", (to_moment(now), draft_id))


def reopen_draft(c: apsw.Connection, draft_id: str, now: datetime) -> None:
    """Open a closed draft again. Raises `WrongState` unless its write, if it has one, was rejected or withdrawn."""
    state = value(c, "SELECT w.state FROM drafts d JOIN writes w ON w.id = d.submission_id WHERE d.id = ?", (draft_id,))
    if state not in (None, "rejected", "withdrawn"):
        raise WrongState(translate("This draft has been queued or sent, so it was not opened again."))
    c.execute(
        "UPDATE drafts SET closed_at = NULL, submission_id = NULL, changed_at = ? WHERE id = ?",
        (to_moment(now), draft_id),
    )


def open_draft_names(c: apsw.Connection, profile: str) -> list[DraftName]:
    """The open drafts by name, the first begun first. SQLite reads the names, so long drafts cost no more."""
    found = rows(
        c,
        """
        SELECT id, CAST(body ->> '$.orderReferenceNumber' AS BLOB),
               CAST(body ->> '$.consignee.consigneeName' AS BLOB), created_at, changed_at
        FROM drafts
        WHERE profile = ? AND closed_at IS NULL ORDER BY created_at, id
        """,
        (profile,),
    )
    return [
        DraftName(key, _text(reference), _text(name), read_moment(begun), read_moment(changed))
        for key, reference, name, begun, changed in found
    ]


def _text(found: bytes | None) -> str:
    # JSON can hold a lone surrogate, which is no UTF-8.
    return "" if found is None else found.decode("utf-8", "replace")


def last_closed_draft(c: apsw.Connection, profile: str) -> str | None:
    """The draft that was closed last without becoming a write."""
    found: str | None = value(
        c,
        """
        SELECT id FROM drafts WHERE profile = ? AND closed_at IS NOT NULL AND submission_id IS NULL
        ORDER BY closed_at DESC, rowid DESC LIMIT 1
        """,
        (profile,),
    )
    return found
