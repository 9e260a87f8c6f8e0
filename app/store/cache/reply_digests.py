"""Replies of whole windows by their digest: a reply that comes word for word again need not be parsed again.

Invariant: a digest counts only while every order of its reply is as that reply left it, on the same list and last seen
at the same time. Anything else that touches one of them (an order asked for by number, another list, another window, a
clock set back) gives it another time or another key. Then the window is read whole again.
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


class WindowRequest(NamedTuple):
    """A request for one window of a list. `includes` names the optional members, `at` is when it was made."""

    profile: str
    list_name: ListName
    start: datetime
    end: datetime
    includes: str
    at: datetime


class UnchangedReply(NamedTuple):
    """How many orders the repeated reply holds, and how many orders it showed to be gone from the list."""

    orders: int
    gone: int


class _Reply(NamedTuple):
    digest: bytes
    at: int
    orders: int
    keys: list[int]


def known_digest(c: apsw.Connection, request: WindowRequest) -> bytes | None:
    """The digest of the last reply to this request; None if it does not count any more."""
    reply = _valid_reply(c, request)
    return None if reply is None else reply.digest


def accept_unchanged(c: apsw.Connection, request: WindowRequest, digest: bytes) -> UnchangedReply | None:
    """Finish a window whose reply is the known one: its orders are as fresh as this request now.

    None if one of its orders was touched since `known_digest`: then nothing is written, and the window has to be read.
    """
    reply = _valid_reply(c, request)
    if reply is None or reply.digest != digest:
        return None
    seen = milliseconds(request.at)
    c.execute("UPDATE seen SET at = ? WHERE id IN carray(?)", (seen, key_array(reply.keys)))
    c.execute(
        "UPDATE replies SET at = ? WHERE profile = ? AND list = ? AND start = ? AND end = ?", (seen, *_key(request))
    )
    return UnchangedReply(reply.orders, _finish(c, request, reply.orders))


def finish_with_digest(c: apsw.Connection, request: WindowRequest, digest: bytes, numbers: Sequence[int]) -> int:
    """Finish a window whose orders are all stored, and keep its digest; returns how many orders left the list."""
    from pyroaring import BitMap64  # the first paint does without it

    gone = _finish(c, request, len(numbers))
    partition = partitions_of(c, request.profile)[request.list_name]
    keys = BitMap64(array("Q", [partition << NUMBER_BITS | number for number in numbers]))
    profile, list_name, start, end = _key(request)
    c.execute(
        "DELETE FROM replies WHERE profile = ? AND list = ? AND start <= ? AND end >= ?",
        (profile, list_name, end, start),  # every reply that shares a moment with this one
    )
    c.execute(
        "INSERT INTO replies VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*_key(request), request.includes, milliseconds(request.at), len(numbers), digest, keys.serialize()),
    )
    return gone


def _finish(c: apsw.Connection, request: WindowRequest, count: int) -> int:
    return finish_window(c, request.profile, request.list_name, request.start, request.end, request.at, count)


def _valid_reply(c: apsw.Connection, request: WindowRequest) -> _Reply | None:
    from pyroaring import BitMap64  # the first paint does without it

    found = row(
        c,
        """
        SELECT digest, at, count, keys FROM replies
        WHERE profile = ? AND list = ? AND start = ? AND end = ? AND includes = ?
        """,
        (*_key(request), request.includes),
    )
    # A reply that was asked for later than this request is newer: this one may not set its orders back.
    if found is None or found[1] > milliseconds(request.at):
        return None
    digest, at, orders, serialized = found
    keys = list(BitMap64.deserialize(serialized))
    untouched = (
        value(c, "SELECT count(*) FROM seen WHERE id IN carray(?) AND at = ?", (key_array(keys), at)) if keys else 0
    )
    return _Reply(digest, at, orders, keys) if untouched == len(keys) else None


def _key(request: WindowRequest) -> tuple[str, str, str | None, str | None]:
    return request.profile, request.list_name, to_text(request.start), to_text(request.end)
