"""A date as typed text with a calendar beside it. The calendar fills the text; the text is what counts.

`+3`, `fri` and `12/24` are read as the day they mean from the first key on, and shown as it once the field is left. A
text that is no date stays as it was typed.
"""

from PySide6.QtCore import QDate, QLocale, QPoint, Qt
from PySide6.QtGui import QKeySequence, QShortcut, QTextCharFormat
from PySide6.QtWidgets import QCalendarWidget, QFrame, QLineEdit, QVBoxLayout

from app.desk.typed_dates import read_typed_date
from app.ui.theme.theme import Theme
from app.ui.widgets import times
from app.ui.widgets.buttons import icon_button
from app.ui.widgets.field import Field

_ISO = Qt.DateFormat.ISODate


class DateField(Field):
    """`Alt+Down` or the calendar icon opens the calendar; Escape closes it."""

    def __init__(self, theme: Theme, label: str, hint: str) -> None:
        super().__init__(label, hint=hint)
        self._theme = theme
        assert isinstance(self.editor, QLineEdit)
        self._calendar: QFrame | None = None
        open_button = icon_button(theme, "calendar", f"Calendar for {label} (Alt+Down)", self._show_calendar)
        open_button.setAccessibleName(f"Calendar for {label}")
        # Tab goes from date to date; the calendar has its key.
        open_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        open_button.setProperty("tight", True)
        self.line.addWidget(open_button)
        opener = QShortcut(QKeySequence("Alt+Down"), self.editor, self._show_calendar)
        opener.setContext(Qt.ShortcutContext.WidgetShortcut)
        self.editor.editingFinished.connect(self._settle)

    def text(self) -> str:
        """The day that is meant as YYYY-MM-DD, or exactly what was typed if it means none."""
        typed = super().text()
        day = read_typed_date(typed, times.today())
        return typed if day is None else day.isoformat()

    def set_text(self, text: str) -> None:
        self._settle()
        super().set_text(text)

    def _settle(self) -> None:
        """Show the day instead of the text that meant it; the field's own undo brings the text back."""
        assert isinstance(self.editor, QLineEdit)
        meant = self.text()
        if self.editor.text() != meant:
            self.editor.blockSignals(True)  # it means the same as before
            self.editor.selectAll()
            self.editor.insert(meant)
            self.editor.blockSignals(False)

    def _show_calendar(self) -> None:
        frame = QFrame(self, Qt.WindowType.Popup)
        frame.setObjectName("card")
        frame.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        calendar = self._make_calendar()
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.addWidget(calendar)
        self._calendar = frame
        frame.move(self.editor.mapToGlobal(QPoint(0, self.editor.height())))
        frame.show()
        calendar.setFocus()

    def _make_calendar(self) -> QCalendarWidget:
        calendar = QCalendarWidget()
        calendar.setLocale(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
        calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        calendar.setAccessibleName("Calendar")
        # Colour is never the only sign: the note below the field says that a day is at a weekend.
        weekend = QTextCharFormat()
        weekend.setForeground(self._theme.colour("warn"))
        weekend.setBackground(self._theme.colour("raised"))
        for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
            calendar.setWeekdayTextFormat(day, weekend)
        typed = QDate.fromString(self.text().strip(), _ISO)
        if typed.isValid():
            calendar.setSelectedDate(typed)
        calendar.clicked.connect(self._choose)
        calendar.activated.connect(self._choose)
        return calendar

    def _choose(self, day: QDate) -> None:
        assert isinstance(self.editor, QLineEdit)
        # Set as if typed, so that it is checked and kept.
        self.editor.setText(day.toString(_ISO))
        if self._calendar is not None:
            self._calendar.close()
            self._calendar = None
        self.editor.setFocus()
