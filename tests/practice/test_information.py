"""Orders of the information service: one by number, the lists, their dates, and optional members."""

from datetime import date, datetime, time, timedelta
from typing import Any

import pytest

from app.contract.codes import FOLDER_TYPE_WORDS, ORDER_STATE_WORDS
from tests.practice.conftest import Submit, fresh_reference, order
from tests.support.practice_calls import INFORMATION, MANAGEMENT, Caller
from tests.support.practice_process import PracticeProcess

OPEN, COMPLETED = f"{INFORMATION}/orders/open", f"{INFORMATION}/orders/completed"
BOTH = pytest.mark.parametrize("path", [OPEN, COMPLETED])
PARTS = {
    "IncludePOs": "PO",
    "IncludeCommodities": "Commodities",
    "IncludeNotes": "Notes",
    "IncludePOD": "ProofOfDelivery",
}
PROPERTIES = {
    *("OrderNumber", "CRN", "PO", "BOL", "Consignee", "Carrier", "Manufacturer", "Facility", "DeliveryType"),
    *("DateImported", "DateEstimatedReceive", "DateReceived", "ReceivedById", "DateRequestedDelivery"),
    *("DateScheduledDelivery", "DateLoaded", "LoadedById", "DateActualDelivery", "DeliveredBy", "StatusId"),
    *("Status", "Brand", "Remarks", "Notes", "Commodities", "ProofOfDelivery", "IsReceived", "IsDelivered"),
}
YEAR = timedelta(days=364)
Record = dict[str, Any]


def listed(caller: Caller, path: str, **query: object) -> list[Record]:
    reply = caller.get(path, None, **query)
    assert reply.status == 200, reply.body
    rows: list[Record] = reply.json()
    assert isinstance(rows, list)
    return rows


def whole_year(end: date | None = None) -> dict[str, str]:
    last = datetime.combine(end or date.today(), time(23, 59, 59))
    return {"StartDate": (last - YEAR).isoformat(), "EndDate": last.isoformat()}


def moment(record: Record, name: str) -> datetime:
    return datetime.fromisoformat(record[name])


def everything(value: object) -> list[object]:
    """Every value in a record, however deep."""
    if isinstance(value, dict):
        return [each for part in value.values() for each in everything(part)]
    if isinstance(value, list):
        return [each for part in value for each in everything(part)]
    return [value]


