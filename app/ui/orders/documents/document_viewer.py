"""One document in place of the order's details, page by page, with keys for its neighbours."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.desk.files.album import Key, NoPicture
from app.desk.orders.order_documents import Document
from app.desk.orders.order_words import UNNAMED_DOCUMENT
from app.imaging.pixels import Size
from app.translation import translate
from app.ui.base.gallery import Gallery
from app.ui.orders import orders_words as words
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.buttons import icon_button
from app.ui.widgets.layout import column, holding, row, rule
from app.ui.widgets.picture import PictureView
from app.ui.widgets.text.labels import text_label, visible
from app.ui.widgets.text.times import moment

_OWNER = "order document"


class DocumentViewer(QWidget):
    """`closed` goes back to the order, `save_asked` carries the place of the document, `wider` asks for more room."""

    closed = Signal()
    save_asked = Signal(int)
    wider = Signal(bool)

    def __init__(self, theme: Theme, gallery: Callable[[], Gallery] | None) -> None:
        super().__init__()
        self.setAccessibleName(translate("Document"))
        self._make_gallery, self._gallery = gallery, None if gallery is None else gallery()
        self._documents: Sequence[Document] = ()
        self._at, self._page, self._pages = 0, 0, 1
        self._is_wide = self._active = False
        self._shown: tuple[str, int] | None = None  # address and page of the picture on the screen
        self.title = text_label("", "strong", wrap=True, selectable=True)
        self.facts = text_label("", "soft", wrap=True)
        self.picture = PictureView(theme, translate("Document"))
        self.picture.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.picture.room.connect(self._want)
        self.picture.retry_asked.connect(self._again)
        self.back_button = icon_button(theme, "x", translate("Back to the order (Escape)"), self.closed.emit)
        self.before_button = icon_button(theme, "chevron-left", translate("Previous document (Left)"), self.show_before)
        self.after_button = icon_button(theme, "chevron-right", translate("Next document (Right)"), self.show_after)
        self.page_up_button = icon_button(theme, "arrow-up", translate("Previous page (PgUp)"), self.page_up)
        self.page_down_button = icon_button(theme, "arrow-down", translate("Next page (PgDown)"), self.page_down)
        self.save_button = icon_button(
            theme, "download", translate("Save this document into a folder (Ctrl+S)"), self._save
        )
        self.wide_button = icon_button(theme, "panel-right", translate("More room for the document (F11)"), self._widen)
        self.wide_button.setCheckable(True)
        steps = (self.page_up_button, self.page_down_button, self.before_button, self.after_button)
        for each in (*steps, self.wide_button, self.save_button, self.back_button):
            each.setProperty("tight", True)
        first = row(self.title, self.wide_button, self.save_button, self.back_button)
        second = row(self.facts, *steps)
        for line in (first, second):
            line.setStretch(0, 1)
        head = column(
            first,
            second,
            margin=(SPACE_4, SPACE_2, SPACE_3, SPACE_1),
            gap=SPACE_1,
        )
        self.bar = MessageBar(theme)
        body = column(holding(head), rule(), self.picture)
        body.setStretch(2, 1)
        self.setLayout(body)
        self.bar.float_over(self, self.picture)
        if self._gallery is not None:
            self._gallery.loaded.connect(self._on_came)

    @property
    def at(self) -> int:
        """The place of the document that is shown."""
        return self._at

    def show_document(self, documents: Sequence[Document], at: int) -> None:
        """Show the document at place `at`."""
        self._documents, self._at, self._page, self._pages = documents, at, 0, 1
        self._active = True
        document = documents[at]
        self.title.setText(visible(document.name) or UNNAMED_DOCUMENT)
        self.picture.set_name(document.name or UNNAMED_DOCUMENT)
        self.before_button.setEnabled(at > 0)
        self.after_button.setEnabled(at + 1 < len(documents))
        self._show_page()
        self.picture.setFocus()

    def put_away(self) -> None:
        """Give up the pictures: the viewer is out of sight."""
        self._active = False
        if self._is_wide:
            self._widen()
        if self._gallery is not None:
            self._gallery.want(_OWNER)

    def show_before(self) -> None:
        """The document before this one."""
        if self._at > 0:
            self.show_document(self._documents, self._at - 1)

    def show_after(self) -> None:
        """The document after this one."""
        if self._at + 1 < len(self._documents):
            self.show_document(self._documents, self._at + 1)

    def page_up(self) -> None:
        """The page before this one."""
        self._turn(-1)

    def page_down(self) -> None:
        """The page after this one."""
        self._turn(1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        acts: dict[int, Callable[[], object]] = {
            Qt.Key.Key_Escape: self.closed.emit,
            Qt.Key.Key_Left: self.show_before,
            Qt.Key.Key_Right: self.show_after,
            Qt.Key.Key_PageUp: self.page_up,
            Qt.Key.Key_PageDown: self.page_down,
            Qt.Key.Key_F11: self._widen,
        }
        act = acts.get(event.key())
        if event.key() == Qt.Key.Key_S and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            act = self._save
        elif event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            act = None
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def _turn(self, by: int) -> None:
        if 0 <= self._page + by < self._pages:
            self._page += by
            self._show_page()

    def _show_page(self) -> None:
        self._say()
        self._want()

    def _say(self) -> None:
        document = self._documents[self._at]
        parts = [document.kind, moment(document.created), words.place_of(self._at + 1, len(self._documents))]
        if self._pages > 1:
            parts.append(words.page_of(self._page + 1, self._pages))
        self.facts.setText(visible(" · ".join(part for part in parts if part)))
        self.picture.setAccessibleDescription(self.facts.text())
        for each, by in ((self.page_up_button, -1), (self.page_down_button, 1)):
            each.setVisible(self._pages > 1)
            each.setEnabled(0 <= self._page + by < self._pages)

    def _key(self, at: int, page: int) -> Key:
        return Key(self._documents[at].address, Size(*self.picture.wanted_size()), page)

    def _want(self, *_room: int) -> None:
        """Ask for the page on the screen, and ahead for those that may be shown next."""
        if not self._active:
            return
        if self._gallery is None:
            self.picture.show_trouble(words.NO_PICTURES, again=False)
            return
        ahead = [self._key(self._at, self._page + 1)] if self._page + 1 < self._pages else []
        beside = [at for at in (self._at + 1, self._at - 1) if 0 <= at < len(self._documents)]
        ahead += [self._key(at, 0) for at in beside if self._documents[at].address]
        self._gallery.want(_OWNER, shown=[self._key(self._at, self._page)], ahead=ahead)
        self._show_found()

    def _on_came(self, key: object) -> None:
        if self._active and key == self._key(self._at, self._page):
            self._show_found()

    def _show_found(self) -> None:
        assert self._gallery is not None
        found = self._gallery.look(self._key(self._at, self._page))
        if found is None:
            shown = self.picture.pixels
            same = shown is not None and self._shown == (self._documents[self._at].address, self._page)
            self.picture.show_busy(keep=same)
        elif isinstance(found, NoPicture):
            self.picture.show_trouble(found.sentence, again=found.again)
        else:
            self._shown = (self._documents[self._at].address, self._page)
            self._pages = max(1, found.facts.pages)
            self.picture.show_pixels(found)
            self._say()

    def _again(self) -> None:
        if self._gallery is not None:
            self._gallery.retry(self._key(self._at, self._page))
            self._show_found()

    def _save(self) -> None:
        self.save_asked.emit(self._at)

    def _widen(self) -> None:
        self._is_wide = not self._is_wide
        self.wide_button.setChecked(self._is_wide)
        self.wider.emit(self._is_wide)
