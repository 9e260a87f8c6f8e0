"""What stands above an order's details: which order it is, how it stands, its way so far, what can be done with it."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import (
    SPACE_1,
    SPACE_2,
    SPACE_3,
    SPACE_4,
    STATE_LOOKS,
    UNKNOWN_STATE_LOOK,
)
from app.ui.widgets.buttons import button, icon_button, with_icon
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.milestones import Milestone, MilestoneRail
from app.ui.widgets.text.labels import Tone, set_tip, set_tone, text_label, visible

_SAID_AGAIN_MS = 60_000
_TONES: dict[str, Tone] = {"good": "good", "warn": "warn", "bad": "bad", "ink_soft": "soft"}


def _nothing() -> None:
    """The pane connects what the buttons do."""


def _documents_name(count: int) -> str:
    if count == 1:
        return "Go to the document"
    return f"Go to the {count:,} documents" if count else "No documents"


class DetailHead(QWidget):
    """Takes what it shows and knows nothing of where it comes from; the pane listens to its buttons."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        act: Callable[[], object] = _nothing
        self.title = text_label("", "title", wrap=True, selectable=True)
        self.number_label = text_label("", "soft", selectable=True)
        self.state_label = text_label("", "strong")
        self.late_label = text_label("", "strong")
        self.age_label = text_label("", "label")
        self._age_words: Callable[[], str] = str
        self.age_clock = QTimer(self)
        self.age_clock.setInterval(_SAID_AGAIN_MS)
        self.age_clock.timeout.connect(self._say_age)
        self.age_clock.start()
        self.rail = MilestoneRail(theme)
        self.copy_button = icon_button(theme, "copy", "Copy reference", act, key="Ctrl+Shift+C")
        self.copy_number_button = icon_button(theme, "copy", "Copy number", act)
        self.before_button = icon_button(theme, "arrow-up", "Previous order", act, key="Alt+Up")
        self.after_button = icon_button(theme, "arrow-down", "Next order", act, key="Alt+Down")
        self.watch_button = icon_button(theme, "eye", "Watch", act, key="Ctrl+B")
        self.watch_button.setCheckable(True)
        self.close_button = icon_button(theme, "x", "Close the order", act)
        self.change_button = with_icon(button("Change order", act, key="Ctrl+E"), theme, "square-pen")
        self.clone_button = with_icon(button("Clone", act, key="Ctrl+D"), theme, "copy-plus")
        self.cancel_button = with_icon(
            button("Cancel order…", act, kind="danger", tip="Ctrl+Delete"), theme, "ban", "bad"
        )
        self.look_up_button = with_icon(button("Look up status", act, key="Ctrl+L"), theme, "search")
        self.print_button = with_icon(button("Print…", act, key="Ctrl+P"), theme, "printer")
        self.case_button = icon_button(
            theme, "folder-open", "Case file: all that is known, in one file", act, key="Ctrl+Shift+P"
        )
        self.find_button = button("Show it in the list", act)
        self.gone_label = text_label(
            "The list does not hold this order any more, so nothing is done with it from here.", "strong", wrap=True
        )
        set_tone(self.gone_label, "warn")
        for each in (self.watch_button, self.case_button):
            kept = each.sizePolicy()
            kept.setRetainSizeWhenHidden(True)
            each.setSizePolicy(kept)
        self.documents_button = with_icon(button("Documents", act, key="Alt+D"), theme, "file-text")
        for each in (
            self.copy_button,
            self.copy_number_button,
            self.case_button,
            self.watch_button,
            self.before_button,
            self.after_button,
            self.close_button,
        ):
            each.setProperty("tight", True)
        self._actions = QStackedWidget()
        self._actions.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)  # room is for the text
        self._gone = holding(column(self.gone_label, row(self.find_button, None), gap=SPACE_1))
        self.setLayout(self._laid_out())

    def _laid_out(self) -> QVBoxLayout:
        # Two faces of the same size: what is said of an order that has left the list moves nothing below it.
        self._actions.addWidget(
            holding(
                column(
                    row(self.change_button, self.clone_button, None, self.cancel_button, gap=SPACE_1),
                    row(self.look_up_button, self.print_button, self.documents_button, None, gap=SPACE_1),
                    gap=SPACE_1,
                )
            )
        )
        self._actions.addWidget(self._gone)
        first = row(
            self.title, self.copy_button, self.watch_button, self.before_button, self.after_button, self.close_button
        )
        first.setStretch(0, 1)
        return column(
            first,
            row(self.number_label, self.copy_number_button, self.case_button, None, self.state_label),
            self.rail,
            row(self.late_label, None, self.age_label, gap=SPACE_2),
            self._actions,
            margin=(SPACE_4, SPACE_3, SPACE_3, SPACE_2),
            gap=SPACE_1,
        )

    def _for_the_order(self) -> tuple[QPushButton, ...]:
        return (self.copy_button, self.look_up_button, self.print_button)

    def show_order(self, number: int, reference: str | None, *, closed: bool) -> None:
        """Which order it is; a closed one can be neither changed nor cancelled."""
        self.title.setText(visible(reference or f"Order {number}"))
        self.number_label.setText(f"Number {number}")
        for each in self._for_the_order():
            each.setEnabled(bool(reference))
        for each in (self.cancel_button, self.change_button):
            each.setEnabled(bool(reference) and not closed)
        for each in (self.copy_number_button, self.clone_button, self.watch_button, self.case_button):
            each.setEnabled(True)

    def show_unknown(self, number: int) -> None:
        """Of this order nothing is known, so nothing can be done with it."""
        self.show_order(number, None, closed=True)
        for each in (self.clone_button, self.copy_number_button, self.watch_button, self.case_button):
            each.setEnabled(False)
        for label in (self.state_label, self.late_label, self.age_label):
            label.setText("")
        self.rail.hide()
        self.show_documents(0)

    @property
    def is_held(self) -> bool:
        """Whether the list beside it holds the order."""
        return self._actions.currentIndex() == 0

    def show_held(self, held: bool) -> None:
        """Whether the list beside it holds the order: what can be done with it, or that it is not there any more."""
        if held:
            self._gone.setMinimumHeight(0)
        elif self.is_held and self._actions.isVisible():
            self._gone.setMinimumHeight(self._actions.height())  # its text wraps: it counts by its own height
        self._actions.setCurrentIndex(0 if held else 1)
        for each in (self.watch_button, self.case_button):
            each.setVisible(held)

    def show_state(self, code: str, words: str) -> None:
        """How it stands: glyph, word and the provider's code."""
        glyph, tint = STATE_LOOKS.get(code, UNKNOWN_STATE_LOOK)
        self.state_label.setText(visible(f"{glyph} {words}"))
        set_tone(self.state_label, _TONES.get(tint, ""))

    def show_watched(self, watched: bool) -> None:
        """Whether changes of it are told; the button says so in words as well."""
        told = "its changes are told (Ctrl+B)"
        name = f"Stop watching this order: {told}" if watched else f"Watch this order, so that {told}"
        self.watch_button.setChecked(watched)
        self.watch_button.setAccessibleName(name)
        set_tip(self.watch_button, name)

    def show_age(self, words: Callable[[], str]) -> None:
        """How old all this is; asked for again while it stands there, as nothing may come for hours."""
        self._age_words = words
        self._say_age()

    def _say_age(self) -> None:
        self.age_label.setText(self._age_words())

    def show_way(self, stations: tuple[Milestone, ...]) -> None:
        """What has happened and what is planned."""
        self.rail.set_stations(stations)
        self.rail.show()

    def show_lateness(self, words: str, tone: Tone) -> None:
        """When it is due, or by how much it is late."""
        self.late_label.setText(words)
        set_tone(self.late_label, tone)

    def show_documents(self, count: int) -> None:
        """How many documents there are to go to."""
        self.documents_button.setText(f" {count:,} document{'' if count == 1 else 's'}" if count else " Documents")
        self.documents_button.setAccessibleName(_documents_name(count))
        self.documents_button.setEnabled(count > 0)
