"""Hands what the table shows to an export: its query, the columns as they stand, and how it is filtered in words."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.ui.orders.showing import Showing
from app.ui.orders.views import Views
from app.ui.page import Page
from app.ui.widgets.layout import column

if TYPE_CHECKING:
    from app.ui.orders.exporting import Exporting

_PX_A_LETTER = 7  # of the table's font, on average


class Exports:
    """`place` stands above the table; what shows an export is made when the first one begins."""

    def __init__(self, page: Page, showing: Showing, views: Views) -> None:
        self._page, self._showing, self._views = page, showing, views
        self.place = QWidget()
        self.place.setLayout(column())
        self.exporting: Exporting | None = None

    def begin(self) -> None:
        """Ask for a file, and write into it what the table shows."""
        from app.desk.export.rows import ExportColumn
        from app.desk.filter_words import clause_words
        from app.ui.orders.exporting import Exporting, Wanted

        now = self._showing.now
        if now is None:
            return
        if self.exporting is None:
            self.exporting = Exporting(self._page.room, self._page.tasks)
            layout = self.place.layout()
            assert layout is not None
            layout.addWidget(self.exporting)
        columns = [
            ExportColumn(each.title, each.copied, max(width // _PX_A_LETTER, len(each.title)))
            for each, width in ((placed.column, placed.width) for placed in now.columns)
        ]
        today = self._page.room.now().date()
        words = [clause_words(each, today) for each in now.asked.clauses]
        described = " · ".join([*words, *([f"“{now.asked.text}”"] if now.asked.text else [])])
        name = self._views.state.current.name
        self.exporting.begin(self._page.desk, Wanted(now.query, columns, f"Orders, {name}", described))
