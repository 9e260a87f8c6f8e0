"""The row of chips above the plots: days, facility, delivery type."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.desk.insights.insight_choice import USUAL_DAYS, InsightChoice, read_span
from app.ui.insights import insights_page_words as words
from app.ui.theme.tokens import SPACE_1
from app.ui.widgets.buttons import button
from app.ui.widgets.choosing.chip import Chip
from app.ui.widgets.choosing.chip_panel import ChipPanel
from app.ui.widgets.layout import row
from app.ui.widgets.text.labels import ampersands, restyle, set_tip, visible

CHIPS = (
    Chip("days", words.DAYS, ("days",), "one", words.USUAL_DAYS, words.DAYS_HINT, always=True),
    Chip("facility", words.FACILITY, ("facility",), "values", always=True),
    Chip("delivery", words.DELIVERY, ("delivery",), "values", always=True),
)
CHIP_KEYS = (("Alt+D", "days"), ("Alt+F", "facility"), ("Alt+T", "delivery"))


class InsightChips(QWidget):
    """`values_asked` names a field whose values are to be offered; `chosen` carries the new `InsightChoice`."""

    values_asked = Signal(str)
    chosen = Signal(object)

    def __init__(self, today: Callable[[], date]) -> None:
        super().__init__()
        self._today = today
        self.setAccessibleName(words.FILTERS)
        self.choice = InsightChoice()
        self._open: Chip | None = None
        self.panel: ChipPanel | None = None
        self.buttons = {chip.name: self._button(chip) for chip in CHIPS}
        self.setLayout(row(*self.buttons.values(), None, gap=SPACE_1))
        self.show_choice(self.choice)

    def _button(self, chip: Chip) -> QPushButton:
        made = button("", partial(self.open_chip, chip.name))
        made.setProperty("kind", "chip")
        made.installEventFilter(self)
        return made

    def show_choice(self, choice: InsightChoice) -> None:
        """Show what the plots are about."""
        self.choice = choice
        texts = {
            "days": words.span_words(choice.days, *choice.span(self._today())),
            "facility": words.values_words(words.FACILITY, choice.facilities),
            "delivery": words.values_words(words.DELIVERY, choice.deliveries),
        }
        for chip in CHIPS:
            made, text = self.buttons[chip.name], texts[chip.name]
            made.setText(ampersands(f"{text or chip.title} ▾"))
            # The chosen days are shown without the name of what they are.
            spoken = words.days_spoken(text) if chip.name == "days" and text else text
            made.setAccessibleName(visible(spoken) or chip.title)
            on = bool(text) and (chip.name != "days" or choice.days != USUAL_DAYS)
            set_tip(made, words.chip_tip(text) if on else words.filter_by(chip.title))
            if made.property("on") != on:
                made.setProperty("on", on)
                restyle(made)

    def open_chip(self, name: str, _checked: bool = False) -> None:
        """Open the panel of a chip."""
        if self.panel is not None:
            self.panel.close_now()
        chip = next(each for each in CHIPS if each.name == name)
        self._open = chip
        self.panel = ChipPanel(self.buttons[name], chip, self._values(name), negated=False)
        self.panel.negated.hide()
        self.panel.chosen.connect(self._on_chosen)
        self.panel.over.connect(self._on_over)
        self.panel.open()
        if chip.kind == "values":
            self.values_asked.emit(name)

    def _values(self, name: str) -> tuple[str, ...]:
        found = {"days": (self.choice.days,), "facility": self.choice.facilities, "delivery": self.choice.deliveries}
        return found[name]

    def offer(self, name: str, counts: Sequence[tuple[str, int]], names: Mapping[str, str]) -> None:
        """Offer the values of a field, each with its number of orders; `names` are those of codes."""
        if self.panel is not None and self._open is not None and self._open.name == name:
            self.panel.offer(counts, names)

    def _on_chosen(self, values: tuple[str, ...], _negated: bool) -> None:
        chip, panel = self._open, self.panel
        if chip is None or panel is None:
            return
        if chip.name == "days" and values and read_span(values[0], self._today()) is None:
            panel.say(words.DAYS_UNREADABLE)
            return
        panel.say("")
        self._choose(chip.name, values)

    def _choose(self, name: str, values: tuple[str, ...]) -> None:
        if name == "days":
            choice = replace(self.choice, days=values[0] if values else USUAL_DAYS)
        elif name == "facility":
            choice = replace(self.choice, facilities=values)
        else:
            choice = replace(self.choice, deliveries=values)
        if choice != self.choice:
            self.show_choice(choice)
            self.chosen.emit(choice)

    def _on_over(self) -> None:
        self.panel = self._open = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            name = next((name for name, each in self.buttons.items() if each is watched), None)
            if name is not None and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
                self._choose(name, ())
                return True
            if name is not None and event.key() == Qt.Key.Key_Down:
                self.open_chip(name)
                return True
        return super().eventFilter(watched, event)
