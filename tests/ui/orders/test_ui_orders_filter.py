"""The filter line and its chips: the text is the one truth; completion, problems and counts follow it."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from app.contract.facilities import FacilityReading
from app.desk.desk import Desk
from app.desk.filter.filter_completion import complete
from app.desk.filter.filter_pieces import split_list, with_piece
from app.desk.known.known_data import facility_lesson
from app.store.cache import known_values
from app.store.cache.schema.conditions import Clause
from app.ui.base.page import PageServices
from app.ui.orders.orders_page import OrdersPage
from app.ui.theme.tokens import RAIL_WIDTH, WINDOW_LEAST
from app.ui.widgets.choosing.chip_panel import ChipPanel
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import NOW, fill, idle, numbers, order, shown

TODAY = NOW.date()
SILENT = pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard", extend=True)


def know(loop: RunningLoop, desk: Desk, readings: list[FacilityReading]) -> None:
    """The provider has named these facilities."""
    lessons = [facility_lesson(each) for each in readings]
    loop.run(desk.cache.write(known_values.learn, desk.profile.id, lessons, sent=False))


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk) -> OrdersPage:
    made = OrdersPage(services)
    orders = [
        order(at, state=("STD", "DSO", "PLN")[at % 3], facility_id=f"F{at % 2}", requested_delivery=NOW)
        for at in range(1, 13)
    ]
    fill(loop, offline_desk, orders)
    show(made)
    shown(loop, made, offline_desk)
    return made


def put(loop: RunningLoop, page: OrdersPage, text: str) -> None:
    page.filter.setText(text)
    loop.until(lambda: idle(page))


def panel(loop: RunningLoop, page: OrdersPage) -> ChipPanel:
    loop.until(lambda: not page.tasks.running("values"))
    assert page.chips.panel is not None
    return page.chips.panel


def lines(found: ChipPanel) -> list[str]:
    return [found.list.item(at).text() for at in range(found.list.count())]


def ticked(found: ChipPanel) -> list[bool]:
    return [found.list.item(at).checkState() == Qt.CheckState.Checked for at in range(found.list.count())]


def tick(found: ChipPanel, starts: str) -> None:
    (at,) = [at for at, words in enumerate(lines(found)) if words.startswith(starts)]
    item = found.list.item(at)
    item.setCheckState(Qt.CheckState.Unchecked if item.checkState() == Qt.CheckState.Checked else Qt.CheckState.Checked)


def test_today_in_a_filter_follows_the_clock(
    loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk
) -> None:
    days = [NOW]
    page = OrdersPage(replace(services, now=lambda: days[0]))
    tomorrow = [order(at, requested_delivery=NOW + timedelta(days=1)) for at in (4, 5)]
    fill(loop, offline_desk, [*(order(at, requested_delivery=NOW) for at in (1, 2, 3)), *tomorrow])
    show(page)
    shown(loop, page, offline_desk)
    put(loop, page, "requested:today")
    assert sorted(numbers(page)) == [1, 2, 3]
    days[0] += timedelta(days=1)
    services.news.stored.emit()  # the next refresh, after midnight
    loop.until(lambda: idle(page) and sorted(numbers(page)) == [4, 5])


@pytest.mark.parametrize(
    ("before", "fields", "piece", "after"),
    [
        ("", ("state",), "status:dso", "status:dso"),
        ("rivera", ("state",), "status:dso", "status:dso rivera"),
        ("scheduled:today status:std x", ("state",), "status:dso", "scheduled:today status:dso x"),
        ("status:std late", ("state",), "", "late"),
        ('"two words" -status:std', ("state",), "status:pln", '"two words" status:pln'),
        ("status:nonsense", ("state",), "status:dso", "status:nonsense status:dso"),
    ],
)
def test_one_piece_is_replaced_and_the_others_stay_as_typed(
    before: str, fields: tuple[str, ...], piece: str, after: str
) -> None:
    assert with_piece(before, fields, piece, TODAY) == after


def test_the_list_is_split_from_the_rest_of_the_filter() -> None:
    assert split_list("list:open due:today rivera", TODAY) == ("list:open", "due:today rivera")
    assert split_list("late", TODAY) == ("", "late")


def test_a_filter_finds_by_its_right_pieces_and_names_the_wrong_ones(loop: RunningLoop, page: OrdersPage) -> None:
    put(loop, page, "status:dso")
    assert numbers(page) == [10, 7, 4, 1]
    put(loop, page, "status:dso -facility:F0")
    assert numbers(page) == [7, 1]
    put(loop, page, "status:dso statsu:dso")
    assert numbers(page) == [10, 7, 4, 1]
    QTest.keyClick(page.filter, Qt.Key.Key_Return)
    assert "No filter is called “statsu”" in page.line.problem.text()
    put(loop, page, "")
    assert page.line.problem.text() == ""


def test_no_problem_is_shown_at_the_cursor_while_one_types(loop: RunningLoop, page: OrdersPage) -> None:
    page.filter.setFocus()
    QTest.keyClicks(page.filter, "status:ds")
    assert page.line.problem.text() == ""
    QTest.keyClicks(page.filter, " rivera")
    assert "No status is called “ds”" in page.line.problem.text()
    loop.until(lambda: idle(page))


def test_a_step_that_is_typed_as_a_status_leads_to_its_filter(loop: RunningLoop, page: OrdersPage) -> None:
    page.filter.setFocus()
    QTest.keyClicks(page.filter, "memphis status:delivered")
    loop.until(lambda: idle(page) and page.loader.is_current)
    QTest.keyClick(page.filter, Qt.Key.Key_Return)
    assert "No status is called “delivered”. There are started," in page.line.problem.text()
    assert (page.side.key, page.filter.hasFocus()) == (None, True), "nothing is opened of what was not asked for"
    assert page.line.instead_button.isVisible()
    assert not page.more_found.isVisible(), "what is not understood finds nothing on other lists"
    page.line.instead_button.click()
    assert page.filter.text() == "memphis is:delivered"
    assert not page.line.instead_button.isVisible()
    page.line.set_text("status:gone")
    loop.until(lambda: idle(page))
    assert page.line.problem.isVisible()
    assert not page.line.instead_button.isVisible(), "nothing comes near"


def test_the_cross_clears_text_chips_and_pasted_orders(loop: RunningLoop, page: OrdersPage) -> None:
    whole = numbers(page)
    put(loop, page, "status:dso")
    page.state.pasted = Clause("number", ("4",))
    page._on_view()
    loop.until(lambda: idle(page) and numbers(page) == [4])
    assert page.chips.pasted_chip.isVisible()
    page.line.clear_button.click()
    loop.until(lambda: idle(page) and numbers(page) == whole)
    assert (page.filter.text(), page.chips.pasted_chip.isVisible()) == ("", False)
    assert not any(each.property("on") for each in page.chips.buttons.values())


def test_names_and_values_are_offered_as_one_types(loop: RunningLoop, page: OrdersPage) -> None:
    page.filter.setFocus()
    QTest.keyClicks(page.filter, "fac")
    completing = page.line._completion
    assert completing is not None
    loop.until(lambda: completing.list.shown_texts)
    assert completing.list.shown_texts[0] == "facility:, Facility"
    QTest.keyClick(page.filter, Qt.Key.Key_Down)
    QTest.keyClick(page.filter, Qt.Key.Key_Return)
    assert page.filter.text() == "facility:"
    loop.until(lambda: completing.list.shown_texts == ["F0, 6", "F1, 6"])
    QTest.keyClick(page.filter, Qt.Key.Key_Down)
    QTest.keyClick(page.filter, Qt.Key.Key_Down)
    QTest.keyClick(page.filter, Qt.Key.Key_Return)
    assert page.filter.text() == "facility:F1 "
    loop.until(lambda: idle(page) and numbers(page) == [11, 9, 7, 5, 3, 1])
    loop.until(lambda: not page.tasks.busy)


def test_a_chip_offers_values_with_counts_and_filters_at_once(loop: RunningLoop, page: OrdersPage) -> None:
    chips = page.chips
    chips.buttons["status"].click()
    found = panel(loop, page)
    loop.until(lambda: "Dispatched (DSO)  4" in lines(found))
    tick(found, "Dispatched")
    assert page.filter.text() == "status:dso"
    loop.until(lambda: idle(page) and numbers(page) == [10, 7, 4, 1])
    tick(found, "Planned")
    assert page.filter.text() == "status:dso,pln"
    loop.until(lambda: idle(page) and len(numbers(page)) == 8)
    assert chips.buttons["status"].accessibleName() == "Status: Dispatched (DSO) or Planned (PLN)"[:60]
    found.negated.setChecked(True)
    assert page.filter.text() == "-status:dso,pln"
    loop.until(lambda: idle(page) and numbers(page) == [12, 9, 6, 3])
    QTest.keyClick(found.list, Qt.Key.Key_Escape)
    assert chips.panel is None
    assert chips.buttons["status"].hasFocus()
    QTest.keyClick(chips.buttons["status"], Qt.Key.Key_Delete)
    assert page.filter.text() == ""
    loop.until(lambda: idle(page) and len(numbers(page)) == 12)


def test_values_are_counted_among_the_orders_asked_for_and_not_those_shown_before(
    loop: RunningLoop, page: OrdersPage
) -> None:
    page.filter.setText("status:dso")
    page.chips.open_chip("facility")  # before the rows have come
    assert lines(panel(loop, page)) == ["F0  2", "F1  2"]


@SILENT
def test_facilities_are_found_by_the_names_that_the_table_shows(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    readings = [FacilityReading("F0", "Memphis"), FacilityReading("F1", "f1")]
    know(loop, offline_desk, readings)
    page.chips.open_chip("facility")
    found = panel(loop, page)
    assert lines(found) == ["F0 Memphis  6", "F1  6"]
    found.sought.setText("memp")
    assert lines(found) == ["F0 Memphis  6"]
    QTest.keyClick(found.sought, Qt.Key.Key_Return)
    loop.until(lambda: idle(page) and page.filter.text() == "facility:F0")
    page.filter.clear()
    page.filter.setFocus()
    QTest.keyClicks(page.filter, "facility:mem")
    completing = page.line._completion
    assert completing is not None
    loop.until(lambda: completing.list.shown_texts == ["F0, Memphis · 6"])
    QTest.keyClick(page.filter, Qt.Key.Key_Down)
    QTest.keyClick(page.filter, Qt.Key.Key_Tab)
    assert page.filter.text() == "facility:F0 "
    loop.until(lambda: idle(page) and not page.tasks.busy and len(numbers(page)) == 6)


def test_a_facility_is_typed_by_its_name_and_its_chip_names_it(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    chip = page.chips.buttons["facility"]
    readings = [FacilityReading("F0", "Memphis North"), FacilityReading("F1", "Memphis"), FacilityReading("X", "F0")]
    know(loop, offline_desk, readings)
    for typed, rows, words in (
        ('facility:"memphis north"', [12, 10, 8, 6, 4, 2], "Facility: Memphis North (F0)"),
        ("facility:Memphis", [11, 9, 7, 5, 3, 1], "Facility: Memphis (F1)"),  # one is called just so
        ("facility:F0", [12, 10, 8, 6, 4, 2], "Facility: Memphis North (F0)"),  # a code is no name
        ("facility:nobody", [], "Facility: nobody"),
        ("-facility:Memphis status:dso", [10, 4], "Facility: not Memphis (F1)"),
        ('facility:"memphis n",Memphis status:dso', [10, 7, 4, 1], "Facility: Memphis North (F0) or Memphis (F1)"),
    ):
        put(loop, page, typed)
        assert (numbers(page), chip.accessibleName()) == (rows, words)
    page.chips.open_chip("facility")
    found = panel(loop, page)
    loop.until(lambda: all(ticked(found)) and len(ticked(found)) == 2)
    tick(found, "F1")
    loop.until(lambda: page.filter.text() == "facility:F0 status:dso")
    page.chips.close_panel()
    loop.until(lambda: idle(page) and numbers(page) == [10, 4])


def test_tab_takes_a_name_and_its_values_are_offered_next(loop: RunningLoop, page: OrdersPage) -> None:
    page.filter.setFocus()
    QTest.keyClicks(page.filter, "faci")
    completing = page.line._completion
    assert completing is not None
    loop.until(lambda: completing.list.shown_texts == ["facility:, Facility"])
    QTest.keyClick(page.filter, Qt.Key.Key_Down)
    QTest.keyClick(page.filter, Qt.Key.Key_Tab)
    assert (page.filter.text(), page.filter.hasFocus()) == ("facility:", True)
    loop.until(lambda: completing.list.shown_texts == ["F0, 6", "F1, 6"])
    loop.until(lambda: not page.tasks.busy)


@SILENT
def test_a_value_with_quotes_is_chosen_like_any_other(loop: RunningLoop, page: OrdersPage, offline_desk: Desk) -> None:
    brand = '32" TV, "big"'
    fill(loop, offline_desk, [order(40, brand=brand), order(41, brand="plain")])
    page.chips.open_chip("brand")
    tick(panel(loop, page), brand)
    loop.until(lambda: idle(page) and numbers(page) == [40])
    (found,) = complete("brand:3", 7, lambda _field: [(brand, 1)])
    put(loop, page, f"brand:{found.typed}")
    assert numbers(page) == [40]


def test_values_of_the_store_are_offered_and_found_by_typing(loop: RunningLoop, page: OrdersPage) -> None:
    QTest.keyClick(page.chips.buttons["facility"], Qt.Key.Key_Down)
    found = panel(loop, page)
    loop.until(lambda: lines(found) == ["F0  6", "F1  6"])
    found.sought.setText("1")
    assert lines(found) == ["F1  6"]
    QTest.keyClick(found.sought, Qt.Key.Key_Return)
    assert page.filter.text() == "facility:F1"
    loop.until(lambda: idle(page))


def test_days_are_chosen_or_typed_and_what_is_no_day_is_said(loop: RunningLoop, page: OrdersPage) -> None:
    page.chips.open_chip("requested")
    found = panel(loop, page)
    tick(found, "Today")
    assert page.filter.text() == "requested:today"
    loop.until(lambda: idle(page) and len(numbers(page)) == 12)
    tick(found, "Tomorrow")
    assert page.filter.text() == "requested:tomorrow"
    loop.until(lambda: idle(page) and "No order matches" in page.states.state_text)
    found.sought.setText("gestern")
    QTest.keyClick(found.sought, Qt.Key.Key_Return)
    assert "“gestern” is not a day" in found.note.text()
    assert page.filter.text() == "requested:tomorrow"
    found.sought.setText("-1..+1")
    QTest.keyClick(found.sought, Qt.Key.Key_Return)
    assert page.filter.text() == "requested:-1..+1"
    loop.until(lambda: idle(page) and len(numbers(page)) == 12)
    page.chips.close_panel()


@SILENT
def test_chips_without_room_are_in_a_menu_and_flags_are_switched(loop: RunningLoop, page: OrdersPage) -> None:
    chips = page.chips
    chips.more.click()
    (menu,) = [each for each in chips.findChildren(QMenu) if each.isVisible()]
    assert menu.activeAction() is menu.actions()[0]
    (watched,) = [each for each in menu.actions() if each.text() == "Watched"]
    watched.trigger()
    menu.close()
    assert page.filter.text() == "is:watched"
    assert chips.buttons["is:watched"].isVisible()
    assert page.window().focusWidget() is chips.buttons["is:watched"]
    loop.until(lambda: idle(page) and "No order here is watched" in page.states.state_text)
    chips.buttons["is:watched"].click()
    assert page.filter.text() == ""
    assert not chips.buttons["is:watched"].isVisible()
    loop.until(lambda: idle(page))


def test_selection_and_place_survive_a_filter_that_is_undone(loop: RunningLoop, page: OrdersPage) -> None:
    page.table.selectRow(2)
    loop.until(lambda: idle(page))
    assert page.side.key == 10
    put(loop, page, "status:dso")
    assert [each.row() for each in page.table.selectionModel().selectedRows()] == [0]
    put(loop, page, "")
    assert [each.row() for each in page.table.selectionModel().selectedRows()] == [2]


def test_from_the_field_of_a_chip_down_and_space_tick_what_was_found(loop: RunningLoop, page: OrdersPage) -> None:
    page.chips.open_chip("facility")
    panel = page.chips.panel
    assert panel is not None
    loop.until(lambda: panel.list.count() > 0)
    panel.sought.setFocus()
    QTest.keyClick(panel.sought, Qt.Key.Key_Down)
    assert panel.list.hasFocus()
    QTest.keyClick(panel.list, Qt.Key.Key_Space)
    loop.until(lambda: idle(page) and "facility:" in page.filter.text())
    panel.close_now()


def test_a_problem_fits_its_line_or_says_that_there_is_more(loop: RunningLoop, page: OrdersPage) -> None:
    """Its end was cut off without a sign at 200 %: "CAN (canc"."""
    page.resize(WINDOW_LEAST[0] - RAIL_WIDTH, WINDOW_LEAST[1])
    page.filter.setFocus()
    QTest.keyClicks(page.filter, "status:gone late ")
    label = page.line.problem
    loop.until(label.isVisible)
    loop.rest()
    assert label.text().endswith("cancelled.")
    assert label.fontMetrics().horizontalAdvance(label.text()) <= label.width()
    page.line.set_text(f"status:{'gone' * 60} late ")
    loop.until(lambda: label.text().endswith("…"))
    assert "cancelled." in label.toolTip()


def test_enter_waits_for_the_rows_of_another_list(loop: RunningLoop, page: OrdersPage) -> None:
    page.filter.setFocus()
    page.filter.setText("list:open,completed R-00005")
    QTest.keyClick(page.filter, Qt.Key.Key_Return)
    loop.until(lambda: idle(page) and page.side.key is not None)
    assert (page.side.key, numbers(page)) == (5, [5])


def test_a_reference_that_is_asked_for_opens_its_order_in_the_place_of_another(
    loop: RunningLoop, page: OrdersPage
) -> None:
    page.table.select_only(3)
    loop.until(lambda: idle(page) and page.side.key == 9)
    for _ in range(2):  # also where the line says so already
        page.show_reference("R-00005")
        loop.until(lambda: idle(page) and page.side.key == 5)
        assert numbers(page) == [5]
    page.show_reference("R-00099")
    loop.until(lambda: idle(page) and numbers(page) == [])
    assert page.side.key is None, "nothing is beside a list that has no row"


def test_of_a_reference_that_several_orders_have_none_is_opened(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    page.table.select_only(3)
    loop.until(lambda: idle(page) and page.side.key == 9)
    fill(loop, offline_desk, [order(at, crn="TWICE") for at in (21, 22)])
    page.show_reference("TWICE")
    loop.until(lambda: idle(page) and numbers(page) == [22, 21])
    assert page.side.key is None
    put(loop, page, "R-00005")
    assert page.side.key is None, "what is typed opens nothing"


def test_a_rule_that_is_asked_for_leaves_no_order_beside_its_list(loop: RunningLoop, page: OrdersPage) -> None:
    page.table.select_only(3)
    loop.until(lambda: idle(page) and page.side.key == 9)
    page.show_rule("overdue")
    assert page.side.key is None
    loop.until(lambda: idle(page))
    assert page.side.key is None
