"""Columns of raw fields: read while shown, copied and exported with their types, sorted by."""

import csv
import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from app.desk.desk import Desk
from app.desk.export.export_file import Job, export
from app.desk.export.export_rows import ExportColumn
from app.desk.files.stoppable_work import Progress
from app.store.cache import order_store
from app.store.cache.index import prepared_sort
from app.store.cache.order_rows import OrderFacts, OrderLine
from app.store.cache.schema.raw_fields import RAW_FIELDS, RawValue
from app.ui.base.page import PageServices
from app.ui.orders import orders_page
from app.ui.orders.export import order_export
from app.ui.orders.orders_page import OrdersPage
from app.ui.orders.table.arrangement import default_arrangement
from app.ui.orders.table.column_list import ALL_COLUMNS, BY_NAME
from app.ui.orders.table.raw_columns import RAW_COLUMNS, raw_fields_among
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import choose, fill, idle, numbers, order, selected, shown

NOTED = datetime(2026, 3, 2, 9, 30)


def whole(number: int, **members: Any) -> OrderFacts:
    """An order whose text holds these members too."""
    made = order(number)
    made.raw = json.dumps({"OrderNumber": number, **members})
    return made


def contact(number: int) -> dict[str, Any]:
    return {"Id": f"C-{number}", "Name": "Blue Ridge", "Phone": f"901-555-{9_999 - number:04}",
            "Address": {"StreetAddress1": "1 Main", "StreetAddress2": "Dock 4", "City": "Mobile"}}  # fmt: skip


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk) -> OrdersPage:
    made = OrdersPage(services)
    orders = [whole(number, Carrier=contact(number)) for number in range(4, 301)]
    notes = [{"Text": "Gate code\n=4711", "CreatedDate": NOTED.isoformat()}, {"Text": "Before"}]
    lines = [{"CommodityCode": "SOFA", "Description": "Sofa", "Count": 2}, {"CommodityCode": "CHAIR", "Count": 6}]
    orders += [
        whole(1, Notes=notes, Commodities=lines, ProofOfDelivery=[{"Filename": "a.pdf", "Folder": "POD"}]),
        whole(2, Notes=[], Commodities=[], ProofOfDelivery=[]),
        whole(3),
    ]
    fill(loop, offline_desk, orders)
    show(made)
    shown(loop, made, offline_desk)
    return made


def put(loop: RunningLoop, page: OrdersPage, *names: str) -> None:
    """Show these columns."""
    page.columns.put(default_arrangement(names))
    loop.until(lambda: idle(page))


def cell(page: OrdersPage, number: int, name: str, role: Qt.ItemDataRole = Qt.ItemDataRole.DisplayRole) -> Any:
    row = page.model.row_of(number)
    assert row is not None
    at = [each.name for each in page.model.columns].index(name)
    return page.model.index(row, at).data(role)


def test_each_raw_field_has_one_column_and_each_raw_column_a_raw_field() -> None:
    assert sorted(each.name for each in RAW_COLUMNS) == sorted(RAW_FIELDS)


def test_a_raw_column_of_numbers_or_moments_is_copied_as_such(page: OrdersPage) -> None:
    values: dict[str, RawValue] = {"text": "x", "number": 3, "moment": NOTED}
    line = page.model.line(0)
    assert isinstance(line, OrderLine)
    told = line._replace(raw_fields={name: values[field.kind] for name, field in RAW_FIELDS.items()})
    assert {each.name: each.copied(told) for each in RAW_COLUMNS} == told.raw_fields


def test_each_column_of_the_table_orders_names_a_field_of_it() -> None:
    computed = {"state", "list", "late", "why"}
    fields = {*OrderLine._fields, *computed, *RAW_FIELDS}
    assert [each.name for each in ALL_COLUMNS if each.name not in fields] == []


def test_what_a_column_needs_is_read_once_it_is_shown(loop: RunningLoop, page: OrdersPage) -> None:
    choose(loop, page, 290)
    assert page.query.raw_fields == ()
    put(loop, page, "number", "carrier_phone", "carrier_street", "consignee_email")
    assert cell(page, 290, "carrier_phone") == "901-555-9709"
    assert cell(page, 290, "carrier_street") == "1 Main, Dock 4"
    assert cell(page, 290, "consignee_email") == ""
    assert selected(page) == [290]
    page.table.scrollToBottom()
    loop.until(lambda: page.model.row_of(4) is not None and cell(page, 4, "carrier_phone") == "901-555-9995")
    put(loop, page, "number", "city")
    assert page.model.columnCount() == 2


