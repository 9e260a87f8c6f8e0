"""The imports of this desk as cards: how far each is, what it waits for, and what a person can do with it.

Invariant: a card says what the journal says. It is changed in place, so a button that is aimed at stays where it is.
"""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QFrame, QWidget

from app.desk.bulk.outcome.import_batch import BatchSummary
from app.ui.bulk import bulk_page_words as words
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.bars.message_bar import progress_bar
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import ElidedLabel, set_tone, text_label, visible
from app.ui.widgets.text.times import moment


class ImportCard(QFrame):
    """One import. The signals of its `ImportCards` carry it as it is shown."""

    def __init__(self, theme: Theme, cards: "ImportCards", shown: BatchSummary) -> None:
        super().__init__()
        self.setObjectName("card")
        self.summary = shown
        self.name = ElidedLabel("strong")
        self.when = text_label("", "label")
        self.state = text_label("", wrap=True)
        self.bar = progress_bar(words.WORK_PROGRESS)
        self.pause_button = with_icon(button(words.PAUSE, partial(self._emit, cards.pause_asked)), theme, "pause")
        self.resume_button = with_icon(
            button(words.GO_ON, partial(self._emit, cards.resume_asked), kind="primary"), theme, "play", "on_accent"
        )
        self.stop_button = button(words.STOP_IMPORT, partial(self._emit, cards.stop_asked), kind="danger")
        self.receipt_button = with_icon(
            button(words.RECEIPT, partial(self._emit, cards.receipt_asked)), theme, "download"
        )
        self.outbox_button = with_icon(
            button(words.SHOW_IN_OUTBOX, partial(self._emit, cards.outbox_asked)), theme, "send"
        )
        head = row(self.name, None, self.when, gap=SPACE_2)
        head.setStretch(0, 1)
        keys = row(
            self.resume_button, self.pause_button, self.outbox_button, self.receipt_button, None, self.stop_button,
            gap=SPACE_1,
        )  # fmt: skip
        self.setLayout(
            column(head, self.state, self.bar, keys, margin=(SPACE_4, SPACE_3, SPACE_3, SPACE_3), gap=SPACE_2)
        )
        self.show_summary(shown)

    def _emit(self, signal: SignalInstance, *_checked: bool) -> None:
        signal.emit(self.summary)

    def show_summary(self, shown: BatchSummary) -> None:
        """Show this state of the import."""
        self.summary = shown
        self.name.say(shown.name)
        self.when.setText(moment(shown.begun_at))
        look = words.batch_look(shown)
        self.state.setText(visible(look.sentence))
        set_tone(self.state, look.tone)
        live = shown.state in ("running", "paused")
        self.bar.setVisible(live)
        self.bar.setRange(0, max(shown.total, 1))
        self.bar.setValue(shown.total - shown.waiting - shown.under_way)
        self.pause_button.setVisible(shown.state == "running")
        self.resume_button.setVisible(shown.state == "paused")
        self.stop_button.setVisible(live)
        self.setAccessibleName(visible(words.import_called(shown.name)))
        self.setAccessibleDescription(visible(look.sentence))


class ImportCards(QWidget):
    """A card for each import, the latest first. Each signal carries a `BatchSummary`."""

    pause_asked = Signal(object)
    resume_asked = Signal(object)
    stop_asked = Signal(object)
    receipt_asked = Signal(object)
    outbox_asked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.cards: dict[int, ImportCard] = {}
        self.heading = text_label(words.IMPORTS, "heading")
        self._lines = column(gap=SPACE_2)
        self.setLayout(column(self.heading, self._lines, gap=SPACE_2))
        self.hide()

    def show_imports(self, imports: Sequence[BatchSummary]) -> None:
        """Show these imports."""
        wanted = [each.id for each in imports]
        for gone in set(self.cards) - set(wanted):
            card = self.cards.pop(gone)
            card.hide()
            card.deleteLater()
        for place, each in enumerate(imports):
            card = self.cards.get(each.id) or ImportCard(self._theme, self, each)
            if each.id not in self.cards:
                self.cards[each.id] = card
                self._lines.insertWidget(place, card)
            card.show_summary(each)
        self.setVisible(bool(imports))
