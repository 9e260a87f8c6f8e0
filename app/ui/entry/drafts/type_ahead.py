"""Type-ahead: keys that are typed while another draft is about to come into the form.

A dispatcher presses Ctrl+Enter or Ctrl+N and types on, while the disk may take a moment. Invariant: every key that was
buffered is replayed, in its order, to the widget that has the keyboard once the form is decided.
"""

import asyncio
import contextlib
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from app.runtime.tasks import Tasks, Work

_DELAYED_AFTER_MS = 200  # a person notices no shorter wait
_PATIENCE_S = 2.0
_Buffered = QKeyEvent | QInputMethodEvent | Callable[[], None]


class TypeAhead(QObject):
    """Buffers what is typed into `form`, and the shortcuts of `page`, while a write of `write` runs."""

    delayed = Signal()  # keys have been buffered for so long that a person notices
    replayed = Signal()  # the buffer is empty again

    def __init__(self, page: QWidget, form: QWidget, tasks: Tasks) -> None:
        super().__init__(page)
        self._page, self._form, self._tasks = page, form, tasks
        self._writes = 0  # that are running
        self._buffer: list[_Buffered] = []
        self._empty = asyncio.Event()
        self._empty.set()
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(_DELAYED_AFTER_MS)
        self._delay.timeout.connect(self.delayed)

    def write(self, name: str, work: Work) -> bool:
        """Start a write, as `Tasks.write` does; keys are buffered from this moment until the write has ended."""
        self._begin()
        if self._tasks.write(name, self._run(work)):
            return True
        # `Tasks` has closed the coroutine around it, not `work` itself; one that is never awaited makes Python warn.
        work.close()
        self._end()
        return False

    @property
    def buffering(self) -> bool:
        """Whether keys are buffered now."""
        return bool(self._writes)

    async def drained(self) -> None:
        """Wait until nothing is buffered, for two seconds at most: closing the window waits for it."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._empty.wait(), _PATIENCE_S)

    def defer(self, act: Callable[[], None]) -> bool:
        """Call `act` in its turn, after the buffered keys. False when none are buffered: then the caller acts now."""
        if self._buffer:
            self._buffer.append(act)
        return bool(self._buffer)

    async def _run(self, work: Work) -> None:
        try:
            await work
        finally:
            # After this task has ended, not now: a replayed key may start another write of the same name.
            asyncio.get_running_loop().call_soon(self._end)

    def _begin(self) -> None:
        self._writes += 1
        self._empty.clear()
        application = QApplication.instance()
        if self._writes == 1 and application is not None:
            application.installEventFilter(self)

    def _end(self) -> None:
        self._writes -= 1
        application = QApplication.instance()
        if self._writes or application is None:
            return
        # Removed before the replay: the filter would buffer the replayed keys again.
        application.removeEventFilter(self)
        self._delay.stop()
        buffered, self._buffer = self._buffer, []
        self.replayed.emit()
        for event in buffered:
            self._replay(event)
        if not self._writes:  # a replayed key may have started another write
            self._empty.set()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not (isinstance(watched, QWidget) and self._form.isAncestorOf(watched)):
            return False
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            mine = self._shortcut(event) is not None
            if mine:
                event.accept()  # Qt then sends the key as a key press, so that it is buffered in its order
            return mine
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            self._buffer_event(_copied(event))
            return True
        if isinstance(event, QInputMethodEvent) and event.commitString():
            # A new event: Qt deletes the one that was sent.
            committed = QInputMethodEvent("", [])
            committed.setCommitString(event.commitString())
            self._buffer_event(committed)
            return True
        return False

    def _buffer_event(self, event: QKeyEvent | QInputMethodEvent) -> None:
        if not self._buffer:
            self._delay.start()
        self._buffer.append(event)

    def _shortcut(self, event: QKeyEvent) -> QShortcut | None:
        keys = QKeySequence(event.keyCombination())
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        return next((each for each in self._page.findChildren(QShortcut, options=direct) if each.key() == keys), None)

    def _replay(self, event: _Buffered) -> None:
        if self._writes:  # an earlier key has started another write: the rest waits for that one too
            self._buffer.append(event)
            return
        if not isinstance(event, QKeyEvent | QInputMethodEvent):
            event()
            return
        shortcut = self._shortcut(event) if isinstance(event, QKeyEvent) else None
        focused = self._page.window().focusWidget()
        if shortcut is not None:
            shortcut.activated.emit()
        elif focused is not None:
            QCoreApplication.sendEvent(focused, event)


def _copied(event: QKeyEvent) -> QKeyEvent:
    """A copy, because Qt deletes the event itself once it was handled."""
    return QKeyEvent(event.type(), event.key(), event.modifiers(), event.text(), event.isAutoRepeat(), event.count())
