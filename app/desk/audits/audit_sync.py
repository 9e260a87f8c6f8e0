"""Fetches audits from the provider into the cache, and asks the cache about them.

Invariants: the provider is asked in windows of days, newest first, and at most for a year. Audits that came are stored
even if the rest of their window fails. A window counts as fetched only when all of it came; otherwise the cache notes
the reason. The service is read-only: nothing here writes to it.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from app.api.errors import ApiError, NotAllowed, NotAuthorised, NotFound, NotSent
from app.api.provider import Provider
from app.contract.information import Audit, AuditDetail
from app.desk.desk import Desk
from app.store.cache.audits import audit_query
from app.store.cache.audits import audit_store as kept
from app.store.cache.audits.audit_rows import (
    AnswerFacts,
    AuditDetailRow,
    AuditFacts,
    AuditHead,
    AuditLine,
    AuditQuery,
    AuditsShown,
    AuditWindow,
    LensRow,
)
from app.store.store_errors import StoreError
from app.translation import translate

_WINDOW_DAYS = 31  # a month of audits comes in one answer of bearable length
LONGEST_DAYS = 365
_STORED_AT_ONCE = 400
_AT_ONCE = 4  # audits whose questions are asked for at the same time
_LARGEST = 2**63 - 1

Days = tuple[date, date]


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The outcome of a refresh. `trouble` is empty if every window came whole; `missing` are days, both included.

    `unreadable` counts records skipped, of the days `unreadable_in`.
    """

    audits: int
    trouble: str = ""
    missing: tuple[Days, ...] = ()
    unreadable: int = 0
    unreadable_in: tuple[Days, ...] = ()


def windows(today: date, days: int) -> list[Days]:
    """`days` days up to today, cut into windows of about a month, newest first."""
    first = today - timedelta(days=min(days, LONGEST_DAYS) - 1)
    cut: list[Days] = []
    last = today
    while last >= first:
        cut.append((max(first, last - timedelta(days=_WINDOW_DAYS - 1)), last))
        last = cut[-1][0] - timedelta(days=1)
    return cut


async def refresh(
    desk: Desk, days: int, on_progress: Callable[[int, int], None] = lambda _done, _of: None
) -> Refreshed:
    """Fetch the audits of the last `days` days. Trouble is part of the result, never raised."""
    todo = windows(desk.now().date(), days)
    count = unreadable = 0
    missing: list[Days] = []
    odd: list[Days] = []
    trouble = ""
    for done, window in enumerate(todo):
        on_progress(done, len(todo))
        provider = desk.provider
        if provider is None:
            trouble, missing = trouble or desk.trouble, [*missing, *todo[done:]]
            break
        got = _Got()
        try:
            await _fetch_window(desk, provider, window, got)
        except StoreError as error:
            trouble, missing = error.sentence, [*missing, *todo[done:]]
            break
        # After an error and a cancellation too: the audits that came are stored, so they are counted.
        finally:
            count, unreadable = count + got.audits, unreadable + got.unreadable
            odd += [window] if got.unreadable else []
        if got.trouble is None:
            continue
        missing.append(window)
        trouble = trouble or got.trouble.sentence
        desk.timing.back_off(got.trouble.rest)
        if isinstance(got.trouble, NotSent | NotAuthorised | NotAllowed) or got.trouble.rest is not None:
            missing.extend(todo[done + 1 :])
            break  # the next window would fail alike, or the provider asks for a rest
    return Refreshed(count, trouble, tuple(missing), unreadable, tuple(odd))


@dataclass(slots=True)
class _Got:
    audits: int = 0
    unreadable: int = 0
    trouble: ApiError | None = None


async def _fetch_window(desk: Desk, provider: Provider, window: Days, got: _Got) -> None:
    began = desk.now()
    try:
        await _receive(desk, provider, window, got)
    except ApiError as error:
        got.trouble = error
    words = None if got.trouble is None else got.trouble.sentence
    await desk.cache.write(kept.finish_audit_window, desk.profile.id, *window, began, words)


async def _receive(desk: Desk, provider: Provider, window: Days, got: _Got) -> None:
    """Store audits as they come, also those before an error. Raises `ApiError` and `StoreError`."""
    began, waiting = desk.now(), list[AuditFacts]()

    async def store() -> None:
        nonlocal waiting
        batch, waiting = waiting, []
        if batch:
            await desk.cache.write(kept.store_audits, desk.profile.id, batch, began)
            got.audits += len(batch)

    try:
        async with provider.information.audits(*window) as batches:
            async for batch in batches:
                facts = [each for audit in batch if (each := _facts(audit)) is not None]
                got.unreadable += len(batch) - len(facts)
                waiting += facts
                if len(waiting) >= _STORED_AT_ONCE:
                    await store()
            got.unreadable += batches.tally.rejected
    finally:
        # Also after a cancelled or broken fetch: none of the audits that were read is lost.
        await store()


