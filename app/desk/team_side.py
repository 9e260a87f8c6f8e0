"""The team as the rest of `desk` knows it, without its database: `desk/team/teamwork` knows how that is reached."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from app.store.journal.records import WriteState
    from app.store.journal.team.team_log import OwnLatest
    from app.store.team.team_file import Orders, OthersMarks, OthersReview, OthersWrite, Settlement, SharedThing

Doing = Literal["changing", "reviewing"]
CHANGING: Doing = "changing"  # what a desk says that it does while an order is in its form
REVIEWING: Doing = "reviewing"  # while an audit is open


@dataclass(slots=True)
class Claimed:
    """`got`: the claim is this desk's. `waits`: the write must wait, and `sentence` says for whom. `unclaimed`: the
    team's database cannot be reached, so the write is sent without a claim. `alone`: there is no team.

    `keep` is set where nobody knows yet what became of the attempt: the claim then ends by its own time.
    """

    state: Literal["got", "waits", "unclaimed", "alone"]
    sentence: str = ""
    keep: bool = False


class TeamSide(Protocol):
    """The team as one connection sees it. What is known of the others is read from this computer's copy."""

    @property
    def person(self) -> str:
        """The name under which this desk works with the team."""

    async def claim(self, reference: str) -> Claimed:
        """Take the claim on a reference before it is looked up and sent. Never raises for trouble."""

    def give_back(self, reference: str) -> None:
        """Give a claim back, once the outcome is in the journal. Returns at once; a lost claim ends by itself."""

    def tell(self) -> None:
        """The journal has something new for the team."""

    async def writes_of(self, reference: str) -> "list[OthersWrite]":
        """The writes of other desks for a reference, the latest first. Raises `StoreError`."""

    async def writes(
        self, states: "Collection[WriteState]", limit: int, *, person: str = "", held: bool | None = None
    ) -> "list[OthersWrite]":
        """Writes of the other desks in any of `states` (all when empty), the latest first, without their orders.

        `person` leaves only theirs; `held` says which of the queued ones. Raises `StoreError`.
        """

    async def people(self) -> list[str]:
        """The other people of the team by name. Raises `StoreError`."""

    async def sent_by_others(self, reference: str) -> "OthersWrite | None":
        """The latest submission of this reference by another desk that may have arrived. Raises `StoreError`."""

    async def accepted_from_others(self, reference: str) -> "OthersWrite | None":
        """The latest submission of this reference by another desk that the provider accepted. Raises `StoreError`."""

    def since(self, sent: "OthersWrite", now: datetime) -> timedelta:
        """How long ago, at least, another desk's write was sent."""

    def local_moment(self, sent: "OthersWrite") -> datetime:
        """When the team knew of it, by this computer's clock and in its zone."""

    def was_before(self, sent: "OthersWrite", moment: datetime) -> bool:
        """Whether another desk's write was certainly sent before this moment of this computer's clock."""

    def is_news_since(self, sent: "OthersWrite", at: datetime, clock: int | None) -> bool:
        """Whether it was not known here, at this moment of this computer's clock, that another desk sent this write.
        `clock` is the team's clock then, None where it is not known."""

    def be_present(self, subject: str, doing: str) -> None:
        """Say for a while that this desk works on something; empty `doing` ends it. Returns at once."""

    def at_work(self, doing: Doing) -> Mapping[str, Sequence[str]]:
        """Who else is doing this now: people by subject, which is an order's reference or an audit's number."""

    def standing_now(self, references: "Collection[str]") -> "Mapping[str, OthersWrite]":
        """The latest write of another desk for each reference, if it was neither refused nor withdrawn. Blocks: call it
        on a thread. Raises `StoreError`."""

    async def settlements(self, references: "Collection[str]") -> "Sequence[Settlement]":
        """The decisions of others about attempts in doubt with these references, the earliest first. Raises
        `StoreError`."""

    async def shared(self, what: str) -> "Sequence[SharedThing]":
        """The views or templates that others share. Raises `StoreError`."""

    async def consignee_desks(self) -> "Sequence[str]":
        """The other desks that share the consignees that they send to. Raises `StoreError`."""

    async def orders_after(self, desk: str, number: int, limit: int) -> "Orders":
        """Orders of another desk after the one with this number, the earliest first. Raises `StoreError`."""

    async def reviews_of(self, audit: int) -> "list[OthersReview]":
        """The reviews of an audit and of its photos by other people, the latest first. Raises `StoreError`."""

    async def noted(self) -> "Sequence[tuple[int, str, str, str]]":
        """Every note of other people: audit, photo (empty for the audit itself), person and text. Raises
        `StoreError`."""

    async def marked_audits(self) -> "OthersMarks":
        """The audits that other people reviewed, flagged or noted. Raises `StoreError`."""


def was_last(team: TeamSide, theirs: "OthersWrite", own: "OwnLatest | None") -> bool:
    """Whether what another desk wrote of an order came after what this one wrote of it; None if that was nothing."""
    if own is None:
        return True
    knew_theirs = own.known.get(theirs.desk, 0) >= theirs.number
    knew_own = theirs.known.get(own.desk, 0) >= own.write
    if knew_theirs != knew_own:
        return knew_own
    # Neither knew of the other's, or each has sent its own again: the time decides. UTC, for the hour that comes twice.
    return not team.was_before(theirs, own.at)
