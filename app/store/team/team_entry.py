"""Entries of a team's log, and the places that they are about. Plain data: nothing of PostgreSQL is imported here."""

from typing import NamedTuple

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
    """An entry of the log of one desk. `at` is when the server took it, in seconds since 1970; `clock` is the desk's
    hybrid logical clock."""

    seq: int
    at: float
    clock: int
    kind: str
    version: int
    subject: str
    body: str
