"""Asks for the name of a template."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QWidget

from app.desk.requests.request_drafts import LONGEST_NAME
from app.ui.quotes import quotes_words as words
from app.ui.theme.tokens import QUESTION_WIDTH, SPACE_2, SPACE_4
from app.ui.widgets.buttons import button
from app.ui.widgets.field import Field
from app.ui.widgets.layout import column, row


class TemplateName(QDialog):
    """`named` carries the name; Escape keeps nothing."""

    named = Signal(str)

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Waybill")
        self.setMinimumWidth(QUESTION_WIDTH)
        self.field = Field(words.TEMPLATE_NAME, limit=LONGEST_NAME)
        self.field.set_text(name)
        self.keep_button = button(words.KEEP, self._keep, kind="primary")
        self.field.changed.connect(self._on_changed)
        buttons = row(None, self.keep_button, button(words.CANCEL, self.reject), gap=SPACE_2)
        self.setLayout(column(self.field, buttons, margin=SPACE_4, gap=SPACE_2))
        self.keep_button.setDefault(True)  # Enter in the field keeps it
        self._on_changed()
        self.field.editor.selectAll()
        self.field.editor.setFocus()

    def _on_changed(self) -> None:
        name = self.field.text().strip()
        self.keep_button.setEnabled(bool(name) and len(name) <= LONGEST_NAME)

    def _keep(self) -> None:
        self.named.emit(" ".join(self.field.text().split()))
        self.accept()
