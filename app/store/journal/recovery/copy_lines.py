"""The lines of the readable copy (`readable_copy`): one JSON object each.

    {"line": "order",   "journal": …, "upto": …, "newest": …, "write": 12, "profile": …, "kind": "submit",
     "reference": …, "queued_at": …, "sha256": …, "text": the payload as a person reads it, "payload": its exact bytes
     in base64, "change": 17, "now": {"state": "queued", …}, "attempts": [], "check": …}
    {"line": "state",   …, "write": 12, "change": 18, "now": {"state": "sending", …},
     "attempts": its last attempts [{"id": 30, "started_at": …, "reply": exact bytes in base64, …}, …], "check": …}
    {"line": "request", …, "request": 3, "operation": …, "subject": …, "title": …, "text": …, "payload": …,
     "change": 19, "now": {"state": "sending", …}, "check": …}
    {"line": "request_state", …, "request": 3, "change": 20, "now": {"state": "accepted", "reply": the exact bytes of
     the answer in base64, …}, "check": …}
    {"line": "review",  …, "profile": …, "audit": …, "photo": …, "body": …, "changed_at": …, "change": 21, "check": …}
    {"line": "templates", …, "key": which templates, "value": all of them as JSON, "change": 22, "check": …}
    {"line": "profile", …, the connection's name and addresses, "check": …}
    {"line": "forgotten", …, "count": the number of lines removed, "check": …}

`upto`, `newest` and `newest_request` say how far the copy is complete: up to this change, this write and this request.
`check` is the beginning of the SHA-256 of the line's text in front of it.

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
Remaining = dict[str, tuple[frozenset[int], int]]  # table → the ids in it, and the last id that was ever given

_OUTSIDE = ("line", "journal", "upto", "newest", "newest_request", "check")  # in every line
_CHECK = ', "check": "'
_CHECK_LENGTH = 16
_TAIL = 1 << 20  # bytes in which the last line is searched, before the whole file is


@dataclass(frozen=True, slots=True)
class CopiedTable:
    """A table whose rows are in the copy: each whole in a `whole` line, and each change of it in a `changed` line.

    `row` is the name of the row's id in both lines. The columns `fixed` never change, those in `encoded` hold bytes.
    """

    name: str
    row: str
    whole: str
    changed: str
    fixed: tuple[str, ...]
    encoded: tuple[str, ...] = ()

    def changing(self, columns: Iterable[str]) -> list[str]:
        """The columns that can change, and that a line has in `now`."""
        return [name for name in columns if name not in (*self.fixed, "id", "payload", "change", "seal")]


WRITES = CopiedTable(
    "writes", "write", "order", "state", ("profile", "kind", "reference", "queued_at", "draft_id", "sha256")
)
REQUESTS = CopiedTable(
    "requests",
    "request",
    "request",
    "request_state",
    ("profile", "operation", "subject", "title", "began_at", "sha256", "sent_as"),
    ("reply",),
)
COPIED = (WRITES, REQUESTS)
REVIEW, TEMPLATES = "review", "templates"  # lines of rows that are whole in each line
_KEYS = {REVIEW: ("profile", "audit", "photo"), TEMPLATES: ("key",)}
MOST_ATTEMPTS = 10  # in the line of a change; earlier ones stand in lines before
Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """How far a copy is complete: the journal that it is of, the last change, the last write, the last request."""

    journal: str = ""
    change: int = 0
    newest: int = 0
    newest_request: int = 0

    def newest_of(self, table: CopiedTable) -> int:
        """The id of the last row of the table."""
        return self.newest_request if table is REQUESTS else self.newest


@dataclass(slots=True)
class CopyContent:
    """The content of a copy. `writes` and `requests` hold the last known columns of each, without seal; one whose
    first line cannot be read is missing. `attempts` holds the columns of each by write and id. `reviews` and
    `templates` hold the last known line of each by what it is about."""

    place: Place = Place()
    writes: dict[int, Columns] = field(default_factory=dict)
    requests: dict[int, Columns] = field(default_factory=dict)
    attempts: dict[int, dict[int, Columns]] = field(default_factory=dict)
    reviews: dict[Key, Columns] = field(default_factory=dict)
    templates: dict[Key, Columns] = field(default_factory=dict)
    profiles: dict[str, Columns] = field(default_factory=dict)
    unreadable: int = 0  # lines

    def rows_of(self, table: CopiedTable) -> dict[int, Columns]:
        """The rows of the table by id."""
        return self.requests if table is REQUESTS else self.writes


def attempts_record(attempts: Iterable[Columns]) -> list[Record]:
    """The attempts of a write, for its record."""
    return [_plain(each) for each in attempts]


def row_record(line: str, columns: Columns) -> Record:
    """The record of a review or of templates, with their `change`."""
    return {"line": line, **columns}


def key_of(record: Record) -> Key | None:
    """The subject of a line of a review or of templates; None for other lines."""
    names = _KEYS.get(record["line"])
    return None if names is None else (record["line"], *(record[name] for name in names))


def whole_record(table: CopiedTable, columns: Mapping[str, SQLiteValue]) -> Record:
    """The record of a whole row."""
    payload = columns["payload"]
    assert isinstance(payload, bytes)
    fixed = {name: columns[name] for name in table.fixed}
    body = {"text": payload.decode(errors="backslashreplace"), "payload": _encoded(payload)}
    return {"line": table.whole, table.row: columns["id"], **fixed, **body, **_now(table, columns)}


def change_record(table: CopiedTable, columns: Mapping[str, SQLiteValue]) -> Record:
    """The record of a change of a row."""
    return {"line": table.changed, table.row: columns["id"], **_now(table, columns)}


def _now(table: CopiedTable, columns: Mapping[str, SQLiteValue]) -> Record:
    return {"change": columns["change"], "now": _plain({name: columns[name] for name in table.changing(columns)})}


def _plain(columns: Mapping[str, SQLiteValue]) -> Record:
    known = {name: value for name, value in columns.items() if value is not None}
    return {name: _encoded(value) if isinstance(value, bytes) else value for name, value in known.items()}


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def to_line(record: Record, place: Place) -> str:
    """The record as a line of the file, with check and line break."""
    kind, rest = record["line"], {name: value for name, value in record.items() if name != "line"}
    upto = {"upto": place.change, "newest": place.newest, "newest_request": place.newest_request}
    text = json.dumps({"line": kind, "journal": place.journal, **upto, **rest}, ensure_ascii=False)[:-1]
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
    return Place(record["journal"], record["upto"], record["newest"], record["newest_request"])


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
    if record["line"] == "profile":
        content.profiles[record["id"]] = {name: value for name, value in record.items() if name not in _OUTSIDE}
        return
    if (key := key_of(record)) is not None:
        _take_row(content.reviews if record["line"] == REVIEW else content.templates, key, record)
        return
    for table in COPIED:
        known = content.rows_of(table)
        if table is WRITES and record["line"] in (table.whole, table.changed):
            _take_attempts(content, record, whole=record["line"] == table.whole)
        if record["line"] == table.whole:
            known[record[table.row]] = _columns(table, record, known.get(record[table.row], {}))
        elif record["line"] == table.changed and record[table.row] in known:
            _update(table, known[record[table.row]], record)


def _take_row(known: dict[Key, Columns], key: Key, record: Record) -> None:
    columns = {name: value for name, value in record.items() if name not in _OUTSIDE}
    if key not in known or int(str(known[key]["change"])) <= record["change"]:
        known[key] = columns


def _take_attempts(content: CopyContent, record: Record, *, whole: bool) -> None:
    number, known = record["write"], content.writes.get(record["write"], {})
    change = known.get("change")
    if "attempts" not in record or (isinstance(change, int) and change > record["change"]):
        return
    listed: dict[int, Columns] = {each["id"]: _decoded(each) for each in record["attempts"]}
    # An attempt is taken back where it was counted in the one before it: what is not among the last is gone.
    first = 0 if whole else min(listed, default=0)
    earlier = content.attempts.get(number, {})
    content.attempts[number] = {each: columns for each, columns in earlier.items() if each < first} | listed


def _decoded(attempt: Record) -> Columns:
    return attempt | ({"reply": base64.b64decode(attempt["reply"])} if "reply" in attempt else {})


def _columns(table: CopiedTable, record: Record, known: Columns) -> Columns:
    columns: Columns = {"id": record[table.row], "payload": base64.b64decode(record["payload"]), "change": -1}
    columns |= {name: record[name] for name in table.fixed}
    _update(table, columns, record)
    if isinstance(change := known.get("change"), int) and change > record["change"]:
        columns |= {name: known[name] for name in table.changing(known)} | {"change": change}
    return columns


def _update(table: CopiedTable, columns: Columns, record: Record) -> None:
    """Apply a record, unless the columns are of a later change: after a cut-off batch, lines can repeat."""
    change = columns.get("change")
    if isinstance(change, int) and change > record["change"]:
        return
    for name in table.changing(columns):
        del columns[name]
    now = record["now"]
    columns |= now | {name: base64.b64decode(now[name]) for name in table.encoded if name in now}
    columns["change"] = record["change"]
