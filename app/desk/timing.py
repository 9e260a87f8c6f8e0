"""What came before what at a desk, and how long ago: told by nothing that can be set back or forward.

The journal numbers every change of a write, so a question to the provider has its place among them: the number that was
the last when it was asked. How long ago something was tried is told by a clock that only ever goes on, within this run;
of what an earlier run tried it is the least of what both clocks say, unless the computer's has been set back since.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

_KEPT = 10_000  # questions; what was asked longer ago is asked again


@dataclass(slots=True)
class Timing:
    """What a desk asked and tried since it was opened. `ticks` are seconds that only ever go on."""

    ticks: Callable[[], float] = time.monotonic
    began: float = field(init=False)
    tried: dict[str, float] = field(default_factory=dict, init=False)  # by reference: when an attempt last ended
    asked: dict[int, int] = field(default_factory=dict, init=False)  # the journal's last change, by when it was asked

    def __post_init__(self) -> None:
        self.began = self.ticks()

    def note_tried(self, reference: str) -> None:
        """Something was sent, or was about to be: up to this moment it may have arrived."""
        self.tried[reference] = self.ticks()

    def since_tried(self, reference: str, last: datetime, now: datetime) -> timedelta:
        """How long ago, at least, something of a reference was `last` tried. A moment without a zone is local time."""
        known = self.tried.get(reference)
        ran = timedelta(seconds=self.ticks() - (self.began if known is None else known))
        told = now.astimezone(UTC) - last.astimezone(UTC)
        return ran if known is not None or told < timedelta() else min(ran, told)

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
