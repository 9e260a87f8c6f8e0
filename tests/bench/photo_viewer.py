"""The least that shows photos: one view over the window's gallery, and keys to the next and the previous.

What the audits' viewer does with the gallery, without the rest of that page.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.desk.pictures import Key, NoPicture, ahead
from app.imaging.pixels import Pixels, Size
from app.ui.theme.theme import Theme
from app.ui.widgets.picture import PictureView

if TYPE_CHECKING:
    from app.ui.pictures import Gallery


class PhotoViewer(QWidget):
    """Shows one of `addresses`; the arrow keys go through them."""

    def __init__(self, theme: Theme, gallery: "Gallery", addresses: Sequence[str]) -> None:
        super().__init__()
        self.view = PictureView(theme, "Photo")
        self.gallery, self.addresses, self.at, self._direction = gallery, addresses, 0, 1
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.view)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        gallery.came.connect(self._on_came)

    def key(self, address: str = "") -> Key:
        """What is wanted of an address: as large as the view."""
        return Key(address or self.addresses[self.at], Size(*self.view.wanted_size()))

    def show_at(self, at: int) -> None:
        """Go to a photo."""
        self._direction = 1 if at >= self.at else -1
        self.at = at % len(self.addresses)
        coming = [self.key(address) for address in ahead(self.addresses, self.at, self._direction)]
        self.gallery.want("viewer", [self.key()], ahead=coming)
        self._look()

    @property
    def sharp(self) -> bool:
        """Whether the photo that is gone to is what is shown."""
        return self.view.pixels is not None and self.view.pixels is self.gallery.look(self.key())

    @property
    def coming(self) -> bool:
        """Whether the next ones are not all there yet."""
        keys = [self.key(address) for address in ahead(self.addresses, self.at, self._direction)]
        return any(self.gallery.look(key) is None for key in keys)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
        self.show_at(self.at + steps.get(Qt.Key(event.key()), 0))

    def _on_came(self, key: Key) -> None:
        if key == self.key():
            self._look()

    def _look(self) -> None:
        found = self.gallery.look(self.key())
        if isinstance(found, Pixels):
            self.view.show_pixels(found)
        elif isinstance(found, NoPicture):
            self.view.show_trouble(found.sentence, again=found.again)
        else:
            self.view.show_busy()
