"""Every filter finds the orders that plain Python finds, whatever is indexed, changed, moved or deleted."""

import itertools
import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

import apsw
import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from app.store.cache import change_marks, order_query, order_store
from app.store.cache.index import key_sets, ordered_walk, page_search, segments, sort_order
from app.store.cache.index.terms import ascii_folded
from app.store.cache.order_rows import SORTS, ListName, OrderFacts, OrderQuery
from app.store.cache.schema.cache_schema import CACHE
from app.store.cache.schema.conditions import FIELDS, STEPS, Clause
from tests.support.order_facts import ASKED

TODAY = date(2026, 3, 10)
DAYS = [TODAY + timedelta(days=days) for days in (-40, -3, -1, 0, 1, 2, 30)]
LISTS: tuple[ListName, ...] = ("open", "completed", "other")
FOLDERS = ("POD", "BOL", "DAM")
VALUES = {
    "state": ("STD", "DSO", "CMP", "CAN"),
    "facility": ("F012", "f012", "F01", "Fé1"),
    "delivery": ("HOME", "STORE"),
    "brand": ("Acme", "ACME", "Ac\x1fme", "Zoë", " Acme\t", "None"),
    "manufacturer": ("Oak & Co", "oak"),
    "region": ("TN", "OK"),
    "city": ("Memphis", "memphis", "Memphis ", "  ", "St. Louis"),
    "zip": ("38103", "38", "39201", "3810", " 38"),
}
_DATES = ("imported", "estimated", "received_on", "requested", "scheduled", "loaded", "delivered_on")
_WORDS = ("rivera", "riverside", "drive", "ann", "anna", "hannah", "12345", "2345", "o'neil", "é")

moments = st.none() | st.builds(
    lambda day, hour: datetime(day.year, day.month, day.day, hour), st.sampled_from(DAYS), st.integers(0, 23)
)
documents = st.none() | st.lists(st.sampled_from(FOLDERS), max_size=3)


@dataclass(frozen=True)
class Kept:
    """An order as the test's own model has it."""

    place: ListName
    facts: OrderFacts
    documents: list[str] | None
    changed: bool = False


@st.composite
def orders(draw: st.DrawFn, number: int | None = None) -> Kept:
    """One order with the JSON text that a list would have sent."""
    number = draw(st.integers(1, 40)) if number is None else number
    found = draw(documents)
    whole: dict[str, Any] = {"OrderNumber": number}
    if found is not None:
        whole["ProofOfDelivery"] = [{"Folder": each} for each in found]
    columns: dict[str, Any] = {
        FIELDS[name].column: draw(st.none() | st.sampled_from(values)) for name, values in VALUES.items()
    }
    columns |= {FIELDS[name].column: draw(moments) for name in _DATES}
    columns |= {name: draw(st.none() | st.booleans()) for name in ("is_received", "is_delivered")}
    columns["crn"] = draw(st.none() | st.sampled_from(("R-1", "r-1", "R-2", "CRN-12345")))
    columns["consignee_name"] = " ".join(draw(st.lists(st.sampled_from(_WORDS), max_size=3))) or None
    whole |= {name: str(value) for name, value in columns.items()}
    return Kept(draw(st.sampled_from(LISTS)), OrderFacts(number, json.dumps(whole), **columns), found)


@st.composite
def clauses(draw: st.DrawFn) -> Clause:
    """Any clause."""
    # What changed on which day has tests of its own: `test_past_changes`.
    field = draw(st.sampled_from(sorted(FIELDS.keys() - {"changed_on"})))
    kind, negated = FIELDS[field].kind, draw(st.booleans())
    if kind == "date":
        if draw(st.integers(0, 3)) == 0:
            return Clause(field, tuple(draw(st.sampled_from((("any",), ("none",), ("any", "none"))))), negated=negated)
        first, last = (draw(st.none() | st.sampled_from(DAYS)) for _ in range(2))
        return Clause(field, first=first, last=last or (None if first else TODAY), negated=negated)
    if kind == "took":
        limits = tuple(draw(st.sampled_from(("", "0", "1", "2", "5", "33"))) for _ in range(2))
        return Clause(field, limits, negated=negated)
    some: dict[str, tuple[str, ...]] = {
        "days": ("1", "2", "30"),
        "flag": ("yes", "no") if field == "changed" else ("yes", "no", "none"),
        "documents": (*FOLDERS, "pod", "any", "none"),
        "list": LISTS,
        "set": ("R-1", "r-2", "nothing") if field == "reference" else ("1", "007", "39", "5000", str(2**70), "x"),
    }
    values = some.get(kind) or (*VALUES[field], "", "nowhere")
    least = 0 if kind == "days" else 1
    most = 1 if kind in ("days", "flag") else 3
    return Clause(field, tuple(draw(st.lists(st.sampled_from(values), min_size=least, max_size=most))), negated=negated)


