"""The history of an order in its details: what changed, from what to what, and when that was seen."""

from datetime import datetime, timedelta

from app.desk.desk import Desk
from app.store.cache.order_rows import LINE_COLUMNS
from app.store.cache.past_changes import Change, keep_changes
from app.store.cache.schema.raw_fields import RAW_FIELDS
from app.ui.base.page import PageServices
from app.ui.orders import orders_words as words
from app.ui.orders.detail.detail_body import SectionView
from app.ui.orders.detail.past_section import MOST, change_lines
from app.ui.orders.orders_page import OrdersPage
from app.ui.widgets.text.times import moment
from tests.support.fault_server import INFORMATION, FaultServer
from tests.support.faults import json_answer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import NOW, choose, fill, idle, order

THIRD, SEVENTH = "2026-12-03T00:00:00", "2026-12-07T00:00:00"


def test_a_change_says_both_values_and_one_fact_once() -> None:
    said = change_lines(
        {
            "status": ("Available", "Planned"),
            "state": ("AVL", "PLN"),
            "scheduled_delivery": (THIRD, SEVENTH),
            "bol": (None, "B1"),
            "remarks": ("call\nbefore 9", None),
            "is_received": (0, 1),
            "list": ("open", "completed"),
        }
    )
    assert said == [
        "Status moved from AVL to PLN",
        "List moved from Open to Completed",
        f"Scheduled moved from {moment(THIRD)} to {moment(SEVENTH)}",
        said[3],
        said[4],
        said[5],
    ]
    assert [each.split(" ", 1)[1] for each in said[3:]] == [
        "moved from no to yes",
        "is now B1",
        "was call before 9, and is not said any more",
    ]


def test_every_value_that_can_change_has_a_line() -> None:
    for column in {*LINE_COLUMNS.split(", "), *RAW_FIELDS, "list"} - {"number"}:
        (line,) = change_lines({column: (None, "2026-12-03T00:00:00")})
        assert "_" not in line


def test_the_details_tell_what_an_order_was(
    loop: RunningLoop, services: PageServices, show: Show, window_desk: Desk, fault_server: FaultServer
) -> None:
    fill(loop, window_desk, [order(7, state="AVL", scheduled_delivery=datetime(2026, 12, 3))])
    record = {"OrderNumber": 7, "CRN": "R-00007", "StatusId": "AVL", "DateScheduledDelivery": SEVENTH}
    fault_server.serve(f"{INFORMATION}/orders/7", json_answer(record))
    page = OrdersPage(services)
    show(page)
    page.take_desk(window_desk)
    loop.until(lambda: idle(page))
    choose(loop, page, 7)

    def history() -> list[tuple[str, str]]:
        views = page.findChildren(SectionView)
        return next((list(each.section.lines) for each in views if each.section.heading == words.HISTORY), [])

    loop.until(lambda: any("Scheduled" in said for _, said in history()))
    (_, changed), (seen, first) = history()
    assert f"Scheduled moved from {moment(THIRD)} to {moment(SEVENTH)}" in changed.splitlines()
    assert (seen, first) == (moment((NOW - timedelta(minutes=1)).replace(microsecond=0)), words.FIRST_SEEN)


def test_a_long_history_is_shown_whole_when_it_is_asked_for(
    loop: RunningLoop, services: PageServices, show: Show, window_desk: Desk, fault_server: FaultServer
) -> None:
    fill(loop, window_desk, [order(7), order(8)])
    for at in range(MOST + 9):
        moment_of = NOW + timedelta(minutes=at)
        change = Change(7, moment_of - timedelta(minutes=1), {"bol": (f"B{at}", f"B{at + 1}")})
        loop.run(window_desk.cache.write(keep_changes, window_desk.profile.id, [change], moment_of))
    fault_server.serve(f"{INFORMATION}/orders/7", json_answer({"OrderNumber": 7, "CRN": "R-00007"}))
    fault_server.serve(f"{INFORMATION}/orders/8", json_answer({"OrderNumber": 8, "CRN": "R-00008"}))
    page = OrdersPage(services)
    show(page)
    page.take_desk(window_desk)
    loop.until(lambda: idle(page))
    choose(loop, page, 7)

    def view() -> SectionView:
        return next(each for each in page.findChildren(SectionView) if each.section.heading == words.HISTORY)

    def changes() -> int:
        return sum("BOL" in said for _, said in view().section.lines)

    loop.until(lambda: idle(page) and changes() == MOST)
    assert view().section.lines[-1][1] == words.EARLIER_NOT_SHOWN
    assert view().more_button.isVisible()
    view().more_button.click()
    loop.until(lambda: changes() == MOST + 9)
    assert view().section.lines[-1][1] == words.FIRST_SEEN
    assert not view().more_button.isVisible()
    pane = page.side.order
    assert pane is not None
    assert pane._scroll.hasFocus(), "the button is gone, and the keyboard is not"
    pane.redraw()
    loop.until(lambda: idle(page))
    assert changes() == MOST + 9
    choose(loop, page, 8)
    choose(loop, page, 7)
    loop.until(lambda: idle(page) and changes() == MOST)
