"""Every query finds what a plain look through all orders finds, whichever way it takes."""

import functools
import itertools
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import apsw
import pytest

from app.store import cache, cache_query
from app.store.cache_rows import SORTS, OrderFacts, OrderLine, OrderQuery
from app.store.opening import open_file
from app.store.search_text import plain, searched_text
from tests.support.order_facts import ASKED, facts, some

ORDERS = some(400)
TEXTS = [
    *("", "mem", "MEMPHIS", "rivera", "nunez", "josé", "crn-0", "o'neil", "main st", "12 main", "smith nash", "po1"),
    *("5", "e", "zq", "a e", "555-0", "call 9", "100%", "goods_", "_", "%", '"', "nothing like it", "1 2 3 main"),
]


@pytest.fixture(scope="module")
def c(tmp_path_factory: pytest.TempPathFactory) -> Iterator[apsw.Connection]:
    connection = open_file(tmp_path_factory.mktemp("cache") / "cache.sqlite3", cache.CACHE)
    cache.store_orders(connection, "other profile", "open", some(50, seed=2), ASKED)
    cache.store_orders(connection, "p", "completed", some(50, seed=3, first=9_000), ASKED)
    cache.store_orders(connection, "p", "open", ORDERS[:250], ASKED)
    while cache.index_some(connection, 70):
        pass
    cache.store_orders(connection, "p", "open", ORDERS[250:], ASKED)
    cache.index_some(connection, 70)  # so some wait, as in the middle of a refresh
    yield connection
    connection.close()


SEARCHED = [(order, searched_text(order, order.pos)) for order in ORDERS]


@functools.cache
def found_plainly(text: str) -> list[OrderFacts]:
    return [order for order, searched in SEARCHED if all(word in searched for word in plain(text).split())]


def sorted_plainly(orders: list[OrderFacts], sort: str, descending: bool) -> list[int]:
    def key(order: OrderFacts) -> tuple[bool, object, int]:
        value = getattr(order, sort)
        folded = _nocase(value) if "NOCASE" in SORTS[sort] and value is not None else value
        return (value is not None, "" if folded is None else str(folded), order.number)

    return [order.number for order in sorted(orders, key=key, reverse=descending)]


def _nocase(text: str) -> str:
    """SQLite's NOCASE folds the 26 letters of ASCII and no other."""
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)


@pytest.mark.parametrize("text", TEXTS)
def test_counts(c: apsw.Connection, text: str) -> None:
    assert cache.count_orders(c, OrderQuery("p", "open", text)) == len(found_plainly(text))


@pytest.mark.parametrize("few", [0, 10_000], ids=["walking", "sorting"])
@pytest.mark.parametrize("near", [0, 10_000], ids=["set", "texts"])
@pytest.mark.parametrize("sort", SORTS)
def test_pages(c: apsw.Connection, sort: str, few: int, near: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_query, "_FEW", few)
    monkeypatch.setattr(cache_query, "_NEAR", near)
    for text, descending in itertools.product(TEXTS, (False, True)):
        query = OrderQuery("p", "open", text, sort, descending)
        expected = sorted_plainly(found_plainly(text), sort, descending)
        for offset in (0, 1, len(expected) // 2, len(expected)):
            page = cache.page_orders(c, query, 20, offset)
            assert [line.number for line in page] == expected[offset : offset + 20], (query, offset)


@pytest.mark.parametrize("sort", list(SORTS)[:7])
def test_common_sorts_rest_on_an_index(c: apsw.Connection, sort: str) -> None:
    statements: list[str] = []
    c.trace_v2(apsw.SQLITE_TRACE_STMT, lambda event: statements.append(event["sql"]))
    cache.page_orders(c, OrderQuery("p", "open", "", sort), 20)
    c.trace_v2(0, None)
    (page,) = (statement for statement in statements if "LIMIT" in statement)
    plan = [
        detail
        for *_, detail in c.execute(
            f"EXPLAIN QUERY PLAN {page}", dict.fromkeys(("limit", "offset", "shelf", "low", "high", "list"), 1)
        )
    ]
    assert sum("TEMP B-TREE" in detail for detail in plan) <= 1, plan  # for the page itself, not for the list
    assert any("COVERING INDEX orders_" in detail or "PRIMARY KEY" in detail for detail in plan), plan


def test_an_unknown_sort_is_refused(c: apsw.Connection) -> None:
    with pytest.raises(KeyError):
        cache.page_orders(c, OrderQuery("p", sort="number; DROP TABLE orders"), 10)


def test_finding_a_reference(c: apsw.Connection, tmp_path: Path) -> None:
    connection = open_file(tmp_path / "cache.sqlite3", cache.CACHE)
    cache.store_orders(connection, "p", "open", [facts(3, crn="R 1"), facts(4, crn="r 1")], ASKED)
    cache.store_orders(connection, "p", "other", [facts(5, crn="R 1"), facts(6, crn="R 10")], ASKED)
    cache.store_orders(connection, "q", "open", [facts(7, crn="R 1")], ASKED)
    found: list[OrderLine] = cache.find_crn(connection, "p", "R 1")
    assert [(line.number, line.list) for line in found] == [(5, "other"), (3, "open")]
    connection.close()


def test_no_word_runs_from_one_field_into_the_next(tmp_path: Path) -> None:
    connection = open_file(tmp_path / "cache.sqlite3", cache.CACHE)
    cache.store_orders(connection, "p", "open", [facts(1, consignee_name="Ana", city="Memphis")], ASKED)
    for text in ("anamem", "ana\nmem"):
        expected = 0 if text == "anamem" else 1  # a blank of any kind divides words
        assert cache.count_orders(connection, OrderQuery("p", "open", text)) == expected
    connection.close()


def test_a_time_without_seconds_is_kept_whole(tmp_path: Path) -> None:
    connection = open_file(tmp_path / "cache.sqlite3", cache.CACHE)
    cache.store_orders(connection, "p", "open", [facts(1, imported_at=datetime(2026, 1, 2))], ASKED)
    assert cache.page_orders(connection, OrderQuery("p"), 1)[0].imported_at == datetime(2026, 1, 2)
    connection.close()