def test_what_is_not_known_yet_looks_otherwise_than_none(loop: RunningLoop, page: OrdersPage) -> None:
    names = ("number", "note", "note_at", "note_count", "commodities", "pieces", "files", "pod_at", "folders", "pos")
    put(loop, page, *names)
    page.filter.setText("number:1,2,3")
    loop.until(lambda: idle(page) and numbers(page) == [3, 2, 1])
    assert [cell(page, 1, name) for name in names[1:5]] == [
        "Gate code\n=4711",
        "2 Mar 2026",
        "2",
        "SOFA × 2, CHAIR × 6",
    ]
    assert [cell(page, 1, name) for name in names[5:]] == ["8", "a.pdf", "None", "POD", "–"]
    assert [cell(page, 2, name) for name in names[1:9]] == ["None", "None", "0", "None", "0", "None", "None", "None"]
    assert {cell(page, 3, name) for name in names[1:]} == {"–"}
    tip = cell(page, 3, "note", Qt.ItemDataRole.ToolTipRole)
    assert "Not known yet. It comes when the order is opened." in tip
    assert "Not known yet" in cell(page, 3, "note", Qt.ItemDataRole.AccessibleTextRole)
    assert "CHAIR × 6" in cell(page, 1, "commodities", Qt.ItemDataRole.ToolTipRole)
    line = page.model.line(page.model.row_of(3) or 0)
    assert isinstance(line, OrderLine)
    assert {BY_NAME[name].ink(line) for name in names[1:]} == {"ink_soft"}


def test_names_of_files_are_shown_copied_and_exported_decoded(loop: RunningLoop, page: OrdersPage) -> None:
    put(loop, page, "number", "files")
    line = page.model.line(0)
    assert isinstance(line, OrderLine)
    told = line._replace(raw_fields={"files": "proof%20of%20delivery.pdf\n5% off.pdf"})
    files = BY_NAME["files"]
    assert files.text(told) == "proof of delivery.pdf, 5% off.pdf"
    assert files.in_words(told).split("\n") == ["proof of delivery.pdf", "5% off.pdf"]
    assert files.copied(told) == "proof of delivery.pdf\n5% off.pdf"


def test_copies_and_files_hold_the_values_with_their_types(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk, tmp_path: Any
) -> None:
    put(loop, page, "number", "note", "note_at", "note_count", "pieces", "carrier_phone")
    page.filter.setText("number:1,2,3,9")
    loop.until(lambda: idle(page) and numbers(page) == [9, 3, 2, 1])
    page.table.selectAll()
    page.row_actions.copy_table()
    clipboard = QGuiApplication.clipboard()
    loop.until(lambda: "Gate code" in clipboard.text())
    rows = list(csv.reader(clipboard.text().splitlines(keepends=True), delimiter="\t"))
    assert rows[0] == ["Number", "Latest note", "Latest note on", "Notes", "Pieces", "Carrier phone"]
    assert rows[1:3] == [["9", "", "", "", "", "901-555-9990"], ["3", "", "", "", "", ""]]
    assert rows[3] == ["2", "None", "", "0", "0", ""]
    assert rows[4][2:5] == ["2026-03-02 09:30:00", "2", "8"]
    page.row_actions.copy_text()
    loop.until(lambda: clipboard.text().startswith("Number: 9"))
    assert "Not known" not in clipboard.text()
    assert "–" not in clipboard.text()
    columns = [each.copied for each in page.model.columns]
    lines = {line.number: line for _, line in page.model.loaded_rows()}
    assert [read(lines[1]) for read in columns][2:5] == [NOTED, 2, 8]
    assert [read(lines[3]) for read in columns][1:5] == [None] * 4


