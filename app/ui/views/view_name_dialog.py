"""Asks for the name of a view beside the window, and says while one types why it cannot be called so."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from app.ui.theme.tokens import QUESTION_WIDTH, SPACE_2, SPACE_4
from app.ui.widgets.buttons import button
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import text_label, visible


class NameDialog(QDialog):
    """`named` hands over a name that `trouble` says nothing against."""

    named = Signal(str)

    def __init__(self, parent: QWidget, title: str, name: str, trouble: Callable[[str], str]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Waybill")
        self.setMinimumWidth(QUESTION_WIDTH)
        self._trouble = trouble
        self.field = QLineEdit(name)
        self.field.setAccessibleName("Name of the view")
        self.field.selectAll()
        self.field.textChanged.connect(self._look)
        self.field.returnPressed.connect(self._take)
        self.problem = text_label("", "error", wrap=True)
        self.problem.setMinimumHeight(self.problem.fontMetrics().lineSpacing())
        self.save = button("Save", self._take, kind="primary")
        self.setLayout(
            column(
                text_label(title, "title"),
                text_label("Name", "label"),
                self.field,
                self.problem,
                row(None, button("Cancel", self.reject), self.save, gap=SPACE_2),
                margin=SPACE_4,
                gap=SPACE_2,
            )
        )
        self._look(name)

    def _look(self, typed: str) -> None:
        words = self._trouble(typed.strip())
        self.save.setEnabled(not words)
        self.problem.setText(visible(words) if typed else "")
        self.field.setAccessibleDescription(words)

    def _take(self) -> None:
        name = self.field.text().strip()
        if not self._trouble(name):
            self.named.emit(name)
            self.accept()
