"""The dialog that snoozes a line: until when, and why. Enter snoozes, Up and Down choose the time from the reason.

Invariant: of a reason nothing is cut off unsaid: one that is too long is not taken, and its length is said.
"""

from datetime import datetime

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from app.desk.today.put_off import LONGEST_REASON
from app.ui.theme.tokens import QUESTION_WIDTH, SPACE_2, SPACE_4
from app.ui.today import today_page_words as words
from app.ui.widgets.buttons import button
from app.ui.widgets.field import NO_LIMIT, Choice, LengthLimit
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import restyle, text_label, visible

_NEAR = 0.8  # the length is said when this share of the limit is used


class SnoozeDialog(QDialog):
    """`chosen` carries the time and the reason."""

    chosen = Signal(object, str)

    def __init__(self, parent: QWidget, title: str, now: datetime) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Waybill")
        self.setMinimumWidth(QUESTION_WIDTH)
        self.times = Choice(words.SNOOZE_UNTIL)
        for name, when in words.snooze_times(now):
            self.times.addItem(name, when)
        self.reason = QLineEdit()
        self.reason.setMaxLength(NO_LIMIT)
        self.reason.setValidator(LengthLimit(self.reason))
        self.reason.setAccessibleName(words.REASON)
        self.reason.setPlaceholderText(words.REASON_HINT)
        self.reason.installEventFilter(self)
        self.reason.returnPressed.connect(self._take)
        self.reason.textChanged.connect(self._on_typed)
        self.length = text_label("", "label", wrap=True)
        self.length.setMinimumHeight(self.length.fontMetrics().lineSpacing())  # so that nothing moves when it speaks
        self.snooze_button = button(words.SNOOZE_NOW, self._take, kind="primary")
        self.setLayout(
            column(
                text_label(visible(words.snooze_title(title)), "title"),
                text_label(words.SNOOZE_UNTIL, "label"),
                self.times,
                text_label(words.REASON, "label"),
                self.reason,
                self.length,
                row(None, button(words.CANCEL, self.reject), self.snooze_button, gap=SPACE_2),
                margin=SPACE_4,
                gap=SPACE_2,
            )
        )
        self.reason.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            by = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if by is not None and not event.modifiers():
                self.times.setCurrentIndex(min(max(self.times.currentIndex() + by, 0), self.times.count() - 1))
                return True
        return super().eventFilter(watched, event)

    def _on_typed(self, text: str) -> None:
        length = len(text.strip())
        too_long = length > LONGEST_REASON
        said = words.reason_length(length, LONGEST_REASON) if length >= LONGEST_REASON * _NEAR else ""
        self.length.setText(said)
        self.length.setProperty("role", "error" if too_long else "label")
        restyle(self.length)
        self.reason.setAccessibleDescription(said)
        self.snooze_button.setEnabled(not too_long)

    def _take(self) -> None:
        if not self.snooze_button.isEnabled():
            return
        when = self.times.currentData()
        self.accept()
        self.chosen.emit(when, self.reason.text())
