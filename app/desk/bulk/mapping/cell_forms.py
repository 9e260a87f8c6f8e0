"""Numbers and dates as files write them, and the one form in which an order takes them.

Invariant: nothing is guessed. A text that could mean two things is taken only where the rest of the file, or a person,
says which one; otherwise it keeps its text and gets a sentence.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from app.desk.bulk import bulk_words as words
from app.desk.bulk.mapping.column_mapping import DateOrder, Decimal

_SPACES = str.maketrans("", "", "\u00a0\u202f\u2009 '’")
_GROUPED_BY_SPACE = re.compile(r"[+-]?\d{1,3}(?:[\u00a0\u202f\u2009 '’]\d{3})+(?:[.,]\d+)?", re.ASCII)
_GROUPED = {sign: re.compile(rf"[+-]?[1-9]\d{{0,2}}(?:\{sign}\d{{3}})+", re.ASCII) for sign in ".,"}
_SIGNED_DIGITS = re.compile(r"[+-]?\d*", re.ASCII)
_THREE = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}", re.ASCII)

_TIME = re.compile(
    r"(.*?)[T ,]+(\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[AaPp][Mm])?)(?:Z|[+-]\d{2}:?\d{2})?", re.ASCII
)
_YEAR_FIRST = re.compile(r"(\d{4})\s*([-/.年])\s*(\d{1,2})\s*(?:\2|月)\s*(\d{1,2})日?", re.ASCII)
_PACKED = re.compile(r"((?:19|20)\d{2})(\d{2})(\d{2})", re.ASCII)
_YEAR_LAST = re.compile(r"(\d{1,2})\s*([-/.])\s*(\d{1,2})\s*\2\s*(\d{4}|\d{2})", re.ASCII)
_DAY_FIRST = re.compile(
    r"(\d{1,2})(?:st|nd|rd|th|er|\.|º)?[\s/-]*(?:de |of )?([^\W\d_]+)\.?,?[\s/-]*(?:de )?(\d{4}|\d{2})"
)
_MONTH_FIRST = re.compile(r"([^\W\d_]+)\.?[\s-]*(\d{1,2})(?:st|nd|rd|th)?,?\s*(\d{4})")
_WEEKDAY = re.compile(r"[^\W\d_]+\.?,\s*(?=\d|[^\W\d_]+\.?\s*\d)")
_SERIAL = re.compile(r"\d{5}(?:\.\d+)?", re.ASCII)
_DAY_NOUGHT = date(1899, 12, 30)
_LONGEST_DAY = 100  # letters; the patterns above take the square of a text's length, and a cell may hold any text
_FIRST_SERIAL, _LAST_SERIAL = 36_526, 73_050  # 2000 to 2099
_MIDNIGHT = re.compile(r"0?0:00(?::00(?:[.,]0+)?)?|12:00(?::00)? ?[Aa][Mm]")

_MONTHS = (
    "jan januar january janvier enero gennaio januari jän jänner ene gen",
    "feb februar february février fevrier febrero febbraio februari fév fev févr",
    "mar march märz maerz mars marzo maart mär mrz mrt",
    "apr april avril abril aprile avr abr",
    "may mai mayo maggio mei mag",
    "jun june juni juin junio giugno giu",
    "jul july juli juillet julio luglio juil lug",
    "aug august août aout agosto augustus ago",
    "sep sept september septembre septiembre settembre set",
    "oct okt october oktober octobre octubre ottobre ott",
    "nov november novembre noviembre",
    "dec dez december dezember décembre decembre diciembre dicembre déc dic",
)
_MONTH_BY_NAME = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}


EXCHANGED = "exchanged"  # the rule of a doubt: day and month may be the other way round


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a cell was not taken for what it says, or is doubtful. `proposal` is a text that mends it."""

    sentence: str
    rule: str
    proposal: str = ""
    doubt: bool = False


# Numbers


def read_number(text: str, decimal: Decimal) -> tuple[str, Trouble | None]:
    """The number as an order takes it (`1234.5`); the text itself where it is none, or could be two."""
    plain = text.strip()
    # Most cells: without a sign there is nothing to tell apart.
    if "," not in plain and "." not in plain and plain.isalnum():
        return plain, None
    readings = _number_readings(plain)
    if not readings:
        return text, None  # the check of the order says that it is no number
    fitting = [value for value, sign in readings if sign in ("", decimal)]
    if len(fitting) == 1 or (fitting and len(readings) == 1):
        return fitting[0], None
    if len(readings) == 1:
        value, _ = readings[0]
        return (value, None) if not decimal else (text, Trouble(words.OTHER_DECIMAL, "decimal"))
    return text, Trouble(words.two_numbers(text, readings[0][0], readings[1][0]), "decimal")


def write_number(value: str, decimal: Decimal) -> str:
    """A number of an order as it is typed into a file with this decimal sign, so that `read_number` finds it again."""
    if decimal == ",":
        return value.replace(".", ",")
    # With three digits behind it the point could be one of thousands, while the file leaves that open.
    return f"{value}0" if not decimal and _THREE.fullmatch(value) else value


def find_decimal(texts: Iterable[str]) -> tuple[Decimal, bool]:
    """The decimal sign of the numbers of a file: empty where nothing or too much tells; and whether both occur."""
    told: set[str] = set()
    for text in texts:
        readings = _number_readings(text.strip())
        if len(readings) == 1:
            told.add(readings[0][1])
    told.discard("")
    if told == {"."}:
        return ".", False
    return (",", False) if told == {","} else ("", len(told) > 1)


