"""The list of *Today*: headings of groups, a line of two rows for each thing, and how many more a group has.

Invariant: what a screen reader says of a line is the whole reason, and colour is never the only sign of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QListView, QStyledItemDelegate, QStyleOptionViewItem

from app.desk.today.board import Board, TodayGroup, TodayLine
from app.ui.theme.theme import SIZES, Theme
from app.ui.theme.tokens import (
    EDGE_PX,
    FOCUS_PX,
    HEADING_PX,
    SPACE_2,
    SPACE_3,
    TODAY_GROUP_HEIGHT,
    TODAY_LINE_HEIGHT,
)
from app.ui.today import today_page_words as words
from app.ui.widgets.call_choice import CALL_CHOICE
from app.ui.widgets.grid.grid_model import shown_in_cell
from app.ui.widgets.lists.accessible_choice import AccessibleChoice
from app.ui.widgets.text import times
from app.ui.widgets.text.labels import plain_tooltip, visible
from app.ui.widgets.text.times import day

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_ROW = Qt.ItemDataRole.UserRole
# The colour of what is wrong, by rule; the others are warnings.
_BAD = frozenset({"in-doubt", "refused", "vanished", "overdue", "damaged", "undelivered"})
_SOFT = frozenset({"changed", "changed-open"})


@dataclass(frozen=True, slots=True)
class More:
    """The last row of a group that has more lines than are shown."""

    group: TodayGroup
    count: int


Row = TodayGroup | TodayLine | More


def rows_of(board: Board, tab: str) -> list[Row]:
    """The rows of a tab."""
    if tab == "snoozed":
        return list(board.snoozed)
    if tab == "done":
        return list(board.done)
    found: list[Row] = []
    for group in board.groups:
        found += [group, *group.lines]
        if group.count > len(group.lines):
            found.append(More(group, group.count - len(group.lines)))
    return found


def phone_of(line: TodayLine) -> str:
    """The phone number of an order's consignee; empty if there is none."""
    order = line.order or line.sent
    return (order.phone or "").strip() if order is not None else ""


def is_correctable(line: TodayLine) -> bool:
    """Whether the line is about a refused order that can be corrected in the form it was entered in."""
    write = None if line.sent is None else line.sent.write
    return write is not None and write.state == "rejected" and write.draft_id is not None


def spoken(row: Row) -> str:
    """A row as a screen reader says it."""
    if isinstance(row, TodayGroup):
        return words.group_spoken(row.rule.title, row.count, row.rule.words())
    if isinstance(row, More):
        return words.more(row.count)
    return visible(", ".join(part for part in (row.title, row.reason.what, second_line(row), place_of(row)) if part))


def second_line(line: TodayLine) -> str:
    """Why, since when, and what else is wrong."""
    parts = [line.reason.why]
    since = "" if line.reason.since is None else day(line.reason.since.isoformat())
    if since and since not in line.reason.why:  # most reasons name the day already
        parts.append(words.SINCE_TODAY if line.reason.since == times.today() else words.since(since))
    if line.also:
        parts.append(words.also(", ".join(line.also)))
    return " · ".join(part for part in parts if part)


def place_of(line: TodayLine) -> str:
    """Who the order is for and where, or what became of a line that is put off."""
    if line.put_off is not None:
        if line.put_off.done:
            return words.done_at(line.put_off.at)
        return words.until(
            words.moment(line.put_off.until, datetime.combine(times.today(), time())), line.put_off.words
        )
    order = line.order or line.sent
    return "" if order is None else ", ".join(part for part in (order.consignee_name, order.city) if part)


class TodayModel(QAbstractListModel):
    """The rows of a tab as they were last read."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: Sequence[Row] = ()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        if role == _ROW:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return spoken(row)
        if role == Qt.ItemDataRole.ToolTipRole and not isinstance(row, More):
            return plain_tooltip(spoken(row))
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        # The keys pass over headings.
        if isinstance(self.rows[index.row()], TodayGroup):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def replace(self, rows: Sequence[Row]) -> None:
        """Show these rows."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def line_at(self, row: int) -> TodayLine | None:
        """The line at a row; None for a heading or none."""
        found = self.rows[row] if 0 <= row < len(self.rows) else None
        return found if isinstance(found, TodayLine) else None

    def row_of(self, key: str) -> int | None:
        """The row of a line."""
        return next((at for at, row in enumerate(self.rows) if isinstance(row, TodayLine) and row.key == key), None)

    def nearest(self, row: int) -> int | None:
        """The line at a row, else the next one below, else the last one above."""
        after = (at for at in range(max(row, 0), len(self.rows)) if not isinstance(self.rows[at], TodayGroup))
        before = (at for at in range(min(row, len(self.rows)) - 1, -1, -1) if isinstance(self.rows[at], TodayLine))
        return next(after, next(before, None))


