"""Gathers the content of a case file from the provider, the cache and the journal.

Invariant: content that is missing does not end the work; the case file says in its place that it is missing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.contract.information import Order
from app.contract.replies import decode
from app.desk.audits import audit_sync
from app.desk.audits.scores import top_of
from app.desk.desk import Desk
from app.desk.files.album import Key, NoPicture
from app.desk.files.stoppable_work import Progress, Stopped
from app.desk.files.whole_file import ExportTrouble
from app.desk.orders import stored_orders
from app.desk.orders.order_documents import Document, documents_of
from app.desk.report import report_words as words
from app.desk.report.audit_report import AuditStory
from app.desk.report.audit_reports import read_stories
from app.desk.report.case_file import Overage, Paper
from app.desk.report.report_photos import Picture
from app.desk.sending import outbox
from app.desk.sync import fetch_window
from app.imaging.pixels import Size
from app.store.cache.audits import audit_query
from app.store.cache.audits.audit_rows import AuditQuery
from app.store.journal.records import WriteRow

if TYPE_CHECKING:
    from app.desk.team.others_orders import OrderStory

_GLANCE = Size(64, 64)  # enough to learn how many pages a document has
_MOST_OPENED, _AT_ONCE = 200, 8


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """An order, and what else is known around it. `unknown` counts the audits that were never opened."""

    order: Order
    history: Sequence[WriteRow]
    papers: Sequence[Paper]
    overage: Sequence[Overage]
    audits: Sequence[AuditStory]
    unknown: int
    trouble: str = ""
    person: str = ""  # who works at this desk, in a team
    others: "OrderStory | None" = None  # what the other desks of the team did with the order; None without a team


async def gather(desk: Desk, number: int, picture: Picture, progress: Progress) -> CaseFacts:
    """Raises `ExportTrouble` if nothing is known of the order, `StoreError`, and `Stopped` when that is asked for."""
    trouble = await fetch_window.refresh_order(desk, number)
    found = await stored_orders.detail(desk, number)
    if found is None:
        raise ExportTrouble(words.order_unknown(number, trouble))
    order = Order.model_validate(decode(found.raw.encode("utf-8", "replace")))
    history = await outbox.history(desk, order.CRN) if order.CRN else []
    _look(progress)
    overage = [await _overage(desk, load) for load in await _loads(desk, history)]
    papers = []
    for each in documents_of(order):
        _look(progress)
        papers.append(await _paper(each, picture))
    names = {str(number), *([order.CRN.strip()] if order.CRN and order.CRN.strip() else [])}
    await _open_audits(desk, order, progress)
    numbers, unknown = await desk.reader.read(audit_query.audits_naming, desk.profile.id, sorted(names))
    progress.stage = ""
    highest = await desk.reader.read(audit_query.highest_score, desk.profile.id)
    told = await read_stories(desk, numbers, top_of(highest), progress)
    trouble = words.order_as_last_seen(trouble) if trouble else ""
    person = "" if desk.team is None else desk.team.person
    return CaseFacts(order, history, papers, overage, told, unknown, trouble, person, await _others(desk, order.CRN))


async def _others(desk: Desk, reference: str | None) -> "OrderStory | None":
    if desk.team is None or not reference:
        return None
    from app.desk.team.others_orders import order_story  # not loaded for a desk without a team

    return await order_story(desk, reference)


def _look(progress: Progress) -> None:
    if progress.stop:
        raise Stopped


async def _open_audits(desk: Desk, order: Order, progress: Progress) -> None:
    """Open the audits since the order came that were never opened, the newest first.

    The provider tells only with an audit's questions which order it names. The case file counts those that fail.
    """
    first = order.DateImported.date() if order.DateImported else None
    query = AuditQuery(desk.profile.id, first=first)
    left = await desk.reader.read(audit_query.never_opened, query, _MOST_OPENED)
    progress.stage, progress.total, progress.done = "audits", len(left), 0
    while left and desk.provider is not None:
        _look(progress)
        some, left = left[:_AT_ONCE], left[_AT_ONCE:]
        failed = await audit_sync.refresh_many(desk, some)
        if len(failed) == len(some):
            return  # none of these came: the others would fail alike
        progress.done += len(some)


async def _loads(desk: Desk, history: Sequence[WriteRow]) -> list[str]:
    """The loads that this desk named for the order, the latest first and each once."""
    found: dict[str, None] = {}
    for each in history:
        if each.kind != "submit" or each.damaged:
            continue
        draft = outbox.draft_of((await outbox.story(desk, each.id)).payload)
        if load := draft.barcoding.receivingLoadNumber.strip():
            found[load] = None
    return list(found)


async def _overage(desk: Desk, load: str) -> Overage:
    from app.api.errors import ApiError  # the client comes after the first paint

    if desk.provider is None:
        return Overage(load, trouble=words.overage_not_asked(desk.trouble))
    try:
        return Overage(load, await desk.provider.information.overage(load))
    except ApiError as error:
        return Overage(load, trouble=error.sentence)


async def _paper(document: Document, picture: Picture) -> Paper:
    if not document.address:
        return Paper(document, trouble=words.NO_ADDRESS)
    found = await picture(Key(document.address, _GLANCE))
    return (
        Paper(document, trouble=found.sentence) if isinstance(found, NoPicture) else Paper(document, found.facts.pages)
    )


async def order_of_audit(desk: Desk, number: int) -> int | None:
    """The number of the order that an audit names, where it is a number."""
    told = await audit_sync.detail(desk, number)
    name = (told.head.order_number or "").strip() if told is not None else ""
    return int(name) if name.isdecimal() and name.isascii() and len(name) < 19 else None
