"""Floats a widget over the foot of another one.

Invariants: nothing moves when the widget comes or goes, so a click lands where it was aimed. The widget floats at the
foot, or at the top if pointer or keyboard are at the foot. In its first moment clicks pass through it, as they were
aimed at the widget below. If the keyboard goes below it later, it moves to the other end.
"""

from collections.abc import Callable
from weakref import WeakSet

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget
from shiboken6 import Shiboken

from app.ui.theme.tokens import MESSAGE_WIDTH, SPACE_2, SPACE_3

AIMED_MS = 600  # a click that was begun before the widget appeared lands within that
_ours: "WeakSet[Floating]" = WeakSet()


class Floating(QObject):
    """Keeps `widget` over `over`, as a child of `page`, which contains `over`. A hidden widget takes no place.

    `foot` says how high the part at the lower end of `over` is that is not to be covered.
    """

    def __init__(self, widget: QWidget, page: QWidget, over: QWidget, foot: Callable[[], int] = int) -> None:
        super().__init__(widget)
        hidden = widget.isHidden()
        widget.setParent(page)
        widget.setVisible(not hidden)
        self.widget, self._page, self._over, self._foot = widget, page, over, foot
        self._there = self._at_top = False
        self._lift = 0
        self._aimed = QTimer(self)
        self._aimed.setSingleShot(True)
        self._aimed.setInterval(AIMED_MS)
        self._aimed.timeout.connect(self._take_clicks)
        over.installEventFilter(self)
        widget.installEventFilter(self)
        if isinstance(over, QStackedWidget):
            over.currentChanged.connect(self.settle)  # another page has another foot
        # Qt scrolls a focused field into sight only after this key event, so the place is checked afterwards.
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
        # After a click the next one may be aimed at the message, so the message must not move.
        clicked = QApplication.mouseButtons() != Qt.MouseButton.NoButton
        if now is not None and self._there and not clicked and self._over.isAncestorOf(now):
            self._followed.start()

    def _step_aside(self) -> None:
        """Move to the other end if the widget covers the focused field."""
        if self.widget.isHidden() or not self._there or not self._has_keyboard(self._rect()):
            return
        self._at_top, self._lift = not self._at_top, 0
        if self._has_keyboard(self._rect()):  # the other end covers the field too
            self._at_top = not self._at_top
        self.settle()

    def _appear(self) -> None:
        self._there, self._at_top, self._lift = True, False, 0
        if self._is_in_use(self._rect()):
            self._at_top = True
            self._at_top = not self._is_in_use(self._rect())
        # The attribute applies to child widgets, too.
        self.widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._aimed.start()

    def _take_clicks(self) -> None:
        self.widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)

    def settle(self) -> None:
        """Put the widget in its place; floating widgets that are shown already keep theirs."""
        if self.widget.isHidden() or self._over.width() <= 2 * SPACE_3:
            return
        if not self._rect().height():
            self._there = False  # a widget without height counts as hidden
        elif not self._there:
            self._appear()
        rect = self._rect()
        while (height := self._met(rect)) is not None:
            self._lift += height + SPACE_2
            rect = self._rect()
        self.widget.setGeometry(rect)
        self.widget.raise_()

    def _rect(self) -> QRect:
        """The place of the widget, in the page's coordinates."""
        over = QRect(self._over.mapTo(self._page, QPoint(0, 0)), self._over.size())
        width = min(over.width() - 2 * SPACE_3, MESSAGE_WIDTH)
        layout = self.widget.layout()
        assert layout is not None
        wrapped = layout.hasHeightForWidth()
        height = layout.totalHeightForWidth(width) if wrapped else layout.totalSizeHint().height()
        away = SPACE_2 + self._lift
        top = over.top() + away if self._at_top else over.bottom() + 1 - self._foot() - away - height
        return QRect(over.left() + SPACE_3, top, width, height)

    def _met(self, rect: QRect) -> int | None:
        """The height of another floating widget in this place; None if there is none."""
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
        """Whether the pointer or the text cursor is in this place."""
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
        # Fields report their text cursor, tables their current row.
        worked = focus.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
        spot = worked if isinstance(worked, QRect) and worked.isValid() else focus.rect()
        return place.intersects(QRect(focus.mapTo(window, spot.topLeft()), spot.size()))
