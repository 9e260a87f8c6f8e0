"""The calls made by hand: stored, listed, searched, and forgotten from the oldest on.

Invariant: at most `MOST_CALLS` calls of a connection are kept, with answers of at most `MOST_BYTES` and bodies of at
most `MOST_TYPED` in all. An answer that is too large leaves first; the line about its call stays.
"""

import json
import zlib
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

import apsw

from app.store.sqlite.plain_rows import row, rows, value
from app.store.sqlite.search_text import plain
from app.store.sqlite.text_values import read_moment, storable, to_moment

MOST_CALLS = 2_000
MOST_BYTES = 64 * 1024 * 1024  # of compressed answers
MOST_TYPED = 32 * 1024 * 1024  # characters of bodies
LARGEST_ANSWER = 8 * 1024 * 1024  # bytes before they are compressed
_SEARCHED = 16 * 1024  # characters of a body and of an answer that a search looks at
_LISTED = (
    "id, at, operation, name, method, target, parameters, body, body_format, accept, status, sentence, seconds, size, "
    "write_id, answer IS NOT NULL, status = 0 AND flags & 2 <> 0"
)
Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class NewCall:
    """A call to be stored. `answer` None: none came. `at` is local time; `phases` are names and seconds."""

    profile: str
    at: datetime
    operation: str
    name: str
    method: str
    target: str
    parameters: Pairs
    body: str
    body_format: str
    accept: str
    status: int
    reason: str
    sentence: str
    headers: Pairs
    content_type: str
    answer: bytes | None
    size: int
    phases: tuple[tuple[str, float], ...]
    seconds: float
    cut: bool = False
    may_have_acted: bool = False
    hidden: int = 0
    write_id: int | None = None


@dataclass(frozen=True, slots=True)
class CallLine:
    """A call without its answer; `kept`: whether its answer is here. `at` is in UTC.

    `in_doubt`: it may have acted, and no answer to it is known.
    """

    id: int
    at: datetime
    operation: str
    name: str
    method: str
    target: str
    parameters: Pairs
    body: str
    body_format: str
    accept: str
    status: int
    sentence: str
    seconds: float
    size: int
    write_id: int | None
    kept: bool
    in_doubt: bool


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """The answer of a call as it came; `at` is in UTC."""

    at: datetime
    status: int
    reason: str
    sentence: str
    headers: Pairs
    content_type: str
    body: bytes
    size: int
    phases: tuple[tuple[str, float], ...]
    cut: bool
    may_have_acted: bool
    hidden: int


def add_call(c: apsw.Connection, call: NewCall) -> int:
    """Store a call, and forget the oldest beyond what may be kept; its id."""
    columns = _columns(call)
    marks = ", ".join("?" * len(columns))
    number: int = value(
        c,
        f"INSERT INTO calls ({', '.join(columns)}) VALUES ({marks}) RETURNING id",  # noqa: S608 (our own columns)
        tuple(columns.values()),
    )
    _forget_oldest(c, call.profile)
    return number


def finish_call(c: apsw.Connection, number: int, call: NewCall) -> None:
    """Store how a call ended that was stored before it left; nothing if it was forgotten meanwhile."""
    columns = _columns(call)
    changes = ", ".join(f"{name} = ?" for name in columns)
    c.execute(f"UPDATE calls SET {changes} WHERE id = ?", (*columns.values(), number))  # noqa: S608 (our own columns)
    _forget_oldest(c, call.profile)


def _columns(call: NewCall) -> dict[str, Any]:
    """The columns of a call, all but its id."""
    # Level 6: JSON shrinks to a tenth, and higher levels take several times as long for little more.
    packed = None if call.answer is None or len(call.answer) > LARGEST_ANSWER else zlib.compress(call.answer, 6)
    texts = [call.operation, call.name, call.target, call.body[:_SEARCHED], call.sentence, _beginning(call.answer)]
    return {
        "profile": call.profile,
        "at": to_moment(call.at),
        "operation": storable(call.operation),
        "name": storable(call.name),
        "method": storable(call.method),
        "target": storable(call.target),
        "parameters": json.dumps(call.parameters),
        "body": storable(call.body),
        "body_format": call.body_format,
        "accept": call.accept,
        "status": call.status,
        "reason": storable(call.reason),
        "sentence": storable(call.sentence),
        "headers": json.dumps(call.headers),
        "content_type": storable(call.content_type),
        "answer": packed,
        "size": call.size,
        "phases": json.dumps(call.phases),
        "seconds": call.seconds,
        "flags": int(call.cut) | int(call.may_have_acted) << 1,
        "hidden": call.hidden,
        "write_id": call.write_id,
        "searched": plain("\n".join(texts)),
    }


def list_calls(
    c: apsw.Connection, profile: str, *, text: str = "", operation: str = "", before: int | None = None, most: int = 100
) -> list[CallLine]:
    """The latest calls, newest first, that have every word of `text`; `before` is an id."""
    clauses, bindings = ["profile = ?"], [profile]
    if operation:
        clauses.append("operation = ?")
        bindings.append(operation)
    # `instr` and no index: a connection has at most `MOST_CALLS` rows of short texts, and an index of every three
    # letters would be larger than they are.
    for word in plain(text).split():
        clauses.append("instr(searched, ?) > 0")
        bindings.append(word)
    limits: list[int] = [] if before is None else [before]
    if before is not None:
        clauses.append("id < ?")
    statement = f"SELECT {_LISTED} FROM calls WHERE {' AND '.join(clauses)} ORDER BY id DESC LIMIT ?"  # noqa: S608
    return [_line(found) for found in rows(c, statement, [*bindings, *limits, most])]


