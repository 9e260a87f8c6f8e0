"""Rows on their way to the clipboard: as a table that a spreadsheet takes, as text for a message, one field alone.

Thousands of rows are put into letters on another thread, so that the window goes on.
"""

import asyncio
from collections.abc import Sequence

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QApplication

from app.desk.export.spreadsheet_cells import Table, clipboard_table, written
from app.ui.orders.table.arrangement import Arrangement
from app.ui.orders.table.column_list import BY_NAME, Line


async def copy_table(arrangement: Arrangement, lines: Sequence[Line]) -> None:
    """The rows with the columns that are shown, titles above. Pasting it runs nothing."""
    table = await asyncio.get_running_loop().run_in_executor(None, _table, arrangement, lines)
    found = QMimeData()
    found.setText(table.text)
    found.setHtml(table.html)
    QApplication.clipboard().setMimeData(found)


async def copy_text(arrangement: Arrangement, lines: Sequence[Line]) -> None:
    """Each row as lines of title and value, for a message; rows parted by an empty line."""
    text = await asyncio.get_running_loop().run_in_executor(None, _text, arrangement, lines)
    QApplication.clipboard().setText(text)


def copy_field(name: str, lines: Sequence[Line]) -> None:
    """One field of each row, a line each, letter for letter."""
    column = BY_NAME[name]
    QApplication.clipboard().setText("\n".join(written(column.copied(line)) for line in lines))


def _table(arrangement: Arrangement, lines: Sequence[Line]) -> Table:
    columns = [each.column for each in arrangement]
    rows = ([each.copied(line) for each in columns] for line in lines)
    return clipboard_table([each.title for each in columns], rows)


def _text(arrangement: Arrangement, lines: Sequence[Line]) -> str:
    columns = [each.column for each in arrangement]
    blocks = []
    for line in lines:
        told = [(each.title, each.told(line)) for each in columns]
        blocks.append("\n".join(f"{title}: {value}" for title, value in told if value))
    return "\n\n".join(blocks)
