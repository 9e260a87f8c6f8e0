"""Segments are merged in steps: at each of them every search finds what it found before, and nothing stays behind."""

from collections.abc import Iterator
from datetime import timedelta

import apsw
import pytest
from pyroaring import BitMap64

from app.store.cache import forget, order_query, order_store
from app.store.cache.index import key_sets, merging, segments
from app.store.cache.order_rows import ListName, OrderQuery
from app.store.cache.schema.conditions import Clause
from app.store.sqlite.plain_rows import rows
from tests.support.cache_memory import memory
from tests.support.order_facts import ASKED, facts, some

QUERIES = (
    *(OrderQuery("p", "open", text=text, sort="number") for text in ("r", "ri", "mai", "rivera", "9015", "zoe zhang")),
    OrderQuery("p", "open", clauses=(Clause("state", ("STD", "PLN")),), sort="number"),
    OrderQuery("p", "completed", clauses=(Clause("city", ("Mobile",), negated=True),), sort="number"),
    OrderQuery("q", "completed", text="memphis", sort="number"),
)


@pytest.fixture
def c(monkeypatch: pytest.MonkeyPatch) -> Iterator[apsw.Connection]:
    # So that a hundred orders are merged in many steps.
    for name, less in (("_STORED", 2_000), ("_DELETED", 100)):
        monkeypatch.setattr(merging, name, less)
    connection = memory()
    yield connection
    connection.close()


def fill(c: apsw.Connection, profile: str, count: int = merging.TOGETHER) -> None:
    """As many segments of twenty orders each."""
    for at in range(count):
        made = some(20, seed=at, first=1_000 + at * 20)
        name: ListName = "open" if at % 3 else "completed"
        order_store.store_orders(c, profile, name, made, ASKED + timedelta(seconds=at))
        segments.index_some(c, 20, 1)


def found(c: apsw.Connection) -> list[list[int]]:
    return [[line.number for line in order_query.page_orders(c, query, 1_000)] for query in QUERIES]


def segment_numbers(c: apsw.Connection) -> list[int]:
    return [number for (number,) in rows(c, "SELECT segment FROM segments ORDER BY segment")]


def with_lists(c: apsw.Connection) -> list[int]:
    return [number for (number,) in rows(c, "SELECT DISTINCT segment FROM postings ORDER BY segment")]


def merge(c: apsw.Connection) -> int:
    steps = 0
    while merging.merge_step(c):
        steps += 1
    return steps


def test_every_search_finds_the_same_at_each_step(c: apsw.Connection) -> None:
    fill(c, "p")
    fill(c, "q", 1)
    before, apart = found(c), segment_numbers(c)
    assert all(before), "each query finds something"
    steps = 0
    while merging.merge_step(c):
        steps += 1
        assert found(c) == before
    assert steps > 20
    kept = segment_numbers(c)
    assert len(apart) == merging.TOGETHER + 1
    assert len(kept) == 2
    assert set(kept) & set(apart) == {apart[-1]}, "the segment of the other profile"
    assert with_lists(c) == kept
    assert rows(c, "SELECT * FROM merging") == []
    assert found(c) == before
    assert rows(c, "SELECT dead FROM segments") == [(0,), (0,)]


def test_too_few_or_large_segments_are_left_alone(c: apsw.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(c, "p", merging.TOGETHER - 1)
    fill(c, "q", merging.TOGETHER - 1)
    assert merge(c) == 0
    fill(c, "q", merging.TOGETHER)
    monkeypatch.setattr(merging, "_LARGE", 20)
    assert merge(c) == 0


def test_the_smallest_are_merged(c: apsw.Connection) -> None:
    large = some(60, seed=50, first=9_000)
    order_store.store_orders(c, "p", "open", large, ASKED)
    segments.index_some(c, 60, 1)
    (largest,) = segment_numbers(c)
    fill(c, "p")
    merge(c)
    assert largest in segment_numbers(c)
    assert len(segment_numbers(c)) == 2


@pytest.mark.parametrize("after", [1, 5, 12, 25])
def test_an_order_that_changes_during_a_merge_is_found_as_it_is_now(c: apsw.Connection, after: int) -> None:
    fill(c, "p")
    for _ in range(after):
        assert merging.merge_step(c)
    changed = [facts(number, consignee_name="Tanaka") for number in range(1_020, 1_060, 3)]
    order_store.store_orders(c, "p", "open", changed, ASKED + timedelta(hours=1))
    expected = found(c)
    segments.index_some(c, 100, 1)  # the changed orders get a segment of their own, which is not merged
    assert found(c) == expected
    while merging.merge_step(c):
        assert found(c) == expected
    tanaka = OrderQuery("p", "open", text="tanaka", sort="number", descending=False)
    numbers = [line.number for line in order_query.page_orders(c, tanaka, 100)]
    assert numbers == [each.number for each in changed]
    assert with_lists(c) == segment_numbers(c)


def test_what_an_order_was_before_is_not_merged(c: apsw.Connection) -> None:
    fill(c, "p", merging.TOGETHER - 1)
    order_store.store_orders(c, "p", "open", [facts(1_020, consignee_name="Tanaka")], ASKED + timedelta(hours=1))
    segments.index_some(c, 100, 1)
    expected = found(c)
    assert merge(c)
    assert len(segment_numbers(c)) == 1
    assert rows(c, "SELECT dead FROM segments") == [(0,)]
    assert found(c) == expected
    key = 1_020 | (rows(c, "SELECT id FROM orders WHERE number = 1021")[0][0] - 1_021)
    state = rows(c, "SELECT term, keys FROM postings WHERE term LIKE 'state=%'")
    assert sum(key in BitMap64.deserialize(keys) for _, keys in state) == 1, "only the state of now"


@pytest.mark.parametrize("after", [1, 12, 60])
def test_nothing_of_a_forgotten_profile_stays_in_an_unfinished_merge(c: apsw.Connection, after: int) -> None:
    fill(c, "p")
    for _ in range(after):
        merging.merge_step(c)
    forget.forget_profile(c, "p")
    assert rows(c, "SELECT * FROM merging") == rows(c, "SELECT * FROM postings") == []
    assert merge(c) == 0
    assert not any(found(c))


def test_segments_of_which_every_order_goes_during_a_merge_leave_nothing(c: apsw.Connection) -> None:
    fill(c, "p")
    for _ in range(10):
        merging.merge_step(c)
    while forget.forget_step(c, "p"):
        pass
    fill(c, "q", 1)
    merge(c)
    assert with_lists(c) == segment_numbers(c)
    assert len(segment_numbers(c)) == 1


def test_frequent_prefixes_of_a_merged_segment_are_known(c: apsw.Connection) -> None:
    fill(c, "p")
    before = key_sets.prefixes(c)
    assert before
    merge(c)
    assert key_sets.prefixes(c) == before
    assert key_sets.index_cache(c).prefix_segments == set(segment_numbers(c))
