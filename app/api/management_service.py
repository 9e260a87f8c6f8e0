"""The order management service: each of its operations as a method (services.md, "Endpoints").

A method that creates, changes or reserves takes the bytes or the record to send, and returns the `Reply` as it came:
the shapes of those results are not published. Such a call is made once, and `ApiError.may_have_acted` says what its
failure means. All other calls are retried.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace

from app.api import api_words
from app.api.errors import BrokenReply, NotFound, Refused
from app.api.missing_order import says_no_such_order
from app.api.reply import Reply
from app.api.wire import Query, Wire
from app.contract.codes import Format
from app.contract.replies import StatusReading, read_status

Record = Mapping[str, object]
DESCRIPTION_CAP = 16 * 1024 * 1024  # bytes
_NO_CONTENT = 204


class Management:
    """Calls to `{base_url}/OrderManagementApi`."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    async def reach(self) -> None:
        """Raise unless something answers at the address, whatever it says; it is shown no token."""
        await self._wire.reach("/Order/test")

    async def submit_order(
        self, payload: bytes, wanted: Callable[[], bool] = lambda: True, sent_as: Format = "json"
    ) -> Reply:
        """Create the order, or update the open one with the same reference. `payload`: an `OrderSubmission`.

        `wanted` is asked at the moment of leaving, as in `Wire.write`; `sent_as` is the format of `payload`.
        """
        return await self._wire.write("/Order/submit", payload, sent_as=sent_as, wanted=wanted)

    async def cancel_order(
        self, payload: bytes, wanted: Callable[[], bool] = lambda: True, sent_as: Format = "json"
    ) -> Reply:
        """Cancel the open order with this reference. `payload`: a `Cancellation`; the rest as in `submit_order`."""
        return await self._wire.write("/Order/cancel", payload, sent_as=sent_as, wanted=wanted)

    async def order_status(
        self, *, reference: str | None = None, system_number: int | None = None, bill_to: str | None = None
    ) -> StatusReading:
        """The provider's status of an order; give the one thing that identifies the order.

        `found` is False for each way in which the service may say that there is none: 404, 204, an empty answer, or a
        400 that says so in words. Any other 400 is raised as Refused. Even a found status speaks of the order asked for
        only when `mentions_reference` (notes.md, trap 2).
        """
        query = _given(
            SystemNumber=None if system_number is None else str(system_number),
            OrderReferenceNumber=reference,
            BillToCode=bill_to,
        )
        try:
            reply = await self._wire.read("/Order/status", query)
        except NotFound as error:
            if error.web_page:
                raise BrokenReply(api_words.WEB_PAGE_FOR_STATUS) from None
            return _no_such_order(error.sentence)
        except Refused as error:
            # Some services answer 400 where there is no such order (notes.md, "Readings").
            asked_for = reference or (bill_to or "" if system_number is None else str(system_number))
            missing = says_no_such_order(error.problem, asked_for)
            if error.status == 400 and not error.problem.errors and missing:
                return _no_such_order(error.problem.sentence())
            raise
        reading = read_status(reply.body, reference or "", system_number=system_number)
        return replace(reading, definite=True) if reply.status == _NO_CONTENT else reading

    async def test_orders(self) -> None:
        """Check that the orders part answers and the token is good for it."""
        await self._wire.read("/Order/test")

    async def submit_quote(self, request: Record | bytes, sent_as: Format = "json") -> Reply:
        """Submit a quote; `sent_as` is the format of bytes."""
        return await self._post("/Quote/submit", request, sent_as)

    async def test_quotes(self) -> None:
        """Check that the quotes part answers and the token is good for it."""
        await self._wire.read("/Quote/test")

    async def submit_truck(self, request: Record | bytes, sent_as: Format = "json") -> Reply:
        """Submit a truck; `sent_as` is the format of bytes."""
        return await self._post("/Truck/submit", request, sent_as)

    async def facilities(self, *, zip_code: str | None = None, bill_to: str | None = None) -> list[Record]:
        """The facilities, all or those for a ZIP code or bill-to."""
        return await self._list("/Facilities", _given(ZipCode=zip_code, BillToCode=bill_to))

    async def import_orders(self, request: Record) -> Reply:
        """Import orders in bulk, as agreed with the provider."""
        return await self._post("/Integration/importOrders", request)

    async def cross_reference(self, *, group: str | None = None, key: str | None = None) -> list[Record]:
        """Integration cross references, filtered by group and key."""
        return await self._list("/Integration/crossReference", _given(GroupFilter=group, KeyFilter=key))

    async def stock_item_config(
        self,
        *,
        bill_to: str | None = None,
        manufacturer: str | None = None,
        model: str | None = None,
        customer_model: str | None = None,
        sku: str | None = None,
    ) -> list[Record]:
        """Stock item configuration, filtered by any of the five."""
        query = _given(
            BillToFilter=bill_to,
            ManufacturerCodeFilter=manufacturer,
            ModelNumberFilter=model,
            CustomerModelNumberFilter=customer_model,
            SkuFilter=sku,
        )
        return await self._list("/Integration/stockItemConfig", query)

    async def partner_a_order_event(self, request: Record) -> Reply:
        """Tell of an event about an order (partner group A)."""
        return await self._post("/PartnerA/orderEvent", request)

    async def partner_a_cancel(self, request: Record) -> Reply:
        """Cancel an order (partner group A)."""
        return await self._post("/PartnerA/cancel", request)

    async def partner_a_get_slot(self, request: Record) -> Reply:
        """Look up delivery slots (partner group A)."""
        return await self._post("/PartnerA/getSlot", request)

    async def partner_a_reserve_slot(self, request: Record | bytes) -> Reply:
        """Reserve a delivery slot (partner group A)."""
        return await self._post("/PartnerA/reserveSlot", request)

    async def partner_b_order_event(self, request: Record) -> Reply:
        """Tell of an event about an order (partner group B)."""
        return await self._post("/PartnerB/orderEvent", request)

    async def partner_b_get_slot(self, request: Record) -> Reply:
        """Look up delivery slots (partner group B)."""
        return await self._post("/PartnerB/getSlot", request)

    async def partner_b_order_submit(self, request: Record) -> Reply:
        """Submit an order (partner group B); the result has the shape of a slot lookup."""
        return await self._post("/PartnerB/orderSubmit", request)

    async def partner_c_open_orders(self, *, facility: str | None = None) -> list[Record]:
        """Open orders of partner group C, all or at one facility."""
        return await self._list("/PartnerC/openorders", _given(ProviderFacilityCode=facility))

    async def partner_c_facilities(self, request: Record | None = None) -> list[Record]:
        """Facilities with open orders of partner group C. Its shape is not said: it goes as JSON in the query."""
        text = None if request is None else json.dumps(request, ensure_ascii=False, separators=(",", ":"))
        return await self._list("/PartnerC/facilities", _given(request=text))

    async def third_party_logistics(self, request: Record) -> Reply:
        """Hand any object to the third-party logistics intake; answered with 202 and no body."""
        return await self._post("/ThirdPartyLogistics", request)

    async def third_party_logistics_health(self) -> None:
        """Check that the third-party logistics intake answers."""
        await self._wire.read("/ThirdPartyLogistics/health")

    async def description(self) -> bytes:
        """The service's own machine-readable description, as it came."""
        # As a file, because a description may be longer than any other answer (`wire.REPLY_CAP`).
        return (await self._wire.read_file("/swagger/v1/swagger.json", cap=DESCRIPTION_CAP)).body

    async def _post(self, path: str, request: Record | bytes, sent_as: Format = "json") -> Reply:
        """POST a record as JSON, or exactly these bytes in the format that they have, once."""
        if not isinstance(request, bytes):
            request = json.dumps(request, ensure_ascii=False, separators=(",", ":")).encode()
        return await self._wire.write(path, request, sent_as=sent_as)

    async def _list(self, path: str, query: Query) -> list[Record]:
        return await self._wire.rows(path, query, as_record).all()


def _no_such_order(raw: str) -> StatusReading:
    return StatusReading(None, mentions_reference=False, system_number=None, found=False, raw=raw, definite=True)


def as_record(value: object, _raw: str) -> Record | None:
    """An element of a list whose records have no published shape."""
    return value if isinstance(value, dict) else None


def _given(**query: str | None) -> Query:
    return [(name, value) for name, value in query.items() if value is not None]
