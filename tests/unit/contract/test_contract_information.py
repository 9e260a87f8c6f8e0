"""Replies of the information service: every field is known, and nothing that arrives costs the record."""

import json
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract import information
from app.contract.information import Audit, AuditDetail, Commodity, Contact, Order, Received, read_audit_details
from app.contract.replies import decode
from tests.support.contract_samples import UNTIMED, changed, sample

RECORDS: dict[str, dict[str, str]] = sample("records.json")
MODELS: dict[str, type[Received]] = {name: getattr(information, name) for name in RECORDS}
FIELDS = [(record, name, kind) for record, names in RECORDS.items() for name, kind in names.items()]
ORDER = sample("reply_order.json")

# A value of each kind, and how it is read.
GOOD: dict[str, tuple[object, object]] = {
    "text": ("Ü <b>", "Ü <b>"),
    "number": (7, 7),
    "flag": (True, True),
    "moment": ("2026-11-18T08:15:30", datetime(2026, 11, 18, 8, 15, 30)),
    "purchase orders": (["A", "B"], ["A", "B"]),
}
# Values of other kinds, and what is left of them.
ODD: dict[str, list[tuple[object, object]]] = {
    "text": [(5, "5"), (0.5, "0.5"), (True, "true"), (["a"], '["a"]'), ({"a": "ü"}, '{"a": "ü"}'), (None, None)],
    "number": [("12", 12), ("x", None), (True, None), ([1], None), ({}, None), (None, None), ("NaN", None), ("", None)],
    "flag": [("True", True), ("false", False), (1, True), (0, False), ("yes", None), ([], None), (None, None)],
    "moment": [("soon", None), ("", None), (True, None), ([], None), ({}, None), (None, None)],
    "purchase orders": [
        ("A", ["A"]),
        (5, ["5"]),
        ([5, None, ""], ["5"]),
        ([{"n": 1, "PO": "B"}], ["B"]),
        (None, None),
        ([{"n": 1}], ['{"n": 1}']),
        ({"PO": "C"}, ["C"]),
        ([], []),
        ("", []),
    ],
    "record": [("x", None), (5, None), ([], None), (None, None)],
    "records": [("x", None), (5, None), ([], []), (["x", None], []), (None, None)],
}
CASES = [(record, name, value, left) for record, name, kind in FIELDS for value, left in ODD[kind]]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(), max_size=8), inner, max_size=3)
    ),
    max_leaves=10,
)


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_has_exactly_the_listed_fields(name: str) -> None:
    assert list(MODELS[name].model_fields) == list(RECORDS[name])


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_may_be_empty(name: str) -> None:
    assert MODELS[name].model_validate({}).model_dump(exclude_none=True) == {}


@pytest.mark.parametrize("name", RECORDS)
def test_unknown_fields_are_kept(name: str) -> None:
    record = MODELS[name].model_validate({"Nothing": None, "New": {"deep": [1, "x"]}})
    assert record.model_extra == {"Nothing": None, "New": {"deep": [1, "x"]}}


def test_a_full_order_is_read_whole() -> None:
    order = Order.model_validate(ORDER)
    assert order.model_dump(mode="json") | {"Carrier": None} == _with_nulls(ORDER) | {"Carrier": None}
    assert order.Consignee is not None
    assert order.Consignee.Address is not None
    assert order.Consignee.Address.City == "Memphis"
    assert order.DateLoaded == datetime(2026, 12, 1, 6, 30)
    assert order.ProofOfDelivery is not None
    assert order.ProofOfDelivery[0].Folder == "POD"


def _with_nulls(order: dict[str, Any]) -> dict[str, Any]:
    """Contacts that leave fields out have them as None once read."""
    empty = dict.fromkeys(RECORDS["Contact"])
    return order | {name: empty | order[name] for name in ("Consignee", "Manufacturer", "Facility")}


