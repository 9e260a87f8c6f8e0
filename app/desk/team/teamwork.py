"""The team as a working desk asks it: may this order be sent now, and what have the others sent?

Invariants: a team that cannot be reached is never waited for longer than `_PATIENCE_S`. What is known of the others
comes from this computer's copy, so a verdict needs no network. An interval since another desk's attempt is told too
short rather than too long: it is counted from when the server had the entry, less the error of the clocks.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from app.desk.team import team_words as words
from app.desk.team.sharing import CONSIGNEES
from app.desk.team_side import Claimed, Doing
from app.store.journal.profile_store import Profile
from app.store.journal.records import WriteState
from app.store.journal.team import team_log
from app.store.journal.team.team_places import place_of
from app.store.sqlite.database import Database
from app.store.sqlite.text_values import local
from app.store.store_errors import StoreError
from app.store.team import team_calls, team_file
from app.store.team.no_link import NoLink
from app.store.team.team_calls import ClockDifference
from app.store.team.team_file import Orders, OthersMarks, OthersReview, OthersWrite, Settlement, SharedThing
from app.store.team.team_link import LinkState, TeamLink

T = TypeVar("T")
_PATIENCE_S = 3.0
# The longest attempt, and the time in which an order that was sent may not be seen yet. A claim whose outcome is known
# is given back at once.
_CLAIM_S = 240.0
# What is said of presence ends by itself after this; `ui/base/at_work` repeats it in less than half of the time.
_PRESENT_S = 45.0
# Where the difference of the clocks was never measured.
_UNKNOWN_CLOCK = ClockDifference(0, 300_000)


@dataclass(slots=True)
class Teamwork:
    """The team as one connection sees it. `waits`: without the database nothing is sent, by this desk's setting."""

    link: TeamLink | NoLink
    others: Database
    place: str
    waits: bool = False

    @property
    def state(self) -> LinkState:
        """How the connection to the team's database stands."""
        return self.link.state

    @property
    def person(self) -> str:
        """The name under which this desk works with the team."""
        return self.link.person

    async def claim(self, reference: str) -> Claimed:
        """Take the claim on a reference before it is looked up and sent. Never raises for trouble."""
        job = self.link.claim(self.place, reference, _CLAIM_S)
        asked = not job.done()  # without a connection it has failed already
        try:
            answer = await _in_time(job)
        except (StoreError, TimeoutError):
            if not self.waits:
                return Claimed("unclaimed")
            if asked:
                # It may be got all the same, after this desk has stopped waiting, and nothing is sent with it.
                self.give_back(reference)
            return Claimed("waits", words.WAITS_FOR_DATABASE)
        if answer.got:
            return Claimed("got")
        return Claimed("waits", words.claimed_by(answer.person) if answer.person else words.CLAIMED)

    def give_back(self, reference: str) -> None:
        """Give a claim back, once the outcome is in the journal. Returns at once; a lost claim ends by itself."""
        self.link.give_back(self.place, reference)

    def tell(self) -> None:
        """The journal has something new for the team."""
        self.link.wake()

    async def writes_of(self, reference: str) -> list[OthersWrite]:
        """The writes of other desks for a reference, the latest first. Raises `StoreError`."""
        return await self.others.read(team_file.writes_of_reference, self.place, reference)

    async def writes(
        self, states: Collection[WriteState], limit: int, *, person: str = "", held: bool | None = None
    ) -> list[OthersWrite]:
        """Writes of the other desks, as `team_file.writes_page` tells them. Raises `StoreError`."""
        return await self.others.read(team_file.writes_page, self.place, states, limit, person=person, held=held)

    async def people(self) -> list[str]:
        """The other people of the team by name. Raises `StoreError`."""
        return [each for each in await self.others.read(team_file.people) if each != self.link.person]

    async def sent_by_others(self, reference: str) -> OthersWrite | None:
        """The latest submission of this reference by another desk that may have arrived. Raises `StoreError`."""
        found = await self.writes_of(reference)
        return next((each for each in found if each.tried and each.kind == "submit"), None)

    async def accepted_from_others(self, reference: str) -> OthersWrite | None:
        """The latest submission of this reference by another desk that the provider accepted. Raises `StoreError`."""
        found = await self.others.read(team_file.last_accepted, self.place, (reference,))
        return found.get(reference)

    def standing_now(self, references: Collection[str]) -> dict[str, OthersWrite]:
        """The latest write of another desk for each reference, if it was neither refused nor withdrawn. Blocks: call it
        on a thread. Raises `StoreError`."""
        return self.others.read_separately_now(team_file.last_standing, self.place, references)

    async def settlements(self, references: Collection[str]) -> Sequence[Settlement]:
        """The decisions of others about attempts in doubt with these references, the earliest first. Raises
        `StoreError`."""
        return await self.others.read(team_file.settlements_of, self.place, references)

    async def shared(self, what: str) -> Sequence[SharedThing]:
        """The views or templates that others share. Raises `StoreError`."""
        return await self.others.read(team_file.shared_things, self.place, what)

    async def consignee_desks(self) -> Sequence[str]:
        """The other desks that share the consignees that they send to. Raises `StoreError`."""
        return await self.others.read(team_file.sharing_desks, self.place, CONSIGNEES)

    async def orders_after(self, desk: str, number: int, limit: int) -> Orders:
        """Orders of another desk after the one with this number, the earliest first. Raises `StoreError`."""
        return await self.others.read(team_file.orders_after, self.place, desk, number, limit)

    async def reviews_of(self, audit: int) -> list[OthersReview]:
        """The reviews of an audit and of its photos by other people, the latest first. Raises `StoreError`."""
        return await self.others.read(team_file.reviews_of, self.place, audit)

    async def noted(self) -> Sequence[tuple[int, str, str, str]]:
        """Every note of other people: audit, photo (empty for the audit itself), person and text. Raises
        `StoreError`."""
        return await self.others.read(team_file.noted_reviews, self.place)

    async def marked_audits(self) -> OthersMarks:
        """The audits that other people reviewed, flagged or noted. Raises `StoreError`."""
        return await self.others.read(team_file.marked_audits, self.place)

    def since(self, sent: OthersWrite, now: datetime) -> timedelta:
        """How long ago, at least, another desk's write was sent."""
        return max(now.astimezone(UTC) - self._latest(sent), timedelta())

    def local_moment(self, sent: OthersWrite) -> datetime:
        """When the team knew of it, by this computer's clock and in its zone."""
        return local(sent.at + timedelta(milliseconds=self._clock.ahead_ms))

    def was_before(self, sent: OthersWrite, moment: datetime) -> bool:
        """Whether another desk's write was certainly sent before this moment of this computer's clock."""
        return self._latest(sent) < moment.astimezone(UTC)

    def is_news_since(self, sent: OthersWrite, at: datetime, clock: int | None) -> bool:
        """Whether it was not known here, at this moment of this computer's clock, that another desk sent this write.
        `clock` is the team's clock then, None where it is not known."""
        # Neither a clock that is hours ahead orders facts, nor the clocks that this desk gives while its own is.
        wrong = self._clock.ahead_ms > team_log.FAR_AHEAD_MS
        if clock is None or sent.told_clock is None or wrong or not team_log.is_believed(sent.told_clock):
            return not self.was_before(sent, at)
        # A desk gives a larger clock to all that it does after it has heard of an entry.
        return sent.told_clock > clock

    def _latest(self, sent: OthersWrite) -> datetime:
        clock = self._clock
        return sent.at + timedelta(milliseconds=clock.ahead_ms + clock.error_ms)

    @property
    def _clock(self) -> ClockDifference:
        return self.link.clock or _UNKNOWN_CLOCK

    def be_present(self, subject: str, doing: str) -> None:
        """Say for a while that this desk works on something; empty `doing` ends it. Returns at once."""
        seconds = _PRESENT_S if doing else 0.0
        self.link.call(team_calls.be_present, self.place, subject, doing or words.ENDED, seconds)

    def at_work(self, doing: Doing) -> Mapping[str, Sequence[str]]:
        """Who else is doing this now: people by subject, which is an order's reference or an audit's number.

        The people of a subject are in the order of their names, so that a sentence about them stands still.
        """
        names = {each.desk: each.person for each in self.state.desks}
        found: dict[str, set[str]] = {}  # a person at two desks is one person
        for each in self.state.presence:
            if each.place == self.place and each.doing == doing and each.desk in names:
                found.setdefault(each.subject, set()).add(names[each.desk])
        return {subject: sorted(people) for subject, people in found.items()}


def team_of(profile: Profile, link: TeamLink | NoLink, others: Database, *, waits: bool) -> Teamwork | None:
    """The team as this connection sees it; None for practice, which is nobody else's business."""
    if profile.kind == "practice":
        return None
    return Teamwork(link, others, place_of(profile.base_url, profile.client_id), waits)


async def _in_time(job: "Future[T]") -> T:
    """The result of a job of the link. Raises `TimeoutError` after `_PATIENCE_S`; a job not begun is never run then."""
    async with asyncio.timeout(_PATIENCE_S):
        return await asyncio.wrap_future(job)
