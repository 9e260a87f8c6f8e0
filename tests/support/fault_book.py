"""The fault server's book of orders: the upsert rule of services.md, and nothing that could hide a mistake.

Every version of every order is kept, so that a test can say exactly what the provider holds and how it got there.
"""

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

OPEN, COMPLETE, CANCELLED = "Pending Receipt", "Complete", "Cancelled"
_STATES = {OPEN: ("STD", "Started"), COMPLETE: ("CMP", "Completed"), CANCELLED: ("CAN", "Cancelled")}


@dataclass
class BookedOrder:
    """An order: `versions` are the payloads that made and changed it, oldest first."""

    number: int
    reference: str
    state: str = OPEN
    versions: list[bytes] = field(default_factory=list)

    @property
    def status_record(self) -> dict[str, object]:
        """The record of the order in a reply of order status."""
        return {"orderReferenceNumber": self.reference, "systemNumber": self.number, "status": self.state}

    @property
    def record(self) -> dict[str, object]:
        """The record of the order in a reply of the information service."""
        code, words = _STATES[self.state]
        name = json.loads(self.versions[-1]).get("consignee", {}).get("consigneeName")
        return {
            "OrderNumber": self.number,
            "CRN": self.reference,
            "StatusId": code,
            "Status": words,
            "Consignee": {"Name": name},
            "DateImported": "2026-11-20T08:00:00",
        }


class OrderBook:
    """All orders. Its methods may be called from any thread."""

    def __init__(self, first_number: int = 700_001) -> None:
        self._orders: list[BookedOrder] = []
        self._by_reference: dict[str, list[BookedOrder]] = {}  # so that a book of ten thousand answers at once
        self._by_number: dict[str, BookedOrder] = {}
        self._next = first_number
        self._lock = threading.Lock()

    def submit(self, payload: bytes) -> BookedOrder:
        """Update the open order with the payload's reference, or create one."""
        reference = json.loads(payload)["orderReferenceNumber"]
        with self._lock:
            order = self._open(reference)
            if order is None:
                order = BookedOrder(self._next, reference)
                self._next += 1
                self._orders.append(order)
                self._by_reference.setdefault(reference, []).append(order)
                self._by_number[str(order.number)] = order
            order.versions.append(payload)
            return order

    def cancel(self, reference: str) -> BookedOrder | None:
        """Cancel the open order with this reference, if there is one."""
        return self.move(reference, CANCELLED)

    def move(self, reference: str, state: str) -> BookedOrder | None:
        """Close the open order with this reference, as the provider does when time passes."""
        with self._lock:
            order = self._open(reference)
            if order is not None:
                order.state = state
            return order

    def status(self, query: Mapping[str, str]) -> BookedOrder | None:
        """The open order asked for, else the latest closed one: which may be another (notes.md, trap 2)."""
        wanted = {query.get("OrderReferenceNumber"), query.get("SystemNumber")} - {None, ""}
        with self._lock:
            matching = [each for name in sorted(filter(None, wanted)) for each in self._by_reference.get(name, ())]
            matching += [self._by_number[name] for name in wanted if name in self._by_number]
            closed = [each for each in self._orders if each.state != OPEN]
            return next((each for each in matching if each.state == OPEN), closed[-1] if closed else None)

    def by_number(self, number: str) -> BookedOrder | None:
        """The order with this system number."""
        with self._lock:
            return self._by_number.get(number)

    def all(self, reference: str | None = None, *, state: str | None = None) -> list[BookedOrder]:
        """The orders with this reference and state, oldest first."""
        with self._lock:
            return [
                each for each in self._orders if reference in (None, each.reference) and state in (None, each.state)
            ]

    def _open(self, reference: str) -> BookedOrder | None:
        return next((each for each in self._by_reference.get(reference, ()) if each.state == OPEN), None)
