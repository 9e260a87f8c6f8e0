"""Text files of several countries and programs: each cell letter for letter, and what was found is said."""

import codecs
from pathlib import Path

import pytest

from app.desk.bulk.files import text_files
from app.desk.bulk.files.file_tables import NO_HEADER, FileTrouble, ReadOptions
from app.desk.files.stoppable_work import Progress
from tests.support.import_files import FIRST, TITLES, table_of

NAMES = "Reference;Consignee;City\nR-1;{name};{city}\nR-2;Smith;Rome\n"


@pytest.mark.parametrize(
    ("encoding", "name", "city"),
    [
        ("utf-8", "Søren Müller", "Zürich"),
        ("utf-8-sig", "Søren Müller", "Zürich"),
        ("utf-16", "Søren Müller", "Zürich"),
        ("utf-16-le", "Soren Muller", "Zurich"),
        ("utf-16-be", "Soren Muller", "Zurich"),
        ("cp1252", "Søren Müller", "Zürich"),
        ("cp1252", "José “Pepe” Núñez", "Málaga"),
        ("mac_roman", "René Müller", "Málaga"),
        ("cp850", "René Müller", "Málaga"),
        ("cp1251", "Иван Петров", "Москва"),
        ("cp1253", "Γιώργος Παππάς", "Αθήνα"),
        ("cp932", "山田 たろう", "東京都さくら"),
        ("gb18030", "王小明收", "北京市朝阳"),
    ],
)
def test_the_encoding_is_found(tmp_path: Path, encoding: str, name: str, city: str) -> None:
    table = table_of(tmp_path, NAMES.format(name=name, city=city).encode(encoding))
    assert table.rows[0] == ("R-1", name, city)
    unicode = encoding.startswith("utf")
    assert table.findings[0].sure == unicode


def test_an_encoding_that_was_guessed_wrong_is_corrected(tmp_path: Path) -> None:
    data = NAMES.format(name="Łukasz Żółw", city="Łódź").encode("cp1250")
    assert table_of(tmp_path, data, options=ReadOptions(encoding="cp1250")).rows[0] == ("R-1", "Łukasz Żółw", "Łódź")


def test_a_broken_byte_in_unicode_is_marked_and_spoils_no_other_row(tmp_path: Path) -> None:
    data = NAMES.format(name="Müller", city="Zürich").encode() * 20 + b"R-9;M\xffller;Rome\n"
    table = table_of(tmp_path, data)
    assert table.rows[0][1] == "Müller"
    assert table.rows[-1][1] == f"M{text_files.LOST}ller"
    assert not table.findings[0].sure


@pytest.mark.parametrize("data", [bytes(range(256)) * 8, b"\x00\x01\x02" * 500, b"\x7fELF" + bytes(4_000)])
def test_what_is_no_text_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(FileTrouble, match="no text"):
        table_of(tmp_path, data)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found(tmp_path: Path, separator: str) -> None:
    rows = [TITLES.replace(",", separator), FIRST.replace(",", separator)] * 2
    table = table_of(tmp_path, "\n".join(rows))
    assert table.read_with.separator == separator
    assert table.rows[0] == tuple(FIRST.split(","))


def test_a_comma_within_cells_does_not_part_a_file_with_semicolons(tmp_path: Path) -> None:
    table = table_of(tmp_path, 'Reference;City;Volume\nR-1;"Washington, DC";12,5\nR-2;Paris, TX;3,25\n')
    assert table.rows == [("R-1", "Washington, DC", "12,5"), ("R-2", "Paris, TX", "3,25")]


def test_excel_says_its_separator_in_the_first_line(tmp_path: Path) -> None:
    table = table_of(tmp_path, "sep=^\nReference^City\nR-1^A,B;C\n")
    assert table.rows == [("R-1", "A,B;C")]
    assert list(table.numbers) == [3]


def test_quoted_cells_hold_separators_quotes_and_line_breaks(tmp_path: Path) -> None:
    text = 'Reference,City,Instructions\r\nR-1,"Paris, TX","He said ""ring""\r\ntwice"\r\nR-2,Rome,plain\r\n'
    table = table_of(tmp_path, text)
    assert table.rows == [("R-1", "Paris, TX", 'He said "ring"\r\ntwice'), ("R-2", "Rome", "plain")]
    assert list(table.numbers) == [2, 4]


def test_an_inch_within_a_cell_is_no_quote(tmp_path: Path) -> None:
    table = table_of(tmp_path, 'Reference,Item,City\nR-1,6" PIPE,Rome\nR-2,TUBE 8",Bonn\n')
    assert table.rows == [("R-1", '6" PIPE', "Rome"), ("R-2", 'TUBE 8"', "Bonn")]
    assert table.notes == {}


