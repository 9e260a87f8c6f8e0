"""Asks the provider how an order stands, and says only what the answer proves (trap 2)."""

from dataclasses import dataclass
from datetime import datetime

from app.api.errors import ApiError
from app.contract.codes import ManagementStatus
from app.contract.replies import StatusReading
from app.desk.desk import Desk


@dataclass(frozen=True, slots=True)
class LookUp:
    """The answer to a status look-up: when it was asked, what it proves in words, and the status if it proves one."""

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
    return judge(reading, reference, desk.now())


async def look_up_number(desk: Desk, number: int) -> LookUp:
    """The same by the provider's own number alone."""
    if desk.provider is None:
        return LookUp(desk.now(), desk.trouble)
    try:
        reading = await desk.provider.management.order_status(system_number=number)
    except ApiError as error:
        return LookUp(desk.now(), error.sentence)
    return judge(reading, str(number), desk.now(), by="number")


def judge(reading: StatusReading, reference: str, at: datetime, *, by: str = "reference") -> LookUp:
    """What a status reply says about the order with this reference, or number."""
    if not reading.found:
        return LookUp(at, f"The provider has no order with {by} {reference}.")
    if not reading.mentions_reference:
        return LookUp(at, "The provider answered about another order, so its status is unverified.")
    if reading.status is None:
        return LookUp(at, "The provider knows the order but gave no status that Waybill can read.")
    return LookUp(at, f"The provider says: {reading.status.value}.", reading.status, True, reading.system_number)
