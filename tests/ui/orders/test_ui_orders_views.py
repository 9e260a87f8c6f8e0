"""Views of orders: default views with live counts; views are saved, renamed, moved, deleted and restored.

Also what finds orders without a typed filter: pasted references, rules of attention, watched orders.
"""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSpinBox

from app.desk.connections.connection_choices import keep_choice
from app.desk.connections.saved_views import delete_view, last_view, load_views, save_view
from app.desk.desk import Desk
from app.desk.filter.order_views import ORDERS, SHIPPED
from app.store.cache import order_store as cache_store
from app.store.store_errors import StoreError
from app.ui.base.page import PageServices
from app.ui.orders.filter import attention_dialog, pasted_orders
from app.ui.orders.filter.attention_dialog import AttentionDialog
from app.ui.orders.filter.pasted_dialog import PastedDialog
from app.ui.orders.filter.pasted_orders import cells, words
from app.ui.orders.orders_page import OrdersPage
from app.ui.orders.table.arrangement import hidden
from app.ui.widgets.name_dialog import NameDialog
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import NOW, choose, fill, numbers, order, select, shown
from tests.ui.orders.views_help import arrange_third, choose_in, name_it, open_menu, settled, view

SILENT = pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard", extend=True)
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk) -> OrdersPage:
    made = OrdersPage(services)
    day = timedelta(days=1)
    orders = [order(at) for at in range(1, 9)]
    orders += [order(21, requested_delivery=NOW, is_received=True), order(22, scheduled_delivery=NOW - 3 * day)]
    fill(loop, offline_desk, orders)
    fill(loop, offline_desk, [order(50, delivered_at=NOW - day), order(51, delivered_at=NOW)], "completed")
    show(made)
    shown(loop, made, offline_desk)
    return made


def test_default_views_count_their_orders(loop: RunningLoop, page: OrdersPage) -> None:
    settled(loop, page)
    told = {name: each.accessibleName() for name, each in page.tabs.items()}
    assert told["open"] == "Open, 10 orders"
    assert told["completed"] == "Completed, 2 orders"
    assert told["due today"] == "Due today, 1 order"
    assert told["late"] == "Late, 1 order"
    assert told["needs attention"] == "Needs attention, 1 order"
    assert told["watched"] == "Watched, 0 orders"
    assert page.tabs["late"].text() == "Late 1"


def test_each_default_view_shows_its_orders_and_its_filter(loop: RunningLoop, page: OrdersPage) -> None:
    view(loop, page, "late")
    assert (numbers(page), page.filter.text()) == ([22], "late")
    view(loop, page, "due today")
    assert (numbers(page), page.filter.text()) == ([21], "due:today")
    view(loop, page, "completed")
    assert (numbers(page), page.filter.text()) == ([51, 50], "")
    view(loop, page, "open")
    assert len(numbers(page)) == 10


def lateness(page: OrdersPage) -> list[str]:
    place = [each.name for each in page.model.columns].index("late")
    return [str(page.model.index(row, place).data() or "") for row in range(page.model.rowCount())]


