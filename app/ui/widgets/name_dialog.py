"""The dialog for a name, such as that of a view: it says at every key why a name cannot be used."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from app.translation import translate
from app.ui.theme.tokens import QUESTION_WIDTH, SPACE_2, SPACE_4
from app.ui.widgets import widget_words as words
from app.ui.widgets.buttons import button
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import text_label, visible


class NameDialog(QDialog):
    """`called` is what a screen reader says of the field, and `name` what stands in it at first.

    `trouble` returns why a name cannot be used, or an empty text; `named` hands over one that can.
    """

    named = Signal(str)

    def __init__(self, parent: QWidget, title: str, called: str, name: str, trouble: Callable[[str], str]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Waybill")
        self.setMinimumWidth(QUESTION_WIDTH)
        self._trouble = trouble
        self.field = QLineEdit(name)
        self.field.setAccessibleName(called)
        self.field.selectAll()
        self.field.textChanged.connect(self._check)
        self.field.returnPressed.connect(self._take)
        self.problem = text_label("", "error", wrap=True)
        self.problem.setMinimumHeight(self.problem.fontMetrics().lineSpacing())
        self.save = button(translate("Save"), self._take, kind="primary")
        self.setLayout(
            column(
                text_label(title, "title"),
                text_label(words.NAME, "label"),
                self.field,
                self.problem,
                row(None, button(translate("Cancel"), self.reject), self.save, gap=SPACE_2),
                margin=SPACE_4,
                gap=SPACE_2,
            )
        )
        self._check(name)

    def _check(self, typed: str) -> None:
        problem = self._trouble(typed.strip())
        self.save.setEnabled(not problem)
        # An empty field is where everyone begins: nothing is wrong with it yet.
        self.problem.setText(visible(problem) if typed else "")
        self.field.setAccessibleDescription(problem)

    def _take(self) -> None:
        name = self.field.text().strip()
        if not self._trouble(name):
            self.named.emit(name)
            self.accept()
