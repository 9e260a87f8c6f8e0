"""Drafts of the journal by their names, without what was typed in them: a list of them costs the same however long
they are."""

from datetime import datetime
from typing import NamedTuple

import apsw

from app.store.sql import rows, value
from app.store.texts import read_moment


class DraftName(NamedTuple):
    """An open draft as a list shows it."""

    id: str
    reference: str
    consignee: str
    begun_at: datetime
    changed_at: datetime


def open_names(c: apsw.Connection, profile: str) -> list[DraftName]:
    """The open drafts in the order in which they were begun."""
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
    # Half a character can be written in JSON, but is no text.
    return "" if found is None else found.decode("utf-8", "replace")


def last_put_away(c: apsw.Connection, profile: str) -> str | None:
    """The draft that was put away last and never became a write."""
    found: str | None = value(
        c,
        """
        SELECT id FROM drafts WHERE profile = ? AND closed_at IS NOT NULL AND submission_id IS NULL
        ORDER BY closed_at DESC, rowid DESC LIMIT 1
        """,
        (profile,),
    )
    return found
