"""Counts across fields are those that plain Python finds, whatever is indexed, changed or gone."""

from collections import Counter
from datetime import date, datetime, timedelta

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from app.store.cache import order_query, order_store
from app.store.cache.index import segments
from app.store.cache.index.cross_counts import Dimension, Spellings, as_number, count_across
from app.store.cache.order_rows import OrderFacts, OrderQuery
from app.store.cache.schema.conditions import Clause
from tests.support.cache_memory import memory
from tests.support.order_facts import ASKED, facts

DAY = timedelta(days=1)
FIRST = datetime(2026, 3, 2, 9)


def week(folded: str, _spelled: str) -> date:
    day = date.fromisoformat(folded)
    return day - day.weekday() * DAY


@st.composite
def completed(draw: st.DrawFn) -> OrderFacts:
    received = draw(st.none() | st.integers(0, 9))
    delivered = draw(st.none() | st.integers(0, 30))
    return facts(
        draw(st.integers(1, 30)),
        facility_id=draw(st.sampled_from(("MEM01", "mem01", "DAL02", None))),
        received_at=None if received is None else FIRST + received * DAY,
        delivered_at=None if delivered is None else FIRST + delivered * DAY,
    )


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.lists(completed(), min_size=1, max_size=8), st.booleans()), min_size=1, max_size=5),
    st.sampled_from((None, "mem01")),
)
def test_they_agree_with_plain_python(batches: list[tuple[list[OrderFacts], bool]], facility: str | None) -> None:
    c, held = memory(), dict[int, OrderFacts]()
    for second, (batch, indexed) in enumerate(batches):
        order_store.store_orders(c, "p", "completed", batch, ASKED + second * DAY)
        held |= {each.number: each for each in batch}
        if indexed:
            segments.index_some(c, 10, 1)
    clauses = (Clause("facility", (facility,)),) if facility else ()
    query = OrderQuery("p", "completed", clauses=clauses, today=FIRST.date())
    by = (Dimension("facility", lambda folded, _: folded), Dimension("delivered_on", week))
    by_days = (Dimension("receipt_to_delivery", as_number),)
    expected, expected_days = Counter[tuple[object, ...]](), Counter[tuple[object, ...]]()
    for each in held.values():
        where = (each.facility_id or "").lower()
        if facility not in (None, where):
            continue
        if each.delivered_at:
            expected[where, week(each.delivered_at.date().isoformat(), "")] += 1
        if each.delivered_at and each.received_at and each.delivered_at >= each.received_at:
            expected_days[((each.delivered_at - each.received_at).days,)] += 1
    assert count_across(c, query, by) == expected
    assert count_across(c, query, by_days) == expected_days
    for (days,), number in expected_days.items():
        took = Clause("receipt_to_delivery", (str(days), str(days)))
        assert order_query.count_orders(c, query._replace(clauses=(*clauses, took))) == number


def test_spellings_of_one_value_are_one_group_and_a_span_limits_the_values() -> None:
    c = memory()
    orders = [
        facts(1, facility_id="Mem01", delivered_at=FIRST),
        facts(2, facility_id="MEM01", delivered_at=FIRST + 9 * DAY),
    ]
    order_store.store_orders(c, "p", "completed", orders, ASKED)
    query = OrderQuery("p", "completed", today=FIRST.date())
    assert sum(count_across(c, query, [Dimension("facility", Spellings())]).values()) == 2
    assert len(count_across(c, query, [Dimension("facility", Spellings())])) == 1
    early = Dimension("delivered_on", week, "2026-03-01", "2026-03-03")
    assert count_across(c, query, [early]) == {(date(2026, 3, 2),): 1}


def test_counting_stops_when_it_is_asked_to() -> None:
    c = memory()
    order_store.store_orders(c, "p", "completed", [facts(1, facility_id="A")], ASKED)

    def stop() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        count_across(c, OrderQuery("p", "completed"), [Dimension("facility", Spellings())], stop)
