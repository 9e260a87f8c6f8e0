"""Each day has one age and one error; departed orders stay listed until found; the clock may be set back."""

import itertools
from collections.abc import Iterator
from datetime import datetime, timedelta

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.store.cache import fetched_windows, forget, order_query, order_store
from app.store.cache.fetched_windows import overlaid
from app.store.cache.order_rows import OrderQuery, WindowRow
from app.store.cache.schema.cache_schema import CACHE
from tests.support.order_facts import ASKED, facts

SECOND, DAY = timedelta(seconds=1), timedelta(days=1)
FIRST = datetime(2026, 2, 1)
IMPORTED = FIRST + timedelta(hours=8)

TRIES = st.lists(st.tuples(st.integers(0, 11), st.integers(1, 6), st.booleans()), max_size=12)


@given(TRIES)
def test_each_day_knows_when_it_came_whole_and_how_often_it_failed_since(tries: list[tuple[int, int, bool]]) -> None:
    """Compared with a plain model, day by day."""
    known: list[WindowRow] = []
    whole_at: dict[int, datetime] = {}
    failed: dict[int, int] = {}
    for clock, (day, length, whole) in enumerate(tries):
        at = ASKED + clock * SECOND
        start, end = FIRST + day * DAY, FIRST + (day + length) * DAY - SECOND
        known = overlaid(known, WindowRow(start, end, at if whole else None, 7, None if whole else "No.", at))
        for each in range(day, day + length):
            if whole:
                whole_at[each], failed[each] = at, 0
            else:
                failed[each] = failed.get(each, 0) + 1
    for each in range(20):
        moment = FIRST + each * DAY + timedelta(hours=3)
        found = [row for row in known if row.start <= moment <= row.end]
        assert len(found) == (each in failed)
        for row in found:
            assert (row.fetched_at, row.tries) == (whole_at.get(each), failed[each])
            assert (row.error is None) == (failed[each] == 0)
    spans = sorted((row.start, row.end) for row in known)
    assert all(before[1] < after[0] for before, after in itertools.pairwise(spans))


def empty() -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    for statement in itertools.chain.from_iterable(CACHE.migrations):
        assert isinstance(statement, str)
        connection.execute(statement)
    return connection


@pytest.fixture
def c() -> Iterator[apsw.Connection]:
    connection = empty()
    yield connection
    connection.close()


def leave(c: apsw.Connection, *numbers: int, at: datetime = ASKED) -> None:
    """These orders leave the open list."""
    order_store.store_orders(c, "p", "open", [facts(each, imported_at=IMPORTED, state="STD") for each in numbers], at)
    fetched_windows.finish_window(c, "p", "open", FIRST, FIRST + DAY, at + SECOND, 0)