def test_a_quote_that_is_never_closed_costs_one_row(tmp_path: Path) -> None:
    table = table_of(
        tmp_path, 'Reference,City,State\nR-1,"Rome,GA\n' + "".join(f"R-{n},Bonn,TX\n" for n in range(2, 400))
    )
    assert len(table.rows) == 399
    assert table.notes[0].sentence.startswith("A quotation mark")
    assert set(table.notes) == {0}
    assert table.rows[-1] == ("R-399", "Bonn", "TX")


def test_a_row_with_a_cell_too_many_is_said(tmp_path: Path) -> None:
    rows = "".join(f"R-{n},Rome,GA\n" for n in range(30))
    table = table_of(tmp_path, f"Reference,City,State\n{rows}R-X,Washington, D.C.,DC\nR-Y,Rome\n")
    assert table.notes[30].sentence.startswith("This row has 4 cells")
    assert table.notes[31].grade == "doubt"
    assert set(table.notes) == {30, 31}


@pytest.mark.parametrize(
    ("cell", "meant"),
    [
        ('"=""00123"""', "00123"),
        ("'=1+2", "=1+2"),
        ("'-5 East", "-5 East"),
        ("''=1", "'=1"),
        ("'s-Hertogenbosch", "'s-Hertogenbosch"),
    ],
)
def test_what_was_guarded_against_a_spreadsheet_is_read_as_meant(tmp_path: Path, cell: str, meant: str) -> None:
    assert table_of(tmp_path, f"Reference,City\nR-1,{cell}\n").rows == [("R-1", meant)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_each_kind_of_line_break_ends_a_row(tmp_path: Path, end: str) -> None:
    table = table_of(tmp_path, end.join(["Reference,City", "R-1,Rome", "", "R-2,Bonn"]))
    assert table.rows == [("R-1", "Rome"), ("R-2", "Bonn")]
    assert list(table.numbers) == [2, 4]


def test_rarer_signs_break_no_row(tmp_path: Path) -> None:
    table = table_of(tmp_path, "Reference,City\nR-1,Ro\x0bme\u2028\nR-2,Bo\x85nn\n")
    assert table.rows == [("R-1", "Ro\x0bme\u2028"), ("R-2", "Bo\x85nn")]


def test_titles_may_stand_below_other_rows(tmp_path: Path) -> None:
    table = table_of(tmp_path, "Orders of Monday,,\n,,\nReference,City,State\nR-1,Rome,GA\n")
    assert table.titles == ("Reference", "City", "State")
    assert table.read_with.header_row == 2
    assert list(table.numbers) == [4]


def test_a_file_without_titles_keeps_its_first_row(tmp_path: Path) -> None:
    table = table_of(tmp_path, "R-1001,J. Rivera,38103\nR-1002,D. Whitfield,02144\n")
    assert table.read_with.header_row == NO_HEADER
    assert table.titles == ("A", "B", "C")
    assert len(table.rows) == 2


def test_a_bare_list_has_no_titles_unless_they_are_known(tmp_path: Path) -> None:
    assert table_of(tmp_path, "alpha\nbeta\n").rows == [("alpha",), ("beta",)]
    assert table_of(tmp_path, "Reference\nalpha\nbeta\n").rows == [("alpha",), ("beta",)]


def test_the_row_of_titles_can_be_chosen(tmp_path: Path) -> None:
    table = table_of(tmp_path, "x,y\np,q\n1,2\n", options=ReadOptions(header_row=1))
    assert (table.titles, table.rows) == (("p", "q"), [("1", "2")])


def test_a_file_without_rows_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileTrouble, match="no rows"):
        table_of(tmp_path, f"{TITLES}\n")
    with pytest.raises(FileTrouble, match="is empty"):
        table_of(tmp_path, "")


def test_a_folder_and_a_missing_file_say_why(tmp_path: Path) -> None:
    from app.desk.bulk.files.read_file import read_file_now

    with pytest.raises(FileTrouble, match="cannot be read"):
        read_file_now(tmp_path, ReadOptions(), Progress())
    with pytest.raises(FileTrouble, match="cannot be read"):
        read_file_now(tmp_path / "gone.csv", ReadOptions(), Progress())


def test_a_byte_order_mark_is_no_part_of_a_title(tmp_path: Path) -> None:
    assert table_of(tmp_path, codecs.BOM_UTF8 + b"Reference,City\nR-1,Rome\n").titles[0] == "Reference"
