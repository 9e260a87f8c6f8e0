"""Each sentence about a write follows its state: no sentence of another state stands anywhere in the window."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton, QTreeWidget, QWidget

from app.desk.desk import Desk
from app.desk.sending import outbox
from app.store.journal import held_writes, undo_window, write_store
from app.store.journal.records import WriteRow
from app.store.journal.recovery import unfinished_writes
from app.store.secrets import SecretStore
from app.ui.base.page import PageServices
from app.ui.orders.actions.results_dialog import ResultsDialog
from app.ui.outbox.outbox_words import ended_line, seconds_left, sentence_about
from app.ui.theme.theme import Theme
from app.ui.widgets.bars.message_bar import MessageBar
from tests.support.desks import submission
from tests.support.loop import RunningLoop
from tests.ui.orders.orders_help import fill, order, select
from tests.ui.questions_help import answer, question
from tests.ui.shell_help import Program, open_program

NOW = datetime(2026, 11, 22, 14, 2, 10)
CRN = "R-00007"


def row(state: str, kind: str = "cancel", **more: object) -> WriteRow:
    told = {"draft_id": None, "note": None, "attempts": 0, **more}
    return WriteRow(1, "acme", kind, CRN, state, NOW, NOW, **told)  # type: ignore[arg-type]


# Every state of a cancellation, and words that belong to it alone.
SENTENCES = [
    (row("queued", not_before=NOW.astimezone() + timedelta(seconds=7)), "Order R-00007 is cancelled in 7 seconds."),
    (row("queued", not_before=NOW.astimezone() + timedelta(seconds=1)), "Order R-00007 is cancelled in 1 second."),
    (row("queued", not_before=NOW.astimezone() - timedelta(seconds=1)), "has not left yet"),
    (row("queued"), "has not left yet"),
    (row("queued", held="The order is out for delivery."), "waits for your decision. The order is out for delivery."),
    (row("queued", verdict="unasked", note="Nobody answered."), "waits. Nobody answered."),
    (row("sending", attempts=1), "The cancellation of R-00007 is being sent."),
    (row("in_doubt", attempts=1), "may have arrived"),
    (row("rejected", attempts=1, note="Unknown."), "The provider refused the cancellation of R-00007. Unknown."),
    (row("accepted", attempts=1), "The provider has taken the cancellation of R-00007."),
    (row("confirmed", attempts=1), "and it was read back."),
    (row("withdrawn"), "was not cancelled: the cancellation was undone before it was sent."),
    (row("withdrawn", attempts=1), "is not sent from here any more."),
    (row("queued", "submit"), "Order R-00007 is in the outbox and has not left yet."),
    (row("accepted", "submit", attempts=1), "The provider has taken order R-00007."),
    (row("accepted", "submit", attempts=1, verdict="new"), "The provider has taken order R-00007."),
    (row("sending", "submit", attempts=1, verdict="changes"), "The change of order R-00007 is being sent."),
    (row("accepted", "submit", attempts=1, verdict="changes"), "The provider has taken the change of order R-00007."),
]


@pytest.mark.parametrize(("write", "words"), SENTENCES)
def test_each_state_has_its_sentence_and_names_the_order(write: WriteRow, words: str) -> None:
    said = sentence_about(write, NOW)
    assert words in said.sentence
    assert CRN in said.sentence
    assert said.over == (write.state in ("accepted", "confirmed", "withdrawn"))


def test_the_story_ends_with_what_no_attempt_says() -> None:
    answered = NOW - timedelta(minutes=1)
    settled = row("confirmed", attempts=1, note="Confirmed as 701373.")
    assert ended_line(settled, answered) == "Confirmed Sun 22 Nov 2026 14:02."
    assert ended_line(row("withdrawn"), None) == "Withdrawn Sun 22 Nov 2026 14:02."
    assert ended_line(row("accepted", attempts=1), NOW) == "", "the attempt says it"
    assert ended_line(row("in_doubt", attempts=1), answered) == ended_line(row("queued"), None) == "", (
        "it has not ended"
    )


def test_what_waits_for_the_connection_says_so() -> None:
    assert "until the connection is corrected" in sentence_about(row("queued"), NOW, blocked=True).sentence


def test_a_clock_that_was_set_back_offers_nothing_to_undo() -> None:
    far = row("queued", not_before=NOW.astimezone() + timedelta(hours=1))
    assert seconds_left(far, NOW) == 0


# The whole window


@pytest.fixture
def program(
    loop: RunningLoop, theme: Theme, services: PageServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Program]:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    monkeypatch.setattr(MessageBar, "underMouse", lambda _: False)
    opened = open_program(loop, theme, services, tmp_path, SecretStore(seconds=5))
    opened.shell.take_services(opened.secrets, opened.practice)
    fill(loop, desk_of(opened), [order(number) for number in range(1, 9)])
    opened.shell.orders.reload()
    loop.until(lambda: opened.shell.orders.model.row_of(7) is not None)
    yield opened
    opened.shell.undo.clock.stop()
    opened.close()


def desk_of(program: Program) -> Desk:
    assert program.shell.desk is not None
    return program.shell.desk


def words(window: QWidget) -> str:
    """All that is said in the window and in what stands before it."""
    said = [each.text() for each in window.findChildren(QLabel) if each.isVisible()]
    said += [each.text() for each in window.findChildren(QPushButton) if each.isVisible()]
    for tree in window.findChildren(QTreeWidget):
        items = [tree.topLevelItem(at) for at in range(tree.topLevelItemCount())]
        said += [each.text(1) for each in items if each is not None and tree.isVisible()]
    return "\n".join(said)


# By the state: what must be said somewhere, and what belongs to other states and must stand nowhere.
PENDING, SENDING, DOUBT = ("about to be cancelled", "is cancelled in", "Undo ("), "is being sent", "may have arrived"
TAKEN, REFUSED, BACK, HELD = "has taken the cancellation", "refused the cancellation", "undone before", "decision"
WAITS = "has not left yet"
ALL = (*PENDING, SENDING, DOUBT, TAKEN, REFUSED, BACK, HELD, WAITS)
AS_IT_GOES: dict[str, tuple[str, ...]] = {
    "offered": PENDING,
    "time is over": (WAITS,),
    "sending": (SENDING,),
    "in doubt": (DOUBT,),
    "taken": (TAKEN,),
}


def go_on(program: Program, write: int, to: str) -> None:
    """The journal says so, and is told, as sending and settling do it."""
    desk, run = desk_of(program), program.loop.run
    if to == "time is over":
        run(outbox.end_undo(desk, [write]))
    elif to == "sending":
        run(desk.journal.write(write_store.begin_attempt, write, desk.now()))
    elif to == "in doubt":
        run(desk.journal.write(unfinished_writes.end_open_attempts, desk.now()))
    elif to == "taken":
        run(outbox.settle(desk, write, "accepted", "The provider says: Cancelled."))
    program.shell.services.news.queue_changed.emit()


def wrong(program: Program, allowed: tuple[str, ...]) -> list[str]:
    said = words(program.window)
    return [each for each in ALL if each not in allowed and each in said and each not in ("decision",)]


def _stands(program: Program, allowed: tuple[str, ...]) -> bool:
    said = words(program.window)
    return not wrong(program, allowed) and all(each in said for each in allowed)


def _told(program: Program, state: str, allowed: tuple[str, ...]) -> str:
    return f"{state}: {wrong(program, allowed)} stand there, of {allowed} in {words(program.window)}"


def test_no_sentence_of_another_state_stands_anywhere(loop: RunningLoop, program: Program) -> None:
    """One order through all its states, with the panel open, the list of many open and the window's own bar."""
    page = program.shell.orders
    page.open_order(7)
    loop.until(lambda: page.side.order is not None and page.side.order.title.text())
    select(page, 6, 7)
    page.row_actions.cancel()
    answer(question(loop, page), "Cancel the orders")
    loop.until(lambda: not page.tasks.running("cancel many"))
    page.open_order(7)
    (dialog,) = page.findChildren(ResultsDialog)
    writes = {each.reference: each.id for each in loop.run(outbox.writes(desk_of(program), (), 9))}
    for state, allowed in AS_IT_GOES.items():
        for each in writes.values():
            go_on(program, each, state)
        loop.until(partial(_stands, program, allowed), partial(_told, program, state, allowed))
    assert dialog.isVisible()


