"""A search that is cancelled at any statement and row leaves the next searches right."""

import shutil
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from app.store.cache import order_cursor, order_query, order_store
from app.store.cache.index import ordered_walk, page_search, segments, sort_order
from app.store.cache.order_rows import OrderQuery
from app.store.cache.schema.cache_schema import CACHE
from app.store.cache.schema.conditions import Clause
from app.store.sqlite.opening import open_file
from tests.support.broken_reads import Place, happening
from tests.support.order_facts import ASKED, facts, some

pytestmark = pytest.mark.slow

TODAY = date(2026, 3, 1)
WORDS = OrderQuery("p", None, "rivera mem", sort="consignee_name", descending=False, today=TODAY)
LATE = OrderQuery("p", "open", sort="late", clauses=(Clause("state", ("STD", "PLN")),), today=TODAY)
ALL = OrderQuery("p", "open", sort="city", descending=False, today=TODAY)

Question = Callable[[apsw.Connection], Any]
QUESTIONS: dict[str, Question] = {
    "count": lambda c: order_query.count_orders(c, WORDS),
    "pages": lambda c: order_query.first_pages(c, WORDS, (0, 1), 20, 10),
    "late": lambda c: [line.number for line in order_query.page_orders(c, LATE, 30, 40)],
    "walk": lambda c: list(order_cursor.order_numbers(c, WORDS, lambda: None)),
    "ahead": lambda c: (order_query.read_ahead(c, WORDS, 1), order_query.page_orders(c, WORDS, 5))[1],
    "facets": lambda c: order_query.facets(c, LATE, "state"),
    "unknown": lambda c: order_query.unmatched_values(c, "p", "number", ("1003", "77")),
    "sizes": lambda c: order_query.count_orders(c, ALL),
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of 300 orders, indexed and closed, of which each test has a copy."""
    path = tmp_path_factory.mktemp("filled") / "cache.sqlite3"
    connection = open_file(path, CACHE)
    order_store.store_orders(connection, "p", "open", some(300), ASKED)
    for sort in ("consignee_name", "late", "city"):
        sort_order.prepare_sort(connection, sort)
    while segments.index_some(connection, 100, 1):
        pass
    connection.close()
    assert [each.name for each in path.parent.iterdir()] == [path.name], "all is in one file"
    return path


@pytest.fixture
def files(
    filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[apsw.Connection, apsw.Connection, Path]]:
    monkeypatch.setattr(page_search, "_FEW", 10)
    monkeypatch.setattr(page_search, "_FEW_FULLY_READ", 5)
    monkeypatch.setattr(ordered_walk, "BLOCK", 32)
    path = tmp_path / "cache.sqlite3"
    shutil.copyfile(filled, path)
    writer = open_file(path, CACHE)
    reader = open_file(path, CACHE)
    yield writer, reader, path
    writer.close()
    reader.close()


def changes(writer: apsw.Connection, second: int) -> None:
    """Change, add and move orders, index some of the pending ones and add others."""
    at = ASKED + timedelta(seconds=second)
    order_store.store_orders(writer, "p", "open", some(20, seed=second, first=1_000 + second * 7 % 250), at)
    order_store.store_orders(writer, "p", "completed", some(5, seed=second, first=1_100 + second % 150), at)
    order_store.store_orders(writer, "p", "open", [facts(5_000 + second, consignee_name="Rivera", city="Memphis")], at)
    if second % 3 == 0:
        segments.index_some(writer, 12, 1)


def as_new(path: Path, question: Question) -> Any:
    fresh = open_file(path, CACHE)
    try:
        return question(fresh)
    finally:
        fresh.close()


def broken(c: apsw.Connection, question: Question, place: Place) -> bool:
    """Run a read that is cancelled at a place; returns whether it got there."""

    def interrupt() -> None:
        raise apsw.InterruptError("interrupted")

    with happening(c, place, interrupt):
        try:
            question(c)
        except apsw.InterruptError:
            assert place.reached
    return place.reached


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("row", [0, 1, 3])
def test_at_every_statement(files: tuple[apsw.Connection, apsw.Connection, Path], name: str, row: int) -> None:
    writer, reader, path = files
    question = QUESTIONS[name]
    question(reader)
    missed = statement = 0
    while missed < 3:  # a statement may have fewer rows
        changes(writer, statement)
        missed = 0 if broken(reader, question, Place(statement, row)) else missed + 1
        assert question(reader) == as_new(path, question), f"broken off at statement {statement}, row {row}"
        statement += 1
    assert statement > 3
    for other in QUESTIONS.values():
        assert other(reader) == as_new(path, other)


def test_an_order_by_lateness_is_of_its_day(files: tuple[apsw.Connection, apsw.Connection, Path]) -> None:
    """The next day, awaited orders overtake those delivered late, though no order has changed."""
    writer, reader, _ = files
    due = ASKED - timedelta(days=3)
    order_store.store_orders(
        writer,
        "p",
        "completed",
        [
            facts(1, city="Memphis", requested_delivery=due, delivered_at=due + timedelta(days=4)),
            *(facts(number, city="Memphis", requested_delivery=due) for number in range(2, 60)),
        ],
        ASKED + timedelta(hours=1),
    )

    def latest(day: date) -> list[int]:
        query = OrderQuery("p", "completed", "memphis", sort="late", descending=True, today=day)
        return [line.number for line in order_query.page_orders(reader, query, 3)]

    assert latest(TODAY) == [1, 59, 58]
    assert latest(TODAY + timedelta(days=5)) == [59, 58, 57]
