"""The columns of the orders table as data: every property of the service's order, how to read it and how to show it.

A column's name is the store's: what it sorts by, and what an arrangement of columns is kept with.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Any

from PySide6.QtCore import Qt

from app.contract.codes import FOLDER_TYPE_WORDS, ORDER_STATE_WORDS
from app.desk.outstanding import OutboxLine
from app.store.cache_rows import ListName, OrderLine
from app.ui.outbox.words import ink_of, look_of, spoken_among_orders, told_among_orders, word_among_orders
from app.ui.theme.tokens import STATE_LOOKS, UNKNOWN_STATE_LOOK
from app.ui.widgets.labels import visible
from app.ui.widgets.times import day, moment, nearness, today

Elide = Qt.TextElideMode
Line = OrderLine | OutboxLine
Read = Callable[[Line], str]
Value = str | int | float | bool | date | datetime | None


def nothing(_line: Line) -> str:
    """Nothing stands beside most values."""
    return ""


def plain_ink(_line: Line) -> str:
    """Most text is ink."""
    return "ink"


@dataclass(frozen=True, slots=True)
class OrderColumn:
    """`exact` is what the tooltip says, `aside` what stands softly beside the value where there is room for both."""

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

    def copied(self, line: Line) -> Value:
        """The value for a spreadsheet: its own type, letter for letter as the provider has it."""
        return self.text(line) if self.value is None else self.value(line)


def key_of(line: Line) -> int:
    """What a row is known by: an order by its number, a write by its own below zero, where no order's number is."""
    return -line.write.id if isinstance(line, OutboxLine) else line.number


def state_text(line: Line) -> str:
    """Glyph, code and word: colour is never the only sign."""
    if isinstance(line, OutboxLine):
        return word_among_orders(line.write, barred=line.barred)
    code = line.state or ""
    glyph = STATE_LOOKS.get(code, UNKNOWN_STATE_LOOK)[0]
    word = line.status or ORDER_STATE_WORDS.get(code, "No state given")
    return visible(f"{glyph} {code} {word}".strip())


def state_exact(line: Line) -> str:
    """The same, and what it means for an order that is in the outbox."""
    if isinstance(line, OutboxLine):
        return visible(told_among_orders(line.write, barred=line.barred))
    return state_text(line)


def state_ink(line: Line) -> str:
    """The colour token of the state."""
    if isinstance(line, OutboxLine):
        return ink_of(look_of(line.write, barred=line.barred)[1])
    return STATE_LOOKS.get(line.state or "", UNKNOWN_STATE_LOOK)[1]


def state_spoken(line: Line) -> str:
    """What a screen reader says of a row of the outbox."""
    return spoken_among_orders(line.write, barred=line.barred) if isinstance(line, OutboxLine) else ""


def days_late(line: Line) -> int:
    """By how many days an order is, or was, later than it was to be delivered; 0 when it is not late."""
    if isinstance(line, OutboxLine) or line.state == "CAN":
        return 0
    due = line.scheduled_delivery or line.requested_delivery
    if due is None:
        return 0
    end = today() if line.delivered_at is None else line.delivered_at.date()
    return max((end - due.date()).days, 0)


def _late(line: Line) -> str:
    days = days_late(line)
    return f"{days:,} day{'' if days == 1 else 's'}" if days else ""


def _late_exact(line: Line) -> str:
    days = days_late(line)
    if not days or isinstance(line, OutboxLine):
        return ""
    due = line.scheduled_delivery or line.requested_delivery
    how = "scheduled" if line.scheduled_delivery else "requested"
    ended = "not delivered yet" if line.delivered_at is None else f"delivered {moment(line.delivered_at)}"
    return f"{_late(line)} late: {how} for {moment(due)}, {ended}"


def _late_ink(line: Line) -> str:
    return "bad" if days_late(line) else "ink"


def changed_words(line: Line) -> str:
    """Which columns changed since the order was last looked at; empty when none did."""
    if isinstance(line, OutboxLine) or not line.changed:
        return ""
    titles = [BY_NAME[name].title for name in line.changed.split() if name in BY_NAME]
    return f"Changed since you last looked: {', '.join(titles)}." if titles else "Changed since you last looked."


def _late_value(line: Line) -> Value:
    return days_late(line) or None


def _state_value(line: Line) -> Value:
    """Code and word, without the glyph."""
    if isinstance(line, OutboxLine):
        return state_exact(line)
    return " ".join(part for part in (line.state, line.status or ORDER_STATE_WORDS.get(line.state or "")) if part)


def _value(line: Line, name: str) -> Any:
    return getattr(line, name, None)


