"""Records of any shape become a table that loses nothing: columns, cells, sorting, search, and a file."""

import asyncio
import csv
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desk.export.table_file import TableFile
from app.desk.files.stoppable_work import Progress
from app.desk.files.whole_file import ExportTrouble
from app.desk.records.record_files import Written, write_records
from app.desk.records.record_orders import NamedOrder, order_in
from app.desk.records.record_table import (
    MOST_COLUMNS,
    RecordTable,
    cell,
    cell_words,
    in_order,
    matching,
    table_of,
)

ITEMS = [
    {"commodity": "SOFA", "count": 2, "barcode": "0012", "orderNumber": 771002},
    {"commodity": "CHAIR", "count": 10, "Item": {"Code": "C", "Tags": ["a", "b"]}, "note": None},
    {"commodity": "ármchair", "count": 1, "fragile": True},
]


def names(table: RecordTable) -> list[str]:
    return [each.name for each in table.columns]


def column_of(table: RecordTable, name: str) -> list[object]:
    column = next(each for each in table.columns if each.name == name)
    return [cell(record, column) for record in table.records]


def test_every_field_is_a_column_in_the_order_of_its_first_appearance() -> None:
    table = table_of(ITEMS)
    assert names(table) == [
        "commodity", "count", "barcode", "orderNumber", "Item.Code", "Item.Tags", "note", "fragile",
    ]  # fmt: skip
    titles = [each.title for each in table.columns]
    assert titles[:6] == ["Commodity", "Count", "Barcode", "Order number", "Item · Code", "Item · Tags"]
    assert column_of(table, "Item.Tags") == [None, "a, b", None]
    assert [each.name for each in table.columns if each.right] == ["count", "orderNumber"]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("orderReferenceNumber", "Order reference number"),
        ("CRN", "CRN"),
        ("SKUNumber", "SKU number"),
        ("load_id", "Load id"),
        ("Qty", "Qty"),
        ("item2", "Item 2"),
        ("größe", "Größe"),
        ("--", "--"),
        ("", "·"),
    ],
)
def test_a_name_of_the_wire_is_put_into_words(name: str, title: str) -> None:
    assert table_of([{name: 1}]).columns[0].title == title


def test_numbers_sort_as_numbers_also_as_text_and_empty_cells_come_last() -> None:
    table = table_of([{"qty": "10"}, {"qty": None}, {"qty": "9"}, {"qty": ""}, {"qty": "-1.5"}])
    (column,) = table.columns
    assert column.counts
    assert not column.right
    up = [each["qty"] for each in in_order(table.records, column, descending=False)]
    assert up == ["-1.5", "9", "10", None, ""]
    assert [each["qty"] for each in in_order(table.records, column, descending=True)] == ["10", "9", "-1.5", None, ""]


def test_a_code_with_leading_zeros_sorts_as_text() -> None:
    table = table_of([{"zip": "38103"}, {"zip": "00501"}])
    assert not table.columns[0].counts
    assert [each["zip"] for each in in_order(table.records, table.columns[0], descending=False)] == ["00501", "38103"]


def test_words_are_found_in_any_cell_without_case_or_accents() -> None:
    table = table_of(ITEMS)
    assert [each["commodity"] for each in matching(table, "ARMCH")] == ["ármchair"]
    assert [each["commodity"] for each in matching(table, "sofa 771002")] == ["SOFA"]
    assert matching(table, "sofa chair") == []
    assert len(matching(table, " ")) == 3


def test_an_object_around_the_only_list_is_taken_off_and_its_own_fields_stay() -> None:
    table = table_of([{"load": "L-1", "items": [{"tag": "a"}, {"tag": "b"}]}])
    assert column_of(table, "tag") == ["a", "b"]
    assert column_of(table, "load") == ["L-1", "L-1"]
    two_lists = table_of([{"a": [{"x": 1}], "b": [{"x": 2}]}])
    assert len(two_lists.records) == 1


def test_more_fields_than_columns_are_counted() -> None:
    table = table_of([{f"f{at}": at for at in range(MOST_COLUMNS + 3)}])
    assert (len(table.columns), table.left_out) == (MOST_COLUMNS, 3)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"a": {"b": {"c": {"d": {"e": 1}}}}}, [{"x": 1}, 2]])
def test_a_value_that_is_no_scalar_is_written_out(value: object) -> None:
    table = table_of([{"odd": value}])
    assert isinstance(cell(table.records[0], table.columns[0]), str)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=12,
)


@pytest.mark.slow
@given(st.lists(st.dictionaries(st.text(max_size=6), json_values, max_size=5), max_size=5), st.text(max_size=4))
def test_no_answer_whatever_its_shape_breaks_the_table(records: list[dict[str, object]], words: str) -> None:
    table = table_of(records)
    found = matching(table, words)
    for column in table.columns:
        assert len(in_order(found, column, descending=True)) == len(found)
        assert all("\n" not in cell_words(each, column) for each in table.records)


@pytest.mark.parametrize(
    ("record", "named"),
    [
        ({"orderNumber": 771002}, NamedOrder(771002)),
        ({"Order": "771002"}, NamedOrder(771002)),
        ({"Order": "CRN-1"}, NamedOrder(None, "CRN-1")),
        ({"item": {"orderReferenceNumber": "R-7", "SystemNumber": 5}}, NamedOrder(5, "R-7")),
        ({"orderNumber": True, "crn": ""}, NamedOrder()),
        ({"count": 12}, NamedOrder()),
    ],
)
def test_the_order_that_a_record_names_is_found(record: dict[str, object], named: NamedOrder) -> None:
    assert order_in(record) == named
    assert bool(named) == (named != NamedOrder())


def test_a_file_has_the_rows_as_shown_and_runs_nothing(tmp_path: Path) -> None:
    table = table_of([{"tag": "=1+1", "count": 2}, {"tag": "b", "count": 10}])
    rows = in_order(table.records, table.columns[1], descending=True)
    target = tmp_path / "overage.csv"
    done = asyncio.run(write_records(rows, table.columns, TableFile(target, "csv", "Overage"), Progress()))
    assert done == Written(2)
    with target.open(encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file)) == [["Tag", "Count"], ["b", "10"], ["'=1+1", "2"]]
    with pytest.raises(ExportTrouble):
        asyncio.run(write_records(rows, table.columns, TableFile(target, "csv", "Overage"), Progress()))


def test_a_text_that_no_cell_holds_is_counted(tmp_path: Path) -> None:
    table = table_of(json.loads(json.dumps([{"text": "x" * 40_000}])))
    target = tmp_path / "long.xlsx"
    done = asyncio.run(write_records(table.records, table.columns, TableFile(target, "xlsx", "Items"), Progress()))
    assert done == Written(1, cut=1)
    assert target.exists()
