"""From rows to orders: mapping by titles, issues on their cells, corrections that can be undone."""

import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from app.contract.order_rules import FREIGHT
from app.contract.submission import wire_bytes
from app.desk.bulk.files.file_tables import FileTrouble
from app.desk.bulk.mapping.column_mapping import ColumnMapping, ColumnUse, from_record, to_record
from app.desk.bulk.mapping.kept_mappings import digest_of, read_mapping_file, write_mapping_file
from app.desk.bulk.mapping.match_columns import match_columns
from app.desk.bulk.mapping.sample_file import sample_columns, write_sample
from app.desk.bulk.mapping.template_values import values_of
from app.desk.bulk.order_fields import FIELDS
from app.desk.bulk.rows.cell_issues import NO_COLUMN
from app.desk.bulk.rows.import_sheet import ImportSheet
from app.desk.drafts.templates import Template
from app.desk.files.stoppable_work import Progress, Stopped
from app.desk.known.known_facilities import KnownFacilities
from tests.support.import_files import FIRST, SECOND, TITLES, lines, mapped, said, sheet_of, table_of


def test_a_plain_file_needs_nothing(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST, SECOND))
    assert [(each.reference, each.issues) for each in sheet.orders.values()] == [("R-1", ()), ("R-2", ())]
    sent = sheet.submission(0)
    assert sent is not None
    assert sent.consignee.zip == "38103"
    assert sent.useConsigneeAddressToDetermineFaclityCode
    assert [(each.commodity, each.count, each.volume) for each in sent.freightDetails] == [("SOFA", 2, 84.5)]


def test_errors_are_on_their_cells(tmp_path: Path) -> None:
    bad = "R-2,Dana,4 Elm Court,A city with much too long a name,Tennessee,02144,617-555-0199,CHAIR,0,many"
    sheet = sheet_of(tmp_path, lines(FIRST, bad))
    assert sheet.orders[0].wrong == 0
    found = said(sheet, 1)
    assert set(found) == {"City", "State", "Count", "Volume"}
    assert found["City"] == ["At most 18 characters; this has 32."]
    assert found["Count"] == ["Must be greater than 0."]
    assert sheet.submission(1) is None


def test_dates_in_a_sequence_that_cannot_be_meant_are_doubts_and_go_all_the_same(tmp_path: Path) -> None:
    titles, row = lines(FIRST).splitlines()[:2]
    text = "\n".join(
        [
            f"{titles},Ship Date,Estimated Receive Date,Requested Delivery Date",
            f"{row},2026-12-01,2026-12-03,2026-12-02",
            f"{row.replace('R-1', 'R-2')},2026-12-01,2026-12-03,2026-12-03",
        ]
    )
    sheet = sheet_of(tmp_path, text)
    (doubt,) = sheet.orders[0].issues
    assert (doubt.grade, sheet.titles[doubt.column]) == ("doubt", "Requested Delivery Date")
    assert doubt.sentence == "Before the facility receives the order on Thu 3 Dec."
    assert sheet.submission(0) is not None
    assert sheet.orders[1].issues == ()


def test_a_facility_that_nobody_knows_is_a_doubt_with_the_near_code_and_goes_all_the_same(tmp_path: Path) -> None:
    titles, row = lines(FIRST).splitlines()[:2]
    codes = ["MEM01", "MEM", "DAL01", "MEM", ""]
    text = "\n".join(
        [f"{titles},Facility", *(f"{row.replace('R-1', f'R-{at}')},{code}" for at, code in enumerate(codes))]
    )
    plain = sheet_of(tmp_path, text)
    assert not any(order.issues for order in list(plain.orders.values())[:4])
    sheet = ImportSheet(plain.table, plain.mapping, KnownFacilities([{"code": "MEM01"}]))
    sheet.check_all(Progress())
    assert sheet.orders[0].issues == ()
    (near,), (new,) = sheet.orders[1].issues, sheet.orders[2].issues
    assert (near.grade, sheet.titles[near.column], near.proposal) == ("doubt", "Facility", "MEM01")
    assert near.sentence == "MEM is not known here. Did you mean MEM01?"
    assert (new.grade, new.sentence, new.proposal) == ("doubt", "DAL01 is not known here.", "")
    assert all(sheet.submission(key) is not None for key in (1, 2))
    sheet.apply(sheet.mend_alike(near))
    assert [sheet.cell(row, near.column) for row in range(4)] == ["MEM01", "MEM01", "DAL01", "MEM01"]
    assert [key for key, order in sheet.orders.items() if order.issues] == [2, 4]  # 4 lacks a facility
    sheet.know(KnownFacilities([{"code": "DAL01"}, {"code": "MEM01"}]))
    assert sheet.orders[2].issues == ()


