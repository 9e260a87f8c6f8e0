"""Buttons, and rows of them. Invariants: outside text is escaped, and the tooltip names the key."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from PySide6.QtCore import QObject, QPoint, QSize
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QLayout, QMenu, QPushButton, QSizePolicy, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1
from app.ui.widgets import widget_words as words
from app.ui.widgets.layout import row
from app.ui.widgets.text.keys import shown_key
from app.ui.widgets.text.labels import ampersands, restyle, set_tip, visible

Kind = Literal["normal", "primary", "danger", "quiet", "link"]


def button(text: str, act: Callable[[], object], *, kind: Kind = "normal", key: str = "", tip: str = "") -> QPushButton:
    """A push button that calls `act`. `key` is a shortcut that works while the button's page is visible."""
    made = QPushButton(ampersands(text))
    made.setProperty("kind", kind)
    made.setAccessibleName(visible(text))
    # A scanner ends in Enter, so no button may take an Enter from another widget.
    made.setAutoDefault(False)
    made.clicked.connect(act)
    shown = shown_key(key)
    set_tip(made, " ".join(part for part in (tip, f"({shown})" if shown else "") if part))
    if key:
        # Not `setShortcut`: Qt drops such a shortcut when the text changes.
        QShortcut(QKeySequence(key), made, made.click)
    return made


def set_kind(made: QPushButton, kind: Kind) -> None:
    """Make it a button of another kind."""
    if made.property("kind") != kind:
        made.setProperty("kind", kind)
        restyle(made)
        for each in made.findChildren(_Tinting):
            each.apply()


def tab(text: str, name: str) -> QPushButton:
    """A checkable button among several, one of which is checked.

    Connect to `toggled`: a screen reader checks it without a click.
    """
    made = QPushButton(ampersands(text))
    made.setObjectName(name)
    made.setProperty("kind", "tab")
    made.setAccessibleName(visible(text))
    made.setAutoDefault(False)
    made.setCheckable(True)
    made.setAutoExclusive(True)
    return made


def icon_button(theme: Theme, icon: str, name: str, act: Callable[[], object], *, key: str = "") -> QPushButton:
    """A quiet button with an icon only; `name` is its accessible name and tooltip."""
    made = button("", act, kind="quiet", key=key, tip=name)
    made.setAccessibleName(visible(name))
    return with_icon(made, theme, icon)


def with_icon(made: QPushButton, theme: Theme, icon: str, tint: str = "ink") -> QPushButton:
    """Put an icon before the text, tinted anew whenever the theme or the kind of button changes."""
    tinting = _Tinting(made, theme, icon, tint)
    theme.changed.connect(tinting.apply)
    tinting.apply()
    if made.text():
        made.setText(f" {made.text()}")  # Qt leaves no gap between an icon and its text
    return made


class _Tinting(QObject):
    """Tints the icon of `owner`. A child of the button, so that both end together."""

    def __init__(self, owner: QPushButton, theme: Theme, icon: str, tint: str) -> None:
        super().__init__(owner)
        self._owner, self._theme, self._icon, self._tint = owner, theme, icon, tint

    def apply(self) -> None:
        kind = self._owner.property("kind")
        tint = "on_accent" if kind == "primary" else "bad" if kind == "danger" else self._tint
        self._owner.setIcon(self._theme.icon(self._icon, tint))


def shortcut(owner: QWidget, key: str, act: Callable[[], object]) -> QShortcut:
    """A key that works in the window of `owner` while `owner` is visible."""
    made = QShortcut(QKeySequence(key), owner)
    made.activated.connect(act)
    return made


@dataclass(frozen=True, slots=True)
class Tool:
    """One button: what the page calls it, its title and icon, what it does, the key that does the same, its tooltip.

    An empty `icon` is none. `shows_key`: the button itself names the key, not its tooltip alone.
    """

    name: str
    title: str
    icon: str
    act: Callable[[], object]
    key: str
    tip: str
    kind: Kind = "quiet"
    shows_key: bool = False