class TestLists:
    @BOTH
    def test_the_default_is_the_last_seven_days(self, caller: Caller, path: str) -> None:
        today = date.today()
        start = datetime.combine(today - timedelta(days=7), time.min)
        field = "DateImported" if path == OPEN else "DateActualDelivery"
        rows = listed(caller, path)
        given = listed(caller, path, StartDate=start.isoformat(), EndDate=f"{today}T23:59:59")
        assert [each["OrderNumber"] for each in rows] == [each["OrderNumber"] for each in given]
        assert rows
        assert min(moment(each, field) for each in rows) >= start
        assert len(listed(caller, path, **whole_year())) > len(rows)

    @BOTH
    def test_both_ends_of_a_range_are_in_it(self, caller: Caller, path: str) -> None:
        field = "DateImported" if path == OPEN else "DateActualDelivery"
        rows = sorted(listed(caller, path, **whole_year()), key=lambda each: str(each[field]))
        first, last = rows[3][field], rows[12][field]
        numbers = [each["OrderNumber"] for each in listed(caller, path, StartDate=first, EndDate=last)]
        expected = [each["OrderNumber"] for each in rows if first <= each[field] <= last]
        assert sorted(numbers) == sorted(expected)

    def test_open_orders_are_open_and_completed_ones_completed(self, caller: Caller) -> None:
        rows = listed(caller, OPEN, **whole_year())
        assert {each["StatusId"] for each in rows} == {"STD", "AVL", "PLN", "DSO"}
        done = listed(caller, COMPLETED, **whole_year())
        assert {each["StatusId"] for each in done} == {"CMP"}
        assert all(each["IsDelivered"] and "DateActualDelivery" in each for each in done)
        assert not any(each["IsDelivered"] for each in rows)
        assert not {each["OrderNumber"] for each in rows} & {each["OrderNumber"] for each in done}

    @BOTH
    def test_each_flag_adds_its_part_and_nothing_else(self, caller: Caller, path: str) -> None:
        plain = listed(caller, path)
        assert not any(part in each for each in plain for part in PARTS.values())
        for flag, part in PARTS.items():
            rows = listed(caller, path, **{flag: "true"})
            assert all(part in each for each in rows)
            assert any(each[part] for each in rows)
            assert [{name: value for name, value in each.items() if name != part} for each in rows] == plain

    @BOTH
    @pytest.mark.parametrize(("text", "status"), [("TRUE", 200), ("1", 200), ("false", 200), ("yes", 400), ("2", 400)])
    def test_a_flag_is_true_or_false(self, caller: Caller, path: str, text: str, status: int) -> None:
        assert caller.get(path, includepos=text).status == status

    @BOTH
    def test_a_range_is_at_most_a_year(self, caller: Caller, path: str) -> None:
        exact = {"StartDate": "2025-03-01T00:00:00", "EndDate": "2026-03-01T00:00:00"}
        assert caller.get(path, None, **exact).status == 200
        reply = caller.get(path, None, **exact | {"EndDate": "2026-03-01T00:00:01"})
        assert (reply.status, list(reply.json()["errors"])) == (400, ["EndDate"])

    @BOTH
    def test_a_leap_day_ends_its_year_on_the_first_of_march(self, caller: Caller, path: str) -> None:
        assert caller.get(path, StartDate="2024-02-29", EndDate="2025-03-01").status == 200
        assert caller.get(path, StartDate="2024-02-29", EndDate="2025-03-02").status == 400

    @BOTH
    def test_an_inverted_or_unreadable_range_is_refused(self, caller: Caller, path: str) -> None:
        today = date.today()
        assert caller.get(path, StartDate=today, EndDate=today - timedelta(days=1)).status == 400
        assert caller.get(path, EndDate=today - timedelta(days=30)).status == 400  # trap 3
        for text in ("yesterday", "2026-13-01", "20260101", "2026-01-01T25:00:00"):
            assert caller.get(path, StartDate=text).status == 400, text

    def test_a_date_alone_means_midnight(self, caller: Caller) -> None:
        record = listed(caller, OPEN)[-1]
        day = record["DateImported"][:10]
        numbers = [each["OrderNumber"] for each in listed(caller, OPEN, StartDate=day, EndDate=day)]
        assert record["OrderNumber"] not in numbers
        whole = listed(caller, OPEN, StartDate=day, EndDate=f"{day}T23:59:59")
        assert record["OrderNumber"] in [each["OrderNumber"] for each in whole]

    def test_a_far_range_is_empty(self, caller: Caller) -> None:
        for year in ("0001", "9998"):
            assert listed(caller, OPEN, StartDate=f"{year}-01-01", EndDate=f"{year}-12-31") == []
        assert listed(caller, COMPLETED, StartDate="9999-01-01", EndDate="9999-12-31T23:59:59") == []


