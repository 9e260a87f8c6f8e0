"""The type of a column, and functions that make columns of each kind: texts, dates, flags, optional values.

Invariant: a value that was not fetched yet is not an empty value. It shows as a soft dash, with a sentence that says
when it comes; a copy or a file has no value in its place.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from typing import Any

from PySide6.QtCore import Qt

from app.desk.sending.outstanding_orders import OutboxLine
from app.store.cache.order_rows import OrderLine
from app.translation import translate
from app.ui.orders import orders_words as words
from app.ui.widgets.text.labels import visible
from app.ui.widgets.text.times import day, moment, nearness

Elide = Qt.TextElideMode
Line = OrderLine | OutboxLine  # a row of the table, never a line of text
Read = Callable[[Line], str]
Value = str | int | float | bool | date | datetime | None
Get = Callable[[Line], Any]

UNKNOWN, NONE = "–", translate("None")
_ABSENT: Any = object()  # the query did not read the value, or the row is a write without one
DATE_WIDTH = 176


def nothing(_line: Line) -> str:
    """No text: the default of a column's optional texts."""
    return ""


def plain_ink(_line: Line) -> str:
    """The usual colour of text."""
    return "ink"


@dataclass(frozen=True, slots=True)
class OrderColumn:
    """A column: functions from a row to texts.

    `text` is the cell, `exact` its tooltip, `aside` a soft text beside the value if both fit, `missing` the reason why
    a value has not come yet.
    """

    name: str
    title: str
    width: int
    text: Read
    exact: Read
    group: str = "Order"
    elide: Elide = Elide.ElideRight
    right: bool = False
    aside: Read = nothing
    ink: Callable[[Line], str] = plain_ink
    spoken: Read = nothing  # for a screen reader, if the text does not suffice
    value: Callable[[Line], Value] | None = None  # the typed value, if it is not a text
    missing: Read = nothing
    dated: bool = False  # the text is another one on another day

    def copied(self, line: Line) -> Value:
        """The value for a spreadsheet, typed and unformatted."""
        return self.text(line) if self.value is None else self.value(line)

    def in_words(self, line: Line) -> str:
        """The value as exact text; empty while it is not known."""
        return "" if self.missing(line) else self.exact(line) or self.text(line)


# Reading a value from a row


def field_of(line: Line, name: str) -> Any:
    """A field of the table `orders`."""
    return getattr(line, name, None)


def optional_field_of(line: Line, name: str) -> Any:
    """A field of the table `orders` that the provider sends on request only. A write without a value never gets one."""
    value = field_of(line, name)
    return _ABSENT if value is None and isinstance(line, OutboxLine) else value


def raw_field_of(line: Line, name: str) -> Any:
    """A raw field (`store.cache.schema.raw_fields`); absent if the query did not read it, or a submission has none."""
    return _ABSENT if line.raw_fields is None or name not in line.raw_fields else line.raw_fields[name]


# Making columns


def plain(
    name: str,
    title: str,
    width: int,
    group: str = "Order",
    elide: Elide = Elide.ElideRight,
    *,
    right: bool = False,
    get: Get | None = None,
) -> OrderColumn:
    """A column of plain texts or numbers."""
    value = _found(get or partial(field_of, name=name))

    def read(line: Line) -> str:
        found = value(line)
        return "" if found is None else visible(str(found))

    return OrderColumn(name, title, width, read, read, group, elide, right, value=value)


def moments(name: str, title: str, group: str = "Dates") -> OrderColumn:
    """A column of days; the tooltip adds the time."""
    get = partial(field_of, name=name)
    return OrderColumn(
        name,
        title,
        DATE_WIDTH,
        lambda line: day(get(line)),
        lambda line: exact_moment(get(line)),
        group,
        aside=lambda line: nearness(get(line)),
        value=get,
        dated=True,
    )


def exact_moment(when: datetime | None) -> str:
    """`Mon 24 Nov 2026 14:02, yesterday`."""
    near = nearness(when)
    return f"{moment(when)}, {near}" if near else moment(when)


def flag(name: str, title: str) -> OrderColumn:
    """A column of yes and no."""

    def read(line: Line) -> str:
        value = field_of(line, name)
        return "" if value is None else words.YES if value else words.NO

    return OrderColumn(name, title, 76, read, read, "Dates", value=partial(field_of, name=name))


def optional_text(
    name: str,
    title: str,
    width: int,
    group: str,
    get: Get,
    *,
    short: Callable[[str], str] = str,
    full: Callable[[str], str] = str,
    copied: Callable[[str], str] = str,
) -> OrderColumn:
    """A column of optional or raw texts: `short` formats the cell, `full` the tooltip, `copied` the spreadsheet."""

    def read(way: Callable[[str], str], line: Line) -> str:
        found = get(line)
        return "" if found is None or found is _ABSENT else way(str(found)) or NONE

    def text(line: Line) -> str:
        return visible(read(short, line)) or _instead(get(line))

    def exact(line: Line) -> str:
        return visible(read(full, line))

    def value(line: Line) -> Value:
        return read(copied, line) or None

    return _with_unknown(OrderColumn(name, title, width, text, exact, group, value=value), get)


def optional_number(name: str, title: str, width: int, group: str, get: Get) -> OrderColumn:
    """A column of optional or raw numbers."""

    def text(line: Line) -> str:
        found = get(line)
        return _instead(found) if found is _ABSENT or found is None else f"{found:,}"

    def exact(line: Line) -> str:
        return "" if get(line) is None else text(line)

    return _with_unknown(OrderColumn(name, title, width, text, exact, group, right=True, value=_found(get)), get)


def optional_moment(name: str, title: str, group: str, get: Get) -> OrderColumn:
    """A column of optional or raw days; an empty text means that there is none."""

    def when(line: Line) -> datetime | None:
        found = get(line)
        return found if isinstance(found, datetime) else None

    def text(line: Line) -> str:
        return day(when(line)) or _instead(get(line))

    def exact(line: Line) -> str:
        return exact_moment(when(line)) or ("" if get(line) is None else text(line))

    def aside(line: Line) -> str:
        return nearness(when(line))

    return _with_unknown(
        OrderColumn(name, title, DATE_WIDTH, text, exact, group, aside=aside, value=when, dated=True), get
    )


def in_one_line(text: str) -> str:
    """Several values, stored a line each, in one line."""
    return text.replace("\n", ", ")


def _found(get: Get) -> Get:
    def found(line: Line) -> Any:
        value = get(line)
        return None if value is _ABSENT else value

    return found


def _instead(found: Any) -> str:
    """The text in place of a missing value; empty if there is a value."""
    return "" if found is _ABSENT else UNKNOWN if found is None else NONE if found == "" else ""


def _with_unknown(column: OrderColumn, get: Get) -> OrderColumn:
    """The column, with soft texts in place of unknown and empty values."""

    def ink(line: Line) -> str:
        return "ink_soft" if _instead(get(line)) else "ink"

    def missing(line: Line) -> str:
        return words.NOT_KNOWN_YET if get(line) is None else ""

    return replace(column, ink=ink, spoken=missing, missing=missing)
