"""One photo with mouse, wheel, touch and keys: they move and zoom it, draw on it, and move the loupe.

Invariant: a pane emits the look it asks for and never changes it by itself. With a tool or the loupe the arrow keys
move the pointer (Shift: a pixel at a time) and Enter is its button, so that no mouse is needed.
"""

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QCursor, QKeyEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QGestureEvent, QPinchGesture

from app.desk.audits.audit_reviews import MarkKind
from app.ui.viewer.look import panned, scale_of, zoomed
from app.ui.viewer.mark_text import is_escape
from app.ui.viewer.painted_photo import NOWHERE, PaintedPhoto
from app.ui.viewer.photo_marks import mark_of

_WHEEL = 1.0015  # to the power of 120, the angle of a notch, this is a zoom of a fifth
_STEP_PX = 80  # an arrow key moves the photo by
_POINTER_STEP = 12  # an arrow key moves the pointer by
_WAYS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}


class PhotoPane(PaintedPhoto):
    """Turns mouse, wheel, touch and keys into signals; the viewer acts on them.

    `look_changed` carries the new `Look`, `mark_drawn` the photo's address and the mark. `text_asked` carries the place
    on the pane, the photo's address and a mark that still lacks its text. `refetch_asked` is emitted by a click on a
    photo that could not be shown, `tools_dropped` by Escape.
    """

    look_changed = Signal(object)
    mark_drawn = Signal(str, object)
    text_asked = Signal(QPoint, str, object)  # where on the pane, the photo, and the mark without its words
    pressed = Signal()
    refetch_asked = Signal()
    loupe_moved = Signal()
    tools_dropped = Signal()

    _hand: QPointF | None = None
    _in_navigator = False

    def set_tool(self, tool: MarkKind | None, *, loupe: bool) -> None:
        """Use a drawing tool, the loupe, both or neither."""
        self.tool, self.loupe, self._begun = tool, loupe, None
        self.by_keys = False
        self.setCursor(Qt.CursorShape.ArrowCursor if tool is None else Qt.CursorShape.CrossCursor)
        self.update()

    def point(self) -> None:
        """Put the pointer where the mouse is, or into the middle of the pane if the mouse is elsewhere."""
        if not self.rect().contains(self.pointer.toPoint()):
            mouse, over = QPointF(self.mapFromGlobal(QCursor.pos())), self.underMouse()
            self.pointer = mouse if over else QPointF(self.rect().center())
            self.by_keys = not over
            self._carry()

    def stop_pointing(self) -> None:
        """Take the pointer of the keys away: they move it on another photo."""
        if self.by_keys:
            self.pointer, self.by_keys, self._begun = NOWHERE, False, None
            self._carry()

    # Looking

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom_at(_WHEEL ** event.angleDelta().y(), event.position())
        event.accept()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom_at(1 + event.value(), event.position())
            return True
        if (self._begun is not None or self.tool is not None or self.loupe) and is_escape(event):
            event.accept()  # or the page would take the Escape and go back to its list
            return True
        if isinstance(event, QGestureEvent):
            pinch = event.gesture(Qt.GestureType.PinchGesture)
            if isinstance(pinch, QPinchGesture):
                self.zoom_at(pinch.scaleFactor(), QPointF(self.mapFromGlobal(pinch.centerPoint())))
                return True
        return super().event(event)

    def zoom_at(self, factor: float, place: QPointF) -> None:
        """Zoom around a place of the pane."""
        if self.pixels is not None and factor > 0:
            at = self.on_screen(place)
            self.look_changed.emit(zoomed(self.look, self.size_now(), self.room(), factor, (at.x(), at.y())))

    def pan(self, dx: float, dy: float) -> None:
        """Move the photo by so many points of the window."""
        if self.pixels is not None:
            by = self.on_screen(QPointF(dx, dy))
            self.look_changed.emit(panned(self.look, self.size_now(), self.room(), by.x(), by.y()))

    def _go_to(self, place: QPointF) -> None:
        """Bring the place that was pressed in the navigator to the middle."""
        small, now, room = self.navigator(), self.box(), self.room()
        x, y = (place.x() - small.left) / small.width, (place.y() - small.top) / small.height
        dx = room.width / 2 - (now.left + x * now.width)
        dy = room.height / 2 - (now.top + y * now.height)
        self.look_changed.emit(panned(self.look, self.size_now(), room, dx, dy))

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, held = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        way, pointing = _WAYS.get(key), self.tool is not None or self.loupe
        if way is not None and pointing and held in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier):
            self._point(*way, 1 if held else _POINTER_STEP)
        elif way is not None and not held:
            self.pan(-way[0] * _STEP_PX, -way[1] * _STEP_PX)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.tool is not None:
            self._press_or_lift()
        elif key == Qt.Key.Key_Escape and self._begun is not None:
            self._begun = None
            self.update()
        elif key == Qt.Key.Key_Escape and pointing:
            self.tools_dropped.emit()
        elif key == Qt.Key.Key_Space:
            self.look_changed.emit(self.look.at(1.0 if self.look.zoom is None else None))
        else:
            super().keyPressEvent(event)

    def _point(self, across: int, down: int, by: int) -> None:
        self.point()
        moved = self.pointer + QPointF(across * by, down * by)
        self.pointer = QPointF(min(max(moved.x(), 0), self.width() - 1), min(max(moved.y(), 0), self.height() - 1))
        self.by_keys = True
        self._carry()

    def _press_or_lift(self) -> None:
        """Enter begins a mark at the pointer, and the next Enter ends it."""
        if self.pixels is None:
            return
        self.point()
        self.by_keys = True
        if self._begun is None and self.tool != "text":
            self._begun = self.on_screen(self.pointer)
            self.update()
        else:
            begun, self._begun = self._begun or self.on_screen(self.pointer), None
            self._draw(begun, self.pointer)

    # The mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self.pressed.emit()
        self._follow(event.position())
        place = self.on_screen(event.position())
        if self.trouble is not None and self.trouble.again:
            self.refetch_asked.emit()
        elif self.tool is not None and self.pixels is not None:
            self._begun = place
        elif self.is_cut_off() and QRectF(*self.navigator()).contains(place):
            self._in_navigator = True
            self._go_to(place)
        else:
            self._hand = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._follow(event.position())
        if self._in_navigator:
            self._go_to(self.on_screen(event.position()))
        elif self._hand is not None:
            moved, self._hand = event.position() - self._hand, event.position()
            self.pan(moved.x(), moved.y())
        elif self._begun is not None or self.loupe:
            self._carry()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        begun, self._begun, self._hand, self._in_navigator = self._begun, None, None, False
        if begun is not None and self.tool is not None:
            self._draw(begun, event.position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.tool is not None or self.pixels is None:
            return
        if self.look.zoom is not None:
            self.look_changed.emit(self.look.at(None))
        else:
            self.zoom_at(1 / scale_of(self.look, self.size_now(), self.room()), event.position())

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if not self.by_keys:
            self.pointer = NOWHERE
            if self.loupe:
                self._carry()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.ignore()

    def _follow(self, place: QPointF) -> None:
        self.pointer, self.by_keys = place, False

    def _carry(self) -> None:
        """The pointer moved: paint, and let the loupe follow."""
        self.update()
        if self.loupe:
            self.loupe_moved.emit()

    def _draw(self, begun: QPointF, end: QPointF) -> None:
        self.update()
        if self.tool is None or self.photo is None:
            return
        if self.tool == "text":
            blank = mark_of("text", begun, begun, self.box(), self.review.turned, "?")
            self.text_asked.emit(end.toPoint(), self.photo.address, blank)
            return
        mark = mark_of(self.tool, begun, self.on_screen(end), self.box(), self.review.turned)
        if mark is not None:
            self.mark_drawn.emit(self.photo.address, mark)
