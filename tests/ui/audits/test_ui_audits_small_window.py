"""The audits page in a small window, as at 200 %: nothing is squeezed or cut off, and the photo keeps most of it."""

from dataclasses import replace
from datetime import datetime

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from app.desk.audits.audit_filter import EVERYTHING
from app.desk.audits.scores import Scale
from app.desk.desk import Desk
from app.store.cache.audits.audit_rows import AnswerFacts, AuditDetailRow, AuditHead, AuditLine, Point
from app.store.journal.review_store import Marked
from app.ui.audits.audit_columns import COLUMNS as LIST_COLUMNS
from app.ui.audits.audits_page import AuditsPage
from app.ui.audits.lens.lens_model import COLUMNS
from app.ui.audits.list.audits_model import NO_MARKS, AuditDelegate
from app.ui.audits.opened.opened_audit import AuditView
from app.ui.base.page import PageServices
from app.ui.theme.tokens import (
    LOW_THUMB_SIZE,
    PLOT_HEIGHT,
    PLOT_LOW_HEIGHT,
    ROW_HEIGHT,
    SPACE_2,
    THUMB_SIZE,
    VIEWS_LEAST_WIDTH,
)
from app.ui.widgets.buttons import button
from app.ui.widgets.layout import SideBySide, holding, row
from tests.support.loop import RunningLoop
from tests.ui.audits.audits_help import lens_of
from tests.ui.conftest import Show

NOW = datetime(2026, 11, 24, 14, 2)
ANSWERS = tuple(
    AnswerFacts(f"LD-{at:02}", "Is every piece scanned before it is loaded?", "Yes", None) for at in range(9)
)


@pytest.fixture
def view(view: AuditView) -> AuditView:
    line = AuditLine(7, None, "Loading", "F012", "Acme", 81.5, "771002", True)
    view._show(AuditDetailRow(line, AuditHead("Jo", "jo@example.com", None, "771002"), ANSWERS, NOW, NOW))
    return view


def squeezed(widget: QWidget) -> list[str]:
    """The buttons in sight that are narrower than their words, or reach beyond what holds them."""
    found = []
    for each in widget.findChildren(QPushButton):
        if each.isVisible():
            right = each.mapTo(widget, QPoint(each.width(), 0)).x()
            if each.width() < each.minimumSizeHint().width() or right > widget.width():
                found.append(each.accessibleName() or each.text())
    return found


@pytest.mark.parametrize("width", [760, 808, 1000, 1128, 1768])
def test_no_button_of_an_opened_audit_is_squeezed(view: AuditView, loop: RunningLoop, width: int) -> None:
    view.resize(width, 420)
    loop.rest()
    assert view.width() == width
    assert squeezed(view) == []


def test_a_message_in_place_of_the_questions_moves_nothing(view: AuditView, loop: RunningLoop) -> None:
    view.resize(808, 420)
    loop.rest()
    before = view.splitter.sizes()
    view.search.setText("nothing holds these words")
    loop.rest()
    assert "No question matches" in view.states.state_text
    assert view.splitter.sizes() == before


def test_the_film_strip_is_lower_where_the_photo_has_hardly_any_room(view: AuditView, loop: RunningLoop) -> None:
    view.resize(1128, 720)
    loop.until(lambda: view.viewer.strip.thumb == THUMB_SIZE)
    whole = view.viewer.strip.height()
    view.resize(808, 420)
    loop.until(lambda: view.viewer.strip.thumb == LOW_THUMB_SIZE)
    assert view.viewer.strip.height() == whole - THUMB_SIZE[1] + LOW_THUMB_SIZE[1]
    view.resize(1128, 720)
    loop.until(lambda: view.viewer.strip.height() == whole)


def test_a_long_note_is_shown_from_its_beginning(view: AuditView) -> None:
    view.review_row.save_notes()
    view.edits.reviews = replace(view.edits.reviews, audit=replace(view.edits.audit, note="Corner crushed " * 40))
    view.review_row.show_audit()
    assert view.review_row.note.cursorPosition() == 0
    view.review_row._saving.stop()


