"""Finds out what sending the order in the form would do: asks the provider about its reference, and reads the journal.

The provider is asked once typing pauses. It is asked again only where its answer may differ by now: the reference or
the connection changed, a write of that reference was sent from here, or the answer is too old to rely on. The form is
compared with the last write at every pause, which asks nobody.
"""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from app.contract.typed_fields import LIMITS
from app.desk.desk import Desk
from app.desk.drafts import background_check
from app.desk.drafts.reference_history import Before, Mark, look_back
from app.desk.sending.verdict import Verdict, ask, compare
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.ui.entry import entry_words
from app.ui.entry.form.entry_form import OrderForm

FRESH_S = 300.0  # an older answer is asked for anew once a person goes on with the order
TROUBLE_S = 30.0  # after which a question that failed is asked again
_AFTER_MS = 600  # longer than between two keys: the provider is asked for a reference, not for each beginning of it
_RECONNECT_MS = 1_000  # without a connection: how often to look whether there is one


class VerdictLookup(QObject):
    """`found` and `before` are about `reference`, the one in the form; `changed` reports that either changed."""

    changed = Signal()

    def __init__(self, tasks: Tasks, form: OrderForm, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks, self._form = tasks, form
        self._desk: Desk | None = None
        self._about = ""  # the reference that the fields below are about
        self._answer: Verdict | None = None  # the provider's, without what would change
        self._answer_of: tuple[object, Mark] = (None, ())  # the provider that gave it, and what was sent by then
        self.found: Verdict | None = None
        self.before = Before()
        self._debounce = self._timer(_AFTER_MS, self.look, once=True)
        self._reconnect = self._timer(_RECONNECT_MS, self._look_if_connected)
        self._retry = self._timer(int(TROUBLE_S * 1_000), self.look, once=True)

    def _timer(self, after_ms: int, act: Callable[[], None], *, once: bool = False) -> QTimer:
        made = QTimer(self)
        made.setSingleShot(once)
        made.setInterval(after_ms)
        made.timeout.connect(act)
        return made

    @property
    def reference(self) -> str:
        """The reference in the form; empty while the text there is too long to be one."""
        typed = self._form.fields["orderReferenceNumber"].text().strip()
        return typed if len(typed) <= LIMITS["orderReferenceNumber"] else ""

    @property
    def asking(self) -> bool:
        """Whether the provider is being asked."""
        return self._tasks.running("verdict")

    def take_desk(self, desk: Desk) -> None:
        """Ask this desk's provider from now on."""
        self._desk = desk
        self.forget()

    def forget(self) -> None:
        """Another order is in the form: nothing is known of it."""
        for timer in (self._debounce, self._reconnect, self._retry):
            timer.stop()
        # An answer that is still to come is about the order before.
        for name in ("verdict", "compare"):
            self._tasks.cancel(name)
        self._about, self._answer, self._answer_of = "", None, (None, ())
        self.found, self.before = None, Before()
        self.changed.emit()

    def on_typed(self) -> None:
        """Look once typing pauses. What is known of another reference is dropped at once."""
        if self.reference != self._about:
            self.forget()
        if self.reference:
            self._debounce.start()

    def look(self) -> None:
        """Compare anew, and ask anew where the answer may differ by now."""
        self._debounce.stop()
        if self._desk is not None and self.reference:
            self._tasks.read("compare", self._compare(self._desk))

    def _look_if_connected(self) -> None:
        if self._desk is not None and self._desk.provider is not None:
            self.look()

    async def refresh(self, desk: Desk, payload: bytes) -> None:
        """Compare with the very bytes that are about to be sent."""
        if self.reference == self._about:
            await self._update(desk, self._about, payload)

    async def _compare(self, desk: Desk) -> None:
        reference = self.reference
        if reference != self._about:
            self._about, self._answer, self.found = reference, None, None
        await self._update(desk, reference, await self._payload())
        if self._has_to_ask(desk) and not self.asking:
            self._tasks.read("verdict", self._ask(desk, reference))
            self.changed.emit()

    async def _payload(self) -> bytes | None:
        """The bytes that the form would send; None while an issue is left."""
        return await background_check.payload(self._form.draft())

    async def _update(self, desk: Desk, reference: str, payload: bytes | None) -> None:
        before, answer, trouble = await look_back(desk, reference, payload), self._answer, ""
        if answer is not None:
            try:
                answer = await compare(desk, answer, reference, payload)
            except StoreError as error:
                trouble = entry_words.changes_unreadable(error.sentence)
        # Another reference may have been typed while the journal was read.
        if reference == self._about:
            self.before = replace(before, trouble=before.trouble or trouble)
            self.found = answer
            self.changed.emit()

    def _has_to_ask(self, desk: Desk) -> bool:
        answer = self._answer
        if answer is None or self._answer_of != (desk.provider, self.before.mark):
            return True
        if answer.asked is None:
            return False  # there was no connection, and there still is none
        bound = FRESH_S if answer.error is None else TROUBLE_S
        return desk.timing.age(answer.asked, desk.now()) >= bound

    async def _ask(self, desk: Desk, reference: str) -> None:
        # Read before the question: what is sent while the provider answers makes the answer too old.
        answer_of = desk.provider, self.before.mark
        answer = await ask(desk, reference)
        if reference != self._about:
            return
        self._answer, self._answer_of = answer, answer_of
        for timer, wanted in ((self._reconnect, answer.asked is None), (self._retry, answer.error is not None)):
            timer.start() if wanted else timer.stop()
        await self._update(desk, reference, await self._payload())
