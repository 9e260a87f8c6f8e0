"""Finds the row of titles among the first rows of a sheet, and the sheet of a workbook that holds the orders."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.desk.bulk.files.file_tables import NO_HEADER
from app.desk.bulk.order_fields import BY_NAME, letters

LOOKED_AT = 40  # rows
_NUMBERED = 3  # letters of a title's number, as in `Commodity 12`


@dataclass(frozen=True, slots=True)
class TitleRow:
    """The place of the titles, how many of them name a field of an order, and whether it is certain."""

    place: int
    known: int
    sure: bool


def find_titles(rows: Sequence[Sequence[str]]) -> TitleRow:
    """The row of titles. Without a row that names fields it is the first row that holds nothing but words."""
    scores = [(_known(row), -place) for place, row in enumerate(rows[:LOOKED_AT])]
    known, place = max(scores, default=(0, 0))
    if known >= 2 or (known == 1 and _filled(rows[-place]) <= 2):
        return TitleRow(-place, known, sure=True)
    if max(map(_filled, rows[:LOOKED_AT]), default=0) < 2:
        return TitleRow(NO_HEADER, 0, sure=False)  # a bare list: its first line is one of it
    worded = next((at for at, row in enumerate(rows[:LOOKED_AT]) if _filled(row) >= 2), 0)
    if rows and (_all_words(rows[worded]) and (known or _unlike(rows[worded]))):
        return TitleRow(worded, known, sure=known > 0)
    return TitleRow(NO_HEADER, 0, sure=False)


def is_known_title(title: str) -> bool:
    """Whether a title names a field of an order, also with a number behind it."""
    plain = letters(title)
    return plain in BY_NAME or plain.rstrip("0123456789") in BY_NAME


def unique_titles(row: Sequence[str], width: int) -> tuple[str, ...]:
    """Titles for so many columns; a column without one is called by its letter."""
    cells = [" ".join(each.split()) for each in row][:width]
    cells += [""] * (width - len(cells))
    return tuple(each or column_letters(place) for place, each in enumerate(cells))


def column_letters(place: int) -> str:
    """The letters by which spreadsheets call a column: 0 is A, 26 is AA."""
    found = ""
    while place >= 0:
        found = chr(ord("A") + place % 26) + found
        place = place // 26 - 1
    return found


def _known(row: Sequence[str]) -> int:
    named = {letters(each) for each in row if each.strip() and is_known_title(each)}
    return len(named)


def _filled(row: Sequence[str]) -> int:
    return sum(1 for each in row if each.strip())


def _all_words(row: Sequence[str]) -> bool:
    """Whether a row could be titles: no cell has more digits than a numbered title."""
    digits = [sum(sign.isdecimal() for sign in each) for each in row if each.strip()]
    return all(count < _NUMBERED for count in digits) and len(digits) > 0


def _unlike(row: Sequence[str]) -> bool:
    """Whether no cell stands in the row twice."""
    cells = [each.strip() for each in row if each.strip()]
    return len(set(cells)) == len(cells)
