"""One photo, painted: as near, turned and lit as it is looked at, with its marks over it.

It tells what a person's hand did and changes nothing by itself. Everything here is in pixels of the screen.
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.desk.pictures import Key, NoPicture
from app.desk.reviewing import MarkKind, PhotoReview
from app.imaging.pixels import Pixels
from app.imaging.pixels import Size as Room
from app.ui.pictures import Gallery
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import EDGE_PX, LOUPE_PX, SPACE_2, SPACE_3
from app.ui.viewer.light import light
from app.ui.viewer.look import (
    Box,
    Look,
    Size,
    fitting,
    nearness,
    panned,
    placed,
    seen,
    turned_size,
    zoomed,
)
from app.ui.viewer.marks import mark_of, paint_marks
from app.ui.viewer.painting import Glass, enlarged, navigator, paint_frames, paint_glass, paint_image
from app.ui.viewer.photo import Photo
from app.ui.widgets.labels import visible
from app.ui.widgets.picture import image_of

_BUSY_AFTER_MS = 200
_WHEEL = 1.0015  # a notch of 120 is a fifth nearer
_LOUPE_NEARER = 2.0
_STEP_PX = 80  # that an arrow key moves what is seen


class PhotoPane(QWidget):
    """`looked` tells another look, `drew` a mark, `pressed` that this photo was chosen, `again` that it is wanted once
    more, `words_asked` where on the pane the words of a mark are to be typed."""

    looked = Signal(object)
    drew = Signal(object)
    words_asked = Signal(QPoint, object)  # where on the pane, and the mark without its words
    pressed = Signal()
    again = Signal()
    resized = Signal()

    def __init__(self, theme: Theme, gallery: Callable[[], Gallery]) -> None:
        super().__init__()
        self._theme, self._gallery = theme, gallery
        self.photo: Photo | None = None
        self.review = PhotoReview()
        self.look = Look()
        self.tool: MarkKind | None = None
        self.current = False
        self.loupe = False
        self._whole: Pixels | None = None  # the full picture, or
        self._fit: Pixels | None = None  # as large as the room
        self._trouble = ""
        self._busy_said = False
        self._hand: QPointF | None = None
        self._begun: QPointF | None = None
        self._pointer = QPointF(-1, -1)
        self._in_navigator = False
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_BUSY_AFTER_MS)
        self._patience.timeout.connect(self._say_busy)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    # What it shows

    def show_photo(self, photo: Photo | None, review: PhotoReview) -> None:
        """Show a photo, at once if it is at hand."""
        same = photo is not None and self.photo is not None and photo.address == self.photo.address
        self.photo, self.review = photo, review
        if not same:
            self._whole = self._fit = None
            self._trouble, self._busy_said = "", False
            self._begun = None
            self._patience.start()
        self.setAccessibleName(visible(f"Photo: {photo.caption}") if photo is not None else "No photo")
        self.refresh()

    def refresh(self) -> None:
        """Take from the gallery what is at hand."""
        if self.photo is None:
            self.update()
            return
        fit = self._gallery().look(self.fit_key())
        whole = self._gallery().look(self.whole_key()) if self.needs_whole() else None
        if isinstance(fit, Pixels):
            self._fit = fit
        if isinstance(whole, Pixels):
            self._whole = whole
        elif not self.needs_whole():
            self._whole = None  # it is large: the gallery may let go of it
        trouble = fit if isinstance(fit, NoPicture) else whole if isinstance(whole, NoPicture) else None
        self._trouble = "" if self._fit is not None or trouble is None else trouble.sentence
        if self._fit is not None or self._trouble:
            self._patience.stop()
            self._busy_said = False
        self.setAccessibleDescription(self.state_words())
        self.update()

    def fit_key(self) -> Key:
        """The photo as large as it fits here."""
        assert self.photo is not None
        width, height = self._room()
        if self.review.turned % 180:
            width, height = height, width
        return Key(self.photo.address, Room(max(1, round(width)), max(1, round(height))))

    def whole_key(self) -> Key:
        """The photo in full size."""
        assert self.photo is not None
        return Key(self.photo.address)

    def needs_whole(self) -> bool:
        """Whether it is looked at nearer than it fits, or through the loupe."""
        return self.loupe or self._is_cut_off()

    def wanted(self) -> list[Key]:
        """What this pane wants of the gallery, the quickest first."""
        if self.photo is None:
            return []
        return [self.fit_key(), self.whole_key()] if self.needs_whole() else [self.fit_key()]

    @property
    def pixels(self) -> Pixels | None:
        """What is painted."""
        return self._whole or self._fit

    def size_now(self) -> Size:
        """How large the whole photo is, turned as it is shown; a guess while it is not known."""
        known = self.pixels
        full = Size(1, 1) if known is None else Size(*known.facts.full)
        return turned_size(full, self.review.turned)

    def is_sharp(self) -> bool:
        """Whether what is painted has a pixel for each of the screen's that it covers, or all there are."""
        pixels = self.pixels
        if pixels is None:
            return False
        have = turned_size(Size(pixels.width, pixels.height), self.review.turned)
        near = nearness(self.look, self.size_now(), self._room())
        return have.width >= min(self.size_now().width, self.size_now().width * near) - 2

    def state_words(self) -> str:
        """What there is to be said of it beside its caption."""
        if self._trouble:
            return self._trouble
        if self.photo is None:
            return "No photo."
        if self.pixels is None:
            return "Loading the photo."
        said = [f"{len(self.review.marks)} marks"] if self.review.marks else []
        said += ["flagged"] if self.review.flagged else []
        return ", ".join(["Shown", *said])

    def _room(self) -> Size:
        sharpness = self.devicePixelRatioF()
        return Size(self.width() * sharpness, self.height() * sharpness)

    def _box(self) -> Box:
        return placed(self.look, self.size_now(), self._room())

    def _say_busy(self) -> None:
        self._busy_said = True
        self.update()

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.colour("ground"))
        sharpness = self.devicePixelRatioF()
        painter.scale(1 / sharpness, 1 / sharpness)
        if self.pixels is not None:
            self._paint_photo(painter, self.pixels)
        elif self._trouble or self._busy_said or self.photo is None:
            self._paint_words(painter)
        if self.current:
            painter.setPen(QPen(self._theme.colour("accent"), EDGE_PX))
            painter.drawRect(QRectF(1, 1, self._room().width - 2, self._room().height - 2))
        painter.end()

    def _paint_photo(self, painter: QPainter, pixels: Pixels) -> None:
        box, image = self._box(), image_of(pixels)
        painter.save()
        paint_image(painter, image, box, self.review.turned)
        painter.restore()
        if self.look.brightness or self.look.contrast:
            shown = QRectF(*box).intersected(QRectF(0, 0, *self._room())).toAlignedRect()
            light(painter, shown, self.look.brightness, self.look.contrast)
        painter.save()
        painter.setClipRect(QRectF(0, 0, *self._room()))
        self._paint_marks(painter, box)
        painter.restore()
        if self.loupe and self.rect().contains(self._pointer.toPoint()):
            self._paint_loupe(painter, image, box)
        if self._is_cut_off():
            self._paint_navigator(painter, image)

    def _paint_loupe(self, painter: QPainter, image: QImage, box: Box) -> None:
        near = max(1.0, nearness(self.look, self.size_now(), self._room())) * _LOUPE_NEARER
        sharpness = self.devicePixelRatioF()
        glass = Glass(self._pointer * sharpness, LOUPE_PX * sharpness, near)
        around = enlarged(glass, self.size_now(), box)
        painter.save()
        paint_glass(painter, glass, self._theme.colour("ground"), self._theme.colour("accent"))
        paint_image(painter, image, around, self.review.turned)
        painter.restore()

    def _paint_navigator(self, painter: QPainter, image: QImage) -> None:
        small = self._navigator()
        painter.save()
        paint_image(painter, image, small, self.review.turned)
        painter.restore()
        part = seen(self.look, self.size_now(), self._room())
        paint_frames(painter, small, part, self._theme.colour("surface"), self._theme.colour("accent"))

    def _is_cut_off(self) -> bool:
        """Whether it is so near that a part of it is out of sight."""
        size, room = self.size_now(), self._room()
        return self.look.zoom is not None and nearness(self.look, size, room) > fitting(size, room)

    def _paint_marks(self, painter: QPainter, box: Box) -> None:
        colours = self._theme.colour("bad"), self._theme.colour("surface")
        marks = self.review.marks
        if self._begun is not None and self.tool in ("arrow", "box"):
            drawing = mark_of(self.tool, self._begun, self._pointer * self.devicePixelRatioF(), box, self.review.turned)
            marks = (*marks, drawing) if drawing is not None else marks
        paint_marks(painter, marks, box, self.review.turned, *colours)

    def _navigator(self) -> Box:
        return navigator(self.size_now(), self._room(), self.devicePixelRatioF())

    def _paint_words(self, painter: QPainter) -> None:
        painter.save()
        painter.setTransform(QTransform())
        words = self._trouble or ("Loading the photo…" if self.photo is not None else "No photos")
        again = "\n\nPress Shift+T to try again." if self._trouble else ""
        painter.setPen(self._theme.colour("ink_soft"))
        room = self.rect().adjusted(SPACE_3, SPACE_2, -SPACE_3, -SPACE_2)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), f"{words}{again}")
        painter.restore()

    # The hand

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom_at(_WHEEL ** event.angleDelta().y(), event.position())
        event.accept()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom_at(1 + event.value(), event.position())
            return True
        return super().event(event)

    def zoom_at(self, factor: float, place: QPointF) -> None:
        """Look nearer or farther, around a place of the pane."""
        if self.pixels is not None:
            at = place * self.devicePixelRatioF()
            self.looked.emit(zoomed(self.look, self.size_now(), self._room(), factor, (at.x(), at.y())))

    def pan(self, dx: float, dy: float) -> None:
        """Move the photo by so many points of the window."""
        sharpness = self.devicePixelRatioF()
        self.looked.emit(panned(self.look, self.size_now(), self._room(), dx * sharpness, dy * sharpness))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        ways = {
            Qt.Key.Key_Left: (_STEP_PX, 0),
            Qt.Key.Key_Right: (-_STEP_PX, 0),
            Qt.Key.Key_Up: (0, _STEP_PX),
            Qt.Key.Key_Down: (0, -_STEP_PX),
        }
        way = ways.get(Qt.Key(event.key()))
        if way is not None and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.pan(*way)
        elif event.key() == Qt.Key.Key_Space:
            self.looked.emit(self.look.at(1.0 if self.look.zoom is None else None))
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self.pressed.emit()
        place = event.position() * self.devicePixelRatioF()
        if self._trouble:
            self.again.emit()
        elif self.tool is not None and self.pixels is not None:
            self._begun = place
        elif self.needs_whole() and QRectF(*self._navigator()).contains(place):
            self._in_navigator = True
            self._go_to(place)
        else:
            self._hand = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer = event.position()
        if self._in_navigator:
            self._go_to(event.position() * self.devicePixelRatioF())
        elif self._hand is not None:
            moved, self._hand = event.position() - self._hand, event.position()
            self.pan(moved.x(), moved.y())
        elif self._begun is not None or self.loupe:
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        begun, self._begun, self._hand, self._in_navigator = self._begun, None, None, False
        if begun is None or self.tool is None:
            return
        end = event.position() * self.devicePixelRatioF()
        self.update()
        if self.tool == "text":
            blank = mark_of("text", begun, begun, self._box(), self.review.turned, "?")
            self.words_asked.emit(event.position().toPoint(), blank)
            return
        mark = mark_of(self.tool, begun, end, self._box(), self.review.turned)
        if mark is not None:
            self.drew.emit(mark)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.tool is None and self.pixels is not None:
            near = None if self.look.zoom is not None else 1.0
            at = event.position() * self.devicePixelRatioF()
            if near is None:
                self.looked.emit(self.look.at(None))
            else:
                now = nearness(self.look, self.size_now(), self._room())
                self.looked.emit(zoomed(self.look, self.size_now(), self._room(), near / now, (at.x(), at.y())))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._pointer = QPointF(-1, -1)
        if self.loupe:
            self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.ignore()

    def _go_to(self, place: QPointF) -> None:
        """Bring the place of the small picture that the hand is on to the middle."""
        small, now = self._navigator(), self._box()
        x, y = (place.x() - small.left) / small.width, (place.y() - small.top) / small.height
        sharpness = self.devicePixelRatioF()
        middle = QPointF(self._room().width / 2, self._room().height / 2)
        self.pan(
            (middle.x() - (now.left + x * now.width)) / sharpness, (middle.y() - (now.top + y * now.height)) / sharpness
        )
