"""What came before what at a desk, and how long ago: told by nothing that can be set back or forward.

The journal numbers every change of a write, so a question to the provider has its place among them: the number that was
the last when it was asked. How long ago something was tried is told by a clock that only ever goes on; of what an
earlier run tried only the computer's own can tell, unless that has been set back since.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

LONGEST_REST_S = 600.0  # what asks for more may have meant something else, and is asked again by then
_KEPT = 10_000  # questions; what was asked longer ago is asked again


def left_alone_words(until: datetime, now: datetime) -> str:
    """`The provider asked to be left alone until 14:02:10`."""
    when = f"{until:%H:%M:%S}" if until.date() == now.date() else f"{until:%d %b, %H:%M}"
    return f"The provider asked to be left alone until {when}"


@dataclass(frozen=True, slots=True)
class Instant:
    """A moment by both clocks: the computer's, and the one that only ever goes on."""

    clock: datetime
    ticks: float


@dataclass(slots=True)
class Timing:
    """What a desk asked and tried since it was opened. `ticks` are seconds that only ever go on."""

    ticks: Callable[[], float] = time.monotonic
    began: float = field(init=False)
    tried: dict[str, float] = field(default_factory=dict, init=False)  # by reference: when an attempt last ended
    asked: dict[int, int] = field(default_factory=dict, init=False)  # the journal's last change, by when it was asked
    looked: dict[int, float] = field(default_factory=dict, init=False)  # writes: when last looked for evidence of it
    missed: dict[int, float] = field(default_factory=dict, init=False)  # writes: when they were first not known
    alone_until: float = field(default=0.0, init=False)  # the provider asked to be left alone until then

    def __post_init__(self) -> None:
        self.began = self.ticks()

    def note_tried(self, reference: str) -> None:
        """Something was sent, or was about to be: up to this moment it may have arrived."""
        self.tried[reference] = self.ticks()

    @property
    def left_alone(self) -> bool:
        """Whether nothing is to be asked that nobody waits for."""
        return self.ticks() < self.alone_until

    @property
    def alone_for(self) -> float:
        """Seconds for which nothing is to be asked that nobody waits for."""
        return max(0.0, self.alone_until - self.ticks())

    def alone_words(self, now: datetime) -> str:
        """Until when the provider asks to be left alone, as a sentence begins; empty when it does not."""
        return left_alone_words(now + timedelta(seconds=self.alone_for), now) if self.left_alone else ""

    def leave_alone(self, seconds: float | None) -> None:
        """The provider asked to be left alone for so long, if it did; of several such wishes the longest counts."""
        if seconds is not None:
            self.alone_until = max(self.alone_until, self.ticks() + min(seconds, LONGEST_REST_S))

    def note_looked(self, write_id: int) -> None:
        """Evidence of a write was looked for: others have their turn before it."""
        self.looked[write_id] = self.ticks()

    def note_missed(self, write_id: int) -> None:
        """The provider did not know a write in doubt."""
        self.missed[write_id] = self.ticks()

    def turn(self, write_id: int) -> tuple[float, int]:
        """Sorts writes for looking: those that were not looked for longest come first, among them the latest."""
        return self.looked.get(write_id, float("-inf")), -write_id

    def instant(self, now: datetime) -> Instant:
        """This moment; `now` is what the computer's clock says, without a zone local time."""
        return Instant(now.astimezone(UTC), self.ticks())

    def age(self, at: Instant, now: datetime) -> float:
        """For how many seconds something is known. Of both clocks the later counts: one that only goes on may stand
        still while the computer sleeps."""
        return max(self.ticks() - at.ticks, (now.astimezone(UTC) - at.clock).total_seconds())

    def since_tried(self, reference: str, last: datetime, at: Instant) -> timedelta:
        """How long before `at`, at least, something of a reference was `last` tried."""
        return self._since(self.tried.get(reference), last, at)

    def since_missed(self, write_id: int, first: datetime, at: Instant) -> timedelta:
        """How long before `at`, at least, the provider did not know a write for the `first` time."""
        return self._since(self.missed.get(write_id), first, at)

    def _since(self, known: float | None, last: datetime, at: Instant) -> timedelta:
        told = at.clock - last.astimezone(UTC)
        if known is None and told >= timedelta():
            return told
        return timedelta(seconds=at.ticks - (self.began if known is None else known))

    def ask(self, now: datetime, change: int) -> datetime:
        """The provider is asked now for orders, `change` being the last of the journal: when, as the cache keeps it.

        No two questions have the same moment, also where the clock has been set back.
        """
        key = int(now.timestamp() * 1_000) + 1
        while key in self.asked:
            key += 1
        self.asked[key] = change
        if len(self.asked) > _KEPT:
            del self.asked[next(iter(self.asked))]
        return datetime.fromtimestamp((key + 0.5) / 1_000)  # halfway, so that no rounding leads to another one

    def asked_after(self, seen_at: datetime, change: int) -> bool:
        """Whether what was seen then was asked for after this change of the journal. Not, where nobody knows."""
        return self.asked.get(round(seen_at.timestamp() * 1_000), -1) >= change
