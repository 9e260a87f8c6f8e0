"""What is said about how fresh the orders on screen are. Plain words from plain data."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Literal

from app.desk.text.plurals import counted
from app.store.cache.order_rows import ListName, WindowRow
from app.ui.widgets.text.times import clock, since

if TYPE_CHECKING:
    from app.desk.sync.departed_orders import Departed, Had
    from app.desk.sync.order_sync import Progress, Refreshed
    from app.desk.sync.window_plan import Job, Missing

# A refresh of a whole year may take minutes; what it brought counts as of one age.
_ONE_REFRESH = timedelta(minutes=30)
_AT_ONE_TIME = timedelta(minutes=2)  # what lies farther apart is told apart
_REASONS, _SPANS = 2, 3  # that are named; all are in the list of dates
_DATED_BY: dict[ListName, str] = {"open": "imported", "completed": "delivered", "other": "imported"}


def age_words(windows: Sequence[WindowRow], list_name: ListName, now: datetime) -> str:
    """How old what is shown is, and which dates it covers. Dates fetched long before the newest are not of its age."""
    fetched = {each: each.fetched_at for each in windows if each.fetched_at is not None}
    if not fetched:
        return "never refreshed"
    at = max(fetched.values())
    fresh = [each for each, moment in fetched.items() if moment >= at - _ONE_REFRESH]
    oldest = min(fetched[each] for each in fresh)
    first_day = _unbroken(fresh)
    slower = f", older dates as of {_at(oldest, now)}" if at - oldest > _AT_ONE_TIME else ""
    older = "; older ones as last seen" if any(each.start < first_day for each in fetched) else ""
    return f"as of {_at(at, now)}{slower} · {_DATED_BY[list_name]} since {first_day:%d %b %Y}{older}"


def _at(moment: datetime, now: datetime) -> str:
    return clock(moment) if moment.date() == now.date() else since(moment, now)


def orders_words(count: int, *, exact: bool) -> str:
    """How many orders there are; of a common word only how many there are at most, until they are counted."""
    words = f"{count:,} order{'' if count == 1 else 's'}"
    return words if exact else f"up to {words}"


def older_words(count: int, before: date) -> str:
    """Of the orders that are counted, those of dates that are not fetched any more; empty when there are none."""
    return f", {count:,} of them from before {before:%d %b %Y}" if count else ""


def status_words(
    orders: str, age: str, next_in: int | None, *, stopped: bool, connected: bool, resting: bool = False
) -> str:
    """`1,204 orders · as of 14:02:10 · imported since 31 Oct 2026 · next refresh 0:41`.

    `resting`: the provider asked to be left alone until then.
    """
    if not connected:
        return f"{orders} · {age}"
    if next_in is not None:
        minutes, seconds = divmod(max(0, next_in), 60)
        why = "the provider asked for a rest, " if resting else ""
        return f"{orders} · {age} · {why}next refresh {minutes}:{seconds:02}"
    return f"{orders} · {age} · {'refresh stopped' if stopped else 'refreshed on demand only'}"


def _unbroken(windows: Sequence[WindowRow]) -> datetime:
    """How far back these windows reach from the latest one without a gap."""
    newest_first = sorted(windows, key=lambda each: each.end, reverse=True)
    reach = newest_first[0].start
    for each in newest_first:
        if each.end < reach - timedelta(seconds=1):
            break
        reach = min(reach, each.start)
    return reach


def count_words(orders: str, outbox: int, *, more: bool) -> str:
    """How many orders the provider's list shows, and how many are in the outbox beside them."""
    return f"{orders}, {'over ' if more else ''}{outbox:,} in the outbox" if outbox else orders


def progress_words(progress: "Progress") -> str:
    """What is said while orders are coming."""
    if progress.waiting_until is not None:
        return f"The provider asked for a rest until {clock(progress.waiting_until)}; refreshing goes on then."
    if not progress.orders:
        return "Refreshing…"
    spans = f", {progress.windows_done:,} of {progress.windows:,} spans of dates" if progress.windows > 2 else ""
    return f"Refreshing, {counted(progress.orders, 'order')} received{spans}…"


