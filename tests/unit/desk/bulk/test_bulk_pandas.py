"""Files that pandas wrote (see `data/make_pandas_files.py`): each cell is taken for what it was, or has a sentence."""

from pathlib import Path

import pytest

from app.desk.bulk.files.file_tables import ReadOptions
from app.desk.bulk.files.read_file import read_file_now
from app.desk.bulk.rows.draft_cells import value_at
from app.desk.bulk.rows.import_sheet import ImportSheet
from app.desk.files.stoppable_work import Progress
from tests.support.import_files import mapped, said

FILES = Path(__file__).with_name("data") / "pandas"
NAMES = (
    "plain.csv", "with_index.csv", "european.csv", "tabs.tsv", "openpyxl.xlsx", "with_index.xlsx", "as_text.xlsx",
)  # fmt: skip
_C = "consignee"
# What the four orders say, by the title and the path of a field.
MEANT: dict[tuple[str, str], tuple[str, str, str, str]] = {
    ("Order Number", "orderReferenceNumber"): ("P-1", "P-2", "P-3", "P-4"),
    ("Customer Name", f"{_C}.consigneeName"): ("J. Rivera", "Dana Whitfield", "Zoë Müller", "O'Neil & Sons"),
    ("Address 1", f"{_C}.streetAddress"): ("12 Beale Street", "4 Elm Court", '7 Rue "A", Floor 2', "9 Oak Lane"),
    ("Address 2", f"{_C}.streetAddress2"): ("", "Suite 4", "", ""),
    ("City", f"{_C}.city"): ("Memphis", "Boston", "Reno", "Asheville"),
    ("State", f"{_C}.state"): ("TN", "MA", "NV", "NC"),
    ("Zip", f"{_C}.zip"): ("38103", "02144", "89501", "28801"),
    ("Phone", f"{_C}.phone1"): ("9015550142", "6175550199", "7755550111", "8285550123"),
    ("Ship Date", "shipDate"): ("2026-12-01", "2026-12-02", "", "2026-12-04"),
}
FREIGHT = {
    "SKU": ("commodity", ("SOFA", "CHAIR", "TABLE", "LAMP")),
    "Qty": ("count", ("2", "", "6", "1")),
    "Cube": ("volume", ("84.5", "36", "12.25", "0.5")),
}
BARCODES = ("4900010000012", "", "4900010000036", "4900010000043")


def opened(name: str) -> ImportSheet:
    return mapped(read_file_now(FILES / name, ReadOptions(), Progress()))[0]


def plain(text: str) -> str:
    """A number without noughts at its end."""
    return text.rstrip("0").rstrip(".") if "." in text else text


@pytest.mark.parametrize("name", NAMES)
def test_each_cell_is_taken_for_what_it_was_or_has_a_sentence(name: str) -> None:
    sheet = opened(name)
    assert len(sheet.orders) == 4
    for row, key in enumerate(sheet.orders):
        draft, remarks = sheet.draft(key), said(sheet, row)
        for (title, path), meant in MEANT.items():
            assert value_at(draft, path) == meant[row] or title in remarks, (row, title)
        (line,) = draft.freightDetails
        for title, (part, values) in FREIGHT.items():
            assert plain(getattr(line, part)) == values[row] or title in remarks, (row, title)
        barcode = "".join(each.barcode for each in draft.barcoding.barcodeItemDetails)
        assert barcode == BARCODES[row] or "Barcode" in remarks, row
        assert draft.useConsigneeAddressToDetermineFaclityCode == "true"


@pytest.mark.parametrize("name", NAMES)
def test_what_was_taken_is_not_said_needlessly(name: str) -> None:
    sheet = opened(name)
    assert "Zip" not in said(sheet, 0)
    assert said(sheet, 1)["Zip"] == ["A zero in front may be lost: 2144 may be 02144."]
    assert "Required." in said(sheet, 1)["Qty"] or name == "european.csv"  # where NaN stands for it


def test_merged_cells_of_an_index_are_said_where_they_are_blank() -> None:
    sheet = opened("merged.xlsx")
    assert said(sheet, 1)["Order Number"] == ["Required."]
    assert [sheet.draft(key).orderReferenceNumber for key in sheet.orders] == ["P-1", "", "P-2"]
