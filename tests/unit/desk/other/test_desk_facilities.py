"""Facilities are looked up by whatever is given, read in every spelling of their records; trouble is a sentence."""

import pytest

from app.contract.facilities import FacilityReading, read_facility
from app.desk.desk import Desk
from app.desk.known import facility_lookup, known_data
from tests.support.fault_server import MANAGEMENT, FaultServer
from tests.support.faults import answered, json_answer

PLACE = f"{MANAGEMENT}/Facilities"


@pytest.mark.asyncio
async def test_a_facility_is_found_by_zip_and_known_from_then_on(practice_desk: Desk) -> None:
    everything = await facility_lookup.look_up(practice_desk, "", "")
    assert len(everything.found) > 1
    assert everything.criteria == ""
    one = everything.found[0]
    served = await facility_lookup.look_up(practice_desk, f"{one.zip}-1234", "")
    assert served.criteria == f"ZIP {one.zip}-1234"
    assert served.found
    assert all(each.code and each.name and each.city for each in served.found)
    (known, *_) = (await known_data.find(practice_desk, "facility", served.found[0].code)).rows
    assert known.body["name"] == served.found[0].name


@pytest.mark.asyncio
async def test_it_is_asked_by_what_is_given(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.serve(PLACE, json_answer([{"code": "A"}, {"name": "no code"}, "x"]))
    found = await facility_lookup.look_up(desk, " 38103 ", " ACME ")
    assert fault_server.seen("/Facilities")[0].query == {"ZipCode": "38103", "BillToCode": "ACME"}
    assert (found.criteria, found.found, found.unreadable) == ("ZIP 38103 and bill-to ACME", (FacilityReading("A"),), 1)
    await facility_lookup.look_up(desk, "", "")
    assert fault_server.seen("/Facilities")[1].query == {}


@pytest.mark.asyncio
async def test_nothing_found_is_an_answer_and_trouble_is_said(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.serve(PLACE, json_answer([]))
    found = await facility_lookup.look_up(desk, "00000", "")
    assert (found.found, found.trouble) == ((), "")
    fault_server.plan(answered(json_answer({}, 403)), "/Facilities")
    assert (await facility_lookup.look_up(desk, "00000", "")).trouble
    desk.provider, desk.trouble = None, "Not connected."
    assert (await facility_lookup.look_up(desk, "00000", "")).trouble == "Not connected."


@pytest.mark.asyncio
@pytest.mark.parametrize(("zip_code", "bill_to"), [("3" * 70_000, ""), ("", "\u20ac" * 70_000), ("38103-22011", "")])
async def test_what_is_too_long_to_be_either_is_not_asked(
    desk: Desk, fault_server: FaultServer, zip_code: str, bill_to: str
) -> None:
    found = await facility_lookup.look_up(desk, zip_code, bill_to)
    assert (found.criteria, found.trouble) == ("", "The ZIP or the bill-to is too long to look up facilities.")
    assert not fault_server.seen("/Facilities")


@pytest.mark.parametrize(
    ("record", "wanted"),
    [
        ({"providerFacilityCode": "M1", "name": "South", "zip": 38103}, FacilityReading("M1", "South", zip="38103")),
        (
            {"FacilityCode": " M1 ", "Address": {"City": "Memphis", "ZipCode": "1"}},
            FacilityReading("M1", city="Memphis", zip="1"),
        ),
        ({"id": 7, "description": "x", "streetAddress1": "y"}, FacilityReading("7", "x", "y")),
        ({"Facility": {"Id": "M1", "Name": "South"}}, FacilityReading("M1", "South")),
        ({"name": "South", "code": ""}, None),
        ({"code": True}, None),
        ({}, None),
    ],
)
def test_a_record_is_read_by_what_its_members_are_called(record: dict[str, object], wanted: object) -> None:
    assert read_facility(record) == wanted
