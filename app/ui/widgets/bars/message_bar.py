"""The practice band, the bar that says one thing at a time without stopping anyone, and the one that fills."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from time import monotonic

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.bars.floating import AIMED_MS, Floating
from app.ui.widgets.bars.focus_return import FocusReturn
from app.ui.widgets.buttons import button, icon_button
from app.ui.widgets.layout import row
from app.ui.widgets.text.keys import UNDO_KEY, shown_key
from app.ui.widgets.text.labels import Tone, ampersands, announce, restyle, set_tone, text_label, visible

PASSES_AFTER_S = 8.0  # that what only tells of something stays
_LOOK_AGAIN_MS = 1_000
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


@dataclass(frozen=True, slots=True)
class Message:
    """What a bar says. `topic` is its cause, which may withdraw it; `undoes`, that the action takes something back;
    the one that leads most is shown; `at`, when it was first said."""

    tone: Tone
    text: str
    action: str
    act: Callable[[], object] | None
    topic: str
    passes: bool
    undoes: bool
    priority: int
    at: float


class MessageBar(QWidget):
    """What happened, what it means, what to do, in one message with an optional action; it may be closed by hand.

    What only tells (`good`, or no tone, and no action) goes by itself after `PASSES_AFTER_S`, though not while the
    pointer or the keyboard is on it. Everything else stays until its cause withdraws it, by its `topic`. One message of
    each topic is kept, and the latest is shown of those that has the highest `priority`.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("messageBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Message")
        self._messages: dict[str, Message] = {}
        self._shown: Message | None = None
        self._glyph = text_label("", "strong")
        self._words = text_label("", wrap=True, selectable=True)
        self._action: QPushButton = button("", self._on_action)
        close = icon_button(theme, "x", "Close this message", self._close)
        inner = row(
            self._glyph, self._words, self._action, close, margin=(SPACE_3, SPACE_1, SPACE_1, SPACE_1), gap=SPACE_2
        )
        inner.setStretch(1, 1)
        self.setLayout(inner)
        self._focus = FocusReturn(self)
        self.passing = QTimer(self)
        self.passing.setSingleShot(True)
        self.passing.timeout.connect(self._pass)
        self._aimed = QTimer(self)
        self._aimed.setSingleShot(True)
        self._aimed.setInterval(AIMED_MS)
        self._aimed.timeout.connect(self._take_clicks)
        self.hide()

    def float_over(self, page: QWidget, over: QWidget) -> None:
        """Lie over this part of the page, so that nothing moves when a message comes or goes."""
        Floating(self, page, over)

    @property
    def text(self) -> str:
        """What it says now; empty when it is closed."""
        return "" if self.isHidden() else self._words.text()

    @property
    def action_text(self) -> str:
        """What its button offers; empty where there is none."""
        return "" if self.isHidden() or self._action.isHidden() else self._action.text()

    def text_of(self, topic: str) -> str:
        """What is kept of this topic, shown or not."""
        return self._messages[topic].text if topic in self._messages else ""

    def say(
        self,
        tone: Tone,
        text: str,
        action: str = "",
        act: Callable[[], object] | None = None,
        *,
        topic: str = "",
        stays: bool = False,
        undoes: bool = False,
        priority: int = 0,
    ) -> None:
        """Show a message, in place of the one before it of the same topic. `stays`: it does not go by itself."""
        passes = tone in ("good", "") and not action and not stays
        known = self._messages.get(topic)
        at = known.at if known is not None and known.text == visible(text) else monotonic()
        said = Message(tone, visible(text), action, act, topic, passes, undoes, priority, at)
        if known is None or known.text != said.text:  # a count that goes on takes no place in the order
            self._messages.pop(topic, None)
            # What only told of something is over once something else is said.
            self._messages = {name: each for name, each in self._messages.items() if not each.passes}
        self._messages[topic] = said
        self._show_front()
        if passes and self._shown is said:
            self.passing.start(int(PASSES_AFTER_S * 1000))  # said once more, it stays as long once more

    def show_failure(self, work: str, sentence: str) -> None:
        """Show why `work` failed until it succeeds: an empty `sentence` withdraws the message. Other topics stay."""
        if sentence:
            self.say("bad", sentence, topic=f"failure: {work}")
        else:
            self.withdraw(f"failure: {work}")

    def withdraw(self, topic: str) -> None:
        """The cause of this message is gone."""
        if self._messages.pop(topic, None) is not None:
            self._show_front()

    def act(self) -> None:
        """Do what the message offers, if it offers anything."""
        if not self.isHidden() and not self._action.isHidden():
            self._on_action()

    @property
    def undo_since(self) -> float | None:
        """Since when something can be undone here, by the clock of `monotonic`; None while nothing can, or nobody sees
        that."""
        offered = self._offered_undo()
        return None if offered is None or not self.isVisible() else offered.at

    def undo(self) -> None:
        """Take back what was last offered to be taken back, also where another message stands before that."""
        offered = self._offered_undo()
        if offered is not None and offered.act is not None:
            self._focus.give()
            self.withdraw(offered.topic)
            offered.act()

    def _offered_undo(self) -> Message | None:
        return max((each for each in self._messages.values() if each.undoes), key=lambda each: each.at, default=None)

    def clear(self, but: Collection[str] = ()) -> None:
        """Close all messages but those of these topics; the keyboard is back where it was before."""
        self._messages = {topic: each for topic, each in self._messages.items() if topic in but}
        self._show_front()

    def _show_front(self) -> None:
        front = max(reversed(self._messages.values()), key=lambda each: each.priority, default=None)
        before, self._shown = self._shown, front
        if front is None:
            self.passing.stop()
            self._focus.give()
            self.hide()
            return
        set_tone(self, front.tone)
        set_tone(self._glyph, front.tone)
        restyle(self)
        self._glyph.setText(GLYPHS[front.tone])
        self._words.setText(front.text)
        key = f"  {shown_key(UNDO_KEY)}" if front.undoes else ""
        self._action.setText(ampersands(front.action) + key)
        self._action.setAccessibleName("Undo" if front.undoes else front.action)
        self._action.setVisible(bool(front.action))
        self.setAccessibleDescription(front.text)
        if before is None or before.topic != front.topic or before.text != front.text:
            self._begin(front, anew=before is None)
        self.show()

    def _begin(self, front: Message, *, anew: bool) -> None:
        announce(self, front.text)
        self.passing.stop()
        if front.passes:
            self.passing.start(int(PASSES_AFTER_S * 1000))
        if not anew:
            # A click that was meant for the button as it was does nothing.
            self._action.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self._aimed.start()

    def _take_clicks(self) -> None:
        self._action.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)

    def _pass(self) -> None:
        focus = self.window().focusWidget()
        if self.underMouse() or (focus is not None and self.isAncestorOf(focus)):
            self.passing.start(_LOOK_AGAIN_MS)  # somebody is reading it
        elif self._shown is not None:
            self.withdraw(self._shown.topic)

    def _close(self) -> None:
        self._focus.give()  # the next message has another button in the same place
        if self._shown is not None:
            self.withdraw(self._shown.topic)

    def _on_action(self) -> None:
        act = self._shown.act if self._shown is not None else None
        self._close()
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
