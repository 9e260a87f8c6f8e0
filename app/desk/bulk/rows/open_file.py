"""The file that is open on the Import page, as the journal keeps it: so its corrections, and the orders that a person
left out, outlive a crash and a restart.

Invariant: both are put back only into the very file they were made in, told by its digest. A file that has changed
since is to keep none of them. A decision to send an order all the same is not kept: it was about what was known then.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.desk.bulk.files.file_tables import ReadOptions, Table
from app.desk.bulk.mapping.column_mapping import ColumnMapping, from_record, to_record
from app.desk.bulk.order_fields import BY_PATH
from app.desk.bulk.rows.import_sheet import Edit, ImportSheet, Place
from app.desk.desk import Desk
from app.store.journal import import_setting_store

_OPTIONS = ("encoding", "separator", "sheet", "header_row")


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file with corrections, which are `cells`, and the keys of orders that are left out. `path` is None for a pasted
    text; that is in `text` then."""

    name: str
    path: Path | None
    text: str
    digest: str
    options: ReadOptions
    record: dict[str, Any]
    cells: tuple[tuple[int, int, str], ...]
    added: tuple[tuple[str, str, int], ...]
    left_out: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """How many cells are corrected."""
        return len(self.cells)


def open_file(
    sheet: ImportSheet, places: Iterable[Place], left_out: Iterable[int], path: Path | None, text: str
) -> OpenFile:
    """The file as it stands, with the corrections at these places, and without the orders with these keys."""
    table, width = sheet.table, len(sheet.table.titles)
    uses = sheet.mapping.columns[width:]
    added = tuple((title, use.path, use.group) for title, use in zip(sheet.titles[width:], uses, strict=True))
    # A column that was added and dropped again has no cells any more.
    cells = tuple((row, column, sheet.cell(row, column)) for row, column in places if column < len(sheet.titles))
    record = to_record(sheet.mapping, sheet.titles)
    return OpenFile(table.name, path, text, table.digest, table.read_with, record, cells, added, tuple(left_out))


async def keep(desk: Desk, opened: OpenFile) -> None:
    """Keep an open file of the desk's connection, in place of the same file as it stood. Raises `StoreError`."""
    data = {
        "name": opened.name,
        "path": None if opened.path is None else str(opened.path),
        "text": opened.text,
        "digest": opened.digest,
        "options": {name: getattr(opened.options, name) for name in _OPTIONS},
        "mapping": opened.record,
        "cells": [list(each) for each in opened.cells],
        "added": [list(each) for each in opened.added],
        "left_out": list(opened.left_out),
    }
    await desk.journal.write(import_setting_store.put_open_file, desk.profile.id, opened.digest, data)


async def forget(desk: Desk, digest: str) -> None:
    """The file with this digest is not open any more. Raises `StoreError`."""
    await desk.journal.write(import_setting_store.put_open_file, desk.profile.id, digest, None)


async def kept(desk: Desk, digest: str | None = None) -> OpenFile | None:
    """The file with this digest, or the one that was worked on last, if it is still open; None if there is none.

    Raises `StoreError`.
    """
    found = await desk.journal.read(import_setting_store.open_files, desk.profile.id)
    wanted = (each for each in found if digest in (None, each.get("digest")))
    data = next(wanted, None)
    if data is None:
        return None
    path, options = data.get("path"), data.get("options") or {}
    return OpenFile(
        str(data.get("name", "")),
        None if path is None else Path(path),
        str(data.get("text", "")),
        str(data.get("digest", "")),
        ReadOptions(**{name: options.get(name) for name in _OPTIONS}),
        dict(data.get("mapping") or {}),
        tuple((int(row), int(column), str(text)) for row, column, text in data.get("cells") or ()),
        tuple((str(t), str(p), int(g)) for t, p, g in data.get("added") or () if p in BY_PATH),
        tuple(int(key) for key in data.get("left_out") or ()),
    )


def mapping_of(opened: OpenFile, table: Table) -> ColumnMapping:
    """The mapping of an open file, for the columns of the file itself."""
    return from_record(opened.record, table.titles)


def corrections(opened: OpenFile, sheet: ImportSheet) -> Edit:
    """The corrections as one change of the sheet, which was just read and checked."""
    width = len(sheet.titles)
    # The digest says that it is the same file; a record that was damaged must still not lead outside of the sheet.
    after = {(row, column): text for row, column, text in opened.cells if row < len(sheet)}
    before = {place: sheet.cell(*place) if place[1] < width else "" for place in after}
    return Edit(before, after, opened.added)
