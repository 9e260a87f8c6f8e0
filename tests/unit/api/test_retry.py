"""When a call is made again: by example, and for any error, count and clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.errors import (
    ApiError,
    BadAddress,
    BrokenReply,
    Busy,
    NotAllowed,
    NotAuthorised,
    NotFound,
    NoToken,
    NotSent,
    Refused,
    SentUnknown,
    ServerFault,
)
from app.api.retry import READS, Budget, GiveUp, Retry, decide
from app.contract.replies import Problem

REPEATED = [
    NotSent("no network"),
    SentUnknown("no answer"),
    Busy("busy", 503, None),
    ServerFault("failed", 500),
    BrokenReply("cut", broke_off=True),
    NoToken(Busy("busy", 429, None)),
]
FINAL = [
    Refused("no", Problem(), 400),
    NotAuthorised("no"),
    NotAllowed("no"),
    NotFound("no"),
    BrokenReply("nonsense"),
    BadAddress("none"),
    NoToken(BrokenReply("no token service")),
]
ERRORS = st.sampled_from(REPEATED + FINAL)
CHANCE = st.floats(0, 1, exclude_max=True)


def after(error: ApiError, attempt: int = 1, now: float = 0.0, chance: float = 0.5, **more: object) -> Retry | GiveUp:
    return decide(error, attempt, now, started=0.0, chance=chance, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("error", REPEATED, ids=repr)
def test_a_read_that_may_succeed_later_is_repeated(error: ApiError) -> None:
    assert isinstance(after(error), Retry)


@pytest.mark.parametrize("error", FINAL, ids=repr)
def test_an_answer_is_an_answer(error: ApiError) -> None:
    assert after(error) == GiveUp()


def test_delays_double_up_to_the_longest() -> None:
    budget = Budget(attempts=10_000, seconds=float("inf"), first=1.0, longest=60.0)
    delays = [after(NotSent("x"), attempt, chance=0.999999, budget=budget) for attempt in (1, 2, 3, 9, 9_000)]
    assert [round(each.delay) for each in delays if isinstance(each, Retry)] == [1, 2, 4, 60, 60]


def test_a_wait_that_was_asked_for_is_kept() -> None:
    decision = after(Busy("busy", 429, 7.0))
    assert isinstance(decision, Retry)
    assert 7.0 <= decision.delay <= 8.0
    assert after(NoToken(Busy("busy", 429, 7.0))) == decision


def test_a_long_rest_is_for_the_caller_who_can_say_so() -> None:
    assert isinstance(after(Busy("busy", 503, READS.longest)), Retry)
    assert after(Busy("busy", 503, READS.longest + 1)) == GiveUp()
    assert after(NoToken(Busy("busy", 429, READS.longest + 1))) == GiveUp()


def test_a_wait_beyond_the_budget_is_not_begun() -> None:
    assert after(Busy("busy", 503, READS.seconds)) == GiveUp()
    assert after(SentUnknown("no answer"), now=READS.seconds) == GiveUp()


BUDGETS = st.sampled_from([READS, Budget(attempts=10_000, seconds=float("inf"), first=1.0, longest=60.0)])


@given(ERRORS, st.integers(1, 20_000), st.floats(0, 1e6), CHANCE, BUDGETS)
def test_no_decision_breaks_the_budget(
    error: ApiError, attempt: int, now: float, chance: float, budget: Budget
) -> None:
    decision = decide(error, attempt, now, started=0.0, chance=chance, budget=budget)
    if isinstance(decision, Retry):
        assert attempt < budget.attempts
        assert decision.delay > 0  # a read is never retried in a hot loop
        assert now + decision.delay <= budget.seconds


@given(st.integers(1, 3), CHANCE, CHANCE)
def test_chance_spreads_the_delay_over_half_of_it(attempt: int, one: float, other: float) -> None:
    first, second = after(SentUnknown("x"), attempt, chance=one), after(SentUnknown("x"), attempt, chance=other)
    assert isinstance(first, Retry)
    assert isinstance(second, Retry)
    assert (first.delay < second.delay) == (one < other) or abs(one - other) < 1e-9
    assert max(first.delay, second.delay) <= 2 * min(first.delay, second.delay)
