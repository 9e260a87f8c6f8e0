"""The film strip: a thumbnail of each photo in order, with marks for flags, notes and missing pictures."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QStyledItemDelegate, QStyleOptionViewItem

from app.desk.files.album import Key, NoPicture
from app.imaging.pixels import Pixels, Size
from app.translation import translate
from app.ui.base.gallery import Gallery
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import EDGE_PX, FOCUS_PX, LOW_THUMB_SIZE, SPACE_1, STRIP_DOT_PX, STRIP_HEIGHT, THUMB_SIZE
from app.ui.viewer.photo import Photo
from app.ui.viewer.viewer_words import NO_PICTURE, thumbnail_words
from app.ui.widgets.lists.accessible_choice import AccessibleChoice
from app.ui.widgets.picture import image_of
from app.ui.widgets.text.labels import plain_tooltip, visible

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_PHOTO = int(Qt.ItemDataRole.UserRole)


class StripModel(QAbstractListModel):
    """The photos, and which of them are on the screen."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.photos: list[Photo] = []
        self.shown = range(0)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.photos)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        photo = self.photos[index.row()]
        if role == _PHOTO:
            return photo
        words = thumbnail_words(index.row() + 1, photo)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return visible(words)
        return plain_tooltip(words) if role == Qt.ItemDataRole.ToolTipRole else None

    def show(self, photos: Sequence[Photo]) -> None:
        """Show these photos."""
        if [each.address for each in photos] == [each.address for each in self.photos]:
            self.photos = list(photos)
            self.redraw()
            return
        self.beginResetModel()
        self.photos = list(photos)
        self.endResetModel()

    def redraw(self) -> None:
        """Paint the photos anew: a mark or a thumbnail changed."""
        if self.photos:
            self.dataChanged.emit(self.index(0), self.index(len(self.photos) - 1))


