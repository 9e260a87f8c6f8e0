"""One request that was sent: how it stands, what was sent, what came back, and what a person can do with it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from app.desk.requests.answer_reading import facts
from app.store.journal.request_store import RequestRow
from app.ui.quotes import quotes_words as words
from app.ui.slots.slots_words import REQUEST_LOOK
from app.ui.theme.tokens import LABEL_WIDTH, SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button
from app.ui.widgets.layout import column, drop_items, holding, row, scrolling
from app.ui.widgets.text.labels import set_tone, text_label, visible

_MOST_LINES = 400
_LONGEST_TEXT = 10_000  # letters; the provider may send megabytes, for which a label would stop the window


class RequestStory(QWidget):
    """`again` asks for a new request like this one, `decided` says whether one in doubt arrived, `back` closes it."""

    again = Signal()
    decided = Signal(bool)
    back = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.request: RequestRow | None = None
        self.title = text_label("", "title", wrap=True, selectable=True)
        self.state = text_label("", "strong", wrap=True)
        self.sentence = text_label("", wrap=True, selectable=True)
        self.meaning = text_label("", wrap=True)
        self.again_button = button(words.AGAIN, self.again.emit, key="Ctrl+D")
        self.back_button = button(words.BACK, self.back.emit, key="Escape")
        self.arrived_button = button(words.ARRIVED, self._on_arrived)
        self.not_arrived_button = button(words.NOT_ARRIVED, self._on_not_arrived)
        self._facts = QVBoxLayout()
        self._facts.setSpacing(SPACE_2)
        self._scroll = scrolling(holding(column(self._facts, None, margin=SPACE_2), "surfaceInner"), "surface")
        self._scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        decide = row(self.arrived_button, self.not_arrived_button, None, gap=SPACE_1)
        whole = column(
            self.title, self.state, self.sentence, self.meaning, decide,
            row(self.again_button, self.back_button, None, gap=SPACE_1), self._scroll, gap=SPACE_2,
        )  # fmt: skip
        whole.setStretch(6, 1)
        self.setLayout(whole)

    def show_request(self, request: RequestRow) -> None:
        """Show a request as it stands."""
        self.request = request
        doubt = request.state == "in_doubt"
        self.title.setText(visible(request.title))
        self.state.setText(visible(words.state_line(request)))
        set_tone(self.state, REQUEST_LOOK[request.state][1])
        self.sentence.setText(visible(request.sentence))
        self.meaning.setText(words.IN_DOUBT_MEANS if doubt else words.DAMAGED if request.damaged else "")
        self.meaning.setVisible(bool(self.meaning.text()))
        for each in (self.arrived_button, self.not_arrived_button):
            each.setVisible(doubt)
        self.again_button.setEnabled(not request.damaged)
        drop_items(self._facts)
        self._facts.addWidget(_section(words.WHAT_WAS_SENT, facts(request.payload)))
        came = facts(request.reply) if request.reply else []
        self._facts.addWidget(_section(words.WHAT_CAME, came or [("", words.NOTHING_CAME)]))

    def _on_arrived(self) -> None:
        self.decided.emit(True)

    def _on_not_arrived(self) -> None:
        self.decided.emit(False)


def _section(heading: str, lines: Sequence[tuple[str, str]]) -> QWidget:
    grid = QGridLayout()
    grid.setHorizontalSpacing(SPACE_3)
    grid.setVerticalSpacing(SPACE_1)
    grid.setColumnMinimumWidth(0, LABEL_WIDTH)
    grid.setColumnStretch(1, 1)
    for at, (title, text) in enumerate(lines[:_MOST_LINES]):
        grid.addWidget(text_label(_cut(title), "soft", wrap=True), at, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(text_label(_cut(text), wrap=True, selectable=True), at, 1)
    return holding(column(text_label(heading, "heading"), grid, gap=SPACE_1))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 1]}…"
