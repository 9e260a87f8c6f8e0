"""Raw fields are read, sorted by and marked as changed as the contract's models read the same record."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import apsw
import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from app.contract.information import Address, Contact, Order
from app.store.cache import forget, order_query, order_store
from app.store.cache.index import page_search, prepared_sort, sort_order
from app.store.cache.order_cursor import walk
from app.store.cache.order_rows import ListName, OrderFacts, OrderQuery
from app.store.cache.schema.cache_schema import CACHE
from app.store.cache.schema.conditions import Clause
from app.store.cache.schema.raw_fields import RAW_FIELDS, read_raw_fields
from app.store.sqlite.plain_rows import value
from tests.support.order_facts import ASKED

_LONG_AGO = datetime(1, 1, 1)
LISTS: tuple[ListName, ...] = ("open", "completed", "other")
_CONTACTS = {"consignee": "Consignee", "facility": "Facility", "carrier": "Carrier", "manufacturer": "Manufacturer"}
_PLACES = {"city": "City", "region": "State", "zip": "ZipCode"}

texts = st.none() | st.sampled_from(
    ("", "Ana", "ana", "Zoë", "b\tc", "a\nb", 'q"u', "back\\slash", "\\ud83d", "\U0001f600", "x\x00y", "é" * 40)
)
dates = st.none() | st.sampled_from(
    ("2026-03-01T08:00:00", "2026-03-01T08:00:01.1234567", "2026-03-02", "2026-02-30T08:00:00", "now", "", "12:00")
)
addresses = st.none() | st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(("StreetAddress1", "StreetAddress2", "StreetAddress3", "City", "State", "ZipCode"), texts),
)
contacts = st.none() | st.fixed_dictionaries(
    {}, optional={"Id": texts, "Name": texts, "Phone": texts, "Email": texts, "Address": addresses}
)
counts = st.none() | st.integers(-3, 12) | st.sampled_from((1.5, 2.0, 10**15, 10**30, "3", " 4 ", "4.5", "x", True))
odd = st.sampled_from((None, "text", 7))


def several(record: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A list of records and of other values; or one record by itself."""
    return st.lists(record | odd, max_size=4) | record | st.just("text")


notes = several(st.fixed_dictionaries({}, optional={"Text": texts, "CreatedDate": dates}))
commodities = several(
    st.fixed_dictionaries({}, optional={"CommodityCode": texts, "Description": texts, "Count": counts})
)
documents = several(
    st.fixed_dictionaries(
        {},
        optional={"Filename": texts, "CreatedDate": dates, "Folder": st.sampled_from(("POD", "pod ", "BOL", "", None))},
    )
)
wholes: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(_CONTACTS.values(), contacts),
        **{"Notes": notes, "Commodities": commodities, "ProofOfDelivery": documents},
    },
)


def plainly(record: dict[str, Any]) -> dict[str, Any]:
    """Every raw field of an order, read through the contract's models."""
    order = Order.model_validate(record)
    found: dict[str, Any] = {}
    for name, member in _CONTACTS.items():
        found |= {f"{name}_{key}": told for key, told in _of_contact(getattr(order, member) or Contact()).items()}
    found |= dict.fromkeys(("note_count", "note", "note_at", "commodities", "descriptions", "pieces"))
    found |= dict.fromkeys(("document_count", "files", "document_at", "pod_at"))
    if order.Notes is not None:
        newest = sorted(order.Notes, key=lambda each: _seconds(each.CreatedDate) or _LONG_AGO, reverse=True)
        found["note_count"] = len(newest)
        found["note"] = next((each.Text for each in newest if each.Text), "")
        found["note_at"] = _latest(order.Notes)
    if order.Commodities is not None:
        lines = [(each.CommodityCode, each.Description, each.Count) for each in order.Commodities]
        found["commodities"] = "\n".join(_counted(code or words or "?", count) for code, words, count in lines)
        found["descriptions"] = "\n".join(_counted(words or code or "?", count) for code, words, count in lines)
        total = float(sum(count or 0 for *_, count in lines))
        found["pieces"] = total if abs(total) < 2**53 else None
    if order.ProofOfDelivery is not None:
        found["document_count"] = len(order.ProofOfDelivery)
        found["files"] = "\n".join(each.Filename or each.Folder or "?" for each in order.ProofOfDelivery)
        found["document_at"] = _latest(order.ProofOfDelivery)
        found["pod_at"] = _latest(
            [each for each in order.ProofOfDelivery if (each.Folder or "").strip(" ").upper() == "POD"]
        )
    return {name: found[name] for name in RAW_FIELDS}