class TodayList(QListView):
    """`current_changed`: another line is the current one. `keyed` gets a key without modifiers and says if it took it.

    `opened`: Enter or a double click on the current row.
    """

    current_changed = Signal()
    opened = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.lines = TodayModel(self)
        self.keyed: Callable[[str], bool] = _nothing_taken
        self.setModel(self.lines)
        self.setItemDelegate(_Painted(theme, self))
        self.setAccessibleName(words.LINES)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setObjectName("today")
        theme.changed.connect(self.viewport().update)
        CALL_CHOICE.changed.connect(self._on_calls)
        self.selectionModel().currentChanged.connect(self._on_current)
        self._choice = AccessibleChoice(self, self._on_chosen)
        self.activated.connect(self._on_activated)

    @property
    def current_row(self) -> Row | None:
        """The current row."""
        at = self.currentIndex().row()
        return self.lines.rows[at] if 0 <= at < len(self.lines.rows) else None

    @property
    def current(self) -> TodayLine | None:
        """The current line."""
        row = self.current_row
        return row if isinstance(row, TodayLine) else None

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show these rows; the current line stays the current one, else the one that has come into its place."""
        if [*rows] == [*self.lines.rows]:
            return
        current, at, scrolled = self.current, self.currentIndex().row(), self.verticalScrollBar().value()
        top = self.visualRect(self.currentIndex()).top()
        self.lines.replace(rows)
        found = None if current is None else self.lines.row_of(current.key)
        self.go_to(self.lines.nearest(at) if found is None else found)
        # Where it stood: nothing moves under the pointer because lines above it came or went.
        self.verticalScrollBar().setValue(scrolled)
        if found is not None:
            self.verticalScrollBar().setValue(scrolled + self.visualRect(self.currentIndex()).top() - top)
        self.scrollTo(self.currentIndex())
        self._choice.forget()
        self.current_changed.emit()

    def go_to(self, row: int | None) -> None:
        """Make a row the current one."""
        self.setCurrentIndex(_NOWHERE if row is None else self.lines.index(row, 0))

    def step(self, by: int) -> None:
        """Go `by` lines down."""
        at = self.currentIndex().row()
        while 0 <= at + by < len(self.lines.rows):
            at += by
            if self.lines.line_at(at) is not None:
                self.go_to(at)
                return

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not event.modifiers() and self.keyed(event.text().lower()):
            return
        super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys of the page, not the beginning of a line."""

    def _on_current(self, _now: QModelIndex, _before: QModelIndex) -> None:
        self.current_changed.emit()

    def _on_calls(self) -> None:
        self.viewport().update()

    def _on_chosen(self, index: QModelIndex) -> None:
        """A screen reader has selected a row, which does not make it the current one."""
        self.setCurrentIndex(index)
        self._choice.forget()
        self.opened.emit()

    def _on_activated(self, _index: QModelIndex) -> None:
        self.opened.emit()


def _nothing_taken(_key: str) -> bool:
    return False


