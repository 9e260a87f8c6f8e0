"""A date as typed text with a calendar beside it. The calendar fills the text; the text is what counts."""

from PySide6.QtCore import QDate, QLocale, QPoint, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QCalendarWidget, QFrame, QLineEdit, QVBoxLayout

from app.ui.theme.theme import Theme
from app.ui.widgets.buttons import icon_button
from app.ui.widgets.field import Field

_ISO = Qt.DateFormat.ISODate


class DateField(Field):
    """`Alt+Down` or the calendar icon opens the calendar; Escape closes it."""

    def __init__(self, theme: Theme, label: str, hint: str) -> None:
        super().__init__(label, hint=hint)
        assert isinstance(self.editor, QLineEdit)
        self._calendar: QFrame | None = None
        open_button = icon_button(theme, "calendar", f"Calendar for {label}", self._show_calendar)
        # Tab goes from date to date; the calendar has its key.
        open_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.line.addWidget(open_button)
        opener = QShortcut(QKeySequence("Alt+Down"), self.editor, self._show_calendar)
        opener.setContext(Qt.ShortcutContext.WidgetShortcut)

    def _show_calendar(self) -> None:
        frame = QFrame(self, Qt.WindowType.Popup)
        frame.setObjectName("card")
        frame.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        calendar = QCalendarWidget()
        calendar.setLocale(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
        calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        calendar.setAccessibleName("Calendar")
        typed = QDate.fromString(self.text().strip(), _ISO)
        if typed.isValid():
            calendar.setSelectedDate(typed)
        calendar.clicked.connect(self._choose)
        calendar.activated.connect(self._choose)
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.addWidget(calendar)
        self._calendar = frame
        frame.move(self.editor.mapToGlobal(QPoint(0, self.editor.height())))
        frame.show()
        calendar.setFocus()

    def _choose(self, day: QDate) -> None:
        assert isinstance(self.editor, QLineEdit)
        # Set as if typed, so that it is checked and kept.
        self.editor.setText(day.toString(_ISO))
        if self._calendar is not None:
            self._calendar.close()
            self._calendar = None
        self.editor.setFocus()
