"""The fast path for orders that match the contract exactly: texts are texts, moments are days of the calendar.

Nearly all orders do, and a list may hold a hundred thousand. Invariant: every record that this accepts gets the same
columns as from `desk/sync/order_facts`; a record that it refuses goes there.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Annotated

import msgspec

from app.api.information_service import Include
from app.desk.sync.order_facts import included_members, lines_of, with_empty_members
from app.store.cache.order_columns import OrderColumns, folders_text

_LARGEST_NUMBER = 2**63 - 1
# A moment as the store writes it, so it need not be converted. The 29th of February is refused: `order_facts` reads it.
_DAY = "(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31"
_TIME = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
_Moment = Annotated[str, msgspec.Meta(pattern=rf"\A(?!0000)[0-9]{{4}}-(?:{_DAY})T{_TIME}\Z")]

# The members that are read. gc=False: no record can refer to itself, so the garbage collector need not visit them.


class _Place(msgspec.Struct, gc=False):
    StreetAddress1: str | None = None
    StreetAddress2: str | None = None
    StreetAddress3: str | None = None
    City: str | None = None
    State: str | None = None
    ZipCode: str | None = None


class _Contact(msgspec.Struct, gc=False):
    Id: str | None = None
    Name: str | None = None
    Phone: str | None = None
    Address: _Place | None = None


class _Document(msgspec.Struct, gc=False):
    Folder: str | None = None


class _Record(msgspec.Struct, gc=False):
    pass


class _Order(msgspec.Struct, gc=False):
    OrderNumber: Annotated[int, msgspec.Meta(ge=-_LARGEST_NUMBER, le=_LARGEST_NUMBER)]
    CRN: str | None = None
    PO: list[str] | None = None
    BOL: str | None = None
    Consignee: _Contact | None = None
    Carrier: _Contact | None = None
    Manufacturer: _Contact | None = None
    Facility: _Contact | None = None
    DeliveryType: str | None = None
    DateImported: _Moment | None = None
    DateEstimatedReceive: _Moment | None = None
    DateReceived: _Moment | None = None
    ReceivedById: str | None = None
    DateRequestedDelivery: _Moment | None = None
    DateScheduledDelivery: _Moment | None = None
    DateLoaded: _Moment | None = None
    LoadedById: str | None = None
    DateActualDelivery: _Moment | None = None
    DeliveredBy: str | None = None
    StatusId: str | None = None
    Status: str | None = None
    Brand: str | None = None
    Remarks: str | None = None
    Notes: list[_Record] | None = None
    Commodities: list[_Record] | None = None
    ProofOfDelivery: list[_Document] | None = None
    IsReceived: bool | None = None
    IsDelivered: bool | None = None


_ORDER = msgspec.json.Decoder(_Order)
_NOBODY, _NOWHERE = _Contact(), _Place()
# In the order of `OrderColumns`.
_BEFORE = attrgetter("OrderNumber", "CRN", "StatusId", "Status")
_STREETS = attrgetter("StreetAddress1", "StreetAddress2", "StreetAddress3")
_PLACE = attrgetter("City", "State", "ZipCode")
_MOMENTS = attrgetter(
    *("DateImported", "DateEstimatedReceive", "DateReceived", "DateRequestedDelivery", "DateScheduledDelivery"),
    *("DateLoaded", "DateActualDelivery"),
)
_PEOPLE = attrgetter("ReceivedById", "LoadedById", "DeliveredBy")


def quick_columns(include: Include) -> Callable[[str], OrderColumns | None]:
    """A function that turns an order's JSON text into columns, or None if a member does not match the contract.

    Written for speed: it takes a large share of the time that a long list takes.
    """
    wanted = included_members(include)

    def read(raw: str) -> OrderColumns | None:
        try:
            order = _ORDER.decode(raw)
        except (ValueError, RecursionError):
            return None
        consignee, facility = order.Consignee or _NOBODY, order.Facility or _NOBODY
        address = consignee.Address or _NOWHERE
        documents = order.ProofOfDelivery
        if documents is None and include.documents:
            documents = []
        missing = [name for name in wanted if getattr(order, name) is None]
        columns = (
            *_BEFORE(order),
            consignee.Name,
            ", ".join(filter(None, _STREETS(address))) or None,
            *_PLACE(address),
            consignee.Phone,
            facility.Id,
            facility.Name,
            (order.Manufacturer or _NOBODY).Name,
            order.Brand,
            order.DeliveryType,
            order.BOL,
            lines_of(order.PO, include),
            order.Remarks,
            *_MOMENTS(order),
            order.IsReceived,
            order.IsDelivered,
            None if documents is None else folders_text(frozenset([each.Folder or "?" for each in documents])),
            (order.Carrier or _NOBODY).Name,
            *_PEOPLE(order),
            with_empty_members(raw, missing),
        )
        return OrderColumns._make(columns)

    return read
