"""The orders table's model: pages near the screen, each asked for once, always of one query."""

from collections.abc import Sequence
from datetime import datetime

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from app.desk.sending.outstanding_orders import OutboxLine
from app.store.cache.order_rows import OrderLine
from app.store.journal.records import WriteRow
from app.ui.orders.table import column_list
from app.ui.orders.table.column_list import BY_NAME
from app.ui.orders.table.orders_model import OrdersModel
from app.ui.widgets.lists.loaded_pages import PAGE

OPEN_COLUMNS = tuple(BY_NAME[name] for name in column_list.OPEN_COLUMNS)
COMPLETED_COLUMNS = tuple(BY_NAME[name] for name in column_list.COMPLETED_COLUMNS)
pytestmark = pytest.mark.usefixtures("qapp")
COUNT = PAGE * 45 + 17


def line(number: int, **more: object) -> OrderLine:
    fields: dict[str, object] = dict.fromkeys(OrderLine._fields, None)
    return OrderLine(**fields | {"number": number, "crn": f"R-{number}", "list": "open"} | more)  # type: ignore[arg-type]


def page(number: int, count: int = COUNT) -> Sequence[OrderLine]:
    return [line(at) for at in range(number * PAGE, min((number + 1) * PAGE, count))]


class Asked:
    """The pages a model asked for."""

    def __init__(self, model: OrdersModel) -> None:
        self.pages: list[int] = []
        model.wanted.connect(self.pages.append)


@pytest.fixture
def model() -> OrdersModel:
    made = OrdersModel(OPEN_COLUMNS)
    made.replace(OPEN_COLUMNS, COUNT, {0: page(0)})
    return made


@pytest.fixture
def asked(model: OrdersModel) -> Asked:
    return Asked(model)


def reference(model: OrdersModel, row: int) -> str:
    return str(model.index(row, 1).data())


def test_a_column_that_is_gone_has_no_title(model: OrdersModel) -> None:
    """A screen reader asks for the titles that it has found, also when another view has fewer columns by then."""
    model.show_columns(OPEN_COLUMNS[:2])
    for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.TextAlignmentRole):
        assert model.headerData(2, Qt.Orientation.Horizontal, role) is None
        assert model.headerData(1, Qt.Orientation.Horizontal, role) is not None


def test_it_knows_the_count_and_holds_the_first_page(model: OrdersModel, asked: Asked) -> None:
    assert (model.rowCount(), model.columnCount()) == (COUNT, len(OPEN_COLUMNS))
    assert [reference(model, row) for row in (0, PAGE - 1)] == ["R-0", f"R-{PAGE - 1}"]
    assert asked.pages == []


def test_a_page_is_asked_for_once_and_painted_empty_until_it_comes(model: OrdersModel, asked: Asked) -> None:
    for _ in range(3):
        for row in range(PAGE * 3, PAGE * 3 + 30):
            assert reference(model, row) == ""
            assert model.line(row) is None
    assert asked.pages == [3]
    changed: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row())))
    model.put(3, page(3))
    assert changed == [(PAGE * 3, PAGE * 4 - 1)]
    assert reference(model, PAGE * 3 + 5) == f"R-{PAGE * 3 + 5}"
    assert asked.pages == [3]


def test_the_last_page_is_shorter(model: OrdersModel, asked: Asked) -> None:
    assert reference(model, COUNT - 1) == ""
    model.put(45, page(45))
    assert reference(model, COUNT - 1) == f"R-{COUNT - 1}"
    assert asked.pages == [45]


def test_the_rest_of_a_page_leaves_its_first_rows_unpainted(model: OrdersModel, asked: Asked) -> None:
    model.replace(OPEN_COLUMNS, COUNT, {0: page(0)[:30]})
    assert model.line(30) is None
    assert asked.pages == [], "it comes without being asked for"
    changed: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row())))
    model.put(0, page(0))
    assert changed == [(30, PAGE - 1)]
    model.put(0, [line(at, city="Reno") for at in range(PAGE)])
    assert changed[1:] == [(0, PAGE - 1)], "unless it is another"


def test_a_late_page_of_an_older_query_is_dropped(model: OrdersModel, asked: Asked) -> None:
    reference(model, PAGE * 2)
    model.replace(OPEN_COLUMNS, COUNT, {0: page(0)})
    model.put(2, [line(999_999)] * PAGE)
    assert reference(model, PAGE * 2) == ""
    assert asked.pages == [2, 2], "it is asked for anew"


def test_a_page_that_nobody_asked_for_is_dropped(model: OrdersModel) -> None:
    model.put(7, page(7))
    assert model.row_of(PAGE * 7) is None


