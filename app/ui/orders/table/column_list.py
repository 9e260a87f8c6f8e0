"""The columns of the orders table as data: how each is read and formatted, and which of them are shown at first.

Invariant: a column's name is the name of its field in the store, except of the computed columns `state`, `list`,
`late` and `why`. Sortings and kept arrangements refer to it.

To add a column: a line in `_TABLE_COLUMNS` for a field of the table `orders`, or in `raw_columns.RAW_COLUMNS` for a
raw field (`store.cache.schema.raw_fields`). A computed column needs a line in `order_rows.SORTS` too.
"""

from functools import partial

from app.contract.codes import FOLDER_TYPE_WORDS, ORDER_STATE_WORDS
from app.desk.filter.filter_words import LISTS
from app.desk.sending.outstanding_orders import OutboxLine
from app.translation import translate
from app.ui.orders import orders_words as words
from app.ui.orders.table.column_kinds import (
    Elide,
    Line,
    OrderColumn,
    Value,
    flag,
    in_one_line,
    moments,
    optional_field_of,
    optional_text,
    plain,
)
from app.ui.orders.table.raw_columns import RAW_COLUMNS
from app.ui.orders.table.why_column import why_exact, why_ink, why_text
from app.ui.outbox.outbox_words import look_of, spoken_among_orders, tooltip_among_orders, word_among_orders
from app.ui.theme.tokens import STATE_LOOKS, UNKNOWN_STATE_LOOK
from app.ui.widgets.text.labels import ink_of, visible
from app.ui.widgets.text.times import moment, today

__all__ = [
    "ALL_COLUMNS",
    "BY_NAME",
    "COMPLETED_COLUMNS",
    "GROUPS",
    "OPEN_COLUMNS",
    "Line",
    "OrderColumn",
    "changed_words",
    "key_of",
]


def key_of(line: Line) -> int:
    """The key of a row: an order's number, or the negative id of a write. No order has a number below zero."""
    return -line.write.id if isinstance(line, OutboxLine) else line.number


def state_text(line: Line) -> str:
    """Glyph, code and word of the state: colour is never the only sign."""
    if isinstance(line, OutboxLine):
        return word_among_orders(line.write, blocked=line.blocked)
    code = line.state or ""
    glyph = STATE_LOOKS.get(code, UNKNOWN_STATE_LOOK)[0]
    word = line.status or ORDER_STATE_WORDS.get(code, words.NO_STATE)
    return visible(f"{glyph} {code} {word}".strip())


def state_exact(line: Line) -> str:
    """The state, and for a row of the outbox the meaning of it."""
    if isinstance(line, OutboxLine):
        return visible(tooltip_among_orders(line.write, blocked=line.blocked))
    return state_text(line)


def state_ink(line: Line) -> str:
    """The colour token of the state."""
    if isinstance(line, OutboxLine):
        return ink_of(look_of(line.write, blocked=line.blocked)[1])
    return STATE_LOOKS.get(line.state or "", UNKNOWN_STATE_LOOK)[1]


def state_spoken(line: Line) -> str:
    """The state of a row of the outbox, as a screen reader says it."""
    return spoken_among_orders(line.write, blocked=line.blocked) if isinstance(line, OutboxLine) else ""


def days_late(line: Line) -> int:
    """By how many days an order is, or was, later than scheduled or requested; 0 if it is not late."""
    if isinstance(line, OutboxLine) or line.state == "CAN":
        return 0
    due = line.scheduled_delivery or line.requested_delivery
    if due is None:
        return 0
    end = today() if line.delivered_at is None else line.delivered_at.date()
    return max((end - due.date()).days, 0)


def _late(line: Line) -> str:
    days = days_late(line)
    return words.late_by(days) if days else ""


def _late_exact(line: Line) -> str:
    days = days_late(line)
    if not days or isinstance(line, OutboxLine):
        return ""
    due = line.scheduled_delivery or line.requested_delivery
    # A completed order may lack the day of delivery. "Not delivered yet" would then claim what nobody has said.
    told = bool(line.is_delivered) or line.state == "CMP"
    scheduled = line.scheduled_delivery is not None
    return words.late_exactly(days, moment(due), moment(line.delivered_at), scheduled=scheduled, told=told)


def _late_ink(line: Line) -> str:
    return "bad" if days_late(line) else "ink"


def changed_words(line: Line) -> str:
    """Which columns changed since the order was last looked at; empty if none did."""
    if isinstance(line, OutboxLine) or not line.changed:
        return ""
    titles = [BY_NAME[name].title for name in line.changed.split() if name in BY_NAME]
    return words.changed_columns(", ".join(titles)) if titles else words.CHANGED


