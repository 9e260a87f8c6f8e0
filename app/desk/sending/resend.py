"""Which new orders in doubt are resent by Waybill itself, once, because the provider was found twice not to know them.

The first look is recorded by `settling`. The second look, after the grace, is the last look before the resend; it asks
for the status and both lists (`send_queue`). If anything is there by then, or is not certain, the order stays in doubt.
"""

from datetime import datetime, timedelta

from app.desk.desk import Desk
from app.desk.sending.evidence import GRACE, listed_order
from app.store.journal import automatic_resend
from app.store.journal.records import WriteRow

APART = timedelta(seconds=10)  # two looks that are closer may have met one and the same mishap


async def record_look(desk: Desk, write: WriteRow, at: datetime) -> WriteRow | None:
    """Record that the provider, asked `at` that moment, did not know a write in doubt.

    The write as it is now if it may be resent, else None.
    """
    if write.missed_at is None:
        if await listed_order(desk, write.reference) is not None:
            return None
        noted = await desk.journal.write(automatic_resend.record_first_miss, write.id, at, write.change)
        if noted is not None:
            desk.timing.record_missed(write.id)
        return noted
    return write if await desk.journal.read(automatic_resend.may_resend, write.id) else None


async def ready(desk: Desk) -> list[WriteRow]:
    """The writes that are due for their second look."""
    at = desk.timing.instant(desk.now())
    return [
        each.write
        for each in await desk.journal.read(automatic_resend.missed_once, desk.profile.id)
        if desk.timing.since_attempt(each.write.reference, each.tried_at, at) >= GRACE
        and desk.timing.since_missed(each.write.id, each.missed_at, at) >= APART
    ]