def _plain(
    name: str,
    title: str,
    width: int,
    group: str = "Order",
    elide: Elide = Elide.ElideRight,
    *,
    right: bool = False,
) -> OrderColumn:
    def read(line: Line) -> str:
        value = _value(line, name)
        return "" if value is None else visible(str(value))

    return OrderColumn(name, title, width, read, read, group, elide, right, value=partial(_value, name=name))


def _date(name: str, title: str) -> OrderColumn:
    def short(line: Line) -> str:
        return day(_value(line, name))

    def beside(line: Line) -> str:
        return nearness(_value(line, name))

    def exact(line: Line) -> str:
        value = _value(line, name)
        near = nearness(value)
        return f"{moment(value)}, {near}" if near else moment(value)

    return OrderColumn(name, title, 176, short, exact, "Dates", aside=beside, value=partial(_value, name=name))


def _flag(name: str, title: str) -> OrderColumn:
    def read(line: Line) -> str:
        value = _value(line, name)
        return "" if value is None else "Yes" if value else "No"

    return OrderColumn(name, title, 76, read, read, "Dates", value=partial(_value, name=name))


def _several(name: str, title: str, width: int) -> OrderColumn:
    """Values that are kept a line each."""

    def read(line: Line) -> str:
        value = _value(line, name)
        return "" if value is None else visible(str(value).replace("\n", ", "))

    return OrderColumn(name, title, width, read, read, value=partial(_value, name=name))


def _folder_words(line: Line) -> str:
    codes = str(_value(line, "folders") or "").split()
    return "\n".join(f"{code} {FOLDER_TYPE_WORDS.get(code, 'Document')}" for code in codes)


def _folders(line: Line) -> str:
    known = _value(line, "folders")
    return "" if known is None else visible(" ".join(str(known).split())) or "None"


def _list(line: Line) -> str:
    return "Outbox" if isinstance(line, OutboxLine) else _LIST_WORDS[line.list]


_LIST_WORDS: dict[ListName, str] = {"open": "Open", "completed": "Completed", "other": "Closed"}
_MIDDLE = Elide.ElideMiddle
ALL_COLUMNS: tuple[OrderColumn, ...] = (
    OrderColumn(
        "state", "Status", 156, state_text, state_exact, ink=state_ink, spoken=state_spoken, value=_state_value
    ),
    _plain("crn", "Reference", 128, elide=_MIDDLE),
    _plain("number", "Number", 84, right=True),
    _several("pos", "POs", 128),
    _plain("bol", "BOL", 104, elide=_MIDDLE),
    OrderColumn("list", "List", 84, _list, _list),
    _plain("delivery_type", "Delivery", 72),
    _plain("brand", "Brand", 104),
    _plain("remarks", "Remarks", 220),
    _plain("consignee_name", "Consignee", 172, "Consignee"),
    _plain("street", "Street", 160, "Consignee"),
    _plain("city", "City", 104, "Consignee"),
    _plain("region", "State", 52, "Consignee"),
    _plain("zip", "ZIP", 68, "Consignee"),
    _plain("phone", "Phone", 112, "Consignee"),
    OrderColumn("late", "Late", 72, _late, _late_exact, "Dates", right=True, ink=_late_ink, value=_late_value),
    _date("imported_at", "Imported"),
    _date("estimated_receive", "Receipt estimated"),
    _flag("is_received", "Received?"),
    _date("received_at", "Received"),
    _plain("received_by", "Received by", 104, "Dates"),
    _date("requested_delivery", "Requested"),
    _date("scheduled_delivery", "Scheduled"),
    _date("loaded_at", "Loaded"),
    _plain("loaded_by", "Loaded by", 104, "Dates"),
    _flag("is_delivered", "Delivered?"),
    _date("delivered_at", "Delivered"),
    _plain("delivered_by", "Delivered by", 104, "Dates"),
    _plain("facility_name", "Facility", 116, "Facility"),
    _plain("facility_id", "Facility code", 88, "Facility"),
    _plain("carrier", "Carrier", 128, "Others"),
    _plain("manufacturer", "Manufacturer", 128, "Others"),
    OrderColumn("folders", "Documents", 128, _folders, _folder_words, "Others"),
)
BY_NAME: dict[str, OrderColumn] = {each.name: each for each in ALL_COLUMNS}
_COMMON = ("state", "crn", "number", "consignee_name", "city", "region", "zip", "facility_name", "delivery_type")
OPEN_COLUMNS: tuple[str, ...] = (*_COMMON, "late", "requested_delivery", "scheduled_delivery", "imported_at")
COMPLETED_COLUMNS: tuple[str, ...] = (*_COMMON, "delivered_at", "late", "requested_delivery", "imported_at")
