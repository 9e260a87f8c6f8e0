"""Replies of whole windows, by their digest: one that comes again word for word says nothing new and is not read again.

Invariant: a reply is known only as long as every order that it held is as that reply left it, on the same list and seen
at no other time. Whatever else touches one of them (an order asked for by number, another list, another window, a clock
set back) gives it another time or another key, and then the window is read whole again.
"""

from array import array
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import apsw

from app.store.cache.fetched_windows import finish_window
from app.store.cache.order_rows import ListName
from app.store.cache.order_store import milliseconds, partitions_of
from app.store.cache.schema.cache_schema import NUMBER_BITS
from app.store.sqlite.plain_rows import key_array, row, value
from app.store.sqlite.text_values import to_text


class Asked(NamedTuple):
    """A window of a list with the parts asked for, and when the provider was asked."""

    profile: str
    list_name: ListName
    start: datetime
    end: datetime
    parts: str
    at: datetime


class Again(NamedTuple):
    """What a window that came word for word again holds, and how many orders it showed to be gone."""

    orders: int
    gone: int


class _Kept(NamedTuple):
    digest: bytes
    at: int
    orders: int
    keys: list[int]


def known_reply(c: apsw.Connection, asked: Asked) -> bytes | None:
    """The digest of the reply that this window's orders stand by; None where they do not any more."""
    kept = _standing(c, asked)
    return None if kept is None else kept.digest


def came_again(c: apsw.Connection, asked: Asked, digest: bytes) -> Again | None:
    """The same reply has come: its orders are as old as that now, and the window is finished.

    None where one of them was touched meanwhile: then nothing is done, and the window has to be read.
    """
    kept = _standing(c, asked)
    if kept is None or kept.digest != digest:
        return None
    seen = milliseconds(asked.at)
    c.execute("UPDATE seen SET at = ? WHERE id IN carray(?)", (seen, key_array(kept.keys)))
    c.execute("UPDATE replies SET at = ? WHERE profile = ? AND list = ? AND start = ? AND end = ?", (seen, *_of(asked)))
    return Again(
        kept.orders, finish_window(c, asked.profile, asked.list_name, asked.start, asked.end, asked.at, kept.orders)
    )


def finish_and_keep(c: apsw.Connection, asked: Asked, digest: bytes, numbers: Sequence[int]) -> int:
    """A whole window was read and stored: note that, and its reply. Returns how many orders it showed to be gone."""
    from pyroaring import BitMap64  # the first paint does without it

    gone = finish_window(c, asked.profile, asked.list_name, asked.start, asked.end, asked.at, len(numbers))
    partition = partitions_of(c, asked.profile)[asked.list_name]
    keys = BitMap64(array("Q", [partition << NUMBER_BITS | number for number in numbers]))
    profile, list_name, start, end = _of(asked)
    c.execute("DELETE FROM replies WHERE profile = ? AND list = ? AND start <= ? AND end >= ?", _overlapping(asked))
    c.execute(
        "INSERT INTO replies VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (profile, list_name, start, end, asked.parts, milliseconds(asked.at), len(numbers), digest, keys.serialize()),
    )
    return gone


def _standing(c: apsw.Connection, asked: Asked) -> _Kept | None:
    from pyroaring import BitMap64  # the first paint does without it

    found = row(
        c,
        """
        SELECT digest, at, count, keys FROM replies
        WHERE profile = ? AND list = ? AND start = ? AND end = ? AND includes = ?
        """,
        (*_of(asked), asked.parts),
    )
    if found is None or found[1] > milliseconds(asked.at):
        return None
    digest, at, orders, serialized = found
    keys = list(BitMap64.deserialize(serialized))
    standing = (
        value(c, "SELECT count(*) FROM seen WHERE id IN carray(?) AND at = ?", (key_array(keys), at)) if keys else 0
    )
    return _Kept(digest, at, orders, keys) if standing == len(keys) else None


def _of(asked: Asked) -> tuple[str, str, str | None, str | None]:
    return asked.profile, asked.list_name, to_text(asked.start), to_text(asked.end)


def _overlapping(asked: Asked) -> tuple[str, str, str | None, str | None]:
    return asked.profile, asked.list_name, to_text(asked.end), to_text(asked.start)
