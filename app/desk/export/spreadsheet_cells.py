"""Cells for a spreadsheet: the text of a value, and the guard that keeps it from running as a formula.

Numbers and dates are values and are never guarded. A text that a spreadsheet would take for a formula
(pitfall 25) gets an apostrophe before it wherever the file cannot say that it is text: in CSV, and in the plain text on
the clipboard. XLSX and the clipboard's table can say so, and keep every text letter for letter.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TypeGuard

from app.desk.text.pasted_cells import write_block
from app.translation import translate

Value = str | int | float | bool | date | datetime | None

# A spreadsheet may skip blanks and invisible marks before the sign; some take the wide forms as well.
_FORMULA = re.compile(r"[\s\x00-\x1f\u200b\ufeff]*[=+\-@＝＋－＠]|[\t\r\n]")
# A text that already begins as a guarded one gets a further apostrophe, so that reading takes away what writing put.
_GUARDED = re.compile(f"'*(?:{_FORMULA.pattern})")
# No spreadsheet reads a date before 1900, and a number of more than 15 digits loses the last ones there.
_FIRST_DAY = date(1900, 3, 1)
# Spreadsheets keep 15 digits of a number; a longer one is written as text.
_WHOLE = 10**15
_DAY_NOUGHT = datetime(1899, 12, 30)
_DAY, _MOMENT, _MSO = "YYYY-MM-DD", "YYYY-MM-DD HH:MM:SS", "mso-number-format:"


@dataclass(frozen=True, slots=True)
class Table:
    """A table for the clipboard: `text` for any program, `html` for spreadsheets, which keep the types."""

    text: str
    html: str


def looks_like_formula(text: str) -> bool:
    """Whether a spreadsheet that is handed this text may run it."""
    return _FORMULA.match(text) is not None


def guarded(text: str) -> str:
    """The text, with an apostrophe before it if a spreadsheet may run it; `unguarded` gives it back."""
    return f"'{text}" if _GUARDED.match(text) else text


def unguarded(text: str) -> str:
    """The text that was meant where it was guarded."""
    return text[1:] if text.startswith("'") and _GUARDED.match(text, 1) else text


def date_only(moment: datetime) -> bool:
    """Whether the provider gave a day rather than a time: its dates come as midnight."""
    return moment.time() == time()


def fits_number(value: Value) -> TypeGuard[int | float]:
    """Whether a spreadsheet holds this number exactly. A bool is no number: it is written as a word."""
    if isinstance(value, bool):
        return False
    if isinstance(value, float):
        return math.isfinite(value)  # no spreadsheet has a cell for an infinite number
    return isinstance(value, int) and abs(value) < _WHOLE


def fits_date(value: Value) -> TypeGuard[date]:
    """Whether this is a day that a spreadsheet knows."""
    return isinstance(value, date) and (value.date() if isinstance(value, datetime) else value) >= _FIRST_DAY


def written(value: Value) -> str:
    """A value as text, with dates in the form that spreadsheets of any language read."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return translate("Yes") if value else translate("No")
    if isinstance(value, datetime):
        return value.date().isoformat() if date_only(value) else value.isoformat(" ", "seconds")
    return value.isoformat() if isinstance(value, date) else f"{value}"


def cell_text(value: Value, *, exact: bool = False) -> str:
    """A cell of a file that cannot tell text from a formula; `exact` leaves the guard out."""
    return written(value) if exact or not isinstance(value, str) else guarded(value)


def clipboard_table(titles: Sequence[str], rows: Iterable[Sequence[Value]]) -> Table:
    """A table for the clipboard, with its titles above. Pasting it runs nothing.

    The plain text is guarded and quoted as spreadsheets do. The other says of each cell what it is, in the words of
    Excel and of LibreOffice, so that a ZIP keeps its zeros and a date is a date; they make one blank of several.
    """
    whole: list[Sequence[Value]] = [list(titles), *rows]
    text = write_block([[cell_text(value) for value in row] for row in whole])
    lines = ("".join(map(_html_cell, row)) for row in whole)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return Table(text, f'<html><head><meta charset="utf-8"></head><body><table>{body}</table></body></html>')


def _html_cell(value: Value) -> str:
    """LibreOffice reads `sdval` and `sdnum`, Excel the style; both read the words where they know no better."""
    from html import escape  # brings the names of 2,000 characters, a quarter of a megabyte: only who copies needs it

    words = escape(written(value)).replace("\r\n", "\n").replace("\n", "<br>")
    if value is None:
        return "<td></td>"
    if fits_number(value):
        return f'<td sdval="{value}" sdnum="1033;">{words}</td>'
    if fits_date(value):
        format_ = _MOMENT if isinstance(value, datetime) and not date_only(value) else _DAY
        return f'<td sdval="{_serial(value)}" sdnum="1033;1033;{format_}" style="{_MSO}\'{format_}\'">{words}</td>'
    return f'<td sdnum="1033;0;@" style="{_MSO}\'\\@\'">{words}</td>'


def _serial(value: date) -> float:
    """The number that spreadsheets keep a date as."""
    whole = value if isinstance(value, datetime) else datetime.combine(value, time())
    return (whole - _DAY_NOUGHT) / timedelta(days=1)
