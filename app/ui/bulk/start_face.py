"""The page without a file: how to begin, the imports under way or over, and the files of the watched folder."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.desk.bulk.rows.open_file import OpenFile
from app.ui.bulk import bulk_page_words as words
from app.ui.bulk.folder_files import FolderFiles
from app.ui.bulk.sending.import_cards import ImportCards
from app.ui.theme import icons
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SETTINGS_WIDTH, SPACE_2, SPACE_3, SPACE_4, SPACE_5
from app.ui.widgets.bars.message_bar import progress_bar
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.layout import column, holding, row, scrolling
from app.ui.widgets.text.labels import text_label, visible

_PICTURE_PX = 36
_STEPS = 1_000


class StartFace(QWidget):
    """`folder_file_asked` carries a `FolderFile` to open, `aside_asked` one that is not to be asked about any more."""

    open_asked = Signal()
    paste_asked = Signal()
    sample_asked = Signal()
    stop_asked = Signal()
    folder_file_asked = Signal(object)
    aside_asked = Signal(object)
    again_asked = Signal(object)
    forget_asked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.cards = ImportCards(theme)
        self.folder = FolderFiles()
        self.folder.asked.connect(self.folder_file_asked)
        self.folder.aside_asked.connect(self.aside_asked)
        self._kept: OpenFile | None = None
        self.kept_label = text_label("", wrap=True)
        self.again_button = button(words.OPEN_AGAIN, self._on_again)
        self.forget_button = button(words.FORGET_IT, self._on_forget, kind="quiet")
        self._kept_card = QFrame()
        self._kept_card.setObjectName("card")
        kept = row(self.kept_label, self.forget_button, self.again_button, margin=SPACE_3, gap=SPACE_2)
        kept.setStretch(0, 1)
        self._kept_card.setLayout(kept)
        self._kept_card.hide()
        self._picture = text_label()
        self.heading = text_label(words.START_HEADING, "title", wrap=True)
        self.sentence = text_label(words.START_SENTENCE, "soft", wrap=True)
        self.progress = progress_bar(words.WORK_PROGRESS, keeps_place=True)
        self.open_button = with_icon(
            button(words.OPEN_FILE, self.open_asked.emit, kind="primary", key="Ctrl+O"),
            theme,
            "folder-open",
            "on_accent",
        )
        self.paste_button = with_icon(
            button(words.PASTE_TABLE, self.paste_asked.emit, tip=words.PASTE_TIP), theme, "clipboard-paste"
        )
        self.sample_button = with_icon(button(words.SAVE_SAMPLE, self.sample_asked.emit), theme, "download")
        self.stop_button = button(words.STOP_READING, self.stop_asked.emit)
        for each in (self._picture, self.heading, self.sentence):
            each.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._keys = row(
            None, self.open_button, self.paste_button, self.sample_button, self.stop_button, None, gap=SPACE_2
        )
        card = QFrame()
        card.setObjectName("card")
        card.setLayout(
            column(
                self._picture, self.heading, self.sentence, self.progress, self._keys,
                margin=SPACE_5, gap=SPACE_3,
            )
        )  # fmt: skip
        middle = holding(column(card, self._kept_card, self.folder, self.cards, None, margin=SPACE_4, gap=SPACE_4))
        middle.setMaximumWidth(SETTINGS_WIDTH)
        line = row(None, middle, None)
        line.setStretch(1, 10)
        self.setLayout(column(scrolling(holding(line, "page"))))
        theme.changed.connect(self._tint)
        self.show_start()

    def _tint(self) -> None:
        self._picture.setPixmap(icons.pixmap(self._icon, self._theme.colours.ink_soft, _PICTURE_PX))

    def show_kept(self, kept: OpenFile | None) -> None:
        """Offer the file that an earlier start left unfinished; None for none."""
        self._kept = kept
        self._kept_card.setVisible(kept is not None)
        if kept is not None:
            self.kept_label.setText(visible(words.kept_file(kept.name, kept.count, len(kept.left_out))))

    def _on_forget(self) -> None:
        if self._kept is not None:
            self.forget_asked.emit(self._kept)

    def _on_again(self) -> None:
        if self._kept is not None:
            self.again_asked.emit(self._kept)

    def show_start(self) -> None:
        """Offer to begin."""
        self._say("file-spreadsheet", words.START_HEADING, words.START_SENTENCE, busy=False)

    def show_reading(self, name: str) -> None:
        """A file is being read."""
        self._say("clock", words.reading(name), "", busy=True)
        self.show_progress(words.READING, 0, 0)

    def show_progress(self, sentence: str, done: int, total: int) -> None:
        """How far reading is."""
        self.sentence.setText(visible(sentence))
        self.progress.setRange(0, _STEPS if total else 0)
        self.progress.setValue(_STEPS * done // total if total else 0)

    def show_failed(self, name: str, sentence: str) -> None:
        """A file could not be read."""
        self._say("triangle-alert", words.not_read(name), sentence, busy=False)

    def _say(self, icon: str, heading: str, sentence: str, *, busy: bool) -> None:
        self._icon = icon
        self._tint()
        self.heading.setText(visible(heading))
        self.sentence.setText(visible(sentence))
        self.sentence.setAccessibleDescription(visible(sentence))
        self.progress.setVisible(busy)
        # What goes is hidden first: with all of them shown for a moment the card would be laid out too wide.
        gone = (self.open_button, self.paste_button, self.sample_button) if busy else (self.stop_button,)
        came = (self.stop_button,) if busy else (self.open_button, self.paste_button, self.sample_button)
        had = any(each.hasFocus() for each in gone)
        for each in gone:
            each.hide()
        for each in came:
            each.show()
        if had:
            came[0].setFocus()

    @property
    def said(self) -> str:
        """Heading and sentence."""
        return f"{self.heading.text()} {self.sentence.text()}".strip()
