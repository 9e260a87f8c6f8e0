"""What the journal hands out, and the states a write can be in, as data. Its moments are in UTC.

queued ──► sending ──► accepted ──► confirmed
  │  ▲        ├──────► rejected ──► withdrawn, once a person has put it away
  │  └────────┤ (it provably did not act)
  ▼           └──────► in_doubt ──► accepted, queued, rejected or withdrawn, once it is known
withdrawn
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from app.store.sqlite.text_values import from_moment, read_moment

WriteKind = Literal["submit", "cancel"]
WriteState = Literal["queued", "sending", "accepted", "confirmed", "rejected", "in_doubt", "withdrawn"]
Outcome = Literal["accepted", "rejected", "not_sent", "not_authorised", "not_taken", "busy", "unknown", "died"]

STATES: tuple[WriteState, ...] = (
    "queued",
    "sending",
    "accepted",
    "confirmed",
    "rejected",
    "in_doubt",
    "withdrawn",
)
UNSETTLED: tuple[WriteState, ...] = ("queued", "sending", "in_doubt")

# How an attempt ended → the state of its write.
OUTCOMES: dict[Outcome, WriteState] = {
    "accepted": "accepted",
    "rejected": "rejected",
    "not_sent": "queued",  # not a byte reached the provider
    "not_authorised": "queued",  # 401 or 403: it was turned away before anything was done
    "not_taken": "queued",  # 429: it came too soon after others and was turned back
    "busy": "in_doubt",  # 408 or 503: an answer, but nothing says whether it acted
    "unknown": "in_doubt",  # the connection broke after the request may have arrived
    "died": "in_doubt",  # the program stopped while sending
}

# Nothing was done at the provider, and nobody has to know how often.
NEVER_LEFT: frozenset[Outcome] = frozenset({"not_sent", "not_authorised", "not_taken"})

# In the place of a verdict: the provider could not be asked how the order stands.
UNASKED = "unasked"

# What a person or a look-up may settle: (from, to).
SETTLEMENTS: frozenset[tuple[WriteState, WriteState]] = frozenset(
    {
        ("queued", "withdrawn"),
        ("in_doubt", "accepted"),
        ("in_doubt", "queued"),
        ("in_doubt", "withdrawn"),
        ("in_doubt", "rejected"),
        ("accepted", "confirmed"),
        ("rejected", "withdrawn"),
    }
)


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A form as typed; `body` is JSON text."""

    id: str
    profile: str
    body: str
    created_at: datetime
    changed_at: datetime
    closed_at: datetime | None
    submission_id: int | None


@dataclass(frozen=True, slots=True)
class WriteRow:
    """One submission or cancellation, without its bytes (see `journal.payload`). `id` is its place in the order."""

    id: int
    profile: str
    kind: WriteKind
    reference: str
    state: WriteState
    queued_at: datetime
    changed_at: datetime
    draft_id: str | None
    note: str | None
    attempts: int
    verdict: str | None = None  # what the provider said of the reference just before it was sent, or `UNASKED`
    agreed: str | None = None  # the verdict that a person said yes to
    held: str | None = None  # why it waits for a person
    not_before: datetime | None = None  # it is not sent before then
    change: int = 0  # the number of its last change, which grows with every change of any write
    missed_at: datetime | None = None  # when the provider first did not know it, since it was sent
    missed_again_at: datetime | None = None  # the same, just before it was sent again by itself
    resend: int | None = None  # the attempt that Waybill began by itself
    damaged: bool = False  # it is not what was written; looked at where a person decides about it (see `journal`)

    @property
    def waits_unasked(self) -> bool:
        """Whether it waits for an answer about the order, and a person may send it without."""
        return self.state == "queued" and self.verdict == UNASKED and self.agreed != UNASKED


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One time the bytes were sent, or were about to be; `ended_at` and `outcome` are None while it runs."""

    id: int
    write_id: int
    started_at: datetime
    ended_at: datetime | None
    outcome: Outcome | None
    http_status: int | None
    reply: bytes | None
    reply_type: str | None
    sentence: str | None
    repeats: int = 0  # how many times more the same happened; it ended then for the last time at `ended_at`


@dataclass(frozen=True, slots=True)
class WriteStory:
    """All that is known of one write: its exact bytes and every attempt, oldest first.

    Where `row.damaged`, the bytes are what is left of them: to be looked at, and never sent or read as an order.
    """

    row: WriteRow
    payload: bytes
    attempts: list[AttemptRow]


def draft_row(values: tuple[Any, ...]) -> DraftRow:
    """From `id, profile, body, created_at, changed_at, closed_at, submission_id`."""
    key, profile, body, created, changed, closed, submission = values
    return DraftRow(key, profile, body, read_moment(created), read_moment(changed), from_moment(closed), submission)


def write_row(values: tuple[Any, ...], *, damaged: bool = False) -> WriteRow:
    """From the columns of `WriteRow`, in that order, all but the last."""
    (
        key,
        profile,
        kind,
        reference,
        state,
        queued,
        changed,
        draft,
        note,
        attempts,
        verdict,
        agreed,
        held,
        wait,
        change,
        missed,
        missed_again,
        resend,
    ) = values
    return WriteRow(
        key, profile, kind, reference, state, read_moment(queued), read_moment(changed), draft, note, attempts,
        verdict, agreed, held, from_moment(wait), change or 0,
        from_moment(missed), from_moment(missed_again), resend, damaged,
    )  # fmt: skip


def attempt_row(values: tuple[Any, ...]) -> AttemptRow:
    """From the columns of `attempts`, in that order."""
    key, write, started, ended, *rest = values
    return AttemptRow(key, write, read_moment(started), from_moment(ended), *rest)
