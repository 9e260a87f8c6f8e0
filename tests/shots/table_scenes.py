"""The table of orders: filtered and viewed in each way, all its columns, the bars above it, the palette."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

from PySide6.QtCore import QPoint, Qt

from app.contract.codes import ORDER_STATE_WORDS
from app.store.cache import order_store
from app.store.cache.order_rows import OrderFacts
from app.ui.orders.actions.results_dialog import ResultsDialog
from app.ui.orders.filter.attention_dialog import AttentionDialog
from app.ui.orders.filter.pasted_dialog import PastedDialog
from app.ui.orders.table.arrangement import default_arrangement, shown
from app.ui.orders.table.column_list import ALL_COLUMNS
from app.ui.orders.table.columns_dialog import ColumnsDialog
from app.ui.widgets.name_dialog import NameDialog
from tests.shots.data import NOW, PRACTICE, facts_of_number
from tests.shots.stage import Stage

Scene = Callable[[Stage], Awaitable[None]]


def _changed(number: int, days: int, state: str) -> OrderFacts:
    """An order of the open list that says something else by now: scheduled, and further on."""
    known = facts_of_number(number, completed=False)
    word = ORDER_STATE_WORDS[state]
    raw = known.raw.replace(f'"StatusId": "{known.state}"', f'"StatusId": "{state}"')
    return replace(known, raw=raw, state=state, status=word, scheduled_delivery=NOW + timedelta(days=days))


async def table_full(stage: Stage) -> None:
    """Changed orders are marked, and late ones say by how many days."""
    await stage.use_full_desk()
    stage.shell.go("orders")
    page = stage.shell.orders
    changed = [_changed(771_000 + at, days, ("DSO", "PLN", "AVL")[at % 3]) for at, days in _SCHEDULED.items()]
    desk = page.desk
    await desk.cache.write(order_store.store_orders, PRACTICE, "open", changed, NOW + timedelta(seconds=5))
    page.filter.clear()
    page.columns.reset()
    stage.shell.services.news.stored.emit()


_SCHEDULED = {0: -4, 1: 0, 2: 1, 60: -1, 61: 3, 120: -12, 121: 2, 180: 0, 240: 6, 300: 1, 1080: -2, 1140: 5, 1200: 4}


async def table_matches_marked(stage: Stage) -> None:
    """A search by a phone number that no column shows, and the state and reference of a table scrolled sideways."""
    page = stage.shell.orders
    page.filter.setText("rivera 901-555")
    await stage.settle()
    page.table.horizontalScrollBar().setValue(260)


async def table_several_selected(stage: Stage) -> None:
    page = stage.shell.orders
    page.filter.clear()
    await stage.settle()
    page.table.horizontalScrollBar().setValue(0)
    page.side.close()
    page.table.select_keys([771_060, 771_061, 771_120, 771_180], None)


async def table_late(stage: Stage) -> None:
    stage.shell.orders.views.choose("Late")


async def table_attention_rules(stage: Stage) -> None:
    page = stage.shell.orders
    page.views.choose("Needs attention")
    page.open_rules()
    await stage.settle()
    (stage.dialog,) = page.findChildren(AttentionDialog)


async def table_filtered_by_chips(stage: Stage) -> None:
    page = stage.shell.orders
    page.views.choose("Open")
    page.line.set_text("status:dso,pln -facility:MEM01 requested:-30..+30 is:changed")


async def table_chip_open(stage: Stage) -> None:
    page = stage.shell.orders
    page.line.set_text("status:dso")
    await stage.settle()
    stage.click(page.chips.buttons["status"])
    await stage.settle()


async def table_chip_of_days(stage: Stage) -> None:
    """One whose lines are there at once, and stay as they were laid out then."""
    stage.press(Qt.Key.Key_Escape)
    await stage.settle()
    stage.click(stage.shell.orders.chips.buttons["scheduled"])
    await stage.settle()


async def table_filter_not_understood(stage: Stage) -> None:
    page = stage.shell.orders
    page.chips.close_panel()
    page.line.set_text("status:gone late memphis")


async def table_completion(stage: Stage) -> None:
    page = stage.shell.orders
    page.filter.clear()
    stage.shell.window.activateWindow()
    await stage.settle()
    page.filter.setFocus()
    page.filter.setText("facility:")
    await stage.settle()


async def table_filtered_to_nothing(stage: Stage) -> None:
    page = stage.shell.orders
    page.table.setFocus()
    page.line.set_text("status:can facility:MEM01 nobody")


async def table_all_columns(stage: Stage) -> None:
    page = stage.shell.orders
    page.line.set_text("")
    page.columns.put(default_arrangement([each.name for each in ALL_COLUMNS]))


async def table_all_columns_two(stage: Stage) -> None:
    _scroll_columns(stage, 1)


async def table_all_columns_three(stage: Stage) -> None:
    _scroll_columns(stage, 2)


async def table_all_columns_four(stage: Stage) -> None:
    _scroll_columns(stage, 3)


async def table_all_columns_five(stage: Stage) -> None:
    _scroll_columns(stage, 4)


def _scroll_columns(stage: Stage, screen: int) -> None:
    """One screen after the other, of five."""
    bar = stage.shell.orders.table.horizontalScrollBar()
    bar.setValue(bar.maximum() * screen // 4)


async def table_columns(stage: Stage) -> None:
    page = stage.shell.orders
    page.columns.reset()
    stage.press(Qt.Key.Key_F8)
    await stage.settle()
    (stage.dialog,) = page.findChildren(ColumnsDialog)


async def table_columns_found(stage: Stage) -> None:
    """The list of columns, looked through."""
    page = stage.shell.orders
    page.columns.put(shown(page.state.columns, "carrier_phone"))
    page.columns.open_dialog()
    (dialog,) = page.findChildren(ColumnsDialog)
    dialog.sought.setText("phone")
    stage.dialog = dialog


async def table_sorted_for_the_first_time(stage: Stage) -> None:
    """As it stands for a while where there are a million orders."""
    page = stage.shell.orders
    page.columns.reset()
    page.sort_by("carrier_phone")
    await stage.settle()
    page._on_preparing(340_000, 1_000_000)
    page._say_sorting()


async def table_right_to_left(stage: Stage) -> None:
    page = stage.shell.orders
    page._on_preparing(0, 0)
    page.views.reset()
    page.line.set_text("dearborn")


async def table_long_names(stage: Stage) -> None:
    stage.shell.orders.line.set_text("cucamonga")


async def table_selected_many(stage: Stage) -> None:
    page = stage.shell.orders
    page.line.set_text("")
    await stage.settle()
    page.table.setFocus()
    page.table.selectRow(1)
    selection = page.table.selectionModel().selection()
    selection.select(page.model.index(3, 0), page.model.index(7, page.model.columnCount() - 1))
    page.table.selectionModel().select(selection, page.table.selectionModel().SelectionFlag.Select)
    page.bar.say("", "Copied 6 rows as a table.")


async def table_results(stage: Stage) -> None:
    page = stage.shell.orders
    page.bar.clear()
    dialog = ResultsDialog(page, page.services.theme, "Status of orders", 6, lambda: None)
    dialog.add("CRN-21002", "good", "The provider says: Received.")
    dialog.add("CRN-21003", "warn", "The provider has no order with reference CRN-21003.")
    dialog.add("CRN-21004", "good", "The provider says: Out for delivery.")
    dialog.add("CRN-21005", "bad", "The provider could not be reached: nothing answered within 30 seconds.")
    dialog.show()
    stage.dialog = dialog


async def table_pasted(stage: Stage) -> None:
    page = stage.shell.orders
    page.open_pasted()
    (dialog,) = page.findChildren(PastedDialog)
    dialog.text.setPlainText("CRN-21002\nCRN-21003\n771004\nCRN-99\nA-17")
    dialog._on_show()
    stage.dialog = dialog


async def table_save_view(stage: Stage) -> None:
    page = stage.shell.orders
    page.line.set_text("facility:MEM01 late")
    page.views.save_new()
    (dialog,) = page.findChildren(NameDialog)
    dialog.field.setText("late")
    stage.dialog = dialog


async def palette_empty(stage: Stage) -> None:
    stage.shell.orders.line.set_text("")
    stage.open_palette()


async def palette_order(stage: Stage) -> None:
    stage.open_palette("rivera")


async def palette_number(stage: Stage) -> None:
    stage.open_palette("771002")


async def table_menu(stage: Stage) -> None:
    """The menu of a row, put beside it as a person would see it."""
    stage.close_palette()
    page = stage.shell.orders
    page.table.setFocus(Qt.FocusReason.OtherFocusReason)
    page.table.selectRow(2)
    page.row_actions.open_menu(page.table.viewport().mapToGlobal(QPoint(260, 90)), "consignee_name")


TABLE_SCENES: tuple[Scene, ...] = (
    table_full,
    table_late,
    table_attention_rules,
    table_matches_marked,
    table_several_selected,
    table_filtered_by_chips,
    table_chip_open,
    table_chip_of_days,
    table_filter_not_understood,
    table_completion,
    table_filtered_to_nothing,
    table_all_columns,
    table_all_columns_two,
    table_all_columns_three,
    table_all_columns_four,
    table_all_columns_five,
    table_columns,
    table_columns_found,
    table_sorted_for_the_first_time,
    table_right_to_left,
    table_long_names,
    table_selected_many,
    table_results,
    table_pasted,
    table_save_view,
    palette_empty,
    palette_order,
    palette_number,
    table_menu,
)
