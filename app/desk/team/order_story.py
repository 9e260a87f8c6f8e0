"""What the team did with one order, and whether two desks sent it while they could not know of each other."""

from dataclasses import dataclass

from app.desk.desk import Desk
from app.desk.sending.payload_differences import Difference
from app.desk.sending.verdict import differing
from app.store.journal import write_store
from app.store.journal.team import team_log
from app.store.store_errors import JournalDamaged
from app.store.team.team_file import OthersWrite


@dataclass(frozen=True, slots=True)
class Conflict:
    """Another desk and this one both sent an order without a claim. `differences` lead from this desk's version to
    theirs; None where the versions cannot be compared here."""

    theirs: OthersWrite
    differences: tuple[Difference, ...] | None


@dataclass(frozen=True, slots=True)
class OrderStory:
    """The writes of the other desks, the latest first, and the conflict with the latest of them if there is one."""

    writes: tuple[OthersWrite, ...] = ()
    conflict: Conflict | None = None


async def order_story(desk: Desk, reference: str) -> OrderStory:
    """What the other desks did with a reference. Raises `StoreError`."""
    if desk.team is None:
        return OrderStory()
    writes = await desk.team.writes_of(reference)
    return OrderStory(tuple(writes), await _conflict(desk, reference, writes))


async def _conflict(desk: Desk, reference: str, writes: list[OthersWrite]) -> Conflict | None:
    theirs = next((each for each in writes if each.kind == "submit" and each.tried and each.unclaimed), None)
    if theirs is None:
        return None
    own = await desk.journal.read(team_log.last_unclaimed, desk.profile.id, reference)
    if own is None:
        return None
    try:
        payload = await desk.journal.read(write_store.payload, own)
    except JournalDamaged:
        return Conflict(theirs, None)
    if theirs.payload is None:
        return Conflict(theirs, None)
    found = await differing(payload, theirs.payload)
    # Equal versions are no conflict: whichever came last, the provider has what both wanted.
    return Conflict(theirs, tuple(found)) if found else None