def test_where_the_address_determines_the_facility_its_code_is_not_doubted(tmp_path: Path) -> None:
    titles, row = lines(FIRST).splitlines()[:2]
    table = table_of(tmp_path, f"{titles},Facility,Facility by address\n{row},MEM,yes\n")
    sheet = ImportSheet(table, match_columns(table).mapping, KnownFacilities([{"code": "MEM01"}]))
    sheet.check_all(Progress())
    assert sheet.orders[0].issues == ()


def test_what_no_column_holds_is_said_of_the_row(tmp_path: Path) -> None:
    text = lines(FIRST).replace(",City", ",Somewhere")
    table = table_of(tmp_path, text)
    matched = match_columns(table)
    assert matched.missing == ("consignee.city",)
    sheet, _ = mapped(table)
    assert said(sheet, 0) == {"": ["City: Required."]}


@pytest.mark.parametrize(
    ("titles", "paths"),
    [
        (
            "Ship To Name;Address 1;Address 2;Town;Postal Code;Tel.;Qty;SKU;Cube",
            "consignee.consigneeName consignee.streetAddress consignee.streetAddress2 consignee.city consignee.zip "
            "consignee.phone1 freightDetails.count freightDetails.commodity freightDetails.volume",
        ),
        ("Bestellnummer;Kunde;Straße;Ort;PLZ;Menge", "orderReferenceNumber consignee.consigneeName "
         "consignee.streetAddress consignee.city consignee.zip freightDetails.count"),
        ("Commande;Destinataire;Ville;Code postal;Quantité", "orderReferenceNumber consignee.consigneeName "
         "consignee.city consignee.zip freightDetails.count"),
    ],
)  # fmt: skip
def test_titles_of_several_programs_and_languages_are_known(tmp_path: Path, titles: str, paths: str) -> None:
    row = ";".join("x" for _ in titles.split(";"))
    matched = match_columns(table_of(tmp_path, f"{titles}\n{row}\n"))
    assert [each.path for each in matched.mapping.columns] == paths.split()


def test_repeated_columns_are_lines_of_the_order(tmp_path: Path) -> None:
    titles = f"{TITLES},Commodity 2,Count 2,Volume 2,Barcode,PO,PO 2"
    sheet = sheet_of(tmp_path, f"{titles}\n{FIRST},CHAIR,6,36,B-1,PO-1,PO-2\n")
    draft = sheet.draft(0)
    assert [(each.commodity, each.count) for each in draft.freightDetails] == [("SOFA", "2"), ("CHAIR", "6")]
    assert draft.poNumber == "PO-1"
    assert [(each.type, each.value) for each in draft.otherReferenceNumbers] == [("PO 2", "PO-2")]
    # Two commodities: nobody can tell of which one the barcode is. And barcodes arrive on a load.
    assert set(said(sheet, 0)) == {"Barcode", ""}


def test_a_barcode_is_of_the_commodity_of_its_row(tmp_path: Path) -> None:
    titles = f"{TITLES},Barcode,Load"
    second = FIRST.replace("SOFA,2,84.5", "CHAIR,6,36")
    sheet = sheet_of(tmp_path, f"{titles}\n{FIRST},B-1,L-1\n{second},B-2,L-1\n")
    order = sheet.orders[0]
    assert (order.rows, order.issues) == ((0, 1), ())
    items = sheet.draft(0).barcoding.barcodeItemDetails
    assert [(each.barcode, each.commodity, each.count) for each in items] == [
        ("B-1", "SOFA", "1"),
        ("B-2", "CHAIR", "1"),
    ]


def test_rows_of_one_reference_are_one_order(tmp_path: Path) -> None:
    line = "R-1,J. Rivera,12 Beale Street,Memphis,TN,38103,901-555-0142,CHAIR,6,36"
    sheet = sheet_of(tmp_path, lines(FIRST, SECOND, line))
    assert [each.rows for each in sheet.orders.values()] == [(0, 2), (1,)]
    assert [each.commodity for each in sheet.draft(0).freightDetails] == ["SOFA", "CHAIR"]


