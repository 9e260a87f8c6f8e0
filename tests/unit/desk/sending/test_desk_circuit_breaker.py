"""The circuit breaker by itself."""

import pytest

from app.desk.circuit_breaker import THRESHOLD, CircuitBreaker, Failure


def opened(failure: Failure, count: int = THRESHOLD) -> CircuitBreaker:
    breaker = CircuitBreaker()
    for write_id in range(count):
        breaker.record_failure(write_id, failure)
    return breaker


@pytest.mark.parametrize("failure", ["doubt", "unasked", "turned away"])
def test_it_opens_at_the_threshold_and_not_before(failure: Failure) -> None:
    assert opened(failure, THRESHOLD - 1).cause is None
    assert opened(failure).cause == failure


def test_a_write_counts_once_however_often_it_fails() -> None:
    breaker = CircuitBreaker()
    for _ in range(THRESHOLD):
        breaker.record_failure(7, "doubt")
    assert breaker.cause is None
    assert breaker.one_at_a_time


def test_failures_of_another_sort_may_stand_between() -> None:
    breaker = opened("doubt", THRESHOLD - 1)
    breaker.record_failure(50, "turned away")
    assert breaker.cause is None
    breaker.record_failure(51, "doubt")
    assert breaker.cause == "doubt"


def test_a_write_that_is_accepted_or_rejected_closes_it() -> None:
    breaker = opened("turned away")
    breaker.record_success()
    assert breaker.cause is None
    assert not breaker.one_at_a_time


def test_an_answer_ends_unanswered_questions_alone() -> None:
    breaker = opened("unasked")
    breaker.record_failure(50, "doubt")
    breaker.record_answer()
    assert breaker.cause is None
    assert breaker.one_at_a_time


def test_a_settled_doubt_counts_no_more() -> None:
    breaker = opened("doubt")
    assert breaker.any_in_doubt([0])
    breaker.record_settled(0)
    assert breaker.cause is None
    assert not breaker.any_in_doubt([0])
