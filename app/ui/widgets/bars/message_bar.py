"""The message bar, the practice band, and progress bars.

Invariant: the message bar shows one message at a time and stops nobody. A warning stays until its cause withdraws it.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from time import monotonic

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QProgressBar, QPushButton, QWidget

from app.translation import translate
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets import widget_words as words
from app.ui.widgets.bars.floating import Floating
from app.ui.widgets.bars.focus_return import FocusReturn
from app.ui.widgets.bars.foot_room import AIMED_MS
from app.ui.widgets.buttons import button, icon_button
from app.ui.widgets.connection_colour import ColourMark
from app.ui.widgets.layout import row
from app.ui.widgets.text.keys import UNDO_KEY, shown_key, undo_key_for
from app.ui.widgets.text.labels import Tone, ampersands, announce, restyle, set_tone, text_label, visible

PASSES_AFTER_S = 8.0  # a message without action or warning is withdrawn after that
OFFER_PASSES_AFTER_S = 60.0  # one whose actions are only offered, such as to open a file that was made
_LOOK_AGAIN_MS = 1_000
GLYPHS: dict[str, str] = {"good": "✓", "warn": "!", "bad": "✕", "soft": "…", "": "·"}


class PracticeBand(QWidget):
    """The band of the practice connection, so that practice is never mistaken for production."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("practiceBand")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        label = text_label(words.PRACTICE)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setLayout(row(label, margin=(SPACE_2, SPACE_1, SPACE_2, SPACE_1)))


@dataclass(frozen=True, slots=True)
class Message:
    """A message and its action. `topic` is the cause, which may withdraw it; `undoes`: the action is an undo.

    Of several messages the one with the highest `priority` shows. `at` is when it was first said (`monotonic`).
    `colour` is the name of the colour of the connection that the text names. `second` and `act_second` are another
    action beside the first one, if there is one.
    """

    tone: Tone
    text: str
    action: str
    act: Callable[[], object] | None
    topic: str
    passes: float  # seconds after which it passes, 0 for never
    undoes: bool
    priority: int
    at: float
    colour: str
    second: str = ""
    act_second: Callable[[], object] | None = None
    offers: bool = False


