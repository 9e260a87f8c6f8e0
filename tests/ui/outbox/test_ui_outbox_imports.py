"""Imports in the outbox: one row for all writes of a file, its writes behind it, one decision for all alike."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer

from app.desk.bulk.outcome import import_batch, import_verdicts
from app.desk.bulk.outcome.import_batch import BatchSummary
from app.desk.bulk.outcome.import_verdicts import ImportVerdicts
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress
from app.desk.sending import outbox
from app.ui.base.page import PageServices
from app.ui.outbox.outbox_page import OutboxPage
from tests.support.desks import submission
from tests.support.fault_server import FaultServer
from tests.support.faults import answered, json_answer
from tests.support.import_files import lines, sheet_of
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.questions_help import answer, question

SUBMIT = "/Order/submit"
ROW = "R-{n},J. Rivera,12 Beale Street,Memphis,TN,38103,901-555-0142,SOFA,2,84.5,true"
TITLES = lines().strip() + ",Facility by address\n"


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show, window_desk: Desk) -> OutboxPage:
    made = OutboxPage(services)
    show(made)
    made.take_desk(window_desk)
    settled(loop, made)
    return made


def settled(loop: RunningLoop, page: OutboxPage) -> None:
    loop.until(lambda: not any(page.tasks.running(name) for name in ("rows", "story", "settle alike")))


def imported(loop: RunningLoop, desk: Desk, folder: Path, count: int) -> int:
    """A file of so many orders, whose orders are in the outbox."""
    sheet = sheet_of(folder, TITLES + "\n".join(ROW.format(n=number) for number in range(count)))
    verdicts = ImportVerdicts()
    loop.run(import_verdicts.look_here(desk, sheet, verdicts, Progress()))
    made = loop.run(import_batch.freeze(desk, sheet, verdicts, Progress()))
    assert made is not None
    assert loop.run(import_batch.feed(desk)) == count
    return made


def shown(page: OutboxPage) -> list[str]:
    return [str(page.model.index(at, 1).data()) for at in range(page.model.rowCount())]


def test_all_writes_of_an_import_are_one_row_among_the_others(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, tmp_path: Path
) -> None:
    loop.run(outbox.queue_submission(window_desk, submission("ALONE-1"), None))
    imported(loop, window_desk, tmp_path, 3)
    loop.run(outbox.queue_submission(window_desk, submission("ALONE-2"), None))
    page.reload()
    settled(loop, page)
    assert shown(page) == ["ALONE-2", "orders.csv", "ALONE-1"]
    row = [page.model.index(1, place).data() for place in range(page.model.columnCount())]
    assert row[0] == "▶ Sending"
    assert row[2] == "3 orders"
    assert row[4] == "0 of 3 sent. 3 are on their way."
    page.tabs["ended"].click()
    settled(loop, page)
    assert shown(page) == []


def test_a_journal_that_changes_all_the_time_does_not_keep_the_rows_from_being_read(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop.run(outbox.queue_submission(window_desk, submission("ALONE-1"), None))
    read = import_batch.summaries

    async def slowly(desk: Desk) -> list[BatchSummary]:
        await asyncio.sleep(0.05)  # as of an import of 100,000 orders
        return await read(desk)

    monkeypatch.setattr(import_batch, "summaries", slowly)
    writing = QTimer(page)
    writing.timeout.connect(page.services.news.wrote.emit)
    writing.start(5)
    loop.until(lambda: shown(page) == ["ALONE-1"])
    loop.run(outbox.queue_submission(window_desk, submission("ALONE-2"), None))
    writing.stop()
    page.services.news.wrote.emit()
    loop.until(lambda: shown(page) == ["ALONE-2", "ALONE-1"])
    settled(loop, page)


def test_the_row_opens_the_writes_and_the_way_leads_back(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, tmp_path: Path
) -> None:
    imported(loop, window_desk, tmp_path, 2)
    page.reload()
    settled(loop, page)
    page.table.activated.emit(page.model.index(0, 0))
    settled(loop, page)
    assert shown(page) == ["R-1", "R-0"]
    assert page.import_label.text() == "From orders.csv"
    assert page.all_button.isVisible()
    assert page.tabs["all"].text() == "All", "a count would be that of the whole outbox"
    page.all_button.click()
    settled(loop, page)
    assert page.tabs["all"].text() == "All 2"
    assert isinstance(page.model.rows[0], BatchSummary)
    assert not page.all_button.isVisible()


def test_a_write_of_an_import_that_is_asked_for_is_shown_among_its_own(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, tmp_path: Path
) -> None:
    imported(loop, window_desk, tmp_path, 2)
    (write,) = loop.run(outbox.history(window_desk, "R-0"))
    page.show_write(write.id)
    loop.until(lambda: page.story.shown_id == write.id)
    settled(loop, page)
    assert shown(page) == ["R-1", "R-0"]
    assert page.table.currentIndex().row() == 1


def test_what_is_refused_alike_is_decided_at_once(
    loop: RunningLoop, page: OutboxPage, window_desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    fault_server.plan(answered(json_answer({"title": "Not valid."}, 400)), SUBMIT, times=2)
    imported(loop, window_desk, tmp_path, 2)
    loop.run(outbox.drain(window_desk))
    (write,) = loop.run(outbox.history(window_desk, "R-0"))
    assert write.state == "rejected"
    page.show_write(write.id)
    loop.until(page.story.withdraw_alike_button.isVisible)
    assert page.story.withdraw_alike_button.text().strip() == "Withdraw all 2 alike…"
    assert not page.story.send_alike_button.isVisible()
    page.story.withdraw_alike_button.click()
    answer(question(loop, page), "Withdraw them")
    settled(loop, page)
    states = [loop.run(outbox.history(window_desk, name))[0].state for name in ("R-0", "R-1")]
    assert states == ["withdrawn", "withdrawn"]
