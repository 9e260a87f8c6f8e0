"""F19: reads of the store are cancelled at any moment, and at each of their statements, while lists arrive.

Half of the reads are cancelled 0 to 20 ms after they were asked for, while another task stores lists, moves and forgets
orders, indexes them and prepares columns: what a person does who types while a list arrives. The other half are
cancelled at a place that is counted: before their first statement, after its first row, before the second statement,
and so on to the last, each time after a change, so that what a search keeps has to be read anew.

Each read that comes after must answer, with no exception, what a plain reading of the same view of the file says:
another question to the same connection in the same transaction, put together from SQL and Python alone. At the end a
connection that never broke anything off says the same of every question.
"""

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import count, cycle
from pathlib import Path
from typing import Any
from unittest.mock import patch

import apsw

from app.store.cache import change_marks, forget, order_cursor, order_query, order_store
from app.store.cache.index import merging, ordered_walk, page_search, segments, sort_order
from app.store.cache.order_rows import SORTS, ListName, OrderFacts, OrderQuery
from app.store.cache.schema.cache_schema import CACHE
from app.store.cache.schema.conditions import Clause
from app.store.cache.schema.raw_fields import RAW_FIELDS
from app.store.sqlite.database import Database
from app.store.sqlite.plain_rows import key_array, rows
from tests.faults.harness import Fault, Report
from tests.faults.places import quick_folder
from tests.support.broken_reads import Place, happening
from tests.support.order_facts import ASKED, facts, some

_LATEST_S = 0.02  # after which a read is cancelled
_SMALL_WORLD, _LARGE_WORLD = 1_200, 3_000  # orders
_LARGE_FROM = 1_000  # reads
_ROWS = (0, 1, 2, 40)  # of a statement, before and after which it is broken off
_PATIENCE_S = 60.0
_TODAY = date(2026, 3, 1)
_LISTS: tuple[ListName, ...] = ("open", "completed")
_WORDS = ("", "rivera", "mem", "crn-0", "main st 1", "po12", "a", "zo", "zhang", "901-555", "fragile goods", "nobody")
_SORTS = ("number", "consignee_name", "imported_at", "requested_delivery", "late", "city", "note_count")
_STATES = ("STD", "AVL", "PLN", "DSO")
_RAW_FIELD = "note_count"
_PAGE = 40

Call = Callable[[apsw.Connection], Any]


@dataclass(frozen=True, slots=True)
class _Question:
    """A read of the store, and a plain reading of the same file; `fits` compares the two."""

    name: str
    asked: Call
    plain: Call
    fits: Callable[[Any, Any], bool] = lambda said, plain: bool(said == plain)

    def __call__(self, c: apsw.Connection) -> str | None:
        """The fault of the answer; None if the answer is right."""
        said, plain = self.asked(c), self.plain(c)
        return None if self.fits(said, plain) else f"{self.name} said {_short(said)} and not {_short(plain)}"


def run(size: int, seed: int) -> Report:
    """Cancel `size` reads."""
    report = Report()
    with quick_folder() as folder, ExitStack() as patches:
        # So that a world of some thousand orders is searched as a large one is: by walking, in many blocks.
        for module, name, less in ((page_search, "_FEW", 60), (page_search, "_FEW_FULLY_READ", 20)):
            patches.enter_context(patch.object(module, name, less))
        patches.enter_context(patch.object(ordered_walk, "BLOCK", 256))
        for name, less in (("TOGETHER", 3), ("_STORED", 20_000), ("_DELETED", 200)):
            patches.enter_context(patch.object(merging, name, less))
        asyncio.run(_provoke(folder / "cache.sqlite3", size, seed, report))
    return report


