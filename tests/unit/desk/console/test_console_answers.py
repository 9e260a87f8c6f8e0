"""What an answer holds: its kind, its tree, its tables, and what differs from an earlier one."""

import csv
from pathlib import Path

import openpyxl
import pytest

from app.desk.console.answers.answer_body import read_body
from app.desk.console.answers.answer_differences import differences
from app.desk.console.answers.answer_table import export_table, sorted_rows, tables
from app.desk.console.answers.answer_tree import find, root_row, rows_below
from app.desk.console.forms.exact_json import ABSENT, Number, Value, path_text, read_json
from app.desk.files.stoppable_work import Progress


@pytest.mark.parametrize(
    ("body", "kind", "found", "suffix"),
    [
        (b"", "application/json", "empty", ".txt"),
        (b"  \r\n", "", "empty", ".txt"),
        (b'{"a":1.50}', "application/json; charset=utf-8", "json", ".json"),
        (b'{"a":1}', "text/plain", "json", ".json"),
        (b"42", "application/json", "json", ".json"),
        (b'{"title":"No"}', "application/problem+json", "problem", ".json"),
        (b"<r><a>1</a></r>", "application/xml", "xml", ".xml"),
        (b"<problem><title>No</title></problem>", "application/problem+xml", "problem", ".xml"),
        (b"<!doctype html><html><body>Log in</body></html>", "text/html", "text", ".html"),
        (b"Not today", "text/plain", "text", ".txt"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "image/jpeg", "picture", ".jpg"),
        (b"%PDF-1.7", "application/pdf", "bytes", ".pdf"),
        (b"\x00\x01\x02", "application/octet-stream", "bytes", ".bin"),
        ("é".encode("latin-1") + b" ok", "text/plain; charset=latin-1", "text", ".txt"),
    ],
)
def test_what_a_body_is(body: bytes, kind: str, found: str, suffix: str) -> None:
    read = read_body(body, kind)
    assert (read.kind, read.suffix, read.trouble) == (found, suffix, "")
    assert read.has_value == (found in {"json", "xml", "problem"})


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"a":', "application/json"),
        (b"<a>", "application/xml"),
        (b"<a>", "application/json"),
        (b"\x00\x01", "text/json"),
    ],
)
def test_what_is_not_what_it_says_is_said(body: bytes, kind: str) -> None:
    read = read_body(body, kind)
    assert not read.has_value
    assert bool(read.trouble) == ("<" not in body.decode() or "xml" in kind)


def test_json_is_laid_out_with_its_own_numbers() -> None:
    assert read_body(b'{"a":1.50,"b":[]}', "application/json").text == '{\n  "a": 1.50,\n  "b": []\n}'


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b"<ArrayOfOverage></ArrayOfOverage>", []),
        (b'<?xml version="1.0"?><ArrayOfOverage/>', []),
        (b"<ArrayOfAudit><Audit><auditId>1</auditId></Audit></ArrayOfAudit>", [{"auditId": "1"}]),
        (b"<Quote/>", {}),
        (b"<string>taken</string>", "taken"),
    ],
)
def test_xml_means_what_the_same_json_would_mean(body: bytes, value: Value) -> None:
    read = read_body(body, "application/xml")
    assert (read.kind, read.value, read.has_value, read.trouble) == ("xml", value, True, "")


def test_xml_is_a_record_and_laid_out() -> None:
    read = read_body(b"<list><row><a>1</a></row><row><a>2</a></row></list>", "text/xml")
    assert read.text.splitlines() == [
        "<list>",
        "  <row>",
        "    <a>1</a>",
        "  </row>",
        "  <row>",
        "    <a>2</a>",
        "  </row>",
        "</list>",
    ]
    assert tables(read.value)[0].columns == ("a",)


RECORDS = read_json(
    """{"at": "2026-11-22", "slots": [
        {"slotId": "A-1", "left": 10, "place": {"zip": "38103", "city": "Memphis"}, "tags": ["x"]},
        {"slotId": "A-2", "left": 9.5, "place": {"zip": "02134"}, "more": null},
        {"slotId": "A-3", "left": 2}
    ], "names": ["a"]}"""
)


def test_a_tree_is_opened_row_by_row() -> None:
    root = root_row(RECORDS)
    assert (root.below, root.text) == (3, "3 fields")
    at, slots, names = rows_below(root)
    assert [(each.label, each.text, each.kind) for each in (at, slots, names)] == [
        ("at", "2026-11-22", "string"),
        ("slots", "3 elements", "array"),
        ("names", "1 element", "array"),
    ]
    assert [each.label for each in rows_below(slots, 1, 1)] == ["1"]
    assert path_text(rows_below(rows_below(slots)[0])[1].path) == "slots[0].left"
    assert rows_below(at) == []


