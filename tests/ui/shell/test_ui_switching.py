"""Another connection while the disk fails: typed input is saved first, else the connection in use stays in use."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import apsw
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from app.background import background_words
from app.desk.connections import profiles
from app.desk.drafts import saved_drafts, templates
from app.desk.sending import outbox
from app.store.journal import undo_window
from app.store.journal.profile_store import Profile
from app.store.secrets import SecretStore
from app.ui.base.page import PageServices
from app.ui.entry.entry_page import EntryPage
from app.ui.theme.theme import Theme
from tests.support.desks import order_draft, submission
from tests.support.failing_disk import FailingDisk
from tests.support.loop import RunningLoop
from tests.ui.entry.entry_help import held_back
from tests.ui.questions_help import answer, question
from tests.ui.shell_help import Program, open_program

FIRST = Profile("first", "First", "test", "https://a.example", "https://a.example", "https://a.example", "c")
OTHER = Profile("other", "Other", "test", "https://b.example", "https://b.example", "https://b.example", "c")


@pytest.fixture
def disk() -> Iterator[FailingDisk]:
    made = FailingDisk()
    yield made
    made.unregister()


@pytest.fixture
def program(
    loop: RunningLoop, theme: Theme, services: PageServices, tmp_path: Path, disk: FailingDisk
) -> Iterator[Program]:
    """The window on two connections that lead nowhere; its journal lies on the disk that can be told to fail."""
    made = open_program(loop, theme, services, tmp_path / "data", SecretStore(seconds=5), vfs=disk.vfs)
    for each in (FIRST, OTHER):
        loop.run(profiles.save(made.kept.journal, each))
    made.shell.open_desk(FIRST)
    loop.run(made.shell.list_profiles())
    made.shell.go("entry")
    page = entry(made)
    loop.until(lambda: not page.tasks.running("reopen"))
    yield made
    disk.fail = None
    made.close()


def entry(program: Program) -> EntryPage:
    page = program.shell.page("entry")
    assert isinstance(page, EntryPage)
    return page


def choose(program: Program, key: str) -> None:
    """As a person does it in the header."""
    choice = program.window.profile_choice
    choice.setCurrentIndex(choice.findData(key))
    choice.activated.emit(choice.currentIndex())


def in_use(program: Program) -> str:
    assert program.shell.desk is not None
    return program.shell.desk.profile.id


def press(program: Program, words: str) -> None:
    buttons = program.window.bar.findChildren(QPushButton)
    (found,) = [each for each in buttons if each.text() == words and each.isVisible()]
    found.click()


def test_with_a_full_disk_the_connection_stays_and_so_does_what_was_typed(
    program: Program, loop: RunningLoop, disk: FailingDisk
) -> None:
    page = entry(program)
    disk.fail = apsw.FullError
    QTest.keyClicks(page.form.fields["orderReferenceNumber"].editor, "R-1")
    choose(program, "other")
    loop.until(lambda: program.window.bar.text)
    assert program.window.bar.text.startswith("The connection was not changed. What you typed could not be kept")
    assert "disk is full" in program.window.bar.text
    assert in_use(program) == program.window.profile_choice.currentData() == "first"
    assert page.form.draft().orderReferenceNumber == "R-1"
    disk.fail = None
    press(program, "Try again")
    loop.until(lambda: in_use(program) == "other")
    assert program.window.bar.text == ""
    assert page.form.draft().orderReferenceNumber == ""
    program.shell.use_profile("first")
    loop.until(lambda: page.form.draft().orderReferenceNumber == "R-1")


def test_keys_typed_while_it_is_kept_are_kept_too(program: Program, loop: RunningLoop) -> None:
    """The other pages are asked as well, and may take longer than the form."""
    page = entry(program)
    assert program.shell.desk is not None
    first = program.shell.desk
    QTest.keyClicks(page.form.fields["orderReferenceNumber"].editor, "R")
    with held_back(first):
        page.autosave.save()
        program.shell.use_profile("other")
        loop.rest()
        assert in_use(program) == "first", "not before all is kept"
        QTest.keyClicks(page.form.fields["orderReferenceNumber"].editor, "-12")
    loop.until(lambda: in_use(program) == "other")
    assert [each.name for each in loop.run(saved_drafts.all_open(first))] == ["R-12"]


def test_a_cancellation_that_can_still_be_undone_waits_for_a_person_if_another_connection_is_chosen(
    program: Program, loop: RunningLoop
) -> None:
    """It would leave as soon as its own connection is used again, which may be days from now."""
    assert program.shell.desk is not None
    first, bar = program.shell.desk, program.window.bar
    writes = {loop.run(outbox.queue_cancellation(first, each)): each for each in ("R-1", "R-2")}
    program.shell.services.news.cancelling_many.emit(writes)
    loop.until(lambda: bar.text == "2 orders (R-1, R-2) are about to be cancelled.")
    choose(program, "other")
    loop.until(lambda: in_use(program) == "other")
    loop.until(lambda: not bar.text)  # neither an undo nor a question about another connection's
    assert [each.held for each in loop.run(outbox.writes_by_id(first, list(writes))).values()] == [undo_window.LEFT] * 2
    assert not program.shell.undo.undo_last()
    choose(program, "first")
    loop.until(lambda: bar.text.startswith("Cancellations of 2 orders (R-1, R-2) wait for your decision."))
    assert "Another connection was chosen while these cancellations" in bar.text
    program.window.bar.act()
    answer(question(loop, program.window), "Decide later")
    loop.until(lambda: bar.text.startswith("Cancellations of 2 orders"))  # it is not forgotten
    program.window.bar.act()
    answer(question(loop, program.window), "Cancel the orders")
    loop.until(lambda: not program.shell._tasks.running("decide"))
    assert [each.held for each in loop.run(outbox.writes_by_id(first, list(writes))).values()] == [None] * 2
    loop.until(lambda: "decision" not in bar.text)


ROADS = ("new", "tab", "away", "back", "clone", "template", "correct", "close")


@pytest.mark.parametrize("road", ROADS)
def test_no_other_road_takes_along_what_cannot_be_kept(
    program: Program, loop: RunningLoop, disk: FailingDisk, road: str
) -> None:
    page = entry(program)
    assert program.shell.desk is not None
    desk = program.shell.desk
    loop.run(saved_drafts.save(desk, "away", order_draft("AWAY")))
    loop.run(saved_drafts.discard(desk, "away"))
    loop.run(saved_drafts.save(desk, "other", order_draft("OTHER")))
    loop.run(saved_drafts.save(desk, "sent", order_draft("SENT")))
    write = loop.run(outbox.queue_submission(desk, submission("SENT"), "sent"))
    loop.run(outbox.settle(desk, write, "withdrawn", "Withdrawn."))
    page.services.news.drafts.emit()
    loop.until(lambda: page.tabs.count() == 2)
    freed: list[bool] = []
    program.shell.leaving.free.connect(lambda: freed.append(True))
    leave: dict[str, Callable[[], object]] = {
        "new": page.start_blank,
        "tab": partial(page.open_draft, "other"),
        "away": page.close_draft,
        "back": page.reopen_closed,
        "clone": partial(page.clone_write, write),
        "template": partial(page.start_from, templates.made_of("Usual", order_draft("X"), ["poNumber"], [])),
        "correct": partial(page.correct, write),
        "close": program.window.close,
    }
    disk.fail = apsw.FullError
    QTest.keyClicks(page.form.fields["orderReferenceNumber"].editor, "R-1")
    leave[road]()
    loop.rest(60)
    assert page.form.draft().orderReferenceNumber == "R-1"
    assert freed == []
    disk.fail = None
    for each in program.window.findChildren(QPushButton):
        if each.text() == "Try again" and each.isVisible():
            each.click()
    loop.until(lambda: not page.tasks.busy)
    loop.run(page.flush())
    assert "R-1" in {each.name for each in loop.run(saved_drafts.all_open(desk))}


def test_what_is_changed_while_a_draft_is_put_away_is_a_draft_of_its_own(program: Program, loop: RunningLoop) -> None:
    """By a mouse or a screen reader: keys are held."""
    page = entry(program)
    assert program.shell.desk is not None
    desk = program.shell.desk
    page.form.fields["orderReferenceNumber"].put("R-1")
    loop.until(lambda: not page.autosave.unsaved and page.tabs.ids)
    with held_back(desk):
        page.close_draft()
        loop.rest()
        page.form.fields["poNumber"].put("PO-9")
    loop.until(lambda: "as a new draft" in page.bar.text)
    assert page.form.draft().poNumber == "PO-9"
    loop.run(page.flush())
    assert [each.draft.poNumber for each in loop.run(saved_drafts.all_open(desk))] == ["PO-9"]


def test_practice_that_comes_up_late_breaks_off_no_other_connection(program: Program, loop: RunningLoop) -> None:
    connector, desk = program.shell.connector, program.shell.desk
    assert desk is not None
    connector.take_services(program.secrets, program.practice)
    connector.connect_desk()
    assert desk.trouble == background_words.CONNECTING
    program.practice.ready.emit({"base_url": "https://practice.example"})
    loop.until(lambda: not connector.busy)
    assert desk.trouble == background_words.NO_SECRET, "it was read to its end"
