"""A bar per commodity: scanned pieces of the freight's count. Choosing a bar makes its commodity the current one.

Colour is never the only sign: the figure and a glyph say the same (✓ all scanned, ! more than the freight says).
"""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.desk.drafts.scanning import Tally
from app.translation import translate
from app.ui.entry import entry_words
from app.ui.theme.theme import SIZES, Theme
from app.ui.theme.tokens import BAR_PX, SPACE_2, TALLY_HEIGHT
from app.ui.widgets.lists.accessible_choice import AccessibleChoice
from app.ui.widgets.text.labels import plain_tooltip, visible

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_SHOWN = 4
_TALLY = int(Qt.ItemDataRole.UserRole)
_CURRENT = _TALLY + 1


class TallyModel(QAbstractListModel):
    """The tallies, and which commodity is the current one."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.tallies: list[Tally] = []
        self.current = ""

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.tallies)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        tally = self.tallies[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                current = tally.commodity == self.current
                return entry_words.tally_line(visible(tally.commodity), words(tally), current=current)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tooltip(entry_words.tally_line(tally.commodity, words(tally), current=False))
        if role == _TALLY:
            return tally
        return tally.commodity == self.current if role == _CURRENT else None

    def show(self, tallies: Sequence[Tally], current: str) -> bool:
        """Show these tallies. True if there are as many as before."""
        # As many as before are shown in place: a reset would take the view back to its beginning at each scan.
        same = len(tallies) == len(self.tallies)
        if not same:
            self.beginResetModel()
        self.tallies, self.current = list(tallies), current
        if not same:
            self.endResetModel()
        elif self.tallies:
            self.dataChanged.emit(self.index(0), self.index(len(self.tallies) - 1))
        return same


class TallyBars(QListView):
    """`chosen` carries the commodity of the bar that was clicked, or activated by Enter."""

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._model = TallyModel(self)
        self.setModel(self._model)
        self.setItemDelegate(_BarDelegate(theme, self))
        self.setAccessibleName(translate("Scanned by commodity"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # Ctrl+Up and Ctrl+Down in the scan field do the same
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)
        AccessibleChoice(self, self._on_chosen)
        self.hide()

    def show_tallies(self, tallies: Sequence[Tally], current: str) -> None:
        """Show these tallies, and scroll to the current one."""
        if (list(tallies), current) == (self._model.tallies, self._model.current):
            return
        self._model.show(tallies, current)
        self.setFixedHeight(min(len(tallies), _SHOWN) * SIZES.scaled(TALLY_HEIGHT))
        self.setVisible(bool(tallies))
        at = next((at for at, each in enumerate(tallies) if each.commodity == current), -1)
        if at >= 0:
            self.scrollTo(self._model.index(at))

    def words(self) -> list[str]:
        """The text of each bar."""
        return [str(self._model.index(at).data()) for at in range(self._model.rowCount())]

    def _on_chosen(self, index: QModelIndex) -> None:
        self.chosen.emit(index.data(_TALLY).commodity)


class _BarDelegate(QStyledItemDelegate):
    """Code, bar, figure."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, SIZES.scaled(TALLY_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tally, current = index.data(_TALLY), bool(index.data(_CURRENT))
        whole: QRect = option.rect.adjusted(SPACE_2, 0, -SPACE_2, 0)
        third = whole.width() // 3
        code, figure = QRect(whole), QRect(whole)
        code.setWidth(third - SPACE_2)
        figure.setLeft(whole.right() - third + SPACE_2)
        painter.save()
        if current:
            painter.fillRect(option.rect, self._theme.colour("selection"))
        self._write(painter, code, ("▸ " if current else "") + visible(tally.commodity), "ink", left=True)
        self._bar(painter, QRect(code.right() + SPACE_2, whole.center().y() - BAR_PX // 2, third, BAR_PX), tally)
        self._write(painter, figure, words(tally), tone(tally), left=False)
        painter.restore()

    def _write(self, painter: QPainter, where: QRect, text: str, colour: str, *, left: bool) -> None:
        side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
        painter.setPen(self._theme.colour(colour))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, where.width())
        painter.drawText(where, int(side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), shown)

    def _bar(self, painter: QPainter, where: QRect, tally: Tally) -> None:
        painter.fillRect(where, self._theme.colour("line"))
        full = QRect(where)
        share = float(tally.scanned / tally.wanted) if tally.wanted > 0 else float(tally.scanned)
        full.setWidth(int(where.width() * min(max(share, 0.0), 1.0)))
        painter.fillRect(full, self._theme.colour(tone(tally)))


def words(tally: Tally) -> str:
    """`✓ 4 of 4`, `2 of 4`, `! 5 of 4`."""
    figures = entry_words.tally(f"{tally.scanned.normalize():,f}", f"{tally.wanted.normalize():,f}")
    glyph = "! " if tally.left < 0 else "✓ " if tally.scanned and not tally.left else ""
    return f"{glyph}{figures}"


def tone(tally: Tally) -> str:
    """The colour of a tally's meaning."""
    return "warn" if tally.left < 0 else "good" if not tally.left else "accent"
