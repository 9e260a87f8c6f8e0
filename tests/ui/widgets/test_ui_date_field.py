"""The calendar of a date field: part of the window, worked by keys, gone as soon as something else is done."""

from datetime import date

import pytest
from PySide6.QtCore import QDate, QPoint, Qt, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCalendarWidget, QLineEdit, QMenu, QSpinBox, QToolButton, QVBoxLayout, QWidget

from app.ui.theme.theme import Theme
from app.ui.widgets.choosing.date_field import DateField
from app.ui.widgets.choosing.floating_calendar import HELP, FloatingCalendar
from app.ui.widgets.text import times
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

# Of the offscreen platform, as a menu opens and takes the keyboard.
SILENT = pytest.mark.qt_log_ignore("does not support", extend=True)
TODAY = date(2026, 11, 21)


@pytest.fixture
def page(theme: Theme, show: Show, monkeypatch: pytest.MonkeyPatch) -> QWidget:
    """A window with a date and another field."""
    monkeypatch.setattr(times, "today", lambda: TODAY)
    page = QWidget()
    inside = QVBoxLayout(page)
    inside.addWidget(DateField(theme, "Ship date", ""))
    inside.addWidget(QLineEdit())
    inside.addStretch(1)
    show(page)
    return page


@pytest.fixture
def field(page: QWidget) -> DateField:
    (found,) = page.findChildren(DateField)
    found.editor.setFocus()
    return found


def calendars(field: DateField) -> list[FloatingCalendar]:
    return [each for each in field.window().findChildren(FloatingCalendar) if each.isVisible()]


