"""The order information service: each of its operations as a method (services.md, "Endpoints"). Read-only.

Both dates are always sent with the lists, the end as the day's last second (notes.md, trap 3); at most a year lies
between them, which is for the caller to heed.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Literal, TypeVar
from urllib.parse import quote

from pydantic import ValidationError

from app.api import api_words
from app.api.errors import BrokenReply, NotFound
from app.api.links import Links
from app.api.lists.stream import Batches, Convert, Quick
from app.api.reply import Reply
from app.api.wire import Query, Wire
from app.contract.information import Audit, AuditDetail, Order, Received, read_audit_details
from app.contract.xml_records import INFORMATION

FILE_CAP = 64 * 1024 * 1024  # bytes of a photo or document
LAST_SECOND = time(23, 59, 59)
_LARGEST_NUMBER = 2**63 - 1  # what a database holds; a record with a greater one would cost all those stored with it
M = TypeVar("M", bound=Received)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OrderRow:
    """An order, and its own JSON text as it came."""

    order: Order
    raw: str


@dataclass(frozen=True, slots=True)
class Include:
    """The parts that a list of orders brings along; the provider leaves out all others (notes.md, trap 6)."""

    purchase_orders: bool = False
    commodities: bool = False
    notes: bool = False
    documents: bool = False

    def parts(self) -> tuple[tuple[str, bool], ...]:
        """Each part's name in a record, and whether it was asked for."""
        return (
            ("PO", self.purchase_orders),
            ("Commodities", self.commodities),
            ("Notes", self.notes),
            ("ProofOfDelivery", self.documents),
        )


NOTHING_MORE = Include()
EVERYTHING = Include(purchase_orders=True, commodities=True, notes=True, documents=True)


class Information:
    """Calls to `{info_base_url}`, and to whatever addresses its records name."""

    def __init__(self, wire: Wire, links: Links) -> None:
        self._wire = wire
        self._links = links

    async def reach(self, day: date) -> None:
        """Raise unless something answers at the address, whatever it says; it is shown no token.

        It is asked for one day, so that a service which asks for no token has little to say.
        """
        await self._wire.reach("/orders/open", _window(day, day, NOTHING_MORE))

    async def order(self, number: int) -> OrderRow:
        """The order with this system number, in full. Raises NotFound."""
        reply = await self._wire.read(f"/orders/{int(number)}")
        data = reply.records()
        # XML has no bare null: an element that is marked as nil means it.
        nil = data is None and reply.body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
        if reply.status == 204 or reply.body.strip() == b"null" or nil:
            raise NotFound(api_words.no_order(number))
        order = _model(Order, data)
        if order is None:
            raise BrokenReply(api_words.not_an_order(number))
        return OrderRow(order, _raw_of(reply, data))

    def open_orders(self, start: date, end: date, include: Include = NOTHING_MORE) -> Batches[OrderRow]:
        """Open orders imported from `start` to `end` in the provider's local time, as they arrive.

        A date alone stands for its first second as `start`, for its last as `end`; likewise below.
        """
        return self.listed("open", start, end, include, read_order_row)

    def completed_orders(self, start: date, end: date, include: Include = NOTHING_MORE) -> Batches[OrderRow]:
        """Completed orders delivered from `start` to `end`, as they arrive."""
        return self.listed("completed", start, end, include, read_order_row)

    def listed(
        self,
        list_name: Literal["open", "completed"],
        start: date,
        end: date,
        include: Include,
        convert: Convert[T],
        *,
        quick: Quick[T] | None = None,
        known: bytes | None = None,
    ) -> Batches[T]:
        """Either list as `convert` makes it: of each element and its own text a row, or None for what is none.

        `quick` makes a row of the text alone where that is exactly as announced, and None of all else. `known` is the
        digest of an earlier reply: where the same comes again the tally says so, and no row comes.
        """
        query = _window(start, end, include)
        path = f"/orders/{list_name}"
        return self._wire.rows(path, query, convert, quick=quick, known=known, shape=INFORMATION)

    def audits(self, start: date, end: date) -> Batches[Audit]:
        """Audits from `start` to `end`, both days included, as they arrive."""
        query = [("StartDate", _day(start)), ("EndDate", _day(end))]
        return self._wire.rows("/audit", query, lambda value, _raw: _model(Audit, value), shape=INFORMATION)

    async def audit(self, number: int) -> list[AuditDetail]:
        """An audit's questions and answers, a row each. Raises NotFound."""
        return read_audit_details((await self._wire.read(f"/audit/{int(number)}")).records())

    async def audit_image(self, filename: str) -> Reply:
        """A photo of an audit by its file name."""
        return await self._wire.read_file(f"/download/audit/{_segment(filename)}", cap=FILE_CAP)

    async def fetch(self, url: str) -> Reply:
        """A document or photo at whatever address a record names; see `links`."""
        return await self._links.fetch(url, cap=FILE_CAP)

    async def overage(self, load: str) -> list[Mapping[str, object]]:
        """The items marked as overage on a load, in whatever shape they have; asked by query, which suits any name."""
        return _records(await self._wire.read("/overage", [("LoadId", load)]))

    async def overage_by_path(self, load: str) -> list[Mapping[str, object]]:
        """The items marked as overage on a load, asked by path."""
        return _records(await self._wire.read(f"/overage/{_segment(load)}"))


def _window(start: date, end: date, include: Include) -> Query:
    flags = {
        "IncludePOs": include.purchase_orders,
        "IncludeCommodities": include.commodities,
        "IncludeNotes": include.notes,
        "IncludePOD": include.documents,
    }
    asked = [(name, "true") for name, wanted in flags.items() if wanted]
    return [*asked, ("StartDate", _second(start, time.min)), ("EndDate", _second(end, LAST_SECOND))]


def _second(moment: date, of_day: time) -> str:
    exact = moment if isinstance(moment, datetime) else datetime.combine(moment, of_day)
    return exact.replace(tzinfo=None, microsecond=0).isoformat()


def _day(day: date) -> str:
    return (day.date() if isinstance(day, datetime) else day).isoformat()


def _segment(name: str) -> str:
    """A name as one segment of a path; dots alone would walk up in it."""
    if not name.strip("."):
        raise NotFound(api_words.NO_NAME)
    return quote(name, safe="")


def read_order_row(value: object, raw: str) -> OrderRow | None:
    """An element of a list as an order; None for what is none."""
    order = _model(Order, value)
    return None if order is None else OrderRow(order, raw)


def _model(kind: type[M], value: object) -> M | None:
    if not isinstance(value, dict):
        return None
    try:
        model = kind.model_validate(value)
    except (ValidationError, ValueError, OverflowError, RecursionError):
        return None
    number = getattr(model, "OrderNumber", None) or getattr(model, "auditId", None) or 0
    return model if abs(number) <= _LARGEST_NUMBER else None


def _records(reply: Reply) -> list[Mapping[str, object]]:
    """The records of an answer whose shape is not published. Nothing of it is dropped: a list may hold bare values,
    and plain words may say that there is nothing."""
    value = reply.records()
    words = reply.body.decode("utf-8-sig", "replace").strip()
    if value is None:
        return [{"answer": words}] if words not in ("", "null") else []
    rows = value if isinstance(value, list) else [value]
    return [row if isinstance(row, dict) else {"value": row} for row in rows if row is not None]


def _raw_of(reply: Reply, data: object) -> str:
    text = reply.body.decode("utf-8-sig", "replace").strip()
    # The cache keeps JSON alone, so the rows of an XML reply are written as JSON.
    return text if text.startswith("{") else json.dumps(data, ensure_ascii=False)
