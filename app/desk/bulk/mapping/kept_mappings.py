"""Mappings that are kept in the journal: by the titles of a file, and by name; exported and imported as a file.

Invariant: what was found in one file says nothing about the next one. Of the encoding, the decimal sign and the order
of day and month only what a person chose is remembered, and it never counts against what a file tells by itself.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

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
_OPEN = {"decimal": "", "dates": ""}


async def mapping_for(desk: Desk, table: Table) -> Matched:
    """The mapping last used for a file with these titles, else one that the table suggests. Raises `StoreError`."""
    record = await desk.journal.read(import_setting_store.remembered, desk.profile.id, digest_of(table.titles))
    # Looks at every cell of the columns with numbers and dates, and at many of a wide file.
    if record is None:
        return await in_thread(partial(match_columns, table), Progress())
    # A record of an earlier version has no "chosen": its forms may have been found in the file or chosen by a person.
    record = {**record, **_OPEN, **_part(record, "chosen")}
    mapping = from_record(record, table.titles, str(record.get("name") or ""))
    return await in_thread(partial(applied, mapping, table), Progress())


def applied(mapping: ColumnMapping, table: Table) -> Matched:
    """A mapping of earlier files on this table: what it leaves open is found in the table."""
    found = find_forms(table, _where_not_told(mapping, table))
    return replace(found, findings=(Finding("columns", words.remembered(mapping.name)), *found.findings))


async def reading_for(desk: Desk, table: Table) -> ReadOptions | None:
    """How a person read the last file with these titles, where the same was guessed as for `table` and was wrong.

    Raises `StoreError`.
    """
    record = await desk.journal.read(import_setting_store.remembered, desk.profile.id, digest_of(table.titles))
    reading = _part(record, "reading")
    encoding = reading.get("encoding")
    if not table.guessed or reading.get("guessed") != table.guessed or encoding in (None, table.guessed):
        return None
    # No separator: a file that has these titles was parted as the last one.
    return ReadOptions(encoding=encoding)


async def remember(desk: Desk, table: Table, mapping: ColumnMapping) -> None:
    """Keep a mapping for files with these titles. Raises `StoreError`."""
    key = digest_of(table.titles)
    before = await desk.journal.read(import_setting_store.remembered, desk.profile.id, key)
    record = await in_thread(partial(_remembered, table, mapping, before), Progress())
    await desk.journal.write(import_setting_store.remember, desk.profile.id, key, record)


def _remembered(table: Table, mapping: ColumnMapping, before: Mapping[str, Any] | None) -> dict[str, Any]:
    """The record of a mapping, without what the table told by itself."""
    told, chosen_before = _told(mapping, table), _part(before, "chosen")
    # A choice for files that tell nothing stays while what others tell agrees with it.
    chosen = {
        name: getattr(mapping, name) if not told[name] or chosen_before.get(name) == told[name] else ""
        for name in _OPEN
    }
    reading: Mapping[str, Any] = {"encoding": table.read_with.encoding, "guessed": table.guessed}
    if not table.guessed:  # a file that proves its encoding says nothing about files whose encoding is guessed
        reading = _part(before, "reading")
    return {
        **to_record(mapping, table.titles), **_OPEN, "name": mapping.name, "chosen": chosen, "reading": dict(reading),
    }  # fmt: skip


def _told(mapping: ColumnMapping, table: Table) -> dict[str, str]:
    """How the table itself tells that its numbers and dates are written; empty texts where it leaves that open."""
    found = find_forms(table, replace(mapping, decimal="", dates="")).mapping
    return {"decimal": found.decimal, "dates": found.dates}


def _where_not_told(mapping: ColumnMapping, table: Table) -> ColumnMapping:
    """The mapping of another file, open where this table tells how its numbers or dates are written."""
    if not (mapping.decimal or mapping.dates):
        return mapping
    told = _told(mapping, table)
    return replace(
        mapping, decimal="" if told["decimal"] else mapping.decimal, dates="" if told["dates"] else mapping.dates
    )


def _part(record: Mapping[str, Any] | None, name: str) -> Mapping[str, Any]:
    part = None if record is None else record.get(name)
    return part if isinstance(part, Mapping) else {}


async def names(desk: Desk) -> tuple[str, ...]:
    """The names of the kept mappings. Raises `StoreError`."""
    return tuple(sorted(await desk.journal.read(import_setting_store.named, desk.profile.id)))


async def keep(desk: Desk, table: Table, mapping: ColumnMapping, name: str) -> None:
    """Keep a mapping under a name, in place of one of this name. Raises `StoreError`."""
    await desk.journal.write(import_setting_store.keep, desk.profile.id, name, to_record(mapping, table.titles))


async def load(desk: Desk, table: Table, name: str) -> ColumnMapping:
    """The named mapping, applied to the columns of this table. Raises `StoreError`, `KeyError` for an unknown name."""
    kept = await desk.journal.read(import_setting_store.named, desk.profile.id)
    mapping = from_record(kept[name], table.titles, name)
    return await in_thread(partial(_where_not_told, mapping, table), Progress())


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
    return _where_not_told(from_record(record, table.titles, str(record.get("name") or "")), table)


def digest_of(titles: Sequence[str]) -> str:
    """The key of files with the same titles, in whatever order the titles are. Columns of a receipt of ours do
    not count: a receipt that is dropped again is the same kind of file."""
    own = {letters(each) for each in words.RECEIPT_TITLES}
    return hashlib.sha256(
        "\n".join(sorted(each for title in titles if (each := letters(title)) not in own)).encode()
    ).hexdigest()
