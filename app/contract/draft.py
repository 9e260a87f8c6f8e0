"""An order as a person has typed it so far: strings only, under the contract's own names.

A draft holds exactly the typed text; `check.check_draft` lists its issues. The journal stores a draft as JSON, so
`from_dict` tolerates unknown and missing keys of drafts that another version of the program stored.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

FILLED = "filled"  # the one name here that the contract does not know
TRUE = "true"
FALSE = "false"


@dataclass(slots=True)
class ConsigneeDraft:
    """`consignee` of a submission."""

    consigneeName: str = ""
    streetAddress: str = ""
    streetAddress2: str = ""
    city: str = ""
    state: str = ""
    zip: str = ""
    phone1: str = ""
    phone2: str = ""
    email: str = ""


@dataclass(slots=True)
class FreightDraft:
    """One element of `freightDetails`; `volume` in cubic feet, `weight` in pounds, both for the whole line.

    `filled` names the cells that the program filled in and nobody has accepted. It is never sent.
    """

    commodity: str = ""
    count: str = ""
    volume: str = ""
    weight: str = ""
    filled: str = ""


@dataclass(slots=True)
class BarcodeDraft:
    """One element of `barcoding.barcodeItemDetails`."""

    commodity: str = ""
    barcode: str = ""
    count: str = ""
    description: str = ""
    groupBarcode: str = ""


@dataclass(slots=True)
class ReferenceDraft:
    """One element of `otherReferenceNumbers`."""

    type: str = ""
    value: str = ""


@dataclass(slots=True)
class BarcodingDraft:
    """`barcoding` of a submission."""

    receivingLoadNumber: str = ""
    barcodeItemDetails: list[BarcodeDraft] = field(default_factory=list)


@dataclass(slots=True)
class OrderDraft:
    """An order submission as typed. Dates are `YYYY-MM-DD`, the choice of facility "true" or "false".

    `filled` names the paths of fields that the program filled in and nobody has accepted. It is never sent.
    """

    orderReferenceNumber: str = ""
    poNumber: str = ""
    billToCode: str = ""
    manufacturerCode: str = ""
    providerFacilityCode: str = ""
    useConsigneeAddressToDetermineFaclityCode: str = FALSE
    consignee: ConsigneeDraft = field(default_factory=ConsigneeDraft)
    deliveryType: str = ""
    shipDate: str = ""
    estimatedReceiveDate: str = ""
    requestedDeliveryDate: str = ""
    intermediateConsignee: str = ""
    freightDetails: list[FreightDraft] = field(default_factory=list)
    barcoding: BarcodingDraft = field(default_factory=BarcodingDraft)
    otherReferenceNumbers: list[ReferenceDraft] = field(default_factory=list)
    deliveryInstructions: str = ""
    filled: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The draft as JSON-able data."""
        record = _plain(self) | {"consignee": _plain(self.consignee), "barcoding": _plain(self.barcoding)}
        record["freightDetails"] = [_plain(row) for row in self.freightDetails]
        record["barcoding"]["barcodeItemDetails"] = [_plain(row) for row in self.barcoding.barcodeItemDetails]
        record["otherReferenceNumbers"] = [_plain(row) for row in self.otherReferenceNumbers]
        return record

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "OrderDraft":
        """A draft from stored data. Unknown keys are ignored; missing ones keep their defaults."""
        barcoding = _mapping(data.get("barcoding"))
        draft = _strings(cls(), data)
        draft.consignee = _strings(ConsigneeDraft(), _mapping(data.get("consignee")))
        draft.freightDetails = [_strings(FreightDraft(), row) for row in _rows(data.get("freightDetails"))]
        draft.barcoding = _strings(BarcodingDraft(), barcoding)
        draft.barcoding.barcodeItemDetails = [
            _strings(BarcodeDraft(), row) for row in _rows(barcoding.get("barcodeItemDetails"))
        ]
        draft.otherReferenceNumbers = [
            _strings(ReferenceDraft(), row) for row in _rows(data.get("otherReferenceNumbers"))
        ]
        return draft


_Row = TypeVar("_Row", ConsigneeDraft, FreightDraft, BarcodeDraft, BarcodingDraft, ReferenceDraft, OrderDraft)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _rows(value: object) -> list[Mapping[str, Any]]:
    return [_mapping(row) for row in value] if isinstance(value, list) else []


# Read off each class once: a draft may have thousands of rows.
_NAMES: dict[type[Any], tuple[str, ...]] = {
    kind: tuple(each.name for each in fields(kind))
    for kind in (OrderDraft, ConsigneeDraft, FreightDraft, BarcodingDraft, BarcodeDraft, ReferenceDraft)
}


def _plain(record: Any) -> dict[str, Any]:
    """A record's own fields; nested records stay as they are. An empty `filled` is left out."""
    found = {name: getattr(record, name) for name in _NAMES[type(record)]}
    if not found.get(FILLED, True):
        del found[FILLED]
    return found


def _strings(target: _Row, data: Mapping[str, Any]) -> _Row:
    for name in _NAMES[type(target)]:
        value = data.get(name)
        if isinstance(value, str):
            setattr(target, name, value)
    return target