def test_rows_without_a_reference_go_on_with_the_order_above(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST, ",,,,,,,CHAIR,6,36", SECOND))
    assert [each.rows for each in sheet.orders.values()] == [(0, 1), (2,)]


def test_rows_of_one_order_that_disagree_are_said(tmp_path: Path) -> None:
    rows = [FIRST]
    for number in range(2, 12):  # most references agree, so the rows are lines
        for item in ("SOFA", "CHAIR"):
            rows.append(FIRST.replace("R-1", f"R-{number}").replace("SOFA", item))
    sheet = sheet_of(tmp_path, lines(*rows, FIRST.replace("SOFA", "TABLE").replace("Memphis", "Nashville")))
    assert said(sheet, len(rows)) == {"City": ["City: the first row of this order says “Memphis”."]}
    assert sheet.orders[0].wrong == 1


def test_the_same_row_twice_is_two_lines_and_is_said(tmp_path: Path) -> None:
    other = FIRST.replace("SOFA", "CHAIR")
    sheet = sheet_of(tmp_path, lines(FIRST, other, other))
    assert [each.grade for each in sheet.orders[0].issues] == ["doubt"]
    assert said(sheet, 2) == {"": ["The same as row 3. Both are lines of the order."]}


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("SOFA×2; CHAIR×6", [("SOFA", "2"), ("CHAIR", "6")]),
        ("SOFA x 2|CHAIR x 6", [("SOFA", "2"), ("CHAIR", "6")]),
        ("2 × SOFA;6 x CHAIR", [("SOFA", "2"), ("CHAIR", "6")]),
        ("BOX2×3;BOX4*1", [("BOX2", "3"), ("BOX4", "1")]),
    ],
)
def test_one_cell_may_hold_several_lines(tmp_path: Path, cell: str, found: list[tuple[str, str]]) -> None:
    titles = TITLES.replace(",Count", "")
    row = FIRST.replace("SOFA,2,84.5", f"{cell},84.5;36")
    sheet = sheet_of(tmp_path, f"{titles}\n{row}\n")
    lines_ = sheet.draft(0).freightDetails
    assert [(each.commodity, each.count) for each in lines_] == found
    assert [each.volume for each in lines_] == ["84.5", "36"]
    assert sheet.orders[0].issues == ()


def test_a_cell_of_many_blanks_is_read_at_once(tmp_path: Path) -> None:
    blanks = " " * 30_000
    cells = [f"SOFA{blanks}B{number}" for number in range(4)]
    rows = [FIRST.replace("R-1", f"R-{at}").replace("SOFA,2,84.5", f"{cell},84.5") for at, cell in enumerate(cells)]
    started = time.monotonic()
    sheet = sheet_of(tmp_path, "\n".join((TITLES.replace(",Count", ""), *rows)) + "\n")
    assert time.monotonic() - started < 5, "the time it takes grows with the square of its length"
    assert [sheet.draft(at).freightDetails[0].commodity for at in range(4)] == cells


def test_cells_with_lists_of_different_lengths_are_said(tmp_path: Path) -> None:
    row = FIRST.replace("SOFA,2,84.5", "SOFA;CHAIR,2;6;1,84.5")
    found = said(sheet_of(tmp_path, lines(row)), 0)
    assert found["Count"][0] == "This cell has 3 parts, and the one beside it 2."
    assert found["Volume"][0] == "This cell has 1 parts, and the one beside it 2."


BARCODED = f"{TITLES},Load,Barcode,Group barcode,Barcode description\n{FIRST},L-1,"


def test_blanks_of_a_divided_cell_have_their_places(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, f"{BARCODED}b1;b2,G1;,;grey\n")
    items = sheet.draft(0).barcoding.barcodeItemDetails
    assert [(each.barcode, each.groupBarcode, each.description) for each in items] == [
        ("b1", "G1", ""),
        ("b2", "", "grey"),
    ]
    assert sheet.orders[0].issues == ()
    # One value without a sign beside it is of all.
    assert [
        each.groupBarcode for each in sheet_of(tmp_path, f"{BARCODED}b1;b2,G1,\n").draft(0).barcoding.barcodeItemDetails
    ] == ["G1", "G1"]
    longer = sheet_of(tmp_path, f"{BARCODED}b1;b2,G1;;,\n")
    assert said(longer, 0) == {"Group barcode": ["This cell has 1 parts, and the one beside it 2."]}


