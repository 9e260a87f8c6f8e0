"""How fresh the orders on screen are: the age of the data, missing dates, and why a list is empty. Pure functions.

Invariant: orders are never called fresher, nor complete for more dates, than the provider's replies prove.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Literal

from app.desk.text.typed_dates import short_day
from app.store.cache.order_rows import ListName, WindowRow
from app.ui.orders import orders_words as words
from app.ui.widgets.text.times import clock, since, today

if TYPE_CHECKING:
    from app.desk.sync.departed_orders import Departed, OpenCount
    from app.desk.sync.order_sync import ListResult, Progress
    from app.desk.sync.window_plan import Gap, Job

# A refresh of a whole year may take minutes; all windows it fetched count as of one age.
_ONE_REFRESH = timedelta(minutes=30)
_SAME_AGE = timedelta(minutes=2)  # windows further apart than this are given two ages
_NAMED_REASONS, _NAMED_DATES = 2, 3  # in one message; the dates panel lists all of them


# The status bar


def age_words(windows: Sequence[WindowRow], list_name: ListName, now: datetime) -> str:
    """How old the shown orders are, and which dates they cover.

    Windows fetched long before the newest one do not count: they neither lower the age nor extend the dates.
    """
    fetched = {each: each.fetched_at for each in windows if each.fetched_at is not None}
    if not fetched:
        return words.NEVER_REFRESHED
    newest = max(fetched.values())
    fresh = [each for each, moment in fetched.items() if moment >= newest - _ONE_REFRESH]
    oldest = min(fetched[each] for each in fresh)
    first_day = _covered_since(fresh)
    days = short_day(first_day.date(), now.date())
    if newest - oldest > _SAME_AGE:
        age = words.as_of_with_slower(_at(newest, now), _at(oldest, now), days, list_name)
    else:
        age = words.as_of(_at(newest, now), days, list_name)
    return words.with_older_dates(age) if any(each.start < first_day for each in fetched) else age


def status_words(
    orders: str, age: str, next_in: int | None, *, stopped: bool, connected: bool, resting: bool = False
) -> str:
    """`1,204 orders · as of 14:02:10 · imported since 31 Oct 2026 · next refresh 0:41`.

    `next_in` is in seconds; `resting` says that the provider asked to wait until then.
    """
    if not connected:
        return words.status(orders, age)
    if next_in is not None:
        return words.status_next(orders, age, max(0, next_in), resting=resting)
    return words.status_stopped(orders, age) if stopped else words.status_on_demand(orders, age)


def shown_orders(count: int, *, exact: bool, older: int = 0, before: date | None = None) -> str:
    """How many orders are shown, and how many of them (`older`) are of days `before` the dates that are fetched."""
    found = words.count_of_orders(count, exact=exact)
    return words.count_with_older(found, older, short_day(before, today())) if older and before is not None else found


def _at(moment: datetime, now: datetime) -> str:
    return clock(moment) if moment.date() == now.date() else since(moment, now)


def _covered_since(windows: Sequence[WindowRow]) -> datetime:
    """How far back these windows reach from the latest one without a gap."""
    newest_first = sorted(windows, key=lambda each: each.end, reverse=True)
    reach = newest_first[0].start
    for each in newest_first:
        if each.end < reach - timedelta(seconds=1):
            break
        reach = min(reach, each.start)
    return reach


# A refresh


def progress_words(progress: "Progress") -> str:
    """How far a refresh is."""
    if progress.waiting_until is not None:
        return words.waiting_until(clock(progress.waiting_until))
    if not progress.orders:
        return words.REFRESHING
    if progress.windows > 2:
        return words.received_by_window(progress.orders, progress.windows_done, progress.windows)
    return words.received(progress.orders)


def stopped_words(gaps: "Sequence[Gap]") -> str:
    """Which dates a stopped refresh did not fetch, of those that were never fetched."""
    unasked = [each for each in gaps if not each.sentence]
    if not unasked:
        return words.REFRESH_STOPPED_ALL_KNOWN
    opened = _dates([each for each in unasked if each.list == "open"])
    completed = _dates([each for each in unasked if each.list != "open"])
    if opened and completed and opened != completed:
        return words.stopped_before_each(opened, completed)
    return words.stopped_before(_dates(unasked))


def trouble_words(result: "ListResult") -> str:
    """Which dates failed and why, and how many records could not be read; empty if all is well."""
    return " ".join(filter(None, (_failed_words(result), _unreadable_words(result))))


def _failed_words(result: "ListResult") -> str:
    failed = [each for each in result.missing if each.sentence]
    if not failed:
        return ""
    reasons = list(dict.fromkeys(each.sentence for each in failed))
    parts = [
        words.not_refreshed(reason, _dates([each for each in failed if each.sentence == reason]))
        for reason in reasons[:_NAMED_REASONS]
    ]
    parts.append(words.EARLIER_SHOWN)
    if len(reasons) > _NAMED_REASONS:
        parts.append(words.more_reasons(len(reasons) - _NAMED_REASONS))
    return " ".join(parts)


def _unreadable_words(result: "ListResult") -> str:
    if not result.unreadable:
        return ""
    return words.unreadable(result.unreadable, _named([days_words(*span) for span in result.unreadable_in]))


def _dates(gaps: "Sequence[Gap]") -> str:
    # The two lists often lack the same dates; each range is named once.
    return _named(list(dict.fromkeys(days_words(each.start, each.end) for each in gaps)))


def _named(days: Sequence[str]) -> str:
    named = ", ".join(days[:_NAMED_DATES])
    return words.more_dates(named, len(days) - _NAMED_DATES) if len(days) > _NAMED_DATES else named


def days_words(start: datetime, end: datetime) -> str:
    """`Sat 14 Nov`, or `Sat 7 Nov to Fri 20 Nov`; with years where the days are not near."""
    first, last = (short_day(each.date(), today()) for each in (start, end))
    return first if first == last else words.from_to(first, last)


# Orders that left the open list


def departed_words(unfound: int, unasked: int) -> str:
    """How many orders left the open list and are on no other; empty if none did.

    `unasked` of them are still to be looked up by number.
    """
    if not unfound:
        return ""
    left = words.left_open_list(unfound)
    return f"{left} {words.asked_for_next(unasked)}" if unasked else left


def shrunk_words(found: "Departed", had: "OpenCount | None") -> str:
    """Why the provider's open list may be wrong: too many orders left it without a trace. Empty if few did."""
    if not found.suspicious:
        return ""
    if had is not None and had.orders > found.open:
        lead = words.list_shrank(found.open, clock(had.at), had.orders)
    else:
        lead = words.list_lacks(found.open, found.unfound)
    not_found = found.unfound - found.unasked - found.still_open
    parts = [lead, words.on_no_list(found.unfound)]
    if found.still_open:
        parts.append(words.open_by_number(found.still_open))
    if not_found:
        parts.append(words.not_found_by_number(not_found))
    if found.unasked:
        parts.append(words.still_to_look_up(found.unasked))
    return " ".join(parts)


