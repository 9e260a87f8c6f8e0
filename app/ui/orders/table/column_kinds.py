"""What a column of the orders table is, and the kinds there are: texts, dates, flags, and what is asked for apart.

What is asked for apart and was not told yet is not nothing: it stands as a soft dash with a sentence that says when it
comes, and as no value at all in a copy or a file.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from typing import Any

from PySide6.QtCore import Qt

from app.desk.sending.outstanding_orders import OutboxLine
from app.store.cache.order_rows import OrderLine
from app.ui.widgets.text.labels import visible
from app.ui.widgets.text.times import day, moment, nearness

Elide = Qt.TextElideMode
Line = OrderLine | OutboxLine
Read = Callable[[Line], str]
Value = str | int | float | bool | date | datetime | None
Get = Callable[[Line], Any]

UNKNOWN, NONE = "–", "None"
_COMES = "Not known yet. It comes when the order is opened."
_ABSENT: Any = object()  # what was not read, or a write has not
DATE_WIDTH = 176


def nothing(_line: Line) -> str:
    """Nothing stands beside most values."""
    return ""


def plain_ink(_line: Line) -> str:
    """Most text is ink."""
    return "ink"


@dataclass(frozen=True, slots=True)
class OrderColumn:
    """`exact` is what the tooltip says, `aside` what stands softly beside the value where there is room for both.

    `missing` says why there is no value yet, where one is to come.
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
    spoken: Read = nothing  # instead of the text, where a screen reader needs more than it
    value: Callable[[Line], Value] | None = None  # with its type, where that is more than text
    missing: Read = nothing

    def copied(self, line: Line) -> Value:
        """The value for a spreadsheet: its own type, letter for letter as the provider has it."""
        return self.text(line) if self.value is None else self.value(line)

    def told(self, line: Line) -> str:
        """The value in words, as exactly as it is known; empty while it is not."""
        return "" if self.missing(line) else self.exact(line) or self.text(line)


# Where a value is found


def of_line(line: Line, name: str) -> Any:
    """What the table of orders holds."""
    return getattr(line, name, None)


def of_order(line: Line, name: str) -> Any:
    """The same of what is asked for apart: of a write of the outbox nothing more is to come."""
    value = of_line(line, name)
    return _ABSENT if value is None and isinstance(line, OutboxLine) else value


def of_parts(line: Line, name: str) -> Any:
    """What the order's own text holds, as far as it was read for this row."""
    return _ABSENT if line.raw_fields is None or name not in line.raw_fields else line.raw_fields[name]


# Kinds of columns


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
    """A text or a number as it is."""
    value = _found(get or partial(of_line, name=name))

    def read(line: Line) -> str:
        found = value(line)
        return "" if found is None else visible(str(found))

    return OrderColumn(name, title, width, read, read, group, elide, right, value=value)


def moments(name: str, title: str, group: str = "Dates") -> OrderColumn:
    """A day, with the time in full beside it."""
    get = partial(of_line, name=name)
    return OrderColumn(
        name,
        title,
        DATE_WIDTH,
        lambda line: day(get(line)),
        lambda line: exact_moment(get(line)),
        group,
        aside=lambda line: nearness(get(line)),
        value=get,
    )


def exact_moment(when: datetime | None) -> str:
    """`Mon 24 Nov 2026 14:02, yesterday`."""
    near = nearness(when)
    return f"{moment(when)}, {near}" if near else moment(when)


def flag(name: str, title: str) -> OrderColumn:
    """Yes or no."""

    def read(line: Line) -> str:
        value = of_line(line, name)
        return "" if value is None else "Yes" if value else "No"

    return OrderColumn(name, title, 76, read, read, "Dates", value=partial(of_line, name=name))


def apart(
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
    """Texts that are asked for apart: `short` for the cell, `full` for its tooltip, `copied` for a spreadsheet."""

    def read(way: Callable[[str], str], line: Line) -> str:
        found = get(line)
        return "" if found is None or found is _ABSENT else way(str(found)) or NONE

    def text(line: Line) -> str:
        return visible(read(short, line)) or _instead(get(line))

    def exact(line: Line) -> str:
        return visible(read(full, line))

    def value(line: Line) -> Value:
        return read(copied, line) or None

    return _apart(OrderColumn(name, title, width, text, exact, group, value=value), get)


def apart_figure(name: str, title: str, width: int, group: str, get: Get) -> OrderColumn:
    """A number that is asked for apart."""

    def text(line: Line) -> str:
        found = get(line)
        return _instead(found) if found is _ABSENT or found is None else f"{found:,}"

    def exact(line: Line) -> str:
        return "" if get(line) is None else text(line)

    return _apart(OrderColumn(name, title, width, text, exact, group, right=True, value=_found(get)), get)


def apart_moment(name: str, title: str, group: str, get: Get) -> OrderColumn:
    """A day that is asked for apart; empty text where it is known that there is none."""

    def when(line: Line) -> datetime | None:
        found = get(line)
        return found if isinstance(found, datetime) else None

    def text(line: Line) -> str:
        return day(when(line)) or _instead(get(line))

    def exact(line: Line) -> str:
        return exact_moment(when(line)) or ("" if get(line) is None else text(line))

    def aside(line: Line) -> str:
        return nearness(when(line))

    return _apart(OrderColumn(name, title, DATE_WIDTH, text, exact, group, aside=aside, value=when), get)


def in_one_line(text: str) -> str:
    """Values that are kept a line each."""
    return text.replace("\n", ", ")


def _found(get: Get) -> Get:
    def found(line: Line) -> Any:
        value = get(line)
        return None if value is _ABSENT else value

    return found


def _instead(found: Any) -> str:
    """What stands for a value that is not there; empty when it is."""
    return "" if found is _ABSENT else UNKNOWN if found is None else NONE if found == "" else ""


def _apart(column: OrderColumn, get: Get) -> OrderColumn:
    """The same column, saying softly what is not there."""

    def ink(line: Line) -> str:
        return "ink_soft" if _instead(get(line)) else "ink"

    def missing(line: Line) -> str:
        return _COMES if get(line) is None else ""

    return replace(column, ink=ink, spoken=missing, missing=missing)
