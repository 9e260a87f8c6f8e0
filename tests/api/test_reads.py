"""A read may be repeated, ends in time whatever the provider does, and takes answers of many shapes."""

import asyncio
import gc
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime

import pytest

from app.api.errors import (
    ApiError,
    BrokenReply,
    Busy,
    NotAllowed,
    NotFound,
    Refused,
    SentUnknown,
    ServerFault,
)
from app.api.information_service import EVERYTHING, Include
from app.contract.codes import ManagementStatus
from tests.api.conftest import QUICK, SHORT, Open, order
from tests.support.fault_server import COMPLETE, FaultServer
from tests.support.faults import (
    Answer,
    Fault,
    act_then_drop,
    answered,
    drop_before,
    held,
    json_answer,
    malformed,
    truncated,
)

pytestmark = pytest.mark.asyncio
STATUS, INFO = "/Order/status", "/OrderInformationApi"


@pytest.mark.parametrize(
    "fault",
    [
        drop_before(),
        act_then_drop().with_reset(),
        truncated(12),
        malformed(b"junk\r\n\r\n"),
        answered(json_answer({}, 503)),
        answered(json_answer({}, 429, retry_after="0")),
        answered(Answer(500)),
    ],
    ids=str,
)
async def test_a_read_that_failed_is_made_again(fault_server: FaultServer, open_on: Open, fault: Fault) -> None:
    fault_server.book.submit(order("R-1"))
    fault_server.plan(fault, STATUS, times=2)
    async with open_on(fault_server) as provider:
        reading = await provider.management.order_status(reference="R-1")
    assert (reading.status, reading.mentions_reference) == (ManagementStatus.PENDING_RECEIPT, True)
    assert len(fault_server.seen(STATUS)) == 3


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (drop_before(), SentUnknown),
        (answered(Answer(500)), ServerFault),
        (answered(Answer(503)), Busy),
        (truncated(5), BrokenReply),
    ],
)
async def test_four_attempts_are_all(
    fault_server: FaultServer, open_on: Open, fault: Fault, kind: type[ApiError]
) -> None:
    fault_server.book.submit(order("R-1"))
    fault_server.plan(fault, STATUS, times=None)
    async with open_on(fault_server) as provider:
        with pytest.raises(kind):
            await provider.management.order_status(reference="R-1")
    assert len(fault_server.seen(STATUS)) == 4


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (json_answer({"errors": {"OrderReferenceNumber": ["Too long."]}}, 400), Refused),
        (json_answer({"title": "Bad Request"}, 400), Refused),
        (json_answer({"title": "Not found", "errors": {"SystemNumber": ["Not a number."]}}, 400), Refused),
        (json_answer({"title": "Bad Request", "detail": "The client account was not found."}, 400), Refused),
        (Answer(403), NotAllowed),
        (Answer(302, headers=(("Location", "https://elsewhere.example/"),)), BrokenReply),
        (Answer(200, b"<html>Log in</html>", "text/html"), BrokenReply),
        (Answer(404, b"<html>No such page</html>", "text/html"), BrokenReply),
    ],
)
async def test_an_answer_is_not_asked_for_again(
    fault_server: FaultServer, open_on: Open, answer: Answer, kind: type[ApiError]
) -> None:
    fault_server.plan(answered(answer), STATUS, times=None)
    async with open_on(fault_server) as provider:
        with pytest.raises(kind):
            await provider.management.order_status(reference="R-1")
    assert len(fault_server.seen(STATUS)) == 1


@pytest.mark.parametrize(
    "answer",
    [
        Answer(404),
        json_answer({"title": "Not found", "status": 404}, 404),
        Answer(204),
        Answer(200),
        json_answer(None),
        json_answer({}),
        json_answer({"title": "Order not found."}, 400),
        Answer(400, b"No such order", "text/plain"),
        Answer(400, b"<problem><detail>The order could not be located</detail></problem>", "text/xml"),
    ],
    ids=str,
)
async def test_each_way_of_saying_that_there_is_no_such_order(
    fault_server: FaultServer, open_on: Open, answer: Answer
) -> None:
    fault_server.plan(answered(answer), STATUS, times=None)
    async with open_on(fault_server) as provider:
        reading = await provider.management.order_status(reference="R-1")
    assert (reading.found, reading.status, reading.mentions_reference) == (False, None, False)


