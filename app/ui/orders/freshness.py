"""What is said about how fresh the orders on screen are. Plain words from plain data."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from app.store.cache_rows import ListName, WindowRow
from app.ui.widgets.times import clock, since

if TYPE_CHECKING:
    from app.desk.sync import Progress, Refreshed
    from app.desk.sync_plan import Missing

# A refresh of a whole year may take minutes; what it brought counts as of one age.
_ONE_REFRESH = timedelta(minutes=30)
_REASONS, _SPANS = 2, 3  # that are named; all are in the list of dates
_DATED_BY: dict[ListName, str] = {"open": "imported", "completed": "delivered", "other": "imported"}


def age_words(windows: Sequence[WindowRow], list_name: ListName, now: datetime) -> str:
    """How old what is shown is, and which dates it covers. Dates fetched long before the newest are not of its age."""
    fetched = {each: each.fetched_at for each in windows if each.fetched_at is not None}
    if not fetched:
        return "Never refreshed"
    at = max(fetched.values())
    fresh = [each for each, moment in fetched.items() if moment >= at - _ONE_REFRESH]
    first_day = _unbroken(fresh)
    age = clock(at) if at.date() == now.date() else since(at, now)
    older = "; older ones as last seen" if any(each.start < first_day for each in fetched) else ""
    return f"As of {age} · {_DATED_BY[list_name]} since {first_day:%d %b %Y}{older}"


def _unbroken(windows: Sequence[WindowRow]) -> datetime:
    """How far back these windows reach from the latest one without a gap."""
    newest_first = sorted(windows, key=lambda each: each.end, reverse=True)
    reach = newest_first[0].start
    for each in newest_first:
        if each.end < reach - timedelta(seconds=1):
            break
        reach = min(reach, each.start)
    return reach


def count_words(orders: int, outbox: int, *, more: bool) -> str:
    """How many orders the provider's list shows, and how many are in the outbox beside them."""
    words = f"{orders:,} order{'' if orders == 1 else 's'}"
    return f"{words}, {'over ' if more else ''}{outbox:,} in the outbox" if outbox else words


def progress_words(progress: "Progress") -> str:
    """What is said while orders are coming."""
    return f"Refreshing, {progress.orders:,} orders received…" if progress.orders else "Refreshing…"


def trouble_words(result: "Refreshed") -> str:
    """What did not come, and why; empty when all came."""
    failed = [each for each in result.missing if each.sentence]
    if failed:
        reasons = list(dict.fromkeys(each.sentence for each in failed))
        words = " ".join(f"{reason} {_not_refreshed(failed, reason)}" for reason in reasons[:_REASONS])
        more = f" And {len(reasons) - _REASONS:,} more reasons for other days." if len(reasons) > _REASONS else ""
        return f"{words} What was seen before is still shown.{more}"
    if result.unreadable:
        return f"{result.unreadable:,} records in the provider's list could not be read and are not shown."
    return ""


def _not_refreshed(failed: "Sequence[Missing]", reason: str) -> str:
    days = [days_words(each.start, each.end) for each in failed if each.sentence == reason]
    named = ", ".join(days[:_SPANS]) + (f" and {len(days) - _SPANS:,} more times" if len(days) > _SPANS else "")
    return f"Orders of {named} were not refreshed."


def days_words(start: datetime, end: datetime) -> str:
    """`14 Nov`, or `07 Nov to 20 Nov`."""
    return f"{start:%d %b}" if start.date() == end.date() else f"{start:%d %b} to {end:%d %b}"


@dataclass(frozen=True, slots=True)
class Emptiness:
    """Why there are no rows: picture, heading, sentence, and what can be done."""

    icon: str
    heading: str
    sentence: str = ""
    action: Literal["", "Clear the filter", "Try again"] = ""


def emptiness(
    list_name: ListName,
    *,
    filtered: bool,
    trouble: str,
    connected: bool,
    busy: bool,
    result: "Refreshed | None",
    days: int,
) -> Emptiness:
    """Why a list shows no rows. `trouble` is why there is no connection."""
    if filtered:
        return Emptiness("search", "No order matches this filter", "", "Clear the filter")
    if not connected:
        return Emptiness("cloud-off", "No orders seen yet", trouble)
    if busy or result is None:
        return Emptiness("clock", "Asking the provider…")
    if result.missing:
        return Emptiness("cloud-off", "No orders could be fetched", result.trouble, "Try again")
    return Emptiness("inbox", f"No {list_name} orders", f"The provider has none for the last {days} days.")
