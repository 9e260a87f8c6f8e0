"""Opens the panel for printing. Pages import only this module, which defers the import of everything that prints."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.contract.draft import OrderDraft
from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.store.journal.records import WriteRow
from app.store.store_errors import StoreError
from app.ui.base.deferred_imports import import_lock
from app.ui.base.page import Page, PageServices
from app.ui.printing.printing_words import DRAFT, NOTHING_SENT
from app.ui.widgets.text.labels import Tone

if TYPE_CHECKING:
    from app.desk.printing.print_subject import Subject

Say = Callable[[Tone, str], object]
Standing = Callable[[WriteRow], str]
Sent = tuple[WriteRow, OrderDraft]


def print_draft(page: Page, draft: Callable[[], OrderDraft]) -> None:
    """Offer to print the draft in the form. `draft` is called whenever the panel needs it anew."""
    _offer(page, page.services, page.tasks, page.desk, lambda: _subject(page.desk, draft(), DRAFT))


def print_write(page: Page, write_id: int, standing: Standing, say: Say) -> None:
    """Offer to print the order that this write has sent, or is to send."""
    page.tasks.read("print find", _find_write(page, write_id, standing, say))


def print_order(
    owner: QWidget, services: PageServices, tasks: Tasks, desk: Desk, reference: str, standing: Standing, say: Say
) -> None:
    """Offer to print the order that this desk last sent for this reference."""
    tasks.read("print find", _find_last(owner, services, tasks, desk, reference, standing, say))


async def _find_write(page: Page, write_id: int, standing: Standing, say: Say) -> None:
    from app.desk.printing.print_subject import sent_order

    desk = page.desk
    found = await _found(sent_order(desk, write_id), say)
    if found is not None:
        subject = _subject(desk, found[1], standing(found[0]))
        _offer(page, page.services, page.tasks, desk, lambda: subject)


async def _find_last(
    owner: QWidget, services: PageServices, tasks: Tasks, desk: Desk, reference: str, standing: Standing, say: Say
) -> None:
    from app.desk.printing.print_subject import last_sent

    found = await _found(last_sent(desk, reference), say)
    if found is not None:
        subject = _subject(desk, found[1], standing(found[0]))
        _offer(owner, services, tasks, desk, lambda: subject)


async def _found(search: Awaitable[Sent | None], say: Say) -> Sent | None:
    try:
        found = await search
    except StoreError as error:
        say("bad", error.sentence)
        return None
    if found is None:
        say("warn", NOTHING_SENT)
    return found


def _subject(desk: Desk, draft: OrderDraft, standing: str) -> "Subject":
    from app.desk.printing.print_subject import Subject

    return Subject(draft, standing, practice=desk.profile.kind == "practice")


def _offer(owner: QWidget, services: PageServices, tasks: Tasks, desk: Desk, source: "Callable[[], Subject]") -> None:
    with import_lock:
        from app.ui.printing.print_panel import PrintPanel  # deferred: nobody prints before the first paint

    place = _page_of(owner)
    panel = place.findChild(PrintPanel) or PrintPanel(place, services, tasks)
    panel.offer(desk, source)


def _page_of(widget: QWidget) -> QWidget:
    """The page that a pane stands on. Each page has one panel: two would share the names of their work."""
    while not isinstance(widget, Page) and (above := widget.parentWidget()) is not None:
        widget = above
    return widget
