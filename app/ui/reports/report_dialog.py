"""Shows a report before anybody copies it: the whole text, what is in it, and a button that copies it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from app.ui.reports import reports_words as words
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import REPORT_HEIGHT, REPORT_WIDTH, SPACE_3, SPACE_4, SPACE_5
from app.ui.widgets.buttons import button
from app.ui.widgets.code.code_view import CodeView
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import text_label


class ReportDialog(QDialog):
    """Not modal, so the window stays usable. The text has the keyboard; Escape closes."""

    def __init__(self, parent: QWidget, theme: Theme, title: str, explained: str, text: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self._text = text
        self.view = CodeView(theme, title, read_only=True)
        self.view.show_text(text)
        self._note = text_label("", "soft")
        self.copy_button = button(words.COPY, self._copy, kind="primary")
        self.setLayout(
            column(
                text_label(title, "title"),
                text_label(explained, "soft", wrap=True),
                self.view,
                row(self._note, None, self.copy_button, button(words.CLOSE, self.accept), gap=SPACE_3),
                margin=SPACE_4,
                gap=SPACE_3,
            )
        )
        size = parent.window().size()
        self.resize(min(REPORT_WIDTH, size.width() - 2 * SPACE_5), min(REPORT_HEIGHT, size.height() - 2 * SPACE_5))
        self.view.setFocus()

    def _copy(self) -> None:
        QApplication.clipboard().setText(self._text)
        self._note.setText(words.COPIED)


def show_report(parent: QWidget, theme: Theme, title: str, explained: str, text: str) -> ReportDialog:
    """Open a report; one that is open already makes way for it."""
    for before in parent.window().findChildren(ReportDialog):
        before.close()
    dialog = ReportDialog(parent.window(), theme, title, explained, text)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
    return dialog
