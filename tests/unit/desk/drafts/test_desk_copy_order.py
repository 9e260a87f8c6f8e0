"""A copy of an order: from this desk's submission, else from the provider's record; the draft says from which."""

from datetime import datetime, timedelta

import pytest

from app.contract.check import check_draft
from app.contract.draft import BarcodeDraft, BarcodingDraft, FreightDraft, OrderDraft
from app.contract.submission import OrderSubmission, wire_bytes
from app.desk.desk import Desk
from app.desk.drafts import copy_order
from app.desk.sending import outbox
from app.desk.sending.verdict import verdict
from app.store.cache import order_store
from app.store.store_errors import WrongState
from tests.support.desks import order_draft
from tests.support.fault_server import FaultServer
from tests.support.order_facts import facts
from tests.unit.desk.other.test_desk_known_data import SEEN

TODAY = datetime.now().date()
PAST, COMING = f"{TODAY - timedelta(days=3)}", f"{TODAY + timedelta(days=3)}"


async def see(desk: Desk, number: int, crn: str = "R-1", **extra: object) -> None:
    order = facts(number, crn=crn, extra=SEEN | {"CRN": crn} | extra)
    await desk.cache.write(order_store.store_orders, desk.profile.id, "open", [order], datetime.now())


def whole(reference: str) -> OrderDraft:
    draft = order_draft(reference, shipDate=PAST, requestedDeliveryDate=COMING, deliveryInstructions="Ring twice.")
    draft.barcoding = BarcodingDraft("TRL-1", [BarcodeDraft("CHAIR", "B1", "1")])
    return draft


async def send(desk: Desk, draft: OrderDraft) -> int:
    checked = check_draft(draft)
    assert isinstance(checked, OrderSubmission)
    write = await outbox.queue_submission(desk, checked, None)
    await outbox.drain(desk)
    return write


@pytest.mark.asyncio
async def test_a_clone_is_what_was_sent_without_what_is_that_order_s_own(desk: Desk) -> None:
    await see(desk, 7)
    await send(desk, whole("R-1"))
    found = await copy_order.clone_order(desk, 7)
    assert found is not None
    wanted = whole("")
    wanted.shipDate, wanted.barcoding = "", BarcodingDraft()
    assert found.draft == wanted
    assert found.whole
    assert found.sentence.startswith("A new order like R-1. This desk last sent it on ")
    left = "Left out: the reference, its barcodes and load number, dates that have passed."
    assert found.sentence.endswith(left)


@pytest.mark.asyncio
async def test_a_clone_of_what_was_sent_elsewhere_says_what_is_missing(desk: Desk) -> None:
    await see(desk, 7, DeliveryType="HOME", PO=["PO-1", "PO-2"], DateRequestedDelivery=f"{COMING}T00:00:00")
    found = await copy_order.clone_order(desk, 7)
    assert found is not None
    draft = found.draft
    assert (draft.orderReferenceNumber, draft.poNumber, draft.deliveryType) == ("", "PO-1", "HOME")
    assert (draft.providerFacilityCode, draft.useConsigneeAddressToDetermineFaclityCode) == ("MEM01", "false")
    assert draft.freightDetails == [FreightDraft("SOFA", "2")]
    assert draft.requestedDeliveryDate == COMING
    assert (draft.consignee.streetAddress2, draft.consignee.email) == ("Dock 4", "dock@example.com")
    assert not found.whole
    assert "it holds no volume, weight, barcodes, bill-to, sold by, ship date" in found.sentence


@pytest.mark.asyncio
async def test_an_order_is_changed_from_what_this_desk_last_sent(desk: Desk) -> None:
    await see(desk, 7)
    await send(desk, order_draft("R-1", "Before"))
    await send(desk, whole("R-1"))
    found = await copy_order.to_change(desk, 7)
    assert found is not None
    assert found.draft == whole("R-1")
    assert found.sentence.startswith("This is R-1. This desk last sent it on ")
    assert "consignee.consigneeName" in {each.path for each in found.differences}, "it says Rivera Gallery by now"


@pytest.mark.asyncio
async def test_what_is_on_its_way_is_changed_and_what_was_refused_is_not(desk: Desk) -> None:
    await see(desk, 7)
    await send(desk, whole("R-1"))
    checked = check_draft(order_draft("R-1", "Queued"))
    assert isinstance(checked, OrderSubmission)
    queued = await outbox.queue_submission(desk, checked, None)
    found = await copy_order.to_change(desk, 7)
    assert found is not None
    assert found.draft.consignee.consigneeName == "Queued"
    assert found.sentence.endswith("and is still on its way.")
    assert found.differences == ()
    await outbox.settle(desk, queued, "withdrawn", "Withdrawn.")
    found = await copy_order.to_change(desk, 7)
    assert found is not None
    assert found.draft == whole("R-1")


@pytest.mark.asyncio
async def test_what_this_desk_never_sent_is_changed_from_the_provider_s_record_and_said_to_be_half(desk: Desk) -> None:
    await see(desk, 7)
    found = await copy_order.to_change(desk, 7)
    assert found is not None
    assert found.draft.orderReferenceNumber == "R-1"
    assert not found.whole
    assert "This desk never sent R-1" in found.sentence
    assert "fill them in first" in found.sentence