def folded(text: str) -> str:
    """The text without case and accents."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(each for each in apart if not unicodedata.combining(each))


def meets(clause: Clause, order: Kept) -> bool:
    """Whether one clause holds, in plain Python."""
    found = _found(clause, order)
    if clause.field == "has" and clause.negated:
        return order.documents is not None and not found
    return found is not clause.negated


def _found(clause: Clause, order: Kept) -> bool:
    facts, values = order.facts, clause.values
    if clause.field == "list":
        return order.place in values
    if clause.field == "number":
        return any(value.isdecimal() and int(value) == facts.number for value in values)
    if clause.field == "reference":
        return facts.crn is not None and facts.crn.lower() in [value.lower() for value in values]
    if clause.field == "changed":
        return ("yes" if order.changed else "no") in values
    if clause.field == "has":
        return order.documents is not None and any(_has(value, order.documents) for value in values)
    if clause.field in ("late", "over"):
        days = late(facts) if clause.field == "late" else over(facts)
        return days is not None and days >= int(values[0] if values else 1)
    if clause.field == "due":
        return _dated(clause, facts.scheduled_delivery or facts.requested_delivery)
    if clause.field in STEPS:
        taken = took(clause.field, facts)
        lowest, highest = (int(each) if each else None for each in values)
        return taken is not None and taken >= (lowest or 0) and (highest is None or taken <= highest)
    value = getattr(facts, FIELDS[clause.field].column)
    kind = FIELDS[clause.field].kind
    if kind in ("value", "prefix"):
        value, values = (value or "").strip(), tuple(each.strip() for each in values)
    if kind == "date":
        return _dated(clause, value)
    if kind == "flag":
        return {None: "none", True: "yes", False: "no"}[value] in values
    if kind == "prefix":
        return any(folded(value or "").startswith(folded(each)) if each else not value for each in values)
    return folded(value or "") in map(folded, values)


def _has(value: str, held: list[str]) -> bool:
    if value in ("any", "none"):
        return bool(held) is (value == "any")
    return value.upper() in held


def _dated(clause: Clause, moment: datetime | None) -> bool:
    if clause.values:
        return ("none" if moment is None else "any") in clause.values
    if moment is None:
        return False
    after = clause.first is None or moment.date() >= clause.first
    return after and (clause.last is None or moment.date() <= clause.last)


def late(facts: OrderFacts) -> int | None:
    """Days after the due day; None for an order without one, or cancelled."""
    due = facts.scheduled_delivery or facts.requested_delivery
    if due is None or facts.state == "CAN":
        return None
    return ((facts.delivered_at.date() if facts.delivered_at else TODAY) - due.date()).days


def took(step: str, facts: OrderFacts) -> int | None:
    """Days of a step; None while it has not ended, and where it ended before it began."""
    begun, ended = (getattr(facts, column) for column in STEPS[step])
    if begun is None or ended is None or ended.date() < begun.date():
        return None
    days: int = (ended.date() - begun.date()).days
    return days


def over(facts: OrderFacts) -> int | None:
    """Days between the requested and the scheduled day."""
    if facts.scheduled_delivery is None or facts.requested_delivery is None:
        return None
    return (facts.scheduled_delivery.date() - facts.requested_delivery.date()).days


def memory() -> apsw.Connection:
    """An empty cache."""
    connection = apsw.Connection(":memory:")
    for statements in CACHE.migrations:
        for statement in statements:
            connection.execute(statement)
    return connection


def keep(c: apsw.Connection, held: dict[int, Kept], batch: list[Kept], second: int) -> None:
    """Store a batch in the cache and in the model."""
    for place in LISTS:
        these = {each.facts.number: each for each in batch if each.place == place}
        order_store.store_orders(
            c, "p", place, [each.facts for each in these.values()], ASKED + timedelta(seconds=second)
        )
        for number, each in these.items():
            held[number] = _after(held.get(number), each)


def _after(before: Kept | None, now: Kept) -> Kept:
    """The model of an order after a newer reply: documents that were not requested stay."""
    if before is None:
        return now
    if now.documents is None:
        now = replace(now, documents=before.documents)
    if before.place == "completed" and now.place == "open" and now.facts.state in ("CMP", "CAN"):
        now = replace(now, place="completed")  # of both lists
    same = replace(before.facts, raw="") == replace(now.facts, raw="") and before.place == now.place
    told = before.documents is None or before.documents == now.documents
    return replace(now, changed=before.changed or not (same and told))


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_every_filter_finds_what_a_plain_reading_finds(data: st.DataObject) -> None:
    c = memory()
    held: dict[int, Kept] = {}
    for second, batch in enumerate(data.draw(st.lists(st.lists(orders(), max_size=8), min_size=1, max_size=4))):
        keep(c, held, batch, second)
        segments.index_some(c, data.draw(st.integers(1, 20)), 1)
        sort_order.prepare_sort(c, data.draw(st.sampled_from(sorted(SORTS))))
    for _ in range(4):
        asked = data.draw(st.lists(clauses(), max_size=3))
        either = data.draw(st.just([]) | st.lists(st.lists(clauses(), max_size=2), min_size=1, max_size=2))
        words = data.draw(st.lists(st.sampled_from((*_WORDS, "r", "ri", "riv", "iver", "1", "34", "é")), max_size=2))
        place = data.draw(st.none() | st.sampled_from(LISTS))
        sort, descending = data.draw(st.sampled_from(sorted(SORTS))), data.draw(st.booleans())
        query = OrderQuery(
            *("p", place, " ".join(words), sort, descending),
            clauses=tuple(asked),
            either=tuple(map(tuple, either)),
            today=TODAY,
        )
        expected = {
            number
            for number, order in held.items()
            if (place is None or order.place == place)
            and all(meets(clause, order) for clause in asked)
            and (not either or any(all(meets(clause, order) for clause in one) for one in either))
            and all(_holds_word(order, word) for word in words)
        }
        check(c, query, expected, held)
    c.close()


def _holds_word(order: Kept, word: str) -> bool:
    facts = order.facts
    fields = (str(facts.number), facts.crn, facts.consignee_name, facts.city, facts.zip, facts.manufacturer)
    return any(folded(word) in folded(field or "") for field in (*fields, facts.facility_id, facts.brand))


def check(c: apsw.Connection, query: OrderQuery, expected: set[int], held: dict[int, Kept]) -> None:
    """Compare count, pages, all keys and facets with the model."""
    assert order_query.count_orders(c, query) == len(expected), query
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order_query, "QUICKLY_READ", 0)
        many, exact = order_query.quick_count(c, query)
    assert many == len(expected) if exact else many >= len(expected)
    lines = order_query.page_orders(c, query, 100)
    assert {line.number for line in lines} == expected, query
    numbers = [line.number for line in lines]
    for few, looks, ahead in itertools.product((0, 2_000), (0, 150), (False, True)):
        with pytest.MonkeyPatch.context() as patch:
            for name, number in (
                ("_FEW", few),
                ("_FEW_FULLY_READ", few),
                ("_TEXTS_WHILE_WALKING", looks),
                ("_SHARE", 1_000),
            ):
                patch.setattr(page_search, name, number)
            patch.setattr(ordered_walk, "BLOCK", 2)
            it = key_sets.index_cache(c)
            it.sorted_lists.clear()
            it.last_answer = None
            while ahead and order_query.read_ahead(c, query, 3):
                pass
            pages = [order_query.page_orders(c, query, 3, offset) for offset in range(0, len(numbers) + 3, 3)]
            assert [line.number for page in pages for line in page] == numbers, query
    by = [_sorted_by(held[number], query) for number in numbers]
    assert by == sorted(by, reverse=query.descending), query
    for line in lines:
        order = held[line.number]
        assert (line.list, bool(line.changed)) == (order.place, order.changed), line.changed
    others = tuple(each for each in query.clauses if each.field != "state")
    if len(others) == len(query.clauses):
        told = Counter(held[number].facts.state or "" for number in expected)
        assert dict(order_query.facets(c, query, "state")) == told


def _sorted_by(order: Kept, query: OrderQuery) -> tuple[Any, ...]:
    """What a row is sorted by: no value last either way, equal ones by list and number. Of those that are not late,
    which show nothing there, the soonest due comes first."""
    facts, sort = order.facts, query.sort
    folders = None if order.documents is None else "".join(f" {each}" for each in sorted(set(order.documents))) + " "
    value: Any = {"late": late(facts), "folders": folders}.get(sort, getattr(facts, sort, None))
    if order.documents is not None and sort in ("document_count", "files"):
        value = len(order.documents) if sort == "document_count" else "\n".join(order.documents)
    if order.documents is not None and sort in ("document_at", "pod_at"):
        value = ""  # known, and none of them tells its day
    if isinstance(value, str) and "NOCASE" in SORTS[sort]:
        value = ascii_folded(value)
    stable: Any = facts.number if sort == "number" else (LISTS.index(order.place), facts.number)
    if sort == "late" and not query.descending and value is not None and value <= 0:
        return (False, True, -value, tuple(-each for each in stable))
    return ((value is None) is not query.descending, False, 0 if value is None else value, stable)


@settings(max_examples=60, deadline=None)
@given(first=orders(7), second=orders(7))
def test_what_changed_is_marked_until_it_is_looked_at(first: Kept, second: Kept) -> None:
    c = memory()
    held: dict[int, Kept] = {}
    keep(c, held, [first], 0)
    keep(c, held, [second], 1)
    assert bool(order_query.orders_numbered(c, "p", [7])[0].changed) is held[7].changed
    change_marks.clear_marks(c, "p", [7, 8])
    assert order_query.orders_numbered(c, "p", [7])[0].changed == ""
    c.close()


def test_what_was_looked_at_meanwhile_is_not_found_as_changed_any_more() -> None:
    c = memory()
    for second, word in enumerate(("rivera", "riverside")):
        told = OrderFacts(1, f'{{"Name": "{word}"}}', consignee_name=word)
        order_store.store_orders(c, "p", "open", [told], ASKED + timedelta(seconds=second))
    while segments.index_some(c, 10, 1):
        pass
    query = OrderQuery("p", text="verside", clauses=(Clause("changed", ("yes",)),))
    assert order_query.count_orders(c, query) == 1
    change_marks.clear_marks(c, "p", [1])
    assert order_query.count_orders(c, query) == 0
    c.close()


@pytest.mark.parametrize("looks", [100, 10_000], ids=["given up", "walked to the end"])
def test_where_the_page_took_a_look_at_every_text_the_count_is_exact(
    monkeypatch: pytest.MonkeyPatch, looks: int
) -> None:
    monkeypatch.setattr(order_query, "QUICKLY_READ", 0)
    monkeypatch.setattr(page_search, "_TEXTS_WHILE_WALKING", looks)
    monkeypatch.setattr(page_search, "_SHARE", 1_000)
    monkeypatch.setattr(ordered_walk, "BLOCK", 64)
    c = memory()
    words = ("onsignee consig", "consignee")  # the first has each three letters of the second, and not the word
    order_store.store_orders(
        c,
        "p",
        "open",
        [OrderFacts(number, "{}", consignee_name=words[number == 1]) for number in range(1, 2_900)],
        ASKED,
    )
    while segments.index_some(c, 3_000, 1):
        pass
    query = OrderQuery("p", text="consignee")
    sort_order.prepare_sort(c, "city")
    while order_query.read_ahead(c, query, 1):
        pass
    found = order_query.first_pages(c, query, (), 200, 30)
    assert found is not None
    assert (found[:2], [line.number for line in found[2][0]]) == ((1, True), [1])
    c.close()


@pytest.mark.parametrize(("most", "kept"), [(40, 2), (30, 1)])
def test_the_order_before_is_let_go_where_both_together_are_long(
    monkeypatch: pytest.MonkeyPatch, most: int, kept: int
) -> None:
    """A person goes back and forth between two orders of a list; of a million orders two would take 14 MB."""
    monkeypatch.setattr(ordered_walk, "BLOCK", 2)
    monkeypatch.setattr(ordered_walk, "_KEYS_CACHED", most)
    c = memory()
    order_store.store_orders(
        c, "p", "open", [OrderFacts(number, "{}", city=f"C{number}") for number in range(20)], ASKED
    )
    for descending in (False, True, False, True):
        query = OrderQuery("p", list="open", sort="number", descending=descending)
        while order_query.read_ahead(c, query, 1):
            pass
        assert ordered_walk.is_fully_read(c, query)
        assert len(key_sets.index_cache(c).sorted_lists) <= 2
    before = OrderQuery("p", list="open", sort="number", descending=False)
    assert len(key_sets.index_cache(c).sorted_lists) == kept
    assert ordered_walk.is_fully_read(c, before) == (kept == 2)
    c.close()


def test_the_strings_of_every_segment_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "_FREQUENT", 2)
    monkeypatch.setattr(segments, "_SAMPLE", 1)
    c = memory()
    for second, name in enumerate(("Riverside", "Hannah", "Riverdale")):
        some = [OrderFacts(second * 10 + at, "{}", consignee_name=name) for at in range(5)]
        order_store.store_orders(c, "p", "open", some, ASKED + timedelta(seconds=second))
        while segments.index_some(c, 10, 1):
            pass
        told = key_sets.prefixes(c).split("\n")
        held = {term[1:] for (term,) in c.execute("SELECT term FROM postings WHERE term BETWEEN '~' AND '~􏿿'")}
        assert told == sorted(held)
        assert name.lower() in held
    holding = list(key_sets.lines_containing(key_sets.prefixes(c), "river"))
    assert holding == sorted(each for each in held if "river" in each)
    assert not list(key_sets.lines_containing("", "river"))
    looked: list[list[int]] = []

    def look(_c: apsw.Connection, keys: Iterable[int], _words: Sequence[str]) -> list[int]:
        looked.append(list(keys))
        return []

    for few in ("_FEW_TEXTS", "_MANY_TEXTS"):
        monkeypatch.setattr(key_sets, few, 0)
    monkeypatch.setattr(key_sets, "keys_containing", look)
    assert order_query.count_orders(c, OrderQuery("p", text="riverd")) == 5
    assert looked == [[]], "what has a frequent string need not be looked at"
    c.close()


def test_the_strings_of_a_segment_in_the_place_of_the_last_one_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The prefixes of the earlier segment are not taken for those of the new one."""
    monkeypatch.setattr(segments, "_FREQUENT", 2)
    monkeypatch.setattr(segments, "_SAMPLE", 1)
    c = memory()
    for second, name in enumerate(("Riverside", "Hannah", "Riverdale")):
        # The same orders again, so that the last segment goes.
        orders = [OrderFacts(at, f'{{"at": {second}}}', consignee_name=name) for at in range(5)]
        order_store.store_orders(c, "p", "open", orders, ASKED + timedelta(seconds=second))
        while segments.index_some(c, 10, 1):
            pass
        assert name.lower() in key_sets.prefixes(c).split("\n")
    assert len(set(key_sets.index_cache(c).prefix_segments)) == 1
    c.close()


