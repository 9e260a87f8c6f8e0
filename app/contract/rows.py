"""The repeated rows of an order: what each means, and what is wrong with it by itself and beside others.

A row's issues name the column only (`count`); `issue_at` says where that is in the whole draft. What a row means
depends on nothing but its own text, so a row that has not changed need not be read again (see `recheck`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from app.contract.draft import BarcodeDraft, FreightDraft, OrderDraft, ReferenceDraft
from app.contract.reading import REQUIRED, Reading
from app.contract.shape import Issue

FREIGHT = "freightDetails"
BARCODES = "barcoding.barcodeItemDetails"
REFERENCES = "otherReferenceNumbers"

RowIssues = tuple[Issue, ...]


@dataclass(frozen=True, slots=True)
class RowRead:
    """What a row means as it would be sent, as far as it can be read, and its issues."""

    record: dict[str, object]
    issues: RowIssues


def _read_freight(line: FreightDraft) -> RowRead:
    reading = Reading([], FREIGHT)
    return _made(
        reading,
        commodity=reading.text("commodity", line.commodity, missing=REQUIRED),
        count=reading.number("count", line.count, above_zero=True, missing=REQUIRED),
        volume=reading.number("volume", line.volume, above_zero=False, missing=REQUIRED),
        weight=reading.number("weight", line.weight, above_zero=False),
    )


def _read_barcode(item: BarcodeDraft) -> RowRead:
    reading = Reading([], BARCODES)
    return _made(
        reading,
        commodity=reading.text("commodity", item.commodity, missing=REQUIRED),
        barcode=reading.text("barcode", item.barcode, missing=REQUIRED),
        count=reading.number("count", item.count, above_zero=True, missing=REQUIRED),
        description=reading.text("description", item.description),
        groupBarcode=reading.text("groupBarcode", item.groupBarcode),
    )


def _read_reference(reference: ReferenceDraft) -> RowRead:
    reading = Reading([], REFERENCES)
    return _made(
        reading,
        type=reading.text("type", reference.type, missing=REQUIRED),
        value=reading.text("value", reference.value, missing=REQUIRED),
    )


def _made(reading: Reading, **record: object) -> RowRead:
    return RowRead({name: value for name, value in record.items() if value is not None}, tuple(reading.issues))


# How a row of each list is read, in the contract's order of the lists.
READERS: dict[str, Callable[[Any], RowRead]] = {
    FREIGHT: _read_freight,
    BARCODES: _read_barcode,
    REFERENCES: _read_reference,
}


def rows_of(draft: OrderDraft, path: str) -> Sequence[FreightDraft | BarcodeDraft | ReferenceDraft]:
    """The rows of one of the lists."""
    match path:
        case "freightDetails":
            return draft.freightDetails
        case "barcoding.barcodeItemDetails":
            return draft.barcoding.barcodeItemDetails
        case _:
            return draft.otherReferenceNumbers


def commodities_of(lines: Iterable[FreightDraft]) -> frozenset[str]:
    """The commodity codes that barcodes may name."""
    return frozenset(line.commodity.strip() for line in lines) - {""}


def keys_of(items: Iterable[BarcodeDraft]) -> list[tuple[str, str]]:
    """Barcode and commodity of each row: all that matters to what is wrong with barcodes beside others."""
    return [(item.barcode.strip(), item.commodity.strip()) for item in items]


def across_barcodes(keys: Sequence[tuple[str, str]], commodities: frozenset[str]) -> dict[int, RowIssues]:
    """What is wrong with barcodes (`keys_of` them) beside the freight and beside one another, by row."""
    found: dict[int, RowIssues] = {}
    known = {"", *commodities}
    first_rows: dict[str, int] = {}
    for index, (barcode, commodity) in enumerate(keys):
        if commodity not in known:
            found[index] = (Issue("commodity", "Not among the freight of this order."),)
        if barcode and first_rows.setdefault(barcode, index) != index:
            said = Issue("barcode", f"Already on row {first_rows[barcode] + 1} of this order.")
            found[index] = (*found.get(index, ()), said)
    return found


def issue_at(path: str, index: int, issue: Issue) -> Issue:
    """A row's issue, placed in the draft."""
    return Issue(f"{path}[{index}].{issue.path}", issue.sentence)
