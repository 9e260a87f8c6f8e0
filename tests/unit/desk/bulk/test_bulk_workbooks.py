"""Workbooks that other programs wrote, and hostile ones: read by a process of their own."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from app.desk.bulk.files.file_tables import FileTrouble, ReadOptions, Table
from app.desk.bulk.files.read_file import read_file, read_file_now
from app.desk.bulk.files.workbook_reader import WorkbookReader
from app.desk.files.stoppable_work import Progress, Stopped
from tests.support.import_files import FIRST, SECOND, TITLES, mapped, said

ROWS = [FIRST.split(","), SECOND.split(",")]


def book(path: Path, *rows: Sequence[object], titles: str = TITLES) -> Path:
    made = openpyxl.Workbook()
    sheet = made.active
    assert isinstance(sheet, Worksheet)
    for row in ([*titles.split(",")], *rows):
        sheet.append(row)
    made.save(path)
    return path


def read(path: Path, options: ReadOptions | None = None) -> Table:
    return read_file_now(path, options or ReadOptions(), Progress())


def test_a_workbook_of_texts_is_read_as_it_is(tmp_path: Path) -> None:
    table = read(book(tmp_path / "a.xlsx", *ROWS))
    assert table.titles == tuple(TITLES.split(","))
    assert table.rows == [tuple(row) for row in ROWS]
    sheet, _ = mapped(table)
    assert all(order.issues == () for order in sheet.orders.values())


def test_numbers_dates_and_flags_keep_their_meaning(tmp_path: Path) -> None:
    titles = f"{TITLES},Delivery date,Ship date,PO"
    row = [*FIRST.split(",")[:8], 2, 84.5, date(2026, 12, 24), datetime(2026, 12, 1, 14, 30), 123456789012345]
    table = read(book(tmp_path / "a.xlsx", row, titles=titles))
    sheet, _ = mapped(table)
    draft = sheet.draft(0)
    assert (draft.freightDetails[0].count, draft.freightDetails[0].volume) == ("2", "84.5")
    assert (draft.requestedDeliveryDate, draft.shipDate) == ("2026-12-24", "2026-12-01")
    assert draft.poNumber == "123456789012345"
    assert set(said(sheet, 0)) == {"Ship date"}


def test_what_a_spreadsheet_did_to_texts_is_said(tmp_path: Path) -> None:
    row = ["R-1", "J. Rivera", "12 Beale Street", "Boston", "MA", 2144, 6175550199, date(2026, 3, 1), 2, 84.5, 9.2e19]
    table = read(book(tmp_path / "a.xlsx", row, titles=f"{TITLES},PO"))
    sheet, _ = mapped(table)
    issues = {sheet.titles[each.column]: (each.grade, each.proposal) for each in sheet.orders[0].issues}
    assert issues == {"ZIP": ("doubt", "02144"), "Commodity": ("wrong", ""), "PO": ("wrong", "")}


def test_a_sum_shows_the_digits_that_the_spreadsheet_shows(tmp_path: Path) -> None:
    row = [*FIRST.split(",")[:8], 2, 0.1 + 0.2]
    sheet, _ = mapped(read(book(tmp_path / "a.xlsx", row)))
    assert sheet.draft(0).freightDetails[0].volume == "0.3"


def test_the_sheet_with_the_orders_is_found_and_can_be_chosen(tmp_path: Path) -> None:
    made = openpyxl.Workbook()
    notes = made.active
    assert isinstance(notes, Worksheet)
    notes.title = "Notes"
    notes.append(["Read me first", "please"])
    notes.append(["and this", "too"])
    orders = made.create_sheet("Orders")
    for row in ([], ["Week 49"], TITLES.split(","), *ROWS):
        orders.append(row)
    made.create_sheet("Empty")
    made.save(tmp_path / "a.xlsx")
    table = read(tmp_path / "a.xlsx")
    assert (table.read_with.sheet, table.sheets) == ("Orders", ("Notes", "Orders", "Empty"))
    assert list(table.numbers) == [4, 5]
    assert read(tmp_path / "a.xlsx", ReadOptions(sheet="Notes")).titles == ("Read me first", "please")


@pytest.mark.parametrize(("place", "text"), [("O1", "Printed on Thursday"), ("O3", " ")])
def test_cells_right_of_the_table_are_no_part_of_it(tmp_path: Path, place: str, text: str) -> None:
    made = openpyxl.Workbook()
    sheet = made.active
    assert isinstance(sheet, Worksheet)
    for row in ([], TITLES.split(","), [*FIRST.split(",")[:8], 2, 84.5]):
        sheet.append(row)
    sheet[place] = text
    made.save(tmp_path / "a.xlsx")
    table = read(tmp_path / "a.xlsx")
    assert (table.titles, table.rows) == (tuple(TITLES.split(",")), [tuple(FIRST.split(","))])
    assert table.kinds == [b"ttttttttnn"]


def test_errors_of_the_spreadsheet_are_said(tmp_path: Path) -> None:
    row = [*FIRST.split(",")[:7], "#N/A", 2, 84.5, "#REF!", '=CONCATENATE("A", "B")']
    table = read(book(tmp_path / "a.xlsx", SECOND.split(","), row, titles=f"{TITLES},PO,Load"))
    sheet, _ = mapped(table)
    assert said(sheet, 1) == {
        "Commodity": ["The spreadsheet shows an error here: #N/A."],
        "PO": ["The spreadsheet shows an error here: #REF!."],
        "Load": ["This formula has no value yet. Open the file in a spreadsheet, save it, and drop it again."],
    }
    assert sheet.orders[0].issues == ()
    assert (table.kind_of(1, 7), table.kind_of(1, 0)) == ("error", "text")


@pytest.mark.parametrize(
    ("pattern", "put"),
    [
        (r"<(/?)(\w)|xmlns(?==)", lambda found: f"<{found[1]}x:{found[2]}" if found[2] else "xmlns:x"),
        (r'"', "'"),
        (r"<(f|v)>([#A][^<]+)<", r"<\1><![CDATA[\2]]><"),
        (r' r="[A-Z]*\d+"', ""),
        (r"<v\s*/>|<v></v>", '<v xml:space="preserve"> </v>'),
    ],
    ids=["a prefix", "single quotes", "CDATA", "without places", "a blank value"],
)
def test_errors_are_said_however_the_workbook_is_written(tmp_path: Path, pattern: str, put: Any) -> None:
    row = [*FIRST.split(",")[:7], "#N/A", 2, 84.5, "#REF!", "=A1&B1"]
    plain = book(tmp_path / "plain.xlsx", SECOND.split(","), row, titles=f"{TITLES},PO,Load")
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(tmp_path / "a.xlsx", "w") as target:
        for name in source.namelist():
            body = source.read(name)
            if name.endswith("sheet1.xml"):
                changed = re.sub(pattern, put, body.decode())
                assert changed != body.decode()
                body = changed.encode()
            target.writestr(name, body)
    table = read(tmp_path / "a.xlsx")
    assert table.rows == read(plain).rows
    assert [table.rows[1][column] for column in (7, 10, 11)] == ["#N/A", "#REF!", "#FORMULA?"]
    assert table.kind_of(1, 7) == "error"


@pytest.mark.parametrize("name", ["orders.csv", "orders.xls", "orders"])
def test_a_workbook_is_known_by_its_content(tmp_path: Path, name: str) -> None:
    book(tmp_path / "a.xlsx", *ROWS).rename(tmp_path / name)
    assert read(tmp_path / name).rows == [tuple(row) for row in ROWS]


@pytest.mark.parametrize("data", [b"<html><table><tr><td>R-1", b'\xef\xbb\xbf\r\n<?xml version="1.0"?><Workbook/>'])
def test_a_web_page_that_is_named_as_a_workbook_is_told(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "orders.xls").write_bytes(data)
    with pytest.raises(FileTrouble, match="web page"):
        read(tmp_path / "orders.xls")


# Hostile files


def packed(path: Path, **parts: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for name, data in parts.items():
            file.writestr(name.replace("__", "/") + ".xml", data)
    return path


def test_what_is_no_workbook_says_so(tmp_path: Path) -> None:
    for name, data in {
        "a.xlsx": b"PK\x03\x04 and nothing behind it",
        "b.xls": b"\xd0\xcf\x11\xe0" + bytes(2_000),
    }.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(FileTrouble, match=r"cannot be read|could not be read"):
            read(tmp_path / name)
    with pytest.raises(FileTrouble, match="cannot be read"):
        read(packed(tmp_path / "c.xlsx", hello=b"<a/>"))


@pytest.mark.slow
def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.xlsx", xl__worksheets__sheet1=bytes(401 << 20), xl__more=bytes(1 << 10))
    assert path.stat().st_size < 4 << 20
    with pytest.raises(FileTrouble, match="too large"):
        read(path)


def test_a_cell_at_the_far_end_of_the_sheet_is_no_end_of_the_program(tmp_path: Path) -> None:
    made = openpyxl.Workbook()
    sheet = made.active
    assert isinstance(sheet, Worksheet)
    sheet["A1"] = "Reference"
    sheet["XFD1048576"] = "x"
    made.save(tmp_path / "a.xlsx")
    with pytest.raises(FileTrouble, match=r"too large|rows"):
        read(tmp_path / "a.xlsx")


def test_a_reader_that_dies_or_says_nothing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = pytest.raises(FileTrouble, match="could not be read")
    with said, WorkbookReader(tmp_path, Progress(), [sys.executable, "-c", "raise SystemExit(3)"]) as dead:
        dead.sheets()
    monkeypatch.setattr("app.desk.bulk.files.workbook_reader._PATIENCE_S", 0.2)
    late = pytest.raises(FileTrouble, match="too long")
    with late, WorkbookReader(tmp_path, Progress(), [sys.executable, "-c", "input()"]) as silent:
        silent.sheets()


def test_reading_can_be_stopped(tmp_path: Path) -> None:
    progress = Progress()
    with WorkbookReader(tmp_path, progress, [sys.executable, "-c", "input()"]) as silent:
        progress.stop = True
        with pytest.raises(Stopped):
            silent.sheets()


# A process that has started another one, which holds its pipe still once the first was killed.
_HOLDS_ON = """
import subprocess, sys
held = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], stdin=subprocess.DEVNULL)
with open(sys.argv[1], "w") as file:
    file.write(str(held.pid))
