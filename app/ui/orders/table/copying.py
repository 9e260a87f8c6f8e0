"""Rows to the clipboard: as a table for a spreadsheet, as text for a message, or one column.

Thousands of rows are formatted on another thread, so that the window stays responsive.
"""

import asyncio
from collections.abc import Sequence

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QApplication

from app.desk.export.spreadsheet_cells import Table, clipboard_table, written
from app.ui.orders.table.arrangement import Arrangement
from app.ui.orders.table.column_list import BY_NAME, Line


async def copy_table(arrangement: Arrangement, lines: Sequence[Line]) -> None:
    """Copy the shown columns of the rows, with titles. No cell runs as a formula when it is pasted."""
    table = await asyncio.get_running_loop().run_in_executor(None, _table, arrangement, lines)
    found = QMimeData()
    found.setText(table.text)
    found.setHtml(table.html)
    QApplication.clipboard().setMimeData(found)


async def copy_text(arrangement: Arrangement, lines: Sequence[Line]) -> None:
    """Copy each row as lines of title and value; an empty line between rows."""
    text = await asyncio.get_running_loop().run_in_executor(None, _text, arrangement, lines)
    QApplication.clipboard().setText(text)


def copy_field(name: str, lines: Sequence[Line]) -> None:
    """Copy one column, unformatted, a line for each row."""
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
        values = [(each.title, each.in_words(line)) for each in columns]
        blocks.append("\n".join(f"{title}: {value}" for title, value in values if value))
    return "\n\n".join(blocks)
