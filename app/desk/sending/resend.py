"""A new order in doubt is sent again by itself, once, where the provider has been found twice not to know it.

The first look is written down by `settling`; the second one, after the grace, is the last look before the order leaves
again (`lanes`), by status and by both lists. Whatever is there by then, or is not certain, leaves the order in doubt.
"""

from datetime import datetime, timedelta

from app.desk.desk import Desk
from app.desk.sending.list_evidence import listed
from app.desk.sending.provider_evidence import GRACE
from app.store.journal import automatic_resend
from app.store.journal.records import WriteRow

APART = timedelta(seconds=10)  # two looks that are closer may have met the same mishap


async def note_look(desk: Desk, write: WriteRow, at: datetime) -> WriteRow | None:
    """The provider has said that it does not know a write in doubt, asked `at` that moment: the write as it stands now
    if it may be sent again by itself, else None."""
    if write.missed_at is None:
        if await listed(desk, write.reference) is not None:
            return None
        noted = await desk.journal.write(automatic_resend.record_first_miss, write.id, at, write.change)
        if noted is not None:
            desk.timing.record_missed(write.id)
        return noted
    return write if await desk.journal.read(automatic_resend.may_resend, write.id) else None


async def ready(desk: Desk) -> list[WriteRow]:
    """What is to be looked for once more, and sent again if the provider does not know it then either."""
    at = desk.timing.instant(desk.now())
    return [
        each.write
        for each in await desk.journal.read(automatic_resend.missed_once, desk.profile.id)
        if desk.timing.since_attempt(each.write.reference, each.tried_at, at) >= GRACE
        and desk.timing.since_missed(each.write.id, each.missed_at, at) >= APART
    ]
