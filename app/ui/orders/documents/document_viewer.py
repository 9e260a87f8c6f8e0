"""One document in place of the order's details, page by page, with keys for its neighbours.

It is zoomed and turned by the keys of the photo viewer: 1 fits, 2 shows 100 %, 3 shows 200 %, + and - go nearer and
farther, R and Shift+R turn, A and D go to its neighbours. The zoom holds from page to page of a document; a turn is
remembered for each document while the program runs.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.desk.files.album import Key, NoPicture
from app.desk.orders.order_documents import Document
from app.desk.orders.order_words import UNNAMED_DOCUMENT
from app.translation import translate
from app.ui.base.gallery import Gallery
from app.ui.orders import orders_words as words
from app.ui.orders.documents.document_picture import DocumentPicture
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from app.ui.viewer.look import Look
from app.ui.viewer.viewer_tools import TURN_LEFT, TURN_RIGHT, turn_buttons, zoom_buttons
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.buttons import icon_button
from app.ui.widgets.layout import SideBySide, column, holding, row, rule
from app.ui.widgets.text.labels import text_label, visible
from app.ui.widgets.text.times import moment

_OWNER = "order document"
_ZOOM_STEP = 1.25


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
        self._turned: dict[str, int] = {}  # degrees to the right, of the documents that were turned
        self._asked: list[Key] = []
        self.title = text_label("", "strong", wrap=True, selectable=True)
        self.facts = text_label("", "soft", wrap=True)
        self.picture = DocumentPicture(theme, translate("Document"), self._gallery_now)
        self.picture.room.connect(self._want)
        self.picture.pane.look_changed.connect(self._look)
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
        self.zoom_buttons = zoom_buttons(self.look_at)
        self.left_button, self.right_button = turn_buttons(theme, self.turn)
        tools = (*self.zoom_buttons, self.left_button, self.right_button)
        for each in (*tools, *steps, self.wide_button, self.save_button, self.back_button):
            each.setProperty("tight", True)
        first = row(self.title, self.wide_button, self.save_button, self.back_button)
        first.setStretch(0, 1)
        head = column(
            first,
            self.facts,
            SideBySide(holding(row(*tools, None)), holding(row(None, *steps)), growing=0, gap=SPACE_2),
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

    def fit(self) -> None:
        """Fit the page into the viewer."""
        self.look_at(None)

    def look_at(self, zoom: float | None) -> None:
        """Set the zoom: pixels of the screen for one of the page; None fits it."""
        self._look(self.picture.pane.look.at(zoom))

    def zoom_in(self) -> None:
        """Zoom in a step, around the middle."""
        self._zoom(_ZOOM_STEP)

    def zoom_out(self) -> None:
        """Zoom out a step."""
        self._zoom(1 / _ZOOM_STEP)

    def turn(self, by: int) -> None:
        """Turn the document to the right by so many degrees."""
        if self._documents:
            address = self._documents[self._at].address
            self._turned[address] = (self._turned.get(address, 0) + by) % 360
            self._show_page()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = self._act_of(event)
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def _act_of(self, event: QKeyEvent) -> Callable[[], object] | None:
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.text() in ("+", "=", "-"):  # with whatever is held to type it
            return self.zoom_out if event.text() == "-" else self.zoom_in
        if event.key() == Qt.Key.Key_S and held == Qt.KeyboardModifier.ControlModifier:
            return self._save
        if held == Qt.KeyboardModifier.ShiftModifier:
            return {Qt.Key.Key_R: self._turn_left, Qt.Key.Key_T: self._again}.get(Qt.Key(event.key()))
        acts: dict[int, Callable[[], object]] = {
            Qt.Key.Key_Escape: self.closed.emit,
            Qt.Key.Key_Left: self.show_before,
            Qt.Key.Key_A: self.show_before,
            Qt.Key.Key_Right: self.show_after,
            Qt.Key.Key_D: self.show_after,
            Qt.Key.Key_PageUp: self.page_up,
            Qt.Key.Key_PageDown: self.page_down,
            Qt.Key.Key_F11: self._widen,
            Qt.Key.Key_1: self.fit,
            Qt.Key.Key_2: self._show_whole,
            Qt.Key.Key_3: self._show_double,
            Qt.Key.Key_R: self._turn_right,
        }
        return None if held else acts.get(event.key())

    def _show_whole(self) -> None:
        self.look_at(1.0)

    def _show_double(self) -> None:
        self.look_at(2.0)

    def _turn_left(self) -> None:
        self.turn(TURN_LEFT)

    def _turn_right(self) -> None:
        self.turn(TURN_RIGHT)

    def _zoom(self, factor: float) -> None:
        pane = self.picture.pane
        pane.zoom_at(factor, QPointF(pane.width() / 2, pane.height() / 2))

    def _look(self, look: object) -> None:
        assert isinstance(look, Look)
        self.picture.pane.look = look
        self._want()

    def _gallery_now(self) -> Gallery:
        assert self._gallery is not None
        return self._gallery

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
        address = self._documents[at].address
        return self.picture.pane.fit_key_of(address, self._turned.get(address, 0), page)

    def _want(self, *_room: int) -> None:
        """Ask for the page on the screen, and ahead for those that may be shown next."""
        if not self._active:
            return
        if self._gallery is None:
            self.picture.show_trouble(words.NO_PICTURES, again=False)
            return
        document = self._documents[self._at]
        name = document.name or UNNAMED_DOCUMENT
        self.picture.pane.show_page(document.address, self._page, name, self._turned.get(document.address, 0))
        ahead = [self._key(self._at, self._page + 1)] if self._page + 1 < self._pages else []
        beside = [at for at in (self._at + 1, self._at - 1) if 0 <= at < len(self._documents)]
        ahead += [self._key(at, 0) for at in beside if self._documents[at].address]
        self._asked = self.picture.pane.wanted()
        self._gallery.want(_OWNER, shown=self._asked, ahead=ahead)
        self._show_found()

    def _on_came(self, key: object) -> None:
        if self._active and key in self._asked:
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
            if self.picture.pane.wanted() != self._asked:
                self._want()  # the size of the page is known now, and with it the region that is to be sharp

    def _again(self) -> None:
        if self._gallery is not None:
            for key in self._asked:
                self._gallery.retry(key)
            self._show_found()

    def _save(self) -> None:
        self.save_asked.emit(self._at)

    def _widen(self) -> None:
        self._is_wide = not self._is_wide
        self.wide_button.setChecked(self._is_wide)
        self.wider.emit(self._is_wide)