class FilmStrip(QListView):
    """`chosen` tells the place of a photo that was chosen, `entered` that a person goes on in the photo itself,
    `scrolled` that others are in sight."""

    chosen = Signal(int)
    entered = Signal()
    scrolled = Signal()

    def __init__(self, theme: Theme, gallery: Callable[[], Gallery]) -> None:
        super().__init__()
        self._gallery = gallery
        self.thumb = THUMB_SIZE
        self.strip = StripModel(self)
        self.setModel(self.strip)
        self.setItemDelegate(_ThumbDelegate(theme, self, gallery))
        self.setAccessibleName(translate("Photos"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(False)
        self.setUniformItemSizes(True)
        self.setFixedHeight(STRIP_HEIGHT)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # A and D go through the photos from anywhere
        self.clicked.connect(self._on_chosen)
        AccessibleChoice(self, self._on_chosen)
        self.horizontalScrollBar().valueChanged.connect(self.scrolled)
        theme.changed.connect(self.viewport().update)

    def show_photos(self, photos: Sequence[Photo], shown: range, at: int) -> None:
        """Show these, with those at `shown` marked as being on the screen and brought into sight together with what
        comes before and after them; the one at `at` is the current one."""
        self.strip.show(photos)
        self.strip.shown = shown
        if at < len(photos):
            self.setCurrentIndex(self.strip.index(at))
            # In this order: where not all of them have room, the last one brought in stays, and that is the current
            # one.
            for each in (shown.start - 1, shown.stop, shown.stop - 1, shown.start, at):
                if 0 <= each < len(photos):
                    self.scrollTo(self.strip.index(each), QAbstractItemView.ScrollHint.EnsureVisible)
        self.strip.redraw()

    def be_low(self, low: bool) -> None:
        """Use smaller thumbnails where the photo itself has hardly any room."""
        wanted = LOW_THUMB_SIZE if low else THUMB_SIZE
        if wanted != self.thumb:
            self.thumb = wanted
            self.setFixedHeight(STRIP_HEIGHT - THUMB_SIZE[1] + wanted[1])
            self.scheduleDelayedItemsLayout()
            self.scrolled.emit()

    def keys_in_sight(self) -> list[Key]:
        """The thumbnails that are on the screen."""
        first = self.indexAt(QPoint(1, self.thumb[1] // 3)).row()
        count = self.viewport().width() // (self.thumb[0] + SPACE_1) + 2
        photos = self.strip.photos[max(first, 0) : max(first, 0) + count]
        return list(dict.fromkeys(self.key_of(each) for each in photos))

    def key_of(self, photo: Photo) -> Key:
        """The thumbnail of a photo."""
        sharpness = self.devicePixelRatioF()
        return Key(photo.address, Size(round(THUMB_SIZE[0] * sharpness), round(THUMB_SIZE[1] * sharpness)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scrolled.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """After a click the strip has the keyboard: arrows go to other photos, Enter hands it on to the photo."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex().row())
            self.entered.emit()
            return
        before = self.currentIndex()
        super().keyPressEvent(event)
        if self.currentIndex() != before and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex().row())

    def _on_chosen(self, index: QModelIndex) -> None:
        self.chosen.emit(index.row())


class _ThumbDelegate(QStyledItemDelegate):
    """Paints a thumbnail, or a glyph in its place; a frame around those that are on the screen."""

    def __init__(self, theme: Theme, strip: FilmStrip, gallery: Callable[[], Gallery]) -> None:
        super().__init__(strip)
        self._theme, self._strip, self._gallery = theme, strip, gallery

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width, height = self._strip.thumb
        return QSize(width + SPACE_1, height + SPACE_1)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        photo: Photo = index.data(_PHOTO)
        whole: QRect = option.rect
        box = QRect(whole.left(), whole.top(), *self._strip.thumb)
        painter.save()
        painter.fillRect(box, self._theme.colour("raised"))
        found = self._gallery().look(self._strip.key_of(photo))
        if isinstance(found, Pixels):
            self._paint_small(painter, box, found, photo.review.turned)
        else:
            painter.setPen(self._theme.colour("bad" if found else "ink_soft"))
            none = NO_PICTURE if self._strip.thumb == THUMB_SIZE else "✕"
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), none if isinstance(found, NoPicture) else "…")
        if photo.review.flagged or photo.review.note or photo.review.marks:
            glyphs = ("⚑" if photo.review.flagged else "") + ("✎" if photo.review.note or photo.review.marks else "")
            self._paint_corner(painter, box, glyphs)
        if photo.poor:
            self._paint_dot(painter, box)
        if index.row() in self._strip.strip.shown:
            painter.setPen(QPen(self._theme.colour("accent"), EDGE_PX))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(1, 1, -2, -2))
        if self._strip.hasFocus() and index.row() == self._strip.currentIndex().row():
            painter.setPen(QPen(self._theme.colour("ink"), FOCUS_PX, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(EDGE_PX + 1, EDGE_PX + 1, -EDGE_PX - 2, -EDGE_PX - 2))
        painter.restore()

    def _paint_small(self, painter: QPainter, box: QRect, pixels: Pixels, turned: int) -> None:
        image = image_of(pixels)
        painter.save()
        painter.setClipRect(box)
        painter.translate(box.center().x() + 1, box.center().y() + 1)
        painter.rotate(turned)
        across, down = (box.height(), box.width()) if turned % 180 else (box.width(), box.height())
        scale = min(across / image.width(), down / image.height())
        size = QSize(round(image.width() * scale), round(image.height() * scale))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(QRect(QPoint(-size.width() // 2, -size.height() // 2), size), image)
        painter.restore()

    def _paint_dot(self, painter: QPainter, box: QRect) -> None:
        """Mark a photo whose answer is low or failed, on a ground of its own: photos have every colour."""
        room = QRect(box.left(), box.top(), STRIP_DOT_PX + 2 * SPACE_1, STRIP_DOT_PX + 2 * SPACE_1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(room, self._theme.colour("surface"))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("bad"))
        painter.drawEllipse(room.adjusted(SPACE_1, SPACE_1, -SPACE_1, -SPACE_1))
        painter.restore()

    def _paint_corner(self, painter: QPainter, box: QRect, glyphs: str) -> None:
        room = painter.fontMetrics().boundingRect(glyphs).adjusted(-SPACE_1, 0, SPACE_1, 0)
        room.moveTopRight(box.topRight())
        painter.fillRect(room, self._theme.colour("surface"))
        painter.setPen(self._theme.colour("warn"))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), glyphs)
