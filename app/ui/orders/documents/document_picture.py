"""A page of a document, which is zoomed, moved and turned as a photo of an audit is.

Invariant: the keyboard belongs to the picture as a whole, also while it says why nothing is shown.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent

from app.desk.audits.audit_reviews import PhotoReview
from app.imaging.pixels import Pixels
from app.ui.base.gallery import Gallery
from app.ui.theme.theme import Theme
from app.ui.viewer.look import LARGEST_SCALE, Look
from app.ui.viewer.photo import Photo
from app.ui.viewer.photo_pane import PhotoPane
from app.ui.viewer.visible_regions import VisibleRegions
from app.ui.widgets.picture import PictureView
from app.ui.widgets.text.labels import visible

_WAYS = frozenset((Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down))
_DRAWN_ANEW = "PDF"  # the format whose pages are as sharp at every scale


class DocumentPane(PhotoPane):
    """Paints a page. What it says of itself stands in the picture around it."""

    def __init__(self, theme: Theme, gallery: Callable[[], Gallery]) -> None:
        super().__init__(theme, gallery, VisibleRegions())
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def name_words(self) -> str:
        """The page's caption; the caption of a photo has its question too."""
        return "" if self.photo is None else visible(self.photo.caption)

    def empty_texts(self) -> Sequence[str]:
        """No text: `DocumentPicture` says in its place why there is no page."""
        return ("",)

    def show_page(self, address: str, page: int, name: str, turned: int) -> None:
        """Show a page of a document, turned by so many degrees; another document is fitted into the pane."""
        if self.photo is None or self.photo.address != address:
            self.look = Look()
        self.show_photo(Photo(address, page, name, PhotoReview(), page=page), PhotoReview(turned=turned))

    def take(self, pixels: Pixels | None) -> None:
        """The page has come as large as it fits; None while nothing is to be painted."""
        if pixels is None:
            self._fit = self._region = None
            self.update()
        else:
            drawn_anew = pixels.facts.format == _DRAWN_ANEW
            # A page of a PDF is drawn anew and may be fitted beyond its own size; a scan has no more pixels than it
            # has.
            self.look = replace(self.look, fits_to=LARGEST_SCALE if drawn_anew else 1.0)
            self.refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """An arrow key moves a page of which a part is seen; else it is not for the pane."""
        if event.key() in _WAYS and not self.is_cut_off():
            event.ignore()
        else:
            super().keyPressEvent(event)


class DocumentPicture(PictureView):
    """A `DocumentPane`, or in its place why there is none."""

    def __init__(self, theme: Theme, name: str, gallery: Callable[[], Gallery]) -> None:
        self.pane = DocumentPane(theme, gallery)
        super().__init__(theme, name, self.pane)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.pane.resized.connect(self._settling.start)

    def wanted_size(self) -> tuple[int, int]:
        """Width and height of the page's room in physical pixels."""
        room = self.pane.room()
        return max(1, round(room.width)), max(1, round(room.height))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.pane.keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_focus()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_focus()

    def _show_focus(self) -> None:
        self.pane.current = self.hasFocus()
        self.pane.update()