class TestOrdersThatLeft:
    def test_they_are_named_newest_first_and_as_many_as_wanted(self, c: apsw.Connection) -> None:
        leave(c, 1, 2)
        leave(c, 3, at=ASKED + DAY)
        assert fetched_windows.departed(c, "p", 9, ASKED) == [3, 2, 1]
        assert fetched_windows.departed(c, "p", 2, ASKED) == [3, 2]
        assert fetched_windows.departed(c, "other", 9, ASKED) == []
        assert fetched_windows.count_departed(c, "p") == (3, 3)

    def test_one_that_was_asked_for_has_its_rest(self, c: apsw.Connection) -> None:
        leave(c, 1, 2)
        fetched_windows.note_lookup(c, "p", 2, ASKED + DAY, "no such order")
        assert fetched_windows.departed(c, "p", 9, ASKED + DAY) == [1]
        assert fetched_windows.departed(c, "p", 9, ASKED + DAY + SECOND) == [1, 2], "never asked for comes first"
        assert fetched_windows.count_departed(c, "p") == (2, 1)

    @pytest.mark.parametrize("to", ["completed", "open"])
    def test_one_that_is_found_on_a_list_is_no_longer_looked_for(self, c: apsw.Connection, to: str) -> None:
        leave(c, 1, 2)
        order = [facts(1, imported_at=IMPORTED)]
        order_store.store_orders(c, "p", "open" if to == "open" else "completed", order, ASKED + DAY)
        assert fetched_windows.departed(c, "p", 9, ASKED) == [2]
        assert fetched_windows.count_departed(c, "p") == (1, 1)

    @pytest.mark.parametrize("state", ["CMP", "CAN"])
    def test_one_that_turns_out_to_be_closed_is_no_longer_looked_for(self, c: apsw.Connection, state: str) -> None:
        leave(c, 1)
        order_store.store_orders(c, "p", None, [facts(1, imported_at=IMPORTED, state=state)], ASKED + DAY)
        assert fetched_windows.departed(c, "p", 9, ASKED) == []

    def test_one_whose_time_has_a_zone_has_left_when_the_windows_beside_it_came_without_it(
        self, c: apsw.Connection
    ) -> None:
        """The provider's day may be the one before or after; its windows may have shown the order meanwhile."""
        zoned = facts(1, imported_at=IMPORTED, extra={"DateImported": "2026-02-02T04:00:00Z"})
        order_store.store_orders(c, "p", "open", [zoned, facts(2, imported_at=IMPORTED)], ASKED)

        def fetch(day: int, at: datetime) -> int:
            start = FIRST + day * DAY
            return fetched_windows.finish_window(c, "p", "open", start, start + DAY - SECOND, at, 0)

        assert fetch(0, ASKED + SECOND) == 1
        assert fetched_windows.departed(c, "p", 9, ASKED) == [2]
        fetch(-1, ASKED + SECOND)
        order_store.store_orders(c, "p", "open", [zoned], ASKED + 2 * SECOND)
        fetch(1, ASKED + 2 * SECOND)
        assert fetch(0, ASKED + 3 * SECOND) == 0, "the day after has it"
        fetch(1, ASKED + 4 * SECOND)
        assert fetch(0, ASKED + 5 * SECOND) == 0, "the day before was fetched when it was still known"
        fetch(-1, ASKED + 6 * SECOND)
        assert fetch(0, ASKED + 7 * SECOND) == 1
        assert fetched_windows.departed(c, "p", 9, ASKED) == [1, 2]

    def test_today_is_fetched_a_day_further(self, c: apsw.Connection) -> None:
        zoned = facts(1, imported_at=IMPORTED, extra={"DateImported": "2026-02-01T14:00:00Z"})
        noon = FIRST + timedelta(hours=12)
        order_store.store_orders(c, "p", "open", [zoned], noon)
        fetched_windows.finish_window(c, "p", "open", FIRST - DAY, FIRST - SECOND, noon + SECOND, 0)
        assert fetched_windows.finish_window(c, "p", "open", FIRST, FIRST + DAY - SECOND, noon + SECOND, 0) == 1

    def test_a_profile_that_is_forgotten_looks_for_nothing(self, c: apsw.Connection) -> None:
        leave(c, 1)
        forget.forget_profile(c, "p")
        assert fetched_windows.count_departed(c, "p") == (0, 0)


class TestAClockThatWasSetBack:
    def test_what_is_asked_afterwards_still_replaces_what_is_known(self, c: apsw.Connection) -> None:
        order_store.store_orders(c, "p", "open", [facts(1, imported_at=IMPORTED, city="Old")], ASKED)
        fetched_windows.finish_window(c, "p", "open", FIRST, FIRST + DAY, ASKED, 1)
        earlier = ASKED - timedelta(hours=3)
        assert fetched_windows.clamp_to_clock(c, earlier)
        assert not fetched_windows.clamp_to_clock(c, earlier), "it is heeded once"
        order_store.store_orders(c, "p", "open", [facts(1, imported_at=IMPORTED, city="New")], earlier)
        assert order_query.page_orders(c, OrderQuery("p"), 9)[0].city == "New"
        (window,) = fetched_windows.read_windows(c, "p", "open")
        assert window.fetched_at == earlier

    def test_every_profile_looks_up_again_what_was_looked_up_in_the_future(self, c: apsw.Connection) -> None:
        for profile in ("p", "q"):
            order_store.store_orders(c, profile, "open", [facts(1, imported_at=IMPORTED)], ASKED)
            fetched_windows.finish_window(c, profile, "open", FIRST, FIRST + DAY, ASKED + SECOND, 0)
            fetched_windows.note_lookup(c, profile, 1, ASKED + SECOND, "no such order")
        earlier = ASKED - DAY
        assert fetched_windows.clamp_to_clock(c, earlier)
        for profile in ("p", "q"):
            assert fetched_windows.departed(c, profile, 9, earlier) == []
            assert fetched_windows.departed(c, profile, 9, earlier + SECOND) == [1]

    def test_a_clock_that_runs_on_changes_nothing(self, c: apsw.Connection) -> None:
        leave(c, 1)
        assert not fetched_windows.clamp_to_clock(c, ASKED + SECOND)
        assert not fetched_windows.clamp_to_clock(empty(), ASKED)
