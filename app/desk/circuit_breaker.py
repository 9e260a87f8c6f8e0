"""A circuit breaker for sending: `THRESHOLD` different writes in a row that fail in the same way stop the queue.

*In a row* means: with no accepted or rejected write between them. Failures of another sort may stand between. One
write that cannot be looked up, is refused with 403 or ends in doubt says nothing about the other writes: they go on.
At the threshold the others would most likely fail too. From the first failure on writes leave one at a time, so that
no more than a few can meet the same failure. One write that is accepted or rejected closes the breaker again: the
provider works.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal

Failure = Literal[
    "doubt",  # the write may have arrived
    "unasked",  # the provider did not say how the order stands, so the last look failed
    "turned away",  # the provider refused the write with 403
]

THRESHOLD = 3


@dataclass(slots=True)
class CircuitBreaker:
    """The writes that have failed in a row, by the sort of failure. One write counts once for each sort."""

    failed: dict[Failure, set[int]] = field(default_factory=dict)

    @property
    def cause(self) -> Failure | None:
        """The failure that opened the breaker; None while it is closed."""
        return next((failure for failure, writes in self.failed.items() if len(writes) >= THRESHOLD), None)

    @property
    def one_at_a_time(self) -> bool:
        """Whether the last writes failed, so that only one may be on the wire."""
        return bool(self.failed)

    def record_failure(self, write_id: int, failure: Failure) -> None:
        """Count a failed write."""
        self.failed.setdefault(failure, set()).add(write_id)

    def record_answer(self) -> None:
        """The provider said how an order stands, whatever became of sending that order."""
        self.failed.pop("unasked", None)

    def record_success(self) -> None:
        """A write was accepted or rejected: the provider works."""
        self.failed.clear()

    def record_settled(self, write_id: int) -> None:
        """The outcome of a write in doubt is known: the write counts no more."""
        doubts = self.failed.get("doubt", set())
        doubts.discard(write_id)
        if not doubts:
            self.failed.pop("doubt", None)

    def any_in_doubt(self, write_ids: Collection[int]) -> bool:
        """Whether any of these writes ended in doubt and is not settled."""
        return not self.failed.get("doubt", set()).isdisjoint(write_ids)
