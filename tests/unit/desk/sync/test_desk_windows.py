"""A horizon is cut into windows, and a provider's record becomes a row of the cache."""

import itertools
import json
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.information_service import Include, OrderRow
from app.contract.information import Order
from app.desk.sync.order_facts import facts_of, listed_facts
from app.desk.sync.window_plan import windows
from tests.support.announced import RECORD

MOMENTS = st.datetimes(datetime(2000, 3, 1), datetime(2100, 1, 1))


@given(MOMENTS, st.integers(0, 400))
def test_windows_cover_the_days_exactly_newest_first_and_none_is_longer_than_a_week(now: datetime, days: int) -> None:
    cut = windows(now, days)
    assert cut[0][1] == now.replace(hour=23, minute=59, second=59, microsecond=0)
    first = (now - timedelta(days=days)).replace(hour=0, minute=0, second=0, microsecond=0)
    assert cut[-1][0] == first
    for start, end in cut:
        assert start.time() == datetime.min.time()
        assert (end.hour, end.minute, end.second, end.microsecond) == (23, 59, 59, 0)
        assert timedelta(0) < end - start < timedelta(days=7)
    for (start, _), (_, end) in itertools.pairwise(cut):
        assert start - end == timedelta(seconds=1), "no gap and no overlap: the provider gives times in seconds"


@given(MOMENTS, st.integers(1, 400))
def test_tomorrow_the_same_weeks_are_asked_for(now: datetime, days: int) -> None:
    today, tomorrow = windows(now, days), windows(now + timedelta(days=1), days + 1)
    monday = now.date() - timedelta(days=now.weekday())
    assert [each for each in today if each[1].date() < monday] == [each for each in tomorrow if each[1].date() < monday]


@given(MOMENTS)
def test_a_year_is_asked_for_in_windows_of_less_than_a_year(now: datetime) -> None:
    assert len(windows(now, 365)) in (54, 55)


NOTHING = Include()


def row_of(record: dict[str, object]) -> OrderRow:
    return OrderRow(Order.model_validate(record), json.dumps(record))


def test_every_column_comes_from_its_own_property() -> None:
    facts = facts_of(row_of(RECORD), NOTHING)
    assert facts is not None
    assert (facts.number, facts.crn, facts.state, facts.status) == (771002, "CRN-20481", "CMP", "Completed")
    assert (facts.consignee_name, facts.phone) == ("J. Rivera", "901-555-0142")
    assert (facts.street, facts.city) == ("12 Beale Street, Dock 4", "Memphis")
    assert (facts.region, facts.zip) == ("TN", "38103")
    assert (facts.facility_id, facts.facility_name, facts.manufacturer) == ("F-1", "Memphis", "Maker")
    assert (facts.brand, facts.delivery_type, facts.bol, facts.pos) == ("Brand", "HOME", "BOL-9", "PO-1\nPO-2")
    assert facts.remarks == "Call first."
    assert (facts.carrier, facts.received_by, facts.loaded_by) == ("Blue Ridge", "R. Cole", "L. Ode")
    assert facts.delivered_by == "Crew 4"
    assert facts.imported_at == datetime(2026, 11, 20, 8)
    assert facts.estimated_receive == datetime(2026, 11, 21)
    assert facts.received_at == datetime(2026, 11, 21, 9, 30)
    assert facts.requested_delivery == datetime(2026, 11, 24)
    assert facts.scheduled_delivery == datetime(2026, 11, 25)
    assert facts.loaded_at == datetime(2026, 11, 25, 6)
    assert facts.delivered_at == datetime(2026, 11, 25, 14, 2)
    assert (facts.is_received, facts.is_delivered) == (True, True)
    assert json.loads(facts.raw) == RECORD


def test_what_is_absent_stays_unknown() -> None:
    facts = facts_of(row_of({"OrderNumber": 5}), NOTHING)
    assert facts is not None
    assert (facts.number, facts.raw) == (5, '{"OrderNumber": 5}')
    others = {name for name in facts.__slots__ if name not in ("number", "raw")}
    assert {getattr(facts, name) for name in others} == {None}


def test_no_purchase_orders_differs_from_not_asked_for() -> None:
    known_to_have_none = facts_of(row_of({"OrderNumber": 5, "PO": []}))
    assert known_to_have_none is not None
    assert known_to_have_none.pos == ""


def test_an_address_without_streets_is_unknown_not_empty() -> None:
    facts = facts_of(row_of({"OrderNumber": 5, "Consignee": {"Address": {"City": "Memphis"}}}))
    assert facts is not None
    assert (facts.street, facts.city) == (None, "Memphis")


@given(st.dictionaries(st.sampled_from(list(RECORD)), st.none()))
def test_a_null_is_as_good_as_nothing(record: dict[str, object]) -> None:
    record["OrderNumber"] = 5
    facts = listed_facts(record, json.dumps(record), NOTHING)
    assert facts is not None
    assert {getattr(facts, name) for name in facts.__slots__ if name not in ("number", "raw")} == {None}


@pytest.mark.parametrize("raw", ['{"OrderNumber": 5}', '{"OrderNumber":5 }', '{"OrderNumber": 5, "Notes": null}'])
def test_a_part_that_was_asked_for_and_left_out_is_known_to_be_empty(raw: str) -> None:
    facts = listed_facts(json.loads(raw), raw, Include(documents=True, notes=True, purchase_orders=True))
    assert facts is not None
    assert json.loads(facts.raw) == {"OrderNumber": 5, "PO": [], "Notes": [], "ProofOfDelivery": []}
    assert facts.pos == ""
    nothing = listed_facts(json.loads(raw), raw, NOTHING)
    assert nothing is not None
    assert (nothing.raw, nothing.pos) == (raw, None)


def test_a_record_without_a_number_is_no_row() -> None:
    assert facts_of(row_of({"CRN": "R-1"})) is None
