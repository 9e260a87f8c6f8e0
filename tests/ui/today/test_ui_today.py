"""The page *Today*: its lines, its keys, what is put off and undone, its empty and failed states, the rules."""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from app.desk.desk import Desk
from app.desk.reasons.reason_rules import ALL_RULES, save_rule
from app.desk.sync.window_plan import LISTED
from app.desk.today import board, put_off
from app.store.cache import fetched_windows
from app.store.journal import draft_store, write_store
from app.store.store_errors import StoreError
from app.ui.base.page import PageServices
from app.ui.orders.filter.attention_dialog import AttentionDialog
from app.ui.orders.orders_page import OrdersPage
from app.ui.today import today_page
from app.ui.today.snooze_dialog import SnoozeDialog
from app.ui.today.today_list import More, spoken
from app.ui.today.today_page import TodayPage
from app.ui.today.today_page_words import snooze_times
from app.ui.widgets import call_choice
from app.ui.widgets.call_choice import CALL_CHOICE
from tests.support.fault_server import INFORMATION, FaultServer
from tests.support.faults import json_answer
from tests.support.journals import bring_to
from tests.support.loop import RunningLoop
from tests.support.mornings import DAY, NOW, TODAY, TROUBLES, Morning, keep_morning
from tests.ui.conftest import Show


@pytest.fixture
def desk(window_desk: Desk) -> Iterator[Desk]:
    clock = window_desk.now
    window_desk.now = lambda: NOW
    yield window_desk
    window_desk.now = clock


def made_page(loop: RunningLoop, services: PageServices, show: Show, desk: Desk) -> TodayPage:
    page = TodayPage(services)
    show(page)
    page.take_desk(desk)
    page.enter()
    settled(loop, page)
    return page


def settled(loop: RunningLoop, page: TodayPage) -> None:
    loop.until(lambda: not page.tasks.busy)


def morning(loop: RunningLoop, desk: Desk, made: Morning) -> Morning:
    loop.run(keep_morning(desk, made))
    return made


def three_late(loop: RunningLoop, desk: Desk) -> list[str]:
    """Three overdue orders, the worst first."""
    made = Morning(random.Random(1))
    titles = [
        made.add(requested_delivery=TODAY - days * DAY, phone=f"901-555-010{days}", city="Memphis")
        for days in (9, 5, 2)
    ]
    morning(loop, desk, made)
    return titles


def titles(page: TodayPage) -> list[str]:
    return [row.title for row in page.list.lines.rows if hasattr(row, "title")]


def beside(page: TodayPage) -> int | None:
    """The order beside the list."""
    return page.side.key


def press(page: TodayPage, key: Qt.Key) -> None:
    QTest.keyClick(page.list, key)


def test_lines_stand_worst_first_under_their_headings_and_are_spoken_whole(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk
) -> None:
    made = Morning(random.Random(4))
    for kinds in TROUBLES.values():
        kinds[0](made)
    morning(loop, desk, made)
    counted: list[int] = []
    page = TodayPage(services)
    page.counted.connect(counted.append)
    show(page)
    page.take_desk(desk)
    page.enter()
    settled(loop, page)
    assert counted[-1] == len(TROUBLES)
    assert page.tabs["todo"].accessibleName() == f"To do {len(TROUBLES)}"
    words = [spoken(row) for row in page.list.lines.rows]
    assert words[0] == "In doubt, 1. Sent by this desk, and nobody knows whether it arrived."
    late = next(each for each in words if "late, never received" in each)
    assert late.startswith("STR-20002, ")
    assert "J. Rivera" in late
    assert page.list.hasFocus()
    assert page.list.current is not None
    assert page.list.current.reason.rule == "in-doubt"
    assert not page.list.lines.flags(page.list.lines.index(0, 0)), "keys pass over headings"


def test_what_arrives_does_not_take_the_keyboard_from_a_tab(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk
) -> None:
    three_late(loop, desk)
    page = TodayPage(services)
    show(page)
    page.enter()
    assert page.tabs["todo"].hasFocus(), "there is no list yet"
    page.take_desk(desk)
    settled(loop, page)
    loop.until(page.list.hasFocus)
    page.tabs["todo"].setFocus()
    page.reload()
    settled(loop, page)
    assert page.tabs["todo"].hasFocus()


