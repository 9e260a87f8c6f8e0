"""A list on paper holds every order in its column, whatever its length; what does not fit is named."""

from collections.abc import Iterator
from datetime import datetime

import pytest

from app.desk.export.export_rows import ExportColumn
from app.desk.export.paper_list import Heading, lay_out, plan
from app.desk.printing.page_marks import Band, Words
from app.desk.printing.stock import A4, LETTER
from tests.support.paper import PlainRuler, marks, texts

RULER = PlainRuler()
HEADING = Heading("Open orders", "late, facility F012", datetime(2026, 11, 24, 14, 2))


def columns(count: int, width: int = 12) -> list[ExportColumn]:
    return [ExportColumn(f"Column {at}", lambda line: line.number, width) for at in range(count)]


@pytest.mark.parametrize("paper", [LETTER, A4])
@pytest.mark.parametrize("count", [0, 1, 30, 500])
def test_every_row_is_there_once_and_within_its_page(paper: tuple[float, float], count: int) -> None:
    layout = plan(columns(8), paper)
    rows = [[f"r{at}", at, datetime(2026, 12, 1), None, True, "x" * 200, "a\nb", ""] for at in range(count)]
    pages = list(lay_out(layout, HEADING, rows, count, RULER))
    assert len(pages) == layout.pages(count)
    found = texts(pages)
    assert [each for each in found if each.startswith("r") and each[1:].isdecimal()] == [
        f"r{at}" for at in range(count)
    ]
    assert found.count("Column 3") == len(pages)
    assert f"Page {len(pages)} of {len(pages)}" in found
    width, height = max(paper), min(paper)
    for mark in marks(pages):
        assert 0 <= mark.x <= width
        assert 0 <= mark.y <= height
        if isinstance(mark, Words):
            assert mark.x + RULER.width(mark.text, mark.style) <= width - 11.9
            assert "\n" not in mark.text


def test_rows_do_not_meet_the_foot() -> None:
    layout = plan(columns(4), LETTER)
    rows = [["row"] * 4] * layout.per_page
    (page,) = lay_out(layout, HEADING, rows, len(rows), RULER)
    lowest = max(mark.y for mark in marks([page]) if isinstance(mark, Words) and mark.text == "row")
    line = max(mark.y for mark in marks([page]) if not isinstance(mark, Words))
    assert lowest < line


def test_many_columns_are_set_smaller_and_those_beyond_are_named() -> None:
    few, many = plan(columns(5), LETTER), plan(columns(40), LETTER)
    assert few.left_out == ()
    assert many.style.size < few.style.size
    assert len(many.columns) + len(many.left_out) == 40
    assert len(many.columns) > 10
    found = texts(lay_out(many, HEADING, [[f"c{at}" for at in range(40)]], 1, RULER))
    assert f"c{len(many.columns) - 1}" in found
    assert f"c{len(many.columns)}" not in found


def test_one_column_that_is_wider_than_the_paper_stays() -> None:
    layout = plan(columns(1, 900), LETTER)
    assert layout.left_out == ()


def test_practice_is_marked_on_every_page() -> None:
    heading = Heading("Open orders", "", datetime(2026, 11, 24), practice=True)
    pages = list(lay_out(plan(columns(3), LETTER), heading, [["a"] * 3] * 100, 100, RULER))
    assert sum(isinstance(mark, Band) for mark in marks(pages)) == len(pages) > 1


def test_it_is_laid_out_as_it_is_asked_for() -> None:
    asked: list[int] = []

    def rows() -> Iterator[list[int]]:
        for at in range(10**9):
            asked.append(at)
            yield [at]

    layout = plan(columns(1), LETTER)
    pages = lay_out(layout, HEADING, rows(), 10**9, RULER)
    next(pages)
    assert len(asked) == layout.per_page
