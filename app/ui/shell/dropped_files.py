"""Files that are dropped anywhere on the window, as a request to import them.

Invariants: only files of this computer are taken, and none while a question stands before the window. A text that is
dropped goes on to the field below the pointer.
"""

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from app.ui.shell import shell_words as words
from app.ui.theme.tokens import SPACE_5
from app.ui.widgets.layout import column
from app.ui.widgets.text.labels import announce, text_label


class DroppedFiles(QObject):
    """`dropped` carries the paths, in the order in which they came. `over` is the widget that the sign covers."""

    dropped = Signal(list)

    def __init__(self, window: QWidget, over: QWidget) -> None:
        super().__init__(window)
        self._window, self._over = window, over
        self._sign: QFrame | None = None
        self._dragged: list[Path] = []  # the files that are over the window now
        window.setAcceptDrops(True)
        # A start that painted a still has shown the window already, and shows it no second time.
        if window.windowHandle() is None:
            window.installEventFilter(self)
        else:
            self._listen()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window:
            if event.type() == QEvent.Type.Show:
                watched.removeEventFilter(self)
                self._listen()
            return False
        match event.type():
            # Qt sends one of a move after each of an entry.
            case QEvent.Type.DragEnter | QEvent.Type.DragMove if isinstance(event, QDragEnterEvent | QDragMoveEvent):
                return self._on_drag(event)
            case QEvent.Type.DragLeave:
                self._dragged = []
                self._show_sign(False)
            case QEvent.Type.Drop if isinstance(event, QDropEvent):
                return self._on_drop(event)
        return False

    def _listen(self) -> None:
        """Look at the drags of the whole window before any widget does: a text field would take a file as its text."""
        handle = self._window.windowHandle()  # the window of the system, which exists from the first showing on
        assert handle is not None
        handle.installEventFilter(self)

    def _on_drag(self, event: QDragMoveEvent) -> bool:
        self._dragged = _files(event.mimeData())
        if not self._dragged or QApplication.activeModalWidget() is not None:
            self._dragged = []
            return False
        # Where moving is proposed too: the file stays where it is.
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self._show_sign(True)
        return True

    def _on_drop(self, event: QDropEvent) -> bool:
        self._show_sign(False)
        # A program that ended right after the drop cannot say any more which files they were.
        files, self._dragged = self._dragged or _files(event.mimeData()), []
        if not files or QApplication.activeModalWidget() is not None:
            return False
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.dropped.emit(files)
        return True

    def _show_sign(self, on: bool) -> None:
        if self._sign is None and on:
            self._sign = _sign(self._window)
        if self._sign is None or self._sign.isHidden() != on:
            return
        if on:
            place = self._over.mapTo(self._window, self._over.rect().topLeft())
            self._sign.setGeometry(place.x(), place.y(), self._over.width(), self._over.height())
            self._sign.raise_()
            announce(self._sign, words.DROP_HERE)
        self._sign.setVisible(on)


def _files(data: QMimeData) -> list[Path]:
    return [Path(each.toLocalFile()) for each in data.urls() if each.isLocalFile()]


def _sign(window: QWidget) -> QFrame:
    """The sheet that covers the page while a file is dragged over the window."""
    made = QFrame(window)
    made.setObjectName("floating")
    made.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    made.setAccessibleName(words.DROP_HERE)
    heading, sentence = text_label(words.DROP_HERE, "title"), text_label(words.DROP_KINDS, "soft", wrap=True)
    for each in (heading, sentence):
        each.setAlignment(Qt.AlignmentFlag.AlignCenter)
    made.setLayout(column(None, heading, sentence, None, margin=SPACE_5))
    made.hide()
    return made
