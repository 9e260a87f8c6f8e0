"""The practice band, the bar that says one thing at a time without stopping anyone, and the one that fills."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button, icon_button
from app.ui.widgets.focus_back import FocusBack
from app.ui.widgets.labels import Tone, restyle, set_tone, text_label, visible
from app.ui.widgets.layout import row

GLYPHS: dict[str, str] = {"good": "✓", "warn": "!", "bad": "✕", "soft": "…", "": "·"}


class PracticeBand(QWidget):
    """The full-width band that practice wears, so that it is never mistaken for production."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("practiceBand")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        words = text_label("Practice: nothing leaves this computer")
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setLayout(row(words, margin=(SPACE_2, SPACE_1, SPACE_2, SPACE_1)))


class MessageBar(QWidget):
    """One message with an optional action, closed by hand. What happened, what it means, what to do."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("messageBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Message")
        self._glyph = text_label("", "strong")
        self._words = text_label("", wrap=True, selectable=True)
        self._act: Callable[[], object] | None = None
        self._action: QPushButton = button("", self._on_action)
        close = icon_button(theme, "x", "Close this message", self.clear)
        inner = row(
            self._glyph, self._words, self._action, close, margin=(SPACE_3, SPACE_1, SPACE_1, SPACE_1), gap=SPACE_2
        )
        inner.setStretch(1, 1)
        self.setLayout(inner)
        self._focus = FocusBack(self)
        self.hide()

    @property
    def text(self) -> str:
        """What it says now; empty when it is closed."""
        return "" if self.isHidden() else self._words.text()

    def say(self, tone: Tone, text: str, action: str = "", act: Callable[[], object] | None = None) -> None:
        """Show a message, in place of the one before it."""
        set_tone(self, tone)
        set_tone(self._glyph, tone)
        restyle(self)
        self._glyph.setText(GLYPHS[tone])
        self._words.setText(visible(text))
        self._act = act
        self._action.setText(action)
        self._action.setAccessibleName(action)
        self._action.setVisible(bool(action))
        self.setAccessibleDescription(text)
        self.show()

    def act(self) -> None:
        """Do what the message offers, if it offers anything."""
        if not self.isHidden() and not self._action.isHidden():
            self._on_action()

    def clear(self) -> None:
        """Close the message; the keyboard is back where it was before."""
        self._focus.give()
        self.hide()

    def _on_action(self) -> None:
        act = self._act
        self.clear()
        if act is not None:
            act()


def progress_bar(name: str, *, keeps_place: bool = False) -> QProgressBar:
    """How far something is, without a figure. One that keeps its place is hidden at first, and moves nothing when it
    comes and goes."""
    made = QProgressBar()
    made.setTextVisible(False)
    made.setAccessibleName(name)
    if keeps_place:
        keep = made.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        made.setSizePolicy(keep)
        made.hide()
    return made
