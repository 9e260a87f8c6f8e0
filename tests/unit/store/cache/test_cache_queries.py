"""Every query finds the orders that a plain search through all orders finds, whichever way the store takes."""

import asyncio
import functools
import itertools
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from app.store.cache import order_query, order_store
from app.store.cache.index import page_search, segments, sort_order
from app.store.cache.order_columns import searched_text
from app.store.cache.order_rows import COMMON_SORTS, INDEXED, SORTS, ListName, OrderFacts, OrderLine, OrderQuery
from app.store.cache.schema.cache_schema import CACHE
from app.store.sqlite.database import Database
from app.store.sqlite.opening import open_file
from app.store.sqlite.search_text import plain
from tests.support.order_facts import ASKED, facts, some

pytestmark = pytest.mark.slow

ORDERS = some(400)
TODAY = date(2026, 2, 20)
TEXTS = [
    *("", "mem", "MEMPHIS", "rivera", "nunez", "josé", "crn-0", "o'neil", "main st", "12 main", "smith nash", "po1"),
    *("5", "e", "zq", "a e", "555-0", "call 9", "100%", "goods_", "_", "%", '"', "nothing like it", "1 2 3 main"),
]


@pytest.fixture(scope="module")
def c(tmp_path_factory: pytest.TempPathFactory) -> Iterator[apsw.Connection]:
    connection = _filled(tmp_path_factory)
    yield connection
    connection.close()


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[apsw.Connection]:
    """A cache with an index for every sort column."""
    connection = _filled(tmp_path_factory)
    for sort in SORTS:
        sort_order.prepare_sort(connection, sort)
    yield connection
    connection.close()


def _filled(tmp_path_factory: pytest.TempPathFactory) -> apsw.Connection:
    connection = open_file(tmp_path_factory.mktemp("cache") / "cache.sqlite3", CACHE)
    order_store.store_orders(connection, "other profile", "open", some(50, seed=2), ASKED)
    order_store.store_orders(connection, "p", "completed", some(50, seed=3, first=9_000), ASKED)
    order_store.store_orders(connection, "p", "open", ORDERS[:250], ASKED)
    while segments.index_some(connection, 70, 1):
        pass
    order_store.store_orders(connection, "p", "open", ORDERS[250:], ASKED)
    segments.index_some(connection, 70, 1)  # so some wait, as in the middle of a refresh
    return connection


SEARCHED = [(order, searched_text(order)) for order in ORDERS]


@functools.cache
def found_plainly(text: str) -> list[OrderFacts]:
    return [order for order, searched in SEARCHED if all(word in searched for word in plain(text).split())]


@functools.cache
def sorted_plainly(text: str, sort: str, descending: bool) -> list[int]:
    """The numbers of the orders with a text, sorted in plain Python: without a value last, equal ones by number."""
    found = [(_value(order, sort), order.number) for order in found_plainly(text)]
    known = [(value, number) for value, number in found if value is not None]
    unknown = sorted((number for value, number in found if value is None), reverse=descending)
    if sort != "late" or descending:
        return [number for _, number in sorted(known, reverse=descending)] + unknown
    late = sorted((days, number) for days, number in known if days > 0)
    in_time = sorted(((days, number) for days, number in known if days <= 0), reverse=True)  # the soonest due first
    return [number for _, number in late + in_time] + unknown


def _value(order: OrderFacts, sort: str) -> Any:
    value = _late(order) if sort == "late" else getattr(order, sort, None)  # of folders nothing is known here
    if isinstance(value, datetime):
        return value.isoformat()
    return _nocase(str(value)) if "NOCASE" in SORTS[sort] and value is not None else value


def _late(order: OrderFacts) -> int | None:
    due = order.scheduled_delivery or order.requested_delivery
    return None if due is None or order.state == "CAN" else (TODAY - due.date()).days


def _nocase(text: str) -> str:
    """SQLite's NOCASE folds the 26 letters of ASCII and no other."""
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)


@pytest.mark.parametrize("text", TEXTS)
def test_counts(c: apsw.Connection, text: str) -> None:
    assert order_query.count_orders(c, OrderQuery("p", "open", text)) == len(found_plainly(text))


