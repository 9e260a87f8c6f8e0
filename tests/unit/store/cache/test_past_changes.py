"""What orders were before is kept with its moment, found by day and by what changed, and bounded."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta

import apsw
import pytest

from app.store.cache import fetched_windows, forget, order_query, order_store, past_changes
from app.store.cache.index import segments
from app.store.cache.order_rows import LINE_COLUMNS, OrderFacts, OrderQuery
from app.store.cache.past_changes import Change, changes_of, keep_changes
from app.store.cache.schema.cache_schema import CACHE
from app.store.cache.schema.change_names import CHANGE_NAMES
from app.store.cache.schema.conditions import FIELDS, Clause
from app.store.cache.schema.raw_fields import RAW_FIELDS
from app.store.sqlite.plain_rows import value
from tests.support.order_facts import ASKED, facts

DAY = timedelta(days=1)
THIRD, SEVENTH = datetime(2026, 3, 3), datetime(2026, 3, 7)


@pytest.fixture
def c() -> Iterator[apsw.Connection]:
    made = apsw.Connection(":memory:")
    for statement in CACHE.migrations[0]:
        made.execute(statement)
    yield made
    made.close()


def store(c: apsw.Connection, at: datetime, *orders: OrderFacts) -> None:
    order_store.store_orders(c, "p", "open", orders, at)


def found(c: apsw.Connection, *clauses: Clause) -> list[int]:
    return [each.number for each in order_query.page_orders(c, OrderQuery("p", None, clauses=clauses), 50)][::-1]


def test_a_change_is_kept_with_both_values_and_both_moments(c: apsw.Connection) -> None:
    store(c, ASKED, facts(7, state="AVL", scheduled_delivery=THIRD))
    store(c, ASKED + DAY, facts(7, state="AVL", scheduled_delivery=THIRD))
    store(c, ASKED + 2 * DAY, facts(7, state="PLN", scheduled_delivery=SEVENTH))
    (change,) = changes_of(c, "p", 7, 9)
    assert (change.since, change.at) == (ASKED, ASKED + 2 * DAY)
    assert change.values == {
        "state": ("AVL", "PLN"),
        "scheduled_delivery": ("2026-03-03T00:00:00", "2026-03-07T00:00:00"),
    }


def test_changes_are_the_latest_first_and_none_of_another_connection(c: apsw.Connection) -> None:
    for at, state in enumerate(("STD", "AVL", "PLN", "DSO")):
        store(c, ASKED + at * DAY, facts(7, state=state))
        order_store.store_orders(c, "q", "open", [facts(7, state="STD", city=f"{at}")], ASKED + at * DAY)
    assert [each.values["state"] for each in changes_of(c, "p", 7, 2)] == [("PLN", "DSO"), ("AVL", "PLN")]
    assert {name for each in changes_of(c, "q", 7, 9) for name in each.values} == {"city"}


def test_a_new_order_and_a_member_asked_for_first_have_not_changed(c: apsw.Connection) -> None:
    store(c, ASKED, facts(7, state="AVL"))
    store(c, ASKED + DAY, facts(7, state="AVL", extra={"Notes": [{"Text": "x"}]}))
    assert changes_of(c, "p", 7, 9) == []
    store(c, ASKED + 2 * DAY, facts(7, state="AVL", extra={"Notes": [{"Text": "y"}]}))
    assert changes_of(c, "p", 7, 9)[0].values == {"note": ("x", "y")}


def test_an_order_that_leaves_the_open_list_and_comes_back_completed_has_two_changes(c: apsw.Connection) -> None:
    imported = ASKED - 3 * DAY
    store(c, ASKED, facts(7, state="DSO", imported_at=imported))
    fetched_windows.finish_window(c, "p", "open", imported - DAY, ASKED, ASKED + DAY, 0)
    order_store.store_orders(c, "p", "completed", [facts(7, state="CMP", imported_at=imported)], ASKED + 2 * DAY)
    back, left = changes_of(c, "p", 7, 9)
    assert (left.at, left.values) == (ASKED + DAY, {"list": ("open", "other")})
    assert back.values == {"list": ("other", "completed"), "state": ("DSO", "CMP")}
    assert found(c, Clause("changed_on", ("list",), first=left.at.date(), last=left.at.date())) == [7]


def test_long_texts_are_kept_in_part(c: apsw.Connection) -> None:
    store(c, ASKED, facts(7, remarks="a" * 5_000))
    store(c, ASKED + DAY, facts(7, remarks="b"))
    before, _ = changes_of(c, "p", 7, 9)[0].values["remarks"]
    assert isinstance(before, str)
    assert (len(before), before[-1]) == (300, "…")


def on(*names: str, first: date | None = None, last: date | None = None, negated: bool = False) -> Clause:
    return Clause("changed_on", names, first, last, negated)


@pytest.mark.parametrize("indexed", [False, True])
def test_changes_are_found_by_day_and_by_what_changed(c: apsw.Connection, indexed: bool) -> None:
    store(c, ASKED, *(facts(each, state="AVL", city="Memphis") for each in (1, 2, 3, 4)))
    store(c, ASKED + DAY, facts(1, state="PLN", city="Memphis"), facts(2, state="AVL", city="Mobile"))
    store(c, ASKED + 2 * DAY, facts(2, state="PLN", city="Mobile"), facts(3, state="AVL", city="Jackson"))
    if indexed:
        segments.index_some(c, enough=1)
    first, second = (ASKED + DAY).date(), (ASKED + 2 * DAY).date()
    assert found(c, on()) == [1, 2, 3]
    assert found(c, on(first=first, last=first)) == [1, 2]
    assert found(c, on(first=second)) == [2, 3]
    assert found(c, on(last=ASKED.date())) == []
    assert found(c, on("status")) == [1, 2]
    assert found(c, on("status", first=second)) == [2]
    assert found(c, on("status", "consignee", first=second)) == [2, 3]
    assert found(c, on("documents")) == []
    assert found(c, on(negated=True)) == [4]
    assert found(c, on(), Clause("state", ("PLN",))) == [1, 2]


def test_an_answer_that_was_found_before_follows_the_next_change(c: apsw.Connection) -> None:
    store(c, ASKED, facts(1, state="AVL"), facts(2, state="AVL"))
    store(c, ASKED + DAY, facts(1, state="PLN"))
    assert found(c, Clause("changed_on")) == [1]
    store(c, ASKED + DAY, facts(2, state="PLN"))
    assert found(c, Clause("changed_on")) == [1, 2]


def test_an_order_is_found_on_the_list_that_it_is_on(c: apsw.Connection) -> None:
    store(c, ASKED, facts(1, state="AVL"))
    order_store.store_orders(c, "p", "completed", [facts(1, state="CMP")], ASKED + DAY)
    assert found(c, Clause("changed_on"), Clause("list", ("completed",))) == [1]
    assert found(c, Clause("changed_on"), Clause("list", ("open",))) == []


def test_changes_older_than_a_year_go_and_younger_ones_stay(c: apsw.Connection) -> None:
    store(c, ASKED, *(facts(each, state="AVL") for each in (1, 2)))
    store(c, ASKED + DAY, *(facts(each, state="PLN") for each in (1, 2)))
    store(c, ASKED + 2 * DAY, facts(1, state="DSO"))
    store(c, ASKED + 400 * DAY, facts(2, state="DSO"))
    assert [each.at for each in changes_of(c, "p", 1, 9)] == [ASKED + 2 * DAY]
    store(c, ASKED + 401 * DAY, facts(2, state="STD"))
    assert changes_of(c, "p", 1, 9) == []
    assert found(c, Clause("changed_on")) == [2]
    assert len(changes_of(c, "p", 2, 9)) == 2


def test_no_more_changes_are_kept_than_allowed(c: apsw.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past_changes, "MOST_KEPT", 10)
    monkeypatch.setattr(past_changes, "_FORGOTTEN", 3)
    order_store.partitions_of(c, "p")
    for day in range(30):
        some = [Change(number, ASKED, {"state": ("AVL", f"{day}")}) for number in (day, day + 1)]
        keep_changes(c, "p", some, ASKED + day * DAY)
    kept = value(c, "SELECT count(*) FROM past_changes")
    assert kept == value(c, "SELECT sum(count) FROM changed_days WHERE name = ''")
    assert 9 <= kept <= 12
    assert changes_of(c, "p", 30, 9)[0].at == ASKED + 29 * DAY


def test_nothing_is_left_of_a_connection_that_is_forgotten(c: apsw.Connection) -> None:
    for each in ("p", "q"):
        order_store.store_orders(c, each, "open", [facts(1, state="AVL")], ASKED)
        order_store.store_orders(c, each, "open", [facts(1, state="PLN")], ASKED + DAY)
    while forget.forget_step(c, "p"):
        pass
    assert changes_of(c, "p", 1, 9) == []
    assert len(changes_of(c, "q", 1, 9)) == 1
    assert value(c, "SELECT count(DISTINCT desk) FROM changed_days") == 1


def test_every_column_has_one_name_at_most_and_the_names_of_filters_mean_their_columns() -> None:
    columns = [column for some in CHANGE_NAMES.values() for column in some]
    assert len(columns) == len(set(columns))
    assert set(columns) == {*LINE_COLUMNS.split(", "), *RAW_FIELDS, "list"} - {"number"}
    for name, field in FIELDS.items():
        typed = {"received_on": "received", "delivered_on": "delivered"}.get(name, name)
        if typed in CHANGE_NAMES and field.column:
            assert field.column in CHANGE_NAMES[typed], name


def test_a_day_is_the_day_on_which_the_provider_was_asked(c: apsw.Connection) -> None:
    evening = datetime(2026, 3, 1, 23, 59, 59)
    store(c, evening - DAY, facts(1, state="AVL"))
    store(c, evening, facts(1, state="PLN"))
    day = date(2026, 3, 1)
    assert found(c, Clause("changed_on", first=day, last=day)) == [1]
    assert found(c, Clause("changed_on", first=day + DAY)) == []
