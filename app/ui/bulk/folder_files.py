"""The files of the watched folder, on the page without a file: those that want a person first, then the latest others.

Invariant: a line says what the last look at the folder saw. A button that has the keyboard keeps it while the files
stay as they are.
"""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.desk.bulk.outcome.watched_folder import FolderFile
from app.ui.bulk import bulk_page_words as words
from app.ui.theme.tokens import SPACE_2, SPACE_3
from app.ui.widgets.buttons import button
from app.ui.widgets.layout import column, drop_items, holding, row
from app.ui.widgets.text.labels import ElidedLabel, set_tone, text_label, visible

_WANTING = ("trouble", "waiting")
_MOST_OVER = 8  # files with which nothing more happens: a folder keeps those of years


class FolderFiles(QWidget):
    """Hidden while there is nothing to say. `asked` carries a file to open, `aside_asked` one to put aside."""

    asked = Signal(object)
    aside_asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[Sequence[FolderFile], str] = ((), "")
        self.open_buttons: list[QPushButton] = []
        self.aside_buttons: list[QPushButton] = []
        self.trouble = text_label("", wrap=True)
        set_tone(self.trouble, "bad")
        self.more = text_label("", "soft", wrap=True)
        self._lines = column(gap=SPACE_2)
        heading = text_label(words.FOLDER_FILES, "heading")
        self.setLayout(column(heading, self.trouble, self._lines, self.more, gap=SPACE_2))
        self.hide()

    def show_files(self, files: Sequence[FolderFile], trouble: str = "") -> None:
        """Show these files, and why the folder cannot be read."""
        if (files, trouble) == self._shown:
            return  # so that a button keeps the keyboard
        self._shown, self.open_buttons, self.aside_buttons = (files, trouble), [], []
        drop_items(self._lines)
        shown = _worth_showing(files)
        for each in shown:
            self._lines.addWidget(self._line(each))
        self.trouble.setText(visible(trouble))
        self.trouble.setVisible(bool(trouble))
        left = len(files) - len(shown)
        self.more.setText(words.more_over(left) if left else "")
        self.more.setVisible(bool(left))
        self.setVisible(bool(files or trouble))

    def _line(self, file: FolderFile) -> QWidget:
        name = ElidedLabel("strong")
        name.say(file.path.name)
        sentence = text_label(visible(file.sentence), "soft", wrap=True)
        set_tone(sentence, "bad" if file.state == "trouble" else "")
        parts: list[QWidget] = [name, sentence]
        line = row(*parts, gap=SPACE_3)
        line.setStretch(1, 1)
        if file.state in _WANTING:
            aside = button(words.PUT_ASIDE, partial(self.aside_asked.emit, file), kind="quiet")
            aside.setAccessibleName(visible(words.put_aside_called(file.path.name)))
            made = button(words.OPEN_IT, partial(self.asked.emit, file))
            made.setAccessibleName(visible(words.open_called(file.path.name)))
            self.aside_buttons.append(aside)
            self.open_buttons.append(made)
            line.addWidget(aside)
            line.addWidget(made)
        return holding(line)


def _worth_showing(files: Sequence[FolderFile]) -> list[FolderFile]:
    """The files that want a person, the files under way, and the latest of the finished files."""
    over = sorted((each for each in files if each.state in ("done", "elsewhere")), key=lambda each: -each.written)
    wanting = [each for each in files if each.state in _WANTING]
    under_way = [each for each in files if each.state in ("growing", "sent")]
    return [*wanting, *under_way, *over[:_MOST_OVER]]
