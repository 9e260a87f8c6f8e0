"""Asks the provider for the status of an order, and says only what the answer proves (trap 2).

The lists use another vocabulary for the state of an order. The contract names both and does not say how they go
together: `GOES_WITH` is how their words read, and nothing is concluded from it.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from app.api.errors import ApiError
from app.contract.codes import ManagementStatus, OrderState
from app.contract.replies import StatusReading
from app.desk.desk import Desk
from app.desk.looked_up import LookUp
from app.desk.sending import sending_words as words

if TYPE_CHECKING:
    from app.api.provider import Provider

GOES_WITH: dict[str, ManagementStatus] = {
    OrderState.STD: ManagementStatus.PENDING_RECEIPT,
    OrderState.AVL: ManagementStatus.RECEIVED,
    OrderState.PLN: ManagementStatus.RECEIVED,
    OrderState.DSO: ManagementStatus.OUT_FOR_DELIVERY,
    OrderState.CMP: ManagementStatus.COMPLETE,
    OrderState.CAN: ManagementStatus.CANCELLED,
}
_REMEMBERED = 2_000  # answers of a run; the oldest go first


async def ask_status(desk: Desk, provider: "Provider", reference: str) -> StatusReading:
    """Ask for the status by reference alone, and remember the answer for every page. Raises `ApiError`."""
    reading = await provider.management.order_status(reference=reference)
    _remembered(desk, reference, judge(reading, words.no_such_order(reference), desk.now()))
    return reading


async def look_up(desk: Desk, reference: str) -> LookUp:
    """Ask for the status by reference alone. Trouble is told in the result."""
    if desk.provider is None:
        return LookUp(desk.now(), desk.trouble)
    try:
        await ask_status(desk, desk.provider, reference)
    except ApiError as error:
        return _failed(desk, reference, error)
    return desk.looked_up[reference]


async def look_up_number(desk: Desk, number: int) -> LookUp:
    """Ask for the status by the provider's own number alone. Trouble is told in the result."""
    if desk.provider is None:
        return LookUp(desk.now(), desk.trouble)
    try:
        reading = await desk.provider.management.order_status(system_number=number)
    except ApiError as error:
        return _failed(desk, number, error)
    return _remembered(desk, number, judge(reading, words.no_such_number(str(number)), desk.now()))


def last_answer(desk: Desk, number: int, reference: str | None) -> LookUp | None:
    """The latest answer about an order in this run, whichever page asked; None where none did."""
    asked = (number, reference) if reference else (number,)
    answers = [desk.looked_up[each] for each in asked if each in desk.looked_up]
    return max(answers, key=lambda each: each.at, default=None)


def _remembered(desk: Desk, asked: str | int, answer: LookUp) -> LookUp:
    desk.looked_up.pop(asked, None)  # so that the latest answer is the last to go
    desk.looked_up[asked] = answer
    if len(desk.looked_up) > _REMEMBERED:
        del desk.looked_up[next(iter(desk.looked_up))]
    return answer


def _failed(desk: Desk, asked: str | int, error: ApiError) -> LookUp:
    """There was no answer: it takes the place of none that came before."""
    found = LookUp(desk.now(), error.sentence)
    return found if asked in desk.looked_up else _remembered(desk, asked, found)


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