def stopped_words(gaps: "Sequence[Missing]") -> str:
    """What a refresh that was stopped has left undone."""
    unasked = [each for each in gaps if not each.sentence]
    if not unasked:
        return "Refreshing was stopped. What came is shown; all dates were fetched at some time."
    by_list = {each.list: _spans([other for other in unasked if other.list == each.list]) for each in unasked}
    named = [f"{name} orders of {spans}" for name, spans in by_list.items()]
    said = " and ".join(named) if len(set(by_list.values())) > 1 else f"orders of {_spans(unasked)}"
    return f"Refreshing was stopped. What came is shown; {said} were not fetched yet."


def departed_words(unfound: int, unasked: int) -> str:
    """Orders that left the open list and are on no other; empty when there are none."""
    if not unfound:
        return ""
    one = unfound == 1
    waiting = f" {unasked:,} of them are asked for at the next refreshes." if unasked else ""
    return (
        f"{unfound:,} order{'' if one else 's'} left the open list and {'is' if one else 'are'} not in the completed "
        f"one.{waiting}"
    )


def shrunk_words(found: "Departed", had: "Had | None") -> str:
    """Why the open list is not to be trusted: so many orders left it, and are on no other, that the list may be what is
    wrong. Empty where they are few."""
    if not found.suspicious:
        return ""
    list_has = f"The provider's list of open orders now has {found.open:,}"
    if had is not None and had.orders > found.open:
        lead = f"{list_has}; at {clock(had.at)} it had {had.orders:,}."
    else:
        lead = f"{list_has}; {found.unfound:,} more were in it before."
    kept = f"{found.unfound:,} of them are on no other list: nothing says that they are completed or cancelled."
    asked = found.unfound - found.unasked - found.still_open
    parts = [
        f"{found.still_open:,} are open by their number" if found.still_open else "",
        f"{asked:,} could not be found by number" if asked else "",
        f"{found.unasked:,} are still to be asked for" if found.unasked else "",
    ]
    told = ", ".join(part for part in parts if part)
    return f"{lead} {kept} {told[0].upper()}{told[1:]}."


def documents_words(unknown: int) -> str:
    """Why a filter by documents may not find all; see `orders.documents_unknown`."""
    them, of = ("it", "1 order") if unknown == 1 else ("them", f"{unknown:,} orders")
    return f"The documents of {of} are not known yet, so the filter can neither find {them} nor rule {them} out."


def columns_words(parts: Sequence[str]) -> str:
    """What the columns cannot show of some orders."""
    told = " and ".join(parts)
    return f"{told[0].upper()}{told[1:]} of some of these orders are not known yet; a dash stands for them."


@dataclass(frozen=True, slots=True)
class Dated:
    """What is known of one window of a list: a tone, words, and whether it can be asked for again."""

    tone: Literal["good", "warn", "soft"]
    words: str
    missing: bool = False


def dated(job: "Job", rows: Sequence[WindowRow], progress: "Progress | None", now: datetime) -> Dated:
    """How far a window has come, or how old it is, or why it is not there."""
    if progress is not None and job in progress.under_way:
        return Dated("soft", f"{progress.under_way[job]:,} received so far…")
    inside = [each for each in rows if each.start <= job.end and each.end >= job.start]
    fetched = [each.fetched_at for each in inside if each.fetched_at is not None]
    before = f" Shown as of {_at(min(fetched), now)}." if fetched else " Nothing of these dates was seen yet."
    for each in inside:
        if each.error:
            tries = f"Failed {each.tries:,} times" if each.tries > 1 else "Failed"
            last = f", last {_at(each.tried_at, now)}" if each.tried_at else ""
            return Dated("warn", f"{tries}{last}: {each.error}{before}", missing=True)
    reached = sum(((each.end - each.start for each in inside)), timedelta())
    if not fetched or reached < job.end - job.start - timedelta(days=1):
        return Dated("soft", "Not fetched yet", missing=True)
    counts = [each.count for each in inside]
    known = sum(each for each in counts if each is not None)
    orders = "" if None in counts else f"{known:,} order{'' if known == 1 else 's'}, "
    return Dated("good", f"{orders}as of {_at(min(fetched), now)}")


