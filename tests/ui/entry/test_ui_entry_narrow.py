"""The smallest window, a screen of 1920×1080 at 200 %: nothing of the form is cut off or out of reach."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QListWidget, QPushButton, QScrollArea, QWidget

from app.contract.check import Findings
from app.contract.order_rules import Issue
from app.desk.desk import Desk
from app.desk.sending.payload_differences import Difference
from app.desk.sending.verdict import Verdict
from app.ui.base.page import PageServices
from app.ui.entry.entry_page import EntryPage, blank_draft
from app.ui.entry.form.layout_data import SECTIONS
from app.ui.theme.theme import SIZES
from app.ui.theme.tokens import RAIL_WIDTH, WINDOW_LEAST
from app.ui.widgets.field import Field
from app.ui.widgets.grid.grid_view import RowsGrid
from tests.support.desks import order_draft
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.entry.entry_help import page_on

AROUND = 92  # the band, the header and the status line of the window


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, offline_desk: Desk, show: Show) -> EntryPage:
    made = page_on(loop, services, show, offline_desk)
    size = WINDOW_LEAST[0] - RAIL_WIDTH, WINDOW_LEAST[1] - AROUND
    made.resize(*size)
    loop.until(lambda: (made.width(), made.height()) == size, lambda: f"{made.size()} for {made.minimumSizeHint()}")
    return made


def seen(widget: QWidget, inside: QWidget) -> bool:
    """Whether all of a widget lies inside another."""
    return inside.rect().contains(QRect(widget.mapTo(inside, QPoint(0, 0)), widget.size()))


@pytest.mark.usefixtures("large_text")
def test_the_largest_text_fits_a_window_of_1024_by_700(loop: RunningLoop, page: EntryPage) -> None:
    size = 1024 - RAIL_WIDTH * 3 // 2, 590
    page.resize(*size)
    page.show_draft("d-1", order_draft("R-1"))
    loop.until(lambda: (page.width(), page.height()) == size, lambda: f"{page.size()} for {page.minimumSizeHint()}")
    loop.until(lambda: page.form.width() <= page._scroll.viewport().width(), lambda: str(page.form.minimumSizeHint()))
    for each in page.findChildren(QPushButton):
        if each.isVisible():
            assert each.width() >= each.sizeHint().width(), each.text()
    for grid in page.findChildren(RowsGrid):
        header = grid.horizontalHeader()
        for column in range(header.count()):
            assert header.sectionSize(column) >= header.sectionSizeHint(column), grid.model().headerData(
                column, Qt.Orientation.Horizontal
            )
    assert page.tools.hidden_tools() == ["reopen", "close", "print"]
    assert [each.text() for each in page.tools.menu().actions()][-1] == "Print…\tCtrl+P"
    page.resize(1600, 900)
    loop.until(lambda: page.tools.hidden_tools() == [])


@pytest.mark.usefixtures("large_text")
def test_the_largest_text_leaves_whole_dates_and_columns_of_one_width(loop: RunningLoop, page: EntryPage) -> None:
    """A counter and the button beside the facility code made the third column wide and the first one narrow."""
    size = 1024 - RAIL_WIDTH * 3 // 2, 590
    page.resize(*size)
    dates = ("shipDate", "estimatedReceiveDate", "requestedDeliveryDate")
    draft = order_draft("R-1", intermediateConsignee="Rivera Furniture Gallery", **dict.fromkeys(dates, "2026-10-28"))
    page.show_draft("d-1", draft)
    loop.until(lambda: (page.width(), page.height()) == size, lambda: f"{page.size()} for {page.minimumSizeHint()}")
    loop.rest()

    def widths() -> list[int]:
        thirds = [plan.path for line in SECTIONS[0].lines for plan in line if plan.share == 2]
        widgets = [page.form.fields[path] for path in thirds]
        return [each.width() for each in widgets if isinstance(each, QWidget)]

    loop.until(lambda: max(widths()) - min(widths()) <= 1, widths)
    for path in dates:
        editor = page.form.fields[path].editor
        room = editor.width() - 2 * 7  # border, the least padding and Qt's own margin
        assert editor.property("tight"), "the padding gives way"
        assert editor.fontMetrics().horizontalAdvance(editor.text()) <= room, path


def test_dates_are_whole_where_the_text_grows_in_an_open_window(loop: RunningLoop, page: EntryPage) -> None:
    """The field may be as wide as before: only its letters are larger."""
    page.show_draft("d-1", order_draft("R-1", shipDate="2026-10-28"))
    page.resize(1024 - RAIL_WIDTH, 590)
    loop.rest()
    button = next(each for each in page.findChildren(QPushButton) if "Calendar for Ships" in each.accessibleName())
    SIZES.choose(150, compact=False)
    loop.until(lambda: not button.isVisible())
    SIZES.choose(100, compact=False)
    loop.until(button.isVisible)


def test_the_form_is_as_wide_as_its_place(page: EntryPage) -> None:
    for area in page.findChildren(QScrollArea):
        inside = area.widget()
        assert inside is not None
        assert inside.width() <= area.viewport().width(), area.objectName()


def test_no_button_is_cut(page: EntryPage) -> None:
    page.show_draft("d-1", order_draft("R-1"))
    for each in page.findChildren(QPushButton):
        if each.isVisible():
            assert each.width() >= each.sizeHint().width(), each.text()
    for each in (page.new_button, page.rail.submit_button, page.rail.next_button):
        assert seen(each, page), each.text()


def test_the_verdict_is_seen_whole_and_what_is_to_do_can_be_read(loop: RunningLoop, page: EntryPage) -> None:
    page.show_draft("d-1", order_draft("R-1"))
    changed = tuple(Difference(path, "a", "b") for path in ("consignee.city", "consignee.zip", "poNumber", "shipDate"))
    sentence = "The provider says: Pending Receipt. Sending replaces what the provider has."
    page.lookup.found = Verdict("changes", sentence, page.services.now(), changed, "sent")
    page.show_verdict()
    loop.rest()
    verdict = page.rail.verdict
    assert seen(verdict, page.rail)
    assert verdict.height() >= verdict.heightForWidth(verdict.width())
    for each in (verdict.sentence, verdict.changes):
        assert seen(each, page.rail._scroll.viewport()), each.text()
        assert each.height() >= each.heightForWidth(each.width())
    page.show_draft("d-2", replace(blank_draft(), poNumber="PO-1"))
    loop.rest()
    todo = page.rail.findChild(QListWidget)
    assert todo is not None
    assert todo.height() >= 3 * todo.fontMetrics().lineSpacing()
    assert page.rail.isAncestorOf(todo)
    many = [Issue("poNumber", f"Must be another, {at}.") for at in range(50)]
    page.resize(page.width(), 700)
    page.rail.show_findings(Findings(many, {path: [] for path in page.form.lists}, len(many)))
    loop.until(lambda: page.rail._scroll.verticalScrollBar().isVisible())
    page.show_draft("d-3", order_draft("R-1"))
    loop.until(lambda: not page.rail._scroll.verticalScrollBar().isVisible(), "nothing is left that needs room")


def test_the_totals_stay_in_sight_on_a_screen_of_1024_by_768(loop: RunningLoop, page: EntryPage) -> None:
    page.resize(1024 - RAIL_WIDTH, 768 - AROUND)
    loop.until(lambda: page.rail.height() > 500)
    many = [Issue("poNumber", f"Must be another, {at}.") for at in range(50)]
    page.rail.show_findings(Findings(many, {path: [] for path in page.form.lists}, len(many)))
    loop.until(lambda: page.rail._scroll.verticalScrollBar().isVisible())
    for name, figure in page.rail._figures.items():
        assert seen(figure, page.rail), name
        assert not page.rail._scroll.isAncestorOf(figure), f"{name} scrolls out of sight"
    page.resize(page.width(), WINDOW_LEAST[1] - AROUND)
    loop.until(lambda: page.rail._scroll.isAncestorOf(page.rail._totals), "in a low window the issues need the room")


@pytest.mark.parametrize("width", [WINDOW_LEAST[0], 1024, 1280, 1920])
def test_fields_beside_each_other_stand_in_one_line(loop: RunningLoop, page: EntryPage, width: int) -> None:
    """In a narrow window a label takes two lines of text."""
    draft = order_draft("R-1", intermediateConsignee="Rivera Furniture Gallery")
    draft.consignee.zip = "381"
    page.show_draft("d-1", draft)
    page.resize(width - RAIL_WIDTH, 700)
    loop.until(lambda: page.width() == width - RAIL_WIDTH)
    loop.rest()

    def apart() -> list[list[int]]:
        lines = [[page.form.fields[plan.path].editor for plan in line] for each in SECTIONS for line in each.lines]
        tops = [[editor.mapTo(page.form, QPoint(0, 0)).y() for editor in line] for line in lines]
        return [each for each in tops if max(each) - min(each) > 1]  # a choice is a point higher than a line

    loop.until(lambda: not apart(), apart)
    counted = page.form.fields["poNumber"]
    counted.put("x" * 60)
    loop.until(lambda: not apart(), apart)


def test_fields_stand_closer_again_when_their_labels_have_room_again(loop: RunningLoop, page: EntryPage) -> None:
    page.show_draft("d-1", order_draft("R-1"))
    fields = [each for each in page.form.fields.values() if isinstance(each, Field)]

    def wrapped_at(width: int) -> int:
        """How many labels are as high as two lines of text."""
        page.resize(width - RAIL_WIDTH, 700)
        loop.until(lambda: page.width() == width - RAIL_WIDTH)
        loop.rest()
        return sum(each.label.height() >= 2 * each.label.fontMetrics().height() for each in fields)

    assert wrapped_at(1024) > 0
    assert wrapped_at(1920) == 0
