"""The row of chips below the filter of the audits: what the list is narrowed to, and by what else it can be."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.desk.audits.audit_filter import EVERYTHING, LOW, Narrowing, kept_days, kept_scores
from app.ui.audits.list.narrowing_words import (
    FACET_WORDS,
    MARK_WORDS,
    USUAL_DAYS,
    dates_words,
    days_words,
    score_words,
    words,
)
from app.ui.theme.tokens import SPACE_1
from app.ui.widgets.buttons import button
from app.ui.widgets.choosing.chip import Chip
from app.ui.widgets.choosing.chip_panel import ChipPanel
from app.ui.widgets.layout import row
from app.ui.widgets.text.labels import ampersands, restyle, set_tip, visible

_SCORES = (("..40", "40 and less"), ("..60", "60 and less"), ("..80", "80 and less"), ("80..", "80 and more"))
_HINTS = {"score": "or scores: 40..70", "days": "or days: fri, 2026-03-31, -30..today"}
_UNREAD = {
    "score": "Scores are written like 40..70, ..60 or 80..",
    "days": "Days are written like fri, 2026-03-31 or -30..today",
}
CHIPS = (
    *(Chip(facet, title, (facet,), "values", always=True) for facet, title in FACET_WORDS.items()),
    Chip("score", "Score", ("score",), "one", hint=_HINTS["score"], always=True),
    Chip("days", "Days", ("days",), "one", hint=_HINTS["days"], always=True),
    Chip("mark", "Review", ("mark",), "one", tuple(MARK_WORDS.items()), always=True),
)
CHIP_KEYS = (
    *(("Alt+T", "kind"), ("Alt+F", "facility"), ("Alt+N", "vendor")),
    *(("Alt+S", "score"), ("Alt+D", "days"), ("Alt+R", "mark")),
)


class AuditChips(QWidget):
    """`asked` names a facet of which the values are wanted; `narrowed` tells what the list is to be narrowed to."""

    asked = Signal(str)
    narrowed = Signal(object)

    def __init__(self, today: Callable[[], date]) -> None:
        super().__init__()
        self._today = today
        self.setAccessibleName("Filters")
        self._narrowing, self._top = EVERYTHING, 100.0
        self._open: Chip | None = None
        self.panel: ChipPanel | None = None
        self.buttons = {chip.name: self._button(chip) for chip in CHIPS}
        self.setLayout(row(*self.buttons.values(), None, gap=SPACE_1))
        self.show_narrowing(self._narrowing, self._top)

    def _button(self, chip: Chip) -> QPushButton:
        made = button("", partial(self.open_chip, chip.name))
        made.setProperty("kind", "chip")
        made.installEventFilter(self)
        return made

    def show_narrowing(self, narrowing: Narrowing, top: float) -> None:
        """Say what the list is narrowed to; `top` is the highest score there may be."""
        self._narrowing, self._top = narrowing, top
        told = words(narrowing, self._today(), top)
        for chip in CHIPS:
            made, said = self.buttons[chip.name], told.get(chip.name, "")
            made.setText(ampersands(f"{said or chip.title} ▾"))
            made.setAccessibleName(visible(said or f"Filter by {chip.title.lower()}"))
            set_tip(made, f"{self._exactly(chip.name, said)}. Delete takes it out." if said else made.accessibleName())
            if made.property("on") != bool(said):
                made.setProperty("on", bool(said))
                restyle(made)

    def _exactly(self, name: str, said: str) -> str:
        """`Last week: Mon 16 Nov to Sun 22 Nov`."""
        dates = dates_words(self._narrowing.days, self._today()) if name == "days" else said
        return said if dates == said else f"{said}: {dates}"

    def open_chip(self, name: str, _checked: bool = False) -> None:
        """Open what a chip offers."""
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
            self.asked.emit(name)

    def _options(self, chip: Chip) -> tuple[tuple[str, str], ...]:
        """Some depend on today, and on the highest score there may be."""
        if chip.name == "score":
            return ((LOW, score_words(LOW, self._top)), *_SCORES)
        if chip.name == "days":
            return tuple((typed, days_words(typed, self._today())) for typed in USUAL_DAYS)
        return chip.options

    def offer(self, name: str, counts: list[tuple[str, int]]) -> None:
        """These are the values of a facet, with how many audits have each."""
        if self.panel is not None and self._open is not None and self._open.name == name:
            self.panel.offer(counts)

    def _on_chosen(self, values: tuple[str, ...], _negated: bool) -> None:
        chip, panel = self._open, self.panel
        if chip is None or panel is None:
            return
        read = self._read(chip.name, values)
        panel.say("" if read is not None else _UNREAD[chip.name])
        if read is not None:
            self._tell(self._narrowing.narrowed(chip.name, read))

    def _read(self, name: str, values: tuple[str, ...]) -> tuple[str, ...] | None:
        """As they are kept; None for what cannot be read."""
        if not values or name not in _UNREAD:
            return values
        read = kept_scores(values[0]) if name == "score" else kept_days(values[0], self._today())
        return None if read is None else (read,)

    def _on_over(self) -> None:
        self.panel = self._open = None

    def _tell(self, narrowing: Narrowing) -> None:
        self.show_narrowing(narrowing, self._top)
        self.narrowed.emit(narrowing)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            name = next((name for name, each in self.buttons.items() if each is watched), None)
            if name is not None and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
                self._tell(self._narrowing.without(name))
                return True
            if name is not None and event.key() == Qt.Key.Key_Down:
                self.open_chip(name)
                return True
        return super().eventFilter(watched, event)
