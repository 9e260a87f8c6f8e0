"""The fast path reads orders that match the contract; the tolerant models give the same columns."""

import json
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.information_service import Include
from app.contract.information import Order
from app.desk.sync.announced_orders import quick_columns
from app.desk.sync.order_facts import listed_facts
from app.store.cache.order_columns import OrderColumns, columns_of
from tests.support.announced import RECORD

NOTHING = Include()
ASKED = st.builds(Include, st.booleans(), st.booleans(), st.booleans(), st.booleans())
CONTACTS = ("Consignee", "Facility", "Manufacturer", "Carrier")
PARTS = ("Notes", "Commodities", "ProofOfDelivery")
ADDRESS = ("StreetAddress1", "StreetAddress2", "StreetAddress3", "City", "State", "ZipCode")
MOMENTS = st.sampled_from(
    [
        *("2026-11-20", "2026-11-20T08:00:00", "2026-11-20 08:00:00", "2026-11-20T08:00:00Z", "2026-13-20T08:00:00"),
        *("2026-11-20T24:00:00", "2026-W47-5T08:00:00", "2026-11-20T08:00:00.9999999", "0000-01-01T00:00:00"),
    ]
)
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=4),
    MOMENTS,
    st.sampled_from(["true", "\ud83d", "\ude00", "\ud83d\ude00", "\0", "a\nb"]),
    st.lists(st.one_of(st.text(max_size=3), st.none(), st.integers()), max_size=3),
    st.dictionaries(st.sampled_from(["Name", "Address", "City", "Id", "Folder"]), st.text(max_size=3), max_size=2),
)
CONTACT = st.one_of(
    ODD,
    st.fixed_dictionaries(
        {},
        optional={"Id": ODD, "Name": ODD, "Phone": ODD, "Address": st.dictionaries(st.sampled_from(ADDRESS), ODD)},
    ),
)
DOCUMENTS = st.lists(st.one_of(ODD, st.fixed_dictionaries({}, optional={"Folder": ODD, "Filename": ODD})), max_size=3)
RECORDS = st.fixed_dictionaries(
    {"OrderNumber": st.one_of(st.integers(1, 10), ODD)},
    optional={
        **{name: ODD for name in RECORD if name not in ("OrderNumber", *CONTACTS)},
        **dict.fromkeys(CONTACTS, CONTACT),
        **dict.fromkeys(PARTS, st.one_of(ODD, DOCUMENTS)),
    },
)
# Most of it as announced: what is otherwise is one thing at a time.
NEARLY = st.builds(lambda record: RECORD | record, st.dictionaries(st.sampled_from([*RECORD, *PARTS]), ODD, max_size=1))
LAYOUTS = st.sampled_from([{}, {"separators": (",", ":")}, {"indent": 1}, {"ensure_ascii": False}])


def tolerant(raw: str, asked: Include) -> OrderColumns | None:
    facts = listed_facts(json.loads(raw), raw, asked)
    return None if facts is None else columns_of(facts)


@given(RECORDS | NEARLY, ASKED, LAYOUTS)
def test_whatever_is_taken_is_read_as_the_models_read_it(
    record: dict[str, object], asked: Include, layout: dict[str, Any]
) -> None:
    raw = json.dumps(record, **layout).encode("utf-8", "replace").decode()
    quick = quick_columns(asked)(raw)
    assert quick is None or quick == tolerant(raw, asked)


@given(ASKED, LAYOUTS, st.dictionaries(st.sampled_from([*RECORD, *PARTS][1:]), st.none()))
def test_what_is_as_announced_is_taken_whatever_was_left_out(
    asked: Include, layout: dict[str, Any], nulls: dict[str, None]
) -> None:
    documents = [{"Folder": "POD", "Filename": "a.pdf"}, {"Folder": "bol"}, {"Folder": None}, {}]
    whole = RECORD | {"ProofOfDelivery": documents, "Notes": [{"Text": "x"}], "Commodities": [{"Count": 2}]}
    for record in (whole, whole | nulls, {name: each for name, each in whole.items() if name not in nulls}):
        raw = json.dumps(record, **layout)
        quick = quick_columns(asked)(raw)
        assert quick is not None
        assert quick == tolerant(raw, asked)


def test_an_order_as_announced_needs_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = tolerant(json.dumps(RECORD), NOTHING)
    monkeypatch.setattr(Order, "model_validate", None)
    assert quick_columns(NOTHING)(json.dumps(RECORD)) == expected


@given(st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)))
def test_any_day_and_second_of_the_calendar_is_taken_but_the_leap_day(moment: datetime) -> None:
    text = moment.isoformat(timespec="seconds")
    quick = quick_columns(NOTHING)(json.dumps({"OrderNumber": 5, "DateLoaded": text}))
    if (moment.month, moment.day) == (2, 29):
        assert quick is None
    else:
        assert quick is not None
        assert quick.loaded_at == text


@given(st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\n?", fullmatch=True))
def test_what_looks_like_a_moment_and_is_none_is_left_to_the_models(text: str) -> None:
    raw = json.dumps({"OrderNumber": 5, "DateLoaded": text})
    quick = quick_columns(NOTHING)(raw)
    assert quick is None or quick == tolerant(raw, NOTHING)
    try:
        exact = datetime.fromisoformat(text).isoformat() == text
    except ValueError:
        exact = False
    assert exact or quick is None


@pytest.mark.parametrize(
    "raw",
    [
        '{"CRN":"R-1"}',
        '{"OrderNumber":"5"}',
        '{"OrderNumber":5.0}',
        '{"OrderNumber":9223372036854775808}',
        '{"OrderNumber":5,"PO":["a",null]}',
        '{"OrderNumber":5,"PO":"a"}',
        '{"OrderNumber":5,"ProofOfDelivery":{"Folder":"POD"}}',
        '{"OrderNumber":5,"ProofOfDelivery":[{"Folder":7}]}',
        '{"OrderNumber":5,"Notes":["x"]}',
        '{"OrderNumber":5,"CRN":"\\ud83d"}',
        '{"OrderNumber":5,"CRN":"a\tb"}',
        '{"OrderNumber":5,"CRN":NaN}',
        '{"OrderNumber":5',
        "[]",
        "5",
    ],
)
def test_what_is_otherwise_is_left_to_the_models(raw: str) -> None:
    assert quick_columns(NOTHING)(raw) is None


def test_a_name_that_is_written_otherwise_is_the_same_name() -> None:
    quick = quick_columns(NOTHING)('{"Order\\u004eumber":5,"CRN":"a","CRN":"b"}')
    assert quick is not None
    assert (quick.number, quick.crn) == (5, "b")
