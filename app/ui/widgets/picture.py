"""A picture at the resolution of the screen, or its state: loading, or failed with a button to retry.

Invariant: the widget fetches nothing. It shows the pixels that it is given, and reports how large it is.
"""

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.theme.theme import Theme
from app.ui.widgets import widget_words as words
from app.ui.widgets.layout import column, holding
from app.ui.widgets.states import StateView
from app.ui.widgets.text.labels import text_label, visible

if TYPE_CHECKING:
    from app.imaging.pixels import Pixels

_RESIZE_DEBOUNCE_MS = 120
_BUSY_AFTER_MS = 200


def image_of(pixels: "Pixels") -> QImage:
    """Wrap the pixels as a `QImage` without a copy: `pixels` must outlive the image."""
    form = QImage.Format.Format_ARGB32_Premultiplied if pixels.alpha else QImage.Format.Format_RGB32
    # QImage keeps no reference to the buffer.
    return QImage(memoryview(pixels.data), pixels.width, pixels.height, pixels.width * 4, form)


class Canvas(Protocol):
    """The widget that paints the pixels of a `PictureView`."""

    @property
    def pixels(self) -> "Pixels | None":
        """The pixels that are shown."""

    def take(self, pixels: "Pixels | None") -> None:
        """Paint these pixels from now on."""


class PictureView(StateView):
    """`canvas` paints the picture; without one it is shown whole.

    `room` carries the size of the widget in physical pixels; `retry_asked` asks to fetch the picture again."""

    room = Signal(int, int)
    retry_asked = Signal()

    def __init__(self, theme: Theme, name: str, canvas: Canvas | None = None) -> None:
        self._canvas = canvas if canvas is not None else _Canvas(theme)
        assert isinstance(self._canvas, QWidget)
        self._painted: QWidget = self._canvas
        self._note = text_label("", "soft")
        self._note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._note.hide()
        super().__init__(theme, holding(column(self._painted, self._note), "surface"))
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_BUSY_AFTER_MS)
        self._patience.timeout.connect(self._say_busy)
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(_RESIZE_DEBOUNCE_MS)
        self._settling.timeout.connect(self._tell_room)
        self._told: tuple[int, int] | None = None
        self.set_name(name)

    def set_name(self, name: str) -> None:
        """Set the accessible name."""
        self.setAccessibleName(visible(name))
        self._painted.setAccessibleName(visible(name))

    def wanted_size(self) -> tuple[int, int]:
        """Width and height of the widget in physical pixels."""
        sharpness = self.devicePixelRatioF()
        return max(1, round(self.width() * sharpness)), max(1, round(self.height() * sharpness))

    def show_pixels(self, pixels: "Pixels") -> None:
        """Show a picture."""
        self._patience.stop()
        self._note.setText(words.CUT_OFF if pixels.facts.cut_off else "")
        self._note.setVisible(pixels.facts.cut_off)
        self._canvas.take(pixels)
        self.show_content()

    def show_busy(self, *, keep: bool = False) -> None:
        """Show after 200 ms that a picture is loading.

        `keep` leaves the former pixels, for the same picture in another size.
        """
        if not keep:
            self._canvas.take(None)
            self.show_content()
            self._note.hide()
            self._patience.start()

    def show_trouble(self, sentence: str, *, again: bool) -> None:
        """Show why there is no picture, and with `again` a button to retry."""
        self._patience.stop()
        self._canvas.take(None)
        if again:
            self.show_state("image-off", words.NO_PICTURE, sentence, words.TRY_AGAIN, self._ask_again)
        else:
            self.show_state("image-off", words.NO_PICTURE, sentence)

    @property
    def pixels(self) -> "Pixels | None":
        """The pixels that are shown."""
        return self._canvas.pixels

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The first size at once, so that the first picture need not wait; later sizes only once the window rests.
        if self._told is None:
            self._tell_room()
        else:
            self._settling.start()

    def _tell_room(self) -> None:
        if self.wanted_size() != self._told:
            self._told = self.wanted_size()
            self.room.emit(*self._told)

    def _say_busy(self) -> None:
        self.show_state("image", words.LOADING_PICTURE, "")

    def _ask_again(self) -> None:
        self.retry_asked.emit()


class _Canvas(QWidget):
    """Paints pixels centred: one to one, or scaled down if they are larger than the widget."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.pixels: Pixels | None = None
        self._image: QImage | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def take(self, pixels: "Pixels | None") -> None:
        """Paint these pixels from now on."""
        # The image points into the memory of the pixels, so it is dropped before they are.
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