def test_places_are_found_by_name_and_value() -> None:
    assert [path_text(each) for each in find(RECORDS, "MEMPHIS")] == ["slots[0].place.city"]
    assert [path_text(each) for each in find(RECORDS, "left")] == ["slots[0].left", "slots[1].left", "slots[2].left"]
    assert [path_text(each) for each in find(RECORDS, "9.5")] == ["slots[1].left"]
    assert find(RECORDS, " ") == []
    assert find("Total", "tot") == [()]
    assert len(find(RECORDS, "left", most=2)) == 2


def test_lists_of_records_are_tables() -> None:
    [table] = tables(RECORDS)
    assert (table.title, table.left_out) == ("slots", 0)
    assert table.columns == ("slotId", "left", "place.zip", "place.city", "tags", "more")
    assert table.rows[0] == ("A-1", "10", "38103", "Memphis", '["x"]', "")
    assert table.numeric == {1}


def test_rows_are_sorted_by_value_and_empty_cells_are_last() -> None:
    [table] = tables(RECORDS)
    assert sorted_rows(table, 1) == [2, 1, 0]
    assert sorted_rows(table, 1, descending=True) == [0, 1, 2]
    assert sorted_rows(table, 2) == [1, 0, 2]
    assert sorted_rows(table, 2, descending=True) == [0, 1, 2]


def test_a_list_at_the_root_and_one_of_plain_values() -> None:
    assert tables(read_json("[1, 2]"))[0].rows == (("1",), ("2",))
    assert tables(read_json("[]")) == []
    assert [each.title for each in tables(read_json('{"a":[{"b":[{"c":1},{"c":2}]}]}'))] == ["a[0].b", "a"]


@pytest.mark.asyncio
async def test_a_table_is_exported_in_the_order_that_is_shown(tmp_path: Path) -> None:
    [table] = tables(
        read_json('[{"id": "0012", "n": 3, "f": "=1+1"}, {"id": "7", "n": 12345678901234567890, "f": ""}]')
    )
    target = tmp_path / "slots.csv"
    assert await export_table(table, [1, 0], "csv", target, Progress()) == 2
    rows = list(csv.reader(target.read_text(encoding="utf-8-sig").splitlines()))
    assert rows[0] == ["id", "n", "f"]
    assert rows[1][:2] == ["7", "12345678901234567890"]
    assert rows[2][0].endswith("0012")
    assert rows[2][2] != "=1+1"
    await export_table(table, [0], "xlsx", tmp_path / "slots.xlsx", Progress())
    assert (tmp_path / "slots.xlsx").stat().st_size > 1_000


@pytest.mark.asyncio
async def test_a_number_beyond_a_spreadsheet_is_exported_as_it_was_said(tmp_path: Path) -> None:
    said = ["1e999", "-1e999", "1e-999", "1e99999999999"]
    [table] = tables(read_json(f"[{', '.join(said)}]"))
    order = range(len(said))
    await export_table(table, order, "csv", tmp_path / "a.csv", Progress())
    rows = list(csv.reader((tmp_path / "a.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert [row[0].removeprefix("'") for row in rows[1:]] == said
    await export_table(table, order, "xlsx", tmp_path / "a.xlsx", Progress())
    book = openpyxl.load_workbook(tmp_path / "a.xlsx")
    assert [row[0] for row in book.worksheets[0].iter_rows(min_row=2, values_only=True)] == said


def test_differences_are_by_field_and_elements_by_what_identifies_them() -> None:
    before = read_json('{"slots": [{"slotId": "A", "left": 2}, {"slotId": "B", "left": 1}], "at": 1, "gone": 0}')
    now = read_json(
        '{"slots": [{"slotId": "B", "left": 1.0}, {"slotId": "A", "left": 1}, {"slotId": "C"}], "at": 1, "new": {}}'
    )
    found = [(path_text(each.path), each.change, each.before, each.now) for each in differences(before, now)]
    assert found == [
        ("slots[1].left", "changed", Number("2"), Number("1")),
        ("slots[2]", "added", ABSENT, {"slotId": "C"}),
        ("new", "added", ABSENT, {}),
        ("gone", "removed", Number("0"), ABSENT),
    ]


def test_lists_without_identities_are_compared_by_index() -> None:
    found = differences(read_json('[{"a": 1}, {"a": 1}]'), read_json('[{"a": 1}, {"a": 2}, {"a": 3}]'))
    assert [(path_text(each.path), each.change) for each in found] == [("[1].a", "changed"), ("[2]", "added")]
    assert [each.change for each in differences(read_json('["a","b"]'), read_json('["b","c"]'))] == ["added", "removed"]
    assert differences(RECORDS, RECORDS) == []
    assert [each.path for each in differences(read_json("1"), read_json('"1"'))] == [()]
    assert len(differences(read_json("[1,1,1,1]"), read_json("[2,2,2,2]"), most=3)) == 3
