"""Fetching as the orders page shows it: often or never, stopped and gone on with, dates that are missing and why."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from app.desk.desk import Desk
from app.desk.sync import order_sync
from app.desk.sync.window_plan import Gap
from app.desk.text.typed_dates import short_day
from app.desk.timing import backoff_words
from app.store.cache import order_store
from app.store.cache.index import merging, segments
from app.store.store_errors import StoreError
from app.ui.base.page import PageServices
from app.ui.orders.orders_page import OrdersPage
from app.ui.orders.table.arrangement import default_arrangement
from tests.support.desks import let_time_pass
from tests.support.fault_server import INFORMATION, Answer, FaultServer, Seen
from tests.support.faults import Fault, answered, held, json_answer
from tests.support.loop import RunningLoop
from tests.support.order_facts import facts
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import COMPLETED, NOW, OPEN, idle, order, serve, shown

WEEK = timedelta(days=7)


@pytest.fixture
def page(
    loop: RunningLoop, services: PageServices, show: Show, window_desk: Desk, fault_server: FaultServer
) -> OrdersPage:
    serve(fault_server, [order(number) for number in range(1, 4)])
    serve(fault_server, [], COMPLETED)
    made = OrdersPage(services)
    show(made)
    shown(loop, made, window_desk)
    return made


def resting(page: OrdersPage) -> bool:
    names = ("rows", "refresh", "age", "dates", "refresh choice", "keep refresh choice")
    return not page.refresher.busy and not any(page.tasks.running(name) for name in names)


def refreshed(loop: RunningLoop, page: OrdersPage) -> None:
    page.refresher.results = {}
    page.refresher.start()
    loop.until(lambda: bool(page.refresher.results) and resting(page))


BUSY = Answer(503, headers=(("Retry-After", "1800"),))


def by_the_clock(loop: RunningLoop, page: OrdersPage) -> int | None:
    """A refresh by the clock, a while after the last; in how many seconds the next one is to come."""
    let_time_pass(page.desk, timedelta(minutes=16))
    page.refresher.results = {}
    page.refresher._timer.timeout.emit()
    loop.until(lambda: bool(page.refresher.results) and resting(page))
    return page.refresher.next_in


def press(page: OrdersPage, words: str) -> None:
    (found,) = [each for each in page.bar.findChildren(QPushButton) if each.text() == words]
    found.click()


def older(seen: Seen) -> bool:
    """Any open orders but today's."""
    return seen.path.endswith(OPEN) and not seen.query["StartDate"].startswith(NOW.date().isoformat())


def test_after_a_refresh_small_segments_of_the_search_index_are_merged(
    loop: RunningLoop, page: OrdersPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merging, "TOGETHER", 2)

    def segment_numbers() -> list[int]:
        return loop.run(page.desk.cache.read(lambda c: [each for each, _ in segments.live_segments(c)]))

    for first in (100, 200):
        known = [facts(first + number, imported_at=NOW - timedelta(days=400)) for number in range(3)]
        loop.run(page.desk.cache.write(order_store.store_orders, page.desk.profile.id, "open", known, NOW))
        loop.run(page.desk.cache.write(segments.index_some, 10, 1))
    apart = segment_numbers()
    assert len(apart) == 2
    refreshed(loop, page)
    loop.until(lambda: not page.tasks.running("index"))
    merged = segment_numbers()
    assert len(merged) == 1
    assert not set(merged) & set(apart)


