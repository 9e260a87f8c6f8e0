"""A plot as data: what is drawn, what each mark says, and which rows lie behind it. Knows nothing of painting.

Invariant: a plot says in words what it counts, and what it leaves out. A mark with a target has exactly the rows behind
it that the target finds.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from app.desk.audits.audit_filter import Narrowing
from app.desk.export.spreadsheet_cells import Value

# "lines" and "columns" have their places from left to right, "bars" and "ranges" from top to bottom.
Kind = Literal["lines", "columns", "bars", "ranges"]
Unit = Literal["percent", "count", "days", "hours", "score"]


@dataclass(frozen=True, slots=True)
class Target:
    """The rows behind a mark: a filter of orders, writes of the outbox, a narrowing of audits with a question, or the
    number of one audit."""

    orders: str = ""
    writes: tuple[int, ...] = ()
    audits: Narrowing | None = None
    question: str = ""
    audit: int = 0
    words: str = ""  # what the writes are, above their rows


@dataclass(frozen=True, slots=True)
class Mark:
    """A point, a bar or a range, at a place of its plot. Of a range, `value` is the middle one.

    `words` are its value as a person reads it, with the number of cases. `cases` is that number where the value is made
    of cases, as a share is, and does not count them.
    """

    value: float
    words: str
    low: float | None = None
    high: float | None = None
    target: Target | None = None
    short: str = ""  # of a row, in its place beside it
    cases: int | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """The marks of one name, one for each place of the plot; None where there is none."""

    name: str
    marks: Sequence[Mark | None]


class Place(NamedTuple):
    """A place of a plot: its label, how it is spoken, and its cells in a table, one for each title of `Plot.axis`."""

    label: str
    spoken: str
    cells: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Cases:
    """The single cases behind the marks of a plot of lines, such as audits behind their weekly means.

    `at` are their places, from the left edge of the plot: 0.5 is the middle of the first place. Those of `others` are
    not in the marks, and fainter. `words`, `target` and `cells`, as of a place, tell of a case by its index.
    """

    name: str
    at: Sequence[float]
    values: Sequence[float]
    others: Sequence[bool]
    words: Callable[[int], str]
    target: Callable[[int], Target]
    cells: Callable[[int], tuple[Value, ...]]


@dataclass(frozen=True, slots=True)
class Span:
    """A range of places, from the left edge of the plot as in `Cases`, and of values; None for an end that is open."""

    first: float
    last: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A sentence about what a plot leaves out, and the rows that are left out."""

    sentence: str
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot. `nothing` says why it has no marks; `top` is the highest value there may be, if it is known.

    With `spans`, a person can choose a range of it; `kept` is the one that the rows are narrowed to. `axis` and `by`
    are titles of a table, of its places and of its series. `by` is empty where the only series is the plot itself.
    """

    name: str
    kind: Kind
    unit: Unit
    title: str
    definition: str
    places: Sequence[Place] = ()
    series: Sequence[Series] = ()
    left_out: Sequence[LeftOut] = ()
    nothing: str = ""
    top: float | None = None
    cases: Cases | None = None
    spans: bool = False
    kept: Span | None = None
    axis: Sequence[str] = ()
    by: str = ""

    def marks(self) -> Iterator[tuple[int, int, Mark]]:
        """Each mark with the place of its series and its own."""
        for at, series in enumerate(self.series):
            for place, mark in enumerate(series.marks):
                if mark is not None:
                    yield at, place, mark

    @property
    def stacked(self) -> bool:
        """Whether the marks of a place stand on one another."""
        return self.kind in ("columns", "bars") and len(self.series) > 1

    @property
    def across(self) -> bool:
        """Whether the places stand from top to bottom."""
        return self.kind in ("bars", "ranges")

    def spoken(self, series: int, place: int) -> str:
        """A mark in words, with its series and its place."""
        mark = self.series[series].marks[place]
        parts = [self.series[series].name] if len(self.series) > 1 else []
        return ": ".join((", ".join((*parts, self.places[place].spoken)), "" if mark is None else mark.words))
