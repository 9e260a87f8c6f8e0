"""The verdict beside the submit button: what sending would do, asked of the provider while one types.

It is asked once typing pauses and only about a reference; what it says belongs to exactly that reference, and is taken
away as soon as another is typed.
"""

from collections.abc import Awaitable, Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFrame

from app.desk.again import NOT_RETURNED
from app.desk.desk import Desk
from app.desk.verdict import Compared, Verdict, VerdictKind, verdict
from app.runtime.tasks import Tasks
from app.ui.entry.form import issue_place
from app.ui.theme.tokens import SPACE_1
from app.ui.widgets.labels import Tone, set_tip, set_tone, text_label, visible
from app.ui.widgets.layout import column
from app.ui.widgets.times import clock

_AFTER_MS = 600
_CONNECTED_AFTER_MS = 1_000  # without a connection: how often to look whether there is one
_LOOKS: dict[VerdictKind, tuple[str, Tone]] = {
    "new": ("✓", "good"),
    "changes": ("◑", "warn"),
    "closed": ("✕", "bad"),
    "import_queue": ("◔", "warn"),
    "unknown": ("!", "soft"),
}
_NAMED = 6
_COMPARED: dict[Compared, str] = {
    "sent": "Against what this desk last sent:",
    "returned": "Against what the provider returns:",
}
_NOT_COMPARED = f"It returns no {NOT_RETURNED}: of these it will have only what stands here."


class VerdictView(QFrame):
    """Shows a verdict, its reason and what would change."""

    def __init__(self) -> None:
        super().__init__()
        self._heading = text_label("", "strong", wrap=True)
        self._sentence = text_label("", "soft", wrap=True)
        self._changes = text_label("", "soft", wrap=True)
        self.setAccessibleName("What sending would do")
        self.setLayout(column(self._heading, self._sentence, self._changes, gap=SPACE_1))
        self.hide()

    @property
    def text(self) -> str:
        """All it says."""
        return "" if self.isHidden() else self.accessibleDescription()

    def say_asking(self) -> None:
        """The provider is being asked."""
        set_tone(self._heading, "soft")
        self._show("Asking how this reference stands…", "", "")

    def show_verdict(self, found: Verdict) -> None:
        """Show what the provider's answer means."""
        glyph, tone = _LOOKS[found.kind]
        set_tone(self._heading, tone)
        changes = _change_lines(found)
        asked = "" if found.asked is None else f" Asked at {clock(found.at)}."
        self._show(f"{glyph} {found.heading}", f"{found.sentence}{asked}", "\n".join(changes))

    def _show(self, heading: str, sentence: str, changes: str) -> None:
        self._heading.setText(visible(heading))
        self._sentence.setText(visible(sentence))
        self._changes.setText(visible(changes))
        set_tip(self._changes, changes)  # a low window has no room for all of it
        self._sentence.setVisible(bool(sentence))
        self._changes.setVisible(bool(changes))
        self.setAccessibleDescription(" ".join(part for part in (heading, sentence, changes) if part))
        self.show()


def _change_lines(found: Verdict) -> list[str]:
    """What sending would change, and with what that was found out."""
    if not found.compared:
        return []
    head = _COMPARED[found.compared]
    rest = [_NOT_COMPARED] if found.compared == "returned" else []
    if not found.differences:
        return [f"{head} nothing differs.", *rest]
    lines = [
        f"{issue_place(each.path)}: {each.before or 'nothing'} → {each.after or 'nothing'}"
        for each in found.differences[:_NAMED]
    ]
    more = len(found.differences) - _NAMED
    return [f"{head}", *lines, *([f"and {more} more"] if more > 0 else []), *rest]


class VerdictAsker(QObject):
    """Asks once typing pauses; `latest` is the verdict on the reference that stands in the form now, if it is known.

    `judged` tells its kind, empty when it is not known any more.
    """

    judged = Signal(str)

    def __init__(
        self,
        tasks: Tasks,
        view: VerdictView,
        reference: Callable[[], str],
        payload: Callable[[], Awaitable[bytes | None]],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._tasks, self._view, self._reference, self._payload = tasks, view, reference, payload
        self._desk: Desk | None = None
        self._about = ""
        self.latest: Verdict | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_AFTER_MS)
        self._timer.timeout.connect(self._ask)
        self._unconnected = QTimer(self)
        self._unconnected.setInterval(_CONNECTED_AFTER_MS)
        self._unconnected.timeout.connect(self._ask_if_connected)

    def take_desk(self, desk: Desk) -> None:
        """Ask this desk's provider from now on."""
        self._desk = desk
        self.forget()

    def forget(self) -> None:
        """Another order: nothing is known of it."""
        self._timer.stop()
        self._unconnected.stop()
        self._tasks.cancel("verdict")
        self._about, self.latest = "", None
        self._view.hide()
        self.judged.emit("")

    def on_typed(self) -> None:
        """Something was typed: a verdict on another reference is gone at once."""
        if self._reference() != self._about:
            self.forget()
        if self._reference():
            self._timer.start()

    def _ask(self) -> None:
        if self._desk is not None:
            self._tasks.read("verdict", self._show(self._desk))

    def _ask_if_connected(self) -> None:
        if self._desk is not None and self._desk.provider is not None:
            self._ask()

    async def _show(self, desk: Desk) -> None:
        reference = self._reference()
        if reference != self._about:
            self._about, self.latest = reference, None
            self._view.say_asking()
        self.latest = await verdict(desk, reference, await self._payload())
        self._view.show_verdict(self.latest)
        if self.latest.asked is None:
            self._unconnected.start()
        else:
            self._unconnected.stop()
        self.judged.emit(self.latest.kind)
