"""One photo on the screen: zoomed, turned and lit, with its marks over it.

What is loaded is painted at once: the whole photo at the size it fits, over it the visible region as sharp as the
screen, and the region under the loupe. All lengths are pixels of the screen. `PhotoPane` adds mouse and keys.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QPaintEvent, QPen, QResizeEvent, QTransform
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.desk.audits.audit_reviews import MarkKind, PhotoReview
from app.desk.files.album import Key, NoPicture
from app.imaging.pixels import Pixels, Size
from app.ui.base.gallery import Gallery
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import EDGE_PX, LOUPE_PX, SPACE_2, SPACE_3
from app.ui.viewer.look import Box, Look, SizeF, fitting, placed, scale_of, seen, turned_size
from app.ui.viewer.photo import Photo
from app.ui.viewer.photo_marks import mark_of, paint_marks
from app.ui.viewer.photo_painting import (
    Glass,
    adjust_light,
    enlarged,
    navigator,
    paint_cross,
    paint_frames,
    paint_glass,
    paint_image,
)
from app.ui.viewer.viewer_words import NO_PHOTOS, no_photo_texts, pane_name, pane_state
from app.ui.viewer.visible_regions import PIXEL_BUDGET, VisibleRegions, covers, place_of, upright_box
from app.ui.widgets.picture import image_of
from app.ui.widgets.text.labels import set_tip

_BUSY_AFTER_MS = 200  # a photo that comes sooner is painted without a word that flickers before it
_LOUPE_NEARER = 2.0
_LOUPE_PART = 0.8  # of the pane's shorter side, at most
_CENTRED = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
NOWHERE = QPointF(-1, -1)


class PaintedPhoto(QWidget):
    """Shows a photo; `resized` tells that it has another size. `regions` is shared by all that show the same photos."""

    resized = Signal()

    def __init__(self, theme: Theme, gallery: Callable[[], Gallery], regions: VisibleRegions) -> None:
        super().__init__()
        # The loupe has regions of its own: only the last region of a photo is kept, and the view's must not be lost.
        self._theme, self._gallery, self._regions, self._loupe_regions = theme, gallery, regions, VisibleRegions()
        self.photo: Photo | None = None
        self.review = PhotoReview()
        self.look = Look()
        self.tool: MarkKind | None = None
        self.current = False
        self.says_none = True  # of several empty panes only one says that there is no photo
        self.none_words = NO_PHOTOS
        self.loupe = False
        self.pixel_budget = PIXEL_BUDGET
        self._fit: Pixels | None = None
        self._region: tuple[Key, Pixels] | None = None
        self._loupe_region: tuple[Key, Pixels] | None = None
        self._trouble: NoPicture | None = None
        self._busy_said = False
        self._begun: QPointF | None = None
        self.pointer = NOWHERE
        self.by_keys = False  # whether the keys move the pointer
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_BUSY_AFTER_MS)
        self._patience.timeout.connect(self._say_busy)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.grabGesture(Qt.GestureType.PinchGesture)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    # What it shows

    def show_photo(self, photo: Photo | None, review: PhotoReview) -> None:
        """Show a photo, at once if the gallery holds it."""
        same = photo is not None and self.photo is not None and _place(photo) == _place(self.photo)
        self.photo, self.review = photo, review
        if not same:
            self._fit = self._region = self._loupe_region = self._trouble = self._begun = None
            self._busy_said = False
            self._patience.stop()
            if photo is not None:
                self._patience.start()
        self.setAccessibleName(self.name_words())
        self.refresh()

    def refresh(self) -> None:
        """Take the pixels that the gallery holds."""
        if self.photo is not None:
            self._take()
        if self._fit is not None or self._trouble is not None:
            self._patience.stop()
            self._busy_said = False
        words = self.state_words()
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)
        self.update()

    def _take(self) -> None:
        fit = self._gallery().look(self.fit_key())
        self._trouble = fit if isinstance(fit, NoPicture) else None
        if isinstance(fit, Pixels):
            self._fit = fit
            assert self.photo is not None
            self._regions.learn(self.photo.address, fit.facts.full, self.photo.page)
            self._loupe_regions.learn(self.photo.address, fit.facts.full)
        self._region = self._at_hand(self.region_key(), self._region)
        set_tip(self, "" if self._trouble is None else self._trouble.sentence)
        self._loupe_region = self._at_hand(self.loupe_key(), self._loupe_region)

    def _at_hand(self, key: Key | None, before: tuple[Key, Pixels] | None) -> tuple[Key, Pixels] | None:
        """The pixels for a key; the pixels before until they come."""
        if key is None or (before is not None and before[0] == key):
            return before if key is not None else None
        found = self._gallery().look(key)
        if isinstance(found, NoPicture):
            self._trouble = found
        return (key, found) if isinstance(found, Pixels) else before

    def fit_key(self) -> Key:
        """The photo as large as it fits here."""
        assert self.photo is not None
        return self.fit_key_of(self.photo.address, self.review.turned, self.photo.page)

    def fit_key_of(self, address: str, turned: int, page: int = 0) -> Key:
        """Any photo as large as it would fit here."""
        width, height = turned_size(self.room(), turned)
        return Key(address, Size(max(1, round(width)), max(1, round(height))), page)

    def region_key(self) -> Key | None:
        """The visible region, where the photo is larger than the pane."""
        if self.photo is None:
            return None
        photo = self.photo
        return self._regions.key(
            photo.address, self.review.turned, self.look, self.room(), self.pixel_budget, photo.page
        )

    def loupe_key(self) -> Key | None:
        """The region under the loupe."""
        if self.photo is None or not self.under_loupe() or self._fit is None:
            return None
        glass, box = self._loupe_now(), self.box()
        around = enlarged(glass, self.size_now(), box)
        half = glass.across / 2
        corner = ((glass.middle.x() - half - around.left), (glass.middle.y() - half - around.top))
        left, top = corner[0] / around.width, corner[1] / around.height
        view = Box(left, top, glass.across / around.width, glass.across / around.height)
        inside = _within_one(upright_box(view, self.review.turned))
        return self._loupe_regions.key_under(self.photo.address, inside, glass.scale, self.pixel_budget)

    def wanted(self) -> list[Key]:
        """The pictures that this pane needs of the gallery, the quickest first."""
        if self.photo is None:
            return []
        keys = (self.fit_key(), self.region_key(), self.loupe_key())
        return [each for each in keys if each is not None]

    def under_loupe(self) -> bool:
        """Whether the loupe is on and over this photo."""
        return self.loupe and self.rect().contains(self.pointer.toPoint())

    @property
    def pixels(self) -> Pixels | None:
        """The photo as large as it fits."""
        return self._fit

    @property
    def trouble(self) -> NoPicture | None:
        """Why the photo, or its visible region, cannot be shown."""
        return self._trouble

    def size_now(self) -> SizeF:
        """The size of the whole photo as it is turned; a guess until its file was read."""
        full = SizeF(1, 1) if self._fit is None else SizeF(*self._fit.facts.full)
        return turned_size(full, self.review.turned)

    def is_sharp(self) -> bool:
        """Whether each pixel of the screen shows a pixel of the photo, or the photo has no more of them."""
        if self._fit is None:
            return False
        key = self.region_key()
        if key is not None:
            return self._region is not None and self._region[0] == key
        have = turned_size(SizeF(self._fit.width, self._fit.height), self.review.turned)
        size = self.size_now()
        # Two pixels less are as sharp: the room and the decoded size are rounded, each by up to one.
        return have.width >= min(size.width, size.width * scale_of(self.look, size, self.room())) - 2

    def name_words(self) -> str:
        """The name by which a screen reader calls the pane."""
        return pane_name(self.photo)

    def state_words(self) -> str:
        """The description that a screen reader reads after the name."""
        photo = None if self.photo is None else replace(self.photo, review=self.review)
        return pane_state(photo, self._trouble, loaded=self._fit is not None, sharp=self.is_sharp())

    def room(self) -> SizeF:
        """How large it is, in pixels of the screen."""
        sharpness = self.devicePixelRatioF()
        return SizeF(self.width() * sharpness, self.height() * sharpness)

    def box(self) -> Box:
        """Where the photo lies."""
        return placed(self.look, self.size_now(), self.room())

    def is_cut_off(self) -> bool:
        """Whether some of the photo lies outside the pane."""
        size, room = self.size_now(), self.room()
        return self.look.zoom is not None and scale_of(self.look, size, room) > fitting(size, room, self.look.fits_to)

    def _say_busy(self) -> None:
        self._busy_said = True
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.colour("ground"))
        sharpness = self.devicePixelRatioF()
        painter.scale(1 / sharpness, 1 / sharpness)
        if self._fit is not None:
            self._paint_photo(painter, image_of(self._fit))
        elif self._trouble is not None or self._busy_said or (self.photo is None and self.says_none):
            self._paint_words(painter)
        if self.current or self.hasFocus():
            painter.setPen(QPen(self._theme.colour("accent"), EDGE_PX))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(1, 1, self.room().width - 2, self.room().height - 2))
        painter.end()

    def _paint_photo(self, painter: QPainter, fit: QImage) -> None:
        box = self.box()
        self._paint_pixels(painter, fit, box)
        if self.look.brightness or self.look.contrast:
            shown = QRectF(*box).intersected(QRectF(0, 0, *self.room())).toAlignedRect()
            adjust_light(painter, shown, self.look.brightness, self.look.contrast)
        painter.save()
        painter.setClipRect(QRectF(0, 0, *self.room()))
        self._paint_marks(painter, box)
        painter.restore()
        if self.under_loupe():
            self._paint_loupe(painter, fit, box)
        if self.is_cut_off():
            self._paint_navigator(painter, fit)
        if self.by_keys and self.tool is not None and self.pointer != NOWHERE:
            paint_cross(painter, self.on_screen(self.pointer), *self._mark_colours())

    def _paint_pixels(self, painter: QPainter, fit: QImage, box: Box) -> None:
        """Paint the whole photo, unless the visible region covers it, and then the visible region."""
        place = None if self._region is None else self._place_of(self._region, box)
        if place is None or not covers(place, self.look, self.size_now(), self.room()):
            self._paint_image(painter, fit, box)
        if self._region is not None and place is not None:
            self._paint_image(painter, image_of(self._region[1]), place)

    def _paint_image(self, painter: QPainter, image: QImage, box: Box) -> None:
        painter.save()
        paint_image(painter, image, box, self.review.turned)
        painter.restore()

    def _place_of(self, piece: tuple[Key, Pixels], box: Box) -> Box:
        return place_of(piece[0], piece[1].facts.full, box, self.review.turned)

    def _loupe_now(self) -> Glass:
        near = max(1.0, scale_of(self.look, self.size_now(), self.room())) * _LOUPE_NEARER
        across = min(LOUPE_PX * self.devicePixelRatioF(), *(side * _LOUPE_PART for side in self.room()))
        return Glass(self.on_screen(self.pointer), across, near)

    def _paint_loupe(self, painter: QPainter, fit: QImage, box: Box) -> None:
        glass = self._loupe_now()
        around = enlarged(glass, self.size_now(), box)
        painter.save()
        paint_glass(painter, glass, around, self._theme.colour("ground"), self._theme.colour("accent"))
        self._paint_image(painter, fit, around)
        for piece in (self._region, self._loupe_region):
            if piece is not None:
                self._paint_image(painter, image_of(piece[1]), self._place_of(piece, around))
        if self.look.brightness or self.look.contrast:
            shown = QRectF(*around).intersected(QRectF(0, 0, *self.room())).toAlignedRect()
            adjust_light(painter, shown, self.look.brightness, self.look.contrast)
        painter.restore()

    def _paint_navigator(self, painter: QPainter, fit: QImage) -> None:
        small = self.navigator()
        self._paint_image(painter, fit, small)
        part = seen(self.look, self.size_now(), self.room())
        paint_frames(painter, small, part, self._theme.colour("surface"), self._theme.colour("accent"))

    def _paint_marks(self, painter: QPainter, box: Box) -> None:
        marks = self.review.marks
        if self._begun is not None and self.tool in ("arrow", "box"):
            drawing = mark_of(self.tool, self._begun, self.on_screen(self.pointer), box, self.review.turned)
            marks = (*marks, drawing) if drawing is not None else marks
        paint_marks(painter, marks, box, self.review.turned, *self._mark_colours(), self.devicePixelRatioF())

    def _mark_colours(self) -> tuple[QColor, QColor]:
        return self._theme.colour("bad"), self._theme.colour("surface")

    def on_screen(self, place: QPointF) -> QPointF:
        """A place of the widget in pixels of the screen."""
        return place * self.devicePixelRatioF()

    def navigator(self) -> Box:
        """Where the small picture lies."""
        return navigator(self.size_now(), self.room(), self.devicePixelRatioF())

    def _paint_words(self, painter: QPainter) -> None:
        painter.save()
        # The photo is painted in pixels of the screen; a font's size is in those of the window.
        painter.setTransform(QTransform())
        painter.setPen(self._theme.colour("ink_soft"))
        room = self.rect().adjusted(SPACE_3, SPACE_2, -SPACE_3, -SPACE_2)
        texts = self.empty_texts()
        painter.drawText(room, _CENTRED, words_that_fit(painter.fontMetrics(), room, texts))
        painter.restore()

    def empty_texts(self) -> Sequence[str]:
        """The texts for a pane that shows nothing, the longest one first."""
        return no_photo_texts(self.photo, self._trouble, self.none_words)


def _place(photo: Photo) -> tuple[str, int]:
    return photo.address, photo.page


def words_that_fit(metrics: QFontMetrics, room: QRect, texts: Sequence[str]) -> str:
    """The first of these texts that fits into the room with its lines broken; the last one cut short if none does."""
    for each in texts:
        taken = metrics.boundingRect(room, _CENTRED, each)
        if taken.width() <= room.width() and taken.height() <= room.height():
            return each
    return metrics.elidedText(texts[-1], Qt.TextElideMode.ElideRight, room.width())


def _within_one(view: Box) -> Box:
    """The view, cut to the edges of the photo."""
    left, top = min(max(view.left, 0.0), 1.0), min(max(view.top, 0.0), 1.0)
    right, bottom = min(max(view.left + view.width, 0.0), 1.0), min(max(view.top + view.height, 0.0), 1.0)
    return Box(left, top, right - left, bottom - top)
