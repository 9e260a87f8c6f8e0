"""References or numbers that were pasted become a filter; those that no order has are listed, to be copied.

Numbers and references are told apart by themselves: what is a number of a known order is a number, else a reference.
"""

import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QPlainTextEdit, QWidget

from app.runtime.tasks import Tasks
from app.ui.theme.tokens import PASTED_SIZE, SPACE_2, SPACE_4
from app.ui.widgets.buttons import button
from app.ui.widgets.layout import column, resize_within_screen, row
from app.ui.widgets.text.labels import text_label, visible

MOST = 10_000
_CELLS = re.compile(r"[\t\r\n]+")
_PARTED, _MARKED = re.compile(r"[\s,;]+"), re.compile(r"[,;]+")


@dataclass(frozen=True, slots=True)
class Sorted:
    """What the store knows of pasted texts: numbers, references, and those that no order has."""

    numbers: tuple[str, ...]
    references: tuple[str, ...]
    unknown: tuple[str, ...]


def split(pasted: str) -> list[str]:
    """What was pasted, cell by cell and line by line. A reference may hold blanks, so nothing is parted by them yet."""
    return _texts(_bare(each) for each in _CELLS.split(pasted))


def parts(cell: str) -> list[str]:
    """The texts in a cell that is no reference as a whole: parted by blanks, commas or semicolons."""
    return _texts(each.strip('"') for each in _PARTED.split(cell))


def marked(cell: str) -> list[str]:
    """The same, parted by commas and semicolons alone."""
    return _texts(each.strip().strip('"') for each in _MARKED.split(cell))


def _bare(cell: str) -> str:
    """A cell without the quotes that a spreadsheet puts around it."""
    text = cell.strip()
    return text[1:-1].replace('""', '"') if len(text) > 1 and text[0] == text[-1] == '"' else text


def _texts(found: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(text for each in found if (text := each.strip())))


class PastedDialog(QDialog):
    """`sort` asks the store; `use` filters by what was found."""

    def __init__(
        self,
        parent: QWidget,
        tasks: Tasks,
        sort: Callable[[list[str]], Awaitable[Sorted]],
        use: Callable[[Sorted], object],
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Waybill")
        resize_within_screen(self, *PASTED_SIZE)
        self._tasks, self._sort, self._use = tasks, sort, use
        self._unknown: tuple[str, ...] = ()
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("References or numbers, one a line")
        self.text.setPlaceholderText("Paste references or order numbers: one a line, or parted by commas")
        self.text.setTabChangesFocus(True)
        self.told = text_label("", "soft", wrap=True)
        self.missing = QPlainTextEdit()
        self.missing.setReadOnly(True)
        self.missing.setTabChangesFocus(True)
        self.missing.setAccessibleName("Not found")
        self.missing.hide()
        self.copy_button = button("Copy those not found", self._copy)
        self.copy_button.hide()
        show = button("Show these orders", self._on_show, kind="primary", key="Ctrl+Return")
        self.setLayout(
            column(
                text_label("Show these orders", "title"),
                self.text,
                self.told,
                self.missing,
                row(self.copy_button, None, button("Close", self.accept), show, gap=SPACE_2),
                margin=SPACE_4,
                gap=SPACE_2,
            )
        )
        clipboard = QApplication.clipboard().text()
        if len(parts(clipboard)) > 1:  # whoever comes here has most likely copied them
            self.text.setPlainText(clipboard)
        self.text.setFocus()

    def _on_show(self) -> None:
        wanted = split(self.text.toPlainText())
        if not wanted:
            self.told.setText("Paste at least one reference or number.")
        elif (count := sum(len(parts(each)) for each in wanted)) > MOST:
            self.told.setText(f"{count:,} were pasted; at most {MOST:,} can be shown at a time.")
        else:
            self._tasks.read("pasted", self._show(wanted))

    async def _show(self, wanted: list[str]) -> None:
        found = await self._sort(wanted)
        self._unknown = found.unknown
        known = len(found.numbers) + len(found.references)
        total = known + len(found.unknown)
        self.told.setText(visible(f"{known:,} of {total:,} found.{' Not found:' if found.unknown else ''}"))
        self.missing.setPlainText(visible("\n".join(found.unknown)))
        self.missing.setVisible(bool(found.unknown))
        self.copy_button.setVisible(bool(found.unknown))
        if known:
            self._use(found)
        if not found.unknown:
            super().done(QDialog.DialogCode.Accepted)

    def _copy(self) -> None:
        QApplication.clipboard().setText("\n".join(self._unknown))

    def done(self, result: int) -> None:
        self._tasks.cancel("pasted")  # what it would tell has no place any more
        super().done(result)
