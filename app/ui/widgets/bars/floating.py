"""Floats a widget over the foot of another one.

Invariants: nothing moves when the widget comes or goes, so a click lands where it was aimed. The widget floats at the
foot, or just above pointer or keyboard if they are there: never at the head, where tabs, fields and the first rows
are. In its first moment clicks pass through it, as they were aimed at the widget below. After that moment what
scrolls below it gets room at its end (`foot_room`), so that it covers nothing for good; the room goes a moment after
it. If the keyboard goes below it where nothing scrolls, it moves out of the way. It comes down to the foot when the
floating widgets below it have gone, and when a key goes on in a list whose row it had made way for.
"""

from collections.abc import Callable
from weakref import WeakSet

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QAbstractItemView, QApplication, QStackedWidget, QWidget
from shiboken6 import Shiboken

from app.ui.theme.tokens import MESSAGE_WIDTH, SPACE_2, SPACE_3
from app.ui.widgets.bars.foot_room import AIMED_MS, make_room

_KEYS = (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride)  # a key of a shortcut comes as the second alone
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
        self._aside = False  # the widget stands above a row or field in use, not only above other floating widgets
        self._keyboard: QWidget | None = None  # whose keys are listened to
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
        # A key moves a list's current row after this event, too.
        self._keyed = QTimer(self)
        self._keyed.setSingleShot(True)
        self._keyed.setInterval(0)
        self._keyed.timeout.connect(self._on_key)
        self._lower = QTimer(self)
        self._lower.setSingleShot(True)
        self._lower.setInterval(AIMED_MS)
        self._lower.timeout.connect(self._come_down)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._follow)
        _ours.add(self)
        self.settle()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._keyboard:
            if kind in _KEYS and self._there:
                self._keyed.start()
        elif watched is self.widget:
            if kind == QEvent.Type.HideToParent:
                self._go()
            elif kind in (QEvent.Type.ShowToParent, QEvent.Type.LayoutRequest):
                self.settle()
        elif kind == QEvent.Type.Show:
            self._stand_anew()  # what it floated above may have gone while another page was shown
        elif kind in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.LayoutRequest):
            self.settle()
        return super().eventFilter(watched, event)

    def _on_other_page(self) -> None:
        """Take the place that the other page has for it: what it floated above is not there any more."""
        self._stand_anew()

    def _stand_anew(self) -> None:
        self._lift, self._aside = 0, False
        if self._there and self._page.window().isActiveWindow():
            self._avoid(self._in_use)
        self.settle()

    def _go(self) -> None:
        """It is not there any more: what scrolls gets its end back, and those above come down."""
        if not self._there:
            return
        self._there = False
        for each in self._neighbours():
            if each._lift:
                each._lower.start()  # not at once: a click may be aimed at its button
        self._make_room()

    def _come_down(self) -> None:
        if not self._there or self.widget.isHidden():
            return
        if self.widget.underMouse():
            self._lower.start()  # a person is reading it, or about to press its button
        else:
            self._stand_anew()

    def _listen(self, to: QWidget | None) -> None:
        """Listen to the keys of the widget that has the keyboard, in what this one floats over."""
        if self._keyboard is not None and Shiboken.isValid(self._keyboard):
            self._keyboard.removeEventFilter(self)
        inside = to is not None and to is not self._over and self._over.isAncestorOf(to)
        self._keyboard = to if inside else None
        if self._keyboard is not None:
            self._keyboard.installEventFilter(self)

    def _on_key(self) -> None:
        """A key may have moved a list's current row below this widget, or away from where it made way for the row."""
        view = self._keyboard
        if view is None or not Shiboken.isValid(view) or not self._there or self.widget.isHidden():
            return
        if not isinstance(view, QAbstractItemView) or not (self._aside or self._keyboard_in(self._rect())):
            return
        self._lift, self._aside = 0, False
        self.settle()
        self._make_room(now=True)
        view.scrollTo(view.currentIndex())
        self._step_aside()

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        self._listen(now)
        # After a click the next one may be aimed at the message, so the message must not move.
        clicked = QApplication.mouseButtons() != Qt.MouseButton.NoButton
        if now is not None and self._there and not clicked and self._over.isAncestorOf(now):
            self._followed.start()

    def _step_aside(self) -> None:
        """Move away if the widget covers the focused field: down to the foot if that is free, else above the field."""
        if self.widget.isHidden() or not self._there or self._keyboard_in(self._rect()) is None:
            return
        self._lift, self._aside = 0, False
        self._avoid(self._keyboard_in)
        self.settle()

    def _appear(self) -> None:
        self._there, self._lift, self._aside = True, 0, False
        self._listen(QApplication.focusWidget())
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
                self._lift, self._aside = 0, False
                return
            self._lift, self._aside = lift, True

    def _take_clicks(self) -> None:
        self.widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)
        self._make_room()

    def _make_room(self, *, now: bool = False) -> None:
        """Let tables, lists and forms end above the floating widgets.

        No room is made while a widget stands above the row or field in use: that would be scrolled out of sight.
        """
        window = self._page.window()
        shown = [each for each in self._neighbours(self) if each._there and each.widget.height()]
        settled = [each for each in shown if not each._aimed.isActive() or (now and each is self)]
        covered = [each._in_window(each._rect(), each._page) for each in settled]
        aside = any(each._aside for each in shown)
        make_room(window, [each._over for each in shown], [] if aside else covered)

    def _neighbours(self, *too: "Floating") -> "list[Floating]":
        """The other floating widgets that are in sight in this window, and itself if it is named."""
        window = self._page.window()
        found = (each for each in list(_ours) if Shiboken.isValid(each) and (each is not self or each in too))
        return [each for each in found if each.widget.window() is window and each.widget.isVisibleTo(window)]

    def settle(self) -> None:
        """Put the widget in its place; floating widgets that are shown already keep theirs."""
        if self.widget.isHidden() or self._over.width() <= 2 * SPACE_3:
            return
        if not self._rect().height():
            self._go()  # a widget without height counts as hidden
        elif not self._there:
            self._appear()
        if self._stack() and self._page.window().isActiveWindow():
            self._clear_after_stacking()
        self.widget.setGeometry(self._rect())
        self.widget.raise_()
        if self._there and not self._aimed.isActive():
            self._make_room()

    def _stack(self) -> bool:
        """Lift the widget above the other floating ones at its place; whether there were any."""
        before = self._lift
        while (height := self._met(self._rect())) is not None:
            self._lift += height + SPACE_2
        return self._lift != before

    def _clear_after_stacking(self) -> None:
        """Lift the widget above the row or field in use at its place among the others, if there is room for that."""
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
        for each in self._neighbours():
            height = each.widget.height()
            if height and self._in_window(each.widget.geometry(), each._page).intersects(own):
                return height
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
        # A bare page of a stack has the focus while nothing in it can take it (QStackedLayout). Nobody works there, and
        # its text cursor would reach from its head to its foot.
        if focus.focusPolicy() == Qt.FocusPolicy.NoFocus:
            return None
        # Fields report their text cursor, tables their current row.
        worked = focus.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
        spot = worked if isinstance(worked, QRect) and worked.isValid() else focus.rect()
        window = self._page.window()
        place = QRect(self._page.mapFrom(window, focus.mapTo(window, spot.topLeft())), spot.size())
        return place if rect.intersects(place) else None
