"""A segment is built on another connection and added later: orders changed meanwhile wait, and searches stay right."""

from collections.abc import Iterator
from datetime import timedelta

import apsw
import pytest

from app.store.cache import forget, order_query, order_store
from app.store.cache.index import segments
from app.store.cache.order_rows import OrderQuery
from tests.support.cache_memory import memory
from tests.support.order_facts import ASKED, facts


@pytest.fixture
def c() -> Iterator[apsw.Connection]:
    connection = memory()
    yield connection
    connection.close()


def found(c: apsw.Connection, text: str) -> list[int]:
    query = OrderQuery("p", "open", text=text, sort="number", descending=False)
    return [line.number for line in order_query.page_orders(c, query, 100)]


def test_what_was_touched_since_a_segment_was_made_still_waits(c: apsw.Connection) -> None:
    named = [facts(number, consignee_name="Rivera") for number in range(1, 21)]
    order_store.store_orders(c, "p", "open", named, ASKED)
    made = segments.build(c, 100, 1)
    assert made is not None
    later = ASKED + timedelta(seconds=1)
    order_store.store_orders(
        c, "p", "open", [facts(3, consignee_name="Tanaka"), facts(21, consignee_name="Rivera")], later
    )
    order_store.store_orders(c, "p", "completed", [facts(7, consignee_name="Rivera")], later)
    expected = [number for number in range(1, 22) if number not in (3, 7)]
    assert (found(c, "rivera"), found(c, "tanaka")) == (expected, [3])
    assert segments.add(c, made, 1) == segments.count_unindexed(c) == 4, "3, 21, and 7 where it was and is"
    assert (found(c, "rivera"), found(c, "tanaka")) == (expected, [3])
    while segments.index_some(c, 100, 1):
        pass
    assert (found(c, "rivera"), found(c, "tanaka")) == (expected, [3])
    assert segments.count_unindexed(c) == 0


def test_a_segment_of_orders_that_are_gone_or_indexed_meanwhile_brings_nothing(c: apsw.Connection) -> None:
    order_store.store_orders(c, "p", "open", [facts(1, consignee_name="Rivera")], ASKED)
    made = segments.build(c, 100, 1)
    assert made is not None
    segments.index_some(c, 100, 1)
    assert segments.add(c, made, 1) == 0
    assert found(c, "rivera") == [1]
    assert c.execute("SELECT count(*) FROM segments").fetchall() == [(1,)]
    forget.forget_profile(c, "p")
    assert segments.add(c, made, 1) == 0
    assert found(c, "rivera") == []
    assert segments.build(c, 100, 1) is None
