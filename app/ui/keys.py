"""F1: every key of the program, in one list."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QWidget

from app.ui.theme.tokens import SPACE_1, SPACE_3, SPACE_4, SPACE_5
from app.ui.widgets.buttons import button
from app.ui.widgets.labels import text_label
from app.ui.widgets.layout import column, row

KEYS: tuple[tuple[str, str], ...] = (
    ("Ctrl+1", "Orders"),
    ("Ctrl+2", "New order"),
    ("Ctrl+3", "Outbox"),
    ("Ctrl+4", "Audits"),
    ("Ctrl+5", "Settings"),
    ("Ctrl+N", "New order"),
    ("Ctrl+Return", "Submit the order in the form"),
    ("Ctrl+Shift+Return", "Submit it, and the next keeps what the template fixes"),
    ("F4", "Next field that the template asks for, or that is not right yet"),
    ("Ctrl+Space", "What is known and fits the field; Down chooses, Enter or Tab takes it"),
    ("Ctrl+Shift+F", "Facilities for the ZIP and bill-to in the form"),
    ("Alt+Z", "Take back what was just filled in, or do what the message offers"),
    ("Alt+T", "Templates"),
    ("Ctrl+Shift+S", "Keep what stands in the form as a template"),
    ("Ctrl+PgDown", "Next open draft; Ctrl+PgUp for the one before"),
    ("Ctrl+W", "Put the draft away"),
    ("Ctrl+Shift+T", "Open the draft again that was put away last"),
    ("Ctrl+E", "Change the order shown"),
    ("Ctrl+D", "Clone the order shown"),
    ("Alt+1", "First section of the form; Alt+2 to Alt+6 for the others, Alt+4 to scan"),
    ("Alt+Down", "Calendar of a date; a date may be typed as +3, fri or 12/24"),
    ("Ctrl+Z", "In rows and the scan field: take the last change back; Ctrl+Y makes it again"),
    ("Insert", "In rows: a new row below; Enter on the last row adds one"),
    ("Ctrl+D", "In rows: duplicate; Alt+Up and Alt+Down move, Ctrl+Delete removes"),
    ("Ctrl+V", "In rows: paste a block from a spreadsheet; in the scan field: a column of barcodes"),
    ("Ctrl+Tab", "In rows: leave them; Ctrl+Shift+Tab leaves backwards"),
    ("Ctrl+Down", "In the scan field: the next commodity; Ctrl+Up for the one before"),
    ("Ctrl+G", "In the scan field: begin a group, or end it"),
    ("Backspace", "In the empty scan field: take off what was scanned last"),
    ("Ctrl+F", "Filter orders; in their table it is enough to type"),
    ("F5", "Refresh orders; Ctrl+F5 stops"),
    ("F7", "Dates of the orders: which are known, which are missing and why"),
    ("Ctrl+L", "Look up the status of the order shown"),
    ("Ctrl+P", "Print labels or a sheet of the order shown or in the form; of audits a PDF report"),
    ("Ctrl+Shift+P", "Case file of the order shown, or of the order that the opened audit names"),
    ("Ctrl+Shift+S", "Among the audits: save their photos into a folder"),
    ("Ctrl+PgDown", "Among the orders: the next view; Ctrl+PgUp for the one before"),
    ("Alt+V", "Save what is shown as a view, or change the views"),
    ("Ctrl+Shift+V", "Show the orders whose references or numbers were copied"),
    ("Ctrl+Shift+E", "Export what the table shows; Ctrl+Alt+E the selected orders"),
    ("Ctrl+B", "Watch the selected orders, or no longer"),
    ("Ctrl+Shift+M", "Mark the selected orders as seen"),
    ("Ctrl+C", "Copy the selected rows as a table"),
    ("Ctrl+Shift+C", "Copy the reference of the order shown"),
    ("Ctrl+Delete", "Cancel the order shown, or all that are selected"),
    ("Alt+Down", "The next order, of the one shown; Alt+Up for the one before"),
    ("Alt+D", "The documents of the order shown; Enter shows one"),
    ("F11", "In a document: more room; Left and Right for its neighbours, PgDown for its next page"),
    ("Ctrl+S", "In a document: save it into a folder"),
    ("Escape", "Close the document, then the order shown"),
    ("Ctrl+K", "Search or command: orders by any number, actions, pages, views"),
    ("F8", "Columns of the orders: show, hide, move, size, sort"),
    ("Shift+F5", "Refresh the selected orders alone"),
    ("Ctrl+Alt+C", "Copy the selected rows as text"),
    ("Menu", "What can be done with the selected rows"),
    ("D", "In an audit: the next photo, A the one before; S and W go through the questions"),
    ("1", "In photos: fit; 2 shows 100 %, 3 shows 200 %, + and - go nearer and farther"),
    ("C", "In photos: one, two or four side by side; R turns, G is the loupe, L the light"),
    ("V", "In photos: draw an arrow, B a box, T words; arrow keys and Enter do too"),
    ("F1", "This list"),
)


class KeysDialog(QDialog):
    """Stands beside the window and blocks nothing, its closing included; Escape closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Keys")
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE_4)
        grid.setVerticalSpacing(SPACE_1)
        # Side by side, so that all of them fit on a small screen.
        lines = (len(KEYS) + 1) // 2
        for at, (key, words) in enumerate(KEYS):
            shown = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
            line, place = at % lines, at // lines * 3
            grid.addWidget(text_label(shown, "strong"), line, place)
            grid.addWidget(text_label(words), line, place + 1)
        grid.setColumnMinimumWidth(2, SPACE_5)
        close = button("Close", self.accept)
        self.setLayout(column(text_label("Keys", "title"), grid, row(None, close), margin=SPACE_4, gap=SPACE_3))


def show_keys(window: QWidget) -> None:
    """Show the list, or bring the one that is open to the front."""
    dialog = window.findChild(KeysDialog) or KeysDialog(window)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
