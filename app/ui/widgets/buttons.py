"""Buttons. Invariants: outside text is escaped, and the tooltip names the key."""

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QPushButton, QWidget

from app.ui.theme.theme import Theme
from app.ui.widgets.text.keys import shown_key
from app.ui.widgets.text.labels import ampersands, set_tip, visible

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
    words = " ".join(part for part in (tip, f"({shown})" if shown else "") if part)
    set_tip(made, words)
    if key:
        # Not `setShortcut`: Qt drops such a shortcut when the text changes.
        QShortcut(QKeySequence(key), made, made.click)
    return made


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
    """Put an icon before the text, tinted anew whenever the theme changes."""
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
        self._owner.setIcon(self._theme.icon(self._icon, self._tint))


def shortcut(owner: QWidget, key: str, act: Callable[[], object]) -> QShortcut:
    """A key that works in the window of `owner` while `owner` is visible."""
    made = QShortcut(QKeySequence(key), owner)
    made.activated.connect(act)
    return made
