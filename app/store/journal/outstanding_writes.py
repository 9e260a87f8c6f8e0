"""Outstanding writes: those that the list of orders shows above the orders, until the provider lists them.

Invariants: writes that need a person come first, then writes that have not ended, then writes accepted lately; within
each group the latest comes first. A withdrawn or confirmed write is never outstanding, nor is an accepted write that a
later write of the order has replaced.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

import apsw

from app.store.journal.own_evidence import REPLACED
from app.store.journal.records import WriteKind, WriteRow, WriteState, write_row
from app.store.journal.write_store import WRITE, marked_damaged
from app.store.sqlite.plain_rows import SQLiteValue, rows
from app.store.sqlite.search_text import digits, plain
from app.store.sqlite.text_values import read_moment, to_moment

# The fields that a search of orders looks through, as far as an order that is sent has them.
_SEARCHED = (
    "poNumber",
    "consignee.consigneeName",
    "consignee.streetAddress",
    "consignee.streetAddress2",
    "consignee.city",
    "consignee.zip",
    "consignee.phone1",
    "consignee.phone2",
    "manufacturerCode",
    "providerFacilityCode",
    "intermediateConsignee",
    "deliveryInstructions",
)
_PHONES = ("consignee.phone1", "consignee.phone2")
_VALUES = ", ".join(
    [f"json_extract(body, '$.{path}')" for path in _SEARCHED]
    + [f"digits(json_extract(body, '$.{path}'))" for path in _PHONES]
)
# A payload that the disk damaged may be no JSON, and `json_extract` would fail the whole statement.
_TEXT = f"plain(concat_ws(char(10), reference, iif(json_valid(body), concat_ws(char(10), {_VALUES}), '')))"
_ALL = f"""
    SELECT id, kind, reference, state, queued_at, payload,
           CASE WHEN state IN ('in_doubt', 'rejected') OR (state = 'queued' AND held IS NOT NULL) THEN 1
                WHEN state = 'accepted' THEN 3 ELSE 2 END AS step
    FROM writes
    WHERE profile = :profile AND state IN ('queued', 'sending', 'in_doubt', 'rejected', 'accepted')
      AND NOT (state = 'accepted' AND (changed_at < :since OR {REPLACED}))
"""


class OutstandingWrite(NamedTuple):
    """An outstanding write, with the fields by which the list of orders decides whether to show it."""

    id: int
    kind: WriteKind
    reference: str
    state: WriteState
    queued_at: datetime


def find_outstanding(
    c: apsw.Connection, profile: str, words: Sequence[str], accepted_since: datetime, limit: int
) -> list[OutstandingWrite]:
    """Up to `limit` outstanding writes, sorted as above; accepted writes only from `accepted_since` on.

    Every word of `words` (in the form of `search_text.plain`) must be in the order that is sent. All cancellations are
    found, because a cancellation holds nothing to search but its reference.
    """
    bindings: dict[str, SQLiteValue] = {"profile": profile, "since": to_moment(accepted_since), "limit": limit}
    source = _ALL
    if words:
        c.create_scalar_function("plain", _plain, 1, deterministic=True)
        c.create_scalar_function("digits", _digits, 1, deterministic=True)
        # `instr` takes % and _ as letters, LIKE would not.
        holds = " AND ".join(f"instr(searched, :word{place})" for place in range(len(words)))
        bindings |= {f"word{place}": word for place, word in enumerate(words)}
        source = f"""
            SELECT * FROM (SELECT *, {_TEXT} AS searched FROM (SELECT *, CAST(payload AS TEXT) AS body FROM ({_ALL})))
            WHERE kind = 'cancel' OR ({holds})
        """
    found = rows(
        c,
        f"SELECT id, kind, reference, state, queued_at FROM ({source}) ORDER BY step, id DESC LIMIT :limit",
        bindings,
    )
    return [OutstandingWrite._make((*values, read_moment(at))) for *values, at in found]


def _plain(*text: SQLiteValue) -> str:
    return plain("".join(map(str, text)))


def _digits(*phone: SQLiteValue) -> str:
    return digits("".join(map(str, filter(None, phone))))


def read_outstanding(c: apsw.Connection, ids: Collection[int]) -> list[tuple[WriteRow, bytes]]:
    """The writes with these ids, in the order of the ids, each with its payload."""
    found = rows(
        c,
        f"""
        SELECT found.*, writes.payload FROM json_each(:ids) wanted
        JOIN ({WRITE}) found ON found.id = wanted.value JOIN writes ON writes.id = found.id ORDER BY wanted.key
        """,
        {"ids": json.dumps(list(ids))},
    )
    read = marked_damaged(c, [write_row(values[:-1]) for values in found])
    return [(each, bytes(values[-1])) for each, values in zip(read, found, strict=True)]


def last_submissions(c: apsw.Connection, profile: str, references: Collection[str]) -> list[tuple[WriteRow, bytes]]:
    """The last submission of each reference that was neither rejected nor withdrawn, with its payload; by reference."""
    found = rows(
        c,
        """
        SELECT max(writes.id) FROM json_each(:references) wanted
        JOIN writes ON writes.profile = :profile AND writes.reference = wanted.value
        WHERE kind = 'submit' AND state NOT IN ('rejected', 'withdrawn') GROUP BY wanted.key ORDER BY wanted.key
        """,
        {"profile": profile, "references": json.dumps(list(references))},
    )
    return read_outstanding(c, [number for (number,) in found])


def references_in_outbox(c: apsw.Connection, profile: str) -> tuple[str, ...]:
    """The references of writes that are queued, sending, in doubt or rejected."""
    found = rows(
        c,
        """
        SELECT DISTINCT reference FROM writes
        WHERE profile = ? AND state IN ('queued', 'sending', 'in_doubt', 'rejected')
        """,
        (profile,),
    )
    return tuple(reference for (reference,) in found)
