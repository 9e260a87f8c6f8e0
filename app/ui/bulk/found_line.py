"""How a file was understood, in one line: encoding, separator, sheet, titles, numbers, dates. Each is corrected there.

Invariant: what was guessed has a sign, and its reason in words; nothing is said to be certain that is not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.desk.bulk.files.file_tables import NO_HEADER, Finding, ReadOptions, Table
from app.desk.bulk.files.text_files import ENCODINGS, SEPARATORS
from app.desk.bulk.mapping.column_mapping import ColumnMapping
from app.ui.bulk import bulk_page_words as words
from app.ui.theme.tokens import SPACE_1
from app.ui.widgets.layout import drop_items, row
from app.ui.widgets.text.labels import ElidedLabel, ampersands, plain_tooltip, restyle, visible

KEY = "Alt+I"
Change = ReadOptions | ColumnMapping


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that was found: its topic, what it is called, and what else it could be, with what to do for that."""

    topic: str
    name: str
    text: str
    choices: tuple[tuple[str, Change], ...]
    now: int  # the place of what counts now among the choices; -1 for none of them
    doubt: str = ""  # why a person should look


def facts_of(table: Table, mapping: ColumnMapping, findings: Sequence[Finding]) -> tuple[Fact, ...]:
    """The facts of a file, in the order in which a person would look at them."""
    doubts: dict[str, str] = {each.topic: each.sentence for each in findings if not each.sure}
    told: set[str] = {each.topic for each in findings}
    found = [*_of_reading(table, doubts), *_of_forms(mapping, doubts, told)]
    return tuple(each for each in found if len(each.choices) > 1)


def _of_reading(table: Table, doubts: dict[str, str]) -> list[Fact]:
    options = table.read_with
    made = []
    if options.encoding is not None and table.source == "text":
        names = {**ENCODINGS, options.encoding: ENCODINGS.get(options.encoding, options.encoding)}
        choices = tuple((title, replace(options, encoding=code)) for code, title in names.items())
        made.append(_fact("encoding", words.ENCODING, choices, list(names).index(options.encoding), doubts))
    if options.separator is not None:
        signs = {**SEPARATORS, options.separator: SEPARATORS.get(options.separator, options.separator)}
        choices = tuple((title, replace(options, separator=sign)) for sign, title in signs.items())
        made.append(_fact("separator", words.SEPARATOR, choices, list(signs).index(options.separator), doubts))
    if options.sheet is not None:
        # Another sheet has its titles elsewhere.
        choices = tuple((words.sheet(each), replace(options, sheet=each, header_row=None)) for each in table.sheets)
        now = table.sheets.index(options.sheet) if options.sheet in table.sheets else -1
        made.append(_fact("sheet", words.SHEET, choices, now, doubts))
    if options.header_row is not None:
        places = [*range(len(table.above)), NO_HEADER]
        choices = tuple(
            (words.titles_in(each, table.above[each] if each >= 0 else ()), replace(options, header_row=each))
            for each in places
        )
        now = places.index(options.header_row) if options.header_row in places else -1
        made.append(_fact("header", words.TITLE_ROW, choices, now, doubts, words.titles_at(options.header_row)))
    return made


def _of_forms(mapping: ColumnMapping, doubts: dict[str, str], told: set[str]) -> list[Fact]:
    made = []
    forms: tuple[tuple[str, str, str, dict[str, str]], ...] = (
        ("decimal", words.DECIMAL, mapping.decimal, words.DECIMALS),
        ("dates", words.DATES, mapping.dates, words.DATE_ORDERS),
        ("rows", words.ROWS_ARE, mapping.rows, words.ROWS_OF),
    )
    for topic, name, value, titles in forms:
        if not value and topic not in told:
            continue  # no column of the file has numbers, or dates
        choices = tuple((title, replace(mapping, **{topic: each})) for each, title in titles.items())  # type: ignore[arg-type]
        now = list(titles).index(value) if value in titles else -1
        made.append(_fact(topic, name, choices, now, doubts, "" if value else words.open_form(name)))
    return made


def _fact(
    topic: str, name: str, choices: tuple[tuple[str, Change], ...], now: int, doubts: dict[str, str], text: str = ""
) -> Fact:
    said = text or (choices[now][0] if now >= 0 else name)
    return Fact(topic, name, f"{said[:1].upper()}{said[1:]}", choices, now, doubts.get(topic, ""))


class FoundLine(QWidget):
    """A small button for each fact, which offers what else it could be. `asked` carries `ReadOptions` or a mapping."""

    asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(words.FOUND_NAME)
        self._facts: tuple[Fact, ...] = ()
        self.buttons: dict[str, QPushButton] = {}
        self._chips = row(gap=SPACE_1)
        self.doubt = ElidedLabel("label")
        line = row(self._chips, self.doubt, gap=SPACE_1)
        line.setStretch(1, 1)
        self.setLayout(line)
        self.menu = QMenu(self)
        QShortcut(QKeySequence(KEY), self, self.first)

    def show_facts(self, facts: tuple[Fact, ...]) -> None:
        """Show these facts. A button that stays keeps the keyboard."""
        if [each.topic for each in facts] != list(self.buttons):
            drop_items(self._chips)
            self.buttons = {each.topic: self._button(each.topic) for each in facts}
            for made in self.buttons.values():
                self._chips.addWidget(made)
        self._facts = facts
        for fact in facts:
            self._say(self.buttons[fact.topic], fact)
        self.doubt.say(next((each.doubt for each in facts if each.doubt), ""))

    def _button(self, topic: str) -> QPushButton:
        made = QPushButton()
        made.setProperty("kind", "chip")
        made.setAutoDefault(False)
        made.clicked.connect(partial(self.offer, topic))
        return made

    def _say(self, made: QPushButton, fact: Fact) -> None:
        sign = "? " if fact.doubt else ""
        made.setText(ampersands(f"{sign}{fact.text}"))
        made.setAccessibleName(visible(words.fact_spoken(fact.name, fact.text)))
        made.setAccessibleDescription(visible(fact.doubt or words.FACT_TIP))
        made.setToolTip(plain_tooltip("\n".join(each for each in (fact.name, fact.doubt, words.FACT_TIP) if each)))
        if made.property("on") != bool(fact.doubt):
            made.setProperty("on", bool(fact.doubt))
            restyle(made)

    def first(self) -> None:
        """Put the keyboard on the first fact that is doubtful, or on the first one."""
        wanted = next((each.topic for each in self._facts if each.doubt), next(iter(self.buttons), ""))
        if wanted:
            self.buttons[wanted].setFocus()

    def offer(self, topic: str, *_checked: bool) -> None:
        """Open the menu of what a fact could be instead; nothing waits for it."""
        menu, button = self.menu_of(topic), self.buttons[topic]
        fact = next(each for each in self._facts if each.topic == topic)
        menu.popup(button.mapToGlobal(QPoint(0, button.height())))
        menu.setActiveAction(menu.actions()[max(fact.now, 0)])

    def menu_of(self, topic: str) -> QMenu:
        """The other readings of a fact, as a menu that is filled anew each time."""
        fact = next(each for each in self._facts if each.topic == topic)
        self.menu.clear()
        self.menu.setAccessibleName(fact.name)
        for place, (title, change) in enumerate(fact.choices):
            action = QAction(ampersands(title), self.menu)
            action.setCheckable(True)
            action.setChecked(place == fact.now)
            action.triggered.connect(partial(self._choose, change, place == fact.now))
            self.menu.addAction(action)
        return self.menu

    def _choose(self, change: Change, same: bool, *_checked: bool) -> None:
        if not same:
            self.asked.emit(change)
