"""The records that go into the cache of audits and come out of it. Times are local and without a zone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import NamedTuple

SORTS = ("date", "score", "kind", "facility", "vendor", "number")


@dataclass(frozen=True, slots=True)
class AuditFacts:
    """An audit as the provider's list has it."""

    number: int
    date: datetime | None = None
    kind: str | None = None
    facility: str | None = None
    vendor: str | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """A question of an audit: its id, its text, the answer, and the address of its photo as the provider wrote it.

    A row may have only some of them: a photo without a question is one of the audit as a whole.
    """

    question: str | None
    text: str | None
    answer: str | None
    photo: str | None


@dataclass(frozen=True, slots=True)
class AuditHead:
    """The values that come once with an audit's questions."""

    auditor: str | None = None
    email: str | None = None
    domicile: str | None = None
    order_number: str | None = None


class AuditLine(NamedTuple):
    """A row of the audit list. `whole`: its questions were fetched, and with them `order_number`."""

    number: int
    date: datetime | None
    kind: str | None
    facility: str | None
    vendor: str | None
    score: float | None
    order_number: str | None
    whole: bool


@dataclass(frozen=True, slots=True)
class AuditQuery:
    """Which audits, in which order. All conditions hold together; a sequence means any of its values.

    `first` and `last` are days, both included; `only` and `without` are sets of numbers (what a person reviewed or
    flagged lies in the journal). `text` is looked for in type, facility, vendor, auditor, order and audit number, every
    word of it somewhere. Audits without a score or date come last, whichever the direction.
    """

    profile: str
    first: date | None = None
    last: date | None = None
    kinds: tuple[str, ...] = ()
    facilities: tuple[str, ...] = ()
    vendors: tuple[str, ...] = ()
    lowest: float | None = None
    highest: float | None = None
    text: str = ""
    only: frozenset[int] | None = None
    without: frozenset[int] = frozenset()
    sort: str = "date"
    descending: bool = True

    def sorted_by(self, sort: str, *, descending: bool) -> "AuditQuery":
        """The same query in another order."""
        return replace(self, sort=sort, descending=descending)


class AuditDetailRow(NamedTuple):
    """One audit whole; `whole_at` is None if its questions were never fetched."""

    line: AuditLine
    head: AuditHead
    answers: tuple[AnswerFacts, ...]
    seen_at: datetime
    whole_at: datetime | None


class Point(NamedTuple):
    """One audit as a dot of the plot."""

    number: int
    date: datetime
    score: float
    group: str


class LensRow(NamedTuple):
    """One audit's answer to a question."""

    audit: AuditLine
    place: int
    text: str | None
    answer: str | None
    photo: str | None


@dataclass(frozen=True, slots=True)
class AuditWindow:
    """A window of days that was fetched; `error` says why the latest try failed."""

    first: date
    last: date
    fetched_at: datetime | None
    error: str | None


@dataclass(frozen=True, slots=True)
class AuditsShown:
    """The result of a query: the count, the pages on screen by number, and the dots of the plot."""

    count: int
    pages: dict[int, Sequence[AuditLine]]
    points: Sequence[Point]
