"""Shows a still in the main window, and holds what a person types and clicks until the window itself is there.

Invariant: every key and click that the still was given is handed to the frame that takes its place, in order, once:
keys to the widget that has the keyboard by then, clicks to what is seen at their place. Nothing uses PySide's namespace
`Qt` before the first paint (`ui/base/main_window`).
"""

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QEventLoop, QPointF, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QWidget

from app.translation import translate
from app.ui.base.main_window import MainWindow
from app.ui.still.still_file import Still

# A window that is minimised, or on another desktop, is not painted before somebody looks at it.
_PATIENCE_MS = 300
_CLICKS = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease)
Held = QKeyEvent | QMouseEvent


class StillView(QWidget):
    """`painted` comes once, when the picture is on the screen."""

    painted = Signal()

    def __init__(self, still: Still) -> None:
        super().__init__()
        facts = still.facts
        self._pixels = still.pixels  # the image only points at them
        self._image = QImage(still.pixels, facts.width, facts.height, 4 * facts.width, QImage.Format.Format_RGB32)
        self._image.setDevicePixelRatio(facts.ratio)
        self._told = False
        self.held: list[Held] = []
        self.setAccessibleName(translate("Waybill opens, and shows the orders as last seen"))
        self._ground = QColor(facts.ground)
        self._covered = facts.width / facts.ratio, facts.height / facts.ratio

    def be_in_reach(self) -> None:
        """Tell screen readers that the keyboard may be here, as it is. Call after the first paint."""
        from PySide6.QtCore import Qt

        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def end(self) -> list[Held]:
        """The keys and clicks that came. Frees the pixels, some megabytes: the frame takes the still's place now."""
        self._image, self._pixels = QImage(), b""
        held, self.held = self.held, []
        return held

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        # Only where the picture ends: `fillRect` uses the namespace `Qt`, and a palette with this colour takes longer
        # than all else here.
        if self.width() > self._covered[0] or self.height() > self._covered[1]:
            painter.fillRect(self.rect(), self._ground)
        painter.drawImage(0, 0, self._image)
        painter.end()
        if not self._told:
            self._told = True
            # A timer of zero fires after all events that wait already, and after what was painted has been shown.
            QTimer.singleShot(0, self, self.painted.emit)

    def event(self, event: QEvent) -> bool:
        # The shortcuts of the frame exist before it is seen. An accepted key comes as a key press and is held.
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:  # the tabulator too
            self.held.append(_key(event, event.type()))
            return True
        if isinstance(event, QMouseEvent) and event.type() in _CLICKS:
            self.held.append(_click(event, self, self.window()))
            return True
        return super().event(event)


def show_still(window: MainWindow, still: Still) -> StillView:
    """Show the window with the still in it, where it stood last, and return once it is painted."""
    view = StillView(still)
    window.setWindowTitle(still.facts.title)
    window.stand_at(QByteArray.fromBase64(still.facts.place.encode("ascii", "replace")))
    window.setCentralWidget(view)
    view.setFocus()
    loop = QEventLoop()
    view.painted.connect(loop.quit)
    patience = QTimer(loop)
    patience.setSingleShot(True)
    patience.timeout.connect(loop.quit)
    patience.start(_PATIENCE_MS)
    window.show()
    loop.exec()  # the only one: the program's own loop is made later
    return view


def hand_over(window: MainWindow, held: list[Held]) -> None:
    """Give what was typed and clicked to the frame, which is in its place and has the keyboard."""
    pressed: QWidget | None = None
    for event in held:
        if isinstance(event, QKeyEvent):
            _hand_key(window, event)
        elif event.type() == QEvent.Type.MouseButtonPress:
            pressed = window.childAt(event.position().toPoint()) or window
            QCoreApplication.sendEvent(pressed, _click(event, window, pressed))
        elif pressed is not None:
            QCoreApplication.sendEvent(pressed, _click(event, window, pressed))
            pressed = None


def _hand_key(window: MainWindow, event: QKeyEvent) -> None:
    """As Qt does it: the widget with the keyboard may claim the key, else a shortcut has it, else that widget."""
    focused = window.focusWidget() or window
    claim = _key(event, QEvent.Type.ShortcutOverride)
    claim.ignore()
    QCoreApplication.sendEvent(focused, claim)
    act = None if claim.isAccepted() else _shortcut(window, event)
    if act is not None:
        act()
        return
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QCoreApplication.sendEvent(focused, _key(event, kind))


def _shortcut(window: MainWindow, event: QKeyEvent) -> Callable[[], object] | None:
    # Not before the first paint: the class makes an enum of some seventy members.
    from PySide6.QtGui import QKeySequence, QShortcut

    keys = QKeySequence(event.keyCombination())
    for each in window.findChildren(QShortcut):
        owner = each.parent()
        if keys in list(each.keys()) and each.isEnabled() and isinstance(owner, QWidget) and owner.isVisible():
            return each.activated.emit
    return None


def _key(event: QKeyEvent, kind: QEvent.Type) -> QKeyEvent:
    """A copy, because Qt deletes the event itself once it was handled."""
    return QKeyEvent(kind, event.key(), event.modifiers(), event.text(), event.isAutoRepeat(), event.count())


def _click(event: QMouseEvent, seen_from: QWidget, to: QWidget) -> QMouseEvent:
    """A copy whose place is counted from the corner of the widget `to`."""
    place = QPointF(to.mapFromGlobal(seen_from.mapToGlobal(event.position())))
    return QMouseEvent(event.type(), place, event.globalPosition(), event.button(), event.buttons(), event.modifiers())
