"""Reads the rows of a damaged journal page by page, without following any pointer between pages of a tree.

SQLite refuses the whole file if its first page or an inner page of a tree is damaged. The rows lie in leaf pages, each
of which can be read alone (SQLite's file format, sections 1.6 and 2.1; write-ahead log: section 4).

Invariant: a row is returned if it has the shape of one of the journal's rows, and that proves nothing of its content.
`rebuild` compares each write with its seal.
"""

import json
import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.store.journal.records import STATES
from app.store.journal.recovery.copy_lines import REVIEW, TEMPLATES
from app.store.journal.request_store import REQUEST_STATES

Value = None | int | float | bytes | str
Row = tuple[Value, ...]

_PAGE_SIZE = 8_192  # of the journal, for a file whose header cannot be read
_SIZES = {1 << power for power in range(9, 16)}
_LEAF = 0x0D
_WAL_HEADER, _FRAME_HEADER = 32, 24
_HEX = set("0123456789abcdef")
# As in version 1 of the journal. A later version only adds columns, and rows stored before it have none of those.
_WRITE_COLUMNS, _ATTEMPT_COLUMNS, _REQUEST_COLUMNS = 20, 10, 14


@dataclass(slots=True)
class Salvaged:
    """Rows by the table whose shape they have: the rowid, and the columns as they are stored.

    A row can occur in several versions: `latest` holds those on the last version of each page, `earlier` those on
    versions that a later frame of the write-ahead log replaced.
    """

    latest: dict[str, list[tuple[int, Row]]] = field(default_factory=dict)
    earlier: dict[str, list[tuple[int, Row]]] = field(default_factory=dict)


def salvage(path: Path) -> Salvaged:
    """All rows in the file and in its write-ahead log that have the shape of one of the journal's rows."""
    found = Salvaged()
    data = path.read_bytes() if path.exists() else b""
    size = _page_size(data)
    pages = {number: data[(number - 1) * size : number * size] for number in range(1, math.ceil(len(data) / size) + 1)}
    log = path.with_name(path.name + "-wal")
    for number, page in _frames(log.read_bytes() if log.exists() else b"", size):
        if number in pages:
            _collect(pages, number, found.earlier)
        pages[number] = page
    for number in pages:
        _collect(pages, number, found.latest)
    return found


def _page_size(data: bytes) -> int:
    stated = int.from_bytes(data[16:18], "big")
    stated = 65_536 if stated == 1 else stated
    return stated if stated in _SIZES or stated == 65_536 else _PAGE_SIZE


def _frames(log: bytes, size: int) -> Iterator[tuple[int, bytes]]:
    """The pages in a write-ahead log, in the order of writing, also behind a damaged frame, where SQLite stops."""
    salts = log[16:24]
    for start in range(_WAL_HEADER, len(log) - _FRAME_HEADER - size + 1, _FRAME_HEADER + size):
        number = int.from_bytes(log[start : start + 4], "big")
        # Frames of an older use of the log have other salts: SQLite overwrites the log from its beginning and does not
        # clear it.
        if log[start + 8 : start + 16] == salts and 0 < number < 1 << 31:
            yield number, log[start + _FRAME_HEADER : start + _FRAME_HEADER + size]


def _collect(pages: dict[int, bytes], number: int, into: dict[str, list[tuple[int, Row]]]) -> None:
    for rowid, row in _rows(pages, number):
        table = _table_of(row)
        if table is not None:
            into.setdefault(table, []).append((rowid, row))


