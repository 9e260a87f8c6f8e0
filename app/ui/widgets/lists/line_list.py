"""A list of lines to choose from while the focus stays in a field.

The list is as high as its lines, up to a maximum. A line that cannot be chosen now is painted softly and stays, so that
the reason can be shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from app.ui.theme.theme import SIZES, Theme
from app.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_5, SWATCH_PX
from app.ui.widgets.connection_colour import paint_colour
from app.ui.widgets.grid.grid_model import shown_in_cell
from app.ui.widgets.lists.accessible_choice import AccessibleChoice
from app.ui.widgets.text.labels import plain_tooltip, visible

Index = QModelIndex | QPersistentModelIndex
_LINE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class Line:
    """A line: its text, a soft detail, the value it stands for, and a shortcut as text. `off` greys it out.

    `colour` is the name of a connection's colour, which stands before the text.
    """

    text: str
    detail: str
    value: object
    key: str = ""
    off: bool = False
    colour: str = ""

    @property
    def read(self) -> str:
        """The whole line, as a screen reader says it."""
        return visible(", ".join(part for part in (self.text, self.detail, self.key) if part))


class LineList(QListWidget):
    """`taken` carries a line that was clicked, or chosen through the accessibility tree."""

    taken = Signal(object)

    def __init__(self, theme: Theme, name: str, most: int) -> None:
        super().__init__()
        self._most = most
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_Painted(theme, self))
        self.setMouseTracking(True)
        self.itemClicked.connect(self._take)
        AccessibleChoice(self, self._take_index)

    def fill(self, lines: Sequence[Line]) -> None:
        """Show these lines, with none of them chosen."""
        self.clear()
        for each in lines:
            self.addItem(_item(each))
        self.setCurrentRow(-1)
        self.setVisible(bool(lines))
        self.setFixedHeight(min(len(lines), self._most) * SIZES.row_height + 2)

    @property
    def words(self) -> list[str]:
        """The lines as a screen reader says them."""
        return [_line(self.item(at)).read for at in range(self.count())]

    @property
    def chosen(self) -> Line | None:
        """The chosen line, if there is one."""
        item = self.currentItem() if self.currentRow() >= 0 else None
        return None if item is None else _line(item)

    def step(self, by: int, first: int = 0) -> Line | None:
        """Choose a line `by` places further, not before place `first` (-1: none); returns the chosen line."""
        if self.count():
            self.setCurrentRow(max(min(self.currentRow() + by, self.count() - 1), first))
        return self.chosen

    def _take(self, item: QListWidgetItem) -> None:
        self.taken.emit(_line(item))

    def _take_index(self, index: QModelIndex) -> None:
        self._take(self.itemFromIndex(index))


def _item(line: Line) -> QListWidgetItem:
    item = QListWidgetItem(shown_in_cell(line.text))
    item.setData(_LINE, line)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, line.read)
    item.setToolTip(plain_tooltip(" · ".join(part for part in (line.text, line.detail) if part)))
    if line.off:
        item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
    return item


def _line(item: QListWidgetItem) -> Line:
    line = item.data(_LINE)
    assert isinstance(line, Line)
    return line


class _Painted(QStyledItemDelegate):
    """Paints the text, the soft detail beside it, and the shortcut at the end."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        option.widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        line = index.data(_LINE)
        assert isinstance(line, Line)
        metrics, room = option.fontMetrics, option.rect.adjusted(SPACE_2, 0, -SPACE_2, 0)
        soft, side = self._theme.colour("ink_soft"), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.save()
        painter.setFont(option.font)
        painter.setPen(soft)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, line.key)
        room = room.adjusted(0, 0, -(metrics.horizontalAdvance(line.key) + SPACE_3 if line.key else 0), 0)
        if line.colour:
            paint_colour(painter, QRect(room.left(), room.top(), SWATCH_PX, room.height()), self._theme, line.colour)
            room.setLeft(room.left() + SWATCH_PX + SPACE_2)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.setPen(soft if line.off else option.palette.color(QPalette.ColorRole.Text))
        painter.drawText(room, side, shown)
        beside = QRect(room)
        beside.setLeft(room.left() + metrics.horizontalAdvance(shown) + SPACE_3)
        if beside.width() > SPACE_5:
            painter.setPen(soft)
            detail = shown_in_cell(line.detail)
            painter.drawText(beside, side, metrics.elidedText(detail, Qt.TextElideMode.ElideRight, beside.width()))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, SIZES.row_height)