@pytest.mark.parametrize("cells", [";,G1,", "|;,,grey"])
def test_a_key_of_signs_alone_loses_nothing_beside_it(tmp_path: Path, cells: str) -> None:
    sheet = sheet_of(tmp_path, f"{BARCODED}{cells}\n")
    assert said(sheet, 0) == {"Barcode": ["Required."]}
    assert sheet_of(tmp_path, f"{BARCODED};,;,\n").draft(0).barcoding.barcodeItemDetails == []


def test_a_key_from_the_form_that_a_cell_would_be_divided_at_is_told(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, f"{BARCODED}b1,,\n")
    draft = sheet.draft(0)
    draft.consignee.city = "Nashville"
    draft.barcoding.barcodeItemDetails = [replace(draft.barcoding.barcodeItemDetails[0], barcode="01|0490001")]
    edit, left = sheet.put_draft(0, draft)
    assert left == ("barcoding.barcodeItemDetails.barcode",)
    sheet.apply(edit)
    again = sheet.draft(0)
    assert (again.consignee.city, [each.barcode for each in again.barcoding.barcodeItemDetails]) == (
        "Nashville",
        ["b1"],
    )
    # A list that was not changed is nothing to tell.
    assert sheet.put_draft(0, again)[1] == ()


@pytest.mark.parametrize(
    ("column", "text", "grade", "proposal"),
    [
        ("ZIP", "2144", "doubt", "02144"),
        ("ZIP", "601", "doubt", "00601"),
        ("ZIP", "21440123", "doubt", "02144-0123"),
        ("ZIP", "601-1234", "doubt", "00601-1234"),
        ("ZIP", "38103.0", "doubt", "38103"),
        ("ZIP", "2144.0", "doubt", "02144"),
        ("Reference", "7.71E+05", "wrong", ""),
        ("Phone", "9.02E+09", "wrong", ""),
        ("Commodity", "1-Mar", "doubt", ""),
        ("Commodity", "Mar-01", "doubt", ""),
        ("Commodity", "#N/A", "wrong", ""),
        ("Commodity", "########", "wrong", ""),
        ("Consignee", "nan", "doubt", ""),
        ("Consignee", "JosÃ© NÃºÃ±ez", "doubt", ""),
        ("State", "Tennessee", "wrong", "TN"),
        ("Count", "7.7E+03", "wrong", ""),
    ],
)
def test_what_a_spreadsheet_did_is_said(tmp_path: Path, column: str, text: str, grade: str, proposal: str) -> None:
    at = TITLES.split(",").index(column)
    cells = FIRST.split(",")
    cells[at] = text
    sheet = sheet_of(tmp_path, lines(",".join(cells), SECOND))
    (issue,) = sheet.issues_at(0)[at]
    assert (issue.grade, issue.proposal) == (grade, proposal)


def test_a_barcode_that_lost_its_zero_is_told_by_its_check_digit(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, f"{TITLES},Barcode,Load\n{FIRST},36000291452,L-1\n{SECOND},36000291453,L-1\n")
    (issue,) = sheet.orders[0].issues
    assert issue.proposal == "036000291452"
    assert sheet.orders[1].issues == ()


def test_what_a_person_types_is_taken_as_typed(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST.replace("38103", "2144").replace("SOFA", "1-Mar")))
    assert [each.column for each in sheet.orders[0].issues] == [5, 7]
    sheet.apply(sheet.set_cells({(0, 5): "2143", (0, 7): "2-Mar"}))
    assert not sheet.orders[0].issues
    assert sheet.original(0, 5) == "2144"


def test_one_answer_mends_all_alike(tmp_path: Path) -> None:
    rows = [FIRST.replace("38103", f"{zip_}").replace("R-1", f"R-{zip_}") for zip_ in (2144, 2145, 38103)]
    sheet = sheet_of(tmp_path, lines(*rows))
    edit = sheet.mend_alike(sheet.orders[0].issues[0])
    assert sheet.apply(edit) == {0, 1}
    assert [sheet.cell(row, 5) for row in range(3)] == ["02144", "02145", "38103"]
    assert all(not order.issues for order in sheet.orders.values())
    assert sheet.undo(edit) == {0, 1}
    assert [sheet.cell(row, 5) for row in range(3)] == ["2144", "2145", "38103"]
    assert sheet.original(0, 5) is None
    assert sheet.orders[0].issues[0].proposal == "02144"


