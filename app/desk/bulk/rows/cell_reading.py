"""Reads a cell as a field: translated, in the form that an order takes, and looked at for a spreadsheet's damage.

Spreadsheets take texts for numbers and dates: a ZIP loses its first zero, a long number all but fifteen digits, a code
such as MAR1 becomes a day. Such a cell has a sentence, and a proposal where there is one.
"""

import re
from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from app.desk.bulk import bulk_words as words
from app.desk.bulk.files.lost_cells import NO_VALUE
from app.desk.bulk.mapping.cell_forms import Trouble, read_day, read_number
from app.desk.bulk.mapping.column_mapping import ColumnMapping
from app.desk.bulk.order_fields import STATE_NAMES, OrderField

# The letters of `file_tables.KINDS`. A cell that a person typed is taken as typed.
TEXT, NUMBER, DAY, MOMENT, TYPED = ord("t"), ord("n"), ord("d"), ord("m"), ord("p")
ERROR = ord("e")
_MOST_KEPT = 20_000  # texts; a column of references has no repetitions and would fill the memory
_MOST_DIGITS = 15  # of a number in a spreadsheet

_SHORTENED = re.compile(r"[+-]?\d(?:[.,]\d+)?[eE]\+?\d{1,3}", re.ASCII)
_ERROR = re.compile(r"#(?:N/A|REF!|VALUE!|NAME\?|DIV/0!|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA|#+)")
_NOTHING = re.compile(r"nan|none|null|n/a|na|<na>|nil|undefined", re.IGNORECASE)
_WHOLE = re.compile(r"(\d+)[.,]0+", re.ASCII)
_DAY_LIKE = re.compile(
    r"\d{1,2}-(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*(?:-\d{2,4})?"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*-\d{2,4}",
    re.IGNORECASE,
)
_MISREAD = re.compile("[ÃÂ][\u0080-\u00bf‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€")
_SHORT_ZIP, _SHORT_LONG_ZIP = re.compile(r"\d{3,4}", re.ASCII), re.compile(r"\d{7,8}", re.ASCII)
_SHORT_WITH_MORE = re.compile(r"\d{3,4}-\d{4}", re.ASCII)
_ELEVEN = re.compile(r"\d{11}", re.ASCII)
_FLAGS = {
    **dict.fromkeys(("true", "yes", "y", "1", "x", "on", "t", "ja", "oui", "sí", "si", "wahr", "vrai"), "true"),
    **dict.fromkeys(("false", "no", "n", "0", "off", "f", "nein", "non", "nee", "falsch", "faux"), "false"),
}


class ReadCell(NamedTuple):
    """The text for the draft, and what is wrong or doubtful about the cell."""

    value: str
    trouble: Trouble | None


class CellReader:
    """Reads the cells of one field. What was read is kept by text, because columns repeat themselves."""

    def __init__(self, field: OrderField, mapping: ColumnMapping) -> None:
        self._field = field
        self._decimal, self._dates = mapping.decimal, mapping.dates
        self._translations = _folded(mapping.translations.get(field.path, {}))
        self._today = date.today()
        self._kept: dict[tuple[str, int], ReadCell] = {}

    def read(self, text: str, kind: int) -> ReadCell:
        """The cell as the field's value; `kind` is one of the letters above."""
        found = self._kept.get((text, kind))
        if found is None:
            if len(self._kept) > _MOST_KEPT:
                self._kept.clear()
            found = self._kept[text, kind] = self._read(text, kind)
        return found

    def _read(self, text: str, kind: int) -> ReadCell:
        plain = text.strip()
        # First of all: a translation is what a person, or the mapping, said about exactly this text.
        if (told := self._translations.get(plain.casefold())) is not None:
            return ReadCell(told, None)
        if not plain:
            return ReadCell("", None)
        if (trouble := _general(plain, kind)) is not None:
            return ReadCell(text, trouble)
        match self._field.shape:
            case "number":
                return self._read_number(text, plain, kind)
            case "date":
                return ReadCell(*read_day(plain, self._dates, self._today))
            case "flag":
                return ReadCell(_FLAGS.get(plain.casefold(), text), None)
            case "choice":
                return ReadCell(plain.upper(), None)
        return ReadCell(text, None if kind == TYPED else _damage(self._field, plain, kind))

    def _read_number(self, text: str, plain: str, kind: int) -> ReadCell:
        if kind == NUMBER:
            return ReadCell(plain, None)
        if kind in (DAY, MOMENT):
            return ReadCell(text, Trouble(words.became_a_day(plain), "day"))
        if kind != TYPED and _SHORTENED.fullmatch(plain):
            return ReadCell(text, Trouble(words.shortened(plain), "shortened"))
        return ReadCell(*read_number(text, self._decimal))


