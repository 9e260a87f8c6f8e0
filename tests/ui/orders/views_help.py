"""Helpers of the tests of saved views: orders and audits keep, name, move and count their views in one way."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from app.ui.audits.audits_page import AuditsPage
from app.ui.orders.orders_page import OrdersPage
from app.ui.widgets.name_dialog import NameDialog
from tests.support.loop import RunningLoop

Viewed = OrdersPage | AuditsPage


def settled(loop: RunningLoop, page: Viewed) -> None:
    """Until nothing is under way."""
    loop.until(lambda: not page.tasks.busy)


def view(loop: RunningLoop, page: Viewed, name: str) -> None:
    """Choose a view by its tab; the name in small letters."""
    page.views.bar.tabs[name].setChecked(True)
    settled(loop, page)


def name_it(loop: RunningLoop, page: Viewed, name: str) -> None:
    """Answer what a view is to be called."""
    (dialog,) = page.findChildren(NameDialog)
    dialog.field.setText(name)
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    loop.rest()
    settled(loop, page)


def open_menu(page: Viewed) -> QMenu:
    """The menu that is open."""
    (menu,) = [each for each in page.findChildren(QMenu) if each.isVisible()]
    return menu


def choose_in(loop: RunningLoop, page: Viewed, menu: QMenu, words: str) -> None:
    """Choose the entry of a menu that begins with these words."""
    (entry,) = [each for each in menu.actions() if each.text().startswith(words)]
    entry.trigger()
    menu.close()
    settled(loop, page)


def arrange_third(loop: RunningLoop, page: Viewed, kept: Callable[[], list[str]], called: str) -> None:
    """Move the third shipped view to the left, give it another name, delete it, and take that back; then bring the
    shipped ones back. `kept` gives the names that are kept, `called` is the other name."""
    first, second, third = kept()[:3]
    current = page.views.state
    view(loop, page, third.lower())
    page.views.bar.menu_asked.emit(page.mapToGlobal(QPoint(9, 9)))
    choose_in(loop, page, open_menu(page), "Move left")
    assert kept()[:3] == [first, third, second]
    page.views.rename()
    name_it(loop, page, called)
    assert (kept()[:3], current.current.name) == ([first, called, second], called)
    page.views.delete()
    settled(loop, page)
    assert (called in kept(), current.current.name) == (False, first)
    page.bar.act()
    settled(loop, page)
    assert (kept()[1], current.current.name) == (called, called)
    page.views.restore_defaults()
    settled(loop, page)
    assert kept()[-1] == third
