"""Asks partners A and B for delivery slots, and reserves one with partner A.

Partner B has no operation that reserves (services.md, "Endpoints"): it answers an order with the slots that the order
could have. Invariant: a reservation goes through `desk.requests`: into the journal before its first byte, once.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from app.api.errors import ApiError
from app.api.reply import Reply
from app.desk.desk import Desk
from app.desk.requests import send_request
from app.desk.requests.answer_reading import facts
from app.desk.requests.send_request import Request, payload_of
from app.desk.slots.slot_reading import Slot, slots_in
from app.store.journal.request_store import RequestRow

if TYPE_CHECKING:
    from app.api.management_service import Management

RESERVE = "partner_a_reserve_slot"
_SHOWN = 50
_REFERENCE = "orderReferenceNumber"


@dataclass(frozen=True, slots=True)
class Partner:
    """A partner group: its letter, how it is asked, and whether it takes reservations."""

    name: str
    get: "Callable[[Management, Mapping[str, object]], Awaitable[Reply]]"
    reserves: bool


PARTNERS = (
    Partner("A", lambda service, body: service.partner_a_get_slot(body), reserves=True),
    Partner("B", lambda service, body: service.partner_b_get_slot(body), reserves=False),
)


@dataclass(frozen=True, slots=True)
class SlotQuestion:
    """The values by which slots are asked for: the order, its facility and ZIP, the first day wanted, and further
    fields as agreed with the provider. The names are those of an order submission."""

    reference: str
    facility: str = ""
    zip: str = ""
    day: str = ""
    more: Mapping[str, str] = field(default_factory=dict)

    def body(self) -> dict[str, object]:
        """The request's body."""
        named = {
            _REFERENCE: self.reference,
            "providerFacilityCode": self.facility,
            "zip": self.zip,
            "requestedDeliveryDate": self.day,
        }
        return {name: text for name, text in (named | dict(self.more)).items() if text}


@dataclass(frozen=True, slots=True)
class FoundSlots:
    """The answer of a partner: its slots, or what it says in place of any; `trouble` says why there is no answer."""

    at: datetime
    slots: tuple[Slot, ...] = ()
    told: tuple[tuple[str, str], ...] = ()
    trouble: str = ""


async def find_slots(desk: Desk, partner: Partner, question: SlotQuestion) -> FoundSlots:
    """Ask a partner for slots. Trouble is part of the result."""
    at = desk.now()
    if desk.provider is None:
        return FoundSlots(at, trouble=desk.trouble)
    try:
        reply = await partner.get(desk.provider.management, question.body())
    except ApiError as error:
        return FoundSlots(at, trouble=error.sentence)
    found = tuple(slots_in(reply.body))
    return FoundSlots(at, found, () if found else tuple(facts(reply.body)))


async def reserve(desk: Desk, question: SlotQuestion, slot: Slot, title: str) -> RequestRow:
    """Reserve a slot of partner A for the order, named by all the fields that the partner gave for it.

    `title` is how the slot is called on screen. Raises as `send_request.send`.
    """
    payload = payload_of({**slot.record, **question.more, _REFERENCE: question.reference})
    return await send_request.send(desk, Request(RESERVE, payload, question.reference, title))


async def reserved(desk: Desk, reference: str) -> list[RequestRow]:
    """All reservations that were tried for an order, the newest first."""
    return await send_request.sent(desk, (RESERVE,), _SHOWN, reference)


def more_fields(typed: str) -> tuple[dict[str, str], str]:
    """Further fields, typed one a line as `name = value`; and the first line that is none, empty if all are."""
    found: dict[str, str] = {}
    for line in filter(None, map(str.strip, typed.splitlines())):
        name, equals, text = (part.strip() for part in line.partition("="))
        if not equals or not name:
            return found, line
        found[name] = text
    return found, ""
