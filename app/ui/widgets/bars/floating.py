"""Shows a widget over the foot of another one. Nothing moves when it comes or goes, whatever a person is aiming at.

A message that took room of its own would push rows down between aim and click. This one lies over what stands there:
at the foot, or at the top where the pointer or the keyboard is at the foot just then. For its first moment clicks go
through it, since they were meant for what it has covered. Where a person takes the keyboard below it later, it goes to
the other end.
"""

from weakref import WeakSet

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import Shiboken

from app.ui.theme.tokens import MESSAGE_WIDTH, SPACE_2, SPACE_3

AIMED_MS = 600  # that a click takes which was begun before anything appeared below the pointer
_ours: "WeakSet[Floating]" = WeakSet()


class Floating(QObject):
    """Keeps `widget` over `over`, as a child of `page`, in which `over` stands. Hidden ones keep no place."""

    def __init__(self, widget: QWidget, page: QWidget, over: QWidget) -> None:
        super().__init__(widget)
        hidden = widget.isHidden()
        widget.setParent(page)
        widget.setVisible(not hidden)
        self.widget, self._page, self._over = widget, page, over
        self._there = self._at_top = False
        self._lift = 0
        self._aimed = QTimer(self)
        self._aimed.setSingleShot(True)
        self._aimed.setInterval(AIMED_MS)
        self._aimed.timeout.connect(self._take_clicks)
        over.installEventFilter(self)
        widget.installEventFilter(self)
        # A field is scrolled into sight only after the key has been handled.
        self._followed = QTimer(self)
        self._followed.setSingleShot(True)
        self._followed.setInterval(0)
        self._followed.timeout.connect(self._step_aside)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._follow)
        _ours.add(self)
        self.settle()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self.widget:
            if kind == QEvent.Type.HideToParent:
                self._there = False
            elif kind in (QEvent.Type.ShowToParent, QEvent.Type.LayoutRequest):
                self.settle()
        elif kind in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show):
            self.settle()
        return super().eventFilter(watched, event)

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        # A click is aimed at what is seen, and the next one perhaps at the message, which must not have moved.
        clicked = QApplication.mouseButtons() != Qt.MouseButton.NoButton
        if now is not None and self._there and not clicked and self._over.isAncestorOf(now):
            self._followed.start()

    def _step_aside(self) -> None:
        """The field that the keyboard came to is not covered."""
        if self.widget.isHidden() or not self._there or not self._has_keyboard(self._rect()):
            return
        self._at_top, self._lift = not self._at_top, 0
        if self._has_keyboard(self._rect()):  # there is no room for both
            self._at_top = not self._at_top
        self.settle()

    def _appear(self) -> None:
        self._there, self._at_top, self._lift = True, False, 0
        if self._is_in_use(self._rect()):
            self._at_top = True
            self._at_top = not self._is_in_use(self._rect())
        # The attribute holds for what is in the widget, too.
        self.widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._aimed.start()

    def _take_clicks(self) -> None:
        self.widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)

    def settle(self) -> None:
        """Lay it where it belongs; those that are shown already keep their places."""
        if self.widget.isHidden() or self._over.width() <= 2 * SPACE_3:
            return
        if not self._rect().height():
            self._there = False  # nothing of it is shown now
        elif not self._there:
            self._appear()
        rect = self._rect()
        while (height := self._met(rect)) is not None:
            self._lift += height + SPACE_2
            rect = self._rect()
        self.widget.setGeometry(rect)
        self.widget.raise_()

    def _rect(self) -> QRect:
        """Where it would lie, as the page counts."""
        over = QRect(self._over.mapTo(self._page, QPoint(0, 0)), self._over.size())
        width = min(over.width() - 2 * SPACE_3, MESSAGE_WIDTH)
        layout = self.widget.layout()
        assert layout is not None
        wrapped = layout.hasHeightForWidth()
        height = layout.totalHeightForWidth(width) if wrapped else layout.totalSizeHint().height()
        away = SPACE_2 + self._lift
        top = over.top() + away if self._at_top else over.bottom() + 1 - away - height
        return QRect(over.left() + SPACE_3, top, width, height)

    def _met(self, rect: QRect) -> int | None:
        """How high another one is that lies there."""
        own = self._in_window(rect, self._page)
        for each in list(_ours):
            if each is self or not Shiboken.isValid(each):
                continue
            other = each.widget
            if other.isHidden() or other.height() == 0 or other.window() is not self._page.window():
                continue
            if other.isVisibleTo(self._page.window()) and self._in_window(other.geometry(), each._page).intersects(own):
                return other.height()
        return None

    @staticmethod
    def _in_window(rect: QRect, page: QWidget) -> QRect:
        return QRect(page.mapTo(page.window(), rect.topLeft()), rect.size())

    def _is_in_use(self, rect: QRect) -> bool:
        """Whether the pointer is there, or what the keyboard works on."""
        window = self._page.window()
        if not window.isActiveWindow():
            return False
        place = self._in_window(rect, self._page)
        return place.contains(window.mapFromGlobal(QCursor.pos())) or self._has_keyboard(rect)

    def _has_keyboard(self, rect: QRect) -> bool:
        window = self._page.window()
        place = self._in_window(rect, self._page)
        focus = QApplication.focusWidget()
        if focus is None or focus.window() is not window:
            return False
        # A field says where its cursor stands, a table where its current row does.
        worked = focus.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
        spot = worked if isinstance(worked, QRect) and worked.isValid() else focus.rect()
        return place.intersects(QRect(focus.mapTo(window, spot.topLeft()), spot.size()))
