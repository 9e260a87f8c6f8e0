"""The row of chips below the filter of the audits: what the list is narrowed to, and by what else it can be."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.desk.filter_dates import read_days, written_days
from app.ui.audits.narrowing import FACETS, Narrowing, read_scores
from app.ui.audits.plot import Chosen
from app.ui.theme.tokens import SPACE_1
from app.ui.widgets.buttons import button
from app.ui.widgets.chip import Chip
from app.ui.widgets.chip_panel import ChipPanel
from app.ui.widgets.labels import ampersands, restyle, set_tip, visible
from app.ui.widgets.layout import row

_SCORES = (("..40", "40 and less"), ("..60", "60 and less"), ("..80", "80 and less"), ("80..", "80 and more"))
_DAYS_HINT = "or days: fri, 2026-03-31, -30..today"
CHIPS = (
    *(Chip(facet, title, (facet,), "values", always=True) for facet, title in FACETS.items()),
    Chip("score", "Score", ("score",), "one", _SCORES, "or scores: 40..70", always=True),
    Chip("span", "Days", ("span",), "one", (), _DAYS_HINT, always=True),
)


class AuditChips(QWidget):
    """`asked` names a facet of which the values are wanted; `narrowed` tells what the list is to be narrowed to."""

    asked = Signal(str)
    narrowed = Signal(object)

    def __init__(self, today: Callable[[], date]) -> None:
        super().__init__()
        self._today = today
        self.setAccessibleName("Filters")
        self._narrowing = Narrowing()
        self._open: Chip | None = None
        self.panel: ChipPanel | None = None
        self.buttons = {chip.name: self._button(chip) for chip in CHIPS}
        self.setLayout(row(*self.buttons.values(), None, gap=SPACE_1))
        self.show_narrowing(self._narrowing)

    def _button(self, chip: Chip) -> QPushButton:
        made = button("", partial(self.open_chip, chip.name))
        made.setProperty("kind", "chip")
        made.installEventFilter(self)
        return made

    def show_narrowing(self, narrowing: Narrowing) -> None:
        """Say what the list is narrowed to."""
        self._narrowing = narrowing
        told = dict(narrowing.words())
        for chip in CHIPS:
            made, words = self.buttons[chip.name], told.get(chip.name, "")
            made.setText(ampersands(f"{words or chip.title} ▾"))
            made.setAccessibleName(visible(words or f"Filter by {chip.title.lower()}"))
            set_tip(made, f"{words}. Delete takes it out." if words else f"Filter by {chip.title.lower()}")
            if made.property("on") != bool(words):
                made.setProperty("on", bool(words))
                restyle(made)

    def open_chip(self, name: str, _checked: bool = False) -> None:
        """Open what a chip offers."""
        if self.panel is not None:
            self.panel.close_now()
        chip = next(each for each in CHIPS if each.name == name)
        if name == "span":
            chip = replace(chip, options=usual_days(self._today()))
        self._open = chip
        self.panel = ChipPanel(self.buttons[name], chip, self._narrowing.typed(name), negated=False)
        self.panel.negated.hide()
        self.panel.chosen.connect(self._on_chosen)
        self.panel.over.connect(self._on_over)
        self.panel.open()
        if chip.kind == "values":
            self.asked.emit(name)

    def offer(self, name: str, counts: list[tuple[str, int]]) -> None:
        """These are the values of a facet, with how many audits have each."""
        if self.panel is not None and self._open is not None and self._open.name == name:
            self.panel.offer(counts)

    def _on_chosen(self, values: tuple[str, ...], _negated: bool) -> None:
        chip, panel = self._open, self.panel
        if chip is None or panel is None:
            return
        if chip.kind == "values":
            self._tell(self._narrowing.with_values(chip.name, values))
            return
        if chip.name == "span":
            self._on_days(values[0] if values else "", panel)
            return
        scores = read_scores(values[0]) if values else (None, None)
        panel.say("" if scores is not None else "Scores are written like 40..70, ..60 or 80..")
        if scores is not None:
            self._tell(self._narrowing.with_scores(*scores))

    def _on_over(self) -> None:
        self.panel = self._open = None

    def _on_days(self, typed: str, panel: ChipPanel) -> None:
        days = read_days(typed, self._today(), back=True) if typed else None
        first, last = days or (None, None)
        panel.say("Days are written like fri, 2026-03-31 or -30..today" if typed and days is None else "")
        if not typed:
            self._tell(self._narrowing.without("span"))
        elif days is not None:
            span = Chosen(first or date.min, last or self._today())
            self._tell(replace(self._narrowing, span=span))

    def _tell(self, narrowing: Narrowing) -> None:
        self.show_narrowing(narrowing)
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


def usual_days(today: date) -> tuple[tuple[str, str], ...]:
    """Spans that are asked for often, as they are typed, with their words. A week begins on Monday."""
    monday = today - timedelta(days=today.weekday())
    last_month = (today.replace(day=1) - timedelta(days=1)).replace(day=1)
    spans = (
        (today, today, "Today"),
        (monday, today, "This week"),
        (monday - timedelta(days=7), monday - timedelta(days=1), "Last week"),
        (today.replace(day=1), today, "This month"),
        (last_month, today.replace(day=1) - timedelta(days=1), "Last month"),
    )
    return tuple((written_days(first, last), words) for first, last, words in spans)
