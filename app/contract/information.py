"""The replies of the order information service, read as notes.md says: the service promises nothing about them.

Invariant: no value costs its record. Every property may be missing, unknown ones are kept, a number in the place of
text becomes text, and a date that cannot be read becomes None.
"""

import json
import math
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

from app.contract.moments import read_audit_date, read_moment


def _as_text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:  # nested almost as deeply as can be decoded at all
        return None


def _as_number(value: object) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, int):
        return value
    try:
        number = float(_plain(value) if isinstance(value, str) else value)
    except ValueError:
        return None
    # Beyond 2**53 a float leaves out whole numbers: there the digits may be others than those sent.
    if number.is_integer() and abs(number) < 2**53:
        return int(number)
    return number if math.isfinite(number) else None


def _plain(digits: str) -> str:
    # Python reads "1_2" as twelve; other programs do not.
    return digits.replace("_", "?")


def _as_whole(value: object) -> int | None:
    if isinstance(value, str):
        try:
            return int(_plain(value))  # not through a float, which holds only 15 digits of an order's number
        except ValueError:
            pass
    number = _as_number(value)
    return int(number) if number is not None and number == number // 1 else None


def _as_flag(value: object) -> bool | None:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower())
    return bool(value) if isinstance(value, bool | int) else None


def _as_record(value: object) -> object:
    return value if isinstance(value, dict | BaseModel) else None


def _as_records(value: object) -> object:
    if isinstance(value, dict):
        return [value]
    return [each for each in value if isinstance(each, dict | BaseModel)] if isinstance(value, list) else None


def _as_purchase_orders(value: object) -> list[str] | None:
    """PO elements may be strings or objects; an object shows as its first value, or as its JSON."""
    if value is None:
        return None
    each_text = [_purchase_order(each) for each in (value if isinstance(value, list) else [value])]
    return [text for text in each_text if text]


def _purchase_order(value: object) -> str:
    if isinstance(value, dict):
        texts = [each for each in value.values() if isinstance(each, str) and each]
        if texts:
            return texts[0]
    return _as_text(value) or ""


Words = Annotated[str | None, BeforeValidator(_as_text)]
Number = Annotated[int | float | None, BeforeValidator(_as_number)]
Whole = Annotated[int | None, BeforeValidator(_as_whole)]
Flag = Annotated[bool | None, BeforeValidator(_as_flag)]
Moment = Annotated[datetime | None, BeforeValidator(read_moment)]
AuditDate = Annotated[datetime | None, BeforeValidator(read_audit_date)]


class Received(BaseModel):
    """Base of every record that is received: unknown fields stay on it as extras."""

    model_config = ConfigDict(extra="allow", frozen=True)


class Address(Received):
    """Address of a contact."""

    StreetAddress1: Words = None
    StreetAddress2: Words = None
    StreetAddress3: Words = None
    City: Words = None
    State: Words = None
    ZipCode: Words = None


Place = Annotated[Address | None, BeforeValidator(_as_record)]


class Contact(Received):
    """Consignee, carrier, manufacturer or facility."""

    Id: Words = None
    Name: Words = None
    Phone: Words = None
    Email: Words = None
    Address: Place = None


class Note(Received):
    """A note on an order."""

    Text: Words = None
    CreatedDate: Moment = None


class Commodity(Received):
    """A commodity on an order; the service returns neither volume nor weight."""

    CommodityCode: Words = None
    Description: Words = None
    Count: Number = None


class ProofOfDelivery(Received):
    """A delivery document; `Folder` is one of `codes.FOLDER_TYPE_WORDS`, `Url` its download address."""

    Filename: Words = None
    Url: Words = None
    CreatedDate: Moment = None
    Folder: Words = None


Party = Annotated[Contact | None, BeforeValidator(_as_record)]


Proofs = Annotated[list[ProofOfDelivery] | None, BeforeValidator(_as_records)]


class Order(Received):
    """An order of the information service. The number is the provider's, `CRN` may be our reference."""

    OrderNumber: Whole = None
    CRN: Words = None
    PO: Annotated[list[str] | None, BeforeValidator(_as_purchase_orders)] = None
    BOL: Words = None
    Consignee: Party = None
    Carrier: Party = None
    Manufacturer: Party = None
    Facility: Party = None
    DeliveryType: Words = None
    DateImported: Moment = None
    DateEstimatedReceive: Moment = None
    DateReceived: Moment = None
    ReceivedById: Words = None
    DateRequestedDelivery: Moment = None
    DateScheduledDelivery: Moment = None
    DateLoaded: Moment = None
    LoadedById: Words = None
    DateActualDelivery: Moment = None
    DeliveredBy: Words = None
    StatusId: Words = None
    Status: Words = None
    Brand: Words = None
    Remarks: Words = None
    Notes: Annotated[list[Note] | None, BeforeValidator(_as_records)] = None
    Commodities: Annotated[list[Commodity] | None, BeforeValidator(_as_records)] = None
    ProofOfDelivery: Proofs = None
    IsReceived: Flag = None
    IsDelivered: Flag = None


class Audit(Received):
    """A row of the audit list."""

    auditId: Whole = None
    auditFacility: Words = None
    auditType: Words = None
    auditVendor: Words = None
    auditScore: Number = None
    auditDate: AuditDate = None


class AuditDetail(Received):
    """A question of an audit with its answer and photo; `cmpAWCDomicle` is the facility's domicile."""

    auditId: Whole = None
    auditType: Words = None
    auditorName: Words = None
    auditorEmail: Words = None
    orderNumber: Words = None
    cmpAWCDomicle: Words = None
    auditDate: AuditDate = None
    auditScore: Number = None
    detailName: Words = None
    detailDescription: Words = None
    detailValue: Words = None
    imageUrl: Words = None


def read_audit_details(value: Any) -> list[AuditDetail]:
    """The detail of an audit as rows, whether the service answers a list of rows or one object."""
    rows = value if isinstance(value, list) else [value]
    return [AuditDetail.model_validate(row) for row in rows if isinstance(row, dict)]
