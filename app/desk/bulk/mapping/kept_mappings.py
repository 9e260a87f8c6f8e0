"""Mappings that are kept in the journal: by the titles of a file, and by name; exported and imported as a file."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from app.desk.bulk import bulk_words as words
from app.desk.bulk.files.file_tables import FileTrouble, Finding, ReadOptions, Table
from app.desk.bulk.mapping.column_mapping import ColumnMapping, from_record, to_record
from app.desk.bulk.mapping.match_columns import Matched, find_forms, match_columns
from app.desk.bulk.order_fields import letters
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.files.whole_file import put_in_place, why_refused
from app.store.journal import import_setting_store

MAPPING_MARK = "waybill mapping"
_LARGEST = 1 << 20  # bytes


async def mapping_for(desk: Desk, table: Table) -> Matched:
    """The mapping last used for a file with these titles, else one that the table suggests. Raises `StoreError`."""
    record = await desk.journal.read(import_setting_store.remembered, desk.profile.id, digest_of(table.titles))
    # Looks at every cell of the columns with numbers and dates, and at many of a wide file.
    if record is None:
        return await in_thread(partial(match_columns, table), Progress())
    mapping = from_record(record, table.titles, str(record.get("name") or ""))
    return await in_thread(partial(applied, mapping, table), Progress())


def applied(mapping: ColumnMapping, table: Table) -> Matched:
    """A mapping of earlier files on this table: what it leaves open is found in the table."""
    found = find_forms(table, mapping)
    return replace(found, findings=(Finding("columns", words.remembered(mapping.name)), *found.findings))


async def reading_for(desk: Desk, table: Table) -> ReadOptions | None:
    """How a person read the last file with these titles, where that differs from `table`. Raises `StoreError`."""
    record = await desk.journal.read(import_setting_store.remembered, desk.profile.id, digest_of(table.titles))
    kept = {} if record is None else record.get("reading") or {}
    options = replace(table.read_with, **{name: kept[name] for name in ("encoding", "separator") if kept.get(name)})
    return None if options == table.read_with or table.source == "workbook" else options


async def remember(desk: Desk, table: Table, mapping: ColumnMapping) -> None:
    """Keep a mapping for files with these titles. Raises `StoreError`."""
    reading = {"encoding": table.read_with.encoding, "separator": table.read_with.separator}
    record = to_record(mapping, table.titles) | {"name": mapping.name, "reading": reading}
    await desk.journal.write(import_setting_store.remember, desk.profile.id, digest_of(table.titles), record)


async def names(desk: Desk) -> tuple[str, ...]:
    """The names of the kept mappings. Raises `StoreError`."""
    return tuple(sorted(await desk.journal.read(import_setting_store.named, desk.profile.id)))


async def keep(desk: Desk, table: Table, mapping: ColumnMapping, name: str) -> None:
    """Keep a mapping under a name, in place of one of this name. Raises `StoreError`."""
    await desk.journal.write(import_setting_store.keep, desk.profile.id, name, to_record(mapping, table.titles))


async def load(desk: Desk, table: Table, name: str) -> ColumnMapping:
    """The named mapping, applied to the columns of this table. Raises `StoreError`, `KeyError` for an unknown name."""
    kept = await desk.journal.read(import_setting_store.named, desk.profile.id)
    return from_record(kept[name], table.titles, name)


async def delete(desk: Desk, name: str) -> None:
    """Forget a named mapping. Raises `StoreError`."""
    await desk.journal.write(import_setting_store.delete, desk.profile.id, name)


def write_mapping_file(target: Path, table: Table, mapping: ColumnMapping, *, replace: bool) -> None:
    """Write a mapping as a file to hand on. Raises `ExportTrouble`. To be run on a thread."""
    record = {MAPPING_MARK: 1, "name": mapping.name, **to_record(mapping, table.titles)}
    text = json.dumps(record, ensure_ascii=False, indent=1)
    put_in_place(target, lambda path: path.write_text(text, encoding="utf-8"), replace=replace)


def read_mapping_file(path: Path, table: Table) -> ColumnMapping:
    """The mapping in a file, applied to the columns of this table. Raises `FileTrouble`. To be run on a thread."""
    try:
        if path.stat().st_size > _LARGEST:
            raise FileTrouble(words.NO_MAPPING_FILE)
        record = json.loads(path.read_bytes())
    except OSError as error:
        raise FileTrouble(words.file_unreadable(path.name, why_refused(error))) from error
    # A file of another program may be any JSON, also one that nests without end.
    except (ValueError, RecursionError) as error:
        raise FileTrouble(words.NO_MAPPING_FILE) from error
    if not isinstance(record, dict) or record.get(MAPPING_MARK) != 1:
        raise FileTrouble(words.NO_MAPPING_FILE)
    return from_record(record, table.titles, str(record.get("name") or ""))


def digest_of(titles: Sequence[str]) -> str:
    """The key of files with the same titles, in whatever order the titles are. Columns of a receipt of ours do
    not count: a receipt that is dropped again is the same kind of file."""
    own = {letters(each) for each in words.RECEIPT_TITLES}
    return hashlib.sha256(
        "\n".join(sorted(each for title in titles if (each := letters(title)) not in own)).encode()
    ).hexdigest()
