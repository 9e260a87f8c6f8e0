"""Nothing typed is lost: kept within a second, across drafts, profiles, a full disk and the end of the program."""

import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

import apsw
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from app.desk.desk import Desk
from app.desk.drafts import saved_drafts, templates
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.sqlite.database import Database
from app.ui.base.page import PageServices
from app.ui.entry.entry_page import EntryPage, blank_draft
from tests.support.desks import order_draft
from tests.support.failing_disk import FailingDisk
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.entry.entry_help import held_back, page_on


@pytest.fixture
def disk() -> Iterator[FailingDisk]:
    made = FailingDisk()
    yield made
    made.unregister()


@pytest.fixture
def shaky(loop: RunningLoop, offline_desk: Desk, disk: FailingDisk, tmp_path: Path) -> Iterator[Desk]:
    """A desk without a connection, whose journal lies on a disk that can be told to fail."""
    database = Database(tmp_path / "shaky.sqlite3", JOURNAL, vfs=disk.vfs)
    loop.run(database.opened())
    yield replace(offline_desk, journal=database)
    disk.fail = None
    loop.run(database.close())


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, offline_desk: Desk, show: Show) -> EntryPage:
    return page_on(loop, services, show, offline_desk)


def type_in(page: EntryPage, words: str, path: str = "orderReferenceNumber") -> None:
    QTest.keyClicks(page.form.fields[path].editor, words)


def names(loop: RunningLoop, desk: Desk) -> list[str]:
    return sorted(each.name for each in loop.run(saved_drafts.all_open(desk)))


def test_a_draft_is_kept_from_its_first_key_on(loop: RunningLoop, page: EntryPage, offline_desk: Desk) -> None:
    type_in(page, "R")
    loop.until(lambda: names(loop, offline_desk) == ["R"])
    loop.until(lambda: page.rail.saved_label.text().startswith("Draft saved"))


def test_nothing_is_kept_of_a_form_that_was_only_looked_at(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk
) -> None:
    page.start_blank()
    loop.until(lambda: not page.tasks.running("show draft"))
    loop.run(page.flush())
    assert names(loop, offline_desk) == []


def test_someone_who_types_without_a_pause_loses_less_than_a_second(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk
) -> None:
    """What is in the journal is never older than a second, at any moment while keys keep coming."""
    typed: list[tuple[float, int]] = []
    worst = 0.0
    while not typed or typed[-1][0] - typed[0][0] < 2.5:
        type_in(page, "x", "deliveryInstructions")
        typed.append((time.monotonic(), len(typed) + 1))
        loop.breathe()
        kept = loop.run(saved_drafts.all_open(offline_desk))
        length = len(kept[0].draft.deliveryInstructions) if kept else 0
        missing = [at for at, count in typed if count > length]
        worst = max(worst, time.monotonic() - missing[0] if missing else 0.0)
    assert worst < 1.0


@pytest.mark.parametrize("leave", ["blank", "open", "desk"])
def test_the_last_keys_are_kept_when_another_draft_comes_while_one_is_being_written(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk, leave: str
) -> None:
    loop.run(saved_drafts.save(offline_desk, "other", order_draft("OTHER")))
    type_in(page, "R")
    loop.until(lambda: "R" in names(loop, offline_desk))
    with held_back(offline_desk):
        type_in(page, "-12")
        page.autosave.save()
        type_in(page, "345")
        if leave == "blank":
            page.start_blank()
        elif leave == "open":
            page.open_draft("other")
        else:
            page.take_desk(replace(offline_desk, profile=replace(offline_desk.profile, id="another")))
    loop.until(lambda: page.form.draft().orderReferenceNumber != "R-12345")
    loop.until(lambda: names(loop, offline_desk) == ["OTHER", "R-12345"])
    loop.run(page.flush())
    assert names(loop, offline_desk) == ["OTHER", "R-12345"], "and no blank draft beside them"


