"""Asks the provider for the status of an order, and says only what the answer proves (trap 2).

The lists use another vocabulary for the state of an order. The contract names both and does not say how they go
together: `GOES_WITH` is how their words read, and nothing is concluded from it.
"""

from dataclasses import dataclass
from datetime import datetime

from app.api.errors import ApiError
from app.contract.codes import ManagementStatus, OrderState
from app.contract.replies import StatusReading
from app.desk.desk import Desk
from app.desk.sending import sending_words as words

GOES_WITH: dict[str, ManagementStatus] = {
    OrderState.STD: ManagementStatus.PENDING_RECEIPT,
    OrderState.AVL: ManagementStatus.RECEIVED,
    OrderState.PLN: ManagementStatus.RECEIVED,
    OrderState.DSO: ManagementStatus.OUT_FOR_DELIVERY,
    OrderState.CMP: ManagementStatus.COMPLETE,
    OrderState.CAN: ManagementStatus.CANCELLED,
}


@dataclass(frozen=True, slots=True)
class LookUp:
    """The answer to a look-up: when it came, what it proves in words, and the status if it proves one."""

    at: datetime
    sentence: str
    status: ManagementStatus | None = None
    proven: bool = False
    system_number: int | None = None


async def look_up(desk: Desk, reference: str) -> LookUp:
    """Ask for the status by reference alone. Trouble is told in the result."""
    if desk.provider is None:
        return LookUp(desk.now(), desk.trouble)
    try:
        reading = await desk.provider.management.order_status(reference=reference)
    except ApiError as error:
        return LookUp(desk.now(), error.sentence)
    return judge(reading, words.no_such_order(reference), desk.now())


async def look_up_number(desk: Desk, number: int) -> LookUp:
    """Ask for the status by the provider's own number alone. Trouble is told in the result."""
    if desk.provider is None:
        return LookUp(desk.now(), desk.trouble)
    try:
        reading = await desk.provider.management.order_status(system_number=number)
    except ApiError as error:
        return LookUp(desk.now(), error.sentence)
    return judge(reading, words.no_such_number(str(number)), desk.now())


def judge(reading: StatusReading, not_found: str, at: datetime) -> LookUp:
    """The conclusion from a status reply; `not_found` is the sentence where there is no such order."""
    if not reading.found:
        return LookUp(at, not_found)
    if not reading.mentions_reference:
        return LookUp(at, words.ANOTHER_ORDER)
    if reading.status is None:
        return LookUp(at, words.UNREADABLE_STATUS)
    return LookUp(at, words.provider_says(reading.status.value), reading.status, True, reading.system_number)


def order_status_words(state: str | None, found: LookUp | None) -> str:
    """The order status beside a state of the list, as far as it was asked for and proves something."""
    expected = GOES_WITH.get(state or "")
    usual = "" if expected is None else expected.value
    if found is None:
        return words.status_unasked(usual)
    if not found.proven or found.status is None:
        return words.status_unproven(usual)
    if expected is None or found.status is expected:
        return words.status_asked(found.status.value, found.at)
    return words.status_differs(found.status.value, found.at, usual)
