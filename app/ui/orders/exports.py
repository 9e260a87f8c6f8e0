"""Hands what the table shows to an export: its query, the columns as they stand, and how it is filtered in words."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.store.cache.order_rows import OrderLine
from app.store.cache.schema.conditions import Clause
from app.ui.base.page import Page
from app.ui.orders.filter.order_views_bar import OrderViews
from app.ui.orders.showing import Showing
from app.ui.orders.table.arrangement import names_of
from app.ui.orders.table.raw_columns import parts_among

if TYPE_CHECKING:
    from app.ui.widgets.files.file_strip import FileStrip

_PX_A_LETTER = 7  # of the table's font, on average


class Exports:
    """What shows an export is made when the first one begins, and lies over `over`."""

    def __init__(self, page: Page, over: QWidget, showing: Showing, views: OrderViews) -> None:
        self._page, self._over, self._showing, self._views = page, over, showing, views
        self._strip: FileStrip | None = None

    def strip(self) -> "FileStrip":
        """What shows an export."""
        from app.ui.widgets.files.file_strip import FileStrip  # nobody exports before the first paint

        if self._strip is None:
            self._strip = FileStrip(self._page.room.theme, self._page.tasks, name="Export")
            self._strip.float_over(self._page, self._over)
        return self._strip

    def begin(self) -> None:
        """Ask for a file, and write into it what the table shows."""
        self._begin(())

    def begin_chosen(self, lines: Sequence[OrderLine]) -> None:
        """The same with these orders alone."""
        self._begin(lines)

    def _begin(self, lines: Sequence[OrderLine]) -> None:
        from app.desk.export.export_rows import ExportColumn
        from app.desk.filter.clause_words import clause_words
        from app.ui.orders.export.order_export import OrderExport, export_job

        now = self._showing.now
        if now is None:
            return
        columns = [
            ExportColumn(each.title, each.copied, max(width // _PX_A_LETTER, len(each.title)))
            for each, width in ((placed.column, placed.width) for placed in now.columns)
        ]
        today = self._page.room.now().date()
        words = [clause_words(each, today) for each in now.asked.clauses]
        described = " · ".join([*words, *([f"“{now.asked.text}”"] if now.asked.text else [])])
        title = f"Orders, {self._views.state.current.name}"
        query = now.query._replace(parts=parts_among(names_of(now.columns)))
        if lines:
            title, described = "Orders, chosen", ""
            chosen = Clause("number", tuple(str(each.number) for each in lines))
            query = query._replace(list=None, text="", clauses=(chosen,), either=())
        wanted = OrderExport(query, columns, title, described)
        self.strip().begin(export_job(self._page.desk, wanted, self._page.room.now()))
