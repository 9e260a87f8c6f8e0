"""The journal's records, and the states of a write. Moments are in UTC.

queued ──► sending ──► accepted ──► confirmed
  │  ▲        ├──────► rejected ──► withdrawn (a person closed it)
  │  └────────┤ (the provider provably did nothing)
  ▼           └──────► in_doubt ──► accepted, queued, rejected or withdrawn (evidence or a person settled it)
withdrawn

`OUTCOMES` and `SETTLEMENTS` hold these arrows as data; `write_store` allows no others.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from app.contract.codes import Format
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

# The outcome of an attempt → the new state of its write.
OUTCOMES: dict[Outcome, WriteState] = {
    "accepted": "accepted",
    "rejected": "rejected",
    "not_sent": "queued",  # no byte left this computer
    "not_authorised": "queued",  # 401 or 403: the provider did nothing
    "not_taken": "queued",  # 429: the provider turned it back and did nothing
    "busy": "in_doubt",  # 408 or 503: an answer, which does not say whether the provider acted
    "unknown": "in_doubt",  # the connection broke after the request may have arrived
    "died": "in_doubt",  # the program stopped while sending
}

# The provider did nothing. Equal attempts in a row are stored as one, with a count.
NO_EFFECT: frozenset[Outcome] = frozenset({"not_sent", "not_authorised", "not_taken"})

# The condition on an attempt, in SQL: it may have arrived unless its outcome proves that the provider did nothing.
_DID_NOTHING = ", ".join(f"'{outcome}'" for outcome in sorted({"rejected", *NO_EFFECT}))
MAY_HAVE_ARRIVED = f"(attempts.outcome IS NULL OR attempts.outcome NOT IN ({_DID_NOTHING}))"

# The outermost element of a write that leaves as XML: `Operation.record`.
ROOTS: dict[WriteKind, str] = {"submit": "OrderSubmissionRequest", "cancel": "CancellationRequest"}

# In place of a verdict: the provider could not be asked about the order.
UNASKED = "unasked"
# In a verdict, before the version of an order that it is about.
VERSION_MARK = "@"

# The steps that evidence or a person may take: (from, to).
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
    """One submission or cancellation, without its bytes (see `write_store.payload`). Ids grow as writes are queued."""

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
    verdict: str | None = None  # the provider's answer just before it was sent, or `UNASKED`
    agreed: str | None = None  # the verdicts that a person said yes to, with commas between
    held: str | None = None  # why it waits for a person
    not_before: datetime | None = None  # it is not sent before this moment
    change: int = 0  # the number of its last change; numbers grow over all writes
    missed_at: datetime | None = None  # when the provider first did not know the order, since it was sent
    missed_again_at: datetime | None = None  # when the provider did not know it just before the automatic resend
    resend: int | None = None  # the attempt that was the automatic resend
    damaged: bool = False  # the row is not what was written; see `write_store.marked_damaged`

    @property
    def consents(self) -> frozenset[str]:
        """The verdicts to which a person has said yes."""
        return frozenset((self.agreed or "").split(","))

    @property
    def waits_unasked(self) -> bool:
        """Whether it waits for an answer about the order, and a person may send it without."""
        return self.state == "queued" and self.verdict == UNASKED and UNASKED not in self.consents


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One attempt to send the bytes; `ended_at` and `outcome` are None while it runs."""

    id: int
    write_id: int
    started_at: datetime
    ended_at: datetime | None
    outcome: Outcome | None
    http_status: int | None
    reply: bytes | None
    reply_type: str | None
    sentence: str | None
    repeats: int = 0  # how many equal attempts followed; the last of them ended at `ended_at`
    sent_as: Format = "json"  # the format in which the bytes left


@dataclass(frozen=True, slots=True)
class WriteStory:
    """One write with its order or cancellation as JSON, and every attempt, oldest first.

    If `row.damaged`, the bytes may be damaged: they may be shown, but never sent or read as an order. `sends` is the
    format that its connection sends in by now.
    """

    row: WriteRow
    payload: bytes
    attempts: list[AttemptRow]
    sends: Format = "json"

    @property
    def body(self) -> bytes:
        """Exactly what was sent last, or else what would be sent now."""
        from app.contract.xml_writer import body_in  # here: the first paint needs none of it

        if self.row.damaged:
            return self.payload
        wanted = self.attempts[-1].sent_as if self.attempts else self.sends
        return body_in(wanted, self.payload, ROOTS[self.row.kind])[0]


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
