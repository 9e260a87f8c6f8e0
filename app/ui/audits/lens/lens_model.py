"""One question across audits as a table: a row for each audit, low and failed answers marked."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QResizeEvent

from app.desk.audits.answer_grades import Judgement, judge, scale_of
from app.store.cache.audits.audit_rows import LensRow
from app.translation import translate
from app.ui.audits.audit_columns import JUDGED
from app.ui.audits.audits_words import score_text
from app.ui.widgets.lists.row_table import CellLook, RowDelegate, RowTable
from app.ui.widgets.text.labels import plain_tooltip, visible
from app.ui.widgets.text.times import day, moment

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
# Title, width, and the column of the store to sort by; none for what it cannot sort by.
COLUMNS: tuple[tuple[str, int, str], ...] = (
    (translate("Answer"), 168, ""),
    (translate("Score"), 56, "score"),
    (translate("Date"), 96, "date"),
    (translate("Facility"), 80, "facility"),
    (translate("Vendor"), 152, "vendor"),
    (translate("Photo"), 56, ""),
    (translate("Audit"), 72, "number"),
)
_ANSWER = 0


class LensModel(QAbstractTableModel):
    """The rows as the store gave them; all of them are loaded."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: Sequence[LensRow] = ()
        self.judged: list[Judgement] = []

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section][0]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        exact = role == Qt.ItemDataRole.ToolTipRole
        words = visible(self._words(index.row(), index.column(), exact=exact))
        return plain_tooltip(words) if exact else words

    def show(self, rows: Sequence[LensRow]) -> None:
        """Show these rows, each answer graded on the scale of all of them."""
        self.beginResetModel()
        self.rows = rows
        scale = scale_of(each.answer for each in rows)
        self.judged = [judge(each.answer, scale) for each in rows]
        self.endResetModel()

    def _words(self, at: int, column: int, *, exact: bool) -> str:
        each = self.rows[at]
        audit = each.audit
        match column:
            case 0:
                return f"{JUDGED[self.judged[at]][0]} {each.answer}" if each.answer else ""
            case 1:
                return score_text(audit.score)
            case 2:
                return moment(audit.date) if exact else day(audit.date)
            case 3:
                return audit.facility or ""
            case 4:
                return audit.vendor or ""
            case 5:
                return translate("Yes") if each.photo else ""
            case _:
                return str(audit.number)


class LensTable(RowTable):
    """The column of answers takes all width that the other columns leave."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        others = sum(self.columnWidth(place) for place in range(len(COLUMNS)) if place != _ANSWER)
        self.setColumnWidth(_ANSWER, max(COLUMNS[_ANSWER][1], self.viewport().width() - others))


class LensDelegate(RowDelegate):
    """Paints an answer in the colour of its grade."""

    def look(self, index: Index) -> CellLook:
        model = index.model()
        assert isinstance(model, LensModel)
        if index.column() != _ANSWER:
            return CellLook()
        return CellLook(ink=JUDGED[model.judged[index.row()]][1])
