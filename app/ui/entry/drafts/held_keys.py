"""Keys that are typed while another order is about to come into the form: they wait, and are typed into that one.

A dispatcher presses Ctrl+Enter or Ctrl+N and types on; the disk may take a moment. Invariant: every key that was held
is given on, in its order, to whatever has the keyboard once the form is decided.
"""

import asyncio
import contextlib
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from app.runtime.tasks import Tasks, Work

_SEEN_AFTER_MS = 200
_PATIENCE_S = 2.0
_Held = QKeyEvent | QInputMethodEvent | Callable[[], None]


class HeldKeys(QObject):
    """Holds what is typed into `form`, and the keys that move about in `page`, while something is written.

    `waits` tells that keys have been held for so long that a person sees it, `over` that they were given on.
    """

    waits = Signal()
    over = Signal()

    def __init__(self, page: QWidget, form: QWidget, tasks: Tasks) -> None:
        super().__init__(page)
        self._page, self._form, self._tasks = page, form, tasks
        self._holding = 0
        self._held: list[_Held] = []
        self._free = asyncio.Event()  # nothing is held
        self._free.set()
        self._seen = QTimer(self)
        self._seen.setSingleShot(True)
        self._seen.setInterval(_SEEN_AFTER_MS)
        self._seen.timeout.connect(self.waits)

    def write(self, name: str, work: Work) -> bool:
        """Start a write, as `Tasks.write` does; keys are held from this moment until it has ended."""
        self._hold()
        if self._tasks.write(name, self._to_its_end(work)):
            return True
        work.close()
        self._release()
        return False

    @property
    def holding(self) -> bool:
        """Whether keys are held now."""
        return bool(self._holding)

    async def given_on(self) -> None:
        """Wait until nothing is held any more, not for ever: closing the window waits for it."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._free.wait(), _PATIENCE_S)

    def later(self, act: Callable[[], None]) -> bool:
        """Do this in its turn, behind the keys that are held; False when none are, and it can be done now."""
        if self._held:
            self._held.append(act)
        return bool(self._held)

    async def _to_its_end(self, work: Work) -> None:
        try:
            await work
        finally:
            # Once this write has ended: a key that is given on may ask for another of its name.
            asyncio.get_running_loop().call_soon(self._release)

    def _hold(self) -> None:
        self._holding += 1
        self._free.clear()
        application = QApplication.instance()
        if self._holding == 1 and application is not None:
            application.installEventFilter(self)

    def _release(self) -> None:
        self._holding -= 1
        application = QApplication.instance()
        if self._holding or application is None:
            return
        application.removeEventFilter(self)
        self._seen.stop()
        held, self._held = self._held, []
        self.over.emit()
        for event in held:
            self._give_on(event)
        if not self._holding:  # a key that was given on may have begun anew
            self._free.set()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not (isinstance(watched, QWidget) and self._form.isAncestorOf(watched)):
            return False
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            mine = self._shortcut(event) is not None
            if mine:
                event.accept()  # so that it comes as a key, in its order
            return mine
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            self._hold_back(_copied(event))
            return True
        if isinstance(event, QInputMethodEvent) and event.commitString():
            said = QInputMethodEvent("", [])
            said.setCommitString(event.commitString())
            self._hold_back(said)
            return True
        return False

    def _hold_back(self, event: QKeyEvent | QInputMethodEvent) -> None:
        if not self._held:
            self._seen.start()
        self._held.append(event)

    def _shortcut(self, event: QKeyEvent) -> QShortcut | None:
        keys = QKeySequence(event.keyCombination())
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        return next((each for each in self._page.findChildren(QShortcut, options=direct) if each.key() == keys), None)

    def _give_on(self, event: _Held) -> None:
        if self._holding:  # one of those before has begun another change
            self._held.append(event)
            return
        if not isinstance(event, QKeyEvent | QInputMethodEvent):
            event()
            return
        shortcut = self._shortcut(event) if isinstance(event, QKeyEvent) else None
        to = self._page.window().focusWidget()
        if shortcut is not None:
            shortcut.activated.emit()
        elif to is not None:
            QCoreApplication.sendEvent(to, event)


def _copied(event: QKeyEvent) -> QKeyEvent:
    """The event itself ends with its handling."""
    return QKeyEvent(event.type(), event.key(), event.modifiers(), event.text(), event.isAutoRepeat(), event.count())
