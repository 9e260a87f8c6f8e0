"""Every call to a team's database, each in a transaction of its own. All take the connection first, and block.

Moments come as the server's own time. Durations are given to the server in seconds, so that no two clocks are compared.
Every function raises `psycopg.Error`.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import NamedTuple
from uuid import UUID

import psycopg

from app.store.team.team_entry import Entry, Outgoing, Place


@dataclass(frozen=True, slots=True)
class TeamDesk:
    """A desk of the team, as it last said. `ahead_ms` is how far its clock is ahead of the server's, give or take
    `error_ms`."""

    desk: UUID
    person: str
    seen_at: datetime
    last_seq: int
    ahead_ms: int
    error_ms: int


class LogEnd(NamedTuple):
    """The last entry of a desk that the database has: its number and its clock, 0 where there is none."""

    seq: int
    clock: int


@dataclass(frozen=True, slots=True)
class ClaimAnswer:
    """Whether the claim was got; else who has it, and for how many seconds at most."""

    got: bool
    person: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Present:
    """Somebody works on something: `doing` is a word of ours, `subject` an order's reference or the like."""

    place: Place
    subject: str
    desk: UUID
    doing: str
    since: datetime


@dataclass(frozen=True, slots=True)
class TeamSettings:
    """The settings of the whole team. `payloads`: whether orders are copied with names and addresses."""

    payloads: bool
    keep_months: int


@dataclass(frozen=True, slots=True)
class ClockDifference:
    """How many milliseconds this computer's clock is ahead of the server's, and how wrong that may be."""

    ahead_ms: int
    error_ms: int


def clock_difference(c: psycopg.Connection) -> ClockDifference:
    """Ask for the server's time. Half of the time that the answer took is what cannot be known."""
    # Two clocks: `time.time` is what is compared, and may be set meanwhile; the monotonic one measures how long it
    # took.
    before, began = time.time(), time.monotonic()
    row = c.execute("SELECT extract(epoch FROM clock_timestamp())::double precision").fetchone()
    took = time.monotonic() - began
    assert row is not None
    return ClockDifference(round((before + took / 2 - row[0]) * 1000), round(took * 500) + 1)


def join(c: psycopg.Connection, desk: UUID, person: str, clock: ClockDifference) -> LogEnd:
    """Say who works at this desk; returns the end of its log. The desk belongs to the role that said so first."""
    row = c.execute(
        "SELECT last_seq, last_clock FROM waybill.join_team(%s, %s, %s, %s)",
        (desk, person, clock.ahead_ms, clock.error_ms),
    ).fetchone()
    assert row is not None
    return LogEnd(*row)


def settings(c: psycopg.Connection) -> TeamSettings:
    """The settings of the whole team."""
    row = c.execute("SELECT payloads, keep_months FROM waybill.settings").fetchone()
    assert row is not None
    return TeamSettings(*row)


def append(c: psycopg.Connection, desk: UUID, entries: Sequence[Outgoing]) -> int:
    """Append entries whose numbers follow one another; returns the number of the last one that the database has.

    Entries that it has already are left out, so the call may be repeated.
    """
    row = c.execute(
        "SELECT waybill.append(%s, %s, %s, %s, %s, %s, %s)",
        (
            desk,
            entries[0].seq,
            [each.clock for each in entries],
            [each.kind for each in entries],
            [each.version for each in entries],
            [each.subject for each in entries],
            [each.body for each in entries],
        ),
    ).fetchone()
    assert row is not None
    return int(row[0])


def desks(c: psycopg.Connection) -> list[TeamDesk]:
    """Every desk of the team, this one too."""
    found = c.execute(
        "SELECT desk, person, seen_at, last_seq, ahead_ms, error_ms FROM waybill.desks ORDER BY joined_at"
    )
    return [TeamDesk(*row) for row in found]


def read_by_index(c: psycopg.Connection) -> None:
    """Make this connection read pages of the log in their order.

    A server that has counted nothing yet would sort all that is left of the log for each page, which takes hours for a
    million entries. What is switched off counts as immensely costly where there is no other way (a table of five
    desks has to be read whole), and a server compiles what is costly to machine code, for each query anew: that is
    switched off too.
    """
    c.execute("SET enable_sort = off; SET enable_bitmapscan = off; SET enable_seqscan = off; SET jit = off")


def entries_after(c: psycopg.Connection, desk: UUID, seq: int, limit: int) -> list[Entry]:
    """Up to `limit` entries of a desk after the one with this number, in their order."""
    # A number for the moment: to decode that column as one takes as long as all others together. The columns are those
    # of `Entry` in its order, and `Entry._make` is left out, so that no line of Python runs for each row.
    found = c.cursor(binary=True, row_factory=lambda _: partial(tuple.__new__, Entry)).execute(
        """
        SELECT seq, date_part('epoch', at), clock, kind, version, subject, body::text FROM waybill.log
        WHERE desk = %s AND seq > %s ORDER BY seq LIMIT %s
        """,
        (desk, seq, limit),
    )
    return found.fetchall()


def claim(c: psycopg.Connection, desk: UUID, place: Place, reference: str, seconds: float) -> ClaimAnswer:
    """Take the claim on a reference for so many seconds, or hear who has it. A desk may take its own claim again."""
    row = c.execute(
        "SELECT got, person, seconds_left FROM waybill.claim(%s, %s, %s, %s)", (desk, place, _text(reference), seconds)
    ).fetchone()
    # No answer: other desks took and gave back the claim each time that the server looked. Nobody can be named.
    return ClaimAnswer(got=False) if row is None else ClaimAnswer(*row)


def give_back(c: psycopg.Connection, desk: UUID, place: Place, reference: str) -> None:
    """Give a claim back. Does nothing if it is not this desk's any more."""
    c.execute("SELECT waybill.give_back(%s, %s, %s)", (desk, place, _text(reference)))


def be_present(c: psycopg.Connection, desk: UUID, place: Place, subject: str, doing: str, seconds: float) -> None:
    """Say that this desk works on something, for so many seconds; 0 ends it."""
    c.execute("SELECT waybill.be_present(%s, %s, %s, %s, %s)", (desk, place, _text(subject), doing, seconds))


def presence(c: psycopg.Connection, desk: UUID) -> list[Present]:
    """The present work of the other desks."""
    found = c.execute(
        """
        SELECT place, subject, desk, doing, since FROM waybill.presence
        WHERE until > clock_timestamp() AND desk <> %s ORDER BY since
        """,
        (desk,),
    )
    return [Present(*row) for row in found]


def retire(c: psycopg.Connection) -> int:
    """Drop the oldest month that is older than the team keeps; returns how many were dropped, so 0 if none is left."""
    row = c.execute("SELECT waybill.retire()").fetchone()
    assert row is not None
    return int(row[0])


def _text(text: str) -> str:
    """The text without NUL, which PostgreSQL cannot store."""
    return text.replace("\x00", "\N{REPLACEMENT CHARACTER}")