def test_undone_by_the_list_s_own_key(loop: RunningLoop, program: Program) -> None:
    page = program.shell.orders
    select(page, 6, 7)
    page.row_actions.cancel()
    answer(question(loop, page), "Cancel the orders")
    loop.until(lambda: page.findChildren(ResultsDialog) and "Undo (" in words(page.findChildren(ResultsDialog)[0]))
    page.findChildren(ResultsDialog)[0].undo_button.click()
    loop.until(lambda: loop.run(outbox.counts(desk_of(program)))["withdrawn"] == 2)
    loop.until(lambda: not wrong(program, (BACK,)))


# Closing, and what a crash has left


def cancelled(loop: RunningLoop, program: Program) -> int:
    write = loop.run(outbox.queue_cancellation(desk_of(program), CRN))
    program.shell.services.news.cancelling.emit(write, CRN)
    loop.until(lambda: program.window.bar.text == f"Order {CRN} is about to be cancelled.")
    return write


@pytest.mark.parametrize(
    ("press", "state", "closes"),
    [
        ("Undo the cancellation", "withdrawn", True),
        ("Send it now", "queued", True),
        ("Keep Waybill open", "queued", False),
    ],
)
def test_closing_in_the_time_of_an_undo_asks(
    loop: RunningLoop, program: Program, press: str, state: str, closes: bool
) -> None:
    write, free = cancelled(loop, program), []
    program.shell.leaving.free.connect(lambda: free.append(True))
    program.shell.leaving.ask()
    box = question(loop, program.window)
    assert box.text() == "1 cancellation is about to be sent"
    assert CRN in box.informativeText()
    answer(box, press)
    loop.until(lambda: not program.shell._tasks.running("leave"))
    found = loop.run(outbox.story(desk_of(program), write)).row
    assert (bool(free), found.state) == (closes, state)
    if press == "Send it now":
        assert found.not_before is None  # decided: the next start sends it


