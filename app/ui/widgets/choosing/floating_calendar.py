"""A calendar that floats below the field that opened it, and closes after one choice.

It is a child of the window and no window of its own: only so a screen reader finds it, and every desktop places it at
the field. It has the keyboard while it is open, and closes once the keyboard or a press of the mouse goes elsewhere.
"""

from datetime import date
from functools import partial

from PySide6.QtCore import QDate, QEvent, QLocale, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCharFormat
from PySide6.QtWidgets import QApplication, QCalendarWidget, QFrame, QMenu, QSpinBox, QTableView, QToolButton, QWidget

from app.translation import translate
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_2
from app.ui.widgets.layout import column
from app.ui.widgets.text.labels import announce, plain_tooltip

HELP = translate("Arrow keys choose a day, Page Up and Page Down a month, Enter takes it, Escape closes.")
_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick, QEvent.Type.Wheel)
# Parts of Qt's calendar that have no words of their own, and arrows that are black on a dark ground.
_ARROWS = {
    "qt_calendar_prevmonth": (translate("Previous month"), "chevron-left"),
    "qt_calendar_nextmonth": (translate("Next month"), "chevron-right"),
}


class FloatingCalendar(QFrame):
    """Deletes itself once it is closed."""

    chosen = Signal(QDate)  # the day that was taken
    left = Signal()  # the keyboard goes back to the field
    over = Signal()  # closed; comes once, whichever way it ends

    def __init__(self, theme: Theme, field: QWidget, name: str, day: date) -> None:
        super().__init__(field.window())
        self._field = field
        self._over = False
        self.setObjectName("floating")
        self.setAccessibleName(name)
        self.calendar = _make_calendar(theme, day)
        self.calendar.clicked.connect(self._take)
        self.calendar.activated.connect(self._take)
        self.calendar.selectionChanged.connect(self._say)
        self.setLayout(column(self.calendar, margin=1))
        theme.changed.connect(self.close_now)  # its days are painted in the colours it was made with

    def open(self) -> None:
        """Show it where there is room beside the field, with the keyboard in it."""
        self._place()
        self.show()
        self.raise_()
        self.calendar.setFocus(Qt.FocusReason.PopupFocusReason)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.installEventFilter(self)
        application.focusChanged.connect(self._on_focus)
        self._say()

    def close_now(self) -> None:
        """Close; this moves the keyboard only if it is still in the calendar."""
        if self._over:
            return
        self._over = True
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.removeEventFilter(self)
        application.focusChanged.disconnect(self._on_focus)
        self.over.emit()
        # Deleted later: this may run inside an event of the calendar's own.
        self.hide()
        self.deleteLater()

    def _take(self, day: QDate) -> None:
        if not self._over:  # a double click emits both "clicked" and "activated"
            self._leave()
            self.chosen.emit(day)

    def _leave(self) -> None:
        self.left.emit()
        self.close_now()

    def _place(self) -> None:
        """Below the field, else above it, and always inside the window."""
        window, size = self.window(), self.sizeHint()
        below = self._field.mapTo(window, QPoint(0, self._field.height()))
        above = below.y() - self._field.height() - size.height()
        lowest = window.height() - size.height() - SPACE_2
        y = below.y() if below.y() <= lowest else above if above >= 0 else max(lowest, 0)
        x = max(min(below.x(), window.width() - size.width() - SPACE_2), 0)
        self.setGeometry(x, y, size.width(), size.height())

    def _say(self) -> None:
        """Speak the whole date, because the cells hold bare numbers."""
        words = self.calendar.locale().toString(self.calendar.selectedDate(), "dddd, MMMM d, yyyy")
        self.calendar.setAccessibleDescription(f"{words}. {HELP}")
        announce(self.calendar, words)

    def _on_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        # None: the whole window has lost the keyboard, and gets it back in the calendar.
        if now is not None and not self.isAncestorOf(now):
            self.close_now()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in _PRESSES and isinstance(watched, QWidget):
            if self._is_outside(watched):
                self.close_now()
        elif (kind == QEvent.Type.Resize and watched is self.window()) or (
            kind == QEvent.Type.Hide and watched is self._field  # another page came by its key
        ):
            self.close_now()
        return super().eventFilter(watched, event)

    def _is_outside(self, watched: QWidget) -> bool:
        """True for a widget of this window outside the calendar and its field. The list of months is another window."""
        here = (self, self._field.parentWidget() or self._field)
        inside = any(watched is each or each.isAncestorOf(watched) for each in here)
        return watched.window() is self.window() and not inside

    def event(self, event: QEvent) -> bool:
        """Accept Escape before a shortcut of the page takes it."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, _forward: bool) -> bool:
        """Tab goes back to the field. Qt also calls this when a part of the calendar is hidden."""
        now = QApplication.focusWidget()
        if self._over or (now is not None and now.isVisible()):
            self._leave()
        else:
            self.calendar.setFocus()  # the year was typed, and its editor has just been hidden
        return True


def _make_calendar(theme: Theme, day: date) -> QCalendarWidget:
    calendar = QCalendarWidget()
    calendar.setLocale(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
    # Colour is never the only sign: the note below the field names a weekend too.
    weekend = QTextCharFormat()
    weekend.setForeground(theme.colour("warn"))
    weekend.setBackground(theme.colour("raised"))
    for each in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
        calendar.setWeekdayTextFormat(each, weekend)
    calendar.setSelectedDate(QDate(day.year, day.month, day.day))
    calendar.setAccessibleName(translate("Calendar"))
    for view in calendar.findChildren(QTableView):
        view.setAccessibleName(translate("Days of the month"))
    for year in calendar.findChildren(QSpinBox):
        year.setAccessibleName(translate("Year"))
    for button in calendar.findChildren(QToolButton):
        name, icon = _ARROWS.get(button.objectName(), ("", ""))
        if name:
            button.setAccessibleName(name)
            button.setToolTip(plain_tooltip(name))
            button.setIcon(theme.icon(icon))
        elif isinstance(months := button.menu(), QMenu):
            _open_without_loop(theme, button, months)
    return calendar


def _open_without_loop(theme: Theme, button: QToolButton, months: QMenu) -> None:
    """Let the button open its menu without an event loop inside the event loop.

    A tool button that has a menu runs the menu's own loop until something is chosen (`QMenu.exec`).
    """
    button.setMenu(None)  # type: ignore[arg-type]  # the stub knows no button without a menu
    button.setIcon(theme.icon("chevron-down"))
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands behind the name
    button.clicked.connect(partial(_pop_up, months, button))


def _pop_up(menu: QMenu, button: QToolButton) -> None:
    menu.popup(button.mapToGlobal(QPoint(0, button.height())))