async def test_status_of_another_order_proves_nothing(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.book.submit(order("OLD"))
    fault_server.book.move("OLD", COMPLETE)
    async with open_on(fault_server) as provider:
        reading = await provider.management.order_status(reference="NEW")
    assert (reading.found, reading.status, reading.mentions_reference) == (True, ManagementStatus.COMPLETE, False)


async def test_status_is_asked_by_the_names_of_the_listing(fault_server: FaultServer, open_on: Open) -> None:
    async with open_on(fault_server) as provider:
        await provider.management.order_status(reference="R 1&x=/é")
        await provider.management.order_status(system_number=700_001)
        await provider.management.order_status(bill_to="B")
    queries = [each.query for each in fault_server.seen(STATUS)]
    assert queries == [{"OrderReferenceNumber": "R 1&x=/é"}, {"SystemNumber": "700001"}, {"BillToCode": "B"}]


async def test_an_order_comes_whole_with_its_own_text(fault_server: FaultServer, open_on: Open) -> None:
    text = '{"OrderNumber": 5, "CRN": "R-5", "Unknown": [1], "Consignee": {"Name": "José"}}'
    fault_server.serve(f"{INFO}/orders/5", Answer(200, text.encode()))
    async with open_on(fault_server) as provider:
        row = await provider.information.order(5)
    assert (row.raw, row.order.OrderNumber, row.order.CRN) == (text, 5, "R-5")
    assert row.order.Consignee is not None
    assert row.order.Consignee.Name == "José"


async def test_an_order_as_xml_is_read_all_the_same(fault_server: FaultServer, open_on: Open) -> None:
    body = b"<Order><OrderNumber>5</OrderNumber><CRN>R-5</CRN></Order>"
    fault_server.serve(f"{INFO}/orders/5", Answer(200, body, "application/xml"))
    async with open_on(fault_server) as provider:
        row = await provider.information.order(5)
    assert (row.order.OrderNumber, row.raw) == (5, '{"OrderNumber": 5, "CRN": "R-5"}')


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(404), NotFound),
        (Answer(204), NotFound),
        (json_answer(None), NotFound),
        (json_answer([]), BrokenReply),
        (json_answer("order"), BrokenReply),
        (Answer(200), BrokenReply),
    ],
    ids=str,
)
async def test_no_order_and_no_such_order(
    fault_server: FaultServer, open_on: Open, answer: Answer, kind: type[ApiError]
) -> None:
    fault_server.plan(answered(answer), "/orders/5", times=None)
    async with open_on(fault_server) as provider:
        with pytest.raises(kind):
            await provider.information.order(5)


async def test_answers_that_are_errors_leave_nothing_to_the_cyclic_collector(
    fault_server: FaultServer, open_on: Open
) -> None:
    """Sending 10,000 orders asks 10,000 times for a status that is not there: the collector would stall the window."""
    async with open_on(fault_server) as provider:

        async def ask() -> None:
            with suppress(NotFound):  # pytest.raises keeps the error, in a cycle of its own
                await provider.management.order_status(reference="R-none")

        await ask()
        gc.collect()
        gc.disable()
        try:
            for _ in range(50):
                await ask()
            left = gc.collect()
        finally:
            gc.enable()
    assert len(fault_server.seen(STATUS)) == 51
    assert left < 50


async def test_lists_always_say_both_dates_and_what_to_bring(fault_server: FaultServer, open_on: Open) -> None:
    start, end = date(2026, 11, 1), datetime(2026, 11, 7, 12, 30, 15, 999)
    async with open_on(fault_server) as provider:
        await provider.information.open_orders(start, date(2026, 11, 7)).all()
        await provider.information.completed_orders(start, end, EVERYTHING).all()
        await provider.information.open_orders(start, end, Include(notes=True)).all()
        fault_server.serve(f"{INFO}/audit", json_answer([]))
        await provider.information.audits(start, end).all()
    whole = {"StartDate": "2026-11-01T00:00:00", "EndDate": "2026-11-07T23:59:59"}
    exact = {**whole, "EndDate": "2026-11-07T12:30:15"}
    flags = dict.fromkeys(["IncludePOs", "IncludeCommodities", "IncludeNotes", "IncludePOD"], "true")
    opened = [each.query for each in fault_server.seen("/orders/open")]
    assert opened == [whole, {**exact, "IncludeNotes": "true"}]
    assert [each.query for each in fault_server.seen("/orders/completed")] == [{**exact, **flags}]
    assert [each.query for each in fault_server.seen("/audit")] == [
        {"StartDate": "2026-11-01", "EndDate": "2026-11-07"}
    ]