def test_a_profile_sees_its_own_drafts_and_the_old_one_finds_its_own_again(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk
) -> None:
    other = replace(offline_desk, profile=replace(offline_desk.profile, id="another"))
    type_in(page, "R-1")
    page.take_desk(other)
    loop.rest(250)
    assert page.form.draft() == blank_draft()
    assert (names(loop, offline_desk), names(loop, other)) == (["R-1"], [])
    page.take_desk(offline_desk)
    loop.until(lambda: page.form.draft().orderReferenceNumber == "R-1")


def test_unsent_work_is_there_again_after_a_start(
    loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk
) -> None:
    loop.run(saved_drafts.save(offline_desk, "a", order_draft("R-1")))
    page = page_on(loop, services, show, offline_desk)
    loop.until(lambda: page.form.draft() == order_draft("R-1"))
    assert page.rail.saved_label.text().startswith("Draft saved")
    assert page.tabs.ids == ["a"]


def test_what_was_typed_before_the_last_draft_came_is_not_replaced_by_it(
    loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk
) -> None:
    loop.run(saved_drafts.save(offline_desk, "a", order_draft("OLD")))
    page = EntryPage(services)
    show(page)
    page.take_desk(offline_desk)
    type_in(page, "NEW")
    loop.until(lambda: names(loop, offline_desk) == ["NEW", "OLD"])
    assert page.form.draft().orderReferenceNumber == "NEW"


@pytest.mark.parametrize("waiting", [False, True])
def test_a_new_order_asked_for_at_the_start_is_not_replaced_by_the_last_draft(
    loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk, waiting: bool
) -> None:
    """Ctrl+N makes the page and begins an order, while the drafts are still being read."""
    loop.run(saved_drafts.save(offline_desk, "a", order_draft("OLD")))
    template = templates.made_of("Usual", order_draft("", billToCode="ACME"), ["billToCode"], [])
    loop.run(templates.save(offline_desk, template, default=True))
    page = EntryPage(services)
    show(page)
    with held_back(offline_desk) if waiting else nullcontext():
        page.take_desk(offline_desk)
        page.start_blank()
        if waiting:
            loop.rest()
    loop.until(lambda: not page.tasks.busy)
    assert page.form.draft() == templates.begin(template)
    type_in(page, "NEW")
    loop.until(lambda: names(loop, offline_desk) == ["NEW", "OLD"])
    loop.until(lambda: tabs(page) == ["OLD", "NEW"])


def test_the_last_keys_are_kept_at_the_end(loop: RunningLoop, page: EntryPage, offline_desk: Desk) -> None:
    type_in(page, "R-1")
    loop.run(page.flush())
    assert names(loop, offline_desk) == ["R-1"]


def stands(page: EntryPage, reference: str) -> bool:
    """Whether this order is on screen."""
    return page.form.draft().orderReferenceNumber == reference


def tabs(page: EntryPage) -> list[str]:
    return [page.tabs.tabText(at) for at in range(page.tabs.count())]


def test_the_tabs_name_the_drafts_and_open_them(loop: RunningLoop, page: EntryPage, offline_desk: Desk) -> None:
    assert tabs(page) == ["New order"]
    type_in(page, "R & D")
    loop.until(lambda: tabs(page) == ["R && D"])
    page.start_blank()
    loop.until(lambda: tabs(page) == ["R && D", "New order"])
    type_in(page, "SECOND")
    loop.until(lambda: tabs(page) == ["R && D", "SECOND"])
    assert page.tabs.currentIndex() == 1
    page.tabs.setCurrentIndex(0)
    loop.until(lambda: page.form.draft().orderReferenceNumber == "R & D")
    assert names(loop, offline_desk) == ["R & D", "SECOND"]


