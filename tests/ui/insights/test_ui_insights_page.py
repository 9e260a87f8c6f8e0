"""The insights page: plots of what is chosen, the way to their rows, what has changed since, files."""

from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from pypdfium2 import PdfDocument
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest

from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress
from app.desk.insights.insight_choice import InsightChoice
from app.desk.insights.plot_data import Target
from app.desk.insights.read_plots import NAMES
from app.desk.report.report_words import PRACTICE
from app.store.cache import order_store
from app.store.journal import write_store
from app.ui.base.page import PageServices
from app.ui.insights.insights_page import InsightsPage
from app.ui.insights.weekly_page import PDF, weekly_job, weeks_before
from app.ui.plots.plot_files import KINDS, plot_job
from app.ui.theme.theme import SIZES
from app.ui.widgets.files.choose_files import Chosen
from app.ui.widgets.files.file_strip import FileResult
from tests.support.loop import RunningLoop
from tests.support.order_facts import facts
from tests.ui.conftest import Show

NOW = datetime(2026, 6, 24, 10, 0)
DAY = timedelta(days=1)


@pytest.fixture
def desk(window_desk: Desk, loop: RunningLoop) -> Desk:
    made = replace(window_desk, now=lambda: NOW)
    orders = [
        facts(
            at, state="CMP", facility_id="MEM01" if at < 8 else "DAL02", delivery_type="HOME",
            received_at=NOW - 4 * DAY, requested_delivery=NOW - DAY, delivered_at=NOW - (at % 2 + 1) * DAY,
        )
        for at in range(16)
    ]  # fmt: skip
    loop.run(made.cache.write(order_store.store_orders, made.profile.id, "completed", orders, NOW))
    return made


@pytest.fixture
def page(loop: RunningLoop, show: Show, services: PageServices, desk: Desk) -> InsightsPage:
    made = InsightsPage(replace(services, now=lambda: NOW))
    show(made)
    made.take_desk(desk)
    made.enter()
    read(loop, made)
    return made


def read(loop: RunningLoop, page: InsightsPage) -> None:
    loop.until(lambda: not page.tasks.running("plots"))


def test_all_plots_come_and_each_says_what_it_counts(page: InsightsPage) -> None:
    assert tuple(page.cards) == NAMES
    for name, card in page.cards.items():
        assert card.plot is not None
        assert card.plot.name == name
        assert card.definition.text() == card.plot.definition != ""
    week = page.cards["on_time_weeks"].view
    assert [mark.words for _, _, mark in week.marks.marks] == ["100 %, 16 of 16", "100 %, 8 of 8", "100 %, 8 of 8"]
    assert page.cards["refusals"].states.state_text == "The provider refused no submission of these days."
    assert page.age_label.text() == "as of 10:00:00"
    assert "is likely late" in page.likely_label.text()


def test_a_mark_leads_to_its_orders(loop: RunningLoop, page: InsightsPage) -> None:
    asked: list[str] = []
    page.services.news.show_orders.connect(asked.append)
    view = page.cards["on_time_facilities"].view
    view.setFocus()
    loop.until(view.hasFocus)
    assert page.cards["on_time_facilities"].value.text() == "DAL02: 100 %, 8 of 8"
    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert asked == ["list:completed delivered:2026-04-02..2026-06-24 -status:CAN due:any facility:MEM01"]


def test_marks_of_writes_and_audits_lead_to_their_pages(page: InsightsPage) -> None:
    writes: list[tuple[object, str]] = []
    page.services.news.show_writes.connect(lambda ids, called: writes.append((ids, called)))
    page.cards["sent"].chosen.emit(Target(writes=(3, 4), words="Refused"))
    assert writes == [((3, 4), "Refused")]


def test_chips_narrow_the_plots(loop: RunningLoop, page: InsightsPage) -> None:
    QTest.keyClick(page, Qt.Key.Key_F, Qt.KeyboardModifier.AltModifier)
    panel = page.chips.panel
    assert panel is not None
    loop.until(lambda: panel.list.count() == 2)
    panel.list.item(0).setCheckState(Qt.CheckState.Checked)
    read(loop, page)
    assert page.chips.choice.facilities == ("DAL02",)
    facility = page.chips.buttons["facility"]
    assert facility.text() == "Facility: DAL02 ▾"
    assert facility.accessibleDescription() == "Facility: DAL02. Press Delete to remove it."
    (mark,) = page.cards["on_time_facilities"].view.marks.marks
    assert mark[2].words == "100 %, 8 of 8"
    QTest.keyClick(facility, Qt.Key.Key_Delete)
    read(loop, page)
    assert page.chips.choice == InsightChoice()
    assert facility.accessibleDescription() == "Filter by facility", "nothing is chosen that could be removed"


