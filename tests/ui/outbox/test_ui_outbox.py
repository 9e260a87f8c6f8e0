"""The outbox on a real desk: each state in words, actions only where they make sense, a question before the rest."""

import csv
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from openpyxl import load_workbook
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton

from app.background.sender import Sender
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress
from app.desk.sending import outbox
from app.desk.team import others_orders
from app.store.journal import draft_store
from app.store.journal import write_store as journal_store
from app.store.journal.records import AttemptRow, WriteRow, WriteState, WriteStory
from app.store.team.team_file import OthersWrite
from app.ui.base.page import PageServices
from app.ui.outbox.outbox_export import export_job
from app.ui.outbox.outbox_page import OutboxPage
from app.ui.outbox.write_story import story_text
from app.ui.widgets.files.choose_files import CSVS, XLSX, Chosen
from app.ui.widgets.text.times import clock
from tests.support.damage import LEFT, spoil
from tests.support.desks import submission
from tests.support.fault_server import Answer, FaultServer
from tests.support.faults import act_then_drop, answered, held, json_answer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.questions_help import answer, question

SUBMIT, STATUS = "/Order/submit", "/Order/status"
# What can be done with a write in each state, as its buttons say it.
ACTIONS: dict[WriteState, set[str]] = {
    "queued": {"Look it up", "Print…", "Clone", "Send now", "Withdraw"},
    "sending": {"Look it up", "Print…", "Clone"},
    "accepted": {"Look it up", "Print…", "Clone", "Enter again"},
    "rejected": {"Look it up", "Print…", "Clone", "Correct and send again", "Put away"},
    "in_doubt": {"Look it up", "Print…", "Clone", "Send again…", "It arrived", "Withdraw"},
    "withdrawn": {"Look it up", "Print…", "Clone", "Enter again"},
}
WORDS: dict[WriteState, str] = {
    "queued": "◔ Order · Queued",
    "sending": "▶ Order · Sending",
    "accepted": "✓ Order · Accepted",
    "rejected": "✕ Order · Refused",
    "in_doubt": "! Order · In doubt",
    "withdrawn": "○ Order · Withdrawn",
}


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show, window_desk: Desk) -> OutboxPage:
    made = OutboxPage(services)
    show(made)
    made.take_desk(window_desk)
    loop.until(lambda: idle(made))
    return made


def idle(page: OutboxPage) -> bool:
    return not any(page.tasks.running(name) for name in ("rows", "story", "look up write"))


def written(loop: RunningLoop, desk: Desk, server: FaultServer, reference: str, state: WriteState) -> int:
    """A write that came to this state by its own road."""
    loop.run(desk.journal.write(draft_store.save_draft, desk.profile.id, f"d-{reference}", "{}", desk.now()))
    write = loop.run(outbox.queue_submission(desk, submission(reference), f"d-{reference}"))
    if state == "sending":
        loop.run(desk.journal.write(journal_store.begin_attempt, write, desk.now()))
    elif state == "withdrawn":
        loop.run(outbox.settle(desk, write, "withdrawn", "A change of mind."))
    elif state != "queued":
        if state == "rejected":
            problem = {"title": "Not valid.", "errors": {"consignee.zip": ["Not served."]}}
            server.plan(answered(json_answer(problem, 400)), SUBMIT)
        elif state == "in_doubt":
            server.plan(act_then_drop(), SUBMIT)
        loop.run(outbox.drain(desk))
    assert loop.run(outbox.story(desk, write)).row.state == state
    return write


def open_story(loop: RunningLoop, page: OutboxPage, write: int) -> None:
    page.show_write(write)
    loop.until(lambda: idle(page) and page.story.shown_id == write)


def buttons(page: OutboxPage) -> dict[str, QPushButton]:
    story = page.story
    found = [each for each in story.findChildren(QPushButton) if each.isVisible() and each.text().strip()]
    found = [each for each in found if each not in (story.order_button, story.content_button)]
    return {each.text().strip(): each for each in found}


def state_of(loop: RunningLoop, desk: Desk, write: int) -> WriteState:
    return loop.run(outbox.story(desk, write)).row.state


@pytest.mark.parametrize("state", list(ACTIONS))
def test_each_state_has_its_words_and_only_its_actions(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer, state: WriteState
) -> None:
    write = written(loop, window_desk, fault_server, "R-1", state)
    open_story(loop, page, write)
    assert page.story.state_label.text() == WORDS[state]
    assert set(buttons(page)) == ACTIONS[state]
    red = {name for name, each in buttons(page).items() if each.property("kind") == "danger"}
    assert red == ACTIONS[state] & {"Withdraw"}, "to put a refused order away deletes nothing"
    assert page.model.index(0, 1).data() == "R-1"
    assert page.model.index(0, 0).data().endswith(WORDS[state].partition(" · ")[2])


