"""Changes to a list of rows, each a step that can be taken back: so many rows at a place became these rows.

Rows are never written into, only replaced; so a step holds the rows themselves, before and after.
"""

from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Step:
    """The rows `before` at `at` became `after`. Steps `of` the same thing are one: all keys typed into one cell."""

    at: int
    before: tuple[Any, ...]
    after: tuple[Any, ...]
    of: object = None

    def turned(self) -> "Step":
        """The step that takes this one back."""
        return Step(self.at, self.after, self.before)


class Steps:
    """What can be taken back, and what was."""

    def __init__(self) -> None:
        self._done: list[Step] = []
        self._undone: list[Step] = []

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether a step was taken back that can be made again."""
        return bool(self._undone)

    def add(self, step: Step) -> None:
        """A step was made; it joins the last one if both belong to the same thing, and vanishes if all is as before."""
        self._undone.clear()
        if step.of is not None and self._done and self._done[-1].of is step.of:
            step = replace(step, before=self._done.pop().before)
        if step.before != step.after:
            self._done.append(step)

    def drop(self, of: object) -> Step | None:
        """The step to make now, so that the last is as if it had never been; None if it is not one `of` this."""
        if not self._done or self._done[-1].of is not of:
            return None
        return self._done.pop().turned()

    def undo(self) -> Step | None:
        """The step to make now, so that the last is taken back."""
        if not self._done:
            return None
        self._undone.append(self._done.pop())
        return self._undone[-1].turned()

    def redo(self) -> Step | None:
        """The step to make again."""
        if not self._undone:
            return None
        self._done.append(self._undone.pop())
        return self._done[-1]
