"""Exports hold every order once, each cell with its type; a file is whole in its place, or absent."""

import csv
import errno
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.utils.escape import unescape

from app.desk.desk import Desk
from app.desk.export import table_file
from app.desk.export.export_file import Exported, Job, export
from app.desk.export.spreadsheet_cells import Value, guarded
from app.desk.export.table_file import Kind
from app.desk.export.xlsx_file import Sheets, write_xlsx
from app.desk.files.stoppable_work import Progress, Stopped
from app.desk.files.whole_file import ExportTrouble
from app.store.cache import forget, order_query
from app.store.cache.order_cursor import Cursor, walk
from app.store.cache.order_rows import OrderLine, OrderQuery
from app.store.cache.schema.conditions import Clause
from tests.support.exported import COLUMNS, HOSTILE, store

TITLES = [each.title for each in COLUMNS]
pytestmark = pytest.mark.asyncio


def _query(desk: Desk, **query: Any) -> OrderQuery:
    return OrderQuery(desk.profile.id, sort="number", descending=False)._replace(**query)


def _job(desk: Desk, target: Path, kind: Kind = "xlsx", *, replace: bool = False, **query: Any) -> Job:
    return Job(_query(desk, **query), COLUMNS, kind, target, replace)


async def _exported(desk: Desk, target: Path, kind: Kind = "xlsx", **query: Any) -> Exported:
    progress = Progress()
    done = await export(desk, _job(desk, target, kind, **query), progress)
    assert progress.done == progress.total == done.rows
    assert _left_over(target) == []
    return done


def _cells(line: OrderLine) -> list[Value]:
    return [column.read(line) for column in COLUMNS]


async def _lines(desk: Desk, **query: Any) -> Sequence[OrderLine]:
    return await desk.reader.read(order_query.page_orders, _query(desk, **query), 10_000)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """A folder that a person chose."""
    (tmp_path / "chosen").mkdir()
    return tmp_path / "chosen" / "orders.xlsx"


def _left_over(target: Path) -> list[str]:
    return [each.name for each in target.parent.iterdir() if each.name.startswith(".waybill-")]


@pytest.fixture
def mine(target: Path) -> Path:
    """The same place, with something of the person's own in it."""
    target.write_text("mine")
    return target


def _is_mine(target: Path) -> bool:
    return target.read_text() == "mine" and not _left_over(target)


async def test_a_workbook_keeps_the_type_of_every_cell_and_no_text_runs(offline_desk: Desk, target: Path) -> None:
    await offline_desk.cache.write(store, offline_desk.profile.id, range(900))
    done = await _exported(offline_desk, target)
    assert done == Exported(target, 900)
    sheet = openpyxl.load_workbook(target)["Orders"]
    rows = list(sheet.iter_rows())
    assert [cell.value for cell in rows[0]] == TITLES
    assert sheet.freeze_panes == "A2"
    for cells, line in zip(rows[1:], await _lines(offline_desk), strict=True):
        expected = [line.number, line.crn, line.consignee_name, line.zip, line.imported_at, line.requested_delivery]
        assert [_read(cell.value) for cell in cells] == [*expected, "No" if line.number % 2 else "Yes"]
        assert [cell.data_type for cell in cells] == ["n", "s", "s", "s", "d", "d", "s"]
        assert cells[2].quotePrefix == (line.consignee_name in HOSTILE)
        assert cells[4].number_format == "yyyy-mm-dd hh:mm:ss"
        assert cells[5].number_format == "yyyy-mm-dd"


def _read(value: object) -> object:
    return unescape(value) if isinstance(value, str) else value


async def test_csv_is_guarded_and_exact_on_request(offline_desk: Desk, target: Path) -> None:
    await offline_desk.cache.write(store, offline_desk.profile.id, range(60))
    lines = await _lines(offline_desk)
    for kind, name in (("csv", guarded), ("csv exact", str)):
        path = target.with_name(f"{kind}.csv")
        await _exported(offline_desk, path, kind)  # type: ignore[arg-type]
        assert path.read_bytes().startswith(b"\xef\xbb\xbf")
        with path.open(encoding="utf-8-sig", newline="") as file:
            titles, *rows = csv.reader(file)
        assert titles == TITLES
        assert [row[2] for row in rows] == [name(line.consignee_name or "") for line in lines]
        assert rows[7][3:] == ["00007", "2026-11-24 13:55:10", "2026-12-01", "No"]


async def test_filter_and_sort_of_the_query_hold(offline_desk: Desk, target: Path) -> None:
    await offline_desk.cache.write(store, offline_desk.profile.id, range(300))
    query = {"text": "renée", "sort": "imported_at", "descending": True}
    done = await _exported(offline_desk, target.with_suffix(".csv"), "csv", **query)
    with done.target.open(encoding="utf-8-sig", newline="") as file:
        numbers = [int(row[0]) for row in list(csv.reader(file))[1:]]
    assert numbers == [line.number for line in await _lines(offline_desk, **query)]
    assert 0 < len(numbers) < 300