class _Painted(QStyledItemDelegate):
    """Paints a heading, or the two rows of a line: what and whom, why and the key."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        lines = option.fontMetrics.lineSpacing()
        row = index.data(_ROW)
        if isinstance(row, TodayLine):
            return QSize(0, max(SIZES.scaled(TODAY_LINE_HEIGHT), 2 * lines + SPACE_2))
        return QSize(0, max(TODAY_GROUP_HEIGHT, lines + SPACE_3))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setFont(option.font)
        row = index.data(_ROW)
        if isinstance(row, TodayGroup):
            self._heading(painter, option, row)
        else:
            self._ground(painter, option.rect, index)
            if isinstance(row, More):
                self._text(painter, option.rect.adjusted(SPACE_3, 0, -SPACE_3, 0), words.more(row.count), "accent")
            else:
                self._line(painter, option, row, current=index.row() == self._view.currentIndex().row())
        painter.restore()

    def _ground(self, painter: QPainter, box: QRect, index: Index) -> None:
        selected = self._view.selectionModel().isSelected(index)
        painter.fillRect(box, self._theme.colour("selection" if selected else "surface"))
        painter.fillRect(box.left(), box.bottom(), box.width(), 1, self._theme.colour("line"))
        if selected:
            painter.fillRect(box.left(), box.top(), EDGE_PX, box.height(), self._theme.colour("accent"))
        if index.row() == self._view.currentIndex().row() and self._view.hasFocus():
            accent = self._theme.colour("accent")
            painter.fillRect(box.left(), box.top(), box.width(), FOCUS_PX, accent)
            painter.fillRect(box.left(), box.bottom() + 1 - FOCUS_PX, box.width(), FOCUS_PX, accent)
            painter.fillRect(box.left(), box.top(), FOCUS_PX, box.height(), accent)
            painter.fillRect(box.right() + 1 - FOCUS_PX, box.top(), FOCUS_PX, box.height(), accent)

    def _heading(self, painter: QPainter, option: QStyleOptionViewItem, group: TodayGroup) -> None:
        box = option.rect
        painter.fillRect(box, self._theme.colour("ground"))
        inner = box.adjusted(SPACE_3, 0, -SPACE_3, 0)
        font = _bold(option.font)
        font.setPixelSize(max(option.font.pixelSize(), SIZES.scaled(HEADING_PX)))
        painter.setFont(font)
        title = f"{group.rule.title}  {group.count:,}"
        used = self._text(painter, inner, title, "ink")
        painter.setFont(option.font)
        self._text(painter, inner.adjusted(used + SPACE_3, 0, 0, 0), group.rule.words(), "ink_soft")

    def _line(self, painter: QPainter, option: QStyleOptionViewItem, line: TodayLine, *, current: bool) -> None:
        box = option.rect.adjusted(SPACE_3, SPACE_2 // 2, -SPACE_3, -SPACE_2 // 2)
        first, second = QRect(box), QRect(box)
        first.setBottom(box.top() + box.height() // 2)
        second.setTop(box.top() + box.height() // 2)
        painter.setFont(_bold(option.font))
        used = self._text(painter, first, line.reason.what, _tint(line))
        used += SPACE_3 + self._text(painter, first.adjusted(used + SPACE_3, 0, 0, 0), line.title, "ink")
        painter.setFont(option.font)
        self._text(painter, first.adjusted(used + SPACE_3, 0, 0, 0), place_of(line), "ink_soft", right=True)
        keys = _keys(line) if current else ""
        room = 0 if not keys else painter.fontMetrics().horizontalAdvance(keys) + SPACE_3
        if room < second.width() * 2 // 3:
            self._text(painter, second, keys, "accent", right=True)
        else:
            room = 0
        self._text(painter, second.adjusted(0, 0, -room, 0), second_line(line), "ink_soft")

    def _text(self, painter: QPainter, box: QRect, text: str, ink: str, *, right: bool = False) -> int:
        """Paint a text, elided where it does not fit; returns the width it took."""
        if not text or box.width() <= 0:
            return 0
        metrics = painter.fontMetrics()
        shown = metrics.elidedText(shown_in_cell(visible(text)), Qt.TextElideMode.ElideRight, box.width())
        painter.setPen(self._theme.colour(ink))
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        painter.drawText(box, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)
        return metrics.horizontalAdvance(shown)


def _bold(font: QFont) -> QFont:
    found = QFont(font)
    found.setWeight(QFont.Weight.DemiBold)
    return found


def _tint(line: TodayLine) -> str:
    rule = line.reason.rule
    return "bad" if rule in _BAD else "ink_soft" if rule in _SOFT else "warn"


def _keys(line: TodayLine) -> str:
    phone = phone_of(line)
    keys = [words.OPEN_KEY if line.order is None else words.LOOK_UP_KEY]
    if is_correctable(line):
        keys = [words.CORRECT_KEY]
    if phone and line.put_off is None:
        keys.append(words.call_key(visible(phone), calls=CALL_CHOICE.calls(phone)))
    return " · ".join([*keys, *([words.AGAIN_KEY] if line.put_off else [words.SNOOZE_KEY, words.DONE_KEY])])