def test_cells_are_filled_down_found_and_replaced(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST, SECOND, FIRST.replace("R-1", "R-3")))
    column = [(row, 3) for row in range(3)]
    filled = sheet.fill_down(column)
    assert sheet.apply(filled) == {1}
    assert [sheet.cell(*place) for place in column] == ["Memphis"] * 3
    replaced = sheet.replace(column, "mem(p)", r"Nash\1", whole=False)
    assert replaced.after == {}  # a text is no pattern
    replaced = sheet.replace(column, "MEMPHIS", r"A\1")
    assert set(replaced.after.values()) == {r"A\1"}
    assert set(sheet.replace(column, re.compile("Mem(.)"), r"Nash\1").after.values()) == {"Nashphis"}
    assert sheet.replace(column, "Mem", "x", whole=True).after == {}
    sheet.undo(filled)
    assert sheet.cell(1, 3) == "Boston"


def test_another_reference_takes_a_row_to_another_order(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST, FIRST.replace("SOFA", "CHAIR"), SECOND))
    assert [each.rows for each in sheet.orders.values()] == [(0, 1), (2,)]
    edit = sheet.set_cells({(1, 0): "R-9"})
    assert sheet.apply(edit) == {0, 1}
    assert [each.rows for each in sheet.orders.values()] == [(0,), (1,), (2,)]
    assert sheet.order_of(1) == sheet.orders[1]
    assert sheet.undo(edit) >= {0, 1}
    assert [each.rows for each in sheet.orders.values()] == [(0, 1), (2,)]


def test_numbers_and_dates_are_read_as_the_file_writes_them(tmp_path: Path) -> None:
    text = "Reference;Volume;Delivery date\nR-1;12,5;24.12.2026\nR-2;1.234,5;01.02.2027\nR-3;1.234;02.01.2027\n"
    sheet, matched = mapped(table_of(tmp_path, text))
    assert (matched.mapping.decimal, matched.mapping.dates) == (",", "dmy")
    assert [sheet.draft(key).freightDetails[0].volume for key in sheet.orders] == ["12.5", "1234.5", "1234"]
    assert [sheet.draft(key).requestedDeliveryDate for key in sheet.orders] == [
        "2026-12-24",
        "2027-02-01",
        "2027-01-02",
    ]


def test_an_open_question_is_on_each_cell_until_it_is_answered(tmp_path: Path) -> None:
    text = lines(*(each + f",0{day}/03/2026" for day, each in enumerate((FIRST, SECOND), 1))).replace(
        "Volume", "Volume,Delivery date"
    )
    sheet, matched = mapped(table_of(tmp_path, text))
    assert matched.mapping.dates == ""
    assert all(order.wrong == 1 for order in sheet.orders.values())
    sheet.set_mapping(replace(sheet.mapping, dates="mdy"))
    sheet.check_all(Progress())
    assert [sheet.draft(key).requestedDeliveryDate for key in sheet.orders] == ["2026-01-03", "2026-02-03"]
    assert all(order.issues == () for order in sheet.orders.values())


def test_words_of_the_file_are_translated(tmp_path: Path) -> None:
    text = lines(f"{FIRST},Home delivery", f"{SECOND},to the STORE").replace("Volume", "Volume,Delivery type")
    sheet, matched = mapped(table_of(tmp_path, text))
    assert matched.mapping.translations == {"deliveryType": {"home delivery": "HOME", "to the store": "STORE"}}
    assert [sheet.draft(key).deliveryType for key in sheet.orders] == ["HOME", "STORE"]
    assert [each.sure for each in matched.findings if "is read as" in each.sentence] == [False, False]


def test_constants_fill_what_is_blank_and_nothing_else(tmp_path: Path) -> None:
    text = lines(f"{FIRST},MEM01", f"{SECOND},").replace("Volume", "Volume,Facility")
    table = table_of(tmp_path, text)
    mapping = replace(match_columns(table).mapping, constants={"providerFacilityCode": "BOS01", "deliveryType": "HOME"})
    sheet = ImportSheet(table, mapping)
    sheet.check_all(Progress())
    assert [sheet.draft(key).providerFacilityCode for key in sheet.orders] == ["MEM01", "BOS01"]
    assert {sheet.draft(key).deliveryType for key in sheet.orders} == {"HOME"}