def test_a_number_is_copied_by_a_key_that_comes_before_the_lines(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk
) -> None:
    first, *_ = three_late(loop, desk)
    page = TodayPage(services)
    show(page)
    page.take_desk(desk)
    page.enter()
    QApplication.clipboard().clear()
    assert page.list.current is None, "the lines are still being read"
    for key in (Qt.Key.Key_C, Qt.Key.Key_D):
        QTest.keyClick(page.tabs["todo"], key)
    settled(loop, page)
    assert QApplication.clipboard().text() == "901-555-0109"
    assert "901-555-0109" in page.bar.text
    assert titles(page)[0] == first, "nobody is done with a line that nobody has seen"
    QApplication.clipboard().clear()
    page.reload()
    settled(loop, page)
    assert QApplication.clipboard().text() == "", "once"


def test_the_lines_get_the_keyboard_of_a_window_that_comes_forward_later(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk
) -> None:
    three_late(loop, desk)
    page, other = TodayPage(services), QWidget()
    show(page)
    page.take_desk(desk)
    page.enter()
    show(other)
    settled(loop, page)
    assert not page.list.hasFocus()
    page.activateWindow()
    loop.until(page.list.hasFocus)


def test_working_down_to_none_by_keys_alone(loop: RunningLoop, services: PageServices, show: Show, desk: Desk) -> None:
    first, second, third = three_late(loop, desk)
    window = (NOW - DAY, NOW, NOW, 3)
    loop.run(desk.cache.write(fetched_windows.finish_window, desk.profile.id, LISTED[0], *window[:3], window[3]))
    page = made_page(loop, services, show, desk)
    assert titles(page) == [first, second, third]
    press(page, Qt.Key.Key_D)
    assert page.list.current is not None
    assert page.list.current.title == second, "acting moves on at once"
    assert page.bar.text == f"{first} is done for today."
    press(page, Qt.Key.Key_S)
    (dialog,) = page.findChildren(SnoozeDialog)
    QTest.keyClicks(dialog.reason, "waits for the carrier")
    QTest.keyClick(dialog.reason, Qt.Key.Key_Down)
    QTest.keyClick(dialog.reason, Qt.Key.Key_Return)
    assert page.bar.text == f"{second} is snoozed until 09:30."
    press(page, Qt.Key.Key_D)
    settled(loop, page)
    assert page.states.state_text.startswith("Nothing needs you")
    assert "You are done with 2 today. 1 is snoozed until 09:30." in page.states.state_text
    assert [each.accessibleName() for each in page.tabs.values()] == ["To do 0", "Snoozed 1", "Done 2"]
    page.tabs["snoozed"].setChecked(True)
    assert "waits for the carrier" in spoken(page.list.lines.rows[0])
    page.list.setFocus()
    press(page, Qt.Key.Key_B)
    settled(loop, page)
    assert [each.accessibleName() for each in page.tabs.values()] == ["To do 1", "Snoozed 0", "Done 2"]
    assert page.states.state_text.startswith("Nothing is snoozed")


def test_what_was_put_off_is_undone(loop: RunningLoop, services: PageServices, show: Show, desk: Desk) -> None:
    first, second, third = three_late(loop, desk)
    page = made_page(loop, services, show, desk)
    press(page, Qt.Key.Key_D)
    page.bar._on_action()
    settled(loop, page)
    assert titles(page) == [first, second, third]
    assert loop.run(put_off.read_put_offs(desk)) == {}
    press(page, Qt.Key.Key_Down)
    press(page, Qt.Key.Key_D)
    press(page, Qt.Key.Key_D)
    settled(loop, page)
    assert len(loop.run(put_off.read_put_offs(desk))) == 2, "two keys, two lines"
    assert len(titles(page)) == 1


@pytest.mark.parametrize("day", range(7))
def test_no_time_to_snooze_until_is_offered_twice(day: int) -> None:
    now = datetime(2026, 11, 23, 9, 15) + timedelta(days=day)  # from a Monday on
    times = [when for _, when in snooze_times(now)]
    assert len(times) == len(set(times))
    assert all(when > now for when in times)
    words = [said for said, _ in snooze_times(now)]
    assert words[0] == "tomorrow, 08:00"
    assert ("next week, Mon 30 Nov 08:00" in words) == (day not in (4, 6)), "in three days on a Friday, else tomorrow"


