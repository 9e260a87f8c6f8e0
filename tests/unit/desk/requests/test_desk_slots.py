"""Slots are read from whatever comes, and reserved once, in the provider's own words."""

import json
import time as time_of_day
from datetime import date, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desk.desk import Desk
from app.desk.slots import slot_calls
from app.desk.slots.slot_calls import PARTNERS, SlotQuestion, more_fields
from app.desk.slots.slot_reading import Slot, slots_in
from tests.support.fault_server import MANAGEMENT, FaultServer
from tests.support.faults import act_then_drop, answered, json_answer

TUESDAY = date(2026, 11, 24)
GET, RESERVE = MANAGEMENT + "/PartnerA/getSlot", MANAGEMENT + "/PartnerA/reserveSlot"
ASKED = SlotQuestion("R-1", "MEM01", "38104", "2026-11-24")


def read(body: object) -> list[tuple[date | None, time | None, time | None]]:
    return [(each.day, each.start, each.end) for each in slots_in(json.dumps(body).encode())]


@pytest.mark.parametrize(
    "body",
    [
        {"slots": [{"date": "2026-11-24", "from": "08:00", "to": "12:00"}]},
        [{"Day": "2026-11-24", "window": "08:00-12:00"}],
        {"data": {"days": [{"day": "11/24/2026", "windows": [{"begin": "8:00 AM", "end": "12:00 PM"}]}]}},
        {"start": "2026-11-24T08:00:00", "end": "2026-11-24T12:00:00"},
        {"StartTime": "2026-11-24T08:00:00-06:00", "EndTime": "2026-11-24T12:00:00-06:00"},
        [{"endTime": "12:00:00", "startTime": "08:00:00", "slotDate": "20261124"}],
        {"createdAt": "2026-11-01T10:00:00", "date": "2026-11-24", "times": ["08:00 – 12:00"]},
    ],
)
def test_days_and_times_are_found_whatever_they_are_called(body: object) -> None:
    assert read(body) == [(TUESDAY, time(8), time(12))]


def test_slots_are_sorted_and_a_list_of_times_is_one_slot_each() -> None:
    body = {"2nd": [{"date": "2026-11-25"}], "1st": [{"date": "2026-11-24", "times": ["14:00", "09:30"]}]}
    assert read(body) == [(TUESDAY, time(9, 30), None), (TUESDAY, time(14), None), (date(2026, 11, 25), None, None)]


def test_the_rest_stays_as_it_is_and_a_slot_keeps_what_is_around_it() -> None:
    body = {"facility": "MEM01", "slots": [{"slotId": "S-1", "date": "2026-11-24", "remaining": 3, "id": 20261124}]}
    (slot,) = slots_in(json.dumps(body).encode())
    assert slot.rest == (("Facility", "MEM01"), ("Slot id", "S-1"), ("Remaining", "3"), ("Id", "20261124"))
    assert slot.record == {"facility": "MEM01", "slotId": "S-1", "date": "2026-11-24", "remaining": 3, "id": 20261124}


@pytest.mark.parametrize("body", [b"", b"null", b"{}", b'{"slots": []}', b"none", b'{"date": "2026-02-30"}', b"[1]"])
def test_no_slot_is_made_of_nothing(body: bytes) -> None:
    assert slots_in(body) == []


def test_a_text_of_many_blanks_is_no_slot_and_is_done_with_at_once() -> None:
    blanks = " " * 50_000
    started = time_of_day.monotonic()
    assert read({"time": f"08:00{blanks}x"}) == []
    assert time_of_day.monotonic() - started < 2, "the time it takes grows with the square of its length"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["2026-11-24", "08:00", "25:00", "2026-11-24T08:00:00Z", "1/2/2026", "24:00"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=12,
)  # fmt: skip


@given(json_values)
def test_no_answer_breaks_the_reader(body: object) -> None:
    assert all(isinstance(each, Slot) for each in slots_in(json.dumps(body).encode()))


