"""What the audit list is narrowed to beside its text: a state as data, each part of it in words."""

import math
from dataclasses import dataclass, replace
from datetime import datetime, time

from app.desk.filter_dates import written_days
from app.store.audit_rows import AuditQuery
from app.ui.audits.columns import score_text
from app.ui.audits.plot import Chosen
from app.ui.widgets.times import day

FACETS: dict[str, str] = {"kind": "Type", "facility": "Facility", "vendor": "Vendor"}


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Values of each facet (any of them), scores from `lowest` to `highest`, and the days dragged over in the plot."""

    kind: tuple[str, ...] = ()
    facility: tuple[str, ...] = ()
    vendor: tuple[str, ...] = ()
    lowest: float | None = None
    highest: float | None = None
    span: Chosen | None = None

    def apply(self, query: AuditQuery) -> AuditQuery:
        """The query with these conditions."""
        narrowed = replace(
            query,
            kinds=self.kind,
            facilities=self.facility,
            vendors=self.vendor,
            lowest=self.lowest,
            highest=self.highest,
        )
        return narrowed if self.span is None else replace(narrowed, first=self.span.first, last=self.span.last)

    @property
    def kept(self) -> Chosen | None:
        """The days and scores that the plot marks as chosen."""
        return None if self.span is None else replace(self.span, lowest=self.lowest, highest=self.highest)

    def dragged(self, chosen: Chosen | None) -> "Narrowing":
        """Narrowed to what was dragged over in the plot: its days, and its scores where not all of them were."""
        if chosen is None:
            return replace(self, span=None, lowest=None, highest=None)
        scores = (chosen.lowest, chosen.highest)
        kept = (self.lowest, self.highest) if scores == (None, None) else tuple(_rounded(each) for each in scores)
        return replace(self, span=Chosen(chosen.first, chosen.last), lowest=kept[0], highest=kept[1])

    def values(self, facet: str) -> tuple[str, ...]:
        """What is chosen of a facet."""
        chosen: tuple[str, ...] = getattr(self, facet)
        return chosen

    def typed(self, part: str) -> tuple[str, ...]:
        """What is chosen of a part, as it is typed."""
        if part == "span":
            return () if self.span is None else (written_days(self.span.first, self.span.last),)
        if part != "score":
            return self.values(part)
        if self.lowest is None and self.highest is None:
            return ()
        lowest, highest = ("" if each is None else score_text(each) for each in (self.lowest, self.highest))
        return (f"{lowest}..{highest}",)

    def toggled(self, facet: str, name: str) -> "Narrowing":
        """With this value chosen as well, or no longer."""
        before = self.values(facet)
        return self.with_values(
            facet, tuple(each for each in before if each != name) if name in before else (*before, name)
        )

    def with_values(self, facet: str, values: tuple[str, ...]) -> "Narrowing":
        """With exactly these values of a facet."""
        match facet:
            case "kind":
                return replace(self, kind=values)
            case "facility":
                return replace(self, facility=values)
            case "vendor":
                return replace(self, vendor=values)
        raise ValueError(f"no facet: {facet}")

    def with_scores(self, lowest: float | None, highest: float | None) -> "Narrowing":
        """With scores within these, both included."""
        return replace(self, lowest=lowest, highest=highest)

    def without(self, part: str) -> "Narrowing":
        """With nothing chosen of a part: a facet, `score`, or the days of the plot (`span`)."""
        if part == "span":
            return replace(self, span=None)
        return self.with_scores(None, None) if part == "score" else self.with_values(part, ())

    def words(self) -> list[tuple[str, str]]:
        """Each part that narrows: its name, and what it says."""
        told = [
            (facet, f"{title}: {', '.join(values) if len(values) < 3 else f'{len(values)} chosen'}")
            for facet, title in FACETS.items()
            if (values := self.values(facet))
        ]
        if self.lowest is not None or self.highest is not None:
            told.append(("score", f"Score {_between(self.lowest, self.highest)}"))
        if self.span is not None:
            first, last = (day(datetime.combine(each, time())) for each in (self.span.first, self.span.last))
            told.append(("span", first if self.span.first == self.span.last else f"{first} to {last}"))
        return told


def read_scores(typed: str) -> tuple[float | None, float | None] | None:
    """`40..70`, `..60`, `80..` or one score, as the lowest and the highest; None for anything else."""
    first, dots, last = typed.partition("..")
    ends = [first, last] if dots else [first, first]
    found: list[float | None] = []
    for end in ends:
        try:
            found.append(float(end) if end.strip() else None)
        except ValueError:
            return None
    if any(each is not None and not math.isfinite(each) for each in found) or found == [None, None]:
        return None
    lowest, highest = found
    return (highest, lowest) if lowest is not None and highest is not None and lowest > highest else (lowest, highest)


def _between(lowest: float | None, highest: float | None) -> str:
    if lowest is None:
        return f"{score_text(highest)} and less"
    return f"{score_text(lowest)} and more" if highest is None else f"{score_text(lowest)} to {score_text(highest)}"


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 1)
