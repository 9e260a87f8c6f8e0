"""The writes of a team's other desks for one order, and the decision of a person of this desk about them."""

from dataclasses import dataclass

from app.desk.desk import Desk
from app.desk.sending.payload_differences import Difference
from app.desk.sending.verdict import differing
from app.store.journal import write_store
from app.store.journal.team import team_log
from app.store.journal.team.team_log import OwnSent
from app.store.sqlite.text_values import to_moment
from app.store.store_errors import JournalDamaged, WrongState
from app.store.team.team_file import OthersWrite
from app.translation import translate

_KIND, _VERSION = "settlement", 1


@dataclass(frozen=True, slots=True)
class Conflict:
    """Another desk and this one sent two versions of an order, at least one of them without a claim, and neither knew
    of the other's. `differences` lead from this desk's version to theirs; None where the versions cannot be compared
    here."""

    theirs: OthersWrite
    differences: tuple[Difference, ...] | None


@dataclass(frozen=True, slots=True)
class OrderStory:
    """The writes of the other desks, the latest first, and the conflict with the latest of them if there is one."""

    writes: tuple[OthersWrite, ...] = ()
    conflict: Conflict | None = None


async def order_story(desk: Desk, reference: str) -> OrderStory:
    """The writes of the other desks for a reference, and a conflict with them. Raises `StoreError`."""
    if desk.team is None:
        return OrderStory()
    writes = await desk.team.writes_of(reference)
    return OrderStory(tuple(writes), await _conflict(desk, reference, writes))


async def _conflict(desk: Desk, reference: str, writes: list[OthersWrite]) -> Conflict | None:
    own = await desk.journal.read(team_log.last_sent, desk.profile.id, reference)
    latest: dict[str, OthersWrite] = {}
    for each in writes:
        if each.kind == "submit" and each.tried and each.number > getattr(latest.get(each.desk), "number", 0):
            latest[each.desk] = each
    for theirs in latest.values() if own is not None else ():
        if own is not None and _sent_apart(own, theirs) and (found := await _compared(desk, own.write, theirs)):
            return found
    return None


def _sent_apart(own: OwnSent, theirs: OthersWrite) -> bool:
    """Whether neither desk knew of the other's version when it sent its own. With both claims that cannot be: whoever
    gets a claim has what its last holder did."""
    knew = own.known.get(theirs.desk, 0) >= theirs.number or theirs.known.get(own.desk, 0) >= own.write
    return (own.unclaimed or theirs.unclaimed) and not knew


async def _compared(desk: Desk, own: int, theirs: OthersWrite) -> Conflict | None:
    try:
        payload = await desk.journal.read(write_store.payload, own)
    except JournalDamaged:
        return Conflict(theirs, None)
    if theirs.payload is None:
        return Conflict(theirs, None)
    found = await differing(payload, theirs.payload)
    # Equal versions are no conflict: whichever came last, the provider has what both wanted.
    return Conflict(theirs, tuple(found)) if found else None


async def settle_for(desk: Desk, write: OthersWrite, *, arrived: bool) -> None:
    """Tell the team that this attempt arrived, or did not.

    Nothing changes here but the log. The other desk, whose own person may be away, takes the decision into its journal
    when it reads the log (`desk/sending/settling`), as if it had been made there. Raises `WrongState` for a write
    that is not in doubt, and `StoreError`.
    """
    if desk.team is None or write.state != "in_doubt" or write.tried_at is None:
        raise WrongState(translate("This is not in doubt any more."))
    body = {
        "place": write.place,
        "kind": write.kind,
        "reference": write.reference,
        "queued_at": to_moment(write.queued_at),
        "sha256": write.sha256,
        "tried_at": to_moment(write.tried_at),
        "arrived": arrived,
    }
    subject = " ".join(str(body[name]) for name in ("place", "reference", "queued_at", "tried_at"))
    await desk.journal.write(team_log.append, _KIND, _VERSION, subject, body)
    desk.team.tell()