class TestWhatIsSaidMeanwhile:
    def test_until_the_next_one_is_set_a_refresh_is_under_way(
        self, loop: RunningLoop, page: OrdersPage, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        refreshed(loop, page)
        told: list[str] = []
        page.status_changed.connect(told.append)
        gate, known, asked = asyncio.Event(), order_sync.read_coverage, []

        async def slow(desk: Desk) -> object:
            asked.append(desk)
            if len(asked) > 1:  # what is missing now: the store has much to do
                await gate.wait()
            return await known(desk)

        monkeypatch.setattr(order_sync, "read_coverage", slow)
        page.refresher.start()
        loop.until(lambda: len(asked) > 1)
        page.fetching.show_status()
        assert (page.refresher.busy, page.fetching.controls.stop_button.isHidden()) == (True, False)
        assert told[-1].startswith("Refreshing")
        gate.set()
        loop.until(lambda: resting(page))
        assert not any("on demand" in words for words in told)

    def test_the_provider_is_heard_when_the_first_orders_come(
        self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
    ) -> None:
        heard: list[str] = []
        page.provider_asked.connect(heard.append)
        gate = fault_server.gate()
        fault_server.plan_by(lambda seen: held(before=gate) if older(seen) else None)
        page.refresher.start()
        loop.until(lambda: bool(heard))
        assert (heard, page.refresher.busy) == ([""], True)
        fault_server.plan_by(None)
        gate.release()
        loop.until(lambda: resting(page))

    def test_the_age_is_that_of_the_list_that_was_typed(self, loop: RunningLoop, page: OrdersPage) -> None:
        refreshed(loop, page)
        told: list[str] = []
        page.status_changed.connect(told.append)
        page.filter.setText("list:completed")
        loop.until(lambda: bool(told) and "delivered since" in told[-1])
        page.filter.clear()
        loop.until(lambda: "imported since" in told[-1])

    def test_overnight_what_came_is_of_yesterday(self, loop: RunningLoop, page: OrdersPage) -> None:
        refreshed(loop, page)
        told: list[str] = []
        page.status_changed.connect(told.append)
        desk = page.desk
        tomorrow = replace(desk, now=lambda: desk.now() + timedelta(days=1))
        page.fetching._desk = tomorrow  # the same desk, and nothing came meanwhile
        page.fetching.show_status()
        loop.until(lambda: bool(told) and "as of yesterday" in told[-1])


class TestByTheClock:
    def test_the_next_refresh_is_counted_down_to(self, loop: RunningLoop, page: OrdersPage) -> None:
        told: list[str] = []
        page.status_changed.connect(told.append)
        refreshed(loop, page)
        loop.until(lambda: bool(told) and "next refresh" in told[-1] and told[-1].startswith("3 orders · as of "))
        seconds = page.refresher.next_in
        assert seconds is not None
        assert 50 < seconds <= 60

    def test_it_can_be_off_and_that_is_kept_for_the_connection(
        self, loop: RunningLoop, page: OrdersPage, window_desk: Desk
    ) -> None:
        refreshed(loop, page)
        interval = page.fetching.controls.interval
        interval.setCurrentIndex(interval.findData(0))
        loop.until(lambda: resting(page))
        assert page.refresher.next_in is None
        told: list[str] = []
        page.status_changed.connect(told.append)
        shown(loop, page, window_desk)
        loop.until(lambda: resting(page) and interval.currentData() == 0)
        refreshed(loop, page)
        assert page.refresher.next_in is None
        loop.until(lambda: bool(told) and told[-1].endswith("refreshed on demand only"))

    def test_a_chosen_interval_counts_from_now(self, loop: RunningLoop, page: OrdersPage) -> None:
        refreshed(loop, page)
        interval = page.fetching.controls.interval
        interval.setCurrentIndex(interval.findData(900))
        assert page.refresher.next_in is not None
        assert 890 < page.refresher.next_in <= 900

    def test_while_nothing_comes_it_waits_longer_each_time(
        self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
    ) -> None:
        fault_server.plan_by(lambda seen: answered(Answer(403)))
        waits = [by_the_clock(loop, page) for _ in range(5)]
        assert [each and round(each, -1) for each in waits] == [120, 240, 480, 900, 900]
        fault_server.plan_by(None)
        refreshed(loop, page)
        assert page.refresher.next_in is not None
        assert page.refresher.next_in <= 60

    def test_what_a_person_tries_in_vain_does_not_make_it_wait_longer(
        self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
    ) -> None:
        fault_server.plan_by(lambda seen: answered(Answer(403)))
        for _ in range(5):
            refreshed(loop, page)
            assert page.refresher.next_in is not None
            assert page.refresher.next_in <= 60, "as often as was chosen"
        assert round(by_the_clock(loop, page) or 0, -1) == 120, "the first time by the clock"
        assert round(by_the_clock(loop, page) or 0, -1) == 240
        planned = page.refresher.next_in
        assert planned is not None
        refreshed(loop, page)
        assert page.refresher.next_in is not None
        assert page.refresher.next_in <= planned, "it comes when it would have come without that"

    def test_a_person_s_good_refresh_ends_the_waiting(
        self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
    ) -> None:
        fault_server.plan_by(lambda seen: answered(Answer(403)))
        for _ in range(3):
            by_the_clock(loop, page)
        fault_server.plan_by(None)
        refreshed(loop, page)
        assert page.refresher.next_in is not None
        assert page.refresher.next_in <= 60

    def test_it_is_never_sooner_than_the_provider_asks(
        self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
    ) -> None:
        told: list[str] = []
        page.status_changed.connect(told.append)
        fault_server.plan_by(lambda seen: answered(BUSY) if "/orders/" in seen.path else None)
        refreshed(loop, page)
        assert page.refresher.next_in is not None
        assert 1_700 < page.refresher.next_in <= 1_802
        loop.until(lambda: told and "the provider asked to wait, next refresh 29:" in told[-1])

    def test_a_rest_that_a_refresh_waits_for_is_said_until_when(
        self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
    ) -> None:
        """The call does not wait for it in silence, behind \"Refreshing…\"."""
        told: list[str] = []
        page.status_changed.connect(told.append)
        short = Answer(503, headers=(("Retry-After", "40"),))
        fault_server.plan_by(lambda seen: answered(short) if "/orders/" in seen.path else None)
        page.refresher.start()
        loop.until(lambda: told and told[-1].startswith("The provider asked to wait until "))
        assert page.refresher.busy
        page.refresher.stop()
        loop.until(lambda: not page.refresher.busy)

    @pytest.mark.parametrize("every", [60, 0], ids=["by the clock", "on demand"])
    def test_while_the_provider_asks_to_be_left_alone_a_person_is_told_until_when(
        self, loop: RunningLoop, page: OrdersPage, window_desk: Desk, fault_server: FaultServer, every: int
    ) -> None:
        """Nothing is asked, by whatever way; that is said, and it can be asked all the same."""
        page.refresher.choose(every=every)
        fault_server.plan_by(lambda seen: answered(BUSY) if "/orders/" in seen.path else None)
        refreshed(loop, page)
        fault_server.plan_by(None)
        asked = len(fault_server.seen())
        until = page.refresher.rest_until
        assert until is not None
        for act in (page.refresher.start, page.refresher.retry_gaps, partial(page.refresher.fetch_with, ("notes",))):
            page.bar.clear()
            act()
            loop.rest()
            # The moment is reckoned anew at each question; near midnight its date is said with it
            told = [backoff_words(until + timedelta(seconds=off), window_desk.now()) for off in (-1, 0, 1)]
            assert page.bar.text.startswith(tuple(told))
        page.views.choose("Completed")
        loop.rest(5)
        assert page.bar.text_of("refresh held"), "it is so in every view"
        page.views.choose("Open")
        loop.rest(5)
        page.bar.clear()
        page.refresher.start()
        horizon = page.fetching.controls.horizon
        horizon.setCurrentIndex(horizon.findData(365))
        page.refresher.refresh_soon(0.0)
        loop.rest(20)
        assert len(fault_server.seen()) == asked
        assert page.refresher.next_in is not None
        assert page.refresher.next_in > 1_700
        press(page, "Refresh anyway")
        loop.until(lambda: bool(page.refresher.results) and resting(page))
        assert len(fault_server.seen()) > asked
        assert page.bar.text == "", "what was said of the rest has gone with it"

    def test_what_another_call_was_asked_counts_too(
        self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
    ) -> None:
        refreshed(loop, page)
        asked = len(fault_server.seen(OPEN))
        page.desk.timing.back_off(300)
        page.refresher._timer.timeout.emit()
        loop.rest(10)
        assert len(fault_server.seen(OPEN)) == asked
        assert page.refresher.next_in is not None
        assert page.refresher.next_in > 200
        page.refresher.start()
        assert "asked for a pause" in page.bar.text
        let_time_pass(page.desk, timedelta(minutes=6))
        page.refresher._timer.timeout.emit()
        loop.until(lambda: len(fault_server.seen(OPEN)) > asked and resting(page))
        assert page.bar.text == ""

    def test_a_list_that_asks_for_a_rest_has_all_that_nobody_waits_for_rest(
        self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
    ) -> None:
        fault_server.plan_by(lambda seen: answered(BUSY) if "/orders/" in seen.path else None)
        refreshed(loop, page)
        assert page.desk.timing.backing_off

    def test_without_a_connection_a_person_is_told_so(
        self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
    ) -> None:
        desk = page.desk
        provider, desk.provider, desk.trouble = desk.provider, None, "Connecting…"
        QTest.keyClick(page.table, Qt.Key.Key_F5)
        assert page.bar.text.startswith("Orders were not refreshed. Connecting…")
        desk.provider = provider
        page.connected()
        loop.until(lambda: bool(page.refresher.results) and resting(page))
        assert page.bar.text == ""

    def test_it_asks_for_what_is_due_and_gives_up_nothing(
        self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
    ) -> None:
        refreshed(loop, page)
        before = len(fault_server.seen(OPEN))
        gate = fault_server.gate()
        fault_server.plan(held(before=gate), OPEN)
        page.refresher._timer.timeout.emit()
        loop.until(lambda: page.refresher.busy)
        page.refresher._timer.timeout.emit()
        gate.release()
        loop.until(lambda: resting(page))
        assert len(fault_server.seen(OPEN)) - before == 1, "only today is due after so short a time"


class TestStopping:
    @pytest.fixture
    def stopped(self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer) -> OrdersPage:
        """All older open orders are held, and a person stops waiting for them."""
        gate = fault_server.gate()
        fault_server.plan_by(lambda seen: held(before=gate) if older(seen) else None)
        page.refresher.start()
        loop.until(lambda: bool(page.refresher.progress and page.refresher.progress.windows_done >= 1))
        assert page.fetching.controls.stop_button.isVisible()
        page.fetching.controls.stop_button.click()
        loop.until(lambda: resting(page))
        fault_server.plan_by(None)
        gate.release()
        return page

    def test_what_came_is_shown_and_what_did_not_is_named(self, loop: RunningLoop, stopped: OrdersPage) -> None:
        loop.until(lambda: stopped.model.rowCount() == 3)
        assert "stopped" in stopped.bar.text
        assert "were not fetched yet" in stopped.bar.text
        assert stopped.refresher.next_in is None
        assert stopped.fetching.controls.refresh_button.isVisible()
        assert not stopped.progress.isVisible()

    def test_going_on_asks_for_nothing_that_came_whole(
        self, loop: RunningLoop, stopped: OrdersPage, fault_server: FaultServer
    ) -> None:
        whole = {gap.start for gap in stopped.refresher.gaps if gap.list == "completed"}
        before = len(fault_server.seen(COMPLETED))
        press(stopped, "Continue")
        loop.until(lambda: resting(stopped) and not stopped.refresher.gaps)
        assert stopped.bar.text == ""
        assert stopped.refresher.next_in is not None
        assert len(fault_server.seen(COMPLETED)) - before <= len(whole) * 8 + 1

    def test_the_key_stops_and_refreshes(self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer) -> None:
        gate = fault_server.gate()
        fault_server.plan_by(lambda seen: held(before=gate) if older(seen) else None)
        QTest.keyClick(page.table, Qt.Key.Key_F5)
        loop.until(lambda: page.refresher.busy)
        QTest.keyClick(page.table, Qt.Key.Key_F5, Qt.KeyboardModifier.ControlModifier)
        loop.until(lambda: page.refresher.stopped and resting(page))
        fault_server.plan_by(None)
        gate.release()
        QTest.keyClick(page.table, Qt.Key.Key_F5)
        loop.until(lambda: resting(page) and not page.refresher.gaps)


class TestDates:
    def test_each_list_has_its_words_for_each_window(self, loop: RunningLoop, page: OrdersPage) -> None:
        refreshed(loop, page)
        QTest.keyClick(page.table, Qt.Key.Key_F7)
        loop.until(lambda: page.fetching.dates.list.topLevelItemCount() > 4)
        first = page.fetching.dates.list.topLevelItem(0)
        assert first is not None
        loop.until(lambda: "3 orders" in first.text(1))
        assert first.text(0) == short_day(NOW.date(), NOW.date())
        assert first.text(2).startswith("✓ 0 orders, as of ")
        assert page.fetching.dates.list.hasFocus()
        assert not page.fetching.dates.retry_button.isVisible()
        QTest.keyClick(page.fetching.dates.list, Qt.Key.Key_Escape)
        assert not page.fetching.dates.isVisible()
        assert page.fetching.controls.dates_button.hasFocus()

    def test_a_missing_one_says_why_and_enter_asks_for_it_alone(
        self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
    ) -> None:
        cut = page.refresher.jobs
        failing = {job.start for job in cut[4:8]}  # two weeks of both lists

        def planner(seen: Seen) -> Fault | None:
            wanted = seen.path.endswith(OPEN) and any(seen.query["StartDate"] == each.isoformat() for each in failing)
            return answered(Answer(500)) if wanted else None

        fault_server.plan_by(planner)
        refreshed(loop, page)
        assert "were not refreshed" in page.bar.text
        assert {gap.list for gap in page.refresher.gaps} == {"open"}
        page.fetching.controls.dates_button.click()
        loop.until(lambda: resting(page))
        item = page.fetching.dates.list.topLevelItem(2)
        assert item is not None
        assert "Failed 3 times" in item.text(1)
        assert page.fetching.dates.retry_button.isVisible()
        fault_server.plan_by(None)
        before = len(fault_server.seen(OPEN))
        page.fetching.dates.list.setCurrentItem(item)
        QTest.keyClick(page.fetching.dates.list, Qt.Key.Key_Return)
        loop.until(lambda: "✓" in item.text(1) and resting(page))
        assert len(fault_server.seen(OPEN)) - before == 1
        (gap,) = page.refresher.gaps
        assert gap == Gap("open", cut[6].start, cut[6].end, gap.sentence)
        page.fetching.dates.retry_button.click()
        loop.until(lambda: resting(page) and not page.refresher.gaps)
        assert page.bar.text == ""

    def test_while_orders_come_they_are_counted(
        self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
    ) -> None:
        gate = fault_server.gate()
        fault_server.plan_by(lambda seen: held(after=gate) if older(seen) else None)
        page.fetching.controls.dates_button.click()
        page.refresher.start()
        loop.until(lambda: "so far…" in _texts(page))
        fault_server.plan_by(None)
        gate.release()
        loop.until(lambda: resting(page))
        assert "so far…" not in _texts(page)


def _texts(page: OrdersPage) -> str:
    items = [page.fetching.dates.list.topLevelItem(at) for at in range(page.fetching.dates.list.topLevelItemCount())]
    return "\n".join(f"{each.text(1)} {each.text(2)}" for each in items if each is not None)


class TestWhatIsAskedFor:
    def test_farther_back_asks_only_for_what_is_new_and_is_kept(
        self, loop: RunningLoop, page: OrdersPage, window_desk: Desk, fault_server: FaultServer
    ) -> None:
        refreshed(loop, page)
        before = {each.query["StartDate"] for each in fault_server.seen(OPEN)}
        count = len(fault_server.seen(OPEN))
        horizon = page.fetching.controls.horizon
        horizon.setCurrentIndex(horizon.findData(90))
        loop.until(lambda: len(fault_server.seen(OPEN)) > count and resting(page))
        asked = [each.query["StartDate"] for each in fault_server.seen(OPEN)[count:]]
        assert len(set(asked) - before) >= 8
        assert len(set(asked) & before) <= 2, "today, and the week that had been asked for in part"
        shown(loop, page, window_desk)
        loop.until(lambda: horizon.currentData() == 90)

    def test_documents_come_with_the_open_list_once_a_filter_needs_them(
        self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
    ) -> None:
        refreshed(loop, page)
        assert all("IncludePOD" not in each.query for each in fault_server.seen(OPEN))
        assert all(each.query["IncludePOD"] == "true" for each in fault_server.seen(COMPLETED))
        before = len(fault_server.seen(OPEN))
        page.refresher.fetch_with(["documents"])
        loop.until(lambda: len(fault_server.seen(OPEN)) > before and resting(page))
        assert all(each.query["IncludePOD"] == "true" for each in fault_server.seen(OPEN)[before:])

    def test_orders_that_left_and_are_nowhere_are_told(
        self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
    ) -> None:
        refreshed(loop, page)
        serve(fault_server, [order(1)])
        fault_server.serve(INFORMATION + "/orders/2", json_answer({"OrderNumber": 2, "StatusId": "CMP"}))
        fault_server.serve(INFORMATION + "/orders/3", Answer(404))
        page.refresher.results = {}
        refreshed(loop, page)
        assert page.refresher.departed is not None
        assert (page.refresher.departed.asked, page.refresher.departed.unfound) == (2, 1)
        page.fetching.controls.dates_button.click()
        loop.until(lambda: idle(page))
        assert page.fetching.dates.sentence.text().startswith("1 order left the open list")

    def test_a_list_that_is_refused_leaves_the_other_as_it_is(
        self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
    ) -> None:
        fault_server.plan_by(lambda seen: answered(Answer(403)) if seen.path.endswith(COMPLETED) else None)
        heard: list[str] = []
        page.provider_asked.connect(heard.append)
        refreshed(loop, page)
        loop.until(lambda: page.model.rowCount() == 3)
        assert page.bar.text == ""
        assert set(map(bool, heard)) == {False, True}
        page.tabs["completed"].click()
        loop.until(lambda: "were not refreshed" in page.bar.text)


class TestAFilterByDocuments:
    def test_it_says_what_it_cannot_tell_and_fetches_it(
        self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
    ) -> None:
        refreshed(loop, page)
        page.filter.setText("-has:pod")
        loop.until(lambda: page.bar.text.startswith("The documents of 3 orders are not known yet"))
        before = len(fault_server.seen(OPEN))
        press(page, "Fetch them")
        loop.until(lambda: len(fault_server.seen(OPEN)) > before and resting(page))
        loop.until(lambda: page.model.rowCount() == 3)
        assert page.bar.text == ""


class TestColumnsOfWhatIsAskedForApart:
    def test_what_they_do_not_know_is_offered_once_and_comes_from_then_on(
        self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
    ) -> None:
        refreshed(loop, page)
        assert all("IncludeNotes" not in each.query for each in fault_server.seen())
        page.columns.put(default_arrangement(("number", "note", "files", "carrier_phone")))
        said = "Documents and notes of some of these orders are not known yet; a dash stands for them."
        loop.until(lambda: page.bar.text == said)
        before = len(fault_server.seen(OPEN))
        press(page, "Fetch them")
        loop.until(lambda: len(fault_server.seen(OPEN)) > before and resting(page))
        for each in fault_server.seen(OPEN)[before:]:
            assert each.query["IncludeNotes"] == each.query["IncludePOD"] == "true"
        loop.until(lambda: page.model.index(0, 1).data() == "None")
        assert page.bar.text == ""

    def test_it_is_not_said_again_of_the_same_columns_nor_of_others(
        self, loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
    ) -> None:
        refreshed(loop, page)
        page.columns.put(default_arrangement(("number", "carrier_phone")))
        loop.until(lambda: resting(page) and idle(page))
        assert page.bar.text == ""
        page.columns.put(default_arrangement(("number", "folders")))
        loop.until(lambda: page.bar.text.startswith("Documents of some of these orders are not known yet"))
        page.bar.clear()
        page.reload()
        loop.until(lambda: idle(page))
        assert page.bar.text == ""


class TestTroubleOfOurOwn:
    def test_a_cache_that_cannot_be_read_is_told_and_the_clock_goes_on(
        self, loop: RunningLoop, page: OrdersPage, window_desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        refreshed(loop, page)
        heard: list[str] = []
        page.provider_asked.connect(heard.append)

        async def broken(_desk: Desk) -> None:
            raise StoreError("The cache is damaged.")

        monkeypatch.setattr("app.desk.sync.order_sync.read_coverage", broken)
        page.refresher.results = {}
        refreshed(loop, page)
        assert page.bar.text.startswith("The cache is damaged.")
        assert heard == [], "nothing is said of the provider"
        assert page.refresher.next_in is not None

    def test_what_is_sent_goes_on_with_nothing_that_was_stopped(self, loop: RunningLoop, page: OrdersPage) -> None:
        page.refresher.start()
        loop.until(lambda: page.refresher.busy)
        page.refresher.stop()
        loop.until(lambda: resting(page))
        page.refresher._soon()
        assert page.refresher.stopped
        assert not page.tasks.running("refresh")