def _of_contact(contact: Contact) -> dict[str, Any]:
    address = contact.Address or Address()
    street = (address.StreetAddress1, address.StreetAddress2, address.StreetAddress3)
    return {
        **{"id": contact.Id, "phone": contact.Phone, "email": contact.Email},
        "street": ", ".join(line for line in street if line) or None,
        **{name: getattr(address, member) for name, member in _PLACES.items()},
    }


def _seconds(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment.replace(microsecond=0)


def _latest(records: Sequence[Any]) -> datetime | str:
    """The latest date; an empty text if no record has one."""
    return max((when for each in records if (when := _seconds(each.CreatedDate)) is not None), default="")


def _counted(words: str, count: float | None) -> str:
    return words if count is None else f"{words} × {count}"


def memory() -> apsw.Connection:
    """An empty cache."""
    connection = apsw.Connection(":memory:")
    for statements in CACHE.migrations:
        for statement in statements:
            connection.execute(statement)
    return connection


def facts(number: int, record: dict[str, Any]) -> OrderFacts:
    return OrderFacts(number, json.dumps({"OrderNumber": number, **record}))


def read(c: apsw.Connection, number: int) -> dict[str, Any]:
    """The raw fields of an order's row."""
    (line,) = order_query.page_orders(
        c, OrderQuery("p", None, clauses=(Clause("number", (str(number),)),), raw_fields=tuple(RAW_FIELDS)), 5
    )
    return dict(line.raw_fields or {})


@settings(max_examples=100, deadline=None)
@given(record=wholes)
def test_every_raw_field_is_what_a_plain_reading_says(record: dict[str, Any]) -> None:
    c = memory()
    order_store.store_orders(c, "p", "open", [facts(1, record)], ASKED)
    expected, found = plainly(record), read(c, 1)
    for huge in ("commodities", "descriptions"):  # 10**30 is written otherwise; nobody counts so much
        if "e+30" in str(found[huge]):
            expected[huge] = found[huge]
    assert found == expected
    c.close()


def test_an_optional_member_is_not_known_until_it_came_and_then_may_be_empty() -> None:
    c = memory()
    order_store.store_orders(
        c, "p", "open", [facts(1, {}), facts(2, {"Notes": [], "Commodities": [], "ProofOfDelivery": []})], ASKED
    )
    order_store.store_orders(c, "p", "open", [OrderFacts(3, '{"OrderNumber":3,"Notes":null,"Notes":[]}')], ASKED)
    order_store.store_orders(c, "p", "open", [OrderFacts(4, '{"OrderNumber":4,"Notes":null}')], ASKED)
    assert {read(c, 1)[name] for name in ("note_count", "note", "commodities", "pieces", "files")} == {None}
    told = read(c, 2)
    assert (told["note_count"], told["note"], told["pieces"], told["commodities"], told["files"]) == (0, "", 0, "", "")
    assert read(c, 3)["note_count"] == 0, "null though it was asked for: there are none"
    assert read(c, 4)["note_count"] is None
    c.close()


def test_of_the_dates_with_a_zone_this_computers_time_is_told() -> None:
    c = memory()
    said = ["2026-03-01T08:00:00Z", "2026-03-01T08:00:00.5+02:00", "2026-03-01 08:00 -0330", "2026-03-01T08:00:00z"]
    for number, each in enumerate(said, 1):
        order_store.store_orders(
            c, "p", "open", [facts(number, {"Notes": [{"Text": "x", "CreatedDate": each}]})], ASKED
        )
    orders = [Order.model_validate({"Notes": [{"CreatedDate": each}]}) for each in said]
    expected = [_seconds(note.CreatedDate) for order in orders for note in order.Notes or ()]
    assert None not in expected
    assert [read(c, number)["note_at"] for number in (1, 2, 3, 4)] == expected
    c.close()


def test_half_a_character_is_written_out_and_costs_nothing_else() -> None:
    c = memory()
    raw = '{"OrderNumber":1,"Carrier":{"Phone":"x\\ud800y","Email":"\\ud83d\\ude00 \\ud7ff"}}'
    order_store.store_orders(c, "p", "open", [OrderFacts(1, raw)], ASKED)
    order_store.store_orders(c, "p", "completed", [OrderFacts(2, raw.replace(":1,", ":2,"))], ASKED)
    assert read(c, 1)["carrier_phone"] == "x\\ud800y"
    assert read(c, 1)["carrier_email"] == "\U0001f600 \ud7ff"
    for name in ("carrier_phone", "carrier_email"):
        assert len(order_query.page_orders(c, OrderQuery("p", None, sort=name), 9)) == 2
        sort_order.prepare_sort(c, name)
        assert len(order_query.page_orders(c, OrderQuery("p", None, sort=name), 9)) == 2
    c.close()


def test_a_text_that_sqlite_cannot_read_has_no_raw_fields_and_stops_nothing() -> None:
    c = memory()
    sort_order.prepare_sort(c, "carrier_phone")
    raw = '{"OrderNumber":1,"Carrier":{"Phone":"1"},"x":' + "[" * 1_500 + "]" * 1_500 + "}"
    order_store.store_orders(c, "p", "open", [OrderFacts(1, raw)], ASKED)
    assert set(read(c, 1).values()) == {None}
    c.close()


def test_each_raw_field_of_a_full_order_has_a_value_of_its_declared_kind() -> None:
    c = memory()
    address = {"StreetAddress1": "4", "City": "5", "State": "6", "ZipCode": "7"}
    contact = {"Id": "1", "Phone": "2", "Email": "3", "Address": address}
    record = {
        **dict.fromkeys(_CONTACTS.values(), contact),
        "Notes": [{"Text": "x", "CreatedDate": "2026-03-01T08:00:00"}],
        "Commodities": [{"CommodityCode": "A", "Description": "B", "Count": 2}],
        "ProofOfDelivery": [{"Filename": "a.pdf", "Folder": "POD", "CreatedDate": "2026-03-01T08:00:00"}],
    }
    order_store.store_orders(c, "p", "open", [facts(1, record)], ASKED)
    kinds = {str: "text", int: "number", float: "number", datetime: "moment"}
    values = read(c, 1)
    assert {name: kinds.get(type(told)) for name, told in values.items()} == {
        name: field.kind for name, field in RAW_FIELDS.items()
    }
    undeclared = [name for name, told in values.items() if isinstance(told, str) and told.startswith("2026-03-01T")]
    assert undeclared == [], "these are of the kind moment"
    c.close()


# Sorting


def order_of(held: dict[int, tuple[ListName, dict[str, Any]]], name: str, *, down: bool) -> list[int]:
    """The numbers sorted in plain Python: without a value last either way, equal ones by list and number."""

    def key(number: int) -> tuple[bool, Any, int, int]:
        place, record = held[number]
        told, kind = plainly(record)[name], RAW_FIELDS[name].kind
        if kind == "moment":
            told = told.isoformat() if isinstance(told, datetime) else told
        elif isinstance(told, str):
            told = told.split("\x00")[0]  # as far as SQLite compares without case
            told = "".join(letter.lower() if letter.isascii() else letter for letter in told).encode()
        nothing: Any = {"moment": "", "number": 0, "text": b""}[kind]
        return (told is None) is not down, nothing if told is None else told, LISTS.index(place), number

    return sorted(held, key=key, reverse=down)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_sorting_by_any_raw_field_is_a_plain_sorting_whatever_was_prepared_changed_and_moved(
    data: st.DataObject,
) -> None:
    c = memory()
    held: dict[int, tuple[ListName, dict[str, Any]]] = {}
    names = data.draw(st.lists(st.sampled_from(sorted(RAW_FIELDS)), min_size=1, max_size=7, unique=True))
    for second in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.sampled_from(LISTS))
        some = data.draw(st.dictionaries(st.integers(1, 9), wholes, max_size=5))
        order_store.store_orders(
            c, "p", place, [facts(number, each) for number, each in some.items()], ASKED + timedelta(seconds=second)
        )
        for number, each in some.items():
            optional = {name: held[number][1][name] for name in _KEPT if number in held and name in held[number][1]}
            held[number] = place, {**{name: told for name, told in optional.items() if name not in each}, **each}
        if data.draw(st.booleans()):
            sort_order.prepare_sort(c, data.draw(st.sampled_from(names)))
    for name in names:
        for within in (None, *LISTS):
            for down in (False, True):
                these = {number: each for number, each in held.items() if within in (None, each[0])}
                query = OrderQuery("p", within, sort=name, descending=down)
                pages = [order_query.page_orders(c, query, 3, offset) for offset in range(0, 12, 3)]
                found = [line.number for page in pages for line in page]
                assert found == order_of(these, name, down=down), (name, within, down)
    c.close()


