"""When the trouble of single writes is everybody's: the third different one in a row that ends badly in the same way.

One order that cannot be asked about, is not allowed or ends in doubt says nothing about the others: they go on. Three
of them in a row are no chance, and the rest would only be thrown after them. From the first one on they go one by one,
so that no more than a few can meet the same; one that ends well says that it is over.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal

# It may have arrived; how the order stands could not be asked; the provider does not allow it.
Trouble = Literal["doubt", "unasked", "turned away"]

_IN_A_ROW = 3


@dataclass(slots=True)
class Brake:
    """How the last writes of a desk ended. `behind`: those that are tried after all others the next time; `ahead`:
    those that a person wants sent, which are looked at before all others."""

    in_row: dict[Trouble, set[int]] = field(default_factory=dict)
    behind: set[int] = field(default_factory=set)
    ahead: set[int] = field(default_factory=set)

    def place(self, write_id: int, *, unasked: bool) -> int:
        """Where it stands in the queue, before others that were queued earlier; `unasked`, as a person has agreed."""
        return 0 if unasked or write_id in self.ahead else 2 if write_id in self.behind else 1

    def note(self, write_id: int, trouble: Trouble) -> None:
        """One more that ended badly; the same one again is no further one."""
        self.in_row.setdefault(trouble, set()).add(write_id)
        self.behind.add(write_id)

    def answered(self) -> None:
        """The provider said how an order stands, whatever became of sending it."""
        self.in_row.pop("unasked", None)

    def settled(self, write_id: int) -> None:
        """It is known by now what became of a doubt, or a person has said so: it says no more of the others."""
        doubts = self.in_row.get("doubt", set())
        doubts.discard(write_id)
        if not doubts:
            self.in_row.pop("doubt", None)

    def in_doubt(self, write_ids: Collection[int]) -> bool:
        """Whether any of these ended in doubt, and nothing has become known of it since."""
        return not self.in_row.get("doubt", set()).isdisjoint(write_ids)

    def let_off(self, write_id: int) -> None:
        """One was taken or refused: the provider works."""
        self.in_row.clear()
        self.behind.discard(write_id)

    @property
    def cause(self) -> Trouble | None:
        """Why nothing more is sent for now; None while all is well."""
        return next((trouble for trouble, writes in self.in_row.items() if len(writes) >= _IN_A_ROW), None)

    @property
    def careful(self) -> bool:
        """Whether the last ones ended badly, so that the next one goes alone."""
        return bool(self.in_row)
