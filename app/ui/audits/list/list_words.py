"""What is said about the audits on screen: how old they are, why there are none, what is missing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Literal

from app.store.cache.audits.audit_rows import AuditWindow
from app.ui.widgets.text.times import clock, since

if TYPE_CHECKING:
    from app.desk.audits.audit_sync import Days, Refreshed


_HEADINGS = {
    "left": "Every audit here is reviewed",
    "reviewed": "No audit here is reviewed",
    "flagged": "No audit here is flagged",
    "noted": "No audit here has a note",
}


@dataclass(frozen=True, slots=True)
class EmptyState:
    """Why there are no rows: picture, heading, sentence, and what can be done."""

    icon: str
    heading: str
    sentence: str = ""
    action: Literal["", "Show all", "Try again"] = ""


def fetched_since(windows: Sequence[AuditWindow]) -> date | None:
    """The first day of which audits were ever fetched; None when none were."""
    return min((each.first for each in windows if each.fetched_at is not None), default=None)


def age_words(windows: Sequence[AuditWindow], now: datetime) -> str:
    """How old what is shown is, and since which day."""
    at = max((each.fetched_at for each in windows if each.fetched_at is not None), default=None)
    if at is None:
        return "Never refreshed"
    age = clock(at) if at.date() == now.date() else since(at, now)
    return f"As of {age} · since {fetched_since(windows):%d %b %Y}"


def trouble_words(result: "Refreshed") -> str:
    """What did not come, and why; empty when all came."""
    said = []
    if result.missing:
        days = _days_words(result.missing)
        said.append(f"{result.trouble} Audits of {days} were not refreshed; what was seen before is still shown.")
    if count := result.unreadable:
        what, are = ("1 record", "is") if count == 1 else (f"{count:,} records", "are")
        days = _days_words(result.unreadable_in)
        said.append(f"{what} in the provider's list of {days} could not be read and {are} not shown.")
    return " ".join(said)


def _days_words(windows: "Sequence[Days]") -> str:
    """From the first of these days to the last."""
    first, last = min(first for first, _ in windows), max(last for _, last in windows)
    return f"{first:%d %b}" if first == last else f"{first:%d %b %Y} to {last:%d %b %Y}"


def empty_state(
    *,
    narrowed: bool,
    mark: str,
    first: date | None,
    since: date | None,
    trouble: str,
    connected: bool,
    busy: bool,
    result: "Refreshed | None",
    days: int,
) -> EmptyState:
    """Why the list shows no rows. `trouble` is why there is no connection, `since` the first day that was fetched."""
    if narrowed and since is not None:
        return EmptyState("search", _HEADINGS.get(mark, "No audit matches"), _unfetched(first, since), "Show all")
    if not connected:
        return EmptyState("cloud-off", "No audits seen yet", trouble)
    if busy or result is None:
        return EmptyState("clock", "Asking the provider…")
    if result.missing:
        return EmptyState("cloud-off", "No audits could be fetched", result.trouble, "Try again")
    return EmptyState("inbox", "No audits", f"The provider has none for the last {days} days.")


def _unfetched(first: date | None, since: date) -> str:
    """That the days which are asked for reach farther back than audits were ever fetched."""
    if first is None or since <= first:
        return ""
    return f"Audits before {since:%d %b %Y} were never fetched. How far back is chosen beside Refresh."
