"""Views of audits: the narrowing of the list, its sorting, and the groups of the plot.

How far back audits are fetched belongs to the connection, not to a view.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from app.desk.audits import audit_reviews
from app.desk.audits.audit_filter import EVERYTHING, FACETS, MARKS, Narrowing, kept_days, kept_scores
from app.desk.audits.scores import Scale, top_of
from app.desk.connections.connection_choices import keep_choice, read_choice
from app.desk.connections.saved_views import Kind, SavedView
from app.desk.desk import Desk
from app.desk.reasons.reason_rules import LOW_AUDIT, Rule, load_rules
from app.store.cache.audits import audit_query
from app.store.cache.audits.audit_rows import SORTS, AuditQuery
from app.store.journal.review_store import Marked
from app.translation import translate

GROUPS = ("facility", "vendor")
_RANGE = "audits range"
_ANY_DAY = date(2000, 1, 1)  # whether days can be read does not depend on today


@dataclass(frozen=True, slots=True)
class AuditsView(SavedView):
    """`by` is what the plot compares by: one of `GROUPS`."""

    narrowing: Narrowing = EVERYTHING
    sort: str = "date"
    descending: bool = True
    by: str = "facility"


# The questions of an auditor on a Monday, from left to right. "All" has no days of its own: the range beside it says
# how far back audits go. Audits that wait for a person (not reviewed, flagged) must not drop out of sight by growing
# old. "Low" has the audits that the list paints red, of a month only: an auditor who has written older ones off would
# see them for ever. "Last week" has all of it, the worst first: a look at photos begins there.
SHIPPED: tuple[AuditsView, ...] = (
    AuditsView(translate("All")),
    AuditsView(translate("Not reviewed"), Narrowing(mark="left")),
    AuditsView(translate("Flagged"), Narrowing(mark="flagged")),
    AuditsView(translate("Low scores"), Narrowing(score="low", days="-29..today")),
    AuditsView(translate("Last week, worst first"), Narrowing(days="last week"), "score", descending=False),
)


class FilterContext(NamedTuple):
    """The facts that turn a view into a query: the marked audits, and which scores there are and are low."""

    profile: str
    marked: Marked
    scale: Scale


async def read_scale(desk: Desk, rules: Sequence[Rule] = ()) -> Scale:
    """The highest score there may be, and below which one the rule *Low audit* calls a score low, on or off; `rules`
    where they were read already. Raises `StoreError`, as all functions below."""
    rule = next(each for each in rules or await load_rules(desk) if each.name == LOW_AUDIT)
    top = top_of(await desk.reader.read(audit_query.highest_score, desk.profile.id))
    return Scale(top, top * rule.score / 100)


async def read_context(desk: Desk) -> FilterContext:
    """Read these facts."""
    return FilterContext(desk.profile.id, await audit_reviews.marked(desk), await read_scale(desk))


def view_query(view: AuditsView, context: FilterContext, today: date) -> AuditQuery:
    """The query of a view."""
    query = AuditQuery(context.profile, sort=view.sort, descending=view.descending)
    return view.narrowing.apply(query, context.marked, today, context.scale)


async def view_count(desk: Desk, view: AuditsView) -> int:
    """How many audits a view finds."""
    query = view_query(view, await read_context(desk), desk.now().date())
    return await desk.reader.read(audit_query.count_audits, query)


async def read_range(desk: Desk) -> int:
    """How many days back audits are fetched on this connection; 0 where nobody has chosen."""
    days = await read_choice(desk, _RANGE)
    return days if isinstance(days, int) else 0


async def save_range(desk: Desk, days: int) -> None:
    """Save how many days back audits are fetched."""
    await keep_choice(desk, _RANGE, days)


def _read(name: str, record: Mapping[str, object]) -> AuditsView | None:
    told, sort, by = (record.get(each) for each in ("narrowing", "sort", "by"))
    narrowing = _narrowing(told) if isinstance(told, Mapping) else None
    if narrowing is None:
        return None
    return AuditsView(
        name,
        narrowing,
        sort if isinstance(sort, str) and sort in SORTS else "date",
        record.get("descending") is not False,
        by if isinstance(by, str) and by in GROUPS else "facility",
    )


def _narrowing(told: Mapping[str, object]) -> Narrowing | None:
    """None if a condition cannot be read: the view would show more audits than its name says."""
    text, mark, score, days = (told.get(each, "") for each in ("text", "mark", "score", "days"))
    values = [told.get(facet, []) for facet in FACETS]
    if not all(isinstance(each, str) for each in (text, mark, score, days)) or (mark and mark not in MARKS):
        return None
    if (score and kept_scores(str(score)) is None) or (days and kept_days(str(days), _ANY_DAY) is None):
        return None
    if not all(isinstance(each, list) and all(isinstance(name, str) for name in each) for each in values):
        return None
    kind, facility, vendor = (tuple(map(str, each)) if isinstance(each, list) else () for each in values)
    return Narrowing(str(text), str(mark), kind, facility, vendor, str(score), str(days))


AUDITS = Kind("audit views", SHIPPED, _read)
