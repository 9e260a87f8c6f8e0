"""The upsert rule, cancellation, and the order status look-up in its four steps."""

import pytest

from tests.practice.conftest import Submit, fresh_reference, order
from tests.support.practice_calls import INFORMATION, MANAGEMENT, Caller, Reply
from tests.support.practice_process import PracticeProcess

SUBMIT = f"{MANAGEMENT}/Order/submit"
STATUS = f"{MANAGEMENT}/Order/status"
A_MONTH = 30 * 86_400


def cancel(caller: Caller, reference: str) -> Reply:
    return caller.post(f"{MANAGEMENT}/Order/cancel", {"orderReferenceNumber": reference})


def status(caller: Caller, **query: object) -> str:
    """The status that is reported, or the number of the refusal."""
    reply = caller.get(STATUS, None, **query)
    return str(reply.json()["status"] if reply.status == 200 else reply.status)


def test_an_open_order_is_updated_and_no_second_one_made(owner: Caller, submit: Submit) -> None:
    body = order("order_full.json")
    number = submit(body)
    body |= {"deliveryInstructions": "Ring twice.", "deliveryType": "STORE", "poNumber": "PO-2"}
    del body["barcoding"]
    assert submit(body) == number
    [kept] = owner.behind_the_counter(body["orderReferenceNumber"])
    assert (kept["body"], kept["submissions"]) == (body, 2)
    record = owner.get(f"{INFORMATION}/orders/{number}").json()
    assert (record["Remarks"], record["DeliveryType"], record["PO"]) == ("Ring twice.", "STORE", ["PO-2"])


def test_an_update_replaces_facility_and_dates(owner: Caller, submit: Submit) -> None:
    body = order("order_full.json")
    number = submit(body)
    submit(body | {"providerFacilityCode": "SEA01", "requestedDeliveryDate": "2031-01-02"})
    record = owner.get(f"{INFORMATION}/orders/{number}").json()
    assert record["Facility"]["Id"] == "SEA01"
    assert record["DateRequestedDelivery"] == "2031-01-02T00:00:00"


def test_after_a_cancellation_the_reference_makes_a_second_order(owner: Caller, submit: Submit) -> None:
    body = order()
    first = submit(body)
    assert cancel(owner, body["orderReferenceNumber"]).status == 200
    second = submit(body)
    assert second != first
    assert [each["cancelled"] for each in owner.behind_the_counter(body["orderReferenceNumber"])] == [True, False]


def test_after_completion_the_reference_makes_a_second_order(owner: Caller, submit: Submit) -> None:
    body = order()
    first = submit(body)
    owner.advance(A_MONTH)
    assert status(owner, orderReferenceNumber=body["orderReferenceNumber"]) == "Complete"
    assert submit(body) != first


def test_a_made_up_open_order_is_updated_too(owner: Caller) -> None:
    record = owner.get(f"{INFORMATION}/orders/open").json()[0]
    reply = owner.post(SUBMIT, order(orderReferenceNumber=record["CRN"]))
    assert reply.json()["systemNumber"] == record["OrderNumber"]
    changed = owner.get(f"{INFORMATION}/orders/{record['OrderNumber']}").json()
    assert changed["Consignee"]["Name"] == "Ann Lee"
    assert changed["DateImported"] == record["DateImported"]


def test_clients_share_no_references(owner: Caller, own: PracticeProcess, submit: Submit) -> None:
    body = order()
    number = submit(body)
    other = Caller(own.facts, "other_")
    assert status(other, orderReferenceNumber=body["orderReferenceNumber"]) == "404"
    assert status(other, systemNumber=number) == "404"
    assert cancel(other, body["orderReferenceNumber"]).status == 404
    assert other.post(SUBMIT, body).json()["systemNumber"] != number
    assert status(owner, systemNumber=number) == "Pending Receipt"


def test_a_cancelled_order_is_cancelled_once(owner: Caller, submit: Submit) -> None:
    reference = order()["orderReferenceNumber"]
    number = submit(order(orderReferenceNumber=reference))
    reply = cancel(owner, reference)
    assert (reply.status, reply.json()["status"]) == (200, "Cancelled")
    again = cancel(owner, reference)
    assert (again.status, again.kind) == (404, "application/problem+json")
    assert owner.get(f"{INFORMATION}/orders/{number}").json()["StatusId"] == "CAN"


def test_an_order_goes_through_its_states_as_time_passes(owner: Caller, submit: Submit) -> None:
    owner.switch(import_queue=20)
    reference = fresh_reference()
    submit(orderReferenceNumber=reference)
    seen = [status(owner, orderReferenceNumber=reference)]
    for _ in range(24 * 30):
        owner.advance(3600)
        now = status(owner, orderReferenceNumber=reference)
        if now != seen[-1]:
            seen.append(now)
    assert seen == ["In Import Queue", "Pending Receipt", "Received", "Out for delivery", "Complete"]


