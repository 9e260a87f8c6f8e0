"""The audit list as a table: score as figure and bar, and how each audit is marked."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from app.desk.audits.scores import Scale, part_of
from app.store.cache.audits.audit_rows import AuditLine
from app.store.journal.review_store import Marked
from app.translation import translate
from app.ui.audits.audit_columns import COLUMNS
from app.ui.audits.audits_words import marks_words
from app.ui.theme.tokens import BAR_PX, SCORE_BAR_WIDTH, SPACE_2
from app.ui.widgets.lists.paged_model import PagedModel
from app.ui.widgets.lists.row_table import CellLook, Index, RowDelegate
from app.ui.widgets.text.labels import plain_tooltip

_MARKS = len(COLUMNS)
NO_MARKS = Marked(frozenset(), frozenset(), frozenset())


class AuditsModel(PagedModel[AuditLine]):
    """Rows of the cache, with the marks that the journal holds."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__([*(each.title for each in COLUMNS), translate("Reviewed")], parent)
        self.marked = NO_MARKS
        self.scale = Scale()

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole and section < _MARKS and COLUMNS[section].right:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return super().headerData(section, orientation, role)

    def cell(self, line: AuditLine, column: int, role: int) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        if column == _MARKS:
            text = " · ".join(marks_words(line.number, self.marked))
            return plain_tooltip(text) if role == Qt.ItemDataRole.ToolTipRole else text
        read = COLUMNS[column]
        return read.text(line) if role == Qt.ItemDataRole.DisplayRole else plain_tooltip(read.exact(line))

    def show(self, count: int, pages: dict[int, Sequence[AuditLine]], marked: Marked, scale: Scale) -> None:
        """Show the rows of another query."""
        self.marked, self.scale = marked, scale
        self.replace(count, pages)

    def mark(self, marked: Marked) -> None:
        """Show other marks."""
        self.marked = marked
        self.redraw()

    def row_of(self, number: int) -> int | None:
        """The row of an audit, if it is loaded."""
        return next((at for at, line in self.loaded_rows() if line.number == number), None)


class AuditDelegate(RowDelegate):
    """Paints the score with a bar, and the marks as glyphs where there is little room."""

    def look(self, index: Index) -> CellLook:
        model = index.model()
        assert isinstance(model, AuditsModel)
        if index.column() < _MARKS:
            return CellLook(right=COLUMNS[index.column()].right)
        line = model.line(index.row())
        if line is None:
            return CellLook()
        glyphs = "  ".join(each[0] for each in marks_words(line.number, model.marked))
        return CellLook(ink="warn" if line.number in model.marked.flagged else "ink_soft", short=glyphs)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        model = index.model()
        assert isinstance(model, AuditsModel)
        line = model.line(index.row()) if index.column() == 0 else None
        if line is None or line.score is None:
            return
        box: QRect = option.rect
        bar = QRect(box.right() - SCORE_BAR_WIDTH - SPACE_2, box.center().y() - BAR_PX // 2, SCORE_BAR_WIDTH, BAR_PX)
        painter.fillRect(bar, self._colours["line"])
        bar.setWidth(int(SCORE_BAR_WIDTH * part_of(line.score, model.scale.top)))
        painter.fillRect(bar, self._colours[model.scale.tone(line.score)])
