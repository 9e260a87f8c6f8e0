"""Loads: overage in whatever shape it comes, kept with its age; this desk's orders that named the load."""

import json
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from app.contract.check import check_draft
from app.contract.draft import BarcodeDraft
from app.contract.submission import OrderSubmission
from app.desk.desk import Desk
from app.desk.known import known_data
from app.desk.loads import load_orders, overage
from app.desk.sending import outbox
from app.store.cache import forget, kept_answers, order_store
from app.store.cache.order_rows import OrderFacts
from tests.support.desks import order_draft
from tests.support.fault_server import INFORMATION, FaultServer
from tests.support.faults import Answer, act_then_drop, json_answer, truncated
from tests.support.order_facts import ASKED, facts

OVERAGE = INFORMATION + "/overage"
ITEMS = [{"commodity": "SOFA", "barcode": "B-1", "count": 1, "orderNumber": 771002}]


def on_load(reference: str, load: str, *barcodes: str) -> OrderSubmission:
    """An order of two chairs on a load, with these barcodes."""
    draft = order_draft(reference)
    draft.barcoding.receivingLoadNumber = load
    draft.barcoding.barcodeItemDetails = [BarcodeDraft("CHAIR", each, "1") for each in barcodes]
    checked = check_draft(draft)
    assert isinstance(checked, OrderSubmission), checked
    return checked


async def learn(desk: Desk) -> None:
    while await known_data.learn_some(desk):
        pass


async def queued(desk: Desk, *orders: OrderSubmission) -> None:
    for each in orders:
        await outbox.queue_submission(desk, each, None)
    await learn(desk)


def order_seen(number: int, reference: str, *folders: str) -> OrderFacts:
    papers = [{"Filename": f"{each}.pdf", "Folder": each, "Url": f"https://x/{each}"} for each in folders]
    return facts(number, crn=reference, state="AVL", extra={"ProofOfDelivery": papers})


@pytest.mark.asyncio
async def test_the_answer_is_kept_as_it_came_and_shown_with_its_age_without_a_connection(
    desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(OVERAGE, json_answer(ITEMS))
    answer = await overage.ask(desk, " L 7/1 ")
    assert fault_server.seen("/overage")[0].query == {"LoadId": "L 7/1"}
    assert (answer.records, answer.trouble) == (tuple(ITEMS), "")
    desk.provider = None
    desk.trouble = "Not connected."
    later = await overage.ask(desk, "L 7/1")
    assert (later.records, later.at, later.trouble) == (answer.records, answer.at, "Not connected.")
    assert (await overage.ask(desk, "L-2")).at is None
    assert {load: noted.count for load, noted in (await overage.asked_loads(desk)).items()} == {"L 7/1": 1}


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("body", "records"),
    [
        (b"[]", ()),
        (b"", ()),
        (b"null", ()),
        (b'{"Load": "L-1", "Qty": "2"}', ({"Load": "L-1", "Qty": "2"},)),
        (b'["B-1", 7]', ({"value": "B-1"}, {"value": 7})),
        (b"<Items><Item><Tag>B-1</Tag></Item></Items>", ({"Tag": "B-1"},)),
        (b"No overage is known.", ({"answer": "No overage is known."},)),
    ],
)
async def test_an_answer_of_any_shape_is_read(
    desk: Desk, fault_server: FaultServer, body: bytes, records: tuple[object, ...]
) -> None:
    kind = "application/xml" if body.startswith(b"<") else "text/plain"
    fault_server.serve(OVERAGE, Answer(200, body, kind))
    answer = await overage.ask(desk, "L-1")
    assert (answer.records, answer.trouble) == (records, "")
    assert (await overage.last_answer(desk, "L-1")).records == records


@pytest.mark.asyncio
@pytest.mark.parametrize("fault", [act_then_drop(), truncated(10)], ids=["dropped", "cut"])
async def test_a_broken_answer_leaves_the_last_one_with_the_reason(
    desk: Desk, fault_server: FaultServer, fault: object
) -> None:
    fault_server.serve(OVERAGE, json_answer(ITEMS))
    first = await overage.ask(desk, "L-1")
    fault_server.plan(fault, "/overage", times=None)  # type: ignore[arg-type]
    second = await overage.ask(desk, "L-1")
    assert (second.records, second.at) == (first.records, first.at)
    assert second.trouble