def test_what_is_not_known_of_a_pasted_set() -> None:
    c = memory()
    order_store.store_orders(c, "p", "completed", [OrderFacts(5, "{}", crn="Ref 5")], ASKED)
    assert order_query.unmatched_values(c, "p", "number", ["5", "005", "6"]) == ("6",)
    many = ["9" * 4_400, "0" * 4_400 + "5", "x"]
    assert order_query.unmatched_values(c, "p", "number", many) == (many[0], "x")
    assert order_query.unmatched_values(c, "p", "reference", ["REF 5", "Ref 6"]) == ("Ref 6",)
    assert order_query.unmatched_values(c, "q", "number", ["5"]) == ("5",)
    c.close()


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("sort", ["city", "imported_at", "scheduled_delivery"])
def test_rows_without_a_value_stand_last_and_come_from_the_index_all_the_same(sort: str, descending: bool) -> None:
    c = memory()
    later, sooner = ASKED, ASKED - timedelta(days=2)
    some = [
        OrderFacts(1, "{}"),
        OrderFacts(2, "{}", city="B", imported_at=later, scheduled_delivery=later),
        OrderFacts(3, "{}", city="A", imported_at=sooner, scheduled_delivery=sooner),
        OrderFacts(4, "{}"),
    ]
    order_store.store_orders(c, "p", "open", some, ASKED)
    sort_order.prepare_sort(c, sort)
    query = OrderQuery("p", "open", sort=sort, descending=descending)
    assert [line.number for line in order_query.page_orders(c, query, 9)] == (
        [2, 3, 4, 1] if descending else [3, 2, 1, 4]
    )
    table, order = sort_order.sorting(c, sort, descending=descending)
    plan = c.execute(f"EXPLAIN QUERY PLAN SELECT id FROM {table} WHERE partition = 1 ORDER BY {order}").fetchall()  # noqa: S608
    assert "USING COVERING INDEX" in str(plan)
    assert "TEMP" not in str(plan)
    c.close()


def test_a_sorted_column_gets_its_index() -> None:
    c = memory()
    assert sort_order.lacks_sort_index(c, "city")
    sort_order.prepare_sort(c, "city")
    assert not sort_order.lacks_sort_index(c, "city")
    assert not any(sort_order.lacks_sort_index(c, sort) for sort in ("number", "crn"))
    c.close()
