"""The columns of the orders table as data: title, how to read, how to show, how to sort."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt

from app.contract.codes import ORDER_STATE_WORDS
from app.desk.outstanding import OutboxLine
from app.store.cache_rows import OrderLine
from app.ui.outbox.words import ink_of, look_of, told_among_orders, word_among_orders
from app.ui.theme.tokens import STATE_LOOKS, UNKNOWN_STATE_LOOK
from app.ui.widgets.labels import visible
from app.ui.widgets.times import day, moment

Elide = Qt.TextElideMode
Line = OrderLine | OutboxLine


@dataclass(frozen=True, slots=True)
class OrderColumn:
    """`sort` is the store's name of the column; `exact` is what the tooltip says."""

    title: str
    width: int
    sort: str
    text: Callable[[Line], str]
    exact: Callable[[Line], str]
    elide: Elide = Elide.ElideRight
    right: bool = False
    state: bool = False
    grows: bool = False  # takes what the other columns leave


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


def _plain(
    title: str,
    width: int,
    name: str,
    elide: Elide = Elide.ElideRight,
    *,
    right: bool = False,
    grows: bool = False,
) -> OrderColumn:
    def read(line: Line) -> str:
        value = getattr(line, name)
        return "" if value is None else visible(str(value))

    return OrderColumn(title, width, name, read, read, elide, right, grows=grows)


def _date(title: str, name: str) -> OrderColumn:
    def short(line: Line) -> str:
        return day(getattr(line, name))

    def exact(line: Line) -> str:
        return moment(getattr(line, name))

    return OrderColumn(title, 104, name, short, exact)


_STATE = OrderColumn("Status", 144, "state", state_text, state_exact, state=True)
_COMMON = (
    _STATE,
    _plain("Reference", 128, "crn", Elide.ElideMiddle),
    _plain("Number", 84, "number", right=True),
    _plain("Consignee", 172, "consignee_name", grows=True),
    _plain("City", 104, "city"),
    _plain("State", 52, "region"),
    _plain("ZIP", 68, "zip"),
    _plain("Facility", 116, "facility_name"),
    _plain("Delivery", 72, "delivery_type"),
)
OPEN_COLUMNS: tuple[OrderColumn, ...] = (
    *_COMMON,
    _date("Imported", "imported_at"),
    _date("Requested", "requested_delivery"),
    _date("Scheduled", "scheduled_delivery"),
)
COMPLETED_COLUMNS: tuple[OrderColumn, ...] = (
    *_COMMON,
    _date("Delivered", "delivered_at"),
    _date("Requested", "requested_delivery"),
    _date("Imported", "imported_at"),
)