def test_the_same_shape_with_other_contents_keeps_the_view_s_place(model: OrdersModel) -> None:
    resets: list[int] = []
    model.modelReset.connect(lambda: resets.append(1))
    place = QPersistentModelIndex(model.index(5, 1))
    model.replace(OPEN_COLUMNS, COUNT, {0: [line(at, crn=f"NEW-{at}") for at in range(PAGE)]})
    assert resets == []
    assert place.isValid()
    assert place.data() == "NEW-5"
    model.replace(OPEN_COLUMNS, COUNT - 1, {0: page(0)})
    model.replace(COMPLETED_COLUMNS, COUNT - 1, {0: page(0)})
    assert resets == [1, 1]


def test_only_so_many_pages_are_held_and_those_looked_at_stay(model: OrdersModel, asked: Asked) -> None:
    for number in range(1, 45):
        model.line(number * PAGE)
        model.put(number, page(number))
        model.line(0)
    assert len(model.pages) == 40
    assert reference(model, 0) == "R-0"
    dropped = next(number for number in range(1, 45) if number not in model.pages)
    asked.pages.clear()
    assert model.line(dropped * PAGE) is None
    assert asked.pages == [dropped], "one that was let go is asked for again"


def test_an_order_is_found_among_the_loaded_rows(model: OrdersModel) -> None:
    model.line(PAGE * 4)
    model.put(4, page(4))
    assert model.row_of(PAGE * 4 + 3) == PAGE * 4 + 3
    assert model.row_of(PAGE * 9) is None


def test_headers_and_alignment_come_from_the_columns(model: OrdersModel) -> None:
    titles = [model.headerData(at, Qt.Orientation.Horizontal) for at in range(model.columnCount())]
    assert titles == [each.title for each in OPEN_COLUMNS]
    number = titles.index("Number")
    side = model.index(0, number).data(Qt.ItemDataRole.TextAlignmentRole)
    assert Qt.AlignmentFlag(side) & Qt.AlignmentFlag.AlignRight
    head = model.headerData(number, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
    assert Qt.AlignmentFlag(head) & Qt.AlignmentFlag.AlignRight
    assert model.headerData(0, Qt.Orientation.Vertical) is None
    assert model.rowCount(model.index(0, 0)) == 0
    assert not QModelIndex().isValid()


def test_a_state_is_glyph_code_and_word_and_dates_are_short_with_the_exact_one_beside(model: OrdersModel) -> None:
    when = datetime(2024, 2, 3, 14, 2)
    rows = [
        line(1, state="DSO", status="On the truck", imported_at=when),
        line(2, state="XYZ", status=None),
        line(3),
        line(4, state="CMP"),
    ]
    model.replace(OPEN_COLUMNS, 4, {0: rows})
    shown = [str(model.index(row, 0).data()) for row in range(4)]
    assert shown == ["▶ DSO On the truck", "· XYZ No state given", "·  No state given", "✓ CMP Completed"]
    imported = next(at for at, each in enumerate(OPEN_COLUMNS) if each.name == "imported_at")
    assert model.index(0, imported).data() == "3 Feb 2024"
    assert "Sat 3 Feb 2024 14:02" in str(model.index(0, imported).data(Qt.ItemDataRole.ToolTipRole))
    assert model.index(1, imported).data() == ""


# Rows of the outbox before the orders


def write_line(number: int, **more: object) -> OutboxLine:
    at = datetime(2026, 11, 24, 14, 2)
    fields: dict[str, object] = {"state": "queued", "kind": "submit"} | more
    row = WriteRow(number, "acme", reference=f"W-{number}", queued_at=at, changed_at=at, draft_id=None,
                   note=None, attempts=0, **fields)  # type: ignore[arg-type]  # fmt: skip
    return OutboxLine(row, f"W-{number}", consignee_name="J. Rivera")


def writes(*numbers: int) -> list[OutboxLine]:
    return [write_line(number) for number in numbers]


def test_rows_of_the_outbox_stand_before_the_orders_and_move_their_pages(model: OrdersModel, asked: Asked) -> None:
    model.put_outbox_rows(writes(9, 8, 7))
    assert model.rowCount() == COUNT + 3
    assert [reference(model, row) for row in range(5)] == ["W-9", "W-8", "W-7", "R-0", "R-1"]
    assert reference(model, PAGE + 2) == f"R-{PAGE - 1}"
    assert asked.pages == []
    assert reference(model, PAGE + 3) == ""
    assert asked.pages == [1], "the first row of the second page"
    changed: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row())))
    model.put(1, page(1))
    assert changed == [(PAGE + 3, 2 * PAGE + 2)]
    assert reference(model, COUNT + 2) == ""
    model.put(45, page(45))
    assert reference(model, COUNT + 2) == f"R-{COUNT - 1}"
    assert (model.page_at(0), model.page_at(2), model.page_at(PAGE + 2), model.page_at(PAGE + 3)) == (0, 0, 0, 1)


