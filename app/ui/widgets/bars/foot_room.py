"""Room at the end of what scrolls, as high as the messages that float over it.

A table, a list, a form then ends above the messages: its last row can be scrolled into sight, and Qt itself keeps the
current row and the focused field above them. The first rows stay where they are. Of what is scrolled to its end the
rows move down when the room is taken back: that happens a moment after the message has gone, and not below the pointer.
"""

from collections.abc import Collection
from math import ceil
from weakref import WeakSet

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QTableView, QTreeView, QWidget
from shiboken6 import Shiboken

AIMED_MS = 600  # a click that was begun before a message came or went lands within that
_rooms: "WeakSet[_Room]" = WeakSet()


def make_room(window: QWidget, overs: Collection[QWidget], covered: Collection[QRect]) -> None:
    """Give what scrolls below the rectangles `covered` (in the window's coordinates) room at its end; take it back from
    what is not covered. `overs` are the widgets that the messages float over."""
    known = {each.area: each for each in list(_rooms) if Shiboken.isValid(each) and each.area.window() is window}
    areas = {area for area, room in known.items() if room.pixels}
    for over in overs:
        areas.update(_outermost(over))
    for area in areas:
        if area in known or area.isVisible():
            room = known.get(area) or _Room(area)
            room.want(room.below(covered) if area.isVisible() else 0)


def _outermost(over: QWidget) -> set[QAbstractScrollArea]:
    """What scrolls in a widget, without what scrolls inside of that."""
    if isinstance(over, QAbstractScrollArea):
        return {over}
    found = {each for each in over.findChildren(QAbstractScrollArea) if each.isVisibleTo(over)}
    return {each for each in found if not any(other is not each and other.isAncestorOf(each) for other in found)}


class _Room(QObject):
    """The room at the end of one scrolling area."""

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self.area = area
        self.pixels = self._wanted = 0
        # Qt sets the margins of a table's viewport itself, so the widget that holds the table gets the lower margin.
        self._by_parent = isinstance(area, QTableView | QTreeView)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(AIMED_MS)
        self._later.timeout.connect(self._fall_back)
        area.verticalScrollBar().valueChanged.connect(self._settle)
        _rooms.add(self)

    def below(self, covered: Collection[QRect]) -> int:
        """How much room ends the area above all of these rectangles that reach over it; 0 where it would leave less
        than half of the area, or where something else of the same holder stands below the area."""
        area = self.area
        height = area.height() + (self.pixels if self._by_parent else 0)
        whole = QRect(area.mapTo(area.window(), QPoint(0, 0)), area.size())
        whole.setHeight(height)
        room = max((whole.bottom() + 1 - each.top() for each in covered if each.intersects(whole)), default=0)
        return room if 2 * room <= height and (not self._by_parent or self._is_lowest()) else 0

    def _is_lowest(self) -> bool:
        holder = self.area.parentWidget()
        return holder is not None and self.area.geometry().bottom() >= holder.contentsRect().bottom()

    def want(self, pixels: int) -> None:
        """Give that much room now. Room is taken back at once if no row moves by that, else a moment later."""
        self._wanted = pixels
        self._settle()

    def _settle(self) -> None:
        if self._wanted >= self.pixels or not self._would_move():
            self._take()
        elif not self._later.isActive():
            self.area.installEventFilter(self)
            self._later.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress:
            self._take()  # whoever goes on by keys aims at nothing with the pointer
        return super().eventFilter(watched, event)

    def _fall_back(self) -> None:
        if self.area.viewport().underMouse() or QApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._later.start()  # a click may be aimed at a row
        else:
            self._take()

    def _take(self) -> None:
        self._later.stop()
        self.area.removeEventFilter(self)
        if self._wanted == self.pixels:
            return
        self.pixels = self._wanted
        holder = self.area.parentWidget()
        if not self._by_parent:
            self.area.setViewportMargins(0, 0, 0, self.pixels)
        elif holder is not None:
            holder.setContentsMargins(0, 0, 0, self.pixels)

    def _would_move(self) -> bool:
        """Whether the rows in sight would move if the room were taken back, because the area is scrolled to its end."""
        bar = self.area.verticalScrollBar()
        # A table's scroll bar counts rows, that of a form pixels.
        each = bar.pageStep() / max(1, self.area.viewport().height())
        less = ceil((self.pixels - self._wanted) * each) + 1
        return self.area.isVisible() and bar.value() > max(0, bar.maximum() - less)
