"""Helpers of the tests of the entry page: a page at rest on a desk, and a slow journal."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from app.desk.desk import Desk
from app.ui.base.page import PageServices
from app.ui.entry.entry_page import EntryPage
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show


def page_on(loop: RunningLoop, services: PageServices, show: Show, desk: Desk) -> EntryPage:
    """The page on this desk, with the keyboard where a new order begins."""
    made = EntryPage(services)
    made.take_desk(desk)
    show(made)
    made.enter()
    loop.until(lambda: not made.tasks.running("reopen"))
    return made


@contextmanager
def held_back(desk: Desk) -> Iterator[None]:
    """In this block the journal's thread is busy, as with a slow disk."""
    gate = threading.Event()
    desk.journal._thread.submit(gate.wait)
    try:
        yield
    finally:
        gate.set()