def test_rows_are_known_by_their_keys(model: OrdersModel) -> None:
    model.put_outbox_rows(writes(9, 8))
    assert (model.row_of(-9), model.row_of(-8), model.row_of(-7)) == (0, 1, None)
    assert (model.row_of(0), model.row_of(5)) == (2, 7)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((), (3, 2, 1)),
        ((3, 2, 1), ()),
        ((9, 8, 7, 6, 5), (9, 7, 5)),
        ((7, 5), (9, 8, 7, 6, 5, 4)),
        ((9, 8, 7), (10, 9, 6)),
        ((9, 8, 7), (7, 9, 8)),
        ((9, 8, 7), (9, 8, 7)),
        ((9, 8), (5, 4)),
    ],
)
def test_outbox_rows_come_and_go_while_orders_keep_their_place(before: tuple[int, ...], after: tuple[int, ...]) -> None:
    model = OrdersModel(OPEN_COLUMNS)
    model.replace(OPEN_COLUMNS, 9, {0: page(0, 9)})
    model.put_outbox_rows(writes(*before))
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    resets: list[int] = []
    model.modelReset.connect(lambda: resets.append(1))
    order = QPersistentModelIndex(model.index(len(before) + 4, 1))
    model.put_outbox_rows(writes(*after))
    assert [reference(model, row) for row in range(model.outbox_count)] == [f"W-{number}" for number in after]
    assert (order.row(), order.data()) == (len(after) + 4, "R-4")
    assert resets == []


def test_one_that_stays_keeps_its_place_in_a_selection_and_shows_its_new_state(model: OrdersModel) -> None:
    model.put_outbox_rows(writes(9, 8, 7))
    kept = QPersistentModelIndex(model.index(1, 0))
    model.put_outbox_rows([write_line(10), write_line(8, state="in_doubt")])
    assert (kept.row(), kept.data()) == (1, "⇪ In doubt")


def test_only_writes_that_have_changed_are_painted_again(model: OrdersModel) -> None:
    model.put_outbox_rows(writes(9, 8, 7, 6))
    changed: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row())))
    model.put_outbox_rows(writes(9, 8, 7, 6))
    assert changed == []
    model.put_outbox_rows([*writes(9), write_line(8, state="sending"), write_line(7, state="in_doubt"), *writes(6)])
    assert changed == [(1, 2)]
    assert [model.index(row, 0).data() for row in (1, 2)] == ["⇪ Sending", "⇪ In doubt"]


def test_another_query_leaves_them_where_they_are(model: OrdersModel) -> None:
    model.put_outbox_rows(writes(9))
    changed: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row())))
    model.replace(OPEN_COLUMNS, COUNT, {0: page(0)})
    assert changed == [(1, COUNT)]
    model.replace(OPEN_COLUMNS, 0, {0: []})
    assert (model.rowCount(), reference(model, 0)) == (1, "W-9")


def test_a_write_says_where_it_is_in_glyph_and_word_and_to_a_screen_reader(model: OrdersModel) -> None:
    model.put_outbox_rows(
        [write_line(3, held="It is closed."), write_line(2, kind="cancel"), write_line(1, state="accepted")]
    )
    assert [model.index(row, 0).data() for row in range(3)] == ["⇪ Held", "⇪ Cancel · Queued", "⇪ Accepted"]
    spoken = [model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(4)]
    assert spoken == [
        "In the outbox, order: Held",
        "In the outbox, cancellation: Queued",
        "In the outbox, order: Accepted",
        None,
    ]
    assert "has not left yet" in model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole)
    at = {each.name: number for number, each in enumerate(OPEN_COLUMNS)}
    assert [model.index(0, at[name]).data() for name in ("number", "consignee_name")] == ["", "J. Rivera"]


def test_an_order_that_somebody_of_the_team_is_changing_says_so(model: OrdersModel) -> None:
    told = Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole
    model.show_changing({"R-3": ["Ben Okafor"]})
    for role in told:
        assert "Ben Okafor is changing this order" in str(model.index(3, 0).data(role))
        assert "changing" not in str(model.index(4, 0).data(role))
    model.show_changing({})
    assert all("changing" not in str(model.index(3, 0).data(role)) for role in told)