def test_constants_alone_make_a_row_of_a_list_that_the_file_has_not(tmp_path: Path) -> None:
    text = "\n".join(
        each.rpartition(",SOFA")[0] or each.rpartition(",Commodity")[0] for each in lines(FIRST).split("\n")
    )
    constants = {f"{FREIGHT}.commodity": "SOFA", f"{FREIGHT}.count": "2", f"{FREIGHT}.volume": "84.5"}
    sheet = sheet_of(tmp_path, text.strip() + "\n")
    sheet.set_mapping(replace(sheet.mapping, constants=dict(sheet.mapping.constants) | constants))
    sheet.check_all(Progress())
    assert sheet.orders[0].issues == ()
    draft = sheet.draft(0)
    assert [(each.commodity, each.count) for each in draft.freightDetails] == [("SOFA", "2")]
    draft.freightDetails = []
    assert sheet.put_draft(0, draft)[1] == (FREIGHT,)  # no cell can say that there is none
    # Where the file has lines of its own, the constant makes no further one.
    own = sheet_of(tmp_path, lines(FIRST), "own.csv")
    own.set_mapping(replace(own.mapping, constants=dict(own.mapping.constants) | constants))
    own.check_all(Progress())
    assert len(own.draft(0).freightDetails) == 1


def test_a_template_fixes_values_for_all_orders() -> None:
    rows = [{"commodity": "SOFA", "count": "1", "volume": "", "weight": ""}]
    fixed = {"billToCode": "ACME", "deliveryType": "", "consignee.state": "TN", "freightDetails": rows}
    assert values_of(Template("Stores", fixed)) == {
        "billToCode": "ACME", "consignee.state": "TN", f"{FREIGHT}.commodity": "SOFA", f"{FREIGHT}.count": "1",
    }  # fmt: skip
    assert values_of(Template("Several", {"freightDetails": [*rows, *rows]})) == {}


def test_a_mapping_fits_another_file_whatever_the_order_of_its_columns(tmp_path: Path) -> None:
    table = table_of(tmp_path, "Ref A,Item,Item,X\nR-1,SOFA,CHAIR,1\n")
    mapping = ColumnMapping(
        (ColumnUse("orderReferenceNumber"), ColumnUse("freightDetails.commodity", 0),
         ColumnUse("freightDetails.commodity", 1), ColumnUse()),
        {"billToCode": "ACME"}, {"deliveryType": {"x": "HOME"}}, ",", "dmy", "several", ";",
    )  # fmt: skip
    other = table_of(tmp_path, "X,Item,ref a,Item\n1,SOFA,R-1,CHAIR\n", "other.csv")
    assert digest_of(table.titles) == digest_of(other.titles)
    found = from_record(to_record(mapping, table.titles), other.titles)
    assert [(each.path, each.group) for each in found.columns] == [
        ("", 0), ("freightDetails.commodity", 0), ("orderReferenceNumber", 0), ("freightDetails.commodity", 1),
    ]  # fmt: skip
    assert replace(found, columns=mapping.columns) == mapping


def test_a_mapping_is_handed_on_as_a_file(tmp_path: Path) -> None:
    table = table_of(tmp_path, lines(FIRST))
    mapping = replace(match_columns(table).mapping, name="ERP")
    write_mapping_file(tmp_path / "erp.json", table, mapping, replace=False)
    found = read_mapping_file(tmp_path / "erp.json", table)
    assert [each.path for each in found.columns] == [each.path for each in mapping.columns]
    assert (found.name, found.constants) == ("ERP", mapping.constants)
    for odd in (b"", b"[]", b'{"columns": 3}', b"\xff\xfe", b"[" * 9_000):
        (tmp_path / "odd.json").write_bytes(odd)
        with pytest.raises(FileTrouble):
            read_mapping_file(tmp_path / "odd.json", table)