class MessageBar(QWidget):
    """One message with an optional action; a person may close it.

    A message without action and warning passes after `PASSES_AFTER_S`, one that only `offers` its actions or an answer
    after `OFFER_PASSES_AFTER_S`, but not while the pointer or the keyboard is on it. Any other one stays until its
    cause withdraws the `topic`. The bar keeps one message of each topic, and shows the latest of those with the highest
    `priority`.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("messageBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(translate("Message"))
        self._messages: dict[str, Message] = {}
        self._shown: Message | None = None
        self._glyph = text_label("", "strong")
        self._mark = ColourMark(theme, "")
        self._label = text_label("", wrap=True, selectable=True)
        self._action: QPushButton = button("", self._on_action)
        self._second: QPushButton = button("", self._on_second)
        close = icon_button(theme, "x", words.CLOSE_MESSAGE, self._close)
        inner = row(
            self._glyph, self._mark, self._label, self._action, self._second, close,
            margin=(SPACE_3, SPACE_1, SPACE_1, SPACE_1), gap=SPACE_2,
        )  # fmt: skip
        inner.setStretch(2, 1)
        self.setLayout(inner)
        self._focus = FocusReturn(self)
        self._floating: Floating | None = None
        self._undo_key = UNDO_KEY
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)
        self.passing = QTimer(self)
        self.passing.setSingleShot(True)
        self.passing.timeout.connect(self._pass)
        self._aimed = QTimer(self)
        self._aimed.setSingleShot(True)
        self._aimed.setInterval(AIMED_MS)
        self._aimed.timeout.connect(self._take_clicks)
        self.hide()

    def float_over(
        self,
        page: QWidget,
        over: QWidget,
        foot: Callable[[], int] = int,
        inner: "Callable[[], MessageBar | None]" = lambda: None,
    ) -> None:
        """Float over the widget `over` of the page, so that nothing moves when a message comes or goes.

        It leaves the lower end of `over` free, as high as `foot` says. Where another bar, `inner`, floats over a part
        of `over`, this one keeps to that part.
        """

        def floating() -> Floating | None:
            found = inner()
            return None if found is None else found._floating

        self._floating = Floating(self, page, over, foot, floating)

    @property
    def text(self) -> str:
        """The text that shows now; empty while the bar is closed."""
        return "" if self.isHidden() else self._label.text()

    @property
    def action_text(self) -> str:
        """The title of the action that shows now; empty if there is none."""
        return "" if self.isHidden() or self._action.isHidden() else self._action.text()

    def text_of(self, topic: str) -> str:
        """The message of a topic, shown or not; empty if there is none."""
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
        colour: str = "",
        second: str = "",
        act_second: Callable[[], object] | None = None,
        offers: bool = False,
    ) -> None:
        """Show a message in place of the former one of its topic. With `stays` it does not pass by itself; with
        `offers` it passes although it has actions, or is a bad answer to a question."""
        passes = 0.0
        if offers and (tone in ("good", "") or not action):
            passes = OFFER_PASSES_AFTER_S
        elif tone in ("good", "") and not (stays or action):
            passes = PASSES_AFTER_S
        known = self._messages.get(topic)
        at = known.at if known is not None and known.text == visible(text) else monotonic()
        text = visible(text)
        said = Message(tone, text, action, act, topic, passes, undoes, priority, at, colour, second, act_second, offers)
        if known is None or known.text != said.text:  # the same text again keeps its place in the order
            self._messages.pop(topic, None)
            # A passing message ends as soon as another one comes, unless it offers something.
            self._messages = {name: each for name, each in self._messages.items() if not each.passes or each.offers}
        self._messages[topic] = said
        self._show_front()
        if passes and self._shown is said:
            self.passing.start(int(passes * 1000))  # the same text again starts the time anew

    def show_failure(self, work: str, sentence: str) -> None:
        """Show why `work` failed until it succeeds: an empty `sentence` withdraws the message. Other topics stay."""
        if sentence:
            self.say("bad", sentence, topic=f"failure: {work}")
        else:
            self.withdraw(f"failure: {work}")

    def withdraw(self, topic: str) -> None:
        """Remove the message of a topic: its cause is gone."""
        if self._messages.pop(topic, None) is not None:
            self._show_front()

    def act(self) -> None:
        """Run the action that shows now, if there is one."""
        if not self.isHidden() and not self._action.isHidden():
            self._on_action()

    @property
    def undo_since(self) -> float | None:
        """Since when an undo is offered here (`monotonic`); None if none is offered, or the bar is out of sight."""
        offered = self._offered_undo()
        return None if offered is None or not self.isVisible() else offered.at

    def undo(self) -> None:
        """Run the latest undo that is offered, also if another message shows just now."""
        offered = self._offered_undo()
        if offered is not None and offered.act is not None:
            self._focus.give()
            self.withdraw(offered.topic)
            offered.act()

    def _offered_undo(self) -> Message | None:
        return max((each for each in self._messages.values() if each.undoes), key=lambda each: each.at, default=None)

    def clear(self, but: Collection[str] = ()) -> None:
        """Close all messages except those of the topics in `but`. The focus returns to where it was before."""
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
        self._mark.show_colour(front.colour)
        self._label.setText(front.text)
        self._name_action(front)
        self._action.setAccessibleName(words.UNDO if front.undoes else front.action)
        self._action.setVisible(bool(front.action))
        self._second.setText(ampersands(front.second))
        self._second.setAccessibleName(front.second)
        self._second.setVisible(bool(front.second))
        self.setAccessibleDescription(front.text)
        if before is None or before.topic != front.topic or before.text != front.text:
            self._begin(front, anew=before is None)
        self.show()

    def _name_action(self, front: Message) -> None:
        focus = QApplication.focusWidget()
        if focus is None or not self.isAncestorOf(focus):  # in the bar itself the key is that of the place before
            self._undo_key = undo_key_for(focus)
        key = f"  {shown_key(self._undo_key)}" if front.undoes else ""
        self._action.setText(ampersands(front.action) + key)

    def _on_focus(self) -> None:
        if self._shown is not None and self._shown.undoes:
            self._name_action(self._shown)

    def _begin(self, front: Message, *, anew: bool) -> None:
        announce(self, front.text)
        self.passing.stop()
        if front.passes:
            self.passing.start(int(front.passes * 1000))
        if not anew:
            # A click that was aimed at the former action must not run this one.
            for each in (self._action, self._second):
                each.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self._aimed.start()

    def _take_clicks(self) -> None:
        for each in (self._action, self._second):
            each.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)

    def _pass(self) -> None:
        focus = self.window().focusWidget()
        if self.underMouse() or (focus is not None and self.isAncestorOf(focus)):
            self.passing.start(_LOOK_AGAIN_MS)  # a person is reading the message
        elif self._shown is not None:
            self.withdraw(self._shown.topic)

    def _close(self) -> None:
        self._focus.give()  # the next message may put another action under the keyboard
        if self._shown is not None:
            self.withdraw(self._shown.topic)

    def _on_action(self) -> None:
        act = self._shown.act if self._shown is not None else None
        self._close()
        if act is not None:
            act()

    def _on_second(self) -> None:
        act = self._shown.act_second if self._shown is not None else None
        if act is not None:  # the message stays: its other action may be wanted too
            act()


def progress_bar(name: str, *, keeps_place: bool = False) -> QProgressBar:
    """A progress bar without text.

    With `keeps_place` it is hidden at first and reserves its room, so that nothing moves when it comes and goes.
    """
    made = QProgressBar()
    made.setTextVisible(False)
    made.setAccessibleName(name)
    if keeps_place:
        keep = made.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        made.setSizePolicy(keep)
        made.hide()
    return made
