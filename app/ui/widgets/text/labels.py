"""Labels and texts of widgets. Invariant: text is always plain. (By default Qt guesses whether it is markup.)"""

import re
from typing import Literal

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QClipboard,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QWidget

from app.ui.widgets import widget_words as words

Role = Literal["body", "soft", "label", "heading", "title", "strong", "error"]
Tone = Literal["", "good", "warn", "bad", "soft"]

# Characters that reorder others, or that are invisible. Joiners are allowed: scripts and emoji need them.
_STEERING = (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C)
_LOOKLESS = (0x00AD, 0x180E, 0x200B, 0x2028, 0x2029, *range(0x2060, 0x2066), 0xFEFF, *range(0xE0000, 0xE0080))
_HIDDEN = {
    **{code: f"⟨U+{code:04X}⟩" for code in (*_STEERING, *_LOOKLESS)},
    **{code: chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A)},
    0x7F: "␡",
    **{code: f"⟨U+{code:04X}⟩" for code in range(0x80, 0xA0)},
}
_MAY_BREAK = "\u200b"  # has no width
_LONG_WORD = re.compile(r"\S{12}(?=\S)")
_LINE_END = "\u2029"  # as Qt has it in what is selected
_SPARE = 16  # pixels that a text may grow within its label; a digit of a clock takes some seven


def visible(text: str) -> str:
    """The text with direction marks, control characters and other invisible ones replaced by visible signs."""
    return text if text.isascii() and text.isprintable() else text.translate(_HIDDEN)


def breakable(text: str) -> str:
    """The text with places at which Qt may break a long word: a line that is cut off would hide the word's end.

    Not for a label that can be selected: the places would be copied too. A `LongLabel` copies without them.
    """
    return _LONG_WORD.sub(lambda found: found[0] + _MAY_BREAK, text)


def ink_of(tone: Tone) -> str:
    """The colour token of a tone, for what is painted."""
    return {"": "ink", "soft": "ink_soft"}.get(tone, tone)


def text_label(text: str = "", role: Role = "body", *, wrap: bool = False, selectable: bool = False) -> QLabel:
    """A label that shows `text` as plain text."""
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("role", role)
    if wrap:
        _wrap_lines(label)
    if selectable:
        _make_selectable(label)
    label.setText(visible(text))
    return label


def _wrap_lines(label: QLabel) -> None:
    """Let the label's text go on in the next line."""
    label.setWordWrap(True)
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    # Set with the policy: a policy of one's own replaces the one that `setWordWrap` has changed.
    policy.setHeightForWidth(True)
    label.setSizePolicy(policy)


def _make_selectable(label: QLabel) -> None:
    """Let a person select the label's text, with the mouse and then with keys."""
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    # Qt would make such a label a stop of Tab.
    label.setFocusPolicy(Qt.FocusPolicy.ClickFocus)


class ElidedLabel(QLabel):
    """A line that is elided where it does not fit; the tooltip has the whole text."""

    def __init__(self, role: Role = "body") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self._whole = ""

    def say(self, text: str) -> None:
        """Show this text."""
        self._whole = visible(text)
        self.setAccessibleName(self._whole)
        self.updateGeometry()
        self._fit()

    @property
    def whole(self) -> str:
        """The text as it was said."""
        return self._whole

    def sizeHint(self) -> QSize:
        # One pixel more: measured and painted widths may differ by a fraction.
        return QSize(self.fontMetrics().horizontalAdvance(self._whole) + 1, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        shown = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, self.width())
        tip = "" if shown == self._whole else plain_tooltip(self._whole)
        # Two long texts with one beginning are shown alike, and differ in their tooltip.
        if (shown, tip) != (self.text(), self.toolTip()):
            self.setText(shown)
            set_tip(self, tip and self._whole)


class LongLabel(QLabel):
    """Wrapped text with long names in it, such as folders: broken into lines at any place, selected and copied.

    What is copied is what a person reads, without the places at which the label may break.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "body")
        _wrap_lines(self)
        _make_selectable(self)

    def say(self, text: str) -> None:
        """Show this text."""
        shown = visible(text)
        self.setText(breakable(shown))
        self.setAccessibleName(shown)

    # Qt copies the text of a label in three ways, and with the places at which it may break.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy(QClipboard.Mode.Clipboard)
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if QGuiApplication.clipboard().supportsSelection():  # what the middle button pastes
            self._copy(QClipboard.Mode.Selection)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def menu(self) -> QMenu:
        """A menu that copies what is selected, or all."""
        menu = QMenu(self)
        menu.addAction(words.COPY, self._copy_selected).setEnabled(self.hasSelectedText())
        menu.addAction(words.COPY_ALL, self._copy_all)
        return menu

    def _copy_selected(self) -> None:
        self._copy(QClipboard.Mode.Clipboard)

    def _copy_all(self) -> None:
        QGuiApplication.clipboard().setText(_as_read(self.text()))

    def _copy(self, mode: QClipboard.Mode) -> None:
        if self.hasSelectedText():
            QGuiApplication.clipboard().setText(_as_read(self.selectedText()), mode)


def _as_read(text: str) -> str:
    return text.replace(_MAY_BREAK, "").replace(_LINE_END, "\n")


class SteadyLabel(QLabel):
    """A line whose text changes every second.

    It keeps its size while the text fits, so that the rest of the window is neither laid out nor painted again.
    """

    def __init__(self, role: Role = "body") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)

    def setText(self, text: str) -> None:
        super().setText(visible(text))
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        wanted = self.sizeHint()
        if wanted.height() != self.minimumHeight() or not 0 <= self.minimumWidth() - wanted.width() <= 2 * _SPARE:
            self.setFixedSize(wanted.width() + _SPARE, wanted.height())


def set_tone(widget: QWidget, tone: Tone) -> None:
    """Set the colour of a label or bar. The text must carry the meaning without it."""
    if widget.property("tone") != tone:
        widget.setProperty("tone", tone)
        restyle(widget)


def restyle(widget: QWidget) -> None:
    """Apply the style sheet again, after a property has changed."""
    style = widget.style()
    # Qt evaluates selectors by property only when a widget is polished.
    style.unpolish(widget)
    style.polish(widget)


def plain_tooltip(text: str) -> str:
    """A tooltip, escaped so that Qt shows the text as it is."""
    if not text:
        return ""
    escaped = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f'<div style="white-space:pre-wrap">{escaped}</div>'  # keeps runs of spaces


def set_tip(widget: QWidget, text: str) -> None:
    """Set tooltip and accessible description; the description is not escaped."""
    widget.setToolTip(plain_tooltip(text))
    widget.setAccessibleDescription(visible(text))


def ampersands(text: str) -> str:
    """The title of a button or menu, with `&` doubled: a single one would underline the next letter."""
    return visible(text).replace("&", "&&")


def announce(widget: QWidget, words: str) -> None:
    """Let a screen reader say `words` on behalf of `widget`, also while the keyboard is elsewhere."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))
