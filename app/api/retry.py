"""Whether a failed read is made again, and when: a pure function of the error, the count, the clock and a chance.

A read may always be retried, unless the provider asks for a longer delay than the longest one here: then the caller
gets the error at once and can tell a person. A write is never retried by this module: `Wire.write` sends it once, and
the send queue (`desk/sending/send_queue`) decides what becomes of it.
"""

from dataclasses import dataclass

from app.api.errors import (
    ApiError,
    BadAddress,
    BrokenReply,
    Busy,
    NoToken,
    NotSent,
    ProxyRefused,
    SentUnknown,
    ServerFault,
)


@dataclass(frozen=True, slots=True)
class Retry:
    """Make the call again after `delay` seconds."""

    delay: float


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Hand the error to the caller."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long one call may go on: so many `attempts`, none begun later than `seconds` after the first.

    Delays double from `first` to `longest` seconds, each shortened at random by up to half.
    """

    attempts: int
    seconds: float
    first: float
    longest: float


READS = Budget(attempts=4, seconds=60.0, first=0.5, longest=8.0)
_DOUBLINGS = 16  # far above any `longest`; a power without a bound would overflow


def decide(
    error: ApiError,
    attempt: int,
    now: float,
    *,
    started: float,
    chance: float,
    budget: Budget = READS,
) -> Retry | GiveUp:
    """Whether to retry after `error` ended attempt number `attempt` (the first is 1).

    `now` and `started` are readings of one monotonic clock in seconds; `chance` is a random number in [0, 1).
    """
    if attempt >= budget.attempts or not _may_be_repeated(error):
        return GiveUp()
    if (_rest_asked(error) or 0.0) > budget.longest:
        return GiveUp()
    delay = _delay(error, attempt, chance, budget)
    return Retry(delay) if now + delay <= started + budget.seconds else GiveUp()


def _may_be_repeated(error: ApiError) -> bool:
    reason = error.reason if isinstance(error, NoToken) else error
    if isinstance(reason, BrokenReply):
        return reason.broke_off
    if isinstance(reason, BadAddress | ProxyRefused):
        return False
    return isinstance(reason, NotSent | SentUnknown | Busy | ServerFault)


def _delay(error: ApiError, attempt: int, chance: float, budget: Budget) -> float:
    backoff = min(budget.longest, budget.first * 2.0 ** min(attempt - 1, _DOUBLINGS)) * (0.5 + chance / 2)
    asked = _rest_asked(error)
    # Never sooner than asked, and a little later by chance, so that waiting calls do not all return at once.
    return backoff if asked is None else asked + min(1.0, backoff)


def _rest_asked(error: ApiError) -> float | None:
    reason = error.reason if isinstance(error, NoToken) else error
    return reason.retry_after if isinstance(reason, Busy) else None