async def _provoke(path: Path, size: int, seed: int, report: Report) -> None:
    store = _Store(path, _LARGE_WORLD if size >= _LARGE_FROM else _SMALL_WORLD, random.Random(f"world {seed}"))
    try:
        await store.fill()
        moments = size - size // 2
        await _at_moments(store, moments, random.Random(f"moments {seed}"), report)
        await _at_statements(store, size // 2, random.Random(f"statements {seed}"), report)
        await _as_never_broken(store, random.Random(f"end {seed}"), report)
    finally:
        await store.close()
    report.note = f"{store.broken:,} were broken off while they ran, {store.asked:,} answers were looked at"


class _Store:
    """A cache as the program keeps it: one connection that stores, one that reads."""

    def __init__(self, path: Path, orders: int, chance: random.Random) -> None:
        self.path, self._orders, self._chance = path, orders, chance
        self.cache, self.reader = Database(path, CACHE), Database(path, CACHE)
        self._clock = 0
        self.broken = self.asked = 0

    async def fill(self) -> None:
        """Store all orders, prepare the sort columns, and index nearly all orders."""
        made = some(self._orders, seed=self._chance.randrange(1_000_000), first=1)
        for start in range(0, len(made), 1_000):
            await self.cache.write(order_store.store_orders, "p", "open", made[start : start + 1_000], ASKED)
        for sort in _SORTS[1:]:
            await self.cache.write(sort_order.prepare_sort, sort)
        while await self.cache.write(segments.index_some, 1_024, 50):
            pass

    async def change(self) -> None:
        """Make one of the changes that happen while lists arrive."""
        self._clock += 1
        at, act = ASKED + timedelta(seconds=self._clock), self._chance.random()
        if act < 0.45:
            name = self._chance.choice((*_LISTS, _LISTS[0], None))
            await self.cache.write(order_store.store_orders, "p", name, self._some(), at)
        elif act < 0.6:
            await self.cache.write(order_store.store_orders, "other", "open", self._some(), at)
        elif act < 0.65:
            await self.cache.write(forget.forget_step, "other")
        elif act < 0.75:
            await self.cache.write(change_marks.clear_marks, "p", [self._number() for _ in range(40)])
        elif act < 0.9:
            segment = await self.cache.read_separately(segments.build, 1_024, 50)
            if segment is not None:
                await self.cache.write(segments.add, segment, 50)
        elif act < 0.95:
            await self.cache.write(segments.index_some, 300, 20)
        else:
            for _ in range(self._chance.randrange(1, 20)):
                await self.cache.write(merging.merge_step)

    async def come_and_go(self) -> None:
        """Index some pending orders, and store others that are pending then."""
        await self.cache.write(segments.index_some, 60, 1)
        self._clock += 1
        await self.cache.write(
            order_store.store_orders, "p", "open", self._some(), ASKED + timedelta(seconds=self._clock)
        )
        if self._chance.random() < 0.3:
            await self.change()

    async def keep_changing(self, stop: asyncio.Event) -> None:
        """Make changes until told to stop."""
        while not stop.is_set():
            await self.change()

    async def close(self) -> None:
        await self.reader.close()
        await self.cache.close()

    def _number(self) -> int:
        return self._chance.randrange(1, self._orders + 1)

    def _some(self) -> list[OrderFacts]:
        """The orders of a reply: some in a row, as a list has them, and some from anywhere."""
        first = self._number()
        made = some(self._chance.randrange(1, 120), seed=self._clock, first=first)
        extra = {"Notes": [{"Message": "x"}] * self._chance.randrange(3)}
        return [*made, *(facts(self._number(), consignee_name="Zoë Rivera", extra=extra) for _ in range(3))]


async def _at_moments(store: _Store, size: int, chance: random.Random, report: Report) -> None:
    stop = asyncio.Event()
    changing = asyncio.create_task(store.keep_changing(stop))
    try:
        loop = asyncio.get_running_loop()
        for number in range(size):
            question, after = _question(chance), chance.uniform(0, _LATEST_S)
            read = asyncio.ensure_future(store.reader.read(question.asked))
            cancelling = loop.call_later(after, read.cancel)
            await _ended(store, read, report, f"read {number} ({question.name}), cancelled after {after * 1e3:.1f} ms")
            cancelling.cancel()
            await _look(store, _question(chance), report, f"after read {number}, of {question.name}")
            if changing.done():
                break
    finally:
        stop.set()
        with suppress(asyncio.CancelledError):
            await changing


async def _at_statements(store: _Store, size: int, chance: random.Random, report: Report) -> None:
    left = size
    for row in cycle(_ROWS):
        question = _question(chance)
        missed = 0
        for statement in count():
            if not left:
                return
            if missed == 3:  # it has fewer statements, or none of the last few has so many rows
                break
            left -= 1
            if chance.random() < 0.8:
                await store.come_and_go()
            place = Place(statement, row)
            await _break(store, question, place, report)
            missed = 0 if place.reached else missed + 1
            where = f"after {question.name} was cancelled at statement {statement}, row {row}"
            await _look(store, question if chance.random() < 0.5 else _question(chance), report, where)


async def _break(store: _Store, question: _Question, place: Place, report: Report) -> None:
    """Cancel a read when it gets to a place."""
    loop, cancelled = asyncio.get_running_loop(), threading.Event()

    def cancel() -> None:
        loop.call_soon_threadsafe(read.cancel)
        cancelled.wait(_PATIENCE_S)

    def asked(c: apsw.Connection) -> Any:
        with happening(c, place, cancel):
            return question.asked(c)

    read = asyncio.ensure_future(store.reader.read(asked))
    read.add_done_callback(lambda _: cancelled.set())
    name = f"{question.name} to be cancelled at statement {place.statement}, row {place.row}"
    await _ended(store, read, report, name)


async def _ended(store: _Store, read: "asyncio.Future[Any]", report: Report, name: str) -> None:
    """A cancelled read ends cancelled, or has answered before; anything else is a finding."""
    report.tried += 1
    try:
        await read
    except asyncio.CancelledError:
        store.broken += 1
    except Exception as error:  # noqa: BLE001  # told, and the reads after it are still looked at
        report.check(False, f"{name}: {type(error).__name__}: {error}")


async def _look(store: _Store, question: _Question, report: Report, where: str) -> None:
    store.asked += 1
    try:
        async with asyncio.timeout(_PATIENCE_S):
            wrong = await store.reader.read(question)
    except Exception as error:  # noqa: BLE001  # told, and the reads after it are still looked at
        wrong = f"{question.name} raised {type(error).__name__}: {error}"
    report.check(wrong is None, f"{where}: {wrong}")


async def _as_never_broken(store: _Store, chance: random.Random, report: Report) -> None:
    """The connection with many cancelled reads answers as a fresh connection does."""
    fresh = Database(store.path, CACHE)
    try:
        for question in (_question(chance) for _ in range(60)):
            await _look(store, question, report, "in the end")
            wrong = await fresh.read(question)
            report.check(wrong is None, f"in the end, as new: {wrong}")
    finally:
        await fresh.close()


def _question(chance: random.Random) -> _Question:
    query = _query(chance)
    kind = chance.choice(
        ("count", "at once", "page", "first pages", "walk", "ahead", "values", "raw fields", "unknown")
    )
    name = f"{kind} of {query.text!r} by {query.sort}{' down' if query.descending else ''} with {query.clauses}"
    if kind == "count":
        return _Question(name, lambda c: order_query.count_orders(c, query), lambda c: len(_plain(c, query)))
    if kind == "at once":
        return _Question(name, lambda c: order_query.quick_count(c, query), lambda c: len(_plain(c, query)), _about)
    if kind == "first pages":
        return _Question(name, lambda c: _first(c, query), lambda c: _plain(c, query), _begins)
    if kind == "walk":
        return _Question(name, lambda c: _walked(c, query), lambda c: _plain(c, query))
    if kind == "values":
        field_name = chance.choice(("state", "city"))
        return _Question(
            name, lambda c: order_query.facets(c, query, field_name), lambda c: _values(c, query, field_name)
        )
    if kind == "raw fields":
        return _Question(
            name, lambda c: _raw_fields(c, query), lambda c: _plain_raw_fields(c, _plain(c, query)[:_PAGE])
        )
    if kind == "unknown":
        wanted = tuple(str(chance.randrange(1, 20_000)) for _ in range(5))
        return _Question(
            name, lambda c: order_query.unmatched_values(c, "p", "number", wanted), lambda c: _plain_unknown(c, wanted)
        )
    offset = chance.choice((0, 0, _PAGE, 300))
    ahead = kind == "ahead"
    return _Question(
        f"{name} from {offset}",
        lambda c: _page(c, query, offset, ahead=ahead),
        lambda c: _plain(c, query)[offset : offset + _PAGE],
    )


def _query(chance: random.Random) -> OrderQuery:
    clauses: list[Clause] = []
    if chance.random() < 0.3:
        clauses.append(Clause("state", tuple(chance.sample(_STATES, 2)), negated=chance.random() < 0.3))
    if chance.random() < 0.15:
        clauses.append(Clause("changed", (chance.choice(("yes", "no")),)))
    return OrderQuery(
        "p",
        chance.choice(("open", "open", "completed", None)),
        chance.choice(_WORDS),
        chance.choice(_SORTS),
        chance.random() < 0.5,
        tuple(clauses),
        today=_TODAY,
    )


def _page(c: apsw.Connection, query: OrderQuery, offset: int, *, ahead: bool) -> list[int]:
    if ahead:
        order_query.read_ahead(c, query, 2)
    return [line.number for line in order_query.page_orders(c, query, _PAGE, offset)]


def _first(c: apsw.Connection, query: OrderQuery) -> tuple[int, bool, dict[int, list[int]]] | None:
    found = order_query.first_pages(c, query, (0, 2), _PAGE, 10)
    if found is None:
        return None
    number, exact, pages = found
    return number, exact, {page: [line.number for line in lines] for page, lines in pages.items()}


def _about(said: tuple[int, bool], plain: int) -> bool:
    return said[0] == plain if said[1] else said[0] >= plain


def _begins(said: tuple[int, bool, dict[int, list[int]]] | None, plain: Sequence[int]) -> bool:
    if said is None:  # the column is not prepared, which all of these are
        return False
    number, exact, pages = said
    there = all(lines == plain[page * _PAGE : (page + 1) * _PAGE] for page, lines in pages.items())
    return there and _about((number, exact), len(plain))


def _walked(c: apsw.Connection, query: OrderQuery) -> list[int]:
    return list(order_cursor.order_numbers(c, query, lambda: None))


def _raw_fields(c: apsw.Connection, query: OrderQuery) -> list[tuple[int, Any]]:
    lines = order_query.page_orders(c, query._replace(raw_fields=(_RAW_FIELD,)), _PAGE)
    return [(line.number, None if line.raw_fields is None else line.raw_fields[_RAW_FIELD]) for line in lines]


# What follows is the plain reading: no index, nothing kept from the question before.

_PLAINLY = """
SELECT orders.id, text, state, city, change_marks.id IS NOT NULL
FROM partitions JOIN orders USING (partition) JOIN search_texts ON search_texts.id = +orders.id
LEFT JOIN change_marks ON change_marks.id = orders.id
WHERE profile = ? AND (? IS NULL OR list = ?)
"""


@dataclass(slots=True)
class _Found:
    keys: list[int] = field(default_factory=list)
    values: dict[str, "Counter[str]"] = field(default_factory=lambda: {"state": Counter(), "city": Counter()})


def _search(c: apsw.Connection, query: OrderQuery) -> _Found:
    found, words = _Found(), query.text.split()
    for key, text, state, city, changed in rows(c, _PLAINLY, (query.profile, query.list, query.list)):
        held = {"state": state, "changed": "yes" if changed else "no"}
        if all(word in text for word in words) and all(
            (held[clause.field] in clause.values) is not clause.negated for clause in query.clauses
        ):
            found.keys.append(key)
            for name, told in (("state", state), ("city", city)):
                found.values[name][told or ""] += 1
    return found


def _plain(c: apsw.Connection, query: OrderQuery) -> list[int]:
    keys = _search(c, query).keys
    way = "DESC" if query.descending else "ASC"
    how, _, collation = SORTS[query.sort].partition(" COLLATE ")
    if query.sort == "number":
        by = f"number {way}"
    elif query.sort == "late" and not query.descending:  # what is not late comes after, the soonest due first
        by = f"{how} IS NULL, {how} <= 0, iif({how} > 0, {how}, 0), -{how}, iif({how} <= 0, -id, id)"
    else:
        by = f"{how} IS NULL, {how} COLLATE {collation or 'BINARY'} {way}"
    statement = f"SELECT number FROM orders WHERE +id IN carray(:keys) ORDER BY {by}, id {way}"  # noqa: S608
    return [number for (number,) in c.execute(statement, {"keys": key_array(keys), "today": _TODAY.isoformat()})]


def _values(c: apsw.Connection, query: OrderQuery, name: str) -> list[tuple[str, int]]:
    others = tuple(clause for clause in query.clauses if clause.field != name)
    counted = _search(c, query._replace(clauses=others)).values[name]
    return sorted(counted.items(), key=lambda each: (-each[1], each[0]))


def _plain_raw_fields(c: apsw.Connection, numbers: Sequence[int]) -> list[tuple[int, Any]]:
    statement = f"""
        SELECT number, {RAW_FIELDS[_RAW_FIELD].sql}
        FROM orders JOIN raw_orders USING (id) JOIN partitions USING (partition)
        WHERE profile = 'p' AND number IN (SELECT value FROM carray(?))
    """  # noqa: S608
    told = dict(rows(c, statement, (key_array(numbers),)))
    return [(number, told[number]) for number in numbers]


def _plain_unknown(c: apsw.Connection, wanted: Sequence[str]) -> tuple[str, ...]:
    held = rows(c, "SELECT number FROM orders JOIN partitions USING (partition) WHERE profile = 'p'")
    known = {str(number) for (number,) in held}
    return tuple(each for each in wanted if each not in known)


def _short(told: object) -> str:
    text = repr(told)
    return text if len(text) <= 160 else f"{text[:160]} …"


FAULT = Fault("F19", "reads cancelled at any moment and statement: every later read is right", run, 120, 10_000)