def _rows(pages: dict[int, bytes], number: int) -> Iterator[tuple[int, Row]]:
    """The rows of one leaf page; cells that cannot be read are left out."""
    page = pages[number]
    start = 100 if number == 1 else 0  # the first page begins with the file's header
    if len(page) < start + 8 or page[start] != _LEAF:
        return
    (count,) = struct.unpack_from(">H", page, start + 3)
    for index in range(min(count, (len(page) - start - 8) // 2)):
        (cell,) = struct.unpack_from(">H", page, start + 8 + 2 * index)
        try:
            yield _cell(pages, page, cell)
        except (ValueError, IndexError, KeyError, struct.error, OverflowError):
            continue  # damage in one cell says nothing about the others of the page


def _cell(pages: dict[int, bytes], page: bytes, at: int) -> tuple[int, Row]:
    length, at = _varint(page, at)
    rowid, at = _varint(page, at)
    usable = len(page)
    # The two formulas are those of the file format (section 1.6) for leaf cells of a table.
    most, least = usable - 35, (usable - 12) * 32 // 255 - 23
    if length <= most:
        record = page[at : at + length]
    else:
        local = least + (length - least) % (usable - 4)
        local = local if local <= most else least
        record = page[at : at + local] + _overflow(pages, page[at + local : at + local + 4], length - local)
    if len(record) != length or length == 0:
        raise ValueError("the row is shorter than its length says")
    return rowid, _record(record)


def _overflow(pages: dict[int, bytes], pointer: bytes, missing: int) -> bytes:
    parts: list[bytes] = []
    while missing > 0:
        page = pages[int.from_bytes(pointer, "big")]
        parts.append(page[4 : 4 + missing])
        # A damaged pointer may lead back to a page that was read before.
        if len(parts[-1]) == 0 or len(parts) > len(pages):
            raise ValueError("the overflow pages of the row end early or run in a circle")
        missing -= len(parts[-1])
        pointer = page[:4]
    return b"".join(parts)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = 0
    for _ in range(8):
        number = number << 7 | data[at] & 0x7F
        at += 1
        if data[at - 1] < 0x80:
            return number, at
    return number << 8 | data[at], at + 1


def _record(record: bytes) -> Row:
    end, at = _varint(record, 0)
    kinds: list[int] = []
    while at < end:
        kind, at = _varint(record, at)
        kinds.append(kind)
    values: list[Value] = []
    for kind in kinds:
        value, at = _value(record, at, kind)
        values.append(value)
    if at != len(record):
        raise ValueError("the row is longer or shorter than its columns")
    return tuple(values)


_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


def _value(record: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind in (0, 8, 9):
        return {0: None, 8: 0, 9: 1}[kind], at
    if kind == 7:
        return struct.unpack_from(">d", record, at)[0], at + 8
    width = _INTEGERS.get(kind, (kind - 12) // 2)
    part = record[at : at + width]
    if kind in (10, 11) or len(part) != width:
        raise ValueError("no such kind of value")
    if kind in _INTEGERS:
        return int.from_bytes(part, "big", signed=True), at + width
    return (part if kind % 2 == 0 else part.decode()), at + width


def _table_of(row: Row) -> str | None:
    """The table whose shape a row has. A later version of a table has more columns at its end."""
    for table, fits in _SHAPES.items():
        if fits(row):
            return table
    return None


def _is_write(row: Row) -> bool:
    return (
        len(row) >= _WRITE_COLUMNS
        and row[0] is None
        and row[2] in ("submit", "cancel")
        and isinstance(row[4], bytes)
        and isinstance(row[5], str)
        and len(row[5]) == 64
        and _HEX.issuperset(row[5])
        and row[6] in STATES
        and all(isinstance(row[column], str) for column in (1, 3, 7, 8))
    )


def _is_request(row: Row) -> bool:
    return (
        len(row) >= _REQUEST_COLUMNS
        and row[0] is None
        and all(isinstance(row[column], str) for column in (1, 2, 3, 4, 6, 7, 8))
        and isinstance(row[5], bytes)
        and len(str(row[6])) == 64
        and _HEX.issuperset(str(row[6]))
        and row[7] in REQUEST_STATES
    )


def _is_attempt(row: Row) -> bool:
    return len(row) >= _ATTEMPT_COLUMNS and row[0] is None and isinstance(row[1], int) and isinstance(row[2], str)


def _is_draft(row: Row) -> bool:
    return len(row) == 7 and all(isinstance(value, str) for value in row[:5]) and _is_json(row[2])


def _is_profile(row: Row) -> bool:
    return (
        len(row) >= 8
        and all(isinstance(value, str) for value in row[:8])
        and row[2] in ("practice", "test", "production")
        and _is_json(row[7])
    )


def _is_review(row: Row) -> bool:
    return (
        len(row) == 6
        and row[0] is None
        and isinstance(row[2], int)
        and all(isinstance(row[column], str) for column in (1, 3, 4, 5))
        and _is_json(row[4])
    )


def _is_setting(row: Row) -> bool:
    return len(row) == 2 and isinstance(row[0], str) and _is_json(row[1])


def _is_copied_change(row: Row) -> bool:
    return len(row) == 3 and row[0] in (REVIEW, TEMPLATES) and isinstance(row[1], str) and isinstance(row[2], int)


def _is_json(text: Any) -> bool:
    try:
        json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


_SHAPES = {
    "writes": _is_write,
    "requests": _is_request,
    "attempts": _is_attempt,
    "profiles": _is_profile,
    "drafts": _is_draft,
    "reviews": _is_review,
    "settings": _is_setting,
    "copied_changes": _is_copied_change,
}