@pytest.mark.parametrize(("width", "seen"), [(808, "Facility"), (1128, "Vendor"), (1768, "Audit")])
def test_the_lens_shows_where_an_answer_was_given(
    services_with_pictures: PageServices, show: Show, loop: RunningLoop, window_desk: Desk, width: int, seen: str
) -> None:
    made = lens_of(services_with_pictures)
    show(made)
    made.take_desk(window_desk)
    made.states.show_content()
    made.resize(width, 420)
    loop.rest()
    place = [title for title, _, _ in COLUMNS].index(seen)
    table = made.table
    end = table.columnViewportPosition(place) + table.columnWidth(place)
    assert end <= table.viewport().width()
    assert squeezed(made) == []


def test_the_photos_of_the_lens_take_the_whole_screen_and_escape_gives_it_back(
    services_with_pictures: PageServices, show: Show, loop: RunningLoop, window_desk: Desk
) -> None:
    services = services_with_pictures
    made = lens_of(services)
    told: list[bool] = []
    left: list[bool] = []
    services.news.full_screen.connect(told.append)
    made.back_asked.connect(lambda: left.append(True))
    show(made)
    made.take_desk(window_desk)
    made.table.setFocus()
    QTest.keyClick(made.table, Qt.Key.Key_F11)
    assert (made.heading.isVisible(), made.states.isVisible()) == (False, False)
    loop.until(made.viewer.panes[0].hasFocus)
    QTest.keyClick(made.viewer.panes[0], Qt.Key.Key_Escape)
    assert (made.heading.isVisible(), made.states.isVisible()) == (True, True)
    assert told == [True, False]
    QTest.keyClick(made.viewer.panes[0], Qt.Key.Key_Escape)
    assert left == [True]