@pytest.mark.parametrize(("record", "name", "kind"), [field for field in FIELDS if field[2] in GOOD])
def test_a_value_of_the_listed_kind(record: str, name: str, kind: str) -> None:
    given_value, read = GOOD[kind]
    assert getattr(MODELS[record].model_validate({name: given_value}), name) == read


@pytest.mark.parametrize(("record", "name", "value", "left"), CASES)
def test_a_value_of_another_kind_costs_no_record(record: str, name: str, value: object, left: object) -> None:
    made = MODELS[record].model_validate({name: value, "New": "kept"})
    assert getattr(made, name) == left
    assert made.model_extra == {"New": "kept"}


@pytest.mark.parametrize("path", ["Notes", "Commodities", "ProofOfDelivery"])
def test_a_list_of_one_may_come_without_its_list(path: str) -> None:
    assert Order.model_validate(changed(ORDER, path, ORDER[path][0])) == Order.model_validate(ORDER)


def test_bad_rows_go_and_good_ones_stay() -> None:
    order = Order.model_validate({"Commodities": [None, {"CommodityCode": 5, "Count": "2"}, "x", [], {}]})
    assert order.Commodities == [Commodity(CommodityCode="5", Count=2), Commodity()]


def test_large_numbers_stay_themselves() -> None:
    large = 98_765_432_109_876_543
    for number in (large, str(large), f" {large} "):
        assert Order.model_validate({"OrderNumber": number}).OrderNumber == large
    for seven in (7.0, "7.0", "7"):
        assert Order.model_validate({"OrderNumber": seven}).OrderNumber == 7


@pytest.mark.parametrize("number", [7.5, "7.5", "1e999", "9" * 5_000, float("nan"), float("inf"), "1_000", "7a", "--7"])
def test_what_is_no_order_number_is_none(number: object) -> None:
    assert Order.model_validate({"OrderNumber": number}).OrderNumber is None


def test_values_nested_as_deeply_as_can_be_decoded() -> None:
    for depth in range(600, 1_100):
        decoded = decode(b'{"CRN":' + b"[" * depth + b"]" * depth + b',"OrderNumber":7}')
        if isinstance(decoded, dict):
            assert Order.model_validate(decoded).OrderNumber == 7


def test_records_can_be_read_again() -> None:
    audit = Audit.model_validate({"auditId": 1, "auditDate": 1_735_689_600_000})
    assert Audit.model_validate(audit.model_dump()) == audit
    order = Order.model_validate(ORDER)
    assert Order.model_validate(order.model_dump()) == order
    assert Order.model_validate(json.loads(order.model_dump_json())) == order
    assert Order(Facility=Contact(Name="Memphis")).Facility == Contact(Name="Memphis")


def test_the_detail_of_an_audit_is_a_list_of_rows_or_one_object() -> None:
    row = {"auditId": 5, "detailName": "Q1", "cmpAWCDomicle": "MEM"}
    read = AuditDetail(auditId=5, detailName="Q1", cmpAWCDomicle="MEM")
    assert read_audit_details(row) == [read]
    assert read_audit_details([row, None, "x", row]) == [read, read]
    nothings: list[object] = [None, "x", 5, [], [[]]]
    assert [read_audit_details(nothing) for nothing in nothings] == [[]] * 5


@UNTIMED
@given(st.sampled_from(FIELDS), json_values)
def test_any_json_in_any_field(field: tuple[str, str, str], value: object) -> None:
    MODELS[field[0]].model_validate(decode(json.dumps({field[1]: value}).encode()))


@UNTIMED
@given(st.sampled_from(list(RECORDS)), st.dictionaries(st.text(st.characters(), max_size=8), json_values, max_size=4))
def test_any_json_object(name: str, record: dict[str, object]) -> None:
    decoded = decode(json.dumps(record).encode())
    made = MODELS[name].model_validate(decoded)
    made.model_dump_json().encode()  # what is read can be kept
    read_audit_details(decoded)
