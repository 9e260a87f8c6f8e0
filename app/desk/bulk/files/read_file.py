"""Reads a file, or pasted text, into a `Table`, away from the window's thread.

A workbook is read by a process of its own (`workbook_process`), which may use only so much memory and time: a file from
outside can be a bomb. A text file is read on a thread.
"""

import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app.desk.bulk import bulk_words as words
from app.desk.bulk.files import text_files
from app.desk.bulk.files.file_tables import (
    MOST_CELL,
    MOST_COLUMNS,
    MOST_ROWS,
    NO_HEADER,
    FileTrouble,
    Finding,
    ReadOptions,
    RowNote,
    Source,
    Table,
)
from app.desk.bulk.files.title_row import LOOKED_AT, TitleRow, find_titles, unique_titles
from app.desk.bulk.files.workbook_process import Lost, SheetHead
from app.desk.bulk.files.workbook_reader import Rows, WorkbookReader
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.files.whole_file import why_refused

WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".ods")
TEXTS = (".csv", ".tsv", ".tab", ".txt")
SUFFIXES = (*TEXTS, *WORKBOOKS)
_LARGEST = 256 << 20  # bytes
_LARGEST_AREA = 40_000_000  # cells
_PACKED, _OLD = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"  # how workbooks begin
# Some programs name a web page, or a workbook of 2003 in XML, as a workbook.
_MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|\?xml|table|head|meta)", re.IGNORECASE)
_HEAD = 1_024  # bytes
_USUAL = 0.95  # of the rows are complete: then the others end early

_Found = tuple[list[tuple[list[str], bytes]], list[int]]


async def read_file(path: Path, options: ReadOptions, progress: Progress) -> Table:
    """The table in a file. Raises `FileTrouble` or `Stopped`."""
    return await in_thread(lambda: read_file_now(path, options, progress), progress)


async def read_pasted(text: str, options: ReadOptions, progress: Progress) -> Table:
    """The table in a text from the clipboard. Raises `FileTrouble` or `Stopped`."""
    return await in_thread(
        lambda: _of_text(words.PASTED, "pasted", text.encode("utf-8", "replace"), options, progress), progress
    )


def read_file_now(path: Path, options: ReadOptions, progress: Progress) -> Table:
    """`read_file` for callers on a thread of their own; blocks."""
    try:
        with path.open("rb") as file:
            # Of the opened file: on Windows a folder, which cannot be opened, has a size, and it is none.
            size = os.fstat(file.fileno()).st_size
            if size > _LARGEST:
                raise FileTrouble(words.file_too_large(path.name))
            if size == 0:
                raise FileTrouble(words.file_empty(path.name))
            begin = file.read(4)
            file.seek(0)
            if begin in (_PACKED, _OLD):
                digest = hashlib.file_digest(file, "sha256").hexdigest()
                file.close()  # before another process opens it: some systems let one at a time
                return _of_workbook(path, digest, options, progress)
            return _of_text(path.name, "text", file.read(), options, progress)
    except OSError as error:
        raise FileTrouble(words.file_unreadable(path.name, why_refused(error))) from error


def _of_text(name: str, source: Source, data: bytes, options: ReadOptions, progress: Progress) -> Table:
    if _MARKUP.match(data[:_HEAD]):
        raise FileTrouble(words.file_is_markup(name))
    encoding, sure = text_files.find_encoding(data)
    guessed = "" if sure else encoding
    if options.encoding is not None:
        encoding, sure = options.encoding, True
    text = text_files.decode(data, encoding)
    findings = [Finding("encoding", words.encoding_found(_called(encoding), sure=sure), sure)]
    separator, sure = text_files.find_separator(text)
    if options.separator is not None:
        separator, sure = options.separator, True
    findings.append(Finding("separator", words.separator_found(_sign(separator), sure=sure), sure))
    found = text_files.split(text, separator, progress)
    rows = [(row, b"") for row in found.rows]
    used = ReadOptions(encoding, separator, None, options.header_row)
    notes = {each.row: RowNote(each.column, each.sentence) for each in found.broken}
    table = Table(name, source, hashlib.sha256(data).hexdigest(), (), [], [], [], used, guessed)
    return _finished(table, (rows, found.lines), notes, findings, progress)


def _of_workbook(path: Path, digest: str, options: ReadOptions, progress: Progress) -> Table:
    with WorkbookReader(path, progress) as reader:
        sheets = reader.sheets()
        place, sure = _choose_sheet(sheets, options.sheet)
        sheet = sheets[place]
        # Before any row is read: the size of a sheet stands at its head.
        if sheet.height * sheet.width > _LARGEST_AREA or sheet.height > MOST_ROWS + LOOKED_AT:
            raise FileTrouble(words.too_many_rows(sheet.height))
        rows: Rows = []
        progress.total = sheet.height
        for block in reader.blocks(place):
            rows += block
            progress.done = len(rows)
        lost = reader.lost()
    _put_lost(rows, lost)
    findings = (
        [Finding("sheet", words.sheet_found(sheet.name, len(sheets), sure=sure), sure)] if len(sheets) > 1 else []
    )
    if lost.somewhere:
        findings.append(Finding("rows", words.errors_somewhere(lost.somewhere), sure=False))
    used = ReadOptions(None, None, sheet.name, options.header_row)
    names = tuple(each.name for each in sheets)
    table = Table(path.name, "workbook", digest, (), [], [], [], used, sheets=names)
    numbers = list(range(sheet.first + 1, sheet.first + 1 + len(rows)))
    return _finished(table, (rows, numbers), {}, findings, progress)


