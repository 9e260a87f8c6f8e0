"""The cells of an export run nothing in a spreadsheet, and keep their values."""

from datetime import date, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desk.export.csv_file import write_csv
from app.desk.export.spreadsheet_cells import Value, cell_text, clipboard_table, guarded, looks_like_formula, unguarded
from app.desk.text.pasted_cells import read_block

RUN = (
    "=1+1",
    "+1 901 555",
    "-5",
    "@SUM(1)",
    "\t=2",
    "\r=2",
    "\n=2",
    " =3+3",
    "＝4+4",
    "\ufeff=5",
    "\u200b=5",
    "\u00a0=5",
)


class _Cells(HTMLParser):
    """The words and the attributes of each cell."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "td":
            self.found.append(("", dict(attrs)))
        elif tag == "br":
            self.handle_data("\n")

    def handle_data(self, data: str) -> None:
        words, attributes = self.found[-1]
        self.found[-1] = (words + data, attributes)


def _cells(html: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = _Cells()
    parser.feed(html)
    return parser.found


@pytest.mark.parametrize("text", RUN)
def test_what_would_run_is_guarded_and_exact_on_request(text: str) -> None:
    assert guarded(text) == f"'{text}"
    assert cell_text(text) == f"'{text}"
    assert cell_text(text, exact=True) == text


@pytest.mark.parametrize("text", ["", "02134", "a=b", "CRN-1", "1+1", "'s", "Renée", "\u202eabc", "a\n=b"])
def test_other_texts_are_left_alone(text: str) -> None:
    assert guarded(text) == text


@given(st.text() | st.text(alphabet="'=+a \t\n"))
def test_what_was_guarded_is_given_back(text: str) -> None:
    assert unguarded(guarded(text)) == text
    assert not looks_like_formula(guarded(text))


def test_titles_of_a_csv_file_are_guarded_and_exact_on_request(tmp_path: Path) -> None:
    for exact, title in ((False, "'=1+1"), (True, "=1+1")):
        write_csv(tmp_path / "a.csv", ["Tag", "=1+1"], [["a", "b"]], exact=exact)
        assert (tmp_path / "a.csv").read_text("utf-8-sig").splitlines()[0] == f"Tag,{title}"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, ""),
        (-5, "-5"),
        (2.5, "2.5"),
        (True, "Yes"),
        (False, "No"),
        (date(2026, 12, 1), "2026-12-01"),
        (datetime(2026, 12, 1), "2026-12-01"),
        (datetime(2026, 12, 1, 14, 2, 10), "2026-12-01 14:02:10"),
    ],
)
def test_values_are_written_as_every_spreadsheet_reads_them(value: Value, words: str) -> None:
    assert cell_text(value) == words


def test_the_table_on_the_clipboard_says_what_each_cell_is() -> None:
    row: list[Value] = ["02134", "=1+1", 12, datetime(2026, 11, 24, 18), date(2026, 12, 1), True, None, "<b>&\nx"]
    table = clipboard_table([f"c{at}" for at in range(len(row))], [row])
    cells = _cells(table.html)[len(row) :]
    assert [words for words, _ in cells] == [
        "02134", "=1+1", "12", "2026-11-24 18:00:00", "2026-12-01", "Yes", "", "<b>&\nx",
    ]  # fmt: skip
    said = [attributes for _, attributes in cells]
    for place in (0, 1, 5, 7):
        assert said[place] == {"sdnum": "1033;0;@", "style": "mso-number-format:'\\@'"}
    assert said[3]["sdval"] == "46350.75"
    assert said[4]["sdval"] == "46357.0"


def test_what_no_spreadsheet_holds_stays_text() -> None:
    table = clipboard_table(["n", "d", "i"], [[10**17 + 1, datetime(1731, 1, 1), float("inf")]])
    assert [each["sdnum"] for _, each in _cells(table.html)[3:]] == ["1033;0;@"] * 3


@given(st.lists(st.lists(st.text(), min_size=3, max_size=3), max_size=5))
def test_the_plain_text_comes_back_guarded_and_in_its_cells(rows: list[list[str]]) -> None:
    table = clipboard_table(["a", "b", "c"], rows)
    expected = [["a", "b", "c"], *([guarded(cell) for cell in row] for row in rows)]
    assert read_block(table.text) == expected
    assert not any(looks_like_formula(cell) for row in expected for cell in row)


@given(st.lists(st.text(alphabet=st.characters(exclude_characters="\r\0", exclude_categories=["Cs"])), max_size=6))
def test_the_html_holds_each_text_letter_for_letter(texts: list[str]) -> None:
    assert [words for words, _ in _cells(clipboard_table(texts, []).html)] == texts