def test_days_that_cannot_be_read_are_said_and_change_nothing(loop: RunningLoop, page: InsightsPage) -> None:
    page.chips.open_chip("days")
    panel = page.chips.panel
    assert panel is not None
    panel.sought.setText("soon")
    QTest.keyClick(panel.sought, Qt.Key.Key_Return)
    assert "Type days such as" in panel.note.text()
    assert page.chips.choice == InsightChoice()
    panel.sought.setText("-1..today")
    QTest.keyClick(panel.sought, Qt.Key.Key_Return)
    read(loop, page)
    assert page.chips.buttons["days"].text() == "23 Jun 2026 to 24 Jun 2026 ▾"
    assert [mark.words for _, _, mark in page.cards["on_time_weeks"].view.marks.marks] == ["100 %, 8 of 8"]


def test_a_change_is_said_and_nothing_moves_before_it_is_read_again(
    loop: RunningLoop, page: InsightsPage, desk: Desk
) -> None:
    write = loop.run(desk.journal.write(write_store.queue_write, desk.profile.id, "submit", "A-1", b"{}", NOW))
    page.services.news.wrote.emit()
    assert page.age_label.text() == "as of 10:00:00; orders have changed since"
    assert page.cards["sent"].plot is not None
    assert page.cards["sent"].plot.nothing
    page.refresh_button.click()
    read(loop, page)
    ((_, _, mark),) = page.cards["sent"].view.marks.marks
    assert mark.target is not None
    assert mark.target.writes == (write,)
    assert page.age_label.text() == "as of 10:00:00"


def test_reading_can_be_stopped_and_begun_again(loop: RunningLoop, page: InsightsPage) -> None:
    page.reload()
    loop.until(page.stop_button.isVisible)
    page.stop_button.click()
    read(loop, page)
    assert "not complete" in page.bar.text
    page.reload()
    read(loop, page)
    assert page.refresh_button.isVisible()


def test_columns_follow_the_width(loop: RunningLoop, page: InsightsPage) -> None:
    page.resize(950, 600)
    loop.until(lambda: page.grid.columns == 2)
    page.resize(700, 600)
    loop.until(lambda: page.grid.columns == 1)


def test_the_weekly_page_is_one_page(loop: RunningLoop, page: InsightsPage, desk: Desk, tmp_path: Path) -> None:
    assert [str(each) for each in weeks_before(NOW.date())] == ["2026-03-30", "2026-06-15", "2026-06-21"]
    target = tmp_path / "week.pdf"
    job = weekly_job(desk, InsightChoice(), "", QFont())

    async def write() -> FileResult:
        return await job.write(Chosen(target, PDF, replace=False), Progress())

    made = loop.run(write())
    assert made.words == "week.pdf is one page."
    bytes_of = target.read_bytes()
    assert bytes_of.startswith(b"%PDF-")
    assert bytes_of.count(b"/Type /Page\n") == 1
    assert PRACTICE not in text_of(target)


def text_of(path: Path) -> str:
    with closing(PdfDocument(path)) as document:
        return str(document[0].get_textpage().get_text_range())


def test_files_of_practice_say_that_it_is_practice(
    loop: RunningLoop, page: InsightsPage, desk: Desk, tmp_path: Path
) -> None:
    week, plot = tmp_path / "week.pdf", tmp_path / "plot.svg"
    svg = next(each for each in KINDS if each.ending == "svg")
    of_practice = replace(desk, profile=replace(desk.profile, kind="practice"))
    shown = page.cards["on_time_weeks"].plot
    assert shown is not None
    weekly = weekly_job(of_practice, InsightChoice(), "", QFont())
    of_plot = plot_job(shown, "these days", "plot", QFont(), practice=True)

    async def write() -> None:
        await weekly.write(Chosen(week, PDF, replace=False), Progress())
        await of_plot.write(Chosen(plot, svg, replace=False), Progress())

    loop.run(write())
    assert PRACTICE in text_of(week)
    assert f"{PRACTICE} · these days" in plot.read_text()


@pytest.mark.parametrize("name", ["audit_facilities", "audit_questions", "on_time_weeks"])
def test_a_plot_is_brought_into_sight(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk, name: str
) -> None:
    """Also while the plots are being read for the first time: where it stands is known only after that."""
    page = InsightsPage(services)
    show(page)
    page.resize(1_000, 500)
    page.take_desk(desk)
    page.show_plot(name)
    card = page.cards[name]

    def in_sight() -> bool:
        top = card.mapTo(page.area.viewport(), QPoint(0, 0)).y()
        return 0 <= top + card.title.height() <= page.area.viewport().height()

    loop.until(lambda: not page.tasks.busy and in_sight())
    assert card.view.hasFocus() == (card.plot is not None and not card.plot.nothing)
    page.area.verticalScrollBar().setValue(page.area.verticalScrollBar().maximum() if name == "on_time_weeks" else 0)
    page.show_plot(name)
    loop.until(in_sight)


def test_large_text_cuts_off_no_button_in_a_small_window(loop: RunningLoop, page: InsightsPage) -> None:
    SIZES.choose(150, compact=False)
    try:
        page.resize(796, 590)
        loop.rest()
        for each in (*page.chips.buttons.values(), page.refresh_button, page.weekly_button):
            assert each.width() >= each.minimumSizeHint().width(), each.text()
            assert each.mapTo(page, QPoint(each.width(), 0)).x() <= page.width()
    finally:
        SIZES.choose(100, compact=False)