async def test_names_in_a_path_stay_one_segment_of_it(fault_server: FaultServer, open_on: Open) -> None:
    async with open_on(fault_server) as provider:
        for name in ("a b.jpg", "../../orders/1", "x/y?z#é%20", "..."):
            with pytest.raises(NotFound):
                await provider.information.audit_image(name)
        with pytest.raises(NotFound):
            await provider.information.overage_by_path("..")
        fault_server.serve(f"{INFO}/overage/L/1", json_answer([{"any": 1}, "odd"]))
        assert await provider.information.overage_by_path("L/1") == [{"any": 1}, {"value": "odd"}]
    targets = [each.target for each in fault_server.seen() if each.method == "GET"]
    assert targets == [
        f"{INFO}/download/audit/a%20b.jpg",
        f"{INFO}/download/audit/..%2F..%2Forders%2F1",
        f"{INFO}/download/audit/x%2Fy%3Fz%23%C3%A9%2520",
        f"{INFO}/overage/L%2F1",
    ]


async def test_overage_by_query_takes_any_shape(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.serve(f"{INFO}/overage", json_answer({"barcode": "B1"}))
    async with open_on(fault_server) as provider:
        assert await provider.information.overage("L/1 é") == [{"barcode": "B1"}]
        fault_server.serve(f"{INFO}/overage", Answer(204))
        assert await provider.information.overage("L") == []
    assert fault_server.seen("/overage")[0].query == {"LoadId": "L/1 é"}


async def test_an_audit_is_rows_or_one_object(fault_server: FaultServer, open_on: Open) -> None:
    async with open_on(fault_server) as provider:
        for data in ([{"auditId": 3, "detailName": "Q1"}], {"auditId": 3, "detailName": "Q1"}):
            fault_server.serve(f"{INFO}/audit/3", json_answer(data))
            (row,) = await provider.information.audit(3)
            assert (row.auditId, row.detailName) == (3, "Q1")


async def test_silence_ends_a_read(fault_server: FaultServer, open_on: Open) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), STATUS, times=None)
    async with open_on(fault_server, deadlines=SHORT) as provider:
        async with asyncio.timeout(10):
            with pytest.raises(SentUnknown, match="no answer in time"):
                await provider.management.order_status(reference="R-1")
    gate.release()


@pytest.mark.parametrize("path", ["/orders/5", "/orders/open"])
async def test_a_drip_does_not_hold_a_read(fault_server: FaultServer, open_on: Open, path: str) -> None:
    body = json_answer([{"OrderNumber": each} for each in range(50)])
    fault_server.plan(Fault(act=False, answer=body, drip=(1, 0.02)), path, times=None)
    async with open_on(fault_server, deadlines=SHORT) as provider, asyncio.timeout(10):
        information = provider.information
        one, many = path == "/orders/5", information.open_orders(date.today(), date.today())
        with pytest.raises(BrokenReply, match="in time"):
            await (information.order(5) if one else many.all())


async def test_a_dripping_header_does_not_hold_a_read(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.plan(Fault(drip_head=(1, 0.02)), STATUS, times=None)
    limits = replace(QUICK, first_byte=0.2)
    async with open_on(fault_server, deadlines=limits) as provider, asyncio.timeout(5):
        with pytest.raises(SentUnknown, match="in time"):
            await provider.management.order_status(reference="R-1")


async def test_a_reply_larger_than_reason_is_refused(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.serve(f"{INFO}/orders/5", Answer(200, b'{"a": "' + b"x" * 5_000_000 + b'"}'))
    async with open_on(fault_server) as provider:
        with pytest.raises(BrokenReply, match="larger than"):
            await provider.information.order(5)
    assert len(fault_server.seen("/orders/5")) == 1
