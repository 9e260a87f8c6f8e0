"""The details of an order below its head: sections of values that can be copied, documents, and history.

Invariant: a section that has not changed keeps its widgets, so a refresh moves neither the scroll place nor the focus.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from app.desk.text.contact_links import mail_link, map_link, phone_link
from app.store.journal.records import WriteRow
from app.ui.orders import orders_words as words
from app.ui.orders.order_sections import EMAIL, PHONE, Section
from app.ui.outbox.outbox_words import KIND_WORDS, STATE_LOOK, state_word
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import LABEL_WIDTH, SPACE_1, SPACE_3
from app.ui.widgets import widget_words
from app.ui.widgets.buttons import button, icon_button
from app.ui.widgets.call_choice import CALL_CHOICE, open_address
from app.ui.widgets.layout import column, drop_item, drop_items, holding, row
from app.ui.widgets.map_choice import MAP_CHOICE
from app.ui.widgets.text.labels import ampersands, set_tip, text_label, visible
from app.ui.widgets.text.times import moment

_LONG_LABEL = 24
# Names in scripts that run from right to left are aligned with their neighbours all the same.
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop
_MENU_LETTERS = 48
_MENU_LINES = 25


class SectionView(QWidget):
    """A heading with lines below. `copied` carries a text for the clipboard, and its name; `more_asked` asks for the
    lines that the section leaves out; `said` is a sentence about what a click did."""

    copied = Signal(str, str)
    more_asked = Signal()
    said = Signal(str)

    def __init__(self, theme: Theme, section: Section) -> None:
        super().__init__()
        self.section = section
        self.map_button = icon_button(theme, "map-pin", words.show_on_map(section.heading), self._show_on_map)
        self.map_button.setProperty("tight", True)
        MAP_CHOICE.changed.connect(self._offer_map)
        self._copy = icon_button(theme, "copy", words.copy_from(section.heading), self.open_menu)
        self._copy.setProperty("tight", True)
        grid = _grid(labelled=any(label for label, _ in section.lines))
        for at, (label, value) in enumerate(section.lines):
            shown: QWidget = _value(label, value)
            if isinstance(shown, PhoneButton):
                shown.said.connect(self.said)
            if label:
                name = text_label(label, "soft", wrap=len(label) > _LONG_LABEL)
                grid.addWidget(name, at, 0, Qt.AlignmentFlag.AlignTop)
                # A button is as wide as its text; with an alignment it does not narrow the whole column.
                grid.addWidget(shown, at, 1, _LEFT if isinstance(shown, QPushButton) else Qt.AlignmentFlag(0))
            else:
                grid.addWidget(shown, at, 0, 1, 2)
        if not section.lines:
            grid.addWidget(text_label(section.nothing, "soft", wrap=True), 0, 0, 1, 2)
        head = row(text_label(section.heading, "heading"), None, self.map_button, self._copy)
        self.more_button = button(section.more, self.more_asked.emit, kind="link")
        self.setLayout(column(head, grid, row(self.more_button, None)))
        self.more_button.setVisible(bool(section.more))
        self._copy.setVisible(bool(section.lines))  # last: a widget without a parent would open as a window
        self._offer_map()

    def _offer_map(self) -> None:
        """Lead to the map where there is an address and a person has chosen a site."""
        self.map_button.setVisible(bool(map_link(MAP_CHOICE.site, self.section.place)))

    def _show_on_map(self) -> None:
        if address := map_link(MAP_CHOICE.site, self.section.place):
            open_address(address)

    def open_menu(self) -> None:
        """Open the menu of values to copy."""
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self._copy.mapToGlobal(self._copy.rect().bottomLeft()))

    def menu(self) -> QMenu:
        """A menu of each value, and of all of them."""
        menu = QMenu(self)
        lines = self.section.lines
        whole = "\n".join(words.labelled(label, value) if label else value for label, value in lines)
        menu.addAction(
            words.all_of(ampersands(self.section.heading)), partial(self.copied.emit, whole, self.section.heading)
        )
        menu.addSeparator()
        for label, value in lines[:_MENU_LINES]:
            short = value if len(value) <= _MENU_LETTERS else f"{value[: _MENU_LETTERS - 1]}…"
            line = words.labelled(label, short) if label else short
            menu.addAction(ampersands(line.replace("\n", " ")), partial(self.copied.emit, value, label or value))
        return menu


def _value(label: str, value: str) -> QWidget:
    """A value as text; a phone number or a mail address as a button that calls or writes to it."""
    if label == PHONE and phone_link(value):
        return PhoneButton(value)
    address = mail_link(value) if label == EMAIL else ""
    if not address:
        shown = text_label(value, wrap=True, selectable=True)
        shown.setAlignment(_LEFT)
        return shown
    made = button(value, partial(open_address, address), kind="link", tip=words.MAIL_TIP)
    made.setAccessibleName(visible(words.write_to(value)))
    return made


class PhoneButton(QPushButton):
    """A phone number that is called or copied, as a person chose; its name and tip say which. `said` says what came
    of a click."""

    said = Signal(str)

    def __init__(self, phone: str) -> None:
        super().__init__(ampersands(visible(phone)))
        self._phone = phone
        self.setProperty("kind", "link")
        self.setAutoDefault(False)
        self.clicked.connect(self._reach)
        CALL_CHOICE.changed.connect(self._name)
        self._name()

    def _name(self) -> None:
        calls = CALL_CHOICE.calls(self._phone)
        self.setAccessibleName(visible(widget_words.phone_button(self._phone, calls=calls)))
        set_tip(self, widget_words.phone_tip(calls=calls))

    def _reach(self) -> None:
        self.said.emit(CALL_CHOICE.reach(self._phone))


class HistoryView(QWidget):
    """The writes of this desk for the order, each with a button that shows it in the outbox."""

    def __init__(self, theme: Theme, history: Sequence[WriteRow], show: Callable[[int], object]) -> None:
        super().__init__()
        self.history = history
        grid = _grid(labelled=True)
        for at, each in enumerate(history):
            state = f"{STATE_LOOK[each.state][0]} {words.kind_and_state(KIND_WORDS[each.kind], state_word(each.state))}"
            grid.addWidget(text_label(moment(each.changed_at), "soft"), at, 0)
            grid.addWidget(text_label(state, wrap=True, selectable=True), at, 1)
            grid.addWidget(self._show_button(theme, each, show), at, 2)
        self.setLayout(column(text_label(words.SENT_FROM_HERE, "heading"), grid))

    def _show_button(self, theme: Theme, write: WriteRow, show: Callable[[int], object]) -> QPushButton:
        name = words.show_in_outbox(KIND_WORDS[write.kind].lower())
        made = icon_button(theme, "send", name, partial(show, write.id))
        made.setProperty("tight", True)
        return made


class HereLine(NamedTuple):
    """A fact that this desk alone knows of an order, and a button that leads to more about it."""

    label: str
    text: str
    action: str
    icon: str
    act: Callable[[], object]


class HereView(QWidget):
    """The facts that this desk alone knows of an order: its load, and the slots that were reserved for it."""

    def __init__(self, theme: Theme, lines: Sequence[HereLine]) -> None:
        super().__init__()
        self.facts = [each[:4] for each in lines]
        grid = _grid(labelled=True)
        for at, each in enumerate(lines):
            grid.addWidget(text_label(each.label, "soft"), at, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(text_label(each.text, wrap=True, selectable=True), at, 1)
            if each.action:
                made = icon_button(theme, each.icon, each.action, each.act)
                made.setProperty("tight", True)
                grid.addWidget(made, at, 2)
        self.setLayout(column(text_label(words.HERE, "heading"), grid))


class DetailBody(QWidget):
    """Sections, documents, what this desk knows, and history from top to bottom. The signals are those of sections."""

    copied = Signal(str, str)
    more_asked = Signal()
    said = Signal(str)

    def __init__(self, theme: Theme, documents: QWidget, show_write: Callable[[int], object]) -> None:
        super().__init__()
        self.setObjectName("surfaceInner")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme, self._show_write = theme, show_write
        self._before, self._here = QVBoxLayout(), QVBoxLayout()
        self._history, self._after = QVBoxLayout(), QVBoxLayout()
        for each in (self._before, self._here, self._history, self._after):
            each.setSpacing(SPACE_1)
        self._above = column()
        gap, side = SPACE_1, SPACE_3 + SPACE_1
        parts = (self._before, documents, self._here, self._history, self._after, None)
        self._facts = holding(column(*parts, margin=(side, gap, side, SPACE_3), gap=gap), "surfaceInner")
        whole = column(self._above, self._facts)
        whole.setStretch(1, 1)
        self.setLayout(whole)

    def take_above(self, widget: QWidget) -> None:
        """Put a widget above the details, so that it scrolls with them."""
        self._above.addWidget(widget)

    def show_facts(self, *, shown: bool) -> None:
        """Show what stands below the head, or nothing while it is of another order."""
        self._facts.setVisible(shown)

    def has_keyboard(self) -> bool:
        """Whether the keyboard is in what stands below the head."""
        focus = self._facts.window().focusWidget()
        return focus is not None and self._facts.isAncestorOf(focus)

    def show_parts(self, before: Sequence[Section], after: Sequence[Section]) -> None:
        """Show the sections `before` and `after` the documents."""
        self._put(self._before, before)
        self._put(self._after, after)

    def show_history(self, history: Sequence[WriteRow]) -> None:
        """Show the writes of this desk."""
        item = self._history.itemAt(0)
        shown = item.widget() if item is not None else None
        if isinstance(shown, HistoryView) and list(shown.history) == list(history):
            return
        drop_items(self._history)
        if history:
            self._history.addWidget(HistoryView(self._theme, history, self._show_write))

    def show_here(self, lines: Sequence[HereLine]) -> None:
        """Show what this desk alone knows."""
        item = self._here.itemAt(0)
        shown = item.widget() if item is not None else None
        if isinstance(shown, HereView) and shown.facts == [each[:4] for each in lines]:
            return
        drop_items(self._here)
        if lines:
            self._here.addWidget(HereView(self._theme, lines))

    def _put(self, layout: QVBoxLayout, sections: Sequence[Section]) -> None:
        for place, section in enumerate(sections):
            item = layout.itemAt(place)
            shown = item.widget() if item is not None else None
            if isinstance(shown, SectionView) and shown.section == section:
                continue
            if isinstance(shown, SectionView) and shown.section.heading == section.heading:
                drop_item(layout, place)
            made = SectionView(self._theme, section)
            made.copied.connect(self.copied)
            made.more_asked.connect(self.more_asked)
            made.said.connect(self.said)
            layout.insertWidget(place, made)
        drop_items(layout, len(sections))


def _grid(*, labelled: bool) -> QGridLayout:
    grid = QGridLayout()
    grid.setContentsMargins(0, 0, 0, SPACE_3)
    grid.setHorizontalSpacing(SPACE_3)
    grid.setVerticalSpacing(SPACE_1 // 2)
    grid.setColumnStretch(1, 1)
    if labelled:
        grid.setColumnMinimumWidth(0, LABEL_WIDTH)
    return grid
