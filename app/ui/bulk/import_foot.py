"""The foot of the page: what sending would do, why the rest stays here, and the one primary button.

Invariant: the button says what it will do, with the numbers of this moment. It is never pressed by an Enter that was
meant for a cell.
"""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from app.ui.bulk import bulk_page_words as words
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.bars.message_bar import progress_bar
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import Tone, set_tone, text_label, visible

_STEPS = 1_000


class ImportFoot(QFrame):
    """`send_pressed`: the primary button; `stop_pressed`: stop the work shown; `go_pressed`: the next wrong cell."""

    send_pressed = Signal()
    stop_pressed = Signal()
    go_pressed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("statusBar")
        self.summary = text_label("", "strong", wrap=True)
        self.rest = text_label("", "soft", wrap=True)
        self.work = text_label("", "label")
        self.bar = progress_bar(words.WORK_PROGRESS, keeps_place=True)
        self.stop_button = button(words.STOP, self.stop_pressed.emit, kind="quiet")
        keep = self.stop_button.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        self.stop_button.setSizePolicy(keep)
        self.stop_button.hide()
        self.go_button = button(words.NEXT_WRONG, self.go_pressed.emit, tip="(F4)")
        self.send_button = with_icon(
            button(words.NOTHING_TO_SEND_YET, self.send_pressed.emit, kind="primary", key="Ctrl+Return"),
            theme, "send", "on_accent",
        )  # fmt: skip
        progress = row(self.work, self.bar, self.stop_button, gap=SPACE_2)
        progress.setStretch(1, 1)
        said = column(self.summary, self.rest, progress, gap=SPACE_1)
        line = row(said, self.go_button, self.send_button, margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1), gap=SPACE_3)
        line.setStretch(0, 1)
        self.setLayout(line)

    def show_plan(self, title: str, summary: str, rest: str, *, may_send: bool, wrong: bool, tone: Tone = "") -> None:
        """Show what the button will do, what sending means, and why the rest stays here."""
        if self.send_button.text().strip() != title:
            self.send_button.setText(f" {title}")
            self.send_button.setAccessibleName(title)
        self.send_button.setEnabled(may_send)
        self.go_button.setEnabled(wrong)  # it keeps its place: what is beside it is aimed at
        self.summary.setText(visible(summary))
        set_tone(self.summary, tone)
        self.rest.setText(visible(rest))
        self.setAccessibleDescription(visible(f"{summary} {rest}".strip()))

    def show_work(self, sentence: str, done: int, total: int, *, stops: bool) -> None:
        """Show work under way; an empty sentence takes it away. Without a total the bar moves."""
        self.work.setText(visible(sentence))
        self.bar.setVisible(bool(sentence))
        self.stop_button.setVisible(bool(sentence) and stops)
        self.bar.setRange(0, _STEPS if total else 0)
        self.bar.setValue(_STEPS * done // total if total else 0)