_KEPT = ("Notes", "Commodities", "ProofOfDelivery")


def _numbered(count: int) -> list[OrderFacts]:
    return [facts(number, {"Carrier": {"Phone": f"{number * 7 % count:05}"}}) for number in range(1, count + 1)]


def test_preparing_goes_in_steps_and_what_comes_meanwhile_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared_sort, "STEP", 10)
    c = memory()
    order_store.store_orders(c, "p", "open", _numbered(35)[:30], ASKED)
    assert sort_order.prepare_step(c, "carrier_phone") == 10
    assert sort_order.lacks_sort_index(c, "carrier_phone"), "it is not ready before all are there"
    order_store.store_orders(c, "p", "open", _numbered(35), ASKED + timedelta(seconds=1))
    order_store.store_orders(c, "p", "open", [facts(1, {"Carrier": {"Phone": "99999"}})], ASKED + timedelta(seconds=2))
    assert sort_order.prepare_step(c, "carrier_phone") == 20, "it goes on where it was"
    sort_order.prepare_sort(c, "carrier_phone")
    assert not sort_order.lacks_sort_index(c, "carrier_phone")
    query = OrderQuery("p", "open", sort="carrier_phone", raw_fields=("carrier_phone",))
    page = order_query.page_orders(c, query, 100)
    assert page[0].number == 1
    assert [line.raw_fields["carrier_phone"] for line in page if line.raw_fields] == sorted(
        (line.raw_fields["carrier_phone"] for line in page if line.raw_fields), reverse=True, key=str
    )
    assert len(page) == 35
    c.close()