@pytest.mark.parametrize("name", ["sample.csv", "sample.xlsx"])
def test_the_sample_has_every_field_and_needs_nothing(tmp_path: Path, name: str) -> None:
    from app.desk.bulk.files.file_tables import ReadOptions
    from app.desk.bulk.files.read_file import read_file_now

    assert {field.path for _, field, _ in sample_columns()} == {field.path for field in FIELDS}
    write_sample(tmp_path / name, replace=False)
    table = read_file_now(tmp_path / name, ReadOptions(), Progress())
    sheet, matched = mapped(table)
    wanted = [(field.path, group) for _, field, group in sample_columns()]
    assert [(each.path, each.group) for each in matched.mapping.columns] == wanted
    assert [order.issues for order in sheet.orders.values()] == [(), ()]


def test_a_draft_from_the_form_is_written_back_into_the_cells(tmp_path: Path) -> None:
    text = lines(FIRST, FIRST.replace("SOFA,2,84.5", "CHAIR,6,36.5"), SECOND)
    sheet = sheet_of(tmp_path, text)
    draft = sheet.draft(0)
    draft.consignee.city = "Nashville"
    draft.poNumber = "PO-9"
    draft.freightDetails = [replace(draft.freightDetails[1], count="7"), *draft.freightDetails[:1]]
    draft.freightDetails.append(replace(draft.freightDetails[0], commodity="TABLE", weight="30.5"))
    edit, left = sheet.put_draft(0, draft)
    assert left == ()
    assert 0 in sheet.apply(edit)
    again = sheet.draft(0)
    assert (again.consignee, again.poNumber) == (draft.consignee, "PO-9")
    assert sorted(map(str, again.freightDetails)) == sorted(map(str, draft.freightDetails))
    assert sheet.orders[0].issues == ()
    assert sheet.titles[-1] != "Volume"
    sheet.undo(edit)
    assert list(sheet.titles) == TITLES.split(",")
    first = sheet.submission(0)
    assert first is not None
    assert b"Memphis" in wire_bytes(first)
    assert sheet.rows == table_of(tmp_path, text).rows


def test_an_added_column_that_is_taken_back_leaves_nothing(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST, SECOND))
    sheet.apply(sheet.set_cells({(1, 3): "Nashville"}))
    edit = sheet.add_column("poNumber", "PO-1")
    sheet.apply(edit)
    corrected = sheet.set_cells({(1, 3): "Memphis"})
    sheet.apply(corrected)
    sheet.undo(corrected)
    sheet.undo(edit)
    width = len(sheet.titles)
    assert width == len(TITLES.split(","))
    assert [len(sheet.kinds(row)) <= width for row in range(2)] == [True, True]
    assert sheet.cell(1, 3) == "Nashville"


def test_a_value_that_a_constant_gives_again_is_told(tmp_path: Path) -> None:
    table = table_of(tmp_path, lines(FIRST))
    mapping = replace(match_columns(table).mapping, constants={"deliveryType": "HOME"})
    sheet = ImportSheet(table, mapping)
    sheet.check_all(Progress())
    draft = sheet.draft(0)
    draft.deliveryType = ""
    assert sheet.put_draft(0, draft)[1] == ("deliveryType",)


def test_a_column_can_be_added_for_all(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST, SECOND).replace(",City", ",Somewhere"))
    edit = sheet.add_column("consignee.city", "Memphis")
    assert sheet.apply(edit) == {0, 1}
    assert all(order.issues == () for order in sheet.orders.values())
    sheet.undo(edit)
    assert said(sheet, 0) == {"": ["City: Required."]}


def test_an_issue_without_a_cell_is_on_the_first_row(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, "Reference,Consignee\nR-1,J. Rivera\n")
    assert {each.column for each in sheet.orders[0].issues} == {NO_COLUMN}
    required = [f"{title}: Required." for title in ("Street", "City", "State", "ZIP", "Phone")]
    said_here = [each.sentence for each in sheet.orders[0].issues]
    assert said_here == [*required, "Freight lines: At least one freight line is required."]


def test_checking_can_be_stopped(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST, SECOND))
    with pytest.raises(Stopped):
        sheet.check_all(Progress(stop=True))


def test_columns_are_matched_by_their_cells_where_titles_say_nothing(tmp_path: Path) -> None:
    text = "R-1001;a@example.com;TN;38103;901-555-0142\nR-1002;b@example.com;MA;02144;617-555-0199\n"
    matched = match_columns(table_of(tmp_path, text))
    assert [each.path for each in matched.mapping.columns] == [
        "", "consignee.email", "consignee.state", "consignee.zip", "consignee.phone1",
    ]  # fmt: skip
    assert all(not each.sure for each in matched.findings)
