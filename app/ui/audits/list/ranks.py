"""Facilities or vendors ranked by their mean score, the lowest first. Choosing one filters the list by it."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QStyledItemDelegate, QStyleOptionViewItem

from app.desk.audits.scores import Rank, Scale, mean_figure, part_of
from app.ui.audits.audits_words import NO_GROUP, rank_words
from app.ui.theme.theme import SIZES, Theme
from app.ui.theme.tokens import BAR_PX, EDGE_PX, SPACE_2, SPACE_4, TALLY_HEIGHT
from app.ui.widgets.lists.accessible_choice import AccessibleChoice
from app.ui.widgets.text.labels import plain_tooltip, visible

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_RANK = int(Qt.ItemDataRole.UserRole)
_LEAST_BAR = 32
_STEADY = 0.01  # of the highest score there may be: a smaller change counts as none


class RanksModel(QAbstractListModel):
    """The ranks, the scale of scores, and the chosen names."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.ranks: Sequence[Rank] = ()
        self.scale = Scale()
        self.picked: frozenset[str] = frozenset()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.ranks)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        rank = self.ranks[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._words(rank)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(self._words(rank))
        return rank if role == _RANK else None

    def _words(self, rank: Rank) -> str:
        return rank_words(rank, _STEADY * self.scale.top)

    def show(self, ranks: Sequence[Rank], scale: Scale, picked: frozenset[str]) -> None:
        """Show these ranks."""
        self.beginResetModel()
        self.ranks, self.scale, self.picked = ranks, scale, picked
        self.endResetModel()


class RanksList(QListView):
    """`chosen` carries the name of the rank that was clicked, or activated by Enter."""

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._model = RanksModel(self)
        self.setModel(self._model)
        self.setItemDelegate(_RankDelegate(theme, self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)
        AccessibleChoice(self, self._on_chosen)
        theme.changed.connect(self.viewport().update)

    def show_ranks(self, ranks: Sequence[Rank], scale: Scale, picked: frozenset[str], name: str) -> None:
        """Show these ranks; `name` is what a screen reader calls the list."""
        self.setAccessibleName(name)
        if (list(ranks), scale, picked) == (list(self._model.ranks), self._model.scale, self._model.picked):
            return
        here = self.currentIndex().row()
        self._model.show(ranks, scale, picked)
        if 0 <= here < len(ranks):
            self.setCurrentIndex(self._model.index(here))

    def words(self) -> list[str]:
        """The text of each line."""
        return [str(self._model.index(at).data()) for at in range(self._model.rowCount())]

    def _on_chosen(self, index: QModelIndex) -> None:
        self.chosen.emit(index.data(_RANK).name)


class _RankDelegate(QStyledItemDelegate):
    """Name, bar, mean, change."""

    def __init__(self, theme: Theme, view: RanksList) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, SIZES.scaled(TALLY_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        assert isinstance(model, RanksModel)
        rank = model.ranks[index.row()]
        box: QRect = option.rect
        here = self._view.hasFocus() and self._view.currentIndex() == index
        if rank.name in model.picked or here:
            painter.fillRect(box, self._theme.colour("selection"))
        if rank.name in model.picked:
            painter.fillRect(box.left(), box.top(), EDGE_PX, box.height(), self._theme.colour("accent"))
        inner = box.adjusted(SPACE_2, 0, -SPACE_2, 0)
        # The figures first: with large text they need more of the width, and the bar gives it.
        said = mean_figure(rank.mean, model.scale.top)
        metrics = painter.fontMetrics()
        widest = metrics.horizontalAdvance(mean_figure(model.scale.top, model.scale.top)) + SPACE_4 + SPACE_2
        figures = QRect(inner)
        figures.setLeft(inner.right() - max(inner.width() * 2 // 5, widest + _LEAST_BAR))
        name = QRect(inner)
        name.setRight(figures.left() - SPACE_2)
        self._write(painter, name, visible(rank.name) or NO_GROUP, "ink", left=True)
        bar = figures.adjusted(0, 0, -widest, 0)
        self._bar(painter, bar, part_of(rank.mean, model.scale.top), model.scale.tone(rank.mean))
        self._write(painter, figures, arrow(rank.change, model.scale.top), "ink", left=False)
        figures.setRight(figures.right() - SPACE_4)
        self._write(painter, figures, said, "ink", left=False)

    def _bar(self, painter: QPainter, box: QRect, part: float, tone: str) -> None:
        bar = QRect(box.left(), box.center().y() - BAR_PX // 2, box.width(), BAR_PX)
        painter.fillRect(bar, self._theme.colour("line"))
        bar.setWidth(int(bar.width() * part))
        painter.fillRect(bar, self._theme.colour(tone))

    def _write(self, painter: QPainter, box: QRect, text: str, colour: str, *, left: bool) -> None:
        side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
        painter.setPen(self._theme.colour(colour))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, int(side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), shown)


def arrow(change: float | None, top: float) -> str:
    """`↑`, `↓` or `→`: how the later half compares with the earlier; a blank where too little is known."""
    if change is None:
        return " "
    return "→" if abs(change) < _STEADY * top else "↑" if change > 0 else "↓"
