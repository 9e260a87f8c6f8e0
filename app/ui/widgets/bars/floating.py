"""Floats a widget over the foot of another one.

Invariants: nothing moves when the widget comes or goes, so a click lands where it was aimed. The widget floats at the
foot, or just above pointer or keyboard if they are there: never at the head, where tabs, fields and the first rows
are. In its first moment clicks pass through it, as they were aimed at the widget below. If the keyboard goes below it
later, it moves out of the way.
"""

from collections.abc import Callable
from weakref import WeakSet

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget
from shiboken6 import Shiboken

from app.ui.theme.tokens import MESSAGE_WIDTH, SPACE_2, SPACE_3

AIMED_MS = 600  # a click that was begun before the widget appeared lands within that
_ours: "WeakSet[Floating]" = WeakSet()


class Floating(QObject):
    """Keeps `widget` over `over`, as a child of `page`, which contains `over`. A hidden widget takes no place.

    `foot` says how high the part at the lower end of `over` is that is not to be covered. `inner` is another one that
    floats over a part of `over` at present, or None: then this one keeps to the same part.
    """

    def __init__(
        self,
        widget: QWidget,
        page: QWidget,
        over: QWidget,
        foot: Callable[[], int] = int,
        inner: "Callable[[], Floating | None]" = lambda: None,
    ) -> None:
        super().__init__(widget)
        hidden = widget.isHidden()
        widget.setParent(page)
        widget.setVisible(not hidden)
        self.widget, self._page, self._over, self._foot, self._inner = widget, page, over, foot, inner
        self._there = False
        self._lift = 0  # how far above the foot
        self._aimed = QTimer(self)
        self._aimed.setSingleShot(True)
        self._aimed.setInterval(AIMED_MS)
        self._aimed.timeout.connect(self._take_clicks)
        over.installEventFilter(self)
        widget.installEventFilter(self)
        if isinstance(over, QStackedWidget):
            over.currentChanged.connect(self._on_other_page)
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

    def _on_other_page(self) -> None:
        """Take the place that the other page has for it: what it floated above is not there any more."""
        self._lift = 0
        if self._there and self._page.window().isActiveWindow():
            self._avoid(self._in_use)
        self.settle()

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        # After a click the next one may be aimed at the message, so the message must not move.
        clicked = QApplication.mouseButtons() != Qt.MouseButton.NoButton
        if now is not None and self._there and not clicked and self._over.isAncestorOf(now):
            self._followed.start()

    def _step_aside(self) -> None:
        """Move away if the widget covers the focused field: down to the foot if that is free, else above the field."""
        if self.widget.isHidden() or not self._there or self._keyboard_in(self._rect()) is None:
            return
        self._lift = 0
        self._avoid(self._keyboard_in)
        self.settle()

    def _appear(self) -> None:
        self._there, self._lift = True, 0
        if self._page.window().isActiveWindow():
            self._avoid(self._in_use)
        # The attribute applies to child widgets, too.
        self.widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._aimed.start()

    def _avoid(self, used: Callable[[QRect], QRect | None]) -> None:
        """Lift the widget above the spot that `used` finds; without room for that, leave the widget at the foot."""
        area = self._area()
        while (spot := used(self._rect())) is not None:
            lift = area.bottom() + 1 - spot.top()
            if lift <= self._lift or lift + 2 * SPACE_2 + self._rect().height() > area.height():
                self._lift = 0
                return
            self._lift = lift

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
        if self._stack() and self._page.window().isActiveWindow():
            self._clear_after_stacking()
        self.widget.setGeometry(self._rect())
        self.widget.raise_()

    def _stack(self) -> bool:
        """Lift the widget above the other floating ones at its place; whether there were any."""
        before = self._lift
        while (height := self._met(self._rect())) is not None:
            self._lift += height + SPACE_2
        return self._lift != before

    def _clear_after_stacking(self) -> None:
        """Lift it above what is in use at the place that the others have left it, if there is room for that."""
        stacked = self._lift
        self._avoid(self._in_use)
        if self._lift == 0:
            self._lift = stacked
        elif self._lift != stacked:
            self._stack()

    def _area(self) -> QRect:
        """What it floats over, without the foot that stays free, in the page's coordinates."""
        inner = self._inner()
        if inner is not None and inner._over.isVisible():
            inner._over.installEventFilter(self)  # its size decides about this place too
            found = inner._area()
            return QRect(inner._page.mapTo(self._page, found.topLeft()), found.size())
        over = QRect(self._over.mapTo(self._page, QPoint(0, 0)), self._over.size())
        return over.adjusted(0, 0, 0, -self._foot())

    def _rect(self) -> QRect:
        """The place of the widget, in the page's coordinates."""
        area = self._area()
        width = min(area.width() - 2 * SPACE_3, MESSAGE_WIDTH)
        layout = self.widget.layout()
        assert layout is not None
        wrapped = layout.hasHeightForWidth()
        height = layout.totalHeightForWidth(width) if wrapped else layout.totalSizeHint().height()
        return QRect(area.left() + SPACE_3, area.bottom() + 1 - SPACE_2 - self._lift - height, width, height)

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

    def _in_use(self, rect: QRect) -> QRect | None:
        """The pointer or the text cursor, if one of them is in this place; in the page's coordinates, as the place."""
        window = self._page.window()
        pointer = QRect(self._page.mapFrom(window, window.mapFromGlobal(QCursor.pos())), QSize(1, 1))
        return pointer if rect.intersects(pointer) else self._keyboard_in(rect)

    def _keyboard_in(self, rect: QRect) -> QRect | None:
        focus = QApplication.focusWidget()
        if focus is None or focus.window() is not self._page.window():
            return None
        # Fields report their text cursor, tables their current row.
        worked = focus.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
        spot = worked if isinstance(worked, QRect) and worked.isValid() else focus.rect()
        window = self._page.window()
        place = QRect(self._page.mapFrom(window, focus.mapTo(window, spot.topLeft())), spot.size())
        return place if rect.intersects(place) else None