def _put_lost(rows: Rows, lost: Lost) -> None:
    """Put the texts of errors where the reader left blanks."""
    for row, column, text in lost.cells:
        if 0 <= row < len(rows) and 0 <= column < len(rows[row][0]) and not rows[row][0][column].strip():
            texts, kinds = rows[row]
            texts[column] = text
            marked = bytearray(kinds.ljust(len(texts), b"t"))
            marked[column] = ord("e")
            rows[row] = (texts, bytes(marked))


def _choose_sheet(sheets: Sequence[SheetHead], wanted: str | None) -> tuple[int, bool]:
    """The sheet to read, and whether that is certain: the visible one whose titles name most fields."""
    if not any(each.height for each in sheets):
        raise FileTrouble(words.NO_ROWS)
    if wanted is not None:
        for place, each in enumerate(sheets):
            if each.name == wanted:
                return place, True
    scores = [
        # By the place last, turned round: of equal sheets the first is the largest.
        (each.visible, find_titles([row for row, _ in each.rows]).known, each.height > 1, -place)
        for place, each in enumerate(sheets)
    ]
    best = max(scores)
    others = [each for each in scores if each != best and each[0] and each[2]]
    return -best[3], all(each[1] < best[1] for each in others)


def _finished(
    table: Table, found: _Found, notes: dict[int, RowNote], findings: list[Finding], progress: Progress
) -> Table:
    """The table of these rows: titles found, rows of one width, blank ones left out."""
    rows = found[0]
    head = [texts for texts, _ in rows[:LOOKED_AT]]
    titles, given = find_titles(head), table.read_with.header_row
    if given is not None:
        titles = TitleRow(min(given, len(rows) - 1), 0, sure=True)
    begin = titles.place + 1 if titles.place != NO_HEADER else 0
    body = [place for place in range(begin, len(rows)) if any(map(str.strip, rows[place][0]))]
    if not body:
        raise FileTrouble(words.NO_ROWS)
    if len(body) > MOST_ROWS:
        raise FileTrouble(words.too_many_rows(len(body)))
    named = head[titles.place] if titles.place != NO_HEADER else []
    table.titles = unique_titles(named, _width(rows, body, named))
    table.above = tuple(tuple(each) for each in head)
    table.read_with = replace(table.read_with, header_row=titles.place)
    _fill(table, found, body, progress)
    _note_rows(table, found, body, len(_trimmed(named)), notes)
    findings.append(Finding("header", words.header_found(_number(found, titles), sure=titles.sure), titles.sure))
    table.findings = tuple(findings)
    return table


def _number(found: _Found, titles: TitleRow) -> int | None:
    """The number of the row of titles as a spreadsheet shows it; None without titles."""
    return None if titles.place == NO_HEADER else found[1][titles.place]


def _width(rows: Sequence[tuple[list[str], bytes]], body: Sequence[int], named: Sequence[str]) -> int:
    width = max(len(_trimmed(named)), *(len(_trimmed(rows[place][0])) for place in body))
    if width > MOST_COLUMNS:
        raise FileTrouble(words.too_many_columns(width))
    return width


def _trimmed(row: Sequence[str]) -> Sequence[str]:
    end = len(row)
    while end and not row[end - 1].strip():
        end -= 1
    return row[:end]


def _fill(table: Table, found: _Found, body: Sequence[int], progress: Progress) -> None:
    """Put the rows into the table; cells of a column that are often the same are kept once."""
    rows, numbers = found
    width = len(table.titles)
    known: dict[str, str] = {}
    for count, place in enumerate(body):
        if not count % 50:
            progress.checkpoint()
            if len(known) > 200_000:
                known.clear()
        texts, kinds = rows[place]
        texts = texts[:width] if len(texts) >= width else texts + [""] * (width - len(texts))
        table.rows.append(tuple([known.setdefault(each, each) for each in texts]))
        table.kinds.append(kinds[:width])  # cells beyond the titles, such as blanks of a workbook, are left out
    table.numbers = [numbers[place] for place in body]


def _note_rows(table: Table, found: _Found, body: Sequence[int], titled: int, notes: dict[int, RowNote]) -> None:
    """Note the rows that are longer than the titles, or shorter than nearly all others."""
    rows = found[0]
    places = {place: row for row, place in enumerate(body)}
    table.notes = {places[place]: note for place, note in notes.items() if place in places}
    if table.source == "workbook":
        lengths = [len(_trimmed(rows[place][0])) for place in body]
    else:
        lengths = [
            len(rows[place][0]) if len(rows[place][0]) < titled else len(_trimmed(rows[place][0])) for place in body
        ]
    complete = sum(1 for each in lengths if each >= titled) >= _USUAL * len(lengths)
    for row, length in enumerate(lengths):
        if titled and length > titled:
            table.notes.setdefault(row, RowNote(titled, words.row_too_long(length, titled)))
        elif table.source == "text" and complete and length < titled:
            table.notes.setdefault(row, RowNote(length, words.row_too_short(length, titled), "doubt"))
    for row, texts in enumerate(table.rows):
        if max(map(len, texts)) > MOST_CELL:
            column = next(at for at, text in enumerate(texts) if len(text) > MOST_CELL)
            table.notes.setdefault(row, RowNote(column, words.CELL_TOO_LONG))


def _called(encoding: str) -> str:
    return text_files.ENCODINGS.get(encoding, encoding)


def _sign(separator: str) -> str:
    return text_files.SEPARATORS.get(separator, f"“{separator}”")