@pytest.mark.asyncio
async def test_practice_offers_slots_and_keeps_what_was_reserved(practice_desk: Desk) -> None:
    question = SlotQuestion("SLOT-1", zip="38104")
    found = await slot_calls.find_slots(practice_desk, PARTNERS[0], question)
    assert found.trouble == ""
    first = found.slots[0]
    assert first.day is not None
    assert first.start is not None
    row = await slot_calls.reserve(practice_desk, question, first, "Tue 8 to 12")
    assert (row.state, row.subject) == ("accepted", "SLOT-1")
    assert "RSV-" in row.sentence
    assert [each.title for each in await slot_calls.reserved(practice_desk, "SLOT-1")] == ["Tue 8 to 12"]
    again = await slot_calls.find_slots(practice_desk, PARTNERS[1], question)
    assert again.slots


@pytest.mark.asyncio
async def test_a_full_slot_is_refused_in_the_partners_words(practice_desk: Desk) -> None:
    question = SlotQuestion("SLOT-2", zip="38104")
    slot = (await slot_calls.find_slots(practice_desk, PARTNERS[0], question)).slots[-1]
    states = [(await slot_calls.reserve(practice_desk, question, slot, "t")).state for _ in range(8)]
    assert states[0] == "accepted"
    assert states[-1] == "refused"
    last = (await slot_calls.reserved(practice_desk, "SLOT-2"))[0]
    assert "The slot is full." in last.sentence


@pytest.mark.asyncio
async def test_a_reservation_names_the_slot_as_the_partner_did_and_the_order(
    desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(GET, json_answer({"hub": "H1", "slots": [{"key": 7, "date": "2026-11-24"}]}))
    fault_server.serve(RESERVE, json_answer({"ok": True}))
    found = await slot_calls.find_slots(desk, PARTNERS[0], SlotQuestion("R-1", "MEM01", "38104", "", {"crew": "2"}))
    assert json.loads(fault_server.seen("/getSlot")[0].body) == {
        "orderReferenceNumber": "R-1", "providerFacilityCode": "MEM01", "zip": "38104", "crew": "2",
    }  # fmt: skip
    await slot_calls.reserve(desk, ASKED, found.slots[0], "Tue")
    assert json.loads(fault_server.seen("/reserveSlot")[0].body) == {
        "hub": "H1", "key": 7, "date": "2026-11-24", "orderReferenceNumber": "R-1",
    }  # fmt: skip


@pytest.mark.asyncio
async def test_a_reservation_whose_answer_never_came_is_in_doubt_and_not_repeated(
    desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(RESERVE, json_answer({"ok": True}))
    fault_server.plan(act_then_drop(), "/reserveSlot", times=None)
    row = await slot_calls.reserve(desk, ASKED, Slot(TUESDAY, None, None, (), {"key": 7}), "Tue")
    assert row.state == "in_doubt"
    assert len(fault_server.seen("/reserveSlot")) == 1
    assert [each.state for each in await slot_calls.reserved(desk, "R-1")] == ["in_doubt"]


@pytest.mark.asyncio
async def test_trouble_is_part_of_the_answer(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan(answered(json_answer({"title": "No partner."}, 400)), "/getSlot")
    found = await slot_calls.find_slots(desk, PARTNERS[0], ASKED)
    assert (found.slots, found.trouble) == ((), "No partner.")
    fault_server.serve(GET, json_answer({"message": "Nothing before Monday", "slots": []}))
    told = await slot_calls.find_slots(desk, PARTNERS[0], ASKED)
    assert (told.slots, told.told, told.trouble) == ((), (("Message", "Nothing before Monday"),), "")
    desk.provider, desk.trouble = None, "Not connected."
    assert (await slot_calls.find_slots(desk, PARTNERS[0], ASKED)).trouble == "Not connected."


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("", ({}, "")),
        ("crew = 2\n\nlift=yes=no", ({"crew": "2", "lift": "yes=no"}, "")),
        ("crew 2", ({}, "crew 2")),
        ("a=1\n=2", ({"a": "1"}, "=2")),
    ],
)
def test_further_fields_are_typed_one_a_line(typed: str, found: object) -> None:
    assert more_fields(typed) == found
