"""Long lists over a real connection: batches as they come, and what happens when they break."""

import asyncio
import json
from contextlib import aclosing
from datetime import date

import pytest

from app.api.errors import BrokenReply, NotAllowed
from app.api.information_service import OrderRow
from app.api.lists.stream import Batches
from app.api.provider import Provider
from tests.api.conftest import Open
from tests.support.fault_server import FaultServer
from tests.support.faults import Answer, Fault, answered, drop_before, json_answer, truncated

pytestmark = pytest.mark.asyncio
OPEN_LIST = "/OrderInformationApi/orders/open"
DAY = date(2026, 11, 20)


def listing(number: int) -> Answer:
    rows = [{"OrderNumber": each, "CRN": f"R-{each}", "Remarks": "x" * 200} for each in range(number)]
    return Answer(200, json.dumps(rows).encode())


def open_list(provider: Provider) -> Batches[OrderRow]:
    return provider.information.open_orders(DAY, DAY)


async def test_every_row_comes_once_in_order_with_its_text(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.serve(OPEN_LIST, listing(5_000))
    rows: list[OrderRow] = []
    async with open_on(fault_server) as provider, open_list(provider) as batches:
        async for batch in batches:
            assert 0 < len(batch) <= 200
            rows += batch
    assert [each.order.OrderNumber for each in rows] == list(range(5_000))
    assert all(json.loads(each.raw)["CRN"] == each.order.CRN for each in rows)
    assert (batches.tally.delivered, batches.tally.rejected) == (5_000, 0)


async def test_rows_arrive_before_the_list_has_ended(fault_server: FaultServer, open_on: Open) -> None:
    """The server holds back the end until the first rows have been seen."""
    whole = listing(1_000)
    fault_server.serve(OPEN_LIST, whole)
    fault_server.plan(Fault(drip=(len(whole.body) // 2, 0.4)), OPEN_LIST)
    async with open_on(fault_server) as provider, open_list(provider) as batches:
        first = await anext(batches)
        assert batches.tally.received_bytes < len(whole.body)
        assert len(first) + len([row async for batch in batches for row in batch]) == 1_000


async def test_nothing_is_asked_for_before_the_first_batch_is(fault_server: FaultServer, open_on: Open) -> None:
    async with open_on(fault_server) as provider:
        batches = open_list(provider)
        await batches.aclose()
    assert fault_server.seen() == []


async def test_a_list_that_breaks_later_delivers_and_then_says_so_once(
    fault_server: FaultServer, open_on: Open
) -> None:
    whole = listing(1_000)
    fault_server.serve(OPEN_LIST, whole)
    fault_server.plan(truncated(len(whole.body) - 300), OPEN_LIST, times=None)
    got = 0

    async def read(provider: Provider) -> None:
        nonlocal got
        async for batch in open_list(provider):
            got += len(batch)

    async with open_on(fault_server) as provider:
        with pytest.raises(BrokenReply):
            await read(provider)
    assert 800 <= got < 1_000
    assert len(fault_server.seen(OPEN_LIST)) == 1


async def test_a_list_that_breaks_at_once_is_asked_for_again(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.serve(OPEN_LIST, listing(300))
    for fault in (drop_before(), answered(Answer(503)), truncated(400)):
        fault_server.plan(fault, OPEN_LIST)
    async with open_on(fault_server) as provider:
        batches = open_list(provider)
        assert len(await batches.all()) == 300
    assert batches.tally.seen == 300
    assert len(fault_server.seen(OPEN_LIST)) == 4


async def test_a_list_without_a_stated_length_is_believed_only_with_its_end(
    fault_server: FaultServer, open_on: Open
) -> None:
    whole = listing(300)
    fault_server.serve(OPEN_LIST, Answer(200, whole.body, length=False))
    async with open_on(fault_server) as provider:
        assert len(await open_list(provider).all()) == 300
        fault_server.serve(OPEN_LIST, Answer(200, whole.body[:-1], length=False))
        with pytest.raises(BrokenReply, match="broke off"):
            await open_list(provider).all()


async def test_what_is_no_order_is_counted(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.serve(OPEN_LIST, Answer(200, b'[{"OrderNumber": 1}, 7, null, "x", [1], {"OrderNumber": 2}]'))
    async with open_on(fault_server) as provider:
        batches = open_list(provider)
        assert [each.order.OrderNumber for each in await batches.all()] == [1, 2]
    assert (batches.tally.rejected, batches.tally.first_rejection) == (4, "element 2: not a record")


async def test_a_number_that_nothing_can_store_costs_its_own_record_only(
    fault_server: FaultServer, open_on: Open
) -> None:
    for path, name in (("/orders/open", "OrderNumber"), ("/audit", "auditId")):
        rows = [{name: 2**63 - 1}, {name: 2**63}, {name: "9" * 40}, {name: 1e300}, {name: -(10**30)}]
        fault_server.serve(f"/OrderInformationApi{path}", json_answer(rows))
    async with open_on(fault_server) as provider:
        orders, audits = open_list(provider), provider.information.audits(DAY, DAY)
        assert [each.order.OrderNumber for each in await orders.all()] == [2**63 - 1]
        assert [each.auditId for each in await audits.all()] == [2**63 - 1]
    assert orders.tally.rejected == 4


async def test_half_a_character_becomes_one_that_can_be_stored(fault_server: FaultServer, open_on: Open) -> None:
    text = r'{"CRN": "\ud800x\ud83d\ude00", "Remarks": "\\ud"}'
    fault_server.serve(OPEN_LIST, Answer(200, f"[{text}]".encode()))
    async with open_on(fault_server) as provider:
        (row,) = await open_list(provider).all()
    assert (row.order.CRN, row.order.Remarks, row.raw) == ("\ufffdx\U0001f600", r"\ud", text)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(200),
        Answer(200, b"null"),
        Answer(200, b'{"orders": []}'),
        Answer(200, b"<html></html>", "text/html"),
        Answer(200, b"<Order/>", "application/xml"),
        Answer(200, b"<Problem><title>Not today</title></Problem>", "application/xml"),
        Answer(200, b"<ArrayOfOrder>", "application/xml"),
        Answer(200, b"[] trailing"),
    ],
    ids=str,
)
async def test_what_is_no_list_never_passes_for_an_empty_one(
    fault_server: FaultServer, open_on: Open, answer: Answer
) -> None:
    fault_server.serve(OPEN_LIST, answer)
    async with open_on(fault_server) as provider:
        with pytest.raises(BrokenReply):
            await open_list(provider).all()


async def test_an_empty_list_is_one(fault_server: FaultServer, open_on: Open) -> None:
    async with open_on(fault_server) as provider:
        for answer in (Answer(200, b"[]"), Answer(204), Answer(200, b"<ArrayOfOrder/>", "application/xml")):
            fault_server.serve(OPEN_LIST, answer)
            assert await open_list(provider).all() == []


async def test_a_refused_list_is_an_error_of_the_tree(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.plan(answered(Answer(403)), OPEN_LIST, times=None)
    async with open_on(fault_server) as provider:
        with pytest.raises(NotAllowed):
            await open_list(provider).all()


async def test_leaving_a_list_early_frees_its_connection(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.serve(OPEN_LIST, listing(20_000))
    async with open_on(fault_server, connections=1) as provider:
        for _ in range(5):
            async with aclosing(open_list(provider)) as batches:
                async for _batch in batches:
                    break
        assert (await provider.management.order_status(reference="none")).found is False


async def test_a_cancelled_reader_frees_its_connection(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.serve(OPEN_LIST, listing(20_000))
    async with open_on(fault_server, connections=1) as provider:

        async def read(started: asyncio.Event) -> None:
            async with open_list(provider) as batches:
                async for _ in batches:
                    started.set()

        for _ in range(5):
            started = asyncio.Event()
            task = asyncio.create_task(read(started))
            await started.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert (await provider.management.order_status(reference="none")).found is False


async def test_the_loop_lives_while_a_long_list_is_read(fault_server: FaultServer, open_on: Open) -> None:
    """In turns, not in time: a turn for each slice of work, whatever the machine."""
    fault_server.serve(OPEN_LIST, listing(20_000))
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async with open_on(fault_server) as provider:
        task = asyncio.create_task(other())
        began = asyncio.get_running_loop().time()
        assert len(await open_list(provider).all()) == 20_000
        spent = asyncio.get_running_loop().time() - began
        task.cancel()
    assert turns > spent / 0.05