# The dates panel


@dataclass(frozen=True, slots=True)
class WindowState:
    """One window of a list as the dates panel shows it; `missing` says that it can be fetched again."""

    tone: Literal["good", "warn", "soft"]
    words: str
    missing: bool = False


def window_state(job: "Job", rows: Sequence[WindowRow], progress: "Progress | None", now: datetime) -> WindowState:
    """How far a window has come, or how old it is, or why it is missing."""
    if progress is not None and job in progress.under_way:
        return WindowState("soft", words.received_so_far(progress.under_way[job]))
    inside = [each for each in rows if each.start <= job.end and each.end >= job.start]
    fetched = [each.fetched_at for each in inside if each.fetched_at is not None]
    failed = next((each for each in inside if each.error), None)
    if failed is not None:
        last = _at(failed.tried_at, now) if failed.tried_at else ""
        why = words.window_failed(failed.tries, failed.error or "", last)
        shown = words.shown_as_of(_at(min(fetched), now)) if fetched else words.NEVER_SEEN
        return WindowState("warn", f"{why} {shown}", missing=True)
    reached = sum(((each.end - each.start for each in inside)), timedelta())
    if not fetched or reached < job.end - job.start - timedelta(days=1):
        return WindowState("soft", words.NOT_FETCHED_YET, missing=True)
    return WindowState("good", words.window_known(_total(inside), _at(min(fetched), now)))


def left_windows_state(rows: Sequence[WindowRow], first: datetime, now: datetime) -> WindowState:
    """The state of all dates before `first`: they were fetched once, and are not fetched any more."""
    inside = [each for each in rows if each.start < first and each.fetched_at is not None]
    if not inside:
        return WindowState("soft", words.NOT_FETCHED)
    oldest = min(each.fetched_at for each in inside if each.fetched_at is not None)
    return WindowState("soft", words.window_left(_total(inside), _at(oldest, now)))


def _total(windows: Sequence[WindowRow]) -> int | None:
    """How many orders the windows have; None if one of them does not tell."""
    counts = [each.count for each in windows]
    known = [each for each in counts if each is not None]
    return sum(known) if len(known) == len(counts) else None


# An empty table


@dataclass(frozen=True, slots=True)
class EmptyState:
    """The face of an empty table: icon, heading, sentence and the title of a button."""

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
    result: "ListResult | None",
    days: int,
    stopped: bool = False,
    other_lists: str = "",
    other_action: str = "",
    watched: bool = False,
) -> EmptyState:
    """Why a list shows no rows.

    `trouble` says why there is no connection, `other_lists` what the filter finds there, and `other_action` is the
    title of the button that shows it. `watched`: the filter asks for watched orders and for nothing else.
    """
    if filtered and other_lists:
        return EmptyState("search", words.NO_MATCH_HERE, other_lists, other_action)
    if filtered and watched:
        return EmptyState("eye", words.NONE_WATCHED, words.HOW_TO_WATCH, words.CLEAR_FILTER)
    if filtered:
        return EmptyState("search", words.NO_MATCH, "", words.CLEAR_FILTER)
    if not connected:
        return EmptyState("cloud-off", words.NONE_SEEN, trouble)
    if stopped:
        return EmptyState("clock", words.REFRESH_STOPPED, words.NONE_RECEIVED, words.TRY_AGAIN)
    if busy or result is None:
        return EmptyState("clock", words.ASKING)
    if result.missing:
        return EmptyState("cloud-off", words.NONE_FETCHED, result.trouble, words.TRY_AGAIN)
    return EmptyState("inbox", words.NO_ORDERS[list_name], words.none_for(days))
