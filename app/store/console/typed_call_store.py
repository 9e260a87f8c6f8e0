"""Drafts of the console's forms that were not sent, one for each operation of a connection.

Invariant: at most `MOST_DRAFTS` of a connection are kept; the oldest leave first.
"""

import json
from dataclasses import dataclass
from datetime import datetime

import apsw

from app.store.console.call_store import Pairs
from app.store.sqlite.plain_rows import rows
from app.store.sqlite.text_values import storable, to_moment

MOST_DRAFTS = 60  # of a connection; both services have thirty operations


@dataclass(frozen=True, slots=True)
class TypedCall:
    """The contents of the form of an operation. `body_format` and `accept` are media types."""

    operation: str
    parameters: Pairs
    body: str
    body_format: str
    accept: str


def put_typed_call(c: apsw.Connection, profile: str, typed: TypedCall, at: datetime) -> None:
    """Store what stands in a form, in place of what stood there before."""
    # REPLACE gives the row a new id, and the ids are the order in which forms were typed.
    c.execute(
        """
        INSERT OR REPLACE INTO drafts (profile, operation, at, parameters, body, body_format, accept)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        (
            profile,
            storable(typed.operation),
            to_moment(at),
            json.dumps(typed.parameters),
            storable(typed.body),
            typed.body_format,
            typed.accept,
        ),
    )
    c.execute(
        """
        DELETE FROM drafts WHERE profile = ?1 AND operation NOT IN (
            SELECT operation FROM drafts WHERE profile = ?1 ORDER BY id DESC LIMIT ?2
        )
        """,
        (profile, MOST_DRAFTS),
    )


def typed_calls(c: apsw.Connection, profile: str) -> list[TypedCall]:
    """The drafts of a connection, the one that was typed last first."""
    found = rows(
        c,
        "SELECT operation, parameters, body, body_format, accept FROM drafts WHERE profile = ? ORDER BY id DESC",
        (profile,),
    )
    return [
        TypedCall(operation, tuple((name, text) for name, text in json.loads(parameters)), body, body_format, accept)
        for operation, parameters, body, body_format, accept in found
    ]


def forget_typed_call(c: apsw.Connection, profile: str, operation: str) -> None:
    """Delete what stands in the form of an operation."""
    c.execute("DELETE FROM drafts WHERE profile = ? AND operation = ?", (profile, operation))