@pytest.mark.asyncio
async def test_an_older_answer_never_replaces_a_newer_one_and_the_oldest_go_first(desk: Desk) -> None:
    now = datetime(2026, 11, 22, 14, 2)
    await desk.cache.write(kept_answers.keep_answer, "acme", "overage", '{"load":"L-1"}', now, 1, '[{"a":1}]')
    before = now - timedelta(minutes=1)
    await desk.cache.write(kept_answers.keep_answer, "acme", "overage", '{"load":"L-1"}', before, 0, "[]")
    assert (await overage.last_answer(desk, "L-1")).records == ({"a": 1},)
    for at in range(kept_answers.MOST + 5):
        later = now + timedelta(seconds=at + 1)
        await desk.cache.write(kept_answers.keep_answer, "acme", "overage", f'{{"load":"M-{at}"}}', later, 0, "[]")
    assert (await overage.last_answer(desk, "L-1")).at is None
    assert (await overage.last_answer(desk, "M-5")).at is not None
    assert len(await overage.asked_loads(desk)) == kept_answers.MOST
    await desk.cache.write(forget.forget_profile, "acme")
    assert await overage.asked_loads(desk) == {}


@pytest.mark.asyncio
async def test_the_orders_of_a_load_come_from_the_last_submission_of_each(desk: Desk) -> None:
    await queued(
        desk, on_load("R-1", "L-1", "B-1", "B-2"), on_load("R-2", "l-1 ", "B-3"), on_load("R-3", "L-10", "B-4")
    )
    await queued(desk, on_load("R-2", "L-2", "B-3"))
    (first,) = await load_orders.orders_on(desk, "L-1")
    assert (first.reference, first.matches, first.order, first.consignee) == ("R-1", True, None, "J. Rivera")
    assert [(each.commodity, int(each.scanned), int(each.wanted)) for each in first.scanned] == [("CHAIR", 2, 2)]
    (moved,) = await load_orders.orders_on(desk, "L-2")
    assert (moved.reference, moved.matches) == ("R-2", False)
    assert await load_orders.load_of(desk, "R-2") == "L-2"
    assert await load_orders.load_of(desk, "R-9") == ""


@pytest.mark.asyncio
async def test_a_submission_that_was_withdrawn_names_no_load(desk: Desk) -> None:
    await queued(desk, on_load("R-1", "L-1", "B-1"))
    (write,) = await outbox.history(desk, "R-1")
    await outbox.settle(desk, write.id, "withdrawn", "Not wanted.")
    assert await load_orders.orders_on(desk, "L-1") == []
    assert await load_orders.load_of(desk, "R-1") == ""


@pytest.mark.asyncio
async def test_documents_about_too_much_or_too_little_stand_with_the_order(desk: Desk) -> None:
    await queued(desk, on_load("R-1", "L-1", "B-1"), on_load("R-2", "L-1", "B-2"), on_load("R-3", "L-1", "B-3"))
    seen = [order_seen(11, "R-1", "POD", "SOI", "OVR"), order_seen(12, "R-2", "POD"), facts(13, crn="R-3")]
    await desk.cache.write(order_store.store_orders, desk.profile.id, "open", seen, ASKED)
    first, second, third = await load_orders.orders_on(desk, "L-1")
    assert first.order is not None
    assert first.order.number == 11
    assert sorted(each.folder for each in first.hints or ()) == ["OVR", "SOI"]
    assert second.hints == ()
    assert third.hints is None


@pytest.mark.asyncio
async def test_loads_are_offered_the_last_named_first_and_then_those_asked_about(
    desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(OVERAGE, json_answer(ITEMS))
    await queued(desk, on_load("R-1", "L-1", "B-1"), on_load("R-2", "L-2", "B-2"))
    await overage.ask(desk, "M-9")
    await overage.ask(desk, "L-1")
    found = await load_orders.recent_loads(desk)
    assert [(each.load, each.items) for each in found] == [("L-2", 0), ("L-1", 1), ("M-9", 1)]
    assert [each.load for each in await load_orders.recent_loads(desk, "m-")] == ["M-9"]
    other = replace(desk, profile=replace(desk.profile, id="other"))
    assert await load_orders.recent_loads(other) == []


def test_bytes_that_are_no_order_name_no_load() -> None:
    bodies = (b"", b"[1]", b"\xff", json.dumps({"barcoding": {"receivingLoadNumber": 7}}).encode())
    assert [load_orders.load_named(each) for each in bodies] == ["", "", "", ""]
