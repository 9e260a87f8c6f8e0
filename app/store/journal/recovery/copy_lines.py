"""The lines of the readable copy (`readable_copy`): one JSON object each.

    {"line": "order",   "journal": …, "upto": …, "newest": …, "write": 12, "profile": …, "kind": "submit",
     "reference": …, "queued_at": …, "sha256": …, "text": the payload as a person reads it, "payload": its exact bytes
     in base64, "change": 17, "now": {"state": "queued", …}, "check": …}
    {"line": "state",   …, "write": 12, "change": 18, "now": {"state": "sending", …}, "check": …}
    {"line": "profile", …, the connection's name and addresses, "check": …}
    {"line": "forgotten", …, "count": the number of lines removed, "check": …}

`upto` and `newest` say how far the copy is complete: up to this change, and up to this write. `check` is the beginning
of the SHA-256 of the line's text in front of it.

Invariant: a line whose `check` does not fit, because it was torn or changed, is not used.
"""

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.store.sqlite.plain_rows import Columns, SQLiteValue

Record = dict[str, Any]

_FIXED = ("profile", "kind", "reference", "queued_at", "draft_id", "sha256")  # of a write; the rest may change
_NOT_IN_NOW = {*_FIXED, "id", "payload", "change", "seal"}
_CHECK = ', "check": "'
_CHECK_LENGTH = 16
_TAIL = 1 << 20  # bytes in which the last line is searched, before the whole file is


@dataclass(frozen=True, slots=True)
class Place:
    """How far a copy is complete: the journal that it is of, the last change, and the last write."""

    journal: str = ""
    change: int = 0
    newest: int = 0


@dataclass(slots=True)
class CopyContent:
    """The content of a copy. `writes` holds the last known columns of each write, without seal; a write whose first
    line cannot be read is missing."""

    place: Place = Place()
    writes: dict[int, Columns] = field(default_factory=dict)
    profiles: dict[str, Columns] = field(default_factory=dict)
    unreadable: int = 0  # lines


def order_record(columns: Mapping[str, SQLiteValue]) -> Record:
    """The record of a whole write."""
    payload = columns["payload"]
    assert isinstance(payload, bytes)
    fixed = {name: columns[name] for name in _FIXED}
    body = {"text": payload.decode(errors="backslashreplace"), "payload": base64.b64encode(payload).decode()}
    return {"line": "order", "write": columns["id"], **fixed, **body, **_now(columns)}


def state_record(columns: Mapping[str, SQLiteValue]) -> Record:
    """The record of a change of a write."""
    return {"line": "state", "write": columns["id"], **_now(columns)}


def _now(columns: Mapping[str, SQLiteValue]) -> Record:
    changing = {name: value for name, value in columns.items() if name not in _NOT_IN_NOW and value is not None}
    return {"change": columns["change"], "now": changing}


def to_line(record: Record, place: Place) -> str:
    """The record as a line of the file, with check and line break."""
    kind, rest = record["line"], {name: value for name, value in record.items() if name != "line"}
    whole = {"line": kind, "journal": place.journal, "upto": place.change, "newest": place.newest, **rest}
    text = json.dumps(whole, ensure_ascii=False)[:-1]
    return f'{text}{_CHECK}{_digest(text.encode())}"}}\n'


def from_line(line: bytes) -> Record | None:
    """The record of a line; None if the line is damaged."""
    if not is_whole(line):
        return None
    record: Record = json.loads(line)
    return record


def is_whole(line: bytes) -> bool:
    """Whether the line is what was written."""
    text, found, check = line.rstrip(b"\r\n").rpartition(_CHECK.encode())
    return bool(found) and check == f'{_digest(text)}"}}'.encode()


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:_CHECK_LENGTH]


def place_of(record: Record) -> Place:
    """The place that a line bears."""
    return Place(record["journal"], record["upto"], record["newest"])


def last_place(path: Path) -> Place:
    """The place of the file's last sound line; `Place()` if it has none."""
    if not path.exists():
        return Place()
    size = path.stat().st_size
    with path.open("rb") as file:
        for start in (max(size - _TAIL, 0), 0):
            file.seek(start)
            for line in reversed(file.read().splitlines()):
                if (record := from_line(line)) is not None:
                    return place_of(record)
    return Place()


def read_lines(lines: Iterable[bytes]) -> CopyContent:
    """The content of all lines together."""
    content = CopyContent()
    for line in lines:
        record = from_line(line)
        if record is None:
            content.unreadable += bool(line.strip())
            continue
        content.place = place_of(record)
        _take(content, record)
    return content


def _take(content: CopyContent, record: Record) -> None:
    match record["line"]:
        case "order":
            content.writes[record["write"]] = _columns(record, content.writes.get(record["write"], {}))
        case "state" if record["write"] in content.writes:
            _update(content.writes[record["write"]], record)
        case "profile":
            outside = ("line", "journal", "upto", "newest", "check")
            content.profiles[record["id"]] = {name: value for name, value in record.items() if name not in outside}


def _columns(record: Record, known: Columns) -> Columns:
    columns: Columns = {"id": record["write"], "payload": base64.b64decode(record["payload"]), "change": -1}
    columns |= {name: record[name] for name in _FIXED}
    _update(columns, record)
    if isinstance(change := known.get("change"), int) and change > record["change"]:
        columns |= {name: known[name] for name in known if name not in _NOT_IN_NOW} | {"change": change}
    return columns


def _update(columns: Columns, record: Record) -> None:
    """Apply a record, unless the columns are of a later change: after a cut-off batch, lines can repeat."""
    change = columns.get("change")
    if isinstance(change, int) and change > record["change"]:
        return
    for name in [name for name in columns if name not in _NOT_IN_NOW]:
        del columns[name]
    columns |= record["now"]
    columns["change"] = record["change"]