def test_the_key_that_corrects_says_what_is_missing(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    page.tabs["all"].setFocus()
    QTest.keyClick(page.tabs["all"], Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert page.bar.text == "No order is open beside the list. Choose a refused one to correct it."
    open_story(loop, page, written(loop, window_desk, fault_server, "R-1", "accepted"))
    QTest.keyClick(page.table, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert page.bar.text == "Only an order that the provider has refused is corrected here."


def test_nothing_of_the_connection_before_is_shown_while_the_outbox_of_another_is_read(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    written(loop, window_desk, fault_server, "R-1", "queued")
    page.reload()
    loop.until(lambda: idle(page) and page.model.rowCount() == 1)
    other = replace(window_desk.profile, id="other", name="Other")
    page.take_desk(replace(window_desk, profile=other))
    assert page.model.rowCount() == 0
    page.enter()  # takes the keyboard, and with it the first row
    assert page.table.hasFocus()
    loop.until(lambda: idle(page) and not page.table.isVisible())
    assert page.story.isHidden()
    assert "Nothing sent yet" in [each.text() for each in page.states.findChildren(QLabel) if each.isVisible()]


def test_what_waits_for_the_connection_says_so_where_it_needs_a_person(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.plan(answered(json_answer({}, 401)), SUBMIT, times=2)  # also with a new token
    turned_away = written(loop, window_desk, fault_server, "R-1", "queued")
    behind = written(loop, window_desk, fault_server, "R-2", "queued")
    loop.run(outbox.drain(window_desk))
    page.tabs["you"].click()
    loop.until(lambda: idle(page) and page.tabs["you"].text() == "Needs you 2")
    rows = {page.model.index(at, 1).data(): at for at in range(2)}
    assert [page.model.index(rows[name], 0).data() for name in ("R-1", "R-2")] == ["! Needs you"] * 2
    assert "connection in Settings" in page.model.index(rows["R-1"], 4).data()
    assert page.model.index(rows["R-2"], 4).data() == "Nothing is sent until the connection is corrected."
    open_story(loop, page, turned_away)
    assert page.story.state_label.text() == "! Order · Needs you"
    loop.run(outbox.drain(window_desk))  # the permission was given
    page.reload()
    open_story(loop, page, behind)
    assert page.story.state_label.text() == WORDS["accepted"]


def test_the_story_tells_every_attempt_the_reply_and_the_bytes(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    write = written(loop, window_desk, fault_server, "R-1", "rejected")
    open_story(loop, page, write)
    told = page.story.text.toPlainText()
    assert "Attempt 1: " in told
    assert "Exactly" not in told, "the bytes are folded away"
    page.story.content_button.click()
    text = page.story.text.toPlainText()
    assert "Attempt 1: " in text
    assert ", refused, HTTP 400" in text
    assert '"Not served."' in text
    assert "Exactly what was sent:" in text
    assert json.loads(text.partition("Exactly what was sent:\n")[2])["orderReferenceNumber"] == "R-1"
    corrected: list[int] = []
    page.services.news.correct.connect(corrected.append)
    buttons(page)["Correct and send again"].click()
    assert corrected == [write]


def test_where_nothing_is_listed_the_keyboard_is_on_the_tabs(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    page.enter()
    assert page.tabs["all"].hasFocus()
    written(loop, window_desk, fault_server, "REF-1", "rejected")
    page.reload()
    loop.until(lambda: idle(page) and page.table.isVisible())
    page.enter()
    assert page.table.hasFocus()
    page._filter = "way"  # as another person of the team, or the sender, empties the list that has the keyboard
    page.tabs["way"].setChecked(True)
    page.reload()
    loop.until(lambda: idle(page) and not page.table.isVisible())
    assert page.tabs["way"].hasFocus()


def test_the_tabs_sort_by_what_they_need_of_a_person(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    assert page.states.state_text.startswith("Nothing sent yet")
    for number, state in enumerate(("rejected", "in_doubt", "accepted", "withdrawn", "sending", "queued")):
        written(loop, window_desk, fault_server, f"R-{number}", state)  # type: ignore[arg-type]
    page.services.news.queue_changed.emit()
    loop.until(lambda: idle(page) and page.tabs["all"].text() == "All 6")
    wanted = {"all": 6, "you": 2, "way": 2, "ended": 2}
    for name, count in wanted.items():
        page.tabs[name].setChecked(True)
        loop.until(lambda count=count: idle(page) and page.model.rowCount() == count)  # type: ignore[misc]
        assert page.tabs[name].text().endswith(f" {count}")


def test_what_waits_for_the_permission_needs_a_person_until_it_may_leave(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.plan(answered(Answer(403)), SUBMIT, times=3)
    first = written(loop, window_desk, fault_server, "R-1", "queued")
    for name in ("R-2", "R-3", "R-4"):
        written(loop, window_desk, fault_server, name, "queued")
    loop.run(outbox.drain(window_desk, page.services.news.queue_changed.emit))
    loop.until(lambda: idle(page) and page.tabs["you"].text() == "Needs you 4")
    assert page.tabs["way"].text() == "On its way"
    page.tabs["you"].setChecked(True)
    loop.until(lambda: idle(page) and page.model.rowCount() == 4)
    open_story(loop, page, first)
    assert "Ask your provider for this permission" in page.story.note_label.text()
    for _ in range(2):  # the last one is let in, and then the three with it
        loop.run(outbox.drain(window_desk, page.services.news.queue_changed.emit))
    loop.until(lambda: idle(page) and page.tabs["you"].text() == "Needs you")
    assert page.tabs["ended"].text() == "Ended 4"


def test_a_doubt_is_sent_again_only_after_a_question(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    write = written(loop, window_desk, fault_server, "R-1", "in_doubt")
    asked: list[int] = []
    page.services.news.wrote.connect(lambda: asked.append(1))
    open_story(loop, page, write)
    buttons(page)["Send again…"].click()
    box = question(loop, page)
    assert box.text() == "Send R-1 again?"
    assert "second order" in box.informativeText()
    QTest.keyClick(box, Qt.Key.Key_Return)
    loop.until(lambda: not page.findChildren(QMessageBox))
    assert state_of(loop, window_desk, write) == "in_doubt", "Enter alone says no"
    buttons(page)["Send again…"].click()
    answer(question(loop, page), "Send again")
    loop.until(lambda: asked)
    assert state_of(loop, window_desk, write) == "queued"


def test_what_cannot_be_asked_about_is_sent_only_after_a_question_that_says_what_is_known(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    write = written(loop, window_desk, fault_server, "R-1", "in_doubt")
    fault_server.plan(answered(Answer(500)), STATUS, times=None)
    loop.run(outbox.settle(window_desk, write, "queued", "Sent again by a person's decision."))
    loop.run(outbox.drain(window_desk))
    open_story(loop, page, write)
    assert "Waybill asks again by itself" in page.story.note_label.text()
    buttons(page)["Send without asking…"].click()
    box = question(loop, page)
    assert box.text() == "Send R-1 without asking?"
    for words in ("could not be asked", "(500)", "makes a second one", "sent this reference last", "may have arrived"):
        assert words in box.informativeText()
    QTest.keyClick(box, Qt.Key.Key_Return)
    loop.until(lambda: not page.findChildren(QMessageBox))
    loop.run(outbox.drain(window_desk))
    assert len(fault_server.seen(SUBMIT)) == 1, "Enter alone says no"
    buttons(page)["Send without asking…"].click()
    answer(question(loop, page), "Send without asking")
    loop.until(lambda: loop.run(outbox.story(window_desk, write)).row.agreed)
    loop.run(outbox.drain(window_desk))
    assert state_of(loop, window_desk, write) == "accepted"
    page.reload()
    loop.until(lambda: idle(page) and set(buttons(page)) == ACTIONS["accepted"])
    assert "The provider could not be asked how the order stands." in page.story.text.toPlainText()


def test_what_waits_says_why_and_send_now_sends_at_once(
    loop: RunningLoop, page: OutboxPage, services: PageServices, window_desk: Desk, fault_server: FaultServer
) -> None:
    sender = Sender(services.sink, services.news, services.now)
    sender.take_desk(window_desk)
    services.news.queue_changed.connect(sender.wake)
    fault_server.plan(answered(Answer(500)), SUBMIT, times=3)
    for number in range(5):
        loop.run(outbox.queue_submission(window_desk, submission(f"R-{number}"), None))
    services.news.queue_changed.emit()
    loop.until(lambda: window_desk.paused_until)
    assert window_desk.paused_until is not None
    said = f"Recent sends are unconfirmed. Next try at {clock(window_desk.paused_until)}."
    loop.until(lambda: idle(page) and page.model.rowCount() == 5)
    cells = [page.model.index(at, 4).data() for at in range(5)]
    assert [each == said for each in cells] == [True, True, False, False, False], "those that wait, and no others"
    first = page.model.rows[0]
    assert isinstance(first, WriteRow)
    waits = first.id
    open_story(loop, page, waits)
    assert page.story.note_label.text() == said
    loop.run(sender.until_idle())
    assert len(fault_server.seen(SUBMIT)) == 3
    buttons(page)["Send now"].click()
    loop.until(lambda: state_of(loop, window_desk, waits) == "accepted")
    loop.until(lambda: said not in page.story.note_label.text())
    loop.run(sender.aclose(5))


def test_a_rest_that_begins_is_said_beside_what_is_shown(
    loop: RunningLoop, page: OutboxPage, services: PageServices, window_desk: Desk, fault_server: FaultServer
) -> None:
    sender = Sender(services.sink, services.news, services.now)
    sender.take_desk(window_desk)
    fault_server.plan(answered(json_answer({"title": "Busy"}, 429, **{"Retry-After": "120"})), "/connect/token")
    write = written(loop, window_desk, fault_server, "R-1", "queued")
    open_story(loop, page, write)
    sender.wake()
    loop.until(lambda: "The provider asks for a pause. Next try at" in page.story.note_label.text())
    loop.run(sender.aclose(5))


@pytest.mark.parametrize(
    ("press", "yes", "state"), [("It arrived", "It arrived", "accepted"), ("Withdraw", "Withdraw", "withdrawn")]
)
def test_a_doubt_is_settled_by_a_person_s_yes(
    loop: RunningLoop,
    page: OutboxPage,
    window_desk: Desk,
    fault_server: FaultServer,
    press: str,
    yes: str,
    state: WriteState,
) -> None:
    write = written(loop, window_desk, fault_server, "R-1", "in_doubt")
    open_story(loop, page, write)
    buttons(page)[press].click()
    answer(question(loop, page), "Go back")
    loop.until(lambda: not page.findChildren(QMessageBox))
    assert state_of(loop, window_desk, write) == "in_doubt"
    buttons(page)[press].click()
    answer(question(loop, page), yes)
    loop.until(lambda: state_of(loop, window_desk, write) == state)
    loop.until(lambda: idle(page) and set(buttons(page)) == ACTIONS[state])


def test_a_queued_write_is_withdrawn_at_once(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    write = written(loop, window_desk, fault_server, "R-1", "queued")
    open_story(loop, page, write)
    buttons(page)["Withdraw"].click()
    loop.until(lambda: state_of(loop, window_desk, write) == "withdrawn")


@pytest.mark.parametrize(("state", "action"), [("queued", "Withdraw"), ("rejected", "Put away")])
def test_after_an_action_that_goes_the_keyboard_is_in_the_list(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer, state: WriteState, action: str
) -> None:
    write = written(loop, window_desk, fault_server, "R-1", state)
    page.reload()
    open_story(loop, page, write)
    pressed = buttons(page)[action]
    pressed.setFocus()
    pressed.click()
    loop.until(lambda: state_of(loop, window_desk, write) == "withdrawn")
    page.services.news.wrote.emit()
    loop.until(lambda: idle(page) and pressed.isHidden())
    assert page.table.hasFocus()
    assert page.story.shown_id == write


def test_a_write_is_sent_and_withdrawn_by_key(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    ctrl = Qt.KeyboardModifier.ControlModifier
    page.tabs["all"].setFocus()
    QTest.keyClick(page.tabs["all"], Qt.Key.Key_Delete, ctrl)
    assert page.bar.text == "Nothing is open beside the list. Choose what is to be withdrawn."
    done = written(loop, window_desk, fault_server, "R-0", "accepted")
    waiting = written(loop, window_desk, fault_server, "R-1", "queued")
    for write in (done, waiting):
        page.show_write(write)
        loop.until(lambda: idle(page) and page.table.currentIndex().row() == page.model.row_of(write))  # noqa: B023
        page.enter()
        sent: list[WriteRow] = []
        page.story.send.connect(sent.append)
        QTest.keyClick(page.table, Qt.Key.Key_Return, ctrl)
        assert [each.id for each in sent] == ([waiting] if write == waiting else [])
        loop.until(lambda: not page.tasks.busy)
        QTest.keyClick(page.table, Qt.Key.Key_Delete, ctrl)
        if write == done:
            assert page.bar.text == "Only what waits, is in doubt or was refused can be withdrawn or put away."
    loop.until(lambda: state_of(loop, window_desk, waiting) == "withdrawn")
    assert "(Ctrl+Del" in page.story.withdraw_button.toolTip()


def test_no_write_is_withdrawn_by_key_while_its_row_is_out_of_sight(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    first = written(loop, window_desk, fault_server, "R-0", "queued")
    for at in range(1, 30):
        loop.run(outbox.queue_submission(window_desk, submission(f"R-{at}"), None))
    page.show_write(first)
    loop.until(lambda: idle(page) and page.table.currentIndex().row() == page.model.row_of(first))
    page.enter()
    page.table.verticalScrollBar().setValue(0)
    QTest.keyClick(page.table, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    assert page.bar.text == "The row was out of sight. Look at it first, then withdraw it."
    assert state_of(loop, window_desk, first) == "queued"
    QTest.keyClick(page.table, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    loop.until(lambda: state_of(loop, window_desk, first) == "withdrawn")


def test_what_was_refused_is_put_away_and_needs_nobody_any_more(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    write = written(loop, window_desk, fault_server, "R-1", "rejected")
    open_story(loop, page, write)
    assert page.tabs["you"].text() == "Needs you 1"
    buttons(page)["Put away"].click()
    loop.until(lambda: state_of(loop, window_desk, write) == "withdrawn")
    loop.until(lambda: idle(page) and page.tabs["you"].text() == "Needs you")
    assert "Put away after the provider had refused it." in page.story.note_label.text()


def test_what_has_changed_meanwhile_is_said_and_nothing_done(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    write = written(loop, window_desk, fault_server, "R-1", "queued")
    open_story(loop, page, write)
    withdraw = buttons(page)["Withdraw"]
    loop.run(outbox.drain(window_desk))
    withdraw.click()
    loop.until(lambda: "cannot become" in page.story.bar.text)
    assert state_of(loop, window_desk, write) == "accepted"


def test_a_look_up_answers_beside_the_write(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    open_story(loop, page, written(loop, window_desk, fault_server, "R-1", "in_doubt"))
    QTest.keyClick(page, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    loop.until(lambda: page.story.bar.text.startswith("R-1: The provider says: Pending Receipt. Asked at"))
    open_story(loop, page, written(loop, window_desk, fault_server, "R-2", "queued"))
    assert page.story.bar.text == "", "it was about another write"


def test_a_closed_story_stays_closed_and_opens_again_by_a_click(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    write = written(loop, window_desk, fault_server, "R-1", "accepted")
    open_story(loop, page, write)
    page.services.news.queue_changed.emit()
    page.story.close_asked.emit(page.model.rows[0])
    loop.until(lambda: idle(page))
    assert not page.story.isVisible()
    place = page.table.visualRect(page.model.index(0, 1)).center()
    QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    loop.until(page.story.isVisible)
    assert page.story.shown_id == write


def test_what_other_rows_do_not_hold_is_not_shown_beside_them(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    refused = written(loop, window_desk, fault_server, "A-1", "rejected")
    page.reload()
    loop.until(lambda: idle(page) and page.model.rowCount() == 1)
    open_story(loop, page, refused)
    page.tabs["you"].click()
    loop.until(lambda: idle(page) and page.model.rowCount() == 1)
    assert page.story.isVisible(), "it is among these too"
    page.tabs["ended"].click()
    loop.until(lambda: idle(page) and not page.model.rowCount())
    loop.until(lambda: not page.story.isVisible())
    page.show_write(refused)
    loop.until(lambda: idle(page) and page.story.isVisible())


def test_one_that_left_its_rows_by_itself_is_said_to_have_and_nothing_is_done_with_it(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    write = written(loop, window_desk, fault_server, "R-1", "in_doubt")
    page.tabs["you"].click()
    loop.until(lambda: idle(page) and page.model.rowCount() == 1)
    page.table.selectRow(0)
    loop.until(lambda: idle(page) and page.story.shown_id == write)
    assert page.story.is_listed
    loop.run(outbox.settle(window_desk, write, "withdrawn", "Found elsewhere."))
    page.services.news.queue_changed.emit()
    loop.until(lambda: idle(page) and page.story.state_label.text() == WORDS["withdrawn"])
    assert not page.model.rowCount()
    assert set(buttons(page)) == {"Show it in the list"}
    buttons(page)["Show it in the list"].click()
    loop.until(lambda: idle(page) and page.story.is_listed)
    assert page.tabs["all"].isChecked()
    assert set(buttons(page)) == ACTIONS["withdrawn"]


def test_nothing_of_the_old_profile_is_left_to_act_on(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    write = written(loop, window_desk, fault_server, "R-1", "queued")
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), "/Order/status")
    open_story(loop, page, write)
    buttons(page)["Look it up"].click()
    page.show_write(write)
    page.take_desk(replace(window_desk, profile=replace(window_desk.profile, id="other")))
    gate.release()
    loop.until(lambda: idle(page))
    loop.rest()
    assert not page.story.isVisible()
    assert page.story.shown_id is None
    assert page.model.rowCount() == 0


def test_a_refresh_of_the_rows_does_not_scroll_them(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    def many(count: int) -> None:
        for number in range(count):
            loop.run(outbox.queue_submission(window_desk, submission(f"M-{number}"), None))

    many(60)
    page.reload()
    loop.until(lambda: idle(page) and page.model.rowCount() == 60)
    first = page.model.rows[0]
    assert isinstance(first, WriteRow)
    open_story(loop, page, first.id)
    page.table.verticalScrollBar().setValue(page.table.verticalScrollBar().maximum() // 2)
    before = page.table.rowAt(0)
    assert before > 5
    many(1)
    page.reload()
    loop.until(lambda: idle(page) and page.model.rowCount() == 61)
    assert abs(page.table.rowAt(0) - before) <= 1


@pytest.mark.parametrize("reply", [b"[" * 100_000, b'{"a": "\\ud800"}', b"\xff\xfe", b"<b>bold</b>", b""])
def test_whatever_the_provider_replied_can_be_shown(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer, reply: bytes
) -> None:
    write = written(loop, window_desk, fault_server, "R-1", "accepted")
    told = loop.run(outbox.story(window_desk, write))
    attempt: AttemptRow = replace(told.attempts[0], reply=reply)
    strange = WriteStory(told.row, told.payload, [attempt])
    page.story.show_story(strange)
    assert "Attempt 1" in page.story.text.toPlainText()
    assert "Exactly what was sent" in story_text(strange)
    assert all(each.textFormat() == Qt.TextFormat.PlainText for each in page.story.findChildren(QLabel))


def test_what_left_as_xml_is_shown_as_xml(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    window_desk.profile = replace(window_desk.profile, sends="xml")
    write = written(loop, window_desk, fault_server, "R-1", "accepted")
    open_story(loop, page, write)
    page.story.content_button.click()
    shown = page.story.text.toPlainText().partition("Exactly what was sent:")[2].strip()
    assert shown == fault_server.seen("/Order/submit")[0].body.decode()
    assert shown.splitlines()[2] == "  <orderReferenceNumber>R-1</orderReferenceNumber>"


@pytest.mark.parametrize("decision", ["It arrived", "Withdraw"])
def test_a_damaged_write_is_shown_as_damaged_and_a_person_decides(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer, decision: str
) -> None:
    write = written(loop, window_desk, fault_server, "R-1", "in_doubt")
    loop.run(window_desk.journal.write(spoil, write))
    open_story(loop, page, write)
    assert page.model.state_look(0).word == "Damaged"
    assert page.story.state_label.text() == "! Order · Damaged"
    assert "It may have arrived. What is kept of it here is not what was queued" in page.story.note_label.text()
    page.story.content_button.click()
    told = page.story.text.toPlainText()
    assert "Attempt 1" in told
    assert told.endswith(f"It is damaged, not what was queued, and is not sent:\n{LEFT.decode()}")
    assert set(buttons(page)) == {"Look it up", "Print…", "Clone", "It arrived", "Withdraw"}
    buttons(page)[decision].click()
    answer(question(loop, page), decision)
    loop.until(lambda: state_of(loop, window_desk, write) == ("accepted" if decision == "It arrived" else "withdrawn"))


def test_a_damaged_write_of_the_queue_is_held_and_can_be_withdrawn(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    write = written(loop, window_desk, fault_server, "R-1", "queued")
    loop.run(window_desk.journal.write(spoil, write))
    loop.run(outbox.drain(window_desk))
    open_story(loop, page, write)
    assert "so it cannot be sent. Withdraw it and enter it anew." in page.story.note_label.text()
    assert "Send now" not in buttons(page)
    assert "Send anyway…" not in buttons(page)
    buttons(page)["Withdraw"].click()
    loop.until(lambda: state_of(loop, window_desk, write) == "withdrawn")


def test_the_same_attempt_again_and_again_is_one_line(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    write = written(loop, window_desk, fault_server, "R-1", "queued")
    for _ in range(43):
        attempt = loop.run(window_desk.journal.write(journal_store.begin_attempt, write, window_desk.now()))
        words = "Turned away (401)."
        loop.run(
            window_desk.journal.write(
                journal_store.end_attempt, attempt, "not_authorised", window_desk.now(), sentence=words, http_status=401
            )
        )
    open_story(loop, page, write)
    told = page.story.text.toPlainText()
    assert ", and 42 times more until " in told
    assert "refused before anything was done, HTTP 401" in told
    assert "Attempt 2" not in told


def test_a_withdrawn_write_is_not_told_as_what_is_still_to_be_sent(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    write = written(loop, window_desk, fault_server, "R-1", "queued")
    open_story(loop, page, write)
    page.story.content_button.click()
    assert "Not sent yet." in page.story.text.toPlainText()
    assert "Exactly what is sent:" in page.story.text.toPlainText()
    page.story.withdraw_button.click()
    loop.until(lambda: page.story.state_label.text() == WORDS["withdrawn"])
    text = page.story.text.toPlainText()
    assert "It was never sent." in text
    assert "Exactly what was to be sent:" in text
    assert "yet" not in text.partition("Exactly")[0]


# A team


def theirs(person: str, reference: str, state: WriteState, *, minutes: int, held: bool = False) -> OthersWrite:
    at = datetime.now(UTC) + timedelta(minutes=minutes)
    return OthersWrite(
        person, person, minutes, "", reference, "submit", state, held, at, at, at, False, None, "", None, at
    )


class Team:
    """What others of a team have sent."""

    def __init__(self, *found: OthersWrite) -> None:
        self.found = found

    async def people(self) -> list[str]:
        return sorted({each.person for each in self.found})

    async def writes(
        self, states: tuple[WriteState, ...], limit: int, *, person: str, held: bool | None
    ) -> list[OthersWrite]:
        chosen = [each for each in self.found if person in ("", each.person) and (not states or each.state in states)]
        return [each for each in chosen if held is None or each.state != "queued" or each.held is held][:limit]


def shown(page: OutboxPage) -> list[str]:
    return [str(page.model.index(row, 1).data()) for row in range(page.model.rowCount())]


def choose(loop: RunningLoop, page: OutboxPage, whose: str) -> None:
    page.whose.setCurrentIndex(page.whose.findText(whose))
    page.whose.activated.emit(page.whose.currentIndex())
    loop.until(lambda: idle(page))


def test_the_outbox_of_the_team_is_filtered_by_person(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, services: PageServices
) -> None:
    assert page.whose.isHidden()  # this desk works alone
    loop.run(outbox.queue_submission(window_desk, submission("OWN-1"), None))
    window_desk.team = Team(  # type: ignore[assignment]
        theirs("Ben Okafor", "BEN-1", "sending", minutes=3),
        theirs("Cleo", "CLEO-1", "in_doubt", minutes=2),
        theirs("Ben Okafor", "BEN-2", "accepted", minutes=-5),
    )
    page.reload()
    loop.until(lambda: idle(page))
    assert shown(page) == ["OWN-1"]
    assert [page.whose.itemText(at) for at in range(page.whose.count())] == [
        "This desk", "Whole team", "Ben Okafor", "Cleo",
    ]  # fmt: skip
    choose(loop, page, "Whole team")
    assert shown(page) == ["BEN-1", "CLEO-1", "OWN-1", "BEN-2"]
    assert str(page.model.index(0, 4).data()) == "By Ben Okafor. On its way to the provider."
    page.tabs["you"].click()
    loop.until(lambda: shown(page) == ["CLEO-1"])
    choose(loop, page, "Ben Okafor")
    assert shown(page) == []
    assert "What Ben Okafor sends appears here." in page.states.state_text
    page.tabs["all"].click()
    loop.until(lambda: shown(page) == ["BEN-1", "BEN-2"])
    page.table.setCurrentIndex(page.model.index(0, 0))
    assert page.story.isHidden()  # its story is at the other desk
    asked: list[int] = []
    services.news.show_order.connect(asked.append)
    page.table.activated.emit(page.model.index(0, 0))
    loop.until(lambda: "not among the orders fetched" in page.bar.text_of("order of another desk"))
    assert asked == []
    choose(loop, page, "This desk")
    assert shown(page) == ["OWN-1"]


def test_a_write_that_is_asked_for_is_shown_whoever_was_chosen(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk
) -> None:
    write = loop.run(outbox.queue_submission(window_desk, submission("OWN-1"), None))
    window_desk.team = Team(theirs("Ben", "BEN-1", "accepted", minutes=3))  # type: ignore[assignment]
    page.reload()
    loop.until(lambda: idle(page))
    choose(loop, page, "Ben")
    assert shown(page) == ["BEN-1"]
    page.show_write(write)
    loop.until(lambda: idle(page) and shown(page) == ["OWN-1"])
    assert page.whose.currentText() == "This desk"
    window_desk.team = None  # left
    page.reload()
    loop.until(page.whose.isHidden)


def test_a_doubt_of_another_desk_can_be_settled_here(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled: list[tuple[str, bool]] = []

    async def settle(_desk: Desk, write: OthersWrite, *, arrived: bool) -> None:
        settled.append((write.reference, arrived))

    monkeypatch.setattr(others_orders, "settle_for", settle)
    doubt = theirs("Ben Okafor", "BEN-1", "in_doubt", minutes=3)
    team = Team(doubt, theirs("Ben Okafor", "BEN-2", "accepted", minutes=2))
    window_desk.team = team  # type: ignore[assignment]
    page.reload()
    loop.until(lambda: idle(page))
    choose(loop, page, "Whole team")
    page.table.setCurrentIndex(page.model.index(1, 0))
    assert page.others_doubt.isHidden()
    page.table.setCurrentIndex(page.model.index(0, 0))
    assert "BEN-1 of Ben Okafor may have arrived" in page.others_doubt.label.text()
    page.others_doubt.absent_button.click()
    answer(question(loop, page), "It did not arrive")
    loop.until(lambda: settled == [("BEN-1", False)])
    loop.until(lambda: "The desk of Ben Okafor takes it over" in page.bar.text_of("order of another desk"))
    loop.until(lambda: not page.findChildren(QMessageBox))
    page.others_doubt.arrived_button.click()
    answer(question(loop, page), "It arrived")
    loop.until(lambda: settled[1:] == [("BEN-1", True)])
    team.found = (doubt._replace(state="accepted"), team.found[1])
    page.reload()
    loop.until(page.others_doubt.isHidden)


def test_the_story_begins_with_what_the_order_is_about_and_leads_to_it(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    write = written(loop, window_desk, fault_server, "R-1", "accepted")
    asked: list[str] = []
    page.services.news.show_orders.connect(asked.append)
    open_story(loop, page, write)
    sent = outbox.draft_of(loop.run(outbox.story(window_desk, write)).payload)
    first, *rest = page.story.summary_label.text().splitlines()
    assert first.startswith(f"{sent.consignee.consigneeName}, {sent.consignee.streetAddress}")
    assert f"{sent.freightDetails[0].count} × {sent.freightDetails[0].commodity}" in rest[0]
    page.story.order_button.click()
    assert asked == ["list:open,completed,other reference:R-1"]


def test_a_long_reference_is_shown_to_its_last_character(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    page.resize(800, 600)
    reference = "WWWWWWW-2026-11-26-WWWWWW-0001"
    open_story(loop, page, written(loop, window_desk, fault_server, reference, "accepted"))
    title = page.story.title
    loop.until(lambda: title.height() >= title.heightForWidth(title.width()) > 0)
    assert title.text() == reference
    assert title.width() >= title.minimumSizeHint().width(), "no word is wider than the label"


@pytest.mark.usefixtures("large_text")
@pytest.mark.parametrize("state", list(ACTIONS))
def test_nothing_of_a_write_is_squeezed_in_a_small_window_with_large_text(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer, state: WriteState
) -> None:
    page.resize(722, 380)
    open_story(loop, page, written(loop, window_desk, fault_server, "R-1", state))
    story = page.story
    loop.rest()
    labels = (story.title, story.state_label, story.note_label, story.summary_label)
    for each in labels:
        assert each.height() >= each.heightForWidth(each.width()), each.text()
    for made in buttons(page).values():
        assert made.height() >= made.sizeHint().height(), made.text()
        assert made.width() >= made.minimumSizeHint().width(), made.text()
        assert story.rect().right() >= made.mapTo(story, made.rect().topRight()).x(), made.text()
    assert story.text.height() >= 4 * story.text.fontMetrics().lineSpacing()
    assert page.width() == 722


@pytest.mark.parametrize(
    ("state", "first"),
    [
        ("queued", "Send now"),
        ("sending", "Look it up"),
        ("accepted", "Look it up"),
        ("rejected", "Correct and send again"),
        ("in_doubt", "Look it up"),
        ("withdrawn", "Look it up"),
    ],
)
def test_one_button_of_a_write_is_what_is_done_next(
    loop: RunningLoop,
    page: OutboxPage,
    window_desk: Desk,
    fault_server: FaultServer,
    state: WriteState,
    first: str,
) -> None:
    page.show_write(written(loop, window_desk, fault_server, "R-1", state))
    loop.until(lambda: idle(page))
    buttons = [each for each in page.findChildren(QPushButton) if each.isVisible()]
    assert [each.accessibleName() for each in buttons if each.property("kind") == "primary"] == [first]


def test_the_lines_that_are_shown_are_exported(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    assert not page.tools.buttons["export"].isEnabled()
    page.export()
    assert page.bar.text == "There is no line to export"
    written(loop, window_desk, fault_server, "R-1", "accepted")
    written(loop, window_desk, fault_server, "=R+2", "queued")
    page.reload()
    loop.until(lambda: idle(page))
    assert page.tools.buttons["export"].isEnabled()
    assert page.status_text() == "1 waiting"
    job = export_job(page.model, window_desk.now())
    target = tmp_path / "outbox.xlsx"

    async def write() -> str:
        return (await job.write(Chosen(target, XLSX, replace=False), Progress())).words

    assert loop.run(write()) == "2 rows in outbox.xlsx."
    sheet = load_workbook(target).active
    assert sheet is not None
    rows = list(sheet.iter_rows(values_only=True))
    assert rows[0] == ("State", "Reference", "What", "When", "How it stands")
    assert [each[1] for each in rows[1:]] == ["=R+2", "R-1"]
    assert all(isinstance(each[3], datetime) for each in rows[1:])
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("A2", "A1:E3")


def test_in_a_team_each_exported_line_names_who_sent_it(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    written(loop, window_desk, fault_server, "R-1", "accepted")
    page.reload()
    loop.until(lambda: idle(page))
    at = datetime(2026, 11, 21, 14, 2, tzinfo=UTC)
    theirs = OthersWrite(
        "Ben Okafor", "ben", 3, "", "R-2", "submit", "accepted", False, at, at, at, False, None, "", None, at
    )
    page.model.replace([*page.model.rows, theirs])
    job = export_job(page.model, window_desk.now(), "Anna Keller")
    target = tmp_path / "outbox.csv"

    async def write() -> str:
        return (await job.write(Chosen(target, CSVS[0], replace=False), Progress())).words

    assert loop.run(write()) == "2 rows in outbox.csv."
    with target.open(newline="", encoding="utf-8-sig") as lines:
        rows = list(csv.DictReader(lines))
    assert [(each["Reference"], each["Sent by"]) for each in rows] == [("R-1", "Anna Keller"), ("R-2", "Ben Okafor")]