async def test_conditions_and_all_lists_at_once_hold(offline_desk: Desk, target: Path) -> None:
    profile = offline_desk.profile.id
    await offline_desk.cache.write(store, profile, range(200))
    await offline_desk.cache.write(store, profile, range(200, 300), "completed")
    clauses = (Clause("zip", ("0012", "0025")),)
    done = await _exported(offline_desk, target, list=None, clauses=clauses, sort="zip")
    rows = list(openpyxl.load_workbook(target).active.iter_rows(min_row=2, values_only=True))
    assert [row[0] for row in rows] == [*range(120, 130), *range(250, 260)]
    assert done.rows == 20


async def test_nothing_found_is_a_table_of_titles(offline_desk: Desk, target: Path) -> None:
    assert (await _exported(offline_desk, target, text="nobody")).rows == 0
    assert [cell.value for cell in next(openpyxl.load_workbook(target).active.iter_rows())] == TITLES


async def test_orders_that_move_or_go_or_come_meanwhile(offline_desk: Desk) -> None:
    """Each that was there at the start comes once, from whatever list it is on by then; none that came later does."""
    desk, profile = offline_desk, offline_desk.profile.id
    await desk.cache.write(store, profile, range(1_000))

    def read(found: Cursor) -> tuple[list[OrderLine], int]:
        seen = []
        for at, line in enumerate(found.lines()):
            seen.append(line)
            if at == 150:
                desk.cache.write_now(store, profile, range(0, 500, 2), "completed")
                desk.cache.write_now(store, profile, range(5_000, 5_100))
            if at == 650:
                desk.cache.write_now(forget.forget_profile, profile)
        return seen, found.gone

    seen, gone = desk.reader.read_separately_now(walk, _query(desk, sort="imported_at"), read)
    last = 999 - len(seen)
    assert [line.number for line in seen] == list(range(999, last, -1))
    assert 100 < gone == 1_000 - len(seen) < 350
    assert {line.number for line in seen if line.list == "completed"} == {*range(0, 500, 2)} & {*range(last + 1, 500)}


async def test_stopping_leaves_nothing_behind(offline_desk: Desk, target: Path) -> None:
    await offline_desk.cache.write(store, offline_desk.profile.id, range(900))
    kinds: tuple[Kind, ...] = ("xlsx", "csv")
    for kind in kinds:
        progress = Progress(stop=True)
        with pytest.raises(Stopped):
            await export(offline_desk, _job(offline_desk, target, kind), progress)
    assert list(target.parent.iterdir()) == []


async def test_a_file_that_is_there_is_replaced_only_when_that_was_said(offline_desk: Desk, mine: Path) -> None:
    with pytest.raises(ExportTrouble, match="was left as it is"):
        await export(offline_desk, _job(offline_desk, mine), Progress())
    assert _is_mine(mine)
    await export(offline_desk, _job(offline_desk, mine, replace=True), Progress())
    assert openpyxl.load_workbook(mine).sheetnames == ["Orders"]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "the disk is full"),
        (PermissionError(errno.EACCES, "Permission denied"), "another program has the file open"),
        (OSError(errno.EIO, "Input/output error"), "Input/output error"),
    ],
)
async def test_a_disk_that_refuses_is_told_and_the_target_is_as_it_was(
    offline_desk: Desk, mine: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, words: str
) -> None:
    def refuse(*_args: object, **_kwargs: object) -> Sheets:
        raise error

    monkeypatch.setattr(table_file, "write_xlsx", refuse)
    with pytest.raises(ExportTrouble, match=words):
        await export(offline_desk, _job(offline_desk, mine, replace=True), Progress())
    assert _is_mine(mine)


async def test_a_folder_that_is_gone_is_told(offline_desk: Desk, target: Path) -> None:
    with pytest.raises(ExportTrouble, match="the folder is not there"):
        await export(offline_desk, _job(offline_desk, target.parent / "gone" / "a.xlsx"), Progress())


async def test_more_rows_than_a_sheet_holds_go_on_in_the_next(target: Path) -> None:
    rows: list[list[Value]] = [[at, f"row {at}"] for at in range(25)]
    made = write_xlsx(target, ["n", "t"], [8, 8], rows, scratch=target.parent, most=11)
    book = openpyxl.load_workbook(target)
    assert made == Sheets(3, 0)
    assert book.sheetnames == ["Orders", "Orders 2", "Orders 3"]
    found = [[cell.value for cell in row] for name in book.sheetnames for row in list(book[name].iter_rows())[1:]]
    assert found == rows
    assert all(book[name]["A1"].value == "n" for name in book.sheetnames)


async def test_what_no_cell_holds_is_kept_as_text_or_said(target: Path) -> None:
    rows: list[list[Value]] = [["x" * 40_000, 10**17 + 1, datetime(1731, 1, 1), "\x01\x1f", None, ""]]
    made = write_xlsx(target, list("abcdef"), [8] * 6, rows, scratch=target.parent)
    assert made.cut == 1
    cells = list(openpyxl.load_workbook(target).active.iter_rows())[1]
    assert [cell.value for cell in cells[:3]] == ["x" * 32_767, str(10**17 + 1), "1731-01-01"]


async def test_a_failing_write_of_the_workbook_closes_what_it_opened(target: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        write_xlsx(target.parent / "gone" / "a.xlsx", ["a"], [8], [["x"]], scratch=target.parent)