def _number_readings(text: str) -> list[tuple[str, str]]:
    """The possible meanings of a text: each number with the decimal sign that it implies, empty for none."""
    if _GROUPED_BY_SPACE.fullmatch(text):
        text = text.translate(_SPACES)
    commas, points = text.count(","), text.count(".")
    if not commas and not points:
        return [(text, "")] if _SIGNED_DIGITS.fullmatch(text) and text.strip("+-") else []
    # Where both occur the last one is the decimal sign, in every country.
    if commas and points:
        decimal, group = (".", ",") if text.rindex(".") > text.rindex(",") else (",", ".")
        whole, _, fraction = text.partition(decimal)
        fits = _GROUPED[group].fullmatch(whole) and fraction.isdecimal() and fraction.isascii()
        return [(f"{whole.replace(group, '')}.{fraction}", decimal)] if fits else []
    sign, other = (",", ".") if commas else (".", ",")
    # 1,234 can be a thousand or one and a fraction: both readings are returned, and the caller decides.
    grouped = [(text.replace(sign, ""), other)] if _GROUPED[sign].fullmatch(text) else []
    if commas + points > 1:
        return grouped
    whole, _, fraction = text.partition(sign)
    fits = _SIGNED_DIGITS.fullmatch(whole) and fraction.isascii() and (fraction.isdecimal() or not fraction)
    plain = [(f"{whole or '0'}.{fraction}".rstrip("."), sign)] if fits and (whole or fraction) else []
    return plain + grouped


# Dates


def read_day(text: str, order: DateOrder, today: date | None = None) -> tuple[str, Trouble | None]:
    """The day as an order takes it (`YYYY-MM-DD`); the text itself where it is none, or could be two.

    With `today`, a day that is over is a doubt where it would be still to come with day and month exchanged: one odd
    date in a file tells the order of all others.
    """
    plain = _one_line(text)
    # Only days of this century, so that a ZIP or a count in a column of dates is not taken for a day.
    if _SERIAL.fullmatch(plain) and _FIRST_SERIAL <= float(plain) <= _LAST_SERIAL:
        day = (_DAY_NOUGHT + timedelta(days=int(float(plain)))).isoformat()
        return text, Trouble(words.serial_day(plain, day), "serial", day)
    time = _TIME.fullmatch(plain)
    found = _days(time[1].strip() if time else plain)
    days = {day: kind for kind, day in found.items() if day is not None}
    if not days:
        return text, None  # the check of the order says that it is no date
    if len(days) > 1:
        chosen = found.get(order) if order else None
        if chosen is None:
            return text, Trouble(words.two_days(text, *sorted(days)), "dates")
        other = next(day for day in days if day != chosen)
        if today is not None and chosen < today.isoformat() <= other:
            return chosen, Trouble(words.perhaps_exchanged(text, chosen, other), EXCHANGED, other, doubt=True)
    else:
        (chosen,) = days
        if order in ("mdy", "dmy") and len(found) > 1 and found.get(order) is None:
            return text, Trouble(words.other_date_order(text, chosen), "date order", chosen)
    if time and not _MIDNIGHT.fullmatch(time[2]):
        return chosen, Trouble(words.time_left_out(time[2]), "time", doubt=True)
    return chosen, None


def find_date_order(texts: Iterable[str]) -> tuple[DateOrder, bool]:
    """The order of day and month in the dates of a file, and whether both orders occur.

    The order is empty where nothing tells it, or too much.
    """
    told: set[str] = set()
    for text in texts:
        plain = _one_line(text)
        time = _TIME.fullmatch(plain)
        found = _days(time[1].strip() if time else plain)
        kinds = [kind for kind, day in found.items() if day is not None]
        # 13/05 can have one order only, and so tells that of all. With points, the day is first wherever they are used.
        if len(found) > 1 and (len(kinds) == 1 or "." in plain):
            told.add("dmy" if "." in plain and "dmy" in kinds else kinds[0])
    if told == {"mdy"}:
        return "mdy", False
    return ("dmy", False) if told == {"dmy"} else ("", len(told) > 1)


def _one_line(text: str) -> str:
    """The text with single blanks; empty where it is too long for a day."""
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST_DAY else ""


def _days(text: str) -> dict[str, str | None]:
    """The possible meanings of a text, by the order of its parts; two entries where day and month may be exchanged."""
    if found := _YEAR_FIRST.fullmatch(text):
        return {"ymd": _day(found[1], found[3], found[4])}
    if found := _PACKED.fullmatch(text):
        return {"ymd": _day(found[1], found[2], found[3])}
    if found := _YEAR_LAST.fullmatch(text):
        year = found[4] if len(found[4]) == 4 else f"20{found[4]}"
        both = {"mdy": _day(year, found[1], found[3]), "dmy": _day(year, found[3], found[1])}
        return {"mdy": None, "dmy": both["dmy"]} if found[2] == "." and both["dmy"] else both
    bare = _WEEKDAY.sub("", text, count=1)
    if found := _DAY_FIRST.fullmatch(bare):
        return _named(found[3], found[2], found[1])
    if found := _MONTH_FIRST.fullmatch(bare):
        return _named(found[3], found[1], found[2])
    return {}


def _named(year: str, month: str, day: str) -> dict[str, str | None]:
    number = _MONTH_BY_NAME.get(month.casefold())
    if number is None:
        return {}
    return {"named": _day(year if len(year) == 4 else f"20{year}", str(number), day)}


def _day(year: str, month: str, day: str) -> str | None:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None
