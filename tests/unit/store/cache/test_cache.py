"""Orders in the cache: newer replies win, older ones do not, and members that were not requested are kept."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from app.store.cache import fetched_windows, forget, order_query, order_store
from app.store.cache.index import segments
from app.store.cache.order_rows import ListName, OrderFacts, OrderQuery, Stored
from app.store.cache.schema.cache_schema import CACHE, MAX_NUMBER
from app.store.sqlite.opening import open_file
from tests.support.order_facts import ASKED, facts, some

SECOND = timedelta(seconds=1)
IMPORTED = datetime(2026, 2, 10, 12)
OPTIONAL: dict[str, Any] = {
    "PO": ["PO-7"],
    "Notes": [{"Text": "two pallets"}],
    "Commodities": [{"CommodityCode": "SOFA", "Count": 2}],
    "ProofOfDelivery": [{"Filename": "a.jpg", "Folder": "POD"}],
}


@pytest.fixture
def c(tmp_path: Path) -> Iterator[apsw.Connection]:
    connection = open_file(tmp_path / "cache.sqlite3", CACHE)
    yield connection
    connection.close()


def store(c: apsw.Connection, *orders: OrderFacts, to: ListName | None = "open", at: datetime = ASKED) -> Stored:
    return order_store.store_orders(c, "p", to, orders, at)


def numbers(c: apsw.Connection, name: ListName = "open", text: str = "", profile: str = "p") -> list[int]:
    query = OrderQuery(profile, name, text, descending=False)
    found = [line.number for line in order_query.page_orders(c, query, 1_000)]
    assert order_query.count_orders(c, query) == len(found)
    return found


def raw(c: apsw.Connection, number: int) -> dict[str, Any]:
    detail = order_query.order_detail(c, "p", number)
    assert detail is not None
    found: dict[str, Any] = json.loads(detail.raw)
    return found


def test_an_order_comes_back_as_it_was_given(c: apsw.Connection) -> None:
    (order,) = some(1)
    assert store(c, order) == Stored(1, 0, 0)
    (line,) = order_query.page_orders(c, OrderQuery("p"), 10)
    assert line.list == "open"
    for column in set(line._fields) - {"list", "changed", "folders", "raw_fields"}:
        assert getattr(line, column) == getattr(order, column), column
    detail = order_query.order_detail(c, "p", order.number)
    assert detail is not None
    assert (detail.line, detail.raw, detail.seen_at, detail.changed_at) == (line, order.raw, ASKED, ASKED)
    assert order_query.order_detail(c, "p", 5) is None
    assert order_query.order_detail(c, "q", order.number) is None


def test_every_time_keeps_its_column(c: apsw.Connection) -> None:
    times = ("imported_at", "requested_delivery", "scheduled_delivery", "delivered_at", "received_at")
    given: dict[str, Any] = {name: ASKED + place * SECOND for place, name in enumerate(times)}
    store(c, facts(1, **given))
    (line,) = order_query.page_orders(c, OrderQuery("p"), 10)
    assert {name: getattr(line, name) for name in times} == given


def test_new_changed_and_same(c: apsw.Connection) -> None:
    store(c, facts(1, state="STD"), facts(2, state="STD"))
    later = ASKED + SECOND
    assert store(c, facts(1, state="AVL"), facts(2, state="STD"), facts(3), at=later) == Stored(1, 1, 1)
    for number, changed in ((1, later), (2, ASKED), (3, later)):
        detail = order_query.order_detail(c, "p", number)
        assert detail is not None
        assert (detail.seen_at, detail.changed_at) == (later, changed)
    assert [line.state for line in order_query.page_orders(c, OrderQuery("p", descending=False), 10)] == [
        "AVL",
        "STD",
        None,
    ]


def test_an_older_reply_never_replaces_a_newer_one(c: apsw.Connection) -> None:
    store(c, facts(1, state="DSO"), at=ASKED)
    assert store(c, facts(1, state="STD"), at=ASKED - SECOND) == Stored(0, 0, 1)
    assert store(c, facts(1, state="STD"), to="completed", at=ASKED - SECOND) == Stored(0, 0, 1)
    assert [line.state for line in order_query.page_orders(c, OrderQuery("p"), 10)] == ["DSO"]
    assert store(c, facts(1, state="CMP"), at=ASKED) == Stored(0, 1, 0)  # as old as the other: it came later


def test_texts_lie_in_the_order_in_which_they_came(c: apsw.Connection) -> None:
    """Numbers of a batch lie far apart: in their order, each batch would write nearly every page again."""

    def in_place() -> list[int]:
        return [
            number for (number,) in c.execute("SELECT number FROM raw_orders JOIN orders USING (id) ORDER BY place")
        ]

    store(c, facts(50), facts(3), facts(41))
    store(c, facts(7), facts(60))
    assert in_place() == [50, 3, 41, 7, 60]
    later = ASKED + SECOND
    assert store(c, facts(3, state="AVL", remarks="x" * 20_000), facts(5), at=later) == Stored(1, 1, 0)
    assert store(c, facts(41, state="CMP"), to="completed", at=later) == Stored(0, 1, 0)
    assert in_place() == [50, 3, 41, 7, 60, 5], "what has changed, or moved to another list, stays where it was"
    assert raw(c, 3)["state"] == "AVL"


class TestOptionalMembers:
    """Notes, documents, purchase orders and commodities come only if they are requested."""

    @pytest.mark.parametrize("member", OPTIONAL)
    def test_what_was_not_asked_for_is_kept(self, c: apsw.Connection, member: str) -> None:
        store(c, facts(1, extra={member: OPTIONAL[member]}, state="STD"))
        assert store(c, facts(1, state="STD"), at=ASKED + SECOND) == Stored(0, 0, 1)
        assert store(c, facts(1, state="AVL"), at=ASKED + 2 * SECOND) == Stored(0, 1, 0)
        assert raw(c, 1) == {"OrderNumber": 1, "state": "AVL", member: OPTIONAL[member]}

    @pytest.mark.parametrize("member", OPTIONAL)
    def test_what_was_asked_for_and_is_empty_is_empty(self, c: apsw.Connection, member: str) -> None:
        store(c, facts(1, extra={member: OPTIONAL[member]}))
        assert store(c, facts(1, extra={member: []}), at=ASKED + SECOND) == Stored(0, 1, 0)
        assert raw(c, 1)[member] == []

    def test_parts_come_to_what_is_known(self, c: apsw.Connection) -> None:
        store(c, facts(1, extra={"Notes": OPTIONAL["Notes"]}))
        store(c, facts(1, extra={"ProofOfDelivery": OPTIONAL["ProofOfDelivery"]}), at=ASKED + SECOND)
        assert raw(c, 1) == {
            "OrderNumber": 1,
            "Notes": OPTIONAL["Notes"],
            "ProofOfDelivery": OPTIONAL["ProofOfDelivery"],
        }

    def test_anything_else_that_is_gone_is_gone(self, c: apsw.Connection) -> None:
        store(c, facts(1, remarks="call first", requested_delivery=ASKED))
        store(c, facts(1), at=ASKED + SECOND)
        assert raw(c, 1) == {"OrderNumber": 1}
        assert order_query.page_orders(c, OrderQuery("p"), 1)[0].requested_delivery is None
        assert numbers(c, text="call") == []

    def test_purchase_orders_stay_searchable(self, c: apsw.Connection) -> None:
        order = facts(1, extra={"PO": OPTIONAL["PO"]})
        order.pos = "PO-7"
        store(c, order)
        store(c, facts(1, state="AVL"), at=ASKED + SECOND)
        assert numbers(c, text="po-7") == [1]

    def test_the_list_after_the_single_order_changes_nothing(self, c: apsw.Connection) -> None:
        """A list that repeats its text is compared with the digest of that text, not with the merged order."""
        store(c, facts(1, extra=OPTIONAL), to=None)
        for round_ in range(1, 4):
            assert store(c, facts(1), at=ASKED + round_ * SECOND) == Stored(0, 0, 1)
        assert raw(c, 1) == {"OrderNumber": 1} | OPTIONAL


class TestLists:
    def test_an_order_lies_on_one_list(self, c: apsw.Connection) -> None:
        order = facts(1, consignee_name="Rivera")
        store(c, order, facts(2))
        segments.index_some(c)
        assert store(c, order, to="completed", at=ASKED + SECOND) == Stored(0, 1, 0)
        assert (numbers(c), numbers(c, "completed")) == ([2], [1])
        for indexed in (False, True):
            if indexed:
                segments.index_some(c)
            assert (numbers(c, text="rivera"), numbers(c, "completed", "rivera")) == ([], [1])

    @pytest.mark.parametrize("state", ["CMP", "CAN"])
    def test_a_closed_order_of_both_lists_is_a_completed_one(self, c: apsw.Connection, state: str) -> None:
        order = facts(1, state=state)
        store(c, order)
        assert store(c, order, to="completed", at=ASKED + SECOND) == Stored(0, 1, 0)
        for round_ in range(2, 4):
            for name in ("open", "completed"):
                assert store(c, order, to=name, at=ASKED + round_ * SECOND) == Stored(0, 0, 1)
        assert (numbers(c), numbers(c, "completed")) == ([], [1])
        store(c, facts(1, state="STD"), at=ASKED + 4 * SECOND)
        assert (numbers(c), numbers(c, "completed")) == ([1], []), "it is open again"

    def test_an_order_asked_for_by_its_number(self, c: apsw.Connection) -> None:
        store(c, facts(1, state="STD"), to="completed")
        store(c, facts(1, state="STD"), facts(2, state="STD"), facts(3, state="CMP"), facts(4, state="CAN"), to=None)
        assert (numbers(c), numbers(c, "completed"), numbers(c, "other")) == ([2], [1, 3], [4])
        store(c, facts(2, state="CAN"), to=None, at=ASKED + SECOND)
        assert (numbers(c), numbers(c, "other")) == ([], [2, 4])

    def test_profiles_do_not_meet(self, c: apsw.Connection) -> None:
        store(c, facts(1, crn="A"))
        order_store.store_orders(c, "q", "open", [facts(1, crn="B")], ASKED)
        assert [line.crn for line in order_query.page_orders(c, OrderQuery("q"), 10)] == ["B"]
        assert order_query.find_crn(c, "p", "B") == []
        segments.index_some(c)
        forget.forget_profile(c, "p")
        assert (numbers(c), numbers(c, profile="q"), numbers(c, text="1", profile="q")) == ([], [1], [1])
        store(c, facts(1, crn="AAA"))
        assert numbers(c, text="aaa") == [1]


def test_numbers_no_order_can_have(c: apsw.Connection) -> None:
    stored = store(c, facts(-1), facts(0), facts(MAX_NUMBER), facts(MAX_NUMBER + 1), facts(2**70))
    assert stored == Stored(2, 0, 0, (-1, MAX_NUMBER + 1, 2**70))
    assert numbers(c) == [0, MAX_NUMBER]


def test_the_same_order_twice_in_a_reply(c: apsw.Connection) -> None:
    assert store(c, facts(1, state="STD"), facts(1, state="AVL")) == Stored(1, 0, 0)
    assert order_query.page_orders(c, OrderQuery("p"), 10)[0].state == "AVL"


def test_nothing_at_all(c: apsw.Connection) -> None:
    assert store(c) == Stored(0, 0, 0)
    assert segments.index_some(c) == 0
    assert fetched_windows.read_windows(c, "p", "open") == []
    assert numbers(c) == []


def test_half_characters_and_other_odd_text(c: apsw.Connection) -> None:
    odd = facts(1, consignee_name="half \ud83d", remarks="nul \0 and \u202e right to left")
    odd.raw = json.dumps({"OrderNumber": 1, "Notes": ["\ud83d"], "Name": odd.consignee_name})
    store(c, odd)
    (line,) = order_query.page_orders(c, OrderQuery("p"), 10)
    assert line.consignee_name == "half \\ud83d"
    later = facts(1, consignee_name="half \ud83d", state="AVL")
    later.raw = json.dumps({"OrderNumber": 1, "Name": later.consignee_name})
    store(c, later, at=ASKED + SECOND)
    assert raw(c, 1) == {"OrderNumber": 1, "Name": "half \ud83d", "Notes": ["\ud83d"]}
    for text in ("half", "\ud83d", "\0", '"', "'", "a*b", "AND", "NEAR(", "-x", "%"):
        numbers(c, text=text)


class TestWindows:
    START, END = datetime(2026, 2, 8), datetime(2026, 2, 14, 23, 59, 59)

    def finish(self, c: apsw.Connection, at: datetime = ASKED, count: int | None = 1, error: str | None = None) -> int:
        return fetched_windows.finish_window(c, "p", "open", self.START, self.END, at, count, error)

    def test_open_orders_that_vanished_go_to_the_other_list(self, c: apsw.Connection) -> None:
        store(c, *(facts(number, imported_at=IMPORTED, crn=f"CRN-{number}") for number in (1, 2)))
        store(c, facts(3, imported_at=self.START - SECOND), facts(4, imported_at=self.END + SECOND), facts(5))
        segments.index_some(c)
        later = ASKED + SECOND
        store(c, facts(1, imported_at=IMPORTED, crn="CRN-1"), at=later)
        assert self.finish(c, later) == 1
        assert (numbers(c), numbers(c, "other")) == ([1, 3, 4, 5], [2])
        assert (numbers(c, text="crn-2"), numbers(c, "other", "crn-2")) == ([], [2])
        store(c, facts(2, imported_at=IMPORTED), at=later + SECOND)
        assert numbers(c) == [1, 2, 3, 4, 5]

    def test_the_ends_of_the_window_belong_to_it(self, c: apsw.Connection) -> None:
        store(c, facts(1, imported_at=self.START), facts(2, imported_at=self.END))
        assert self.finish(c, ASKED + SECOND) == 2

    def test_a_window_that_failed_drops_nothing(self, c: apsw.Connection) -> None:
        store(c, facts(1, imported_at=IMPORTED))
        assert self.finish(c, ASKED + SECOND, None, "It said \ud83d.") == 0
        assert numbers(c) == [1]

    def test_completed_orders_never_vanish(self, c: apsw.Connection) -> None:
        store(c, facts(1, imported_at=IMPORTED), to="completed")
        assert fetched_windows.finish_window(c, "p", "completed", self.START, self.END, ASKED + SECOND, 0) == 0
        assert numbers(c, "completed") == [1]

    def test_what_was_known_of_a_window_outlives_a_failure(self, c: apsw.Connection) -> None:
        self.finish(c, ASKED, None, "No connection.")
        (window,) = fetched_windows.read_windows(c, "p", "open")
        assert (window.fetched_at, window.count, window.error) == (None, None, "No connection.")
        self.finish(c, ASKED, 7)
        self.finish(c, ASKED + SECOND, None, "The service is busy.")
        (window,) = fetched_windows.read_windows(c, "p", "open")
        assert (window.start, window.end) == (self.START, self.END)
        assert (window.fetched_at, window.count, window.error) == (ASKED, 7, "The service is busy.")
        self.finish(c, ASKED + 2 * SECOND, 8)
        (window,) = fetched_windows.read_windows(c, "p", "open")
        assert (window.fetched_at, window.count, window.error) == (ASKED + 2 * SECOND, 8, None)

    def test_no_two_windows_share_a_moment(self, c: apsw.Connection) -> None:
        day = timedelta(days=1)
        self.finish(c)
        fetched_windows.finish_window(c, "p", "completed", self.START, self.END, ASKED, 1)
        fetched_windows.finish_window(c, "p", "open", self.START - day, self.END - day, ASKED, 1)
        found = fetched_windows.read_windows(c, "p", "open")
        assert [(each.start, each.count) for each in found] == [(self.END - day + SECOND, None), (self.START - day, 1)]
        fetched_windows.finish_window(c, "p", "open", self.START - 2 * day, self.END, ASKED + SECOND, None, "Failed.")
        found = fetched_windows.read_windows(c, "p", "open")
        assert [(each.start, each.fetched_at, each.error, each.tries) for each in found] == [
            (self.END - day + SECOND, ASKED, "Failed.", 1),
            (self.START - day, ASKED, "Failed.", 1),
            (self.START - 2 * day, None, "Failed.", 1),
        ]
        fetched_windows.finish_window(c, "p", "open", self.START - 2 * day, self.END, ASKED, 2)
        assert [(each.count, each.tries) for each in fetched_windows.read_windows(c, "p", "open")] == [(2, 0)]
        assert len(fetched_windows.read_windows(c, "p", "completed")) == 1
