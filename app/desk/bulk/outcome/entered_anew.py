"""Finds the orders that this desk cancelled, and that are open again because somebody entered them anew elsewhere."""

from collections.abc import Mapping

from app.desk.desk import Desk
from app.desk.sending.evidence import GRACE
from app.store.cache import listed_references
from app.store.cache.order_rows import OrderLine
from app.store.journal.import_store import KnownWrites


def entered_anew(desk: Desk, wrote: Mapping[str, KnownWrites], shown: Mapping[str, OrderLine]) -> set[str]:
    """Which of the references that this desk cancelled last the open list has shown as open since. Raises `StoreError`.

    A provider may show the cancelled order itself for a moment, so only what it shows later than that counts.
    """
    cancelled = {
        reference: known.latest.changed_at + GRACE
        for reference, known in wrote.items()
        if known.latest.kind == "cancel" and known.latest.state in ("accepted", "confirmed")
    }
    since = desk.reader.read_separately_now(listed_references.open_since, desk.profile.id, cancelled)
    return {each for each in since if (line := shown.get(each)) is not None and not line.is_closed}
