"""The outbox as a table: what was sent or waits, latest first. All writes of an import are one row.

Writes of other desks of a team are rows too, where a person wants to see them.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.desk.bulk.outcome.import_batch import BatchSummary
from app.store.journal.records import WriteRow
from app.ui.outbox import outbox_words as words
from app.ui.outbox.outbox_words import COLUMN_TITLES, KIND_WORDS, StateLook, is_paused, look_of
from app.ui.widgets.lists.row_table import CellLook, RowDelegate
from app.ui.widgets.text.labels import ink_of, plain_tooltip, visible
from app.ui.widgets.text.times import near_moment, today

Index = QModelIndex | QPersistentModelIndex
if TYPE_CHECKING:
    from app.store.team.team_file import OthersWrite

Line: TypeAlias = "WriteRow | BatchSummary | OthersWrite"
_NOWHERE = QModelIndex()
WIDTHS = (116, 160, 112, 172)


class OutboxModel(QAbstractTableModel):
    """Rows of the journal as they were last read."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: Sequence[Line] = ()
        # What the look of each row depends on besides the row: as for `look_of`, and the day.
        self._circumstances: tuple[bool, datetime | None, str, date] = (False, None, "", today())

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMN_TITLES)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMN_TITLES[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return visible(self.cell(index.row(), index.column()))
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(self.cell(index.row(), index.column()))
        return None

    def state_look(self, at: int) -> StateLook:
        """How the state of a row is shown."""
        each = self.rows[at]
        if isinstance(each, BatchSummary):
            return words.import_look(each)
        if not isinstance(each, WriteRow):
            return words.HELD_LOOK if each.held and each.state == "queued" else words.STATE_LOOK[each.state]
        blocked, paused_until, reason, _ = self._circumstances
        return look_of(each, blocked=blocked, paused_until=paused_until, pause_reason=reason)

    def replace(
        self,
        rows: Sequence[Line],
        *,
        blocked: bool = False,
        paused_until: datetime | None = None,
        pause_reason: str = "",
    ) -> None:
        """Show these rows; the other arguments as for `look_of`."""
        circumstances = (blocked, paused_until, pause_reason, today())
        all_look_new = circumstances != self._circumstances
        self._circumstances = circumstances
        # A reset would scroll the view to its top: not while the rows are those of before.
        if list(map(_key, rows)) != list(map(_key, self.rows)):
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()
            return
        # While many orders are sent, the rows are read a few times a second, and few of those in sight have changed: to
        # paint all of them takes most of a frame.
        pairs = enumerate(zip(self.rows, rows, strict=True))
        changed = [at for at, (before, now) in pairs if all_look_new or before != now]
        self.rows = rows
        if changed:
            self.dataChanged.emit(self.index(changed[0], 0), self.index(changed[-1], len(COLUMN_TITLES) - 1))

    def cell(self, at: int, place: int) -> str:
        """The text of a cell, as it is kept."""
        each, (glyph, _, word, meaning) = self.rows[at], self.state_look(at)
        match place:
            case 0:
                return f"{glyph} {word}"
            case 1:
                return each.name if isinstance(each, BatchSummary) else each.reference
            case 2:
                return words.import_kind(each) if isinstance(each, BatchSummary) else KIND_WORDS[each.kind]
            case 3:
                return near_moment(each.changed_at)
            case _:
                if isinstance(each, BatchSummary):
                    return meaning
                if not isinstance(each, WriteRow):
                    return words.by_person(each.person, words.OTHERS_MEANING.get(each.state, meaning))
                # The reason of a pause is newer than the note, which tells of the last attempt.
                blocked, paused_until, _, _ = self._circumstances
                waits = is_paused(each, paused_until) and not blocked
                return meaning if waits else each.note or meaning

    def row_of(self, write_id: int) -> int | None:
        """The row of a write, if it is shown."""
        key = ("", write_id)
        return next((at for at, each in enumerate(self.rows) if _key(each) == key), None)


def _key(line: Line) -> tuple[str, int]:
    """The key of a row: a write of this desk, an import or another desk, and the number there."""
    if isinstance(line, WriteRow):
        return "", line.id
    return ("import", line.id) if isinstance(line, BatchSummary) else (line.desk, line.number)


class OutboxDelegate(RowDelegate):
    """Paints what an `OutboxModel` holds: the state in its colour, a reference cut off in its middle."""

    def look(self, index: Index) -> CellLook:
        model = index.model()
        assert isinstance(model, OutboxModel)
        if index.column() == 0:
            return CellLook(ink=ink_of(model.state_look(index.row()).tone))
        return CellLook(elide=Qt.TextElideMode.ElideMiddle if index.column() == 1 else Qt.TextElideMode.ElideRight)