def test_keys_go_from_draft_to_draft_and_what_is_typed_stays(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk
) -> None:
    for name in ("A", "B", "C"):
        loop.run(saved_drafts.save(offline_desk, name, order_draft(name)))
    page.services.news.drafts.emit()
    loop.until(lambda: page.tabs.count() == 4, "three, and the new one")
    type_in(page, "NEW")
    control = Qt.KeyboardModifier.ControlModifier
    for key, wanted in (
        (Qt.Key.Key_PageDown, "A"), (Qt.Key.Key_PageDown, "B"), (Qt.Key.Key_PageUp, "A"), (Qt.Key.Key_PageUp, "NEW"),
    ):  # fmt: skip
        QTest.keyClick(page, key, control)
        loop.until(partial(stands, page, wanted))
        loop.until(lambda: page.tabs.ids[page.tabs.currentIndex()] == page.autosave.draft_id)


def test_drafts_put_away_are_opened_again_the_last_first(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk
) -> None:
    for name in ("A", "B"):
        loop.run(saved_drafts.save(offline_desk, name, order_draft(name)))
        page.open_draft(name)
        loop.until(partial(stands, page, name))
        loop.until(lambda: page.tabs.ids == [page.autosave.draft_id] and not page.tasks.running("show draft"))
        QTest.keyClick(page, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
        loop.until(lambda: page.bar.text.startswith("Draft closed."))
        loop.until(lambda: not page.tasks.busy)
        page.bar.clear()
    assert page.form.draft() == blank_draft()
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    for name in ("B", "A"):
        QTest.keyClick(page, Qt.Key.Key_T, both)
        loop.until(partial(stands, page, name))
        loop.until(lambda: not page.tasks.busy)
    QTest.keyClick(page, Qt.Key.Key_T, both)
    loop.until(lambda: page.bar.text == "No closed draft can be reopened.")
    assert names(loop, offline_desk) == ["A", "B"]


def test_what_stands_beside_a_draft_that_was_put_away_comes_on_screen(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk
) -> None:
    for name in ("A", "B", "C"):
        loop.run(saved_drafts.save(offline_desk, name, order_draft(name)))
    page.open_draft("B")
    loop.until(lambda: page.form.draft().orderReferenceNumber == "B")
    page.services.news.drafts.emit()
    loop.until(lambda: page.tabs.count() == 3 and not page.tasks.running("show draft"))
    page.tools.buttons["close"].click()
    loop.until(lambda: page.form.draft().orderReferenceNumber == "C")
    loop.until(lambda: page.tabs.ids == ["A", "C"])


def press(page: EntryPage, words: str) -> None:
    (found,) = [each for each in page.findChildren(QPushButton) if each.text().strip() == words and each.isVisible()]
    found.click()


def test_a_draft_put_away_comes_back_by_undo(loop: RunningLoop, page: EntryPage, offline_desk: Desk) -> None:
    page.form.load(order_draft("R-1"))
    type_in(page, "7", "poNumber")
    whole = page.form.draft()
    press(page, "Close draft")
    loop.until(lambda: page.bar.text.startswith("Draft closed."))
    assert page.form.draft() == blank_draft()
    assert names(loop, offline_desk) == []
    loop.rest(250)
    assert names(loop, offline_desk) == [], "nothing kept it again behind the person's back"
    type_in(page, "BETWEEN")
    page.bar.undo()
    loop.until(lambda: page.form.draft() == whole)
    loop.until(lambda: names(loop, offline_desk) == ["BETWEEN", "R-1"])


def test_there_is_nothing_to_put_away_of_a_blank_form(loop: RunningLoop, page: EntryPage) -> None:
    press(page, "Close draft")
    loop.rest()
    assert page.bar.text == ""


def test_a_full_disk_is_said_and_the_form_keeps_its_text(
    loop: RunningLoop, services: PageServices, show: Show, shaky: Desk, disk: FailingDisk
) -> None:
    page = page_on(loop, services, show, shaky)
    disk.fail = apsw.FullError
    type_in(page, "R-1")
    loop.until(lambda: page.bar.text)
    assert page.bar.text.startswith("The draft could not be saved, but stays in the form.")
    assert "disk is full" in page.bar.text
    assert page.rail.saved_label.text() == "Draft not saved"
    for leave in (page.start_blank, page.tools.buttons["close"].click):
        leave()
        loop.rest(20)
        assert page.form.draft().orderReferenceNumber == "R-1"
    disk.fail = None
    loop.run(page.flush())
    assert names(loop, shaky) == ["R-1"], "what could not be kept is tried again before the program ends"


def test_once_the_draft_is_kept_only_what_was_said_of_that_goes(
    loop: RunningLoop, services: PageServices, show: Show, shaky: Desk, disk: FailingDisk
) -> None:
    page = page_on(loop, services, show, shaky)
    disk.fail = apsw.FullError
    type_in(page, "R-1")
    loop.until(lambda: page.bar.text.startswith("The draft could not be saved"))
    page.bar.say("", "Filled in: the city.", "Undo", lambda: None, topic="filled", undoes=True)
    disk.fail = None
    loop.run(page.flush())
    assert page.bar.text == "Filled in: the city."
    page.bar.withdraw("filled")
    assert page.bar.text == ""


def test_an_order_that_cannot_be_journalled_is_not_called_sent(
    loop: RunningLoop, services: PageServices, show: Show, shaky: Desk, disk: FailingDisk
) -> None:
    page = page_on(loop, services, show, shaky)
    page.form.load(order_draft("R-1"))
    type_in(page, "7", "poNumber")
    disk.fail = apsw.IOError
    page.submit()
    loop.until(lambda: page.bar.text.startswith("The order was not sent and stays in the form."))
    assert page.form.draft().orderReferenceNumber == "R-1"
    assert page.rail.submit_button.isEnabled()
    disk.fail = None
    page.submit()
    loop.until(lambda: "R-1 is in the outbox" in page.bar.text)
    assert page.form.draft() == blank_draft()


def test_a_draft_that_could_not_be_written_is_tried_again_with_the_next_key(
    loop: RunningLoop, services: PageServices, show: Show, shaky: Desk, disk: FailingDisk
) -> None:
    page = page_on(loop, services, show, shaky)
    disk.fail = apsw.FullError
    type_in(page, "R")
    loop.until(lambda: page.bar.text)
    disk.fail = None
    type_in(page, "-1")
    loop.until(lambda: names(loop, shaky) == ["R-1"])
    loop.until(lambda: page.rail.saved_label.text().startswith("Draft saved"))
    loop.until(lambda: page.bar.text == "", "what was said is no longer so")


def test_two_open_drafts_with_one_reference_mention_each_other(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk
) -> None:
    warning = "Another draft has this reference"
    loop.run(saved_drafts.save(offline_desk, "other", order_draft("R-1")))
    type_in(page, "R-1")
    loop.until(lambda: warning in page.rail.verdict.text)
    mine = page.autosave.draft_id
    loop.until(lambda: page.tabs.count() == 2 and mine in page.tabs.ids)
    loop.until(lambda: all("Another open draft has the same reference" in page.tabs.tip(at) for at in range(2)))
    page.open_draft("other")
    loop.until(lambda: page.autosave.draft_id == "other" and not page.type_ahead.buffering)
    assert warning in page.rail.verdict.text
    page.close_draft()
    loop.until(lambda: page.autosave.draft_id == mine)
    loop.until(lambda: warning not in page.rail.verdict.text, "the other one is closed")
    loop.until(lambda: "same reference" not in page.tabs.tip(0))


def test_a_draft_that_gets_another_reference_is_no_longer_mentioned(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk
) -> None:
    loop.run(saved_drafts.save(offline_desk, "other", order_draft("R-1")))
    type_in(page, "R-1")
    loop.until(lambda: "Another draft has this reference" in page.rail.verdict.text)
    type_in(page, "2")
    loop.until(lambda: "Another draft has this reference" not in page.rail.verdict.text)
