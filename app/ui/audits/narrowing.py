"""What the audit list is narrowed to beside its tabs and its text: a state as data, each part of it in words."""

from dataclasses import dataclass, replace
from datetime import datetime, time

from app.store.audit_rows import AuditQuery
from app.ui.audits.columns import score_text
from app.ui.audits.plot import Chosen
from app.ui.widgets.times import day

FACETS: dict[str, str] = {"kind": "Type", "facility": "Facility", "vendor": "Vendor"}


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Values of each facet (any of them), and what was dragged over in the plot."""

    kind: tuple[str, ...] = ()
    facility: tuple[str, ...] = ()
    vendor: tuple[str, ...] = ()
    span: Chosen | None = None

    def apply(self, query: AuditQuery) -> AuditQuery:
        """The query with these conditions."""
        narrowed = replace(query, kinds=self.kind, facilities=self.facility, vendors=self.vendor)
        if self.span is None:
            return narrowed
        return replace(
            narrowed,
            first=self.span.first,
            last=self.span.last,
            lowest=self.span.lowest,
            highest=self.span.highest,
        )

    def values(self, facet: str) -> tuple[str, ...]:
        """What is chosen of a facet."""
        chosen: tuple[str, ...] = getattr(self, facet)
        return chosen

    def toggled(self, facet: str, name: str) -> "Narrowing":
        """With this value chosen as well, or no longer."""
        before = self.values(facet)
        after = tuple(each for each in before if each != name) if name in before else (*before, name)
        return self._with(facet, after)

    def without(self, facet: str) -> "Narrowing":
        """With nothing chosen of a facet, or of the plot (`span`)."""
        return replace(self, span=None) if facet == "span" else self._with(facet, ())

    def _with(self, facet: str, values: tuple[str, ...]) -> "Narrowing":
        if facet not in FACETS:
            raise ValueError(f"no facet: {facet}")
        match facet:
            case "kind":
                return replace(self, kind=values)
            case "facility":
                return replace(self, facility=values)
            case _:
                return replace(self, vendor=values)

    def words(self) -> list[tuple[str, str]]:
        """Each part that narrows: its name, and what it says."""
        told = [
            (facet, f"{title}: {', '.join(values) if len(values) < 3 else f'{len(values)} chosen'}")
            for facet, title in FACETS.items()
            if (values := self.values(facet))
        ]
        if self.span is not None:
            first, last = (day(datetime.combine(each, time())) for each in (self.span.first, self.span.last))
            days = first if self.span.first == self.span.last else f"{first} to {last}"
            lowest, highest = _rounded(self.span.lowest), _rounded(self.span.highest)
            scores = "" if lowest is None else f", score {score_text(lowest)} to {score_text(highest)}"
            told.append(("span", f"{days}{scores}"))
        return told


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 1)