sys.stdin.read()
"""


def test_reading_ends_though_the_pipe_of_the_killed_process_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.desk.bulk.files.workbook_reader._END_S", 0.2)
    progress, stopped, told = Progress(), threading.Event(), tmp_path / "pid"

    def read_on() -> None:
        with (
            suppress(Stopped),
            WorkbookReader(tmp_path, progress, [sys.executable, "-c", _HOLDS_ON, str(told)]) as reader,
        ):
            reader.sheets()
        stopped.set()

    threading.Thread(target=read_on, daemon=True).start()
    deadline = time.monotonic() + 60
    while not (told.exists() and told.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    progress.stop = True
    try:
        assert stopped.wait(60)
    finally:
        with suppress(OSError):  # on Windows it ends with the process that has started it
            os.kill(int(told.read_text()), signal.SIGTERM)


@pytest.mark.slow
@pytest.mark.asyncio
async def test_a_cancelled_reading_leaves_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *words: Any, **more: Any) -> None:
            super().__init__(*words, **more)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    path = book(tmp_path / "a.xlsx", *ROWS * 3_000)
    progress = Progress()
    task = asyncio.ensure_future(read_file(path, ReadOptions(), progress))
    while not started:  # noqa: ASYNC110  # the process is started on a thread of its own
        await asyncio.sleep(0.001)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert progress.stop
    assert [each.poll() is None for each in started] == [False]