def test_in_the_import_queue_an_order_is_in_no_list(owner: Caller, submit: Submit) -> None:
    owner.switch(import_queue=60)
    number = submit()
    listed = [each["OrderNumber"] for each in owner.get(f"{INFORMATION}/orders/open").json()]
    assert number not in listed
    assert owner.get(f"{INFORMATION}/orders/{number}").status == 404
    owner.advance(61)
    assert number in [each["OrderNumber"] for each in owner.get(f"{INFORMATION}/orders/open").json()]
    assert owner.get(f"{INFORMATION}/orders/{number}").json()["StatusId"] == "STD"


def test_an_order_in_the_queue_is_updated_and_cancelled_like_an_open_one(owner: Caller, submit: Submit) -> None:
    owner.switch(import_queue=60)
    body = order()
    number = submit(body)
    assert submit(body) == number
    assert cancel(owner, body["orderReferenceNumber"]).json()["status"] == "Cancelled"
    assert submit(body) != number


class TestStatusLookUp:
    """The four steps, in order."""

    def test_first_an_open_order_by_reference_or_number(self, owner: Caller, submit: Submit) -> None:
        body = order()
        number = submit(body)
        record = owner.get(STATUS, orderReferenceNumber=body["orderReferenceNumber"]).json()
        assert record["systemNumber"] == number
        assert record["orderReferenceNumber"] == body["orderReferenceNumber"]
        assert owner.get(STATUS, systemNumber=number).json() == record
        assert owner.get(STATUS, orderReferenceNumber="nothing", systemNumber=number).json() == record

    def test_the_open_order_comes_before_a_closed_one_of_the_same_reference(
        self, owner: Caller, submit: Submit
    ) -> None:
        body = order()
        submit(body)
        cancel(owner, body["orderReferenceNumber"])
        second = submit(body)
        assert owner.get(STATUS, orderReferenceNumber=body["orderReferenceNumber"]).json()["systemNumber"] == second

    def test_second_the_bill_tos_latest_closed_order_if_it_has_no_open_one(self, owner: Caller, submit: Submit) -> None:
        bodies = [order(billToCode="LONE-1") for _ in range(2)]
        for body in bodies:
            submit(body)
            cancel(owner, body["orderReferenceNumber"])
            owner.advance(2)
        found = owner.get(STATUS, orderReferenceNumber="unheard of", billToCode="LONE-1").json()
        assert found["orderReferenceNumber"] == bodies[-1]["orderReferenceNumber"]
        assert found["status"] == "Cancelled"
        submit(billToCode="LONE-1")
        assert status(owner, orderReferenceNumber="unheard of", billToCode="LONE-1") == "404"

    def test_by_reference_alone_the_latest_closed_order_with_it(self, owner: Caller, submit: Submit) -> None:
        body = order()
        numbers = []
        for _ in range(2):
            numbers.append(submit(body))
            cancel(owner, body["orderReferenceNumber"])
            owner.advance(2)
        found = owner.get(STATUS, orderReferenceNumber=body["orderReferenceNumber"]).json()
        assert (found["systemNumber"], found["status"]) == (numbers[-1], "Cancelled")

    def test_a_closed_order_hides_its_successor_in_the_queue(self, owner: Caller, submit: Submit) -> None:
        """Trap 2: Cancelled is reported while the new one waits."""
        body = order()
        submit(body)
        cancel(owner, body["orderReferenceNumber"])
        owner.switch(import_queue=60)
        submit(body)
        assert status(owner, orderReferenceNumber=body["orderReferenceNumber"]) == "Cancelled"
        owner.advance(61)
        assert status(owner, orderReferenceNumber=body["orderReferenceNumber"]) == "Pending Receipt"

    def test_third_the_import_queue(self, owner: Caller, submit: Submit) -> None:
        owner.switch(import_queue=60)
        body = order()
        number = submit(body)
        assert status(owner, orderReferenceNumber=body["orderReferenceNumber"]) == "In Import Queue"
        assert status(owner, systemNumber=number) == "In Import Queue"

    def test_fourth_nothing(self, owner: Caller) -> None:
        reply = owner.get(STATUS, orderReferenceNumber="unheard of")
        assert (reply.status, reply.kind, reply.json()["status"]) == (404, "application/problem+json", 404)

    @pytest.mark.parametrize("name", ["orderReferenceNumber", "OrderReferenceNumber", "ORDERREFERENCENUMBER"])
    def test_query_names_are_taken_in_any_spelling(self, owner: Caller, submit: Submit, name: str) -> None:
        body = order()
        submit(body)
        assert status(owner, **{name: body["orderReferenceNumber"]}) == "Pending Receipt"

    @pytest.mark.parametrize("number", ["x", "1.5", "2147483648", "-2147483649", "1e3", "٣"])
    def test_a_system_number_is_an_int32(self, owner: Caller, number: str) -> None:
        reply = owner.get(STATUS, SystemNumber=number)
        assert (reply.status, list(reply.json()["errors"])) == (400, ["SystemNumber"])

    def test_something_must_be_asked_for(self, owner: Caller) -> None:
        assert status(owner) == "400"
        assert status(owner, orderReferenceNumber="") == "400"
