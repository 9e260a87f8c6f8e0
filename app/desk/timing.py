"""The order of events at a desk, and how long ago each was, without trusting the computer's clock.

Invariants: order is told by the journal's change numbers. A request to the provider is placed among them by the number
that was the last when the request began. An interval is told by a monotonic clock. Only attempts of an earlier run of
the program are judged by the computer's own clock, and not even those if that clock has been set back since.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from app.desk.text.typed_dates import exact_moment
from app.translation import translate

# A provider that asks for a longer pause may have meant another unit: the next request goes out by then.
LONGEST_BACKOFF_S = 600.0
# So often the provider is asked about an accepted write whenever there is time; from then on ever more seldom, since
# something that is not to be seen by then may never be.
_ASKED_FREELY = 4
_FIRST_REST_S = 30.0
_LONGEST_REST_S = 3_600.0
# A window that is open for weeks asks without an end: the oldest requests are forgotten.
_REMEMBERED_REQUESTS = 10_000


def backoff_words(until: datetime, now: datetime) -> str:
    """`The provider asked for a pause until 14:02:10`, without a full stop."""
    when = f"{until:%H:%M:%S}" if until.date() == now.date() else exact_moment(until)
    return translate("The provider asked for a pause until {when}", when=when)


@dataclass(frozen=True, slots=True)
class Instant:
    """A moment by both clocks: the computer's (`clock`, in UTC) and the monotonic one (`ticks`, in seconds)."""

    clock: datetime
    ticks: float


@dataclass(slots=True)
class Timing:
    """The requests and attempts of a connection since this run first used it. `ticks` is the monotonic clock, in
    seconds."""

    ticks: Callable[[], float] = time.monotonic
    opened_at: float = field(init=False)
    attempt_ends: dict[str, float] = field(default_factory=dict, init=False)  # by reference
    requests: dict[int, int] = field(default_factory=dict, init=False)  # by moment in ms: the journal's last change
    recorded_ends: dict[int, int] = field(default_factory=dict, init=False)  # by write: the change that stored its end
    evidence_checks: dict[int, float] = field(default_factory=dict, init=False)  # by write
    unconfirmed: dict[int, int] = field(default_factory=dict, init=False)  # by accepted write: how often asked in vain
    first_missed: dict[int, float] = field(default_factory=dict, init=False)  # by write in doubt
    backoff_until: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self.opened_at = self.ticks()

    # Back-off: the provider asked for fewer requests

    @property
    def backing_off(self) -> bool:
        """Whether requests that no person waits for are held back."""
        return self.ticks() < self.backoff_until

    @property
    def backoff_seconds(self) -> float:
        """For how many seconds requests that no person waits for are held back."""
        return max(0.0, self.backoff_until - self.ticks())

    def backoff_notice(self, now: datetime) -> str:
        """Until when requests are held back, as the beginning of a sentence; empty when they are not."""
        return backoff_words(now + timedelta(seconds=self.backoff_seconds), now) if self.backing_off else ""

    def back_off(self, seconds: float | None) -> None:
        """Hold back requests for so long. Of several wishes of the provider the longest counts; None is no wish."""
        if seconds is not None:
            self.backoff_until = max(self.backoff_until, self.ticks() + min(seconds, LONGEST_BACKOFF_S))

    def end_back_off(self) -> None:
        """Hold back no requests: the connection leads to another provider now."""
        self.backoff_until = 0.0

    # Intervals

    def instant(self, now: datetime) -> Instant:
        """This moment by both clocks; a `now` without a zone is local time."""
        return Instant(now.astimezone(UTC), self.ticks())

    def age(self, at: Instant, now: datetime) -> float:
        """How many seconds lie between `at` and `now`."""
        # The longer of both counts: a monotonic clock may stand still while the computer sleeps.
        return max(self.ticks() - at.ticks, (now.astimezone(UTC) - at.clock).total_seconds())

    def record_attempt(self, reference: str) -> None:
        """An attempt has ended: whatever was sent may have arrived up to this moment."""
        self.attempt_ends[reference] = self.ticks()

    def since_attempt(self, reference: str, ended_at: datetime, at: Instant) -> timedelta:
        """How long before `at`, at least, the last attempt of a reference ended: `ended_at` in the journal."""
        return self._since(self.attempt_ends.get(reference), ended_at, at)

    def record_missed(self, write_id: int) -> None:
        """The provider did not know a write in doubt."""
        self.first_missed[write_id] = self.ticks()

    def since_missed(self, write_id: int, missed_at: datetime, at: Instant) -> timedelta:
        """How long before `at`, at least, the provider first did not know a write: `missed_at` in the journal."""
        return self._since(self.first_missed.get(write_id), missed_at, at)

    def _since(self, ticks: float | None, clock: datetime, at: Instant) -> timedelta:
        told = at.clock - clock.astimezone(UTC)
        if ticks is None and told >= timedelta():
            return told
        # A negative interval proves that the clock was set back: only the time since the start is certain then.
        return timedelta(seconds=at.ticks - (self.opened_at if ticks is None else ticks))

    # The order of events

    def record_evidence_check(self, write_id: int) -> None:
        """The provider was asked for evidence of a write: other writes have their turn before it."""
        self.evidence_checks[write_id] = self.ticks()

    def record_confirmation_check(self, write_id: int) -> None:
        """The provider was asked about an accepted write, and no answer has confirmed it yet."""
        self.record_evidence_check(write_id)
        self.unconfirmed[write_id] = self.unconfirmed.get(write_id, 0) + 1

    def may_check_confirmation(self, write_id: int) -> bool:
        """Whether it is time to ask about an accepted write: the more often it was asked in vain, the longer it
        rests."""
        doublings = self.unconfirmed.get(write_id, 0) - _ASKED_FREELY
        if doublings < 0:
            return True
        rest = min(_FIRST_REST_S * 2.0 ** min(doublings, 16), _LONGEST_REST_S)
        return self.ticks() - self.evidence_checks.get(write_id, float("-inf")) >= rest

    def evidence_order(self, write_id: int) -> tuple[float, int]:
        """A sort key: the writes that were checked longest ago come first, among equals the latest write."""
        return self.evidence_checks.get(write_id, float("-inf")), -write_id

    def stamp_request(self, now: datetime, change: int) -> datetime:
        """The moment of a request for orders that begins now, as the cache keeps it; `change` is the journal's last.

        No two requests have the same moment, even where the clock has been set back.
        """
        key = int(now.timestamp() * 1_000) + 1
        while key in self.requests:
            key += 1
        self.requests[key] = change
        if len(self.requests) > _REMEMBERED_REQUESTS:
            del self.requests[next(iter(self.requests))]  # what it brought is fetched anew before it proves anything
        return datetime.fromtimestamp((key + 0.5) / 1_000)  # half a millisecond, so that rounding leads to no other key

    def requested_after(self, seen_at: datetime, change: int) -> bool:
        """Whether the request of the moment `seen_at` began after this change; not, where the request is unknown."""
        return self.requests.get(round(seen_at.timestamp() * 1_000), -1) >= change

    def record_end(self, write_id: int, change: int) -> None:
        """The journal has stored by this change how the last attempt of a write ended."""
        self.recorded_ends[write_id] = change

    def requested_after_sending(self, seen_at: datetime, write_id: int) -> bool:
        """Whether the request of the moment `seen_at` began after the last attempt of a write ended.

        The number of the write's last change would be too large: a note or a confirmation is a change too.
        """
        # Not recorded: the attempt was in an earlier run, and every request that is known was in this one.
        return self.requested_after(seen_at, self.recorded_ends.get(write_id, 0))
