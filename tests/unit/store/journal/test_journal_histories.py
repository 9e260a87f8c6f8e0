"""No sequence of calls brings the journal into a forbidden state."""

from datetime import datetime
from typing import Any

import apsw
import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from app.store.journal import held_writes, write_store
from app.store.journal.records import OUTCOMES, SETTLEMENTS, STATES, Outcome, WriteState
from app.store.journal.recovery import unfinished_writes
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.store_errors import WrongState

pytestmark = pytest.mark.slow

NOW = datetime(2026, 11, 21)
REFERENCES = st.sampled_from(["R 1", "R 2"])
PROFILES = st.sampled_from(["p", "q"])


class Histories(RuleBasedStateMachine):
    """Calls in any order, with valid and invalid ids, compared with a simple model."""

    writes = Bundle("writes")
    attempts = Bundle("attempts")

    def __init__(self) -> None:
        super().__init__()
        self.c = apsw.Connection(":memory:")
        for statement in (each for migration in JOURNAL.migrations for each in migration):
            self.c.execute(statement)
        self.state: dict[int, WriteState] = {}
        self.about: dict[int, tuple[str, str, bytes]] = {}
        self.running: dict[int, int] = {}
        self.held: set[int] = set()

    def _tried(self, call: Any, *args: Any, **kwargs: Any) -> Any:
        """The result of the call, or None if it was refused. A refused call is rolled back."""
        try:
            with self.c:
                return call(self.c, *args, **kwargs)
        except WrongState:
            return None

    @rule(target=writes, profile=PROFILES, reference=REFERENCES, payload=st.binary(max_size=20))
    def queue(self, profile: str, reference: str, payload: bytes) -> int:
        write: int = self._tried(write_store.queue_write, profile, "submit", reference, payload, NOW)
        self.state[write], self.about[write] = "queued", (profile, reference, payload)
        return write

    @rule(target=attempts, write=writes)
    def begin(self, write: int) -> Any:
        busy = any(
            state == "sending" and self.about[other][:2] == self.about[write][:2] for other, state in self.state.items()
        )
        attempt = self._tried(write_store.begin_attempt, write, NOW)
        assert (attempt is not None) == (self.state[write] == "queued" and not busy and write not in self.held)
        if attempt is None:
            return multiple()
        self.state[write], self.running[attempt] = "sending", write
        return attempt

    @rule(write=writes)
    def hold(self, write: int) -> None:
        # A call that succeeds returns None too, so the state is compared.
        self._tried(held_writes.hold, write, "asked", NOW, "closed")
        if self.state[write] == "queued":
            self.held.add(write)

    @rule(write=writes)
    def release(self, write: int) -> None:
        self._tried(held_writes.release, write, NOW)
        if self.state[write] == "queued":
            self.held.discard(write)

    @rule(attempt=attempts, outcome=st.sampled_from(list(OUTCOMES)))
    def end(self, attempt: int, outcome: Outcome) -> None:
        state = self._tried(write_store.end_attempt, attempt, outcome, NOW)
        assert (state is not None) == (attempt in self.running)
        if state is not None:
            self.state[self.running.pop(attempt)] = OUTCOMES[outcome]

    @rule(attempt=consumes(attempts), outcome=st.sampled_from(list(OUTCOMES)))
    def end_for_good(self, attempt: int, outcome: Outcome) -> None:
        self.end(attempt, outcome)

    @rule(write=writes, state=st.sampled_from(STATES))
    def settle(self, write: int, state: WriteState) -> None:
        before = self.state[write]
        self._tried(write_store.settle, write, state, "why", NOW)
        if (before, state) in SETTLEMENTS:
            self.state[write] = state

    @rule()
    def recover(self) -> None:
        assert self._tried(unfinished_writes.end_open_attempts, NOW) == len(self.running)
        for write in self.running.values():
            self.state[write] = "in_doubt"
        self.running.clear()

    @invariant()
    def the_journal_says_what_happened(self) -> None:
        for write, (profile, reference, payload) in self.about.items():
            story = write_store.write_story(self.c, write)
            assert (story.row.profile, story.row.reference, story.payload) == (profile, reference, payload)
            assert story.row.state == self.state[write]
            running = [attempt.id for attempt in story.attempts if attempt.ended_at is None]
            assert running == [attempt for attempt, of in self.running.items() if of == write]
            assert bool(running) == (story.row.state == "sending")

    @invariant()
    def one_is_sent_at_a_time(self) -> None:
        sending = [self.about[write][:2] for write, state in self.state.items() if state == "sending"]
        assert len(sending) == len(set(sending))
        for profile in ("p", "q"):
            held = [state for write, state in self.state.items() if self.about[write][0] == profile]
            assert write_store.counts(self.c, profile) == {state: held.count(state) for state in STATES}
            for row in write_store.ready_writes(self.c, profile):
                assert (row.profile, row.reference) not in sending
                assert row.id not in self.held
            mine = {write for write in self.held if self.about[write][0] == profile and self.state[write] == "queued"}
            assert held_writes.count_held(self.c, profile) == len(mine)

    def teardown(self) -> None:
        self.c.close()


TestHistories = Histories.TestCase
TestHistories.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