class ToolRow(QWidget):
    """Buttons that stand on a page for what can also be done by key; those that find no room are in a menu at their
    end. At every width each of them can be reached, by mouse and keyboard, under the same words. The keys themselves
    belong to the page.

    `buttons` by the names of their tools; `more` opens the menu of those without room, and is a button of `kind`. Where
    there is room to spare, the buttons stand at `side`.
    """

    def __init__(
        self,
        theme: Theme,
        tools: Sequence[Tool],
        *,
        kind: Kind = "quiet",
        gap: int = SPACE_1,
        side: Literal["left", "right"] = "right",
    ) -> None:
        super().__init__()
        self._gap = gap
        self._withheld: set[str] = set()  # tools that do not belong to what the page shows now
        self.setAccessibleName(words.TOOLS)
        # As wide as its buttons where there is room, as narrow as the button of the menu where there is none.
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._tools = {each.name: each for each in tools}
        self.buttons = {each.name: self._button(theme, each) for each in tools}
        self.more = button(words.MORE_TOOLS, self.open_more, kind=kind, tip=words.MORE_TOOLS_TIP)
        self.more.setAccessibleName(words.MORE_TOOLS_TIP)
        self.more.hide()
        shown = (*self.buttons.values(), self.more)
        line = row(*shown, None, gap=gap) if side == "left" else row(None, *shown, gap=gap)
        line.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)  # else it would impose the width of all buttons
        self.setLayout(line)

    def _button(self, theme: Theme, tool: Tool) -> QPushButton:
        made = button(tool.title, tool.act, kind=tool.kind)
        if tool.shows_key:
            made.setText(_titled(tool))
        if tool.icon:
            with_icon(made, theme, tool.icon)
        set_tip(made, _tip(tool, tool.tip))
        return made

    def set_title(self, name: str, title: str) -> None:
        """Name a tool without an icon anew."""
        if self._tools[name].title != title:
            self._tools[name] = tool = replace(self._tools[name], title=title)
            self.buttons[name].setText(_titled(tool))
            self.buttons[name].setAccessibleName(visible(title))
            self._lay_out()

    def offer(self, names: Collection[str]) -> None:
        """Offer these tools, and no others: neither as buttons nor in the menu."""
        withheld = set(self.buttons).difference(names)
        if withheld != self._withheld:
            self._withheld = withheld
            self._lay_out()

    def _lay_out(self) -> None:
        """Take the width that the buttons have now, before any is moved into the menu: it would lose the keyboard."""
        self.updateGeometry()
        around = self.parentWidget()
        layout = around.layout() if around is not None else None
        if layout is not None:
            layout.activate()
        self.fit()

    def set_possible(self, name: str, possible: bool, why_not: str = "") -> None:
        """Whether a tool can be used now; `why_not` is its tooltip as long as it cannot."""
        made, tool = self.buttons[name], self._tools[name]
        made.setEnabled(possible)
        set_tip(made, _tip(tool, tool.tip if possible else why_not or tool.tip))

    def hidden_tools(self) -> list[str]:
        """The names of the tools that are in the menu."""
        return [name for name in self._offered() if self.buttons[name].isHidden()]

    def _offered(self) -> list[str]:
        return [name for name in self.buttons if name not in self._withheld]

    def _width(self, names: Sequence[str]) -> int:
        return sum(self.buttons[each].sizeHint().width() for each in names) + self._gap * max(len(names) - 1, 0)

    def sizeHint(self) -> QSize:
        return QSize(self._width(self._offered()), self._height())

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.more.sizeHint().width(), self._width(self._offered())), self._height())

    def _height(self) -> int:
        return max(each.sizeHint().height() for each in (self.more, *self.buttons.values()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Show as many buttons as there is room for, the first ones first."""
        names, room = self._offered(), self.width()
        shown = len(names)
        if self._width(names) > room:
            room -= self.more.sizeHint().width() + self._gap
            while shown and self._width(names[:shown]) > room:
                shown -= 1
        had_keys = any(self.buttons[each].hasFocus() for each in names[shown:])
        for name, each in self.buttons.items():
            each.setVisible(name in names[:shown])
        self.more.setVisible(shown < len(names))
        if had_keys:
            self.more.setFocus()

    def menu(self) -> QMenu:
        """The menu of the tools without room."""
        made = QMenu(self)
        for name in self.hidden_tools():
            tool = self._tools[name]
            text = f"{ampersands(tool.title)}\t{shown_key(tool.key)}" if tool.key else ampersands(tool.title)
            made.addAction(text, tool.act).setEnabled(self.buttons[name].isEnabled())
        return made

    def open_more(self) -> None:
        """Open the menu, with the keyboard on its first entry."""
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))
        if menu.actions():
            menu.setActiveAction(menu.actions()[0])


def _titled(tool: Tool) -> str:
    shown = shown_key(tool.key) if tool.shows_key else ""
    return ampersands(words.title_with_key(visible(tool.title), shown) if shown else visible(tool.title))


def _tip(tool: Tool, words_of_it: str) -> str:
    return words.tip_with_key(words_of_it, shown_key(tool.key)) if tool.key and words_of_it else words_of_it
