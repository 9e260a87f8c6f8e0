"""The head above an order's details: reference, state, milestones, age of the data, and buttons."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.translation import translate
from app.ui.orders import orders_words as words
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
from app.ui.widgets.layout import Stack, column, holding, row
from app.ui.widgets.milestones import Milestone, MilestoneRail
from app.ui.widgets.text.labels import ElidedLabel, Tone, set_tip, set_tone, text_label, visible

_AGE_UPDATE_MS = 60_000
_TONES: dict[str, Tone] = {"good": "good", "warn": "warn", "bad": "bad", "ink_soft": "soft"}


def _nothing() -> None:
    """The pane connects its own methods to the buttons."""


class DetailHead(QWidget):
    """Shows plain values. The pane sets them and connects the buttons."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        act: Callable[[], object] = _nothing
        self.title = text_label("", "title", wrap=True, selectable=True)
        self.number_label = text_label("", "soft", selectable=True)
        self.state_label = ElidedLabel("strong")  # the provider may give a state any name
        self.why_label = ElidedLabel("strong")
        self.late_label = text_label("", "strong")
        self.age_label = text_label("", "label")
        self._age_words: Callable[[], str] = str
        self.age_clock = QTimer(self)
        self.age_clock.setInterval(_AGE_UPDATE_MS)
        self.age_clock.timeout.connect(self._update_age)
        self.age_clock.start()
        self.rail = MilestoneRail(theme)
        self.copy_button = icon_button(theme, "copy", translate("Copy reference"), act, key="Ctrl+Shift+C")
        self.copy_number_button = icon_button(theme, "copy", translate("Copy number"), act)
        self.before_button = icon_button(theme, "arrow-up", translate("Previous order"), act, key="Alt+Up")
        self.after_button = icon_button(theme, "arrow-down", translate("Next order"), act, key="Alt+Down")
        self.watch_button = icon_button(theme, "eye", translate("Watch"), act, key="Ctrl+B")
        self.watch_button.setCheckable(True)
        self.close_button = icon_button(theme, "x", translate("Close the order"), act)
        self.change_button = with_icon(button(translate("Change order"), act, key="Ctrl+E"), theme, "square-pen")
        self.clone_button = with_icon(button(translate("Clone"), act, key="Ctrl+D"), theme, "copy-plus")
        self.cancel_button = with_icon(
            button(translate("Cancel order…"), act, kind="danger", tip="Ctrl+Delete"), theme, "ban"
        )
        self.look_up_button = with_icon(button(translate("Look up status"), act, key="Ctrl+L"), theme, "search")
        self.print_button = with_icon(button(translate("Print…"), act, key="Ctrl+P"), theme, "printer")
        self.case_button = icon_button(theme, "folder-open", words.CASE_FILE_NAME, act, key="Ctrl+Shift+P")
        self.slots_button = icon_button(theme, "calendar", words.SLOTS_NAME, act, key="Ctrl+Shift+S")
        self.find_button = button(translate("Show it in the list"), act)
        self.gone_label = text_label(words.NOT_IN_LIST, "strong", wrap=True)
        set_tone(self.gone_label, "warn")
        for each in (self.watch_button, self.case_button):
            policy = each.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            each.setSizePolicy(policy)
        self.documents_button = with_icon(button(words.DOCUMENTS, act, key="Alt+D"), theme, "file-text")
        for each in (
            self.copy_button,
            self.copy_number_button,
            self.case_button,
            self.slots_button,
            self.watch_button,
            self.before_button,
            self.after_button,
            self.close_button,
        ):
            each.setProperty("tight", True)
        self._actions = Stack()
        # Spare height is for the details below.
        self._actions.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._gone = holding(column(self.gone_label, row(self.find_button, None), gap=SPACE_1))
        self.setLayout(self._laid_out())

    def _laid_out(self) -> QVBoxLayout:
        # Buttons and notice take the same room, so nothing below moves when the order leaves the list.
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
            row(
                self.number_label, self.copy_number_button, self.case_button, self.slots_button, None, self.state_label
            ),
            self.why_label,
            self.rail,
            row(self.late_label, None, self.age_label, gap=SPACE_2),
            self._actions,
            margin=(SPACE_4, SPACE_3, SPACE_3, SPACE_2),
            gap=SPACE_1,
        )

    def _for_the_order(self) -> tuple[QPushButton, ...]:
        return (self.copy_button, self.look_up_button, self.slots_button)

    def show_order(self, number: int, reference: str | None, *, closed: bool) -> None:
        """Show the order's names. A closed order can be neither changed nor cancelled."""
        self.title.setText(visible(reference or words.order_title(number)))
        self.number_label.setText(words.order_number(number))
        for each in self._for_the_order():
            each.setEnabled(bool(reference))
        for each in (self.cancel_button, self.change_button):
            each.setEnabled(bool(reference) and not closed)
        for each in (
            self.copy_number_button,
            self.clone_button,
            self.watch_button,
            self.case_button,
            self.print_button,
        ):
            each.setEnabled(True)

    def show_waiting(self) -> None:
        """Switch all actions off: the order has not been read yet."""
        for each in (
            *self._for_the_order(),
            self.cancel_button,
            self.change_button,
            self.clone_button,
            self.copy_number_button,
            self.watch_button,
            self.case_button,
            self.print_button,
        ):
            each.setEnabled(False)

    def show_reading(self) -> None:
        """Show that it is not known yet which order this is, with all actions off."""
        self.show_unknown(0)
        self.title.setText(words.READING_ORDER)
        self.number_label.setText("")

    def show_unknown(self, number: int) -> None:
        """Show the number only, with all actions off: nothing is known of this order."""
        self.show_order(number, None, closed=True)
        self.show_waiting()
        self.show_reasons((), "")
        self.state_label.say("")
        for label in (self.late_label, self.age_label):
            label.setText("")
        self.rail.hide()
        self.show_documents(0)

    @property
    def is_listed(self) -> bool:
        """Whether the table holds the order."""
        return self._actions.currentIndex() == 0

    def show_listed(self, listed: bool) -> None:
        """Show the buttons if the table holds the order, else a notice in their place."""
        if listed:
            self._gone.setMinimumHeight(0)
        elif self.is_listed and self._actions.isVisible():
            # Text that wraps has no height of its own in a stack; the height of the buttons is taken over.
            self._gone.setMinimumHeight(self._actions.height())
        self._actions.setCurrentIndex(0 if listed else 1)
        for each in (self.watch_button, self.case_button):
            each.setVisible(listed)

    def show_state(self, code: str, state: str) -> None:
        """Show glyph, words and colour of the state `code`."""
        glyph, tint = STATE_LOOKS.get(code, UNKNOWN_STATE_LOOK)
        self.state_label.say(f"{glyph} {state}")
        set_tone(self.state_label, _TONES.get(tint, ""))

    def show_watched(self, watched: bool) -> None:
        """Show whether the order is watched, as a checked button and in its name."""
        name = words.UNWATCH_NAME if watched else words.WATCH_NAME
        self.watch_button.setChecked(watched)
        self.watch_button.setAccessibleName(name)
        set_tip(self.watch_button, name)

    def show_age(self, age_words: Callable[[], str]) -> None:
        """Show how old the data is. `age_words` is called again each minute."""
        self._age_words = age_words
        self._update_age()

    def _update_age(self) -> None:
        self.age_label.setText(self._age_words())

    def show_milestones(self, stations: tuple[Milestone, ...]) -> None:
        """Show the milestones."""
        self.rail.set_stations(stations)
        self.rail.show()

    def show_reasons(self, sentences: Sequence[str], tone: Tone) -> None:
        """Show why the order needs somebody, the worst reason first; nothing if it does not."""
        self.why_label.say(sentences[0] if sentences else "")
        set_tone(self.why_label, tone)
        set_tip(self.why_label, "\n".join(sentences))

    def show_lateness(self, sentence: str, tone: Tone) -> None:
        """Show when the order is due, or by how much it is late."""
        self.late_label.setText(sentence)
        set_tone(self.late_label, tone)

    def show_documents(self, count: int) -> None:
        """Show how many documents the order has."""
        self.documents_button.setText(f" {words.document_count(count)}")  # Qt leaves no gap after an icon
        self.documents_button.setAccessibleName(words.document_button_name(count))
        self.documents_button.setEnabled(count > 0)
