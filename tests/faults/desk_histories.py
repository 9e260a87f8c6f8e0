"""Random histories of a desk at its journal, with a record of what the journal said it had kept.

A person relies on every write that the journal has acknowledged, so each must be there afterwards, whatever happened in
between. The step that was under way when things broke may have taken effect or not.
"""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import apsw

from app.store.journal import draft_store, write_store
from app.store.journal.records import Outcome, WriteRow, WriteState
from app.store.sqlite.database import Database

PROFILE = "desk"
START = datetime(2026, 11, 21, 8)
_OUTCOMES: tuple[Outcome, ...] = ("accepted", "rejected", "not_sent", "unknown", "busy")
_TABLE = (
    "INSERT OR IGNORE INTO profiles (id, name, kind, base_url, info_base_url, auth_url, client_id, scopes) "
    "VALUES ('desk', 'Desk', 'test', 'http://a', 'http://b', 'http://c', 'id', '[]')"
)

Step = Callable[[apsw.Connection], int | None]


@dataclass(slots=True)
class Known:
    """A write at the moment when the journal acknowledged it."""

    reference: str
    payload: bytes
    state: WriteState
    attempt: int | None = None


@dataclass(slots=True)
class Acknowledged:
    """Everything the journal said it had kept, and what the step under way would have changed."""

    drafts: dict[str, str] = field(default_factory=dict)
    writes: dict[int, Known] = field(default_factory=dict)
    # Names of drafts and numbers of writes that a step was about which failed, or that is under way.
    pending: set[object] = field(default_factory=set)

    def missing(self, database: Database) -> list[str]:
        """What of it is not in this journal as it was acknowledged."""
        found: list[str] = []
        for name, body in self.drafts.items():
            row = database.read_now(draft_store.draft, name)
            if row is None or (row.body != body and name not in self.pending):
                found.append(f"draft {name} is {'gone' if row is None else 'not as it was kept'}")
        for number, known in self.writes.items():
            found += self._write_missing(database, number, known)
        return found

    def _write_missing(self, database: Database, number: int, known: Known) -> list[str]:
        rows = {row.id: row for row in database.read_now(write_store.writes_of, PROFILE, known.reference)}
        if number not in rows:
            return [f"write {number} ({known.state}) is gone"]
        if database.read_now(write_store.payload, number) != known.payload:
            return [f"write {number} has other bytes"]
        if rows[number].state != known.state and number not in self.pending:
            return [f"write {number} was {known.state} and is {rows[number].state}"]
        return []


class Desk:
    """Does random things at a journal; `said` is what it was told."""

    def __init__(self, database: Database, chance: random.Random) -> None:
        self.database, self.chance = database, chance
        self.said = Acknowledged()
        self._now = START
        self._orders = 0

    def set_up(self) -> None:
        """The connection that everything here belongs to."""
        self.database.write_now(lambda c: c.execute(_TABLE).fetchall())

    def step(self) -> None:
        """Do one thing. Raises what the journal raises; `said` then still holds what was acknowledged before."""
        self._now += timedelta(seconds=self.chance.randrange(1, 90))
        choices = [self._type, self._queue]
        choices += [self._move] * 3 if self.said.writes else []
        about = self.chance.choice(choices)()
        self.said.pending.discard(about)

    def _type(self) -> object:
        name = f"draft-{self.chance.randrange(8)}-{len(self.said.writes) // 4}"
        body = json.dumps({"typed": "x" * self.chance.randrange(2_000), "at": str(self._now)})
        self.said.pending.add(name)
        self.database.write_now(draft_store.save_draft, PROFILE, name, body, self._now)
        self.said.drafts[name] = body
        return name

    def _queue(self) -> object:
        self._orders += 1
        reference = f"R-{self._orders}"
        payload = self._payload(reference)
        number = self.database.write_now(write_store.queue_write, PROFILE, "submit", reference, payload, self._now)
        self.said.writes[number] = Known(reference, payload, "queued")
        return number

    def _payload(self, reference: str) -> bytes:
        filling = "".join(self.chance.choices("abcdefghij ÄÖÜß", k=self.chance.randrange(10, 3_000)))
        return json.dumps({"orderReferenceNumber": reference, "notes": filling}, ensure_ascii=False).encode()

    def _move(self) -> object:
        number = self.chance.choice(list(self.said.writes))
        known = self.said.writes[number]
        self.said.pending.add(number)
        if known.state == "queued":
            known.attempt = self.database.write_now(write_store.begin_attempt, number, self._now)
            known.state = "sending"
        elif known.state == "sending":
            assert known.attempt is not None
            outcome = self.chance.choice(_OUTCOMES)
            known.state = self.database.write_now(
                write_store.end_attempt, known.attempt, outcome, self._now, sentence=f"It ended: {outcome}."
            )
        elif known.state == "accepted":
            self.database.write_now(write_store.settle, number, "confirmed", "It was read back.", self._now)
            known.state = "confirmed"
        return number


def all_writes(database: Database) -> list[WriteRow]:
    """Every write of the desk, the latest first."""
    return database.read_now(write_store.writes_page, PROFILE, (), 1_000_000)
