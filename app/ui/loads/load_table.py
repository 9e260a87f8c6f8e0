"""The orders on a load as a table: how each stands, what was scanned of it, and its documents about the load."""

from collections.abc import Sequence

from app.contract.codes import ORDER_STATE_WORDS
from app.desk.loads.load_orders import LoadOrder
from app.desk.records.record_table import Record, RecordColumn, RecordTable
from app.ui.loads import loads_words as words
from app.ui.outbox.outbox_words import look_of

_MATCH, _MISMATCH = "✓", "!"
NUMBER, REFERENCE = "orderNumber", "reference"
_COLUMNS = (
    (REFERENCE, words.REFERENCE),
    ("scanned", words.SCANNED),
    ("documents", words.DOCUMENTS),
    ("consignee", words.CONSIGNEE),
    ("sent", words.SENT),
    ("state", words.STATE),
    (NUMBER, words.NUMBER),
)


def orders_table(orders: Sequence[LoadOrder]) -> RecordTable:
    """The orders as records with these columns."""
    columns = tuple(RecordColumn((name,), title, title, name == NUMBER, name == NUMBER) for name, title in _COLUMNS)
    return RecordTable(columns, tuple(map(_record, orders)))


def _record(order: LoadOrder) -> Record:
    look = look_of(order.write)
    return {
        REFERENCE: order.reference,
        "scanned": scanned_words(order),
        "documents": documents_words(order),
        "consignee": order.consignee,
        "sent": f"{look.glyph} {look.word}",
        "state": _state(order),
        NUMBER: None if order.order is None else order.order.number,
    }


def _state(order: LoadOrder) -> str:
    line = order.order
    return words.NOT_SEEN if line is None else line.status or ORDER_STATE_WORDS.get(line.state or "", line.state or "")


def scanned_words(order: LoadOrder) -> str:
    """`✓ 2 of 2 CHAIR`; an exclamation mark in front if other pieces were scanned than the freight says."""
    if not any(each.scanned for each in order.scanned):
        return words.NOTHING_SCANNED
    told = ", ".join(
        words.scanned_of(f"{each.scanned.normalize():,f}", f"{each.wanted.normalize():,f}", each.commodity)
        for each in order.scanned
    )
    return f"{_MATCH if order.matches else _MISMATCH} {told}"


def documents_words(order: LoadOrder) -> str:
    """The documents about too much or too little, by their kinds."""
    if order.order is None:
        return ""
    if order.hints is None:
        return words.UNKNOWN_DOCUMENTS
    return ", ".join(dict.fromkeys(each.kind for each in order.hints))