def _folded(values: Mapping[str, str]) -> dict[str, str]:
    return {old.strip().casefold(): new for old, new in values.items()}


def _general(plain: str, kind: int) -> Trouble | None:
    """The faults of a cell that no field allows."""
    if "\ufffd" in plain:
        return Trouble(words.LOST_LETTERS, "lost")
    # Nothing below is a spreadsheet's doing where a person typed the cell.
    if kind == TYPED:
        return None
    if plain == NO_VALUE:
        return Trouble(words.NO_RESULT, "formula")
    if kind == ERROR or (plain.startswith("#") and _ERROR.fullmatch(plain)):
        return Trouble(words.spreadsheet_error(plain), "error")
    # A doubt only: Null is a family's name, and NA a code.
    if len(plain) <= 9 and _NOTHING.fullmatch(plain):
        return Trouble(words.stands_for_nothing(plain), "nothing", doubt=True)
    if not plain.isascii() and _MISREAD.search(plain):
        return Trouble(words.MISREAD, "misread", doubt=True)
    return None


def _damage(field: OrderField, plain: str, kind: int) -> Trouble | None:
    """The damage that a spreadsheet may have done to a text."""
    if kind in (DAY, MOMENT):
        return Trouble(words.became_a_day(plain), "day")
    if not field.sort:
        return None
    if field.sort == "state":
        proposal = STATE_NAMES.get(plain.casefold(), "")
        return Trouble(words.state_in_full(plain, proposal), "state", proposal) if proposal else None
    if kind == NUMBER and len(plain.lstrip("-").partition(".")[0]) > _MOST_DIGITS:
        return Trouble(words.digits_lost(plain), "digits")
    if _SHORTENED.fullmatch(plain):
        return Trouble(words.shortened(plain), "shortened")
    if kind == TEXT and _DAY_LIKE.fullmatch(plain):
        return Trouble(words.may_be_a_day(plain), "day", doubt=True)
    if whole := _WHOLE.fullmatch(plain):
        # pandas writes a column of ZIPs with gaps as 2134.0: the fraction came, and the zero went.
        bare = whole[1].zfill(5) if field.sort == "zip" and len(whole[1]) in (3, 4) else whole[1]
        return Trouble(words.became_a_number(plain, bare), "whole", bare, doubt=True)
    if field.sort == "zip":
        return _zip_damage(plain)
    if field.path.endswith(".barcode") and _ELEVEN.fullmatch(plain) and _is_upc(f"0{plain}"):
        return Trouble(words.zero_lost(plain, f"0{plain}"), "barcode zero", f"0{plain}", doubt=True)
    return None


def _zip_damage(plain: str) -> Trouble | None:
    if _SHORT_ZIP.fullmatch(plain):
        whole = plain.zfill(5)
    elif _SHORT_LONG_ZIP.fullmatch(plain):
        whole = f"{plain.zfill(9)[:5]}-{plain.zfill(9)[5:]}"
    elif _SHORT_WITH_MORE.fullmatch(plain):
        whole = plain.zfill(10)
    else:
        return None
    return Trouble(words.zero_lost(plain, whole), "zip zero", whole, doubt=True)


def _is_upc(digits: str) -> bool:
    """Whether the last digit checks the eleven before it, as in a UPC."""
    weighed = sum(int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(digits[:-1]))
    return (10 - weighed % 10) % 10 == int(digits[-1])
