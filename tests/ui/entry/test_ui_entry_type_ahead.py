"""Keys typed while another order comes into the form go into that order; none is lost."""

from functools import partial

import apsw
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.desk.desk import Desk
from app.desk.drafts import saved_drafts
from app.desk.sending import outbox
from app.ui.base.page import PageServices
from app.ui.entry.entry_page import EntryPage, blank_draft
from tests.support.desks import order_draft
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.entry.entry_help import held_back, page_on

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, offline_desk: Desk, show: Show) -> EntryPage:
    """A page with an order that may be sent, the keyboard in its city."""
    made = page_on(loop, services, show, offline_desk)
    made.form.load(order_draft("R-1"))
    made.form.fields["consignee.city"].editor.setFocus()
    QTest.keyClicks(focus(), "s")
    return made


def focus() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def type_on(words: str) -> None:
    """As a person types on who does not look: `\\t` is Tab, `4` F4."""
    special = {"\t": Qt.Key.Key_Tab, "4": Qt.Key.Key_F4}
    for each in words:
        window = focus().window().windowHandle()
        assert window is not None
        QTest.keyClick(window, special.get(each) or Qt.Key(ord(each)))


def at_rest(page: EntryPage) -> bool:
    return not page.type_ahead.buffering


def names(loop: RunningLoop, desk: Desk) -> list[str]:
    return sorted(each.name for each in loop.run(saved_drafts.all_open(desk)))


@pytest.mark.parametrize("next_one", ["submit", "submit and next", "new", "put away"])
def test_keys_typed_meanwhile_are_typed_into_the_next_order(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk, next_one: str
) -> None:
    loop.until(lambda: names(loop, offline_desk) == ["R-1"])
    begin = {
        "submit": page.submit,
        "submit and next": page.submit_and_next,
        "new": page.start_blank,
        "put away": page.close_draft,
    }[next_one]
    with held_back(offline_desk):
        QTest.keyClicks(focus(), "x")  # which has to be kept first
        begin()
        if next_one == "put away":
            page.form.go_to("orderReferenceNumber")
        before = page.form.draft()
        type_on("N\tPO")
        loop.rest()
        assert page.form.draft() == before, "not into the order that leaves"
        type_on("X4Z")
    loop.until(partial(at_rest, page))
    found = page.form.draft()
    assert (found.orderReferenceNumber, found.poNumber, found.providerFacilityCode) == ("n", "pox", "z")
    assert found.consignee.city == ""
    loop.run(page.flush())
    kept = {"submit": ["n"], "submit and next": ["n"], "new": ["R-1", "n"], "put away": ["n"]}[next_one]
    assert names(loop, offline_desk) == kept


def test_a_wait_that_is_seen_is_said_and_over_with_what_comes(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk
) -> None:
    with held_back(offline_desk):
        QTest.keyClicks(focus(), "x")
        page.start_blank()
        loop.breathe()
        assert page.bar.text == "", "nobody waits for anything yet"
        type_on("N")
        loop.until(lambda: page.bar.text.startswith("Waiting for the disk."))
    loop.until(partial(at_rest, page))
    assert page.bar.text == ""
    assert page.form.draft().orderReferenceNumber == "n"


def test_the_very_next_key_is_held_too(loop: RunningLoop, page: EntryPage, offline_desk: Desk) -> None:
    """Both keys may come in one go, before anything has begun."""
    page.submit()
    type_on("A")
    said = QInputMethodEvent("", [])
    said.setCommitString("é")
    QApplication.sendEvent(focus(), said)
    loop.until(partial(at_rest, page))
    assert page.form.draft().orderReferenceNumber == "aé"
    (write,) = loop.run(outbox.writes(offline_desk, (), 10))
    assert write.reference == "R-1"
    assert page.bar.text == "Order R-1 is in the outbox and has not left yet."


def test_keys_stay_with_the_order_that_could_not_be_queued(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise apsw.IOError("no")

    monkeypatch.setattr("app.store.journal.write_store.queue_write", refuse)
    with held_back(offline_desk):
        page.submit()
        type_on("X")
    loop.until(lambda: page.bar.text.startswith("The order was not sent and stays in the form."))
    loop.until(partial(at_rest, page))
    assert page.form.draft().consignee.city.endswith("sx")


def test_what_came_another_way_is_a_draft_of_its_own(loop: RunningLoop, page: EntryPage, offline_desk: Desk) -> None:
    """A screen reader sets a text as a whole; a mouse pastes."""
    with held_back(offline_desk):
        page.submit()
        page.form.fields["poNumber"].editor.setText("PO-LATE")
    loop.until(lambda: page.bar.text.endswith("What was changed after that is in the form, as a new draft."))
    assert page.form.draft().poNumber == "PO-LATE"
    loop.run(page.flush())
    (kept,) = loop.run(saved_drafts.all_open(offline_desk))
    assert kept.draft == page.form.draft()
    (write,) = loop.run(outbox.writes(offline_desk, (), 10))
    assert b"PO-LATE" not in loop.run(outbox.story(offline_desk, write.id)).payload


def test_what_is_asked_for_twice_leaves_the_keyboard_free(loop: RunningLoop, page: EntryPage) -> None:
    page.submit()
    page.submit()
    loop.until(partial(at_rest, page))
    loop.until(lambda: page.form.draft() == blank_draft())
    type_on("Q")
    assert page.form.draft().orderReferenceNumber == "q"