def get_call(c: apsw.Connection, profile: str, call: int) -> CallLine | None:
    """One call."""
    found = row(c, f"SELECT {_LISTED} FROM calls WHERE profile = ? AND id = ?", (profile, call))  # noqa: S608
    return None if found is None else _line(found)


def latest_same(c: apsw.Connection, profile: str, operation: str, target: str, body: str) -> CallLine | None:
    """The latest call of an operation that went to the provider with just this target and body; None for none."""
    found = row(
        c,
        f"""
        SELECT {_LISTED} FROM calls
        WHERE profile = ? AND operation = ? AND target = ? AND body = ? AND write_id IS NULL ORDER BY id DESC LIMIT 1
        """,  # noqa: S608 (our own columns)
        (profile, storable(operation), storable(target), storable(body)),
    )
    return None if found is None else _line(found)


def get_answer(c: apsw.Connection, profile: str, call: int) -> StoredAnswer | None:
    """The answer of a call; None if none came or it is not kept."""
    found = row(
        c,
        """
        SELECT at, status, reason, sentence, headers, content_type, answer, size, phases, flags, hidden
        FROM calls WHERE profile = ? AND id = ? AND answer IS NOT NULL
        """,
        (profile, call),
    )
    if found is None:
        return None
    at, status, reason, sentence, headers, kind, answer, size, phases, flags, hidden = found
    return StoredAnswer(
        read_moment(at),
        status,
        reason,
        sentence,
        _pairs(headers),
        kind,
        zlib.decompress(answer),
        size,
        tuple((name, seconds) for name, seconds in json.loads(phases)),
        bool(flags & 1),
        bool(flags & 2),
        hidden,
    )


def latest_by_name(c: apsw.Connection, profile: str, most: int) -> list[tuple[str, int]]:
    """For each name the id of its latest call with a kept answer, the latest first."""
    return rows(
        c,
        """
        SELECT name, max(id) FROM calls WHERE profile = ? AND answer IS NOT NULL AND name <> ''
        GROUP BY name ORDER BY max(id) DESC LIMIT ?
        """,
        (profile, most),
    )


def forget_call(c: apsw.Connection, profile: str, call: int) -> None:
    """Delete one call."""
    c.execute("DELETE FROM calls WHERE profile = ? AND id = ?", (profile, call))


def forget_calls(c: apsw.Connection, profile: str) -> None:
    """Delete all calls of a connection."""
    c.execute("DELETE FROM calls WHERE profile = ?", (profile,))


def forget_before(c: apsw.Connection, moment: datetime) -> None:
    """Delete the calls of all connections from before a moment, and what was typed before then and not sent."""
    c.execute("DELETE FROM calls WHERE at < ?", (to_moment(moment),))
    c.execute("DELETE FROM drafts WHERE at < ?", (to_moment(moment),))


def _line(found: tuple[Any, ...]) -> CallLine:
    values = dict(zip((each.name for each in fields(CallLine)), found, strict=True))
    changed = {
        "at": read_moment(values["at"]),
        "parameters": _pairs(values["parameters"]),
        "kept": bool(values["kept"]),
        "in_doubt": bool(values["in_doubt"]),
    }
    return CallLine(**(values | changed))


def _pairs(text: object) -> Pairs:
    return tuple((name, each) for name, each in json.loads(str(text)))


def _beginning(answer: bytes | None) -> str:
    return "" if answer is None else answer[:_SEARCHED].decode("utf-8", "replace")


def _forget_oldest(c: apsw.Connection, profile: str) -> None:
    c.execute(
        """
        DELETE FROM calls WHERE profile = ?1 AND id <= (
            SELECT id FROM calls WHERE profile = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2
        )
        """,
        (profile, MOST_CALLS),
    )
    _forget_long_bodies(c)
    excess = (value(c, "SELECT sum(length(answer)) FROM calls") or 0) - MOST_BYTES
    if excess <= 0:
        return
    # The largest of the older half: a few of them make room, and the latest answers stay.
    middle = value(c, "SELECT id FROM calls ORDER BY id LIMIT 1 OFFSET (SELECT count(*) / 2 FROM calls)")
    found = rows(
        c,
        "SELECT id, length(answer) FROM calls WHERE answer IS NOT NULL ORDER BY id > ?, length(answer) DESC, id",
        (middle,),
    )
    for number, length in found:
        if excess <= 0:
            break
        c.execute("UPDATE calls SET answer = NULL WHERE id = ?", (number,))
        excess -= length


def _forget_long_bodies(c: apsw.Connection) -> None:
    """Delete the oldest calls until the bodies of the rest fit; the latest call stays."""
    typed = value(c, "SELECT sum(length(body)) FROM calls") or 0
    for number, length in rows(c, "SELECT id, length(body) FROM calls ORDER BY id") if typed > MOST_TYPED else []:
        if typed <= MOST_TYPED or number == value(c, "SELECT max(id) FROM calls"):
            break
        c.execute("DELETE FROM calls WHERE id = ?", (number,))
        typed -= length