def dated_before(rows: Sequence[WindowRow], first: datetime, now: datetime) -> Dated:
    """The same of all earlier dates: they were fetched once, and are not any more."""
    inside = [each for each in rows if each.start < first and each.fetched_at is not None]
    if not inside:
        return Dated("soft", "Not fetched")
    ages = sorted(each.fetched_at for each in inside if each.fetched_at is not None)
    counts = [each.count for each in inside]
    orders = "" if None in counts else f"{orders_words(sum(each or 0 for each in counts), exact=True)}, "
    return Dated("soft", f"{orders}as of {_at(ages[0], now)}, not fetched any more")


def trouble_words(result: "Refreshed") -> str:
    """What did not come, and why; empty when all came."""
    return " ".join(filter(None, (_failed_words(result), _unreadable_words(result))))


def _failed_words(result: "Refreshed") -> str:
    failed = [each for each in result.missing if each.sentence]
    if not failed:
        return ""
    reasons = list(dict.fromkeys(each.sentence for each in failed))
    words = " ".join(f"{reason} {_not_refreshed(failed, reason)}" for reason in reasons[:_REASONS])
    more = f" And {len(reasons) - _REASONS:,} more reasons for other days." if len(reasons) > _REASONS else ""
    return f"{words} What was seen before is still shown.{more}"


def _unreadable_words(result: "Refreshed") -> str:
    count = result.unreadable
    if not count:
        return ""
    what = "1 record" if count == 1 else f"{count:,} records"
    of = _named([days_words(start, end) for start, end in result.unreadable_in])
    return f"{what} in the provider's list of {of} could not be read and {'is' if count == 1 else 'are'} not shown."


def _not_refreshed(failed: "Sequence[Missing]", reason: str) -> str:
    return f"Orders of {_spans([each for each in failed if each.sentence == reason])} were not refreshed."


def _spans(gaps: "Sequence[Missing]") -> str:
    # Of both lists, they are often the same.
    return _named(list(dict.fromkeys(days_words(each.start, each.end) for each in gaps)))


def _named(days: Sequence[str]) -> str:
    return ", ".join(days[:_SPANS]) + (f" and {len(days) - _SPANS:,} more times" if len(days) > _SPANS else "")


def days_words(start: datetime, end: datetime) -> str:
    """`14 Nov`, `07 Nov to 20 Nov`, with the years where there are two."""
    if start.date() == end.date():
        return f"{start:%d %b}"
    return f"{start:%d %b} to {end:%d %b}" if start.year == end.year else f"{start:%d %b %Y} to {end:%d %b %Y}"


@dataclass(frozen=True, slots=True)
class EmptyState:
    """Why there are no rows: picture, heading, sentence, and what can be done."""

    icon: str
    heading: str
    sentence: str = ""
    action: str = ""


def empty_state(
    list_name: ListName,
    *,
    filtered: bool,
    trouble: str,
    connected: bool,
    busy: bool,
    result: "Refreshed | None",
    days: int,
    stopped: bool = False,
    elsewhere: str = "",
    offered: str = "",
) -> EmptyState:
    """Why a list shows no rows. `trouble` is why there is no connection, `elsewhere` what the filter finds on other
    lists, with the words by which that is `offered`."""
    if filtered and elsewhere:
        return EmptyState("search", "No order here matches this filter", elsewhere, offered)
    if filtered:
        return EmptyState("search", "No order matches this filter", "", "Clear the filter")
    if not connected:
        return EmptyState("cloud-off", "No orders seen yet", trouble)
    if stopped:
        return EmptyState("clock", "Refreshing was stopped", "None of these orders had come by then.", "Try again")
    if busy or result is None:
        return EmptyState("clock", "Asking the provider…")
    if result.missing:
        return EmptyState("cloud-off", "No orders could be fetched", result.trouble, "Try again")
    return EmptyState("inbox", f"No {list_name} orders", f"The provider has none for the last {days} days.")