def test_an_export_reads_what_its_columns_need(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs: list[Any] = []
    monkeypatch.setattr(order_export, "export_job", lambda _desk, wanted, _now: jobs.append(wanted))
    monkeypatch.setattr(type(page.export_strip()), "begin", lambda _self, _job: None)
    put(loop, page, "number", "carrier_phone", "pieces")
    page.export_all()
    (wanted,) = jobs
    target = tmp_path / "orders.csv"
    loop.run(export(offline_desk, Job(wanted.query, wanted.columns, "csv", target), Progress()))
    rows = list(csv.reader(target.read_text(encoding="utf-8-sig").splitlines()))
    assert rows[0] == ["Number", "Carrier phone", "Pieces"]
    assert ["1", "", "8"] in rows
    assert ["300", "901-555-9699", ""] in rows
    assert len(rows) == 301


def test_a_workbook_of_all_columns_keeps_their_types(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk, tmp_path: Path
) -> None:
    columns = [ExportColumn(each.title, each.copied) for each in ALL_COLUMNS]
    query = page.query._replace(raw_fields=raw_fields_among(BY_NAME), sort="number", descending=False)
    target = tmp_path / "orders.xlsx"
    loop.run(export(offline_desk, Job(query, columns, "xlsx", target), Progress()))
    titles, *rows = openpyxl.load_workbook(target).active.iter_rows()
    assert [cell.value for cell in titles] == [each.title for each in ALL_COLUMNS]
    first, second, third = ({each.name: cell for each, cell in zip(ALL_COLUMNS, row, strict=True)} for row in rows[:3])
    assert [first[name].data_type for name in ("note_count", "pieces", "note_at", "note", "commodities")] == [*"nndss"]
    assert (first["note_at"].value, first["pieces"].value, second["pieces"].value) == (NOTED, 8, 0)
    assert first["commodities"].value == "SOFA × 2\nCHAIR × 6"
    assert [second[name].value for name in ("note", "note_at", "files")] == ["None", None, "None"]
    assert {third[name].value for name in ("note", "note_at", "note_count", "commodities", "files", "pos")} == {None}


def test_any_column_sorts_and_the_rows_follow(loop: RunningLoop, page: OrdersPage) -> None:
    put(loop, page, "number", "carrier_phone")
    for each in ALL_COLUMNS:
        if each.name in ("list", "why"):
            continue
        page.sort_by(each.name)
        loop.until(lambda: idle(page), 20)
        assert page.query.sort == each.name
        assert len(set(numbers(page))) == 200, each.name
    page.sort_by("carrier_phone")
    loop.until(lambda: idle(page))
    assert numbers(page)[:2] == [300, 299], "the smallest first"
    rows = range(page.model.rowCount() - 3, page.model.rowCount())
    last = loop.run(page.loader.lines_of([(rows[0], rows[-1])]))
    assert [each.number for each in last] == [1, 2, 3], "none last"


def test_a_first_sorting_says_how_far_it_is_and_can_be_stopped(
    loop: RunningLoop, page: OrdersPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orders_page, "_SORT_PATIENCE_MS", 0)
    page._sort_patience.setInterval(0)
    before, rows = page.query.sort, numbers(page)
    steps = iter(range(1_000_000))
    monkeypatch.setattr(prepared_sort, "prepare_step", lambda _c, _name: next(steps))  # never ends by itself
    page.sort_by("carrier_phone")
    said = "Sorting by Carrier phone for the first time: 300 of 300 orders…"
    loop.until(lambda: page.bar.text == said)
    page.reload()
    loop.rest()
    assert page.bar.text.startswith("Sorting by Carrier phone"), "rows that came meanwhile change nothing about it"
    loop.until(lambda: page.bar.text == said)
    assert numbers(page) == rows, "what was shown stays until it is sorted"
    page.bar.act()
    loop.until(lambda: idle(page))
    assert page.query.sort == before
    assert page.bar.text == ""
    monkeypatch.undo()
    page.sort_by("carrier_phone")
    loop.until(lambda: idle(page) and page.query.sort == "carrier_phone")
    assert page.bar.text == ""


def test_what_is_said_of_a_sorting_goes_with_it_and_takes_nothing_else_along(
    loop: RunningLoop, page: OrdersPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orders_page, "_SORT_PATIENCE_MS", 0)
    page._sort_patience.setInterval(0)
    steps = iter(range(1_000_000))
    monkeypatch.setattr(prepared_sort, "prepare_step", lambda _c, _name: next(steps))  # never ends by itself
    page.sort_by("carrier_phone")
    loop.until(lambda: page.bar.text.startswith("Sorting by Carrier phone"))
    page.bar.say("warn", "Orders of 3 November did not come.", topic="other", priority=1)
    page.stop_sorting()
    loop.until(lambda: idle(page))
    assert page.bar.text == "Orders of 3 November did not come."
    page.bar.withdraw("other")
    assert page.bar.text == ""


def test_columns_of_raw_fields_are_kept_with_their_view(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk, services: PageServices, show: Show
) -> None:
    put(loop, page, "number", "carrier_phone")
    loop.until(lambda: not page.tasks.running("keep columns"))
    again = OrdersPage(services)
    show(again)
    shown(loop, again, offline_desk)
    assert [each.name for each in again.model.columns] == ["number", "carrier_phone"]
    assert cell(again, 290, "carrier_phone") == "901-555-9709"


def test_a_change_of_what_only_such_a_column_shows_marks_the_row(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    changed = whole(290, Carrier={**contact(290), "Phone": "1"})
    later = datetime.now() + timedelta(seconds=5)
    loop.run(offline_desk.cache.write(order_store.store_orders, offline_desk.profile.id, "open", [changed], later))
    page.services.news.stored.emit()
    loop.until(lambda: idle(page))
    line = page.model.line(page.model.row_of(290) or 0)
    assert isinstance(line, OrderLine)
    assert line.changed == "carrier_phone"
    assert "Changed since you last looked: Carrier phone." in cell(page, 290, "number", Qt.ItemDataRole.ToolTipRole)
