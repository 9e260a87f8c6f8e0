"""The tasks of the tour, and how it is told that one has really happened.

Invariant: nothing counts as done that a person did before the task began, and nothing that only seems done: an order
is entered once the provider has taken it, a cancellation is taken back once the journal says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.desk.desk import Desk
from app.store.journal import write_store
from app.store.journal.records import WriteRow

_LATEST = 50


@dataclass(frozen=True, slots=True)
class Task:
    """A task: its name, and the page on which it is done."""

    name: str
    page: str


TASKS = (
    Task("find", "orders"),
    Task("enter", "entry"),
    Task("scan", "orders"),
    Task("cancel", "orders"),
    Task("review", "audits"),
)


async def latest_writes(desk: Desk) -> Sequence[WriteRow]:
    """The latest writes of this connection, the newest first. Raises `StoreError`."""
    return await desk.journal.read(write_store.writes_page, desk.profile.id, (), _LATEST)


def is_entered(rows: Sequence[WriteRow], after: int) -> bool:
    """Whether the provider has taken an order that was submitted after the write `after`."""
    return any(row.kind == "submit" and row.state in ("accepted", "confirmed") for row in rows if row.id > after)


def is_taken_back(rows: Sequence[WriteRow], after: int) -> bool:
    """Whether a cancellation after the write `after` was undone."""
    return any(row.kind == "cancel" and row.state == "withdrawn" for row in rows if row.id > after)