def test_a_prepared_raw_field_is_read_from_its_index(monkeypatch: pytest.MonkeyPatch) -> None:
    c = memory()
    order_store.store_orders(c, "p", "open", _numbered(5), ASKED)
    sort_order.prepare_sort(c, "carrier_phone")
    table, order = sort_order.sorting(c, "carrier_phone", descending=True)
    statement = f"SELECT id FROM {table} WHERE partition = 1 ORDER BY {order}"  # noqa: S608
    plan = [detail for *_, detail in c.execute(f"EXPLAIN QUERY PLAN {statement}")]
    assert not any("TEMP B-TREE" in detail for detail in plan), plan
    assert any("COVERING INDEX" in detail for detail in plan), plan
    monkeypatch.setattr(page_search, "_FEW", 0)
    found = order_query.page_orders(c, OrderQuery("p", "open", "0000", sort="carrier_phone"), 9)
    assert found == order_query.page_orders(c, OrderQuery("p", "open", "0000", sort="carrier_phone"), 9)
    c.close()


def test_only_the_last_few_stay_prepared() -> None:
    c = memory()
    order_store.store_orders(c, "p", "open", _numbered(5), ASKED)
    for name in list(RAW_FIELDS)[:6]:
        sort_order.prepare_sort(c, name)
    assert [sort_order.lacks_sort_index(c, name) for name in list(RAW_FIELDS)[:6]] == [
        True,
        True,
        True,
        True,
        False,
        False,
    ]
    assert value(c, "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'") == 6
    c.close()


def test_what_is_forgotten_leaves_no_row_behind() -> None:
    c = memory()
    order_store.store_orders(c, "p", "open", _numbered(5), ASKED)
    order_store.store_orders(c, "q", "open", _numbered(3), ASKED)
    sort_order.prepare_sort(c, "carrier_phone")
    forget.forget_profile(c, "p")
    assert value(c, "SELECT count(*) FROM prepared_carrier_phone") == 3
    c.close()


def test_an_unknown_raw_field_is_refused() -> None:
    c = memory()
    with pytest.raises(KeyError):
        read_raw_fields(c, [1], ["1; DROP TABLE orders"])
    c.close()


def test_an_export_reads_the_raw_fields_of_each_order_as_it_is_then() -> None:
    c = memory()
    order_store.store_orders(c, "p", "open", _numbered(200), ASKED)
    query = OrderQuery("p", "open", sort="carrier_phone", descending=False, raw_fields=("carrier_phone",))

    def use(cursor: Any) -> list[Any]:
        return [line.raw_fields["carrier_phone"] for line in cursor.lines()]

    assert walk(c, query, use) == [f"{number:05}" for number in range(200)]
    c.close()


# Marks


@pytest.mark.parametrize(
    ("before", "after", "marked"),
    [
        ({"Carrier": {"Phone": "1"}}, {"Carrier": {"Phone": "2"}}, "carrier_phone"),
        ({"Carrier": {"Phone": "1"}}, {"Carrier": {"Phone": "1", "Fax": "2"}}, ""),
        ({}, {"Facility": {"Email": "a@b"}}, "facility_email"),
        ({}, {"Notes": [{"Text": "x"}]}, ""),
        ({"Notes": []}, {"Notes": [{"Text": "x"}]}, "note note_count"),
        ({"Notes": [{"Text": "x"}]}, {}, ""),
        ({"Commodities": [{"CommodityCode": "A", "Count": 1}]}, {"Commodities": [{"CommodityCode": "A", "Count": 2}]},
         "commodities descriptions pieces"),
    ],
    ids=["text", "not shown", "came", "asked for first", "a note", "not asked for", "a count"],
)  # fmt: skip
def test_what_changed_of_the_raw_fields_is_marked(before: dict[str, Any], after: dict[str, Any], marked: str) -> None:
    c = memory()
    order_store.store_orders(c, "p", "open", [facts(1, before)], ASKED)
    order_store.store_orders(c, "p", "open", [facts(1, after)], ASKED + timedelta(seconds=1))
    (line,) = order_query.page_orders(c, OrderQuery("p"), 1)
    assert line.changed == marked
    c.close()