class TestOneOrder:
    def test_it_has_all_its_parts(self, caller: Caller) -> None:
        number = listed(caller, COMPLETED)[0]["OrderNumber"]
        record = caller.get(f"{INFORMATION}/orders/{number}").json()
        assert set(PARTS.values()) <= set(record)

    def test_no_other_properties_and_no_nulls(self, caller: Caller) -> None:
        seen: set[str] = set()
        for path in (OPEN, COMPLETED):
            for record in listed(caller, path, **dict.fromkeys(PARTS, "true"), **whole_year()):
                seen |= set(record)
                assert None not in everything(record)
                assert record["Status"] == ORDER_STATE_WORDS[record["StatusId"]]
                assert {each["Folder"] for each in record["ProofOfDelivery"]} <= set(FOLDER_TYPE_WORDS)
        assert seen == PROPERTIES

    @pytest.mark.parametrize("number", ["1", "0", "-1", "x", "700001.0", "99999999999999999999", "%00", "%D9%A3"])
    def test_an_order_that_cannot_be_located_is_a_404(self, caller: Caller, number: str) -> None:
        assert caller.get(f"{INFORMATION}/orders/{number}").status == 404

    def test_another_clients_order_cannot_be_located(self, caller: Caller, other: Caller) -> None:
        for path in (OPEN, COMPLETED):
            own = {each["OrderNumber"] for each in listed(caller, path, **whole_year())}
            theirs = {each["OrderNumber"] for each in listed(other, path, **whole_year())}
            assert own
            assert theirs
            assert not own & theirs
            number = theirs.pop()
            assert caller.get(f"{INFORMATION}/orders/{number}").status == 404
            assert other.get(f"{INFORMATION}/orders/{number}").status == 200

    def test_the_third_client_has_orders_of_its_own(self, practice: PracticeProcess) -> None:
        assert listed(Caller(practice.facts, "limited_"), OPEN, **whole_year())

    def test_a_cancelled_order_is_found_by_its_number_only(self, owner: Caller, submit: Submit) -> None:
        reference = fresh_reference()
        number = submit(orderReferenceNumber=reference)
        assert number in [each["OrderNumber"] for each in listed(owner, OPEN)]
        owner.post(f"{MANAGEMENT}/Order/cancel", {"orderReferenceNumber": reference})
        assert number not in [each["OrderNumber"] for path in (OPEN, COMPLETED) for each in listed(owner, path)]
        record = owner.get(f"{INFORMATION}/orders/{number}").json()
        assert (record["StatusId"], record["Status"], record["IsDelivered"]) == ("CAN", "Cancelled", False)

    def test_what_was_submitted_is_what_is_shown(self, owner: Caller, submit: Submit) -> None:
        body = order("order_full.json")
        number = submit(body)
        record = owner.get(f"{INFORMATION}/orders/{number}").json()
        assert (record["OrderNumber"], record["CRN"]) == (number, body["orderReferenceNumber"])
        assert (record["PO"], record["BOL"]) == (["PO-77120"], "BOL-9987")
        assert record["Consignee"] == {
            "Name": "Josefina Rivera",
            "Phone": "901-555-0134",
            "Email": "j.rivera@example.com",
            "Address": {
                "StreetAddress1": "118 Peabody Pl",
                "StreetAddress2": "Apt 4",
                "City": "Memphis",
                "State": "TN",
                "ZipCode": "38103-1234",
            },
        }
        assert (record["Facility"]["Id"], record["Manufacturer"]["Id"], record["Brand"]) == (
            "BNA01",
            "HRLND",
            "Harland",
        )
        assert [(each["CommodityCode"], each["Count"]) for each in record["Commodities"]] == [("SOFA", 2), ("LAMP", 1)]
        assert record["DateEstimatedReceive"] == "2030-03-06T00:00:00"
        assert record["DateRequestedDelivery"] == "2030-03-11T00:00:00"
        assert record["Remarks"] == body["deliveryInstructions"]
        assert "volume" not in str(record).lower()
        assert "00010001" not in str(record)

    def test_the_facility_follows_from_the_address(self, owner: Caller, submit: Submit) -> None:
        number = submit(order())
        assert owner.get(f"{INFORMATION}/orders/{number}").json()["Facility"]["Id"] == "SEA01"

    @pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
    def test_dates_at_the_ends_of_time_do_no_harm(self, owner: Caller, submit: Submit, day: str) -> None:
        number = submit(order(estimatedReceiveDate=day, requestedDeliveryDate=day))
        owner.advance(10 * 86_400)
        for switch in ("dates_zulu", "dates_offset"):
            owner.switch(**{switch: True})
            assert owner.get(f"{INFORMATION}/orders/{number}").status == 200
        owner.switch(dates_zulu=None, dates_offset=None)
        record = owner.get(f"{INFORMATION}/orders/{number}").json()
        assert record["DateRequestedDelivery"] == f"{day}T00:00:00"
