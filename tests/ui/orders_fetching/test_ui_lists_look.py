"""How lists look: titles stand over their columns, the arrow of the sorting beside no title, no grey of the style's."""

from datetime import date

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyleFactory,
    QTableWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.ui.orders.actions.results_dialog import ResultsDialog
from app.ui.orders.filter.filter_line import FilterLine
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import FOCUS_PX, LIST_ROW_HEIGHT
from app.ui.viewer.painted_photo import words_that_fit
from app.ui.widgets.field import ChoiceField
from app.ui.widgets.layout import column, row
from app.ui.widgets.lists.list_rows import set_list_rows
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show


def first_ink(shown: QImage, box: QRect, ground: int) -> int:
    """The column of the first pixel that is clearly not the ground."""
    for x in range(box.left(), box.right()):
        for y in range(box.top(), box.bottom()):
            if abs(shown.pixelColor(x, y).lightness() - ground) > 60:
                return x
    raise AssertionError("nothing is painted there")


@pytest.fixture
def dialog(theme: Theme, show: Show) -> ResultsDialog:
    parent = QWidget()
    show(parent)
    made = ResultsDialog(parent, theme, "Status of orders", 2, lambda: None)
    made.add("HHH", "good", "H")
    show(made)
    return made


def test_titles_stand_over_their_columns(dialog: ResultsDialog) -> None:
    tree, header = dialog.list, dialog.list.header()
    item = tree.topLevelItem(0)
    assert item is not None
    item.setText(1, "HHH")
    tree.setHeaderLabels(["HHH", "HHH"])
    titles, lines = header.grab().toImage(), tree.viewport().grab().toImage()
    for place in (0, 1):
        left = header.sectionViewportPosition(place)
        above = QRect(left, 4, header.sectionSize(place), header.height() - 8)
        row = tree.visualItemRect(item)
        below = QRect(left, row.top() + 3, header.sectionSize(place), row.height() - 6)
        title, line = first_ink(titles, above, titles.pixelColor(left + 1, 6).lightness()), first_ink(lines, below, 255)
        assert abs(title - line) <= 1, place


def test_the_arrow_of_the_sorting_stands_beside_no_title(theme: Theme, show: Show) -> None:
    table = QTableWidget(1, 2)
    table.setHorizontalHeaderLabels(["Late", "City"])
    header = table.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    table.setColumnWidth(0, 48)
    show(table)
    header.setSortIndicatorShown(False)
    plain = header.grab().toImage()
    header.setSortIndicatorShown(True)
    header.setSortIndicator(0, Qt.SortOrder.DescendingOrder)
    sorted_by = header.grab().toImage()
    assert plain != sorted_by, "the arrow is there"
    words = QRect(0, header.height() // 2 - 4, 48, header.height() // 2)
    assert plain.copy(words) == sorted_by.copy(words), "the title stands where it stood, and nothing beside it"


@pytest.mark.parametrize("kind", [QTreeWidget, QListWidget])
def test_the_line_one_stands_on_is_marked_in_our_colours(kind: type[QWidget], theme: Theme, show: Show) -> None:
    view = kind()
    assert isinstance(view, QTreeWidget | QListWidget)
    if isinstance(view, QTreeWidget):
        view.addTopLevelItem(QTreeWidgetItem(["A"]))
    else:
        view.addItem(QListWidgetItem("A"))
    set_list_rows(view)
    show(view)
    view.setFocus()
    view.setCurrentIndex(view.model().index(0, 0))
    view.clearSelection()
    shown, box = view.viewport().grab().toImage(), view.visualRect(view.model().index(0, 0))
    assert box.height() >= LIST_ROW_HEIGHT
    at = box.right() - 3
    assert shown.pixelColor(at, box.top()) == theme.colour("accent")
    assert shown.pixelColor(at, box.bottom() - FOCUS_PX + 1) == theme.colour("accent")
    inside = {shown.pixelColor(at, y).name() for y in range(box.top() + FOCUS_PX, box.bottom() - FOCUS_PX)}
    assert inside == {theme.colour("surface").name()}


def test_lines_have_their_height_before_they_have_their_style(theme: Theme, loop: RunningLoop) -> None:
    assert theme is not None
    assert loop is not None
    view = QListWidget()
    view.setStyle(QStyleFactory.create("Fusion"))  # as before the style sheet has reached it
    view.addItem("A")
    assert view.sizeHintForRow(0) < LIST_ROW_HEIGHT
    set_list_rows(view)
    assert view.sizeHintForRow(0) == LIST_ROW_HEIGHT
    view.deleteLater()


def test_a_choice_that_nothing_gives_a_width_is_as_wide_as_its_longest_words(theme: Theme, show: Show) -> None:
    assert theme is not None
    field = ChoiceField("Appearance", [("system", "System, light or dark"), ("light", "Light")])
    field.show_whole()
    outer = QWidget()
    outer.setLayout(row(field, None))
    show(outer)
    words = field.editor.fontMetrics().horizontalAdvance(field.editor.itemText(0))
    assert field.editor.width() >= words + 22, "and its arrow"


def test_what_is_not_understood_is_cut_short_visibly_and_whole_in_the_tooltip(
    theme: Theme, show: Show, loop: RunningLoop
) -> None:
    outer = QWidget()
    line = FilterLine(theme, outer, lambda: date(2026, 11, 24))
    outer.setLayout(column(line.editor, line.problem))
    show(outer)
    outer.resize(260, 100)
    line.problem.show()
    line.set_text("has:nothing-of-the-kind")
    loop.rest()
    shown, whole = line.problem.text(), line.problem.toolTip()
    assert shown.endswith("…")
    assert line.problem.fontMetrics().horizontalAdvance(shown) <= line.problem.width()
    assert "There are any, none, at" in whole.replace("\n", " ")
    assert line.editor.accessibleDescription().endswith("uns.")


def test_why_there_is_no_picture_fits_the_room_there_is(theme: Theme) -> None:
    assert theme is not None
    metrics = QWidget().fontMetrics()
    why = "Not connected: this picture was not fetched before."
    texts = (f"{why}\n\nPress Shift+T.", why, "No")
    line = metrics.lineSpacing()
    assert words_that_fit(metrics, QRect(0, 0, 900, 6 * line), texts) == texts[0]
    assert words_that_fit(metrics, QRect(0, 0, 900, line + 2), texts) == why
    assert words_that_fit(metrics, QRect(0, 0, 40, line + 2), texts) == "No"
    assert words_that_fit(metrics, QRect(0, 0, 4, 4), texts) in ("…", "")