def opened(field: DateField) -> QCalendarWidget:
    QTest.keyClick(field.editor, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    (found,) = calendars(field)
    return found.calendar


def view_of(calendar: QCalendarWidget) -> QWidget:
    view = calendar.focusProxy()
    assert view is not None
    return view


def test_it_marks_weekends_and_fills_the_field(field: DateField) -> None:
    field.set_text("2026-12-01")
    calendar = opened(field)
    marked = [calendar.weekdayTextFormat(day).foreground() for day in Qt.DayOfWeek]
    assert marked[5] == marked[6] != marked[0]
    assert calendar.selectedDate() == QDate(2026, 12, 1)
    changes: list[str] = []
    field.changed.connect(lambda: changes.append(field.text()))
    calendar.activated.emit(QDate(2026, 12, 3))
    assert (field.text(), changes[-1], field.editor.hasFocus()) == ("2026-12-03", "2026-12-03", True)
    assert calendars(field) == []
    assert isinstance(field.editor, QLineEdit)
    field.editor.undo()
    assert field.text() == "2026-12-01"


def test_it_is_worked_by_keys_alone(field: DateField) -> None:
    calendar = opened(field)
    assert view_of(calendar).hasFocus()
    assert calendar.selectedDate() == QDate(2026, 11, 21)
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(view_of(calendar), key)
    assert (field.text(), field.editor.hasFocus(), calendars(field)) == ("2026-12-29", True, [])


@pytest.mark.parametrize(
    ("key", "modifier"),
    [
        (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier),
    ],
)
def test_these_keys_go_back_to_the_field_and_leave_it_as_it_was(
    field: DateField, key: Qt.Key, modifier: Qt.KeyboardModifier
) -> None:
    field.set_text("2026-12-01")
    calendar = opened(field)
    QTest.keyClick(view_of(calendar), Qt.Key.Key_Right)
    QTest.keyClick(view_of(calendar), key, modifier)
    assert (field.text(), field.editor.hasFocus(), calendars(field)) == ("2026-12-01", True, [])


def test_it_goes_when_the_keyboard_goes_elsewhere_and_leaves_it_there(page: QWidget, field: DateField) -> None:
    opened(field)
    other = next(each for each in page.findChildren(QLineEdit) if each is not field.editor)
    QTest.mouseClick(other, Qt.MouseButton.LeftButton)
    other.setFocus()
    assert (calendars(field), other.hasFocus()) == ([], True)


def test_it_goes_when_something_without_a_keyboard_is_pressed_or_the_window_changes(
    page: QWidget, field: DateField, loop: RunningLoop
) -> None:
    opened(field)
    QTest.mouseClick(page, Qt.MouseButton.LeftButton, pos=QPoint(page.width() - 5, page.height() - 5))
    assert (calendars(field), field.editor.hasFocus()) == ([], True)
    opened(field)
    page.resize(900, 700)
    loop.until(lambda: calendars(field) == [])


def test_it_goes_with_the_page_of_its_field(field: DateField) -> None:
    opened(field)
    field.hide()
    assert calendars(field) == []


def test_its_button_opens_and_closes_it(field: DateField) -> None:
    button = next(each for each in field.findChildren(QWidget) if each.accessibleName() == "Calendar for Ship date")
    counts = []
    for _ in range(3):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        counts.append(len(calendars(field)))
    assert counts == [1, 0, 1]
    (shown,) = calendars(field)
    month = next(each for each in shown.findChildren(QToolButton) if each.accessibleName() == "Next month")
    QTest.mouseClick(month, Qt.MouseButton.LeftButton)
    assert calendars(field) == [shown]
    assert shown.calendar.monthShown() == 12


def test_it_stays_inside_the_window_where_there_is_little_room(page: QWidget, field: DateField) -> None:
    page.resize(480, 300)
    opened(field)
    (shown,) = calendars(field)
    assert page.rect().contains(shown.geometry())


def test_the_year_is_typed_and_the_calendar_stays(field: DateField) -> None:
    calendar = opened(field)
    (year,) = calendar.findChildren(QSpinBox)
    assert year.accessibleName() == "Year"
    button = next(each for each in calendar.findChildren(QToolButton) if each.text() == "2026")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert year.isVisible()
    year.setValue(2027)
    QTest.keyClick(year, Qt.Key.Key_Return)
    assert (calendar.yearShown(), len(calendars(field))) == (2027, 1)
    QTest.keyClick(view_of(calendar), Qt.Key.Key_Escape)
    assert (calendars(field), field.editor.hasFocus()) == ([], True)


def test_a_screen_reader_finds_it_by_its_name_and_hears_the_whole_date(page: QWidget, field: DateField) -> None:
    calendar = opened(field)
    (shown,) = calendars(field)
    interface = QAccessible.queryAccessibleInterface(page)
    assert interface is not None
    below = [interface.child(at).text(QAccessible.Text.Name) for at in range(interface.childCount())]
    assert "Calendar for Ship date" in below
    assert shown.accessibleName() == "Calendar for Ship date"
    assert calendar.accessibleDescription() == f"Saturday, November 21, 2026. {HELP}"
    QTest.keyClick(view_of(calendar), Qt.Key.Key_Right)
    assert calendar.accessibleDescription().startswith("Sunday, November 22, 2026")


def test_it_goes_when_the_looks_change_since_it_was_painted_for_the_others(field: DateField, theme: Theme) -> None:
    opened(field)
    theme.changed.emit()
    assert calendars(field) == []
    opened(field)


@SILENT
def test_the_list_of_months_opens_without_a_loop_of_its_own(loop: RunningLoop, field: DateField) -> None:
    calendar = opened(field)
    month = next(each for each in calendar.findChildren(QToolButton) if each.objectName().endswith("monthbutton"))
    (menu,) = month.findChildren(QMenu)
    # With a loop of its own, the click would return only once a month was chosen.
    QTimer.singleShot(2_000, menu, menu.close)
    QTest.mouseClick(month, Qt.MouseButton.LeftButton)
    assert menu.isVisible()
    menu.actions()[1].trigger()
    menu.close()
    assert calendar.monthShown() == 2
    assert month.text() == "February"
    loop.rest()
    assert len(calendars(field)) == 1, "a choice of the month leaves the calendar open"


def test_a_whole_date_is_read_where_the_button_does_not_fit_beside_it(page: QWidget, field: DateField) -> None:
    button = next(each for each in field.findChildren(QWidget) if each.accessibleName() == "Calendar for Ship date")
    field.set_text("2026-10-28")
    assert isinstance(field.editor, QLineEdit)
    seen = {}
    for width in (300, 120):
        field.setFixedWidth(width)
        QTest.qWait(1)
        room = field.editor.width() - 2 * 11  # border, padding and Qt's own margin
        fits = field.editor.fontMetrics().horizontalAdvance(field.text()) <= room
        seen[width] = (button.isVisible(), fits)
    assert seen == {300: (True, True), 120: (False, True)}
    assert opened(field).isVisible()