def _facts(audit: Audit) -> AuditFacts | None:
    """The facts of an audit; None for a record without a number, which nobody could open."""
    if audit.auditId is None or not 0 <= audit.auditId <= _LARGEST:
        return None
    return AuditFacts(
        audit.auditId, audit.auditDate, audit.auditType, audit.auditFacility, audit.auditVendor, audit.auditScore
    )


async def refresh_audit(desk: Desk, number: int) -> str:
    """Fetch the questions of one audit into the cache. Returns the sentence for trouble, or an empty text."""
    if desk.provider is None:
        return desk.trouble
    began = desk.now()
    try:
        told = await desk.provider.information.audit(number)
    except NotFound:
        return translate("The provider has no audit with this number any more.")
    except ApiError as error:
        desk.timing.back_off(error.rest)
        return error.sentence
    try:
        await desk.cache.write(kept.store_answers, desk.profile.id, number, _head(told), _answers(told), began)
    except StoreError as error:
        return error.sentence
    return ""


async def refresh_many(
    desk: Desk, numbers: Iterable[int], on_progress: Callable[[int], None] = lambda _done: None
) -> dict[int, str]:
    """Fetch the questions of several audits, a few at once. Returns the sentence of each that failed.

    May be cancelled: audits that came are stored.
    """
    waiting = list(reversed(list(numbers)))
    failed: dict[int, str] = {}
    done = 0

    async def fetch_waiting() -> None:
        nonlocal done
        while waiting:
            number = waiting.pop()
            if words := await refresh_audit(desk, number):
                failed[number] = words
            done += 1
            on_progress(done)

    # Each takes the next number when it is free, so one slow answer holds up none of the others.
    await asyncio.gather(*(fetch_waiting() for _ in range(_AT_ONCE)))
    return failed


def _head(told: Sequence[AuditDetail]) -> AuditHead:
    """The facts that every row repeats, each from the first row that has it."""

    def first(values: Iterable[str | None]) -> str | None:
        return next((each for each in values if each), None)

    return AuditHead(
        first(row.auditorName for row in told),
        first(row.auditorEmail for row in told),
        first(row.cmpAWCDomicle for row in told),
        first(row.orderNumber for row in told),
    )


def _answers(told: Sequence[AuditDetail]) -> list[AnswerFacts]:
    """The answers of the rows; a row without question, text, answer and photo is none."""
    rows = (AnswerFacts(row.detailName, row.detailDescription, row.detailValue, row.imageUrl) for row in told)
    return [each for each in rows if each.question or each.text or each.answer or each.photo]


async def show(
    desk: Desk, query: AuditQuery, dots: AuditQuery, group: str, pages: Sequence[int], page_size: int
) -> AuditsShown:
    """The rows and points of a query, see `audit_query.show_audits`. Raises `StoreError`, as all functions below."""
    return await desk.reader.read(audit_query.show_audits, query, dots, group, pages, page_size)


async def facets(desk: Desk, query: AuditQuery, column: str) -> list[tuple[str, int]]:
    """The values of a column among the audits that the other conditions find, with their counts."""
    return await desk.reader.read(audit_query.audit_facets, query, column)


async def page(desk: Desk, query: AuditQuery, limit: int, offset: int) -> list[AuditLine]:
    """Some rows of the list."""
    return await desk.reader.read(audit_query.page_audits, query, limit, offset)


async def numbers(desk: Desk, query: AuditQuery) -> list[int]:
    """The numbers of all audits of a query, in its order."""
    return await desk.reader.read(audit_query.numbers_of, query)


async def detail(desk: Desk, number: int) -> AuditDetailRow | None:
    """An audit as last seen."""
    return await desk.reader.read(audit_query.audit_detail, desk.profile.id, number)


async def questions(desk: Desk) -> list[tuple[str, str, int]]:
    """The questions that are known, as (id, words, in how many audits)."""
    return await desk.reader.read(audit_query.audit_questions, desk.profile.id)


async def lens(desk: Desk, query: AuditQuery, question: str) -> list[LensRow]:
    """How the audits of a query answered one question, in the query's order."""
    return await desk.reader.read(audit_query.lens, query, question)


async def never_opened(desk: Desk, query: AuditQuery, limit: int) -> list[int]:
    """Audits of a query whose questions were never fetched."""
    return await desk.reader.read(audit_query.never_opened, query, limit)


async def coverage(desk: Desk) -> list[AuditWindow]:
    """Which days were fetched, and when; newest first."""
    return await desk.reader.read(audit_query.audit_windows, desk.profile.id)