def test_a_line_that_could_not_be_put_off_comes_back_and_says_why(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *_ = three_late(loop, desk)
    page = made_page(loop, services, show, desk)

    async def refused(*_rest: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(put_off, "keep_put_off", refused)
    press(page, Qt.Key.Key_D)
    settled(loop, page)
    assert titles(page)[0] == first
    assert page.bar.text.endswith("stays. The disk is full.")


def test_the_phone_number_is_copied_by_a_key(loop: RunningLoop, services: PageServices, show: Show, desk: Desk) -> None:
    three_late(loop, desk)
    page = made_page(loop, services, show, desk)
    press(page, Qt.Key.Key_C)
    assert QApplication.clipboard().text() == "901-555-0109"
    assert page.bar.text == "901-555-0109 (J. Rivera) is copied."
    assert page.tools.buttons["call"].accessibleName() == "Copy 901-555-0109"


def test_the_consignee_of_a_refused_order_can_be_called(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk
) -> None:
    consignee = {"consigneeName": "Ann Lee", "city": "Boston", "phone1": "617-555-0101"}
    body = json.dumps({"orderReferenceNumber": "W-1", "consignee": consignee}).encode()
    profile, now = desk.profile.id, NOW.astimezone()
    write = loop.run(desk.journal.write(write_store.queue_write, profile, "submit", "W-1", body, now))
    bring_to(desk.journal, write, "rejected", now)
    well = Morning(random.Random(1))
    well.add()
    morning(loop, desk, well)
    page = made_page(loop, services, show, desk)
    press(page, Qt.Key.Key_C)
    assert QApplication.clipboard().text() == "617-555-0101"
    assert page.bar.text == "617-555-0101 (Ann Lee) is copied."
    assert page.list.current is not None
    assert spoken(page.list.current).endswith("Ann Lee, Boston")
    press(page, Qt.Key.Key_D)
    settled(loop, page)
    assert page.states.state_text.startswith("Nothing needs you None of 17 rules finds anything else. You are done")


def test_a_refused_order_is_corrected_by_one_key(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk
) -> None:
    profile, now = desk.profile.id, NOW.astimezone()
    loop.run(desk.journal.write(draft_store.save_draft, profile, "d-1", "{}", now))
    drafted = loop.run(
        desk.journal.write(write_store.queue_write, profile, "submit", "W-1", b"{}", now, draft_id="d-1")
    )
    bare = loop.run(desk.journal.write(write_store.queue_write, profile, "submit", "W-2", b"{}", now))
    for each in (drafted, bare):
        bring_to(desk.journal, each, "rejected", now)
    page = made_page(loop, services, show, desk)
    asked: list[int] = []
    services.news.correct.connect(asked.append)
    change = page.tools.buttons["change"]
    said = {}
    for _ in range(2):
        assert page.list.current is not None
        said[page.list.current.title] = change.accessibleName(), change.isEnabled()
        press(page, Qt.Key.Key_E)
        press(page, Qt.Key.Key_Down)
    assert said == {"W-1": ("Correct", True), "W-2": ("Change", False)}
    assert asked == [drafted]


def test_a_line_without_a_number_says_so(loop: RunningLoop, services: PageServices, show: Show, desk: Desk) -> None:
    made = Morning(random.Random(1))
    TROUBLES["low-audit"][0](made)
    morning(loop, desk, made)
    page = made_page(loop, services, show, desk)
    press(page, Qt.Key.Key_C)
    assert re.fullmatch(r"No phone number is known for Audit \d+\.", page.bar.text)


def test_a_reason_that_is_too_long_is_not_cut_off_but_said(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk
) -> None:
    three_late(loop, desk)
    page = made_page(loop, services, show, desk)
    press(page, Qt.Key.Key_S)
    dialog = page.findChild(SnoozeDialog)
    assert dialog is not None
    dialog.reason.setText("x" * 100)
    assert dialog.length.text() == ""
    dialog.reason.setText("x" * 199)
    assert dialog.length.text() == "199 of 200 characters"
    dialog.reason.setText("x" * 230)
    assert dialog.length.text() == "230 of 200 characters: shorten it."
    assert dialog.reason.accessibleDescription() == dialog.length.text()
    QTest.keyClick(dialog.reason, Qt.Key.Key_Return)
    assert dialog.isVisible(), "nothing is snoozed with half a reason"
    dialog.reason.setText("x" * 200)
    QTest.keyClick(dialog.reason, Qt.Key.Key_Return)
    settled(loop, page)
    assert page.board.snoozed[0].put_off is not None
    assert page.board.snoozed[0].put_off.words == "x" * 200


def test_a_call_is_handed_to_the_phone_program_where_a_person_chose_that(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def taken(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr(call_choice, "open_address", taken)
    three_late(loop, desk)
    page = made_page(loop, services, show, desk)
    loop.run(CALL_CHOICE.keep(desk.journal, by_program=True))
    assert page.tools.buttons["call"].accessibleName() == "Call 901-555-0109"
    press(page, Qt.Key.Key_C)
    assert opened == ["tel:9015550109"]
    assert page.bar.text == "This computer was asked to call 901-555-0109 (J. Rivera). The number is copied."
    loop.run(CALL_CHOICE.keep(desk.journal, by_program=False))


def test_an_answer_of_the_provider_stands_in_the_order_beside_the_list_too(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk, fault_server: FaultServer
) -> None:
    first, *_ = three_late(loop, desk)
    fault_server.book.submit(json.dumps({"orderReferenceNumber": first}).encode())
    page = made_page(loop, services, show, desk)
    orders = OrdersPage(services)
    show(orders)
    orders.take_desk(desk)
    orders.side.show_order(20_001)
    loop.until(lambda: any(each.startswith("Not asked") for each in shown_texts(orders)))
    press(page, Qt.Key.Key_L)
    loop.until(lambda: any(each.startswith("“Pending Receipt”, asked at") for each in shown_texts(orders)))
    assert not any(each.startswith("Not asked") for each in shown_texts(orders))


def shown_texts(page: OrdersPage) -> list[str]:
    return [each.text() for each in page.findChildren(QLabel) if each.isVisibleTo(page)]


def test_an_order_is_looked_up_and_a_mended_one_goes(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk, fault_server: FaultServer
) -> None:
    first, second, _third = three_late(loop, desk)
    record = {"OrderNumber": 20_001, "CRN": first, "StatusId": "CMP", "DateActualDelivery": "2026-11-19T10:00:00"}
    fault_server.serve(INFORMATION + "/orders/20001", lambda _seen: json_answer(record))
    page = made_page(loop, services, show, desk)
    services.news.stored.connect(page.reload)
    press(page, Qt.Key.Key_L)
    loop.until(lambda: titles(page)[:1] == [second] and not page.tasks.busy)
    assert page.bar.text.startswith(f"{first}: ")


def test_enter_shows_the_order_and_moving_on_shows_the_next(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk
) -> None:
    three_late(loop, desk)
    page = made_page(loop, services, show, desk)
    press(page, Qt.Key.Key_Down)
    assert beside(page) is None, "moving alone opens nothing"
    press(page, Qt.Key.Key_Return)
    assert beside(page) == 20_002
    settled(loop, page)
    press(page, Qt.Key.Key_D)
    assert beside(page) == 20_003
    settled(loop, page)


def test_other_lines_open_their_own_pages(loop: RunningLoop, services: PageServices, show: Show, desk: Desk) -> None:
    made = Morning(random.Random(2))
    for name in ("refused", "overage", "low-audit"):
        TROUBLES[name][0](made)
    morning(loop, desk, made)
    page = made_page(loop, services, show, desk)
    asked: list[Any] = []
    services.news.show_write.connect(asked.append)
    services.news.show_load.connect(asked.append)
    page.audit_asked.connect(asked.append)
    for _ in range(3):
        press(page, Qt.Key.Key_Return)
        press(page, Qt.Key.Key_L)
        press(page, Qt.Key.Key_D)
    assert asked[1:] == ["L-0", 800]
    assert isinstance(asked[0], int)
    settled(loop, page)


def test_a_long_group_leads_to_its_orders(loop: RunningLoop, services: PageServices, show: Show, desk: Desk) -> None:
    made = Morning(random.Random(1))
    for days in range(1, 104):
        made.add(requested_delivery=TODAY - days * DAY)
    morning(loop, desk, made)
    page = made_page(loop, services, show, desk)
    assert page.tabs["todo"].accessibleName() == "To do 103"
    last = page.list.lines.rows[-1]
    assert isinstance(last, More)
    assert spoken(last) == "3 more, in Orders"
    asked: list[str] = []
    page.rule_asked.connect(asked.append)
    press(page, Qt.Key.Key_End)
    press(page, Qt.Key.Key_Return)
    assert asked == ["overdue"]


def test_an_empty_page_claims_nothing_that_is_not_known(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk
) -> None:
    page = made_page(loop, services, show, desk)
    assert page.states.state_text.startswith("No orders yet")
    morning(loop, desk, Morning(random.Random(1), number=5))
    made = Morning(random.Random(1))
    made.add()
    morning(loop, desk, made)
    page.reload()
    settled(loop, page)
    assert page.states.state_text == "Nothing needs you None of 17 rules finds anything."
    for rule in ALL_RULES:
        loop.run(save_rule(desk, replace(rule, on=False)))
    page.reload()
    settled(loop, page)
    assert page.states.state_text.startswith("No rule is on")


def test_trouble_with_the_store_is_said(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    three_late(loop, desk)
    page = TodayPage(services)

    async def broken(*_rest: object, **_more: object) -> None:
        raise StoreError("The disk cannot be read.")

    monkeypatch.setattr(today_page, "read_board", broken)
    show(page)
    page.take_desk(desk)
    page.enter()
    settled(loop, page)
    assert page.states.state_text == "Today could not be read The disk cannot be read."
    monkeypatch.setattr(today_page, "read_board", board.read_board)
    page.states._on_action()
    settled(loop, page)
    assert len(titles(page)) == 3
    monkeypatch.setattr(today_page, "read_board", broken)
    page.reload()
    settled(loop, page)
    assert len(titles(page)) == 3, "what was read before stays"
    assert page.bar.text == "The disk cannot be read."


def test_rules_are_tuned_in_place_and_say_what_they_find(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk
) -> None:
    three_late(loop, desk)
    page = made_page(loop, services, show, desk)
    page.open_rules()
    settled(loop, page)
    (dialog,) = page.findChildren(AttentionDialog)
    assert dialog.counts["overdue"].text() == "finds 3"
    dialog.limits["overdue"].setValue(6)
    settled(loop, page)
    assert dialog.counts["overdue"].text() == "finds 1"
    assert len(titles(page)) == 1
    dialog.switches["overdue"].setChecked(False)
    settled(loop, page)
    assert dialog.counts["overdue"].text() == "would find 1"
    assert titles(page) == []
    days, score = dialog.limits["low-audit"], dialog.scores["low-audit"]
    loop.until(lambda: days.height() and score.height())
    assert not days.geometry().intersects(score.geometry()), "both can be seen and clicked"
    dialog.scores["low-audit"].setValue(50)
    assert "less than 50 %" in dialog.sentences["low-audit"].text()
    settled(loop, page)
    dialog.accept()
    loop.rest()


def test_new_lines_do_not_move_the_current_one(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk
) -> None:
    _first, second, _third = three_late(loop, desk)
    page = made_page(loop, services, show, desk)
    press(page, Qt.Key.Key_Down)
    made = Morning(random.Random(1), number=30_000)
    worse = made.add(requested_delivery=TODAY - 30 * DAY)
    morning(loop, desk, made)
    page.reload()
    settled(loop, page)
    assert titles(page)[0] == worse
    assert page.list.current is not None
    assert page.list.current.title == second


def test_a_snooze_that_ends_shows_at_the_next_look(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk
) -> None:
    first, *_ = three_late(loop, desk)
    page = made_page(loop, services, show, desk)
    line = page.list.current
    assert line is not None
    page._snooze(desk, line, NOW + timedelta(minutes=5), "")
    settled(loop, page)
    assert first not in titles(page)
    desk.now = lambda: NOW + timedelta(minutes=5)
    page.reload()
    settled(loop, page)
    assert titles(page)[0] == first


def test_a_line_that_a_screen_reader_selects_is_opened(
    loop: RunningLoop, services: PageServices, show: Show, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    three_late(loop, desk)
    page = made_page(loop, services, show, desk)
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    place = page.list.lines.index(3, 0)
    page.list.selectionModel().select(place, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    loop.until(lambda: beside(page) == 20_003)
    assert page.list.current is not None
    assert page.list.current.name == "20003"
    settled(loop, page)