def test_a_question_whose_time_runs_out_is_asked_no_more(loop: RunningLoop, program: Program) -> None:
    write, free = cancelled(loop, program), []
    program.shell.leaving.free.connect(lambda: free.append(True))
    program.shell.leaving.ask()
    question(loop, program.window)
    loop.run(outbox.end_undo(desk_of(program), [write]))
    loop.until(lambda: free)
    assert not [each for each in program.window.findChildren(QMessageBox) if each.isVisible()]


@pytest.mark.parametrize(("press", "state"), [("Cancel the order", "queued"), ("Keep the order", "withdrawn")])
def test_after_a_crash_it_is_offered_again(loop: RunningLoop, program: Program, press: str, state: str) -> None:
    desk = desk_of(program)
    write = loop.run(outbox.queue_cancellation(desk, CRN))
    loop.run(outbox.recover(desk))  # as the next start does, after kill -9
    program.shell.notices.count()
    loop.until(lambda: f"The cancellation of {CRN} waits for your decision." in program.window.bar.text)
    assert undo_window.ENDED in program.window.bar.text
    program.window.bar.act()
    answer(question(loop, program.window), press)
    loop.until(lambda: not program.shell._tasks.running("decide"))
    found = loop.run(outbox.story(desk, write)).row
    assert (found.state, found.held) == (state, None if state == "queued" else undo_window.ENDED)
    loop.until(lambda: "waits for your decision" not in words(program.window))


def test_several_are_offered_again_by_name_in_the_plural_and_it_is_said_that_they_were_kept(
    loop: RunningLoop, program: Program
) -> None:
    desk, names = desk_of(program), [f"R-{number:05}" for number in range(1, 6)]
    for name in names:
        loop.run(outbox.queue_cancellation(desk, name))
    loop.run(outbox.recover(desk))
    program.shell.notices.count()
    bar = program.window.bar
    loop.until(lambda: "wait for your decision" in bar.text)
    assert "these cancellations could still be undone, so none of them was sent." in bar.text
    assert "this cancellation" not in bar.text
    bar.act()
    box = question(loop, program.window)
    assert box.text() == "Cancel 5 orders?"
    assert all(name in box.informativeText() for name in names)
    assert "this cancellation" not in box.informativeText()
    answer(box, "Keep the orders")
    loop.until(lambda: bar.text == "5 orders (R-00001, R-00002, R-00003 and 2 more) were not cancelled.")
    assert loop.run(outbox.counts(desk))["withdrawn"] == 5


def test_what_needed_a_person_is_said_by_name_and_goes_once_it_is_settled(loop: RunningLoop, program: Program) -> None:
    desk, bar = desk_of(program), program.window.bar
    write = loop.run(outbox.queue_submission(desk, submission(CRN), None))
    loop.run(desk.journal.write(held_writes.hold, write, "The order is closed.", desk.now()))
    program.shell.sending.ended.emit([_held(write)])
    loop.until(lambda: bar.text == f"Order {CRN} waits for your decision. The order is closed.")
    loop.run(outbox.settle(desk, write, "withdrawn", "Undone before it was sent."))
    program.shell.services.news.queue_changed.emit()
    loop.until(lambda: not bar.text)


def _held(write: int) -> object:
    from app.background.sender import Ending

    return Ending(write, "held", "The order is closed.")