def _late_value(line: Line) -> Value:
    return days_late(line) or None


def _state_value(line: Line) -> Value:
    """The state for a spreadsheet: code and word, without the glyph."""
    if isinstance(line, OutboxLine):
        return state_exact(line)
    return " ".join(part for part in (line.state, line.status or ORDER_STATE_WORDS.get(line.state or "")) if part)


def _folder_words(codes: str) -> str:
    return "\n".join(f"{code} {FOLDER_TYPE_WORDS.get(code, 'Document')}" for code in codes.split())


def _folder_codes(codes: str) -> str:
    return " ".join(codes.split())


def _list(line: Line) -> str:
    return "Outbox" if isinstance(line, OutboxLine) else LISTS[line.list]


_MIDDLE = Elide.ElideMiddle
_TABLE_COLUMNS: tuple[OrderColumn, ...] = (
    OrderColumn(
        "state",
        translate("Status"),
        156,
        state_text,
        state_exact,
        ink=state_ink,
        spoken=state_spoken,
        value=_state_value,
    ),
    plain("crn", translate("Reference"), 128, elide=_MIDDLE),
    plain("number", translate("Number"), 84, right=True),
    optional_text("pos", translate("POs"), 128, "Order", partial(optional_field_of, name="pos"), short=in_one_line),
    plain("bol", translate("BOL"), 104, elide=_MIDDLE),
    OrderColumn("list", translate("List"), 84, _list, _list),
    OrderColumn("why", translate("Why"), 300, why_text, why_exact, ink=why_ink, dated=True),
    plain("delivery_type", translate("Delivery"), 72),
    plain("brand", translate("Brand"), 104),
    plain("remarks", translate("Remarks"), 220),
    plain("consignee_name", translate("Consignee"), 172, "Consignee"),
    plain("street", translate("Street"), 160, "Consignee"),
    plain("city", translate("City"), 104, "Consignee"),
    plain("region", translate("State"), 52, "Consignee"),
    plain("zip", translate("ZIP"), 68, "Consignee"),
    plain("phone", translate("Phone"), 112, "Consignee"),
    OrderColumn(
        "late",
        translate("Late"),
        84,
        _late,
        _late_exact,
        "Dates",
        right=True,
        ink=_late_ink,
        value=_late_value,
        dated=True,
    ),
    moments("imported_at", translate("Imported")),
    moments("estimated_receive", translate("Receipt estimated")),
    flag("is_received", translate("Received?")),
    moments("received_at", translate("Received")),
    plain("received_by", translate("Received by"), 104, "Dates"),
    moments("requested_delivery", translate("Requested")),
    moments("scheduled_delivery", translate("Scheduled")),
    moments("loaded_at", translate("Loaded")),
    plain("loaded_by", translate("Loaded by"), 104, "Dates"),
    flag("is_delivered", translate("Delivered?")),
    moments("delivered_at", translate("Delivered")),
    plain("delivered_by", translate("Delivered by"), 104, "Dates"),
    plain("facility_name", translate("Facility"), 116, "Facility"),
    plain("facility_id", translate("Facility code"), 88, "Facility"),
    plain("carrier", translate("Carrier"), 128, "Carrier"),
    plain("manufacturer", translate("Manufacturer"), 128, "Manufacturer"),
    optional_text(
        "folders",
        translate("Documents"),
        128,
        "Documents",
        partial(optional_field_of, name="folders"),
        short=_folder_codes,
        full=_folder_words,
        copied=_folder_codes,
    ),
)
GROUPS = (
    *("Order", "Consignee", "Dates", "Facility", "Carrier", "Manufacturer"),
    *("Commodities", "Notes", "Documents"),
)
# By group, and within a group in the order of `_TABLE_COLUMNS`, then of `RAW_COLUMNS`.
ALL_COLUMNS: tuple[OrderColumn, ...] = tuple(
    sorted((*_TABLE_COLUMNS, *RAW_COLUMNS), key=lambda each: GROUPS.index(each.group))
)
BY_NAME: dict[str, OrderColumn] = {each.name: each for each in ALL_COLUMNS}
# In the order of their use: which order, for whom, by when, and what one looks up more seldom at the end.
_PLACE = ("city", "region", "zip", "facility_name", "delivery_type")
OPEN_COLUMNS: tuple[str, ...] = (
    *("state", "crn", "consignee_name", "late", "requested_delivery", "scheduled_delivery"),
    *(*_PLACE, "number", "imported_at"),
)
COMPLETED_COLUMNS: tuple[str, ...] = (
    *("state", "crn", "consignee_name", "delivered_at", "late", "requested_delivery"),
    *(*_PLACE, "number", "imported_at"),
)
