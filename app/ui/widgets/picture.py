"""One picture: as sharp as the screen is, or that it is on its way, or what is wrong and a way to try again.

It takes pixels in and tells how much room there is; it fetches nothing. Nothing in it moves.
"""

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.theme.theme import Theme
from app.ui.widgets.layout import column, holding
from app.ui.widgets.states import StateView
from app.ui.widgets.text.labels import text_label, visible

if TYPE_CHECKING:
    from app.imaging.pixels import Pixels

_SETTLED_MS = 120  # after the last change of its size
_BUSY_AFTER_MS = 200
_CUT_OFF = "The end of this file is missing."


def image_of(pixels: "Pixels") -> QImage:
    """The pixels as Qt's image, without a copy: `pixels` must live as long."""
    form = QImage.Format.Format_ARGB32_Premultiplied if pixels.alpha else QImage.Format.Format_RGB32
    return QImage(memoryview(pixels.data), pixels.width, pixels.height, pixels.width * 4, form)


class PictureView(StateView):
    """Shows what it is given. `room` tells, in pixels of the screen, how large the picture would be sharp."""

    room = Signal(int, int)
    retry_asked = Signal()

    def __init__(self, theme: Theme, name: str) -> None:
        self._canvas = _Canvas(theme)
        self._note = text_label("", "soft")
        self._note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._note.hide()
        super().__init__(theme, holding(column(self._canvas, self._note), "surface"))
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_BUSY_AFTER_MS)
        self._patience.timeout.connect(self._say_busy)
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(_SETTLED_MS)
        self._settling.timeout.connect(self._tell_room)
        self._told: tuple[int, int] | None = None
        self.set_name(name)

    def set_name(self, name: str) -> None:
        """What a screen reader calls it."""
        self.setAccessibleName(visible(name))
        self._canvas.setAccessibleName(visible(name))

    def wanted_size(self) -> tuple[int, int]:
        """Width and height of the room there is, in pixels of the screen."""
        sharpness = self.devicePixelRatioF()
        return max(1, round(self.width() * sharpness)), max(1, round(self.height() * sharpness))

    def show_pixels(self, pixels: "Pixels") -> None:
        """Show a picture."""
        self._patience.stop()
        self._note.setText(_CUT_OFF if pixels.facts.cut_off else "")
        self._note.setVisible(pixels.facts.cut_off)
        self._canvas.take(pixels)
        self.show_content()

    def show_busy(self, *, keep: bool = False) -> None:
        """A picture is on its way; that is said after a moment. `keep` shows the one before until then, for the same
        picture in another size."""
        if not keep:
            self._canvas.take(None)
            self.show_content()
            self._note.hide()
            self._patience.start()

    def show_trouble(self, sentence: str, *, again: bool) -> None:
        """There is no picture, and why."""
        self._patience.stop()
        self._canvas.take(None)
        if again:
            self.show_state("image-off", "No picture", sentence, "Try again", self._ask_again)
        else:
            self.show_state("image-off", "No picture", sentence)

    @property
    def pixels(self) -> "Pixels | None":
        """What is shown."""
        return self._canvas.pixels

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._told is None:
            self._tell_room()
        else:
            self._settling.start()

    def _tell_room(self) -> None:
        if self.wanted_size() != self._told:
            self._told = self.wanted_size()
            self.room.emit(*self._told)

    def _say_busy(self) -> None:
        self.show_state("image", "Loading the picture", "")

    def _ask_again(self) -> None:
        self.retry_asked.emit()


class _Canvas(QWidget):
    """Paints pixels in the middle: one to one, or fitted where they were made for another size."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.pixels: Pixels | None = None
        self._image: QImage | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def take(self, pixels: "Pixels | None") -> None:
        """Paint these from now on."""
        # In this order: the image looks into the pixels' memory.
        self._image = None
        self.pixels = pixels
        self._image = None if pixels is None else image_of(pixels)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._image is None:
            return
        painter = QPainter(self)
        sharpness = self.devicePixelRatioF()
        room = (self.width() * sharpness, self.height() * sharpness)
        size = (self._image.width(), self._image.height())
        scale = min(1.0, room[0] / size[0], room[1] / size[1])
        shown = (size[0] * scale, size[1] * scale)
        corner = QPointF(round((room[0] - shown[0]) / 2) / sharpness, round((room[1] - shown[1]) / 2) / sharpness)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, scale != 1.0)
        painter.drawImage(QRectF(corner.x(), corner.y(), shown[0] / sharpness, shown[1] / sharpness), self._image)
        painter.end()
