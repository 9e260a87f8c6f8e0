"""Opens the panel for printing. Pages import only this module, which defers the import of everything that prints."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.contract.draft import OrderDraft
from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.store.journal.records import WriteRow
from app.store.store_errors import StoreError
from app.ui.base.deferred_imports import import_lock
from app.ui.base.page import Page, PageServices
from app.ui.printing.printing_words import DRAFT, NOT_KNOWN
from app.ui.widgets.text.labels import Tone

if TYPE_CHECKING:
    from app.desk.printing.print_subject import Subject
    from app.ui.printing.print_panel import Source

Say = Callable[[Tone, str], object]
Standing = Callable[[WriteRow], str]
Sent = tuple[WriteRow, OrderDraft]


def print_draft(page: Page, draft: Callable[[], OrderDraft]) -> None:
    """Offer to print the draft in the form. `draft` is called whenever the panel needs it anew."""
    _offer(page, page.services, page.tasks, page.desk, lambda: _subject(page.desk, draft(), DRAFT))


def print_write(page: Page, write_id: int, standing: Standing, say: Say) -> None:
    """Offer to print the order that this write has sent, or is to send."""
    page.tasks.read("print find", _find_write(page, write_id, standing, say))


def print_orders(
    owner: QWidget,
    services: PageServices,
    tasks: Tasks,
    desk: Desk,
    numbers: Sequence[int],
    standing: Standing,
    say: Say,
) -> None:
    """Offer to print these orders: as this desk last sent them, else as far as the provider returns them."""
    tasks.read("print find", _find_listed(owner, services, tasks, desk, numbers, standing, say))


async def _find_write(page: Page, write_id: int, standing: Standing, say: Say) -> None:
    from app.desk.printing.print_subject import sent_order

    desk = page.desk
    found = await _found(sent_order(desk, write_id), say)
    if found is not None:
        subject = _subject(desk, found[1], standing(found[0]))
        _offer(page, page.services, page.tasks, desk, lambda: subject)


async def _find_listed(
    owner: QWidget,
    services: PageServices,
    tasks: Tasks,
    desk: Desk,
    numbers: Sequence[int],
    standing: Standing,
    say: Say,
) -> None:
    from app.desk.printing.print_subject import listed_order

    try:
        found = [await listed_order(desk, number, standing) for number in numbers]
    except StoreError as error:
        say("bad", error.sentence)
        return
    subjects = tuple(each for each in found if each is not None)
    if subjects:
        _offer(owner, services, tasks, desk, lambda: subjects)
    else:
        say("warn", NOT_KNOWN)


async def _found(search: Awaitable[Sent], say: Say) -> Sent | None:
    try:
        return await search
    except StoreError as error:
        say("bad", error.sentence)
        return None


def _subject(desk: Desk, draft: OrderDraft, standing: str) -> "Subject":
    from app.desk.printing.print_subject import Subject

    return Subject(draft, standing, practice=desk.profile.kind == "practice")


def _offer(owner: QWidget, services: PageServices, tasks: Tasks, desk: Desk, source: "Source") -> None:
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
