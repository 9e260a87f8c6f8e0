"""In any history of replies, an order lies on one list, and every search agrees with the stored orders."""

from datetime import datetime, timedelta

import apsw
import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from app.store.cache import fetched_windows, order_query, order_store
from app.store.cache.index import merging, segments
from app.store.cache.order_rows import ListName, OrderFacts, OrderQuery
from app.store.cache.schema.cache_schema import CACHE
from tests.support.order_facts import ASKED, facts

pytestmark = pytest.mark.slow

LISTS: tuple[ListName, ...] = ("open", "completed", "other")
NAMES = ("Rivera", "Smith", "José Nuñez")
DAYS = tuple(datetime(2026, 2, day) for day in (1, 2, 3))

numbers = st.integers(1, 6)
orders = st.lists(st.tuples(numbers, st.sampled_from(NAMES), st.sampled_from(DAYS)), max_size=4)
lists = st.sampled_from([*LISTS, None])


class Histories(RuleBasedStateMachine):
    """Replies, windows and indexing in any order, compared with a dictionary that follows the same rules."""

    def __init__(self) -> None:
        super().__init__()
        self.c = self._memory()
        self.clock = 0
        self.known: dict[int, tuple[ListName, OrderFacts, int]] = {}

    @staticmethod
    def _memory() -> apsw.Connection:
        connection = apsw.Connection(":memory:")
        for statements in CACHE.migrations:
            for statement in statements:
                connection.execute(statement)
        return connection

    @rule(found=orders, name=lists, age=st.integers(0, 2))
    def reply(self, found: list[tuple[int, str, datetime]], name: ListName | None, age: int) -> None:
        self.clock += 1
        asked = self.clock - age
        given = [facts(number, consignee_name=who, imported_at=day) for number, who, day in found]
        order_store.store_orders(self.c, "p", name, given, ASKED + timedelta(seconds=asked))
        for order in {order.number: order for order in given}.values():
            known = self.known.get(order.number)
            if known is None or known[2] <= asked:
                place = name or (known[0] if known else "open")
                self.known[order.number] = (place, order, asked)

    @rule(day=st.sampled_from(DAYS), age=st.integers(0, 2))
    def window(self, day: datetime, age: int) -> None:
        end = day + timedelta(hours=23)
        asked = self.clock - age
        gone = fetched_windows.finish_window(self.c, "p", "open", day, end, ASKED + timedelta(seconds=asked), 0)
        leaving = [
            number
            for number, (name, order, seen) in self.known.items()
            if name == "open" and order.imported_at == day and seen < asked
        ]
        assert gone == len(leaving)
        for number in leaving:
            self.known[number] = ("other", *self.known[number][1:])

    @rule(limit=st.integers(1, 3))
    def index(self, limit: int) -> None:
        segments.index_some(self.c, limit, 1)

    @rule(steps=st.integers(1, 8))
    def merge(self, steps: int) -> None:
        for _ in range(steps):
            merging.merge_step(self.c)

    @rule()
    def break_merge_off(self) -> None:
        merging.break_off(self.c)

    @invariant()
    def every_list_and_search_agrees(self) -> None:
        for name in LISTS:
            held = {number: order for number, (place, order, _) in self.known.items() if place == name}
            for text in ("", "riv", "smith", "nunez", "z", *map(str, range(1, 7))):
                expected = sorted(
                    number
                    for number, order in held.items()
                    if text in f"{number}\n{order.consignee_name}".lower().replace("é", "e").replace("ñ", "n")
                )
                query = OrderQuery("p", name, text, descending=False)
                assert [line.number for line in order_query.page_orders(self.c, query, 50)] == expected
                assert order_query.count_orders(self.c, query) == len(expected)
        for number, (name, order, _) in self.known.items():
            detail = order_query.order_detail(self.c, "p", number)
            assert detail is not None
            assert (detail.line.list, detail.line.consignee_name, detail.raw) == (name, order.consignee_name, order.raw)

    @invariant()
    def the_tables_know_the_same_orders(self) -> None:
        kept = {
            table: set(self.c.execute(f"SELECT id FROM {table}"))  # noqa: S608
            for table in ("orders", "raw_orders", "search_texts", "seen")
        }
        assert len(kept["orders"]) == len(self.known)
        assert len({frozenset(keys) for keys in kept.values()}) == 1

    def teardown(self) -> None:
        self.c.close()


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "TOGETHER", 2)
    monkeypatch.setattr(merging, "_STORED", 100)
    monkeypatch.setattr(merging, "_DELETED", 5)


TestHistories = Histories.TestCase
TestHistories.settings = settings(max_examples=60, stateful_step_count=20, deadline=None)
