"""The records that Waybill sends, as services.md gives them. The rules of each field stand here, at its type.

Names are the wire's own, misspellings too. Every model is frozen and refuses fields that the contract does not name.
People never read these models' errors: `typed_fields` reads the rules off the fields, and `check` words each issue.
"""

import json
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictFloat,
    StrictInt,
    StringConstraints,
    field_validator,
    model_validator,
)

from app.contract.moments import read_date
from app.contract.order_rules import Issue, barcode_issues, facility_issues, load_issues

# The bounds stand on int and float alike, because the published schema drops bounds of a union.
Positive = Annotated[StrictInt, Field(gt=0)] | Annotated[StrictFloat, Field(gt=0, allow_inf_nan=False)]
NotNegative = Annotated[StrictInt, Field(ge=0)] | Annotated[StrictFloat, Field(ge=0, allow_inf_nan=False)]


def _text(limit: int | None) -> StringConstraints:
    return StringConstraints(min_length=1, max_length=limit, strict=True)


Text = Annotated[str, _text(None)]
Text2 = Annotated[str, _text(2)]
Text6 = Annotated[str, _text(6)]
Text10 = Annotated[str, _text(10)]
Text18 = Annotated[str, _text(18)]
Text20 = Annotated[str, _text(20)]
Text30 = Annotated[str, _text(30)]
Text50 = Annotated[str, _text(50)]
Text80 = Annotated[str, _text(80)]
Text100 = Annotated[str, _text(100)]
Text254 = Annotated[str, _text(254)]


def _refuse(issues: Sequence[Issue]) -> None:
    if issues:
        raise ValueError(f"{issues[0].path}: {issues[0].sentence}")


class Sent(BaseModel):
    """Base of every record that is sent."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Consignee(Sent):
    """Delivery address and contact."""

    consigneeName: Text100
    streetAddress: Text100
    streetAddress2: Text100 | None = None
    city: Text18
    state: Text2
    zip: Text10
    phone1: Text20
    phone2: Text20 | None = None
    email: Text30 | None = None


class FreightItem(Sent):
    """A commodity on the order. `volume` is the line's total in cubic feet, `weight` its total in pounds."""

    commodity: Text
    count: Positive
    volume: NotNegative
    weight: NotNegative | None = None


class BarcodeItem(Sent):
    """One barcode; its commodity is one of the order's freight commodities."""

    commodity: Text
    barcode: Text50
    count: Positive
    description: Text80 | None = None
    groupBarcode: Text50 | None = None


class Barcoding(Sent):
    """The inbound load and the barcodes on it."""

    receivingLoadNumber: Text50 | None = None
    barcodeItemDetails: tuple[BarcodeItem, ...] | None = None

    @model_validator(mode="after")
    def _load_once_there_are_barcodes(self) -> "Barcoding":
        _refuse(load_issues(self.receivingLoadNumber or "", len(self.barcodeItemDetails or ())))
        return self


class Reference(Sent):
    """An extra reference number."""

    type: Text
    value: Text


class OrderSubmission(Sent):
    """`POST /Order/submit`: updates the open order with this reference, or creates one."""

    orderReferenceNumber: Text30
    poNumber: Text30 | None = None
    billToCode: Text | None = None
    manufacturerCode: Text | None = None
    providerFacilityCode: Text6 | None = None
    useConsigneeAddressToDetermineFaclityCode: Annotated[bool, Field(strict=True)]
    consignee: Consignee
    deliveryType: Literal["HOME", "STORE", "BUILD"] | None = None
    shipDate: date | None = None
    estimatedReceiveDate: date | None = None
    requestedDeliveryDate: date | None = None
    intermediateConsignee: Text30 | None = None
    freightDetails: Annotated[tuple[FreightItem, ...], Field(min_length=1)]
    barcoding: Barcoding | None = None
    otherReferenceNumbers: tuple[Reference, ...] | None = None
    deliveryInstructions: Text254 | None = None

    @field_validator("shipDate", "estimatedReceiveDate", "requestedDeliveryDate", mode="before")
    @classmethod
    def _date_only(cls, value: object) -> object:
        # Left to itself pydantic also takes numbers, and texts of digits, as seconds since 1970.
        found = read_date(value) if isinstance(value, str) else value
        if value is not None and type(found) is not date:
            raise ValueError("a date is written YYYY-MM-DD")
        return found

    @model_validator(mode="after")
    def _across_fields(self) -> "OrderSubmission":
        by_address = self.useConsigneeAddressToDetermineFaclityCode
        _refuse(facility_issues(self.providerFacilityCode or "", by_address=by_address))
        items = (self.barcoding.barcodeItemDetails or ()) if self.barcoding else ()
        keys = [(item.barcode, item.commodity) for item in items]
        for issues in barcode_issues(keys, {line.commodity for line in self.freightDetails}).values():
            _refuse(issues)
        return self


class Cancellation(Sent):
    """`POST /Order/cancel`: cancels the open order with this reference."""

    orderReferenceNumber: Text30


def wire_bytes(record: Sent) -> bytes:
    """The exact UTF-8 JSON that is sent: contract order of fields, absent ones left out, nothing escaped needlessly."""
    return json.dumps(
        record.model_dump(mode="json", exclude_none=True), ensure_ascii=False, separators=(",", ":")
    ).encode()
