"""What the lists know of an order that the order status does not show: one that is closed, while others are open
(services.md, "Order status", step 2).

Asked before something is sent that may have been sent before: there "no such order" alone is not enough.
"""

from dataclasses import replace
from datetime import datetime

from app.api.errors import BrokenReply
from app.desk.desk import Desk
from app.desk.sending.verdict import Verdict
from app.desk.sync import order_sync
from app.store.cache import order_store
from app.store.cache.order_rows import OrderLine
from app.store.journal.records import WriteRow


async def ask_lists(desk: Desk, since: datetime) -> str:
    """Bring both lists up to date, for the days from `since` on; the sentence for trouble, else empty."""
    days = (desk.now().date() - since.date()).days + 1
    for list_name in ("open", "completed"):
        got = await order_sync.refresh(desk, "open" if list_name == "open" else "completed", days)
        if got.trouble:
            return got.trouble
    return ""


async def listed(desk: Desk, reference: str) -> OrderLine | None:
    """An order with this reference, as either list ever showed it."""
    lines = await desk.reader.read(order_store.find_crn, desk.profile.id, reference)
    return lines[0] if lines else None


async def with_lists(desk: Desk, write: WriteRow, found: Verdict, trouble: str) -> Verdict:
    """A verdict of "no such order" with what the lists say, which were asked after it; `trouble` if they were not."""
    if trouble:
        words = f"The order status shows nothing of it, and the lists are not known. {trouble}"
        return replace(found, kind="unknown", sentence=words, error=BrokenReply(words), definite=False)
    line = await listed(desk, write.reference)
    if line is None:
        return found
    words = f"The order status shows nothing of it, but an order with this reference is listed as number {line.number}."
    if line.list == "open":
        return replace(found, kind="changes", sentence=words, definite=False)
    return replace(found, kind="closed", sentence=f"{words} One sent now would be a second order.", definite=False)