def test_two_parts_stand_in_one_line_again_and_can_become_narrow_from_there(show: Show, loop: RunningLoop) -> None:
    words = [holding(row(*(button(f"Button {at}", print) for at in range(4)), gap=4)) for _ in range(2)]
    parts = SideBySide(*words, growing=1, gap=4, margin=(8, 0, 8, 0))
    show(parts)
    needed = sum(each.minimumSizeHint().width() for each in words) + 4 + 16
    for width in (needed, needed - 1, needed + 200, needed // 2 + 40):
        parts.resize(width, 100)
        loop.rest()
        assert parts.width() == width
        assert (words[0].y() == words[1].y()) == (width >= needed)
        assert squeezed(parts) == []
    assert parts.minimumSizeHint().width() < needed - 100


@pytest.fixture
def listing(services_with_pictures: PageServices, show: Show) -> AuditsPage:
    """The page with a list of forty audits and their scores."""
    made = AuditsPage(services_with_pictures)
    show(made)
    lines = [AuditLine(number, NOW, "Loading", "F012", "Acme", 81.5, None, False) for number in range(40)]
    made.model.show(len(lines), {0: lines}, NO_MARKS, Scale())
    made.states.show_content()
    return made


@pytest.mark.parametrize(
    ("size", "plot", "rows"),
    [((1080, 700), PLOT_HEIGHT, 9), ((808, 432), PLOT_LOW_HEIGHT, 6), ((796, 382), PLOT_LOW_HEIGHT, 4)],
)
def test_the_plot_gives_way_to_the_list_where_the_page_is_low(
    listing: AuditsPage, loop: RunningLoop, size: tuple[int, int], plot: int, rows: int
) -> None:
    listing.resize(*size)
    loop.rest()
    assert (listing.width(), listing.height()) == size
    assert listing.head.plot.height() == plot
    group, ranks = listing.head.group.geometry(), listing.head.ranks.geometry()
    assert ranks.top() - group.bottom() <= SPACE_2, "the ranks begin right below the choice"
    assert group.height() == listing.head.group.sizeHint().height()
    assert listing.table.viewport().height() // ROW_HEIGHT >= rows
    listing.head.show_scores([Point(1, NOW, 81.5, "F012")], EVERYTHING, Scale(), NOW.date())
    assert listing.head.plot._laid is not None
    marks = len(listing.head.plot._laid.axis.ticks())
    assert marks == (6 if plot == PLOT_HEIGHT else 3), "no mark stands on another"


@pytest.mark.usefixtures("large_text")
@pytest.mark.parametrize("width", [780, 796, 1052])
def test_large_text_cuts_nothing_off_the_head_of_an_audit(view: AuditView, loop: RunningLoop, width: int) -> None:
    """At 1,024 pixels and 150 % the score of 78.8 was read as 78."""
    view.top.insertWidget(view.top.count() - 2, button("Save ▾", lambda: None))  # as the page does
    view.title.setText("Audit 406512")
    view.resize(width, 500)
    loop.rest()
    assert view.width() == width
    assert squeezed(view.heading) == []
    for label in (view.title, view.score):
        assert label.isVisible()
        assert label.width() >= label.minimumSizeHint().width()
        assert label.mapTo(view, QPoint(label.width(), 0)).x() <= width


@pytest.mark.usefixtures("large_text")
def test_large_text_squeezes_nothing_in_a_small_window(listing: AuditsPage, view: AuditView, loop: RunningLoop) -> None:
    listing.resize(796, 590)
    view.resize(796, 590)
    loop.rest()
    assert squeezed(listing) == []
    assert listing.head.views.width() >= VIEWS_LEAST_WIDTH
    assert listing.head.group.height() >= listing.head.group.sizeHint().height(), "the choice is whole"
    view.say_progress("33 of 180 · 178 not reviewed")
    loop.rest()
    assert view.title.width() >= view.title.sizeHint().width()
    facts = view.viewer.facts
    assert facts.height() >= 2 * facts.fontMetrics().lineSpacing()


@pytest.mark.parametrize("width", [796, 808, 1128, 1768])
def test_the_marks_of_an_audit_are_visible_beside_its_facts(listing: AuditsPage, loop: RunningLoop, width: int) -> None:
    listing.resize(width, 500)
    loop.rest()
    table, last = listing.table, len(LIST_COLUMNS)
    assert table.columnViewportPosition(last) + 100 <= table.viewport().width()
    assert not table.horizontalScrollBar().isVisible()


def test_a_figure_stands_below_its_title(listing: AuditsPage) -> None:
    place = next(at for at, each in enumerate(LIST_COLUMNS) if each.right)
    side = listing.model.headerData(place, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
    assert side & Qt.AlignmentFlag.AlignRight


def test_all_marks_are_shown_as_glyphs_where_words_do_not_fit(listing: AuditsPage, loop: RunningLoop) -> None:
    """The flag is not to fall to three dots."""
    listing.resize(796, 500)
    loop.rest()
    everything = frozenset({0})
    listing.model.mark(Marked(everything, everything, everything))
    said = listing.model.index(0, len(LIST_COLUMNS))
    delegate = listing.table.itemDelegate()
    assert isinstance(delegate, AuditDelegate)
    assert said.data() == "✓ Reviewed · ⚑ Flagged · ✎ Note"
    short = delegate.look(said).short
    assert short == "✓  ⚑  ✎"
    room = listing.table.columnWidth(len(LIST_COLUMNS))
    metrics = listing.table.fontMetrics()
    assert metrics.horizontalAdvance(short) + 2 * SPACE_2 <= room < metrics.horizontalAdvance(said.data())
    viewport, place = listing.table.viewport(), listing.table.visualRect(said)
    before = viewport.grab(place).toImage()
    listing.model.mark(Marked(everything, everything, frozenset()))
    assert viewport.grab(place).toImage() != before, "the note was seen"
