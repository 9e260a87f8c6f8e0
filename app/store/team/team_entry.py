"""Entries of a team's log, and the places that they are about. Plain data: nothing of PostgreSQL is imported here."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

# The provider and client that a reference belongs to: the same text at every desk (`team_log.place_of`).
Place = str


class Outgoing(NamedTuple):
    """An entry of this desk that is to be pushed. Numbers follow one another; `body` is JSON."""

    seq: int
    clock: int
    kind: str
    version: int
    subject: str
    body: str


class Entry(NamedTuple):
    """An entry of a desk's log. `at` is when the server took it, `clock` the desk's hybrid logical clock."""

    desk: UUID
    seq: int
    at: datetime
    clock: int
    kind: str
    version: int
    subject: str
    body: str
