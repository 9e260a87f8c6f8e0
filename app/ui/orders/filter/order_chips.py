"""The row of chips below the filter line: a chip for each clause of the filter, and chips for usual filters.

Invariant: the text in the line is the one truth. A chip replaces its own piece of that text; all else stays as typed.
"""

from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.desk.filter.clause_words import clause_words
from app.desk.filter.filter_language import parse
from app.desk.filter.filter_pieces import pieces, with_piece
from app.store.cache.schema.conditions import Clause
from app.ui.orders import orders_words
from app.ui.orders.filter.chip_data import BY_FIELD, CHIPS, piece_of
from app.ui.orders.filter.filter_line import FilterLine
from app.ui.theme.tokens import SPACE_1
from app.ui.widgets.buttons import button
from app.ui.widgets.choosing.chip import Chip
from app.ui.widgets.layout import row
from app.ui.widgets.text.labels import ampersands, restyle, set_tip, visible

if TYPE_CHECKING:
    from app.ui.widgets.choosing.chip_panel import ChipPanel

_LONGEST, _SHORT = 34, 20  # letters on a chip; its tooltip has all of them


class Chips(QWidget):
    """Shows the clauses of `line` as chips, and writes into `line` what is chosen in a chip's panel."""

    values_wanted = Signal(str)  # the values of this field; `offer_values` is the answer
    pasted_dropped = Signal()  # the pasted orders are not to be shown alone any more

    def __init__(self, line: FilterLine, today: Callable[[], date]) -> None:
        super().__init__()
        self.setAccessibleName(orders_words.FILTERS)
        self._line, self._today = line, today
        self.buttons: dict[str, QPushButton] = {}
        self._words: dict[str, str] = {}
        self._shown: tuple[tuple[Clause, ...], date] | None = None  # on a day, since words such as "today" go by it
        self._resolved: Mapping[Clause, Clause] = {}  # clauses typed by name → the same by code
        self._names: Mapping[str, str] = {}  # of codes
        self.more = button(orders_words.MORE, self._open_more)
        self.more.setProperty("kind", "chip")
        self.more.setAccessibleName(orders_words.MORE_FILTERS)
        self.panel: ChipPanel | None = None
        self._open: Chip | None = None
        self.pasted_chip = button("", self.pasted_dropped.emit, tip=orders_words.SHOW_NOT_ONLY_PASTED)
        self.pasted_chip.setProperty("kind", "chip")
        self.pasted_chip.setProperty("on", True)
        self.pasted_chip.hide()
        # The widths of buttons are known once Qt has laid them out, and several changes are one fitting.
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self.fit)
        self._row = row(self.pasted_chip, self.more, None, gap=SPACE_1)
        self.setLayout(self._row)
        line.changed.connect(self._on_filter)
        self.show_filter()

    def _button(self, chip: Chip) -> QPushButton:
        """The chip's button: made when it is first needed, and put where the chip belongs among the others."""
        if chip.name in self.buttons:
            return self.buttons[chip.name]
        made = self.buttons[chip.name] = QPushButton()
        made.setProperty("kind", "chip")
        made.setAutoDefault(False)
        made.clicked.connect(partial(self._on_click, chip))
        made.installEventFilter(self)
        names = [each.name for each in CHIPS if each.name in self.buttons]
        self._row.insertWidget(names.index(chip.name), made)
        return made

    def _on_filter(self) -> None:
        # Most keys change words, for which there is no chip.
        if self._shown != (self._line.filter.clauses, self._today()):
            self.show_filter()

    def show_filter(self) -> None:
        """Show a chip for each clause of the filter, and those that are always there."""
        self._shown = self._line.filter.clauses, self._today()
        found = {BY_FIELD[each.field].name: each for each in self._line.filter.clauses if each.field in BY_FIELD}
        for chip in CHIPS:
            clause = found.get(chip.name)
            if clause is None and not chip.always:
                if chip.name in self.buttons and self._open is not chip:
                    self.buttons[chip.name].hide()
                continue
            made = self._button(chip)
            words = chip.title if clause is None else self._in_words(clause)
            self._words[chip.name] = words
            self._write(chip, _LONGEST)
            made.setAccessibleName(visible(words))
            set_tip(made, orders_words.chip_tip(words) if clause is not None else orders_words.filter_by(chip.title))
            if made.property("on") != (clause is not None):
                made.setProperty("on", clause is not None)
                restyle(made)
            made.show()
        self._later.start()

    def _in_words(self, clause: Clause) -> str:
        return clause_words(self._resolved.get(clause, clause), self._today(), self._names)

    def show_names(self, resolved: Mapping[Clause, Clause], names: Mapping[str, str]) -> None:
        """Show codes by these names; `resolved` has the clauses that were typed by name, with codes in their place."""
        if (resolved, names) != (self._resolved, self._names):
            self._resolved, self._names = resolved, names
            self.show_filter()

    def _write(self, chip: Chip, letters: int) -> None:
        words = self._words.get(chip.name, chip.title)
        shown = words if len(words) <= letters else f"{words[: letters - 1]}…"
        self.buttons[chip.name].setText(ampersands(f"{shown} ▾" if chip.kind != "flag" else shown))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._later.start()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.more.sizeHint().height())

    def fit(self) -> None:
        """Make room: chips that filter by nothing go into the menu, from the last one; the others are shortened."""
        active = {chip.name for chip in CHIPS if self._clause(chip) is not None or self._open is chip}
        standing = [chip for chip in CHIPS if chip.name in self.buttons and (chip.always or chip.name in active)]
        room = self.width() - self.more.sizeHint().width() - SPACE_1
        room -= 0 if self.pasted_chip.isHidden() else self.pasted_chip.sizeHint().width() + SPACE_1
        for letters in (_LONGEST, _SHORT):
            for chip in standing:
                if chip.name in active:
                    self._write(chip, letters)
            taken = sum(self._width(chip) for chip in standing if chip.name in active)
            if taken <= room:
                break
        room -= taken
        for chip in standing:
            if chip.name not in active:
                room -= self._width(chip)
                self.buttons[chip.name].setVisible(room >= 0)

    def _width(self, chip: Chip) -> int:
        return self.buttons[chip.name].sizeHint().width() + SPACE_1

    def show_pasted(self, count: int) -> None:
        """Show a chip for so many pasted orders, which are too many for the line; no chip for 0."""
        self.pasted_chip.setText(orders_words.pasted_chip(count))
        self.pasted_chip.setAccessibleName(orders_words.pasted_chip_spoken(count))
        self.pasted_chip.setVisible(count > 0)

    def _clause(self, chip: Chip) -> Clause | None:
        return next((each for each in self._line.filter.clauses if each.field in chip.fields), None)

    def open_chip(self, name: str) -> None:
        """Open the panel of a chip; a chip that is only on or off is switched."""
        chip = next(each for each in CHIPS if each.name == name)
        if chip.kind == "flag":
            on = self._clause(chip) is None
            self._put(chip, ("yes",) if on else (), negated=False)
            return
        typed, negated = self._typed(chip)
        made = self._button(chip)
        if not made.text():
            made.setText(ampersands(f"{chip.title} ▾"))
        made.show()
        self.close_panel()
        from app.ui.widgets.choosing.chip_panel import ChipPanel  # nobody opens one before the first paint

        self.panel, self._open = ChipPanel(made, chip, typed, negated=negated), chip
        self.panel.chosen.connect(self._on_chosen)
        self.panel.over.connect(self._on_over)
        self.panel.open()
        if chip.kind in ("values", "some"):
            self.values_wanted.emit(chip.fields[0])

    def _typed(self, chip: Chip) -> tuple[tuple[str, ...], bool]:
        """The values in the typed piece of a chip, and whether that piece is negated."""
        clause = self._clause(chip)
        if clause is None:
            return (), False
        if chip.kind in ("values", "some"):
            return self._resolved.get(clause, clause).values, clause.negated
        found = next(each.text for each in pieces(self._line.editor.text(), self._today()) if each.clause == clause)
        return ((found.partition(":")[2] or "1",) if ":" in found or chip.name == "late" else (), clause.negated)

    def offer_values(self, field: str, counts: list[tuple[str, int]], names: Mapping[str, str]) -> None:
        """The store has these values of a field, and so many orders have each; `names` are those of codes."""
        if self.panel is not None and self._open is not None and field == self._open.fields[0]:
            self.panel.offer(counts, names)

    def close_panel(self) -> None:
        """Close the panel that is open, if any."""
        if self.panel is not None:
            self.panel.close_now()

    def _on_over(self) -> None:
        self.panel = self._open = None
        self.show_filter()

    def _on_click(self, chip: Chip, _checked: bool = False) -> None:
        self.open_chip(chip.name)

    def _on_chosen(self, values: tuple[str, ...], negated: bool) -> None:
        chip, panel = self._open, self.panel
        if chip is None or panel is None:
            return
        problems = parse(piece_of(chip, values, negated=negated), self._today()).problems
        panel.say(problems[0].sentence if problems else "")
        if not problems:
            self._put(chip, values, negated=negated)
            self.buttons[chip.name].show()

    def _put(self, chip: Chip, values: tuple[str, ...], *, negated: bool) -> None:
        piece = piece_of(chip, values, negated=negated)
        self._line.set_text(with_piece(self._line.editor.text(), chip.fields, piece, self._today()))

    def _open_more(self) -> None:
        menu = QMenu(self)
        for chip in CHIPS:
            if chip.name not in self.buttons or self.buttons[chip.name].isHidden():
                menu.addAction(ampersands(chip.title), partial(self._add_chip, chip.name))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))
        if menu.actions():
            menu.setActiveAction(menu.actions()[0])

    def _add_chip(self, name: str) -> None:
        """Filter by a chip of the menu; the keyboard goes on to the chip, or to its panel."""
        self.open_chip(name)
        if self.panel is None:
            self.buttons[name].setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            chip = next((each for each in CHIPS if self.buttons.get(each.name) is watched), None)
            if chip is not None and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
                self._put(chip, (), negated=False)
                return True
            if chip is not None and event.key() == Qt.Key.Key_Down:
                self.open_chip(chip.name)
                return True
        return super().eventFilter(watched, event)
