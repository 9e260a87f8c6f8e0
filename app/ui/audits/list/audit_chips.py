"""The row of chips below the filter: each shows one condition of the list, and offers its values."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.desk.audits.audit_filter import EVERYTHING, LOW, Narrowing, kept_days, kept_scores
from app.desk.audits.scores import Scale
from app.translation import translate
from app.ui.audits.audits_words import (
    CHIP_UNREADABLE,
    DAYS_HINT,
    FACET_WORDS,
    MARK_WORDS,
    SCORE_HINT,
    SCORE_OPTIONS,
    USUAL_DAYS,
    chip_name,
    chip_tip,
    chip_words,
    dates_words,
    score_words,
)
from app.ui.theme.tokens import SPACE_1
from app.ui.widgets.buttons import button
from app.ui.widgets.choosing.chip import Chip
from app.ui.widgets.choosing.chip_panel import ChipPanel
from app.ui.widgets.layout import row
from app.ui.widgets.text.labels import ampersands, restyle, set_tip, visible

CHIPS = (
    *(Chip(facet, title, (facet,), "values", always=True) for facet, title in FACET_WORDS.items()),
    Chip("score", translate("Score"), ("score",), "one", hint=SCORE_HINT, always=True),
    Chip("days", translate("Days"), ("days",), "one", hint=DAYS_HINT, always=True),
    Chip("mark", translate("Review"), ("mark",), "one", tuple(MARK_WORDS.items()), always=True),
)
CHIP_KEYS = (
    *(("Alt+T", "kind"), ("Alt+F", "facility"), ("Alt+N", "vendor")),
    *(("Alt+S", "score"), ("Alt+D", "days"), ("Alt+R", "mark")),
)


class AuditChips(QWidget):
    """`values_asked` names a facet whose values are to be offered; `narrowed` carries the new `Narrowing`."""

    values_asked = Signal(str)
    narrowed = Signal(object)

    def __init__(self, today: Callable[[], date]) -> None:
        super().__init__()
        self._today = today
        self.setAccessibleName(translate("Filters"))
        self._narrowing, self._scale = EVERYTHING, Scale()
        self._open: Chip | None = None
        self.panel: ChipPanel | None = None
        self.buttons = {chip.name: self._button(chip) for chip in CHIPS}
        self.setLayout(row(*self.buttons.values(), None, gap=SPACE_1))
        self.show_narrowing(self._narrowing, self._scale)

    def _button(self, chip: Chip) -> QPushButton:
        made = button("", partial(self.open_chip, chip.name))
        made.setProperty("kind", "chip")
        made.installEventFilter(self)
        return made

    def show_narrowing(self, narrowing: Narrowing, scale: Scale) -> None:
        """Show what the list is narrowed to."""
        self._narrowing, self._scale = narrowing, scale
        chosen = chip_words(narrowing, self._today(), scale)
        for chip in CHIPS:
            made, text = self.buttons[chip.name], chosen.get(chip.name, "")
            made.setText(ampersands(f"{text or chip.title} ▾"))
            made.setAccessibleName(visible(text) or chip_name(chip.title))
            set_tip(made, self._tip(chip.name, text) or made.accessibleName())
            if made.property("on") != bool(text):
                made.setProperty("on", bool(text))
                restyle(made)

    def _tip(self, name: str, text: str) -> str:
        dates = dates_words(self._narrowing.days, self._today()) if name == "days" and text else text
        return chip_tip(text, dates) if text else ""

    def open_chip(self, name: str, _checked: bool = False) -> None:
        """Open the panel of a chip."""
        if self.panel is not None:
            self.panel.close_now()
        chip = next(each for each in CHIPS if each.name == name)
        chip = replace(chip, options=self._options(chip))
        self._open = chip
        self.panel = ChipPanel(self.buttons[name], chip, self._narrowing.typed(name), negated=False)
        self.panel.negated.hide()
        self.panel.chosen.connect(self._on_chosen)
        self.panel.over.connect(self._on_over)
        self.panel.open()
        if chip.kind == "values":
            self.values_asked.emit(name)

    def _options(self, chip: Chip) -> tuple[tuple[str, str], ...]:
        """The options of a chip; that of low scores depends on the scale."""
        if chip.name == "score":
            return ((LOW, score_words(LOW, self._scale)), *SCORE_OPTIONS)
        if chip.name == "days":
            return tuple(USUAL_DAYS.items())
        return chip.options

    def offer(self, name: str, counts: list[tuple[str, int]]) -> None:
        """Offer the values of a facet, each with its number of audits."""
        # The values may come when another chip has been opened.
        if self.panel is not None and self._open is not None and self._open.name == name:
            self.panel.offer(counts)

    def _on_chosen(self, values: tuple[str, ...], _negated: bool) -> None:
        chip, panel = self._open, self.panel
        if chip is None or panel is None:
            return
        read = self._read(chip.name, values)
        panel.say("" if read is not None else CHIP_UNREADABLE[chip.name])
        if read is not None:
            self._narrow(self._narrowing.narrowed(chip.name, read))

    def _read(self, name: str, values: tuple[str, ...]) -> tuple[str, ...] | None:
        """The values as they are saved; None if they cannot be read."""
        if not values or name not in CHIP_UNREADABLE:
            return values
        read = kept_scores(values[0]) if name == "score" else kept_days(values[0], self._today())
        return None if read is None else (read,)

    def _on_over(self) -> None:
        self.panel = self._open = None

    def _narrow(self, narrowing: Narrowing) -> None:
        self.show_narrowing(narrowing, self._scale)
        self.narrowed.emit(narrowing)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            name = next((name for name, each in self.buttons.items() if each is watched), None)
            if name is not None and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
                self._narrow(self._narrowing.without(name))
                return True
            if name is not None and event.key() == Qt.Key.Key_Down:
                self.open_chip(name)
                return True
        return super().eventFilter(watched, event)
