"""A date field with a calendar. The calendar writes into the text, and the text is the value.

`+3`, `fri` and `12/24` count as the day that they mean from the first key on. Once it was left, the field
shows that day. A text that is no date stays as it was typed.
"""

from PySide6.QtCore import QDate, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QLineEdit

from app.desk.text.typed_dates import meant_instead, read_typed_date
from app.translation import translate
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_3
from app.ui.widgets.buttons import icon_button
from app.ui.widgets.choosing.floating_calendar import FloatingCalendar
from app.ui.widgets.field import Field
from app.ui.widgets.text import times
from app.ui.widgets.text.labels import restyle

_ISO = Qt.DateFormat.ISODate
_WIDEST = "2026-10-28"


class DateField(Field):
    """`Alt+Down` or the calendar icon opens the calendar; Escape closes it. A narrow field has no icon."""

    settled = Signal()  # the text was replaced by the day that it means

    def __init__(self, theme: Theme, label: str, hint: str) -> None:
        super().__init__(label, hint=hint)
        self._theme = theme
        assert isinstance(self.editor, QLineEdit)
        self._calendar: FloatingCalendar | None = None
        open_button = icon_button(
            theme, "calendar", translate("Calendar for {label} (Alt+Down)", label=label), self._show_calendar
        )
        open_button.setAccessibleName(translate("Calendar for {label}", label=label))
        # Tab goes from date to date; the calendar has its key.
        open_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        open_button.setProperty("tight", True)
        self.line.addWidget(open_button)
        self._open_button = open_button
        opener = QShortcut(QKeySequence("Alt+Down"), self.editor, self._show_calendar)
        opener.setContext(Qt.ShortcutContext.WidgetShortcut)
        self.editor.editingFinished.connect(self._settle)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where a whole date does not fit beside the button (large text in a small window), the button gives way,
        and where it does not fit then either, the padding of the text."""
        super().resizeEvent(event)
        date = self.editor.fontMetrics().horizontalAdvance(_WIDEST) + 2 * SPACE_3
        beside = self._open_button.sizeHint().width() + self.line.spacing()
        self._open_button.setVisible(self.width() >= date + beside)
        tight = self.width() < date
        if bool(self.editor.property("tight")) != tight:
            self.editor.setProperty("tight", tight)
            restyle(self.editor)

    def text(self) -> str:
        """The meant day as YYYY-MM-DD, or the typed text if it means none."""
        typed = super().text()
        day = read_typed_date(typed, times.today())
        return typed if day is None else day.isoformat()

    def set_text(self, text: str) -> None:
        """Set the date as text without counting it as typed; what was being typed is settled first."""
        self._settle()
        super().set_text(text)

    def _settle(self) -> None:
        """Replace the text by the day that it means; the field's own undo brings the text back."""
        assert isinstance(self.editor, QLineEdit)
        meant = self.text()
        if self.editor.text() != meant:
            self.editor.blockSignals(True)  # the value is the same, so this is no typing
            self.editor.selectAll()
            self.editor.insert(meant)
            self.editor.blockSignals(False)
            self.settled.emit()

    def _show_calendar(self) -> None:
        if self._calendar is not None:
            self._calendar.close_now()
            return
        typed, now = super().text(), times.today()
        meant = read_typed_date(typed, now) or meant_instead(typed, now)
        shown = FloatingCalendar(
            self._theme, self.editor, translate("Calendar for {label}", label=self._name), meant or times.today()
        )
        shown.left.connect(self.editor.setFocus)
        shown.chosen.connect(self._choose)
        shown.over.connect(self._forget_calendar)
        self._calendar = shown
        shown.open()

    def _forget_calendar(self) -> None:
        self._calendar = None

    def _choose(self, day: QDate) -> None:
        # As if typed, so that the day is checked and saved.
        self.put(day.toString(_ISO))