@pytest.mark.asyncio
async def test_an_order_that_is_not_known_is_none(desk: Desk) -> None:
    assert await copy_order.to_change(desk, 9) is None
    assert await copy_order.clone_order(desk, 9) is None


@pytest.mark.asyncio
async def test_a_write_of_the_outbox_is_cloned_and_a_cancellation_is_not(desk: Desk) -> None:
    checked = check_draft(whole("R-1"))
    assert isinstance(checked, OrderSubmission)
    found = await copy_order.clone_write(desk, await outbox.queue_submission(desk, checked, None))
    assert found.draft.deliveryInstructions == "Ring twice."
    assert found.draft.orderReferenceNumber == ""
    with pytest.raises(WrongState, match="nothing to copy"):
        await copy_order.clone_write(desk, await outbox.queue_cancellation(desk, "R-2"))


@pytest.mark.asyncio
async def test_a_record_of_any_shape_makes_a_draft(desk: Desk) -> None:
    odd: dict[str, object] = {
        "Consignee": {"Address": "x"},
        "Facility": 5,
        "Commodities": [{"Count": "many"}],
        "PO": {"a": 1},
    }
    await see(desk, 7, "R-1", **odd, DateRequestedDelivery="soon", DeliveryType="CARGO")
    found = await copy_order.to_change(desk, 7)
    assert found is not None
    assert found.draft.freightDetails == [FreightDraft()]
    assert found.draft.useConsigneeAddressToDetermineFaclityCode == "true"


@pytest.mark.asyncio
async def test_the_verdict_says_what_would_change_and_with_what_it_was_compared(
    desk: Desk, fault_server: FaultServer
) -> None:
    await see(desk, 7)
    fault_server.book.submit(b'{"orderReferenceNumber": "R-1"}')
    checked = check_draft(order_draft("R-1", "Rivera Gallery", poNumber="X"))
    assert isinstance(checked, OrderSubmission)
    found = await verdict(desk, "R-1", wire_bytes(checked))
    assert (found.kind, found.compared) == ("changes", "returned")
    assert {(each.path, each.before, each.after) for each in found.differences} == {
        ("manufacturerCode", "HEARTH", ""),
        ("consignee.email", "dock@example.com", ""),
        ("consignee.streetAddress2", "Dock 4", ""),
        ("consignee.zip", "38103-2201", "38103"),
        ("freightDetails[0].commodity", "SOFA", "CHAIR"),
    }
    await send(desk, order_draft("R-1", "Rivera Gallery"))
    found = await verdict(desk, "R-1", wire_bytes(checked))
    assert (found.compared, [each.path for each in found.differences]) == ("sent", ["poNumber"])
    found = await verdict(desk, "R-9", wire_bytes(checked))
    assert (found.kind, found.compared) == ("new", "")


@pytest.mark.asyncio
async def test_what_sending_would_take_away_or_add_is_a_change_too(desk: Desk, fault_server: FaultServer) -> None:
    """Sending replaces the whole order: an emptied field and a line that was left out are gone there."""
    lines = [{"CommodityCode": "SOFA", "Count": 2}, {"CommodityCode": "LAMP", "Count": 3}]
    await see(desk, 7, PO=["PO-1"], Commodities=lines)
    fault_server.book.submit(b'{"orderReferenceNumber": "R-1"}')
    found = await copy_order.to_change(desk, 7)
    assert found is not None
    found.draft.consignee.email, found.draft.poNumber, found.draft.deliveryType = "", "", "HOME"
    found.draft.manufacturerCode = ""
    found.draft.freightDetails = [FreightDraft("SOFA", "2", "74.5")]
    assert await changes(desk, found.draft) == {
        "consignee.email": ("dock@example.com", ""),
        "poNumber": ("PO-1", ""),
        "manufacturerCode": ("HEARTH", ""),
        "deliveryType": ("", "HOME"),
        "freightDetails[1].commodity": ("LAMP", ""),
        "freightDetails[1].count": ("3", ""),
    }
    found.draft.freightDetails = [FreightDraft(code, count, "9") for code, count in (("SOFA", "2"), ("LAMP", "3"))]
    found.draft.freightDetails.append(FreightDraft("DESK", "1", "20"))
    told = await changes(desk, found.draft)
    assert told["freightDetails[2].commodity"] == ("", "DESK")
    assert not [path for path in told if path.endswith("volume")]


@pytest.mark.asyncio
async def test_of_purchase_orders_that_were_not_asked_for_nothing_is_said(
    desk: Desk, fault_server: FaultServer
) -> None:
    await see(desk, 7)
    fault_server.book.submit(b'{"orderReferenceNumber": "R-1"}')
    found = await copy_order.to_change(desk, 7)
    assert found is not None
    found.draft.poNumber, found.draft.freightDetails = "PO-9", [FreightDraft("SOFA", "2", "74.5")]
    assert await changes(desk, found.draft) == {}


async def changes(desk: Desk, draft: OrderDraft) -> dict[str, tuple[str, str]]:
    """What sending the draft would change, against what the provider returns."""
    checked = check_draft(draft)
    assert isinstance(checked, OrderSubmission)
    found = await verdict(desk, draft.orderReferenceNumber, wire_bytes(checked))
    assert (found.kind, found.compared) == ("changes", "returned")
    return {each.path: (each.before, each.after) for each in found.differences}
