"""The meanings of a column's values: a small table from the words of the file to the values that are sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

from app.desk.bulk.rows.import_sheet import ImportSheet
from app.ui.bulk import bulk_page_words as words
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_2, SPACE_4, TRANSLATIONS_SIZE
from app.ui.widgets.buttons import button
from app.ui.widgets.grid.grid import RowColumn, RowsEditor
from app.ui.widgets.layout import column, resize_within_screen, row
from app.ui.widgets.text.labels import text_label, visible

_LISTED = 200
_COLUMNS = (RowColumn("found", words.FILE_SAYS, 240), RowColumn("means", words.IT_MEANS))


@dataclass(frozen=True, slots=True)
class Translation:
    """A value of the file and what it means; blank for a value that stays as it is."""

    found: str = ""
    means: str = ""


def values_of(sheet: ImportSheet, place: int) -> list[str]:
    """The different values of a column, in the order of the file, up to a bound."""
    found: dict[str, None] = {}
    for at in range(len(sheet)):
        text = sheet.cell(at, place).strip()
        if text:
            found.setdefault(text)
        if len(found) >= _LISTED:
            break
    return list(found)


class TranslationsDialog(QDialog):
    """`chosen` carries the table by value of the file."""

    chosen = Signal(object)

    def __init__(
        self, parent: QWidget, theme: Theme, title: str, values: Sequence[str], known: Mapping[str, str]
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Waybill")
        resize_within_screen(self, *TRANSLATIONS_SIZE)
        left = dict(known)
        rows = [Translation(each, left.pop(each.casefold(), left.pop(each, ""))) for each in values]
        rows += [Translation(found, means) for found, means in left.items()]
        self.rows = RowsEditor(theme, words.VALUES_NAME, _COLUMNS, words.ADD_VALUE, Translation)
        self.rows.load(rows)
        take = button(words.TAKE, self._take, kind="primary")
        self.setLayout(
            column(
                text_label(visible(title), "title"),
                text_label(words.VALUES_HELP, "soft", wrap=True),
                self.rows, None,
                row(None, button(words.CANCEL, self.reject), take, gap=SPACE_2),
                margin=SPACE_4, gap=SPACE_2,
            )
        )  # fmt: skip

    def _take(self) -> None:
        pairs = ((each.found.strip(), each.means.strip()) for each in self.rows.rows())
        self.chosen.emit({found.casefold(): means for found, means in pairs if found and means})
        self.accept()