@pytest.mark.parametrize(
    ("held", "few"), [("c", 0), ("prepared", 0), ("c", 10_000)], ids=["walking", "walking-an-index", "sorting"]
)
@pytest.mark.parametrize("sort", SORTS)
def test_pages(request: pytest.FixtureRequest, sort: str, held: str, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    c: apsw.Connection = request.getfixturevalue(held)
    monkeypatch.setattr(page_search, "_FEW", few)
    for text, descending in itertools.product(TEXTS, (False, True)):
        query = OrderQuery("p", "open", text, sort, descending, today=TODAY)
        expected = sorted_plainly(text, sort, descending)
        for offset in sorted({0, 1, len(expected) // 2, len(expected)}):
            page = order_query.page_orders(c, query, 20, offset)
            assert [line.number for line in page] == expected[offset : offset + 20], (query, offset)


@pytest.mark.parametrize("days", [0, -40, 40], ids=["some late", "none late", "all late"])
@pytest.mark.parametrize("name", ["open", "completed", None])
@pytest.mark.parametrize("descending", [False, True])
def test_lateness_is_read_on_from_any_place(
    prepared: apsw.Connection, name: ListName | None, descending: bool, days: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sort_order, "_FAR", 1)
    today = TODAY + timedelta(days=days)
    query = OrderQuery("p", name, sort="late", descending=descending, today=today)
    whole = list(sort_order.keys_in_order(prepared, query, 0))
    assert len(whole) == order_query.count_orders(prepared, query) > 40
    for place, key in enumerate(whole):
        behind = sort_order.keys_in_order(prepared, query, place + 1, before=key)
        assert list(behind) == whole[place + 1 :], place
        assert list(sort_order.keys_in_order(prepared, query, place)) == whole[place:], place
    assert list(sort_order.keys_in_order(prepared, query, len(whole))) == []
    assert list(sort_order.keys_in_order(prepared, query, len(whole) + 3)) == []


@pytest.mark.parametrize("sort", sorted({*INDEXED, *COMMON_SORTS} - {"late"}))  # lateness has streams of its own
def test_common_sorts_rest_on_an_index(c: apsw.Connection, sort: str) -> None:
    table, order = sort_order.sorting(c, sort, descending=True)
    statement = f"SELECT id FROM {table} WHERE partition = 1 ORDER BY {order} LIMIT 9"  # noqa: S608
    c.execute("BEGIN")
    sort_order.prepare_sort(c, sort)
    plan = [detail for *_, detail in c.execute(f"EXPLAIN QUERY PLAN {statement}")]
    c.execute("ROLLBACK")
    assert not any("TEMP B-TREE" in detail for detail in plan), plan
    assert any("COVERING INDEX" in detail or "PRIMARY KEY" in detail for detail in plan), plan


def test_of_the_first_page_a_few_rows_are_enough_and_other_pages_come_whole(c: apsw.Connection) -> None:
    query = OrderQuery("p", "open", today=TODAY)
    whole = order_query.page_orders(c, query, len(ORDERS), 0)
    assert order_query.first_pages(c, query, (), 50, 7) == (len(ORDERS), True, {0: whole[:7]})
    asked = order_query.first_pages(c, query, [1, 99], 50, 50)
    assert asked == (len(ORDERS), True, {0: whole[:50], 1: whole[50:100]}), "a page that there is not is left out"
    assert order_query.first_pages(c, query._replace(sort="city"), (), 50, 7) is None, "the column is prepared before"


def test_an_unknown_sort_is_refused(c: apsw.Connection) -> None:
    with pytest.raises(KeyError):
        order_query.page_orders(c, OrderQuery("p", sort="number; DROP TABLE orders"), 10)


def test_finding_a_reference(c: apsw.Connection, tmp_path: Path) -> None:
    connection = open_file(tmp_path / "cache.sqlite3", CACHE)
    order_store.store_orders(connection, "p", "open", [facts(3, crn="R 1"), facts(4, crn="r 1")], ASKED)
    order_store.store_orders(connection, "p", "other", [facts(5, crn="R 1"), facts(6, crn="R 10")], ASKED)
    order_store.store_orders(connection, "q", "open", [facts(7, crn="R 1")], ASKED)
    found: list[OrderLine] = order_query.find_crn(connection, "p", "R 1")
    assert [(line.number, line.list) for line in found] == [(5, "other"), (3, "open")]
    connection.close()


def test_no_word_runs_from_one_field_into_the_next(tmp_path: Path) -> None:
    connection = open_file(tmp_path / "cache.sqlite3", CACHE)
    order_store.store_orders(connection, "p", "open", [facts(1, consignee_name="Ana", city="Memphis")], ASKED)
    for text in ("anamem", "ana\nmem"):
        expected = 0 if text == "anamem" else 1  # a blank of any kind divides words
        assert order_query.count_orders(connection, OrderQuery("p", "open", text)) == expected
    connection.close()


def test_a_time_without_seconds_is_kept_whole(tmp_path: Path) -> None:
    connection = open_file(tmp_path / "cache.sqlite3", CACHE)
    order_store.store_orders(connection, "p", "open", [facts(1, imported_at=datetime(2026, 1, 2))], ASKED)
    assert order_query.page_orders(connection, OrderQuery("p"), 1)[0].imported_at == datetime(2026, 1, 2)
    connection.close()


@pytest.mark.parametrize("phone", ["901-555-0142", "(901) 555 0142", "9015550142", "+1 901.555.0142"])
@pytest.mark.parametrize("typed", ["5550142", "9015550142"])
def test_a_phone_number_is_found_by_its_digits_however_it_is_written(tmp_path: Path, phone: str, typed: str) -> None:
    connection = open_file(tmp_path / "cache.sqlite3", CACHE)
    order_store.store_orders(connection, "p", "open", [facts(1, phone=phone), facts(2, phone=None)], ASKED)
    found = order_query.page_orders(connection, OrderQuery("p", text=typed), 9)
    assert [each.number for each in found] == [1]
    connection.close()


@pytest.mark.asyncio
async def test_a_reader_sees_whole_batches_while_orders_arrive(tmp_path: Path) -> None:
    writer, reader = (Database(tmp_path / "cache.sqlite3", CACHE) for _ in range(2))
    batches = [ORDERS[start : start + 50] for start in range(0, 400, 50)]

    async def write() -> None:
        for batch in batches:
            await writer.write(order_store.store_orders, "p", "open", batch, ASKED)
            await writer.write(segments.index_some, 100, 100)

    writing = asyncio.create_task(write())
    seen: list[int] = []
    while not seen or seen[-1] < 400:
        count, page = await reader.read(
            lambda c: (order_query.count_orders(c, OrderQuery("p")), order_query.page_orders(c, OrderQuery("p"), 1_000))
        )
        assert len(page) == count
        seen.append(count)
    await writing
    assert {count % 50 for count in seen} == {0}
    assert seen == sorted(seen)
    await writer.close()
    await reader.close()