def click_header(loop: RunningLoop, page: OrdersPage, name: str) -> None:
    """Click a column's title, as a person does."""
    header = page.table.horizontalHeader()
    place = [each.name for each in page.model.columns].index(name)
    page.table.scrollTo(page.model.index(0, place))
    at = QPoint(header.sectionViewportPosition(place) + header.sectionSize(place) // 2, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
    settled(loop, page)


def test_the_first_click_sorts_the_most_urgent_first_and_blanks_stay_last(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    day = timedelta(days=1)
    fill(loop, offline_desk, [order(23, scheduled_delivery=NOW - 9 * day), order(24, scheduled_delivery=NOW + 2 * day)])
    page.reload()
    settled(loop, page)
    click_header(loop, page, "late")
    assert (numbers(page)[:2], lateness(page)[:3]) == ([23, 22], ["9 days", "3 days", ""])
    click_header(loop, page, "late")
    assert (numbers(page)[:2], lateness(page)[:3]) == ([22, 23], ["3 days", "9 days", ""])
    click_header(loop, page, "scheduled_delivery")
    assert numbers(page)[:3] == [23, 22, 24]
    click_header(loop, page, "scheduled_delivery")
    assert numbers(page)[:3] == [24, 22, 23]
    header = page.table.horizontalHeader()
    assert header.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder


def test_another_view_begins_at_its_first_column(loop: RunningLoop, page: OrdersPage) -> None:
    page.window().resize(700, 500)
    settled(loop, page)
    bar = page.table.horizontalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    view(loop, page, "completed")
    assert bar.value() == 0


@SILENT
def test_alt_v_opens_the_menu_of_views_with_the_current_one_highlighted(loop: RunningLoop, page: OrdersPage) -> None:
    view(loop, page, "due today")
    page.filter.setText("due:today memphis")
    settled(loop, page)
    QTest.keyClick(page, Qt.Key.Key_V, Qt.KeyboardModifier.AltModifier)
    menu = open_menu(page)
    active = menu.activeAction()
    assert active is not None
    assert (active.text(), active.isChecked()) == ("Due today", True)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    settled(loop, page)
    assert page.filter.text() == "due:today memphis", "the view is shown already: nothing is put back"
    QTest.keyClick(page, Qt.Key.Key_V, Qt.KeyboardModifier.AltModifier)
    menu = open_menu(page)
    QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    settled(loop, page)
    assert page.views.state.current.name == "Late"


def test_keys_go_from_view_to_view(loop: RunningLoop, page: OrdersPage) -> None:
    for key, name in ((Qt.Key.Key_PageDown, "Completed"), (Qt.Key.Key_PageUp, "Open"), (Qt.Key.Key_PageUp, "Watched")):
        QTest.keyClick(page, key, CTRL)
        assert page.views.state.current.name == name
    settled(loop, page)


def test_a_view_is_saved_with_filter_sorting_and_columns(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk, services: PageServices, show: Show
) -> None:
    page.filter.setText("due:today..+1")
    page.sort_by("city")
    page.columns.put(hidden(page.state.columns, "zip"))
    settled(loop, page)
    page.views.save_new()
    name_it(loop, page, "Mine")
    kept = loop.run(load_views(offline_desk, ORDERS))[-1]
    assert (kept.name, kept.filter, kept.sort, kept.descending) == ("Mine", "list:open due:today..+1", "city", False)
    assert "zip" not in kept.columns
    assert page.views.state.current.name == "Mine"
    again = OrdersPage(services)
    show(again)
    shown(loop, again, offline_desk)
    view(loop, again, "mine")
    assert (again.filter.text(), again.query.sort) == ("due:today..+1", "city")
    assert "zip" not in [each.name for each in again.model.columns]
    assert numbers(again) == [21]


def test_a_changed_view_is_marked_and_is_saved_or_reset(loop: RunningLoop, page: OrdersPage) -> None:
    view(loop, page, "late")
    assert "*" not in page.tabs["late"].text()
    page.filter.setText("late:9")
    settled(loop, page)
    assert page.tabs["late"].text().startswith("Late*")
    page.views.reset()
    settled(loop, page)
    assert page.filter.text() == "late"
    page.filter.setText("late:2")
    page.views.update()
    settled(loop, page)
    assert "*" not in page.tabs["late"].text()
    view(loop, page, "open")
    view(loop, page, "late")
    assert page.filter.text() == "late:2"


def test_a_view_saved_with_its_columns_is_not_marked_as_changed_when_it_is_chosen(
    loop: RunningLoop, page: OrdersPage
) -> None:
    view(loop, page, "completed")
    page.views.update()
    settled(loop, page)
    assert page.state.current.columns
    view(loop, page, "open")
    view(loop, page, "completed")
    assert "*" not in page.tabs["completed"].text()
    page.columns.put(hidden(page.state.columns, "city"))
    settled(loop, page)
    assert "*" in page.tabs["completed"].text()


def test_a_name_that_cannot_be_used_is_refused_while_it_is_typed(loop: RunningLoop, page: OrdersPage) -> None:
    page.views.save_new()
    (dialog,) = page.findChildren(NameDialog)
    dialog.field.setText("late")
    assert "There is a view called" in dialog.problem.text()
    assert not dialog.save.isEnabled()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    loop.rest()


@SILENT
def test_views_are_renamed_moved_deleted_and_restored(loop: RunningLoop, page: OrdersPage, offline_desk: Desk) -> None:
    def names() -> list[str]:
        return [each.name for each in loop.run(load_views(offline_desk, ORDERS))]

    arrange_third(loop, page, names, "Today")


@SILENT
def test_views_without_room_are_in_a_menu_and_the_current_one_never_is(loop: RunningLoop, page: OrdersPage) -> None:
    page.resize(900, 600)
    loop.until(page.views.bar.more.isVisible)
    assert page.tabs["watched"].isHidden()
    page.views.bar.more.click()
    menu = open_menu(page)
    assert menu.activeAction() is menu.actions()[0]
    choose_in(loop, page, menu, "Watched")
    loop.until(page.tabs["watched"].isVisible)
    assert page.views.state.current.name == "Watched"
    assert page.window().focusWidget() is page.tabs["watched"]


@SILENT
def test_the_menu_of_views_holds_none_that_came_into_view_just_before(loop: RunningLoop, page: OrdersPage) -> None:
    page.resize(900, 600)
    bar = page.views.bar
    loop.until(bar.more.isVisible)
    for each in bar.tabs.values():  # as after a choice, until the bar has been laid out anew
        each.show()
    bar.more.click()
    menu = open_menu(page)
    assert [each.text() for each in menu.actions()] == [each.text() for each in bar.tabs.values() if each.isHidden()]
    assert page.tabs["watched"].isHidden(), "the bar was laid out before the menu was made"
    menu.close()
    page.resize(1_900, 600)
    bar.more.show()
    bar.more.click()
    assert not bar.more.isVisible(), "there is room for all of them, so there is no menu"
    loop.rest()


def test_rules_of_attention_are_switched_and_limited_and_counts_follow(loop: RunningLoop, page: OrdersPage) -> None:
    settled(loop, page)
    page.open_rules()
    loop.until(lambda: page.findChildren(AttentionDialog))
    (dialog,) = page.findChildren(AttentionDialog)
    assert "Due 1 day ago or more, and not delivered." in dialog.sentences["overdue"].text()
    limit = dialog.limits["overdue"]
    assert isinstance(limit, QSpinBox)
    limit.setValue(9)
    assert "Due 9 days ago or more" in dialog.sentences["overdue"].text()
    settled(loop, page)
    assert page.tabs["needs attention"].accessibleName() == "Needs attention, 0 orders"
    limit.setValue(2)
    settled(loop, page)
    assert page.tabs["needs attention"].accessibleName() == "Needs attention, 1 order"
    dialog.switches["overdue"].setChecked(False)
    settled(loop, page)
    assert page.tabs["needs attention"].accessibleName() == "Needs attention, 0 orders"
    assert not limit.isEnabled()
    dialog.accept()
    loop.rest()


def test_pasted_text_is_split_into_cells_and_words() -> None:
    assert cells('A-1\r\nSO 4512\t"A-3", A-4;A-1\nA-1\n') == ["A-1", "SO 4512", '"A-3", A-4;A-1']
    assert words('"A-3", A-4;A-1') == ["A-3", "A-4", "A-1"]


def test_pasted_orders_become_a_filter_and_unknown_texts_are_listed(loop: RunningLoop, page: OrdersPage) -> None:
    QTest.keyClick(page, Qt.Key.Key_V, CTRL | Qt.KeyboardModifier.ShiftModifier)
    (dialog,) = page.findChildren(PastedDialog)
    dialog.text.setPlainText("R-00003\n7\nR-00050\nNOBODY\n99999")
    dialog._on_show()
    settled(loop, page)
    assert dialog.summary.text() == "3 of 5 found. Not found:"
    assert dialog.missing.toPlainText().split() == ["NOBODY", "99999"]
    assert sorted(numbers(page)) == [3, 7, 50]
    dialog.accept()
    page.filter.clear()
    settled(loop, page)
    assert len(numbers(page)) == 10


def test_references_with_blanks_are_found_whole_and_counted_as_they_were_pasted(
    loop: RunningLoop, page: OrdersPage
) -> None:
    fill(loop, page.desk, [order(61, crn="SO 4512"), order(62, crn='12" pipe, "new"')])
    page.open_pasted()
    (dialog,) = page.findChildren(PastedDialog)
    dialog.text.setPlainText('SO 4512\n12" pipe, "new"\nR-00003, R-00004\nSO 9999\nR-00005 R-99999')
    loop.until(dialog.isActiveWindow)
    QTest.keyClick(dialog.text, Qt.Key.Key_Return, CTRL)
    loop.until(lambda: dialog.summary.text() != "")
    settled(loop, page)
    assert dialog.summary.text() == "5 of 7 found. Not found:"
    assert dialog.missing.toPlainText().split("\n") == ["SO 9999", "R-99999"]
    assert sorted(numbers(page)) == [3, 4, 5, 61, 62]


def test_closing_the_paste_dialog_ends_its_search(
    loop: RunningLoop, page: OrdersPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = asyncio.Event()

    async def slow(_desk: Desk, _cells: list[str]) -> None:
        await gate.wait()

    monkeypatch.setattr(pasted_orders, "match_pasted", slow)
    page.open_pasted()
    (dialog,) = page.findChildren(PastedDialog)
    dialog.text.setPlainText("R-00003")
    dialog._on_show()
    dialog.reject()
    loop.until(lambda: not page.findChildren(PastedDialog))
    assert not page.tasks.running("pasted")
    gate.set()


def test_a_rule_that_cannot_be_saved_is_told_also_after_the_dialog_is_closed(
    loop: RunningLoop, page: OrdersPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = asyncio.Event()

    async def refused(_desk: Desk, _rule: object) -> None:
        await gate.wait()
        raise StoreError("The disk is full.")

    monkeypatch.setattr(attention_dialog, "save_rule", refused)
    page.open_rules()
    loop.until(lambda: bool(page.findChildren(AttentionDialog)))
    (dialog,) = page.findChildren(AttentionDialog)
    dialog.switches["overdue"].click()
    dialog.reject()
    loop.until(lambda: not page.findChildren(AttentionDialog))
    gate.set()
    loop.until(lambda: page.bar.text != "")
    assert page.bar.text == "The rules were not saved. The disk is full."


def test_pasted_orders_too_many_for_the_line_have_a_chip(loop: RunningLoop, page: OrdersPage) -> None:
    page.open_pasted()
    (dialog,) = page.findChildren(PastedDialog)
    known = [f"R-{at:05}" for at in range(1, 9)]
    dialog.text.setPlainText("\n".join([*known, *(f"{'X' * 40}{at}" for at in range(3))]))
    dialog._on_show()
    settled(loop, page)
    assert page.filter.text().startswith("list:open,completed,other reference:")
    dialog.accept()
    fill(loop, page.desk, [order(at) for at in range(1_000, 1_400)])
    page.open_pasted()
    dialog = page.findChildren(PastedDialog)[-1]
    dialog.text.setPlainText("\n".join(f"R-{at:05}" for at in range(1_000, 1_400)))
    dialog._on_show()
    settled(loop, page)
    assert page.filter.text() == ""
    assert page.chips.pasted_chip.text() == "Pasted: 400 ×"
    loop.until(lambda: page.model.rowCount() == 400)
    page.filter.setText("R-0139")
    settled(loop, page)
    assert len(numbers(page)) == 10
    page.filter.clear()
    page.chips.pasted_chip.click()
    settled(loop, page)
    assert page.model.rowCount() == 410
    assert page.chips.pasted_chip.isHidden()


# What was seen, and what is watched


def test_a_changed_order_is_marked_until_it_is_looked_at(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    changed = [order(3, state="DSO"), order(5, city="Elsewhere")]
    loop.run(offline_desk.cache.write(cache_store.store_orders, offline_desk.profile.id, "open", changed, NOW))
    page.reload()
    settled(loop, page)

    def marks() -> list[int]:
        return [line.number or 0 for _, line in page.model.loaded_rows() if getattr(line, "changed", "")]

    assert sorted(marks()) == [3, 5]
    at = page.model.row_of(3)
    assert at is not None
    index = page.model.index(at, 0)
    assert "Changed since you last looked: Status" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert "Changed since you last looked" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    choose(loop, page, 3)
    loop.until(lambda: marks() == [5])
    settled(loop, page)  # the row shows it before the store has it
    page.filter.setText("is:changed")
    settled(loop, page)
    assert numbers(page) == [5]
    page.filter.clear()
    settled(loop, page)
    select(page, 5)
    page.row_actions.mark_seen()
    loop.until(lambda: marks() == [])
    page.reload()
    settled(loop, page)
    assert marks() == []


def test_watched_orders_are_listed_and_their_changes_told_once(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    select(page, 3, 5)
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_B, CTRL)
    loop.until(lambda: "2 orders are watched." in page.bar.text)
    view(loop, page, "watched")
    assert sorted(numbers(page)) == [3, 5]
    page.watch_list.tell_changes()
    settled(loop, page)
    assert "changed" not in page.bar.text
    loop.run(
        offline_desk.cache.write(
            cache_store.store_orders, offline_desk.profile.id, "open", [order(5, state="DSO")], NOW
        )
    )
    page.watch_list.tell_changes()
    loop.until(lambda: "A watched order has changed. R-00005: ▶ DSO Dispatched." in page.bar.text)
    shown: list[int] = []
    page.services.news.show_order.connect(shown.append)
    page.bar.act()
    assert shown == [5], "on whatever page one is"
    page.bar.clear()
    page.watch_list.tell_changes()
    settled(loop, page)
    assert page.bar.text == ""
    select(page, 3, 5)
    page.row_actions.watch()
    loop.until(lambda: "2 orders are not watched any more." in page.bar.text)
    settled(loop, page)
    assert page.watch_list.numbers == frozenset()


def test_every_default_view_can_be_shown(loop: RunningLoop, page: OrdersPage) -> None:
    for each in SHIPPED:
        view(loop, page, each.name.casefold())
        assert page.views.state.current.name == each.name
        assert page.line.problem.text() == ""


# The one that was shown last


def test_the_page_opens_with_the_view_that_was_shown_last(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk, services: PageServices, show: Show
) -> None:
    view(loop, page, "late")
    page.columns.put(hidden(page.state.columns, "city"))
    settled(loop, page)
    again = OrdersPage(services)
    show(again)
    shown(loop, again, offline_desk)
    loop.until(lambda: numbers(again) == [22])
    assert again.views.state.current.name == "Late"
    assert again.tabs["late"].isChecked()
    assert again.filter.text() == "late"
    assert again.query.sort == "late"
    assert "city" not in [each.name for each in again.model.columns]


def test_the_last_of_several_chosen_views_is_saved_under_its_name(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    for name in ("Completed", "Late", "Watched"):
        page.views.choose(name)
    settled(loop, page)
    assert loop.run(last_view(offline_desk, ORDERS)) == "Watched"
    page.views.rename()
    name_it(loop, page, "Mine to see")
    assert loop.run(last_view(offline_desk, ORDERS)) == "Mine to see"
    page.views.delete()
    settled(loop, page)
    assert loop.run(last_view(offline_desk, ORDERS)) == "Open"


def test_the_view_that_was_asked_about_is_renamed_whatever_is_shown_by_then(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    def names() -> list[str]:
        return [each.name for each in loop.run(load_views(offline_desk, ORDERS))]

    before = names()
    page.views.choose("Late")
    settled(loop, page)
    page.views.rename()
    page.views.choose("Watched")
    settled(loop, page)
    name_it(loop, page, "Behind")
    assert names() == ["Behind" if each == "Late" else each for each in before]


def test_a_view_deleted_or_a_name_taken_while_its_name_is_typed_is_said(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    page.views.choose("Late")
    settled(loop, page)
    page.views.rename()
    loop.run(save_view(offline_desk, ORDERS, replace(page.views.state.current, name="Behind")))
    name_it(loop, page, "Behind")
    assert page.bar.text == "The views were not changed. There is a view called “Behind” already."
    page.views.rename()
    loop.run(delete_view(offline_desk, ORDERS, "Late"))
    name_it(loop, page, "Not in time")
    assert page.bar.text == "The view “Late” is deleted, so it was not renamed."


def test_a_last_view_that_is_gone_or_cannot_be_read_is_passed_over(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk, services: PageServices, show: Show
) -> None:
    for kept in ("no such view", 7):
        loop.run(keep_choice(offline_desk, f"{ORDERS.choice}.last", kept))
        again = OrdersPage(services)
        show(again)
        shown(loop, again, offline_desk)
        assert again.views.state.current.name == "Open"


def test_a_chosen_view_that_cannot_be_saved_is_told(
    loop: RunningLoop, page: OrdersPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_what: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr("app.ui.views.views_controller.keep_last_view", full)
    view(loop, page, "late")
    assert page.bar.text == "The chosen view was not saved. The disk is full."
