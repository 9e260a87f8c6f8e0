"""An order's documents as tiles, by kind. Invariant: thumbnails are fetched only for tiles on the screen."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.desk.orders.order_documents import Document, by_kind
from app.translation import translate
from app.ui.base.gallery import Gallery
from app.ui.orders import orders_words as words
from app.ui.orders.documents.document_tile import DocumentTile
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.layout import column, drop_items, row
from app.ui.widgets.text.labels import text_label

_OWNER = "order thumbnails"


class DocumentsSection(QWidget):
    """`opened` names a document by its place; `save_all` asks for all of them."""

    opened = Signal(int)
    save_all = Signal()

    def __init__(self, theme: Theme, gallery: Callable[[], Gallery] | None, scroll: QScrollArea) -> None:
        super().__init__()
        self._theme, self._gallery, self._scroll = theme, gallery, scroll
        self.documents: tuple[Document, ...] = ()
        self.tiles: list[DocumentTile] = []
        self._listening: Gallery | None = None
        self._heading = text_label("", "heading")
        self.save_all_button: QPushButton = with_icon(
            button(
                translate("Save all…"),
                self.save_all.emit,
                kind="quiet",
                tip=translate("Save all documents into a folder"),
            ),
            theme,
            "download",
        )
        self._nothing = text_label("", "soft", wrap=True)
        self._kinds = QVBoxLayout()
        self._kinds.setSpacing(SPACE_2)
        self.setLayout(
            column(
                row(self._heading, None, self.save_all_button),
                self._nothing,
                self._kinds,
                margin=(0, 0, 0, SPACE_3),
                gap=SPACE_1,
            )
        )
        # After the layout, as no tile has its place before; and once for the many signals of one scroll.
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._want)
        scroll.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        scroll.verticalScrollBar().rangeChanged.connect(self._on_scrolled)

    def show_documents(self, documents: Sequence[Document], unknown: str) -> None:
        """Show these documents. `unknown` says why none are known; empty if the order has none."""
        self._heading.setText(words.documents_heading(len(documents)))
        self._nothing.setText("" if documents else unknown or words.NO_DOCUMENTS)
        self._nothing.setVisible(not documents)
        self.save_all_button.setVisible(bool(documents))
        if tuple(documents) != self.documents:
            self.documents = tuple(documents)
            self._fill()
        self._later.start()

    def put_away(self) -> None:
        """Give up the thumbnails: the section is out of sight."""
        self._later.stop()
        if self._listening is not None:
            self._listening.want(_OWNER)

    def focus_tile(self, place: int) -> None:
        """Put the keyboard on a document, and bring it into sight."""
        if self.tiles:
            tile = self.tiles[min(max(place, 0), len(self.tiles) - 1)]
            tile.setFocus(Qt.FocusReason.TabFocusReason)
            self._scroll.ensureWidgetVisible(tile)
            # Again after the layout: a document that had more room gives it back, which moves the tiles.
            QTimer.singleShot(0, tile, partial(self._scroll.ensureWidgetVisible, tile))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._later.start()

    def _on_scrolled(self) -> None:
        # Not connected directly: `start` would take the value of the scroll bar for an interval.
        self._later.start()

    def _fill(self) -> None:
        drop_items(self._kinds)
        self.tiles = []
        for kind, found in by_kind(self.documents):
            self._kinds.addWidget(text_label(kind, "soft", wrap=True))
            grid = _TileGrid()
            for document in found:
                tile = DocumentTile(self._theme, document, grid)
                tile.clicked.connect(self._open)
                grid.add(tile)
                self.tiles.append(tile)
            self._kinds.addWidget(grid)

    def _open(self) -> None:
        tile = self.sender()
        if isinstance(tile, DocumentTile):
            self.opened.emit(self.tiles.index(tile))

    def _want(self) -> None:
        """Ask for the thumbnails of visible tiles, and show those that are loaded."""
        if self._gallery is None or not self.tiles or not self.isVisible():
            return
        gallery = self._gallery()
        if gallery is not self._listening:
            gallery.loaded.connect(self._take)
            self._listening = gallery
        seen = [tile for tile in self.tiles if not tile.visibleRegion().isEmpty()]
        gallery.want(_OWNER, visible=[tile.picture for tile in seen if tile.document.address])
        self._take()

    def _take(self, _key: object = None) -> None:
        if self._listening is not None:
            for tile in self.tiles:
                tile.take(self._listening.look(tile.picture))


class _TileGrid(QWidget):
    """Tiles in rows, as many in a row as the width allows."""

    def __init__(self) -> None:
        super().__init__()
        self._tiles: list[DocumentTile] = []
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, tile: DocumentTile) -> None:
        """Add a tile at the end."""
        self._tiles.append(tile)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        lines = -(-len(self._tiles) // self._across(width))
        return lines * (self._size().height() + SPACE_2) - SPACE_2 if lines else 0

    def sizeHint(self) -> QSize:
        return QSize(self._size().width(), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._size().width(), 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        across, size = self._across(self.width()), self._size()
        for place, tile in enumerate(self._tiles):
            down, right = divmod(place, across)
            tile.setGeometry(
                QRect(right * (size.width() + SPACE_2), down * (size.height() + SPACE_2), size.width(), size.height())
            )

    def _across(self, width: int) -> int:
        return max(1, (width + SPACE_2) // (self._size().width() + SPACE_2))

    def _size(self) -> QSize:
        return self._tiles[0].sizeHint() if self._tiles else QSize(1, 1)
