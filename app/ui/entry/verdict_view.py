"""The one verdict of the form, and who finds out what it is made of.

The provider is asked how a reference stands once typing pauses, and again only where its answer may be another: the
reference or the connection changed, something of that reference was sent from here, or the answer is too old to rely
on. What the order in the form would change is compared here, at every pause, and asks nobody.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFrame

from app.desk.desk import Desk
from app.desk.drafts.copy_order import NOT_RETURNED
from app.desk.drafts.form_verdict import SumUp
from app.desk.drafts.reference_history import Before, Mark, look_back
from app.desk.sending.verdict import Compared, Verdict, ask, compare
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.ui.entry.form.entry_form import issue_place
from app.ui.theme.tokens import SPACE_1
from app.ui.widgets.layout import column
from app.ui.widgets.text.labels import set_tip, set_tone, text_label, visible

FRESH_S = 300.0  # an answer that is older is asked for anew, when somebody goes on with the order
TROUBLE_S = 30.0  # after which a question that was not answered is asked again
_AFTER_MS = 600
_CONNECTED_AFTER_MS = 1_000  # without a connection: how often to look whether there is one
_NAMED = 6
_COMPARED: dict[Compared, str] = {
    "sent": "Against what this desk last sent:",
    "returned": "Against what the provider returns:",
}
_NOT_COMPARED = f"It returns no {NOT_RETURNED}: of these it will have only what stands here."


class VerdictView(QFrame):
    """Shows the verdict: `heading` above all, `below` what it is made of and what would change."""

    def __init__(self) -> None:
        super().__init__()
        self.heading = text_label("", "heading", wrap=True)
        self.sentence = text_label("", "body", wrap=True)
        self.changes = text_label("", "soft", wrap=True)
        self.below = column(self.sentence, self.changes, gap=SPACE_1)
        self.setAccessibleName("Verdict")
        self.setLayout(column(self.heading))

    @property
    def text(self) -> str:
        """All it says."""
        return self.accessibleDescription()

    def show_sum(self, found: SumUp, verdict: Verdict | None) -> None:
        """Show what all that is known comes to."""
        lines = "\n".join(found.lines)
        changes = "\n".join(_change_lines(verdict))
        told = " ".join(part for part in (found.heading, lines, changes) if part)
        if told == self.text:
            return
        set_tone(self.heading, found.tone)
        self.heading.setText(visible(found.heading))
        self.sentence.setText(visible(lines))
        self.changes.setText(visible(changes))
        set_tip(self.changes, changes)
        self.sentence.setVisible(bool(lines))
        self.changes.setVisible(bool(changes))
        self.setAccessibleDescription(visible(told))


def _change_lines(found: Verdict | None) -> list[str]:
    """What sending would change, and with what that was found out."""
    if found is None or not found.compared:
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
    """Finds out how the reference in the form stands, and what this desk sent of it.

    `found` and `before` are of the reference that stands in the form now. `judged` tells that either changed.
    """

    judged = Signal()

    def __init__(
        self, tasks: Tasks, reference: Callable[[], str], payload: Callable[[], Awaitable[bytes | None]],
        parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._tasks, self._reference, self._payload = tasks, reference, payload
        self._desk: Desk | None = None
        self._about = ""
        self._answer: Verdict | None = None  # the provider's, without what would change
        self._of: tuple[object, Mark] = (None, ())  # whom it was asked of, and what was sent from here by then
        self.found: Verdict | None = None
        self.before = Before()
        self._timer = self._ringing(_AFTER_MS, self.look, once=True)
        self._unconnected = self._ringing(_CONNECTED_AFTER_MS, self._look_if_connected)
        self._again = self._ringing(int(TROUBLE_S * 1_000), self.look, once=True)

    def _ringing(self, after_ms: int, act: Callable[[], None], *, once: bool = False) -> QTimer:
        made = QTimer(self)
        made.setSingleShot(once)
        made.setInterval(after_ms)
        made.timeout.connect(act)
        return made

    @property
    def asking(self) -> bool:
        """Whether the provider is being asked."""
        return self._tasks.running("verdict")

    def take_desk(self, desk: Desk) -> None:
        """Ask this desk's provider from now on."""
        self._desk = desk
        self.forget()

    def forget(self) -> None:
        """Another order: nothing is known of it."""
        for each in (self._timer, self._unconnected, self._again):
            each.stop()
        for name in ("verdict", "compare"):
            self._tasks.cancel(name)
        self._about, self._answer, self._of = "", None, (None, ())
        self.found, self.before = None, Before()
        self.judged.emit()

    def on_typed(self) -> None:
        """Something was typed: what is known of another reference is gone at once."""
        if self._reference() != self._about:
            self.forget()
        if self._reference():
            self._timer.start()

    def look(self) -> None:
        """Compare anew, and ask anew where the answer may be another by now."""
        self._timer.stop()
        if self._desk is not None and self._reference():
            self._tasks.read("compare", self._compare(self._desk))

    def _look_if_connected(self) -> None:
        if self._desk is not None and self._desk.provider is not None:
            self.look()

    async def refresh(self, desk: Desk, payload: bytes) -> None:
        """Compare with these very bytes, which are about to be sent."""
        if self._reference() == self._about:
            await self._take(desk, self._about, payload)

    async def _compare(self, desk: Desk) -> None:
        reference = self._reference()
        if reference != self._about:
            self._about, self._answer, self.found = reference, None, None
        await self._take(desk, reference, await self._payload())
        if self._has_to_ask(desk) and not self.asking:
            self._tasks.read("verdict", self._ask(desk, reference))
            self.judged.emit()

    async def _take(self, desk: Desk, reference: str, payload: bytes | None) -> None:
        before, answer, trouble = await look_back(desk, reference, payload), self._answer, ""
        if answer is not None:
            try:
                answer = await compare(desk, answer, reference, payload)
            except StoreError as error:
                trouble = f"What would change could not be read. {error.sentence}"
        if reference == self._about:
            self.before = replace(before, trouble=before.trouble or trouble)
            self.found = answer
            self.judged.emit()

    def _has_to_ask(self, desk: Desk) -> bool:
        answer = self._answer
        if answer is None or self._of != (desk.provider, self.before.mark):
            return True
        if answer.asked is None:
            return False  # there is no connection, and still none
        bound = FRESH_S if answer.error is None else TROUBLE_S
        return desk.timing.age(answer.asked, desk.now()) >= bound

    async def _ask(self, desk: Desk, reference: str) -> None:
        of = desk.provider, self.before.mark
        answer = await ask(desk, reference)
        if reference != self._about:
            return
        self._answer, self._of = answer, of
        for timer, wanted in ((self._unconnected, answer.asked is None), (self._again, answer.error is not None)):
            timer.start() if wanted else timer.stop()
        await self._take(desk, reference, await self._payload())
