"""The writes of the outbox among the orders: all that the provider's list does not show yet, and no others."""

import json
import time
from datetime import timedelta
from typing import Any

import pytest

from app.contract.submission import OrderSubmission
from app.desk.desk import Desk
from app.desk.sending import outbox
from app.desk.sending.outstanding_orders import STANDS_FOR, OutboxLine, Outstanding, outstanding
from app.desk.sync import order_sync
from app.store.cache import order_store
from app.store.cache.order_rows import ListName
from app.store.cache.schema.raw_fields import RAW_FIELDS, raw_fields_of_text
from app.store.journal import draft_store, held_writes, write_store
from app.store.journal.records import Outcome
from tests.support.desks import submission
from tests.support.fault_server import INFORMATION, FaultServer
from tests.support.faults import json_answer
from tests.support.order_facts import facts

OPEN = INFORMATION + "/orders/open"


async def queue(desk: Desk, reference: str, name: str = "J. Rivera", **fields: str) -> int:
    return await outbox.queue_submission(desk, submission(reference, name, **fields), None)


async def ended(desk: Desk, reference: str, outcome: Outcome) -> int:
    """A submission whose one attempt ended like this."""
    return await end(desk, await queue(desk, reference), outcome)


async def end(desk: Desk, write: int, outcome: Outcome) -> int:
    attempt = await desk.journal.write(write_store.begin_attempt, write, desk.now())
    await desk.journal.write(write_store.end_attempt, attempt, outcome, desk.now())
    return write


async def seen(desk: Desk, number: int, list_name: ListName = "open", **columns: Any) -> None:
    """The provider's list shows this order now."""
    told: dict[str, Any] = {"state": "STD", **columns}
    await desk.cache.write(order_store.store_orders, desk.profile.id, list_name, [facts(number, **told)], desk.now())


async def references(desk: Desk, text: str = "") -> list[str]:
    return [each.crn for each in (await outstanding(desk, text, 100)).lines]


def shift(desk: Desk, span: timedelta) -> None:
    clock = desk.now
    desk.now = lambda: clock() + span


@pytest.mark.asyncio
async def test_an_empty_outbox_stands_nowhere(offline_desk: Desk) -> None:
    assert await outstanding(offline_desk, "", 100) == Outstanding()


@pytest.mark.asyncio
async def test_every_state_that_is_not_at_its_end_stands_there_and_what_needs_a_person_first(
    offline_desk: Desk,
) -> None:
    desk = offline_desk
    await ended(desk, "IN-DOUBT", "unknown")
    await ended(desk, "REJECTED", "rejected")
    held = await queue(desk, "HELD")
    await desk.journal.write(held_writes.hold, held, "It is closed.", desk.now())
    await ended(desk, "ACCEPTED", "accepted")
    await desk.journal.write(write_store.begin_attempt, await queue(desk, "SENDING"), desk.now())
    await queue(desk, "QUEUED")
    withdrawn = await queue(desk, "WITHDRAWN")
    await outbox.settle(desk, withdrawn, "withdrawn", "A change of mind.")
    confirmed = await ended(desk, "CONFIRMED", "accepted")
    await outbox.settle(desk, confirmed, "confirmed", "Read back.")
    found = await outstanding(desk, "", 100)
    assert [each.crn for each in found.lines] == ["HELD", "REJECTED", "IN-DOUBT", "QUEUED", "SENDING", "ACCEPTED"]
    assert (found.count, found.more) == (6, False)


@pytest.mark.asyncio
async def test_the_columns_are_those_that_are_sent(offline_desk: Desk) -> None:
    write = await queue(offline_desk, "R-1", "Renée O'Brien", deliveryType="HOME", requestedDeliveryDate="2026-12-01")
    (line,) = (await outstanding(offline_desk, "", 100)).lines
    assert isinstance(line, OutboxLine)
    assert (line.write.id, line.write.state, line.number) == (write, "queued", None)
    assert (line.consignee_name, line.city, line.region, line.zip) == ("Renée O'Brien", "Memphis", "TN", "38103")
    assert (line.delivery_type, str(line.requested_delivery)) == ("HOME", "2026-12-01 00:00:00")


@pytest.mark.asyncio
async def test_an_accepted_order_stands_there_until_the_list_has_shown_it(offline_desk: Desk) -> None:
    desk = offline_desk
    await ended(desk, "R-1", "accepted")
    await seen(desk, 5, crn="R-10")
    assert await references(desk) == ["R-1"]
    await seen(desk, 6, crn="R-1", imported_at=desk.now())
    assert await references(desk) == []


@pytest.mark.asyncio
async def test_an_order_that_was_listed_before_is_not_taken_for_the_one_that_was_sent(offline_desk: Desk) -> None:
    desk = offline_desk
    old = desk.now() - timedelta(days=30)
    await seen(desk, 1, "completed", crn="R-1", imported_at=old, state="CMP")
    await seen(desk, 2, crn="R-2", imported_at=old)
    shift(desk, timedelta(minutes=1))
    await ended(desk, "R-1", "accepted")
    await ended(desk, "R-2", "accepted")
    assert await references(desk) == ["R-2", "R-1"]
    shift(desk, timedelta(minutes=1))
    await seen(desk, 1, "completed", crn="R-1", imported_at=old, state="CMP")
    await seen(desk, 2, crn="R-2", imported_at=old)
    assert await references(desk) == ["R-1"], "the open one was changed, the completed one is an older order"
    await seen(desk, 3, "completed", crn="R-1", imported_at=desk.now(), state="CMP")
    assert await references(desk) == []


@pytest.mark.asyncio
async def test_what_was_accepted_long_ago_and_never_listed_is_left_to_the_outbox(offline_desk: Desk) -> None:
    await ended(offline_desk, "R-1", "accepted")
    await ended(offline_desk, "R-2", "unknown")
    shift(offline_desk, STANDS_FOR + timedelta(minutes=1))
    assert await references(offline_desk) == ["R-2"], "a doubt has no end of its own"


@pytest.mark.asyncio
async def test_a_later_change_that_was_accepted_stands_for_the_one_before(offline_desk: Desk) -> None:
    await ended(offline_desk, "R-1", "accepted")
    later = await ended(offline_desk, "R-1", "accepted")
    assert [each.write.id for each in (await outstanding(offline_desk, "", 9)).lines] == [later]


@pytest.mark.asyncio
async def test_a_refused_order_stands_there_until_it_is_corrected_and_queued_again(offline_desk: Desk) -> None:
    desk = offline_desk
    await desk.journal.write(draft_store.save_draft, desk.profile.id, "d-1", "{}", desk.now())
    refused = await end(desk, await outbox.queue_submission(desk, submission("R-1"), "d-1"), "rejected")
    await desk.journal.write(draft_store.reopen_draft, "d-1", desk.now())
    assert await references(desk) == ["R-1"], "it is being corrected"
    await outbox.settle(desk, await ended(desk, "R-9", "rejected"), "withdrawn", "Put away.")
    again = await outbox.queue_submission(desk, submission("R-1B"), "d-1")
    (line,) = (await outstanding(desk, "", 100)).lines
    assert line.write.id == again != refused


@pytest.mark.asyncio
async def test_a_cancellation_has_the_columns_of_its_order_and_leaves_with_it(offline_desk: Desk) -> None:
    desk = offline_desk
    await seen(desk, 4, "other", crn="R-1", consignee_name="An older order")
    await seen(desk, 7, crn="R-1", consignee_name="Élodie Rivera", city="Mobile", imported_at=desk.now())
    write = await outbox.queue_cancellation(desk, "R-1")
    (line,) = (await outstanding(desk, "", 100)).lines
    assert (line.number, line.consignee_name, line.city) == (7, "Élodie Rivera", "Mobile")
    assert await references(desk, "elodie mob") == ["R-1"]
    assert await references(desk, "somebody else") == []
    await end(desk, write, "accepted")
    assert await references(desk) == ["R-1"], "the list shows the order as open still"
    await seen(desk, 7, "other", crn="R-1", state="CAN")
    assert await references(desk) == []


@pytest.mark.asyncio
async def test_a_cancellation_of_an_order_that_was_never_seen_is_a_row_too(offline_desk: Desk) -> None:
    await outbox.queue_cancellation(offline_desk, "R-1")
    assert await references(offline_desk) == ["R-1"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", True),
        ("r-1", True),
        ("RENEE o'brien", True),
        ("beale memphis 38103 0142", True),
        ("po-77", True),
        ("gate", True),
        ("9015550142", True),
        ("tn", False),  # the state is no text that orders are searched by
        ("city", False),  # the name of a field
        ("chair", False),
        ("renee nashville", False),
        ("%", False),
        ("'", True),
        ("\x00", True),
    ],
)
@pytest.mark.asyncio
async def test_it_is_searched_as_the_orders_are(offline_desk: Desk, text: str, found: bool) -> None:
    await queue(offline_desk, "R-1", "Renée O'Brien", poNumber="PO-7719", deliveryInstructions="Call the gate")
    assert await references(offline_desk, text) == (["R-1"] if found else [])


@pytest.mark.asyncio
async def test_another_profile_s_writes_are_its_own(offline_desk: Desk) -> None:
    await queue(offline_desk, "R-1")
    await offline_desk.journal.write(
        write_store.queue_write, "another", "submit", "R-2", b'{"orderReferenceNumber":"R-2"}', offline_desk.now()
    )
    assert await references(offline_desk) == ["R-1"]


@pytest.mark.asyncio
async def test_bytes_that_are_no_order_are_a_row_without_columns(offline_desk: Desk) -> None:
    for number, body in enumerate((b"not JSON", b"[]", b'{"consignee": 5, "requestedDeliveryDate": "soon"}')):
        await offline_desk.journal.write(
            write_store.queue_write, offline_desk.profile.id, "submit", f"R-{number}", body, offline_desk.now()
        )
    assert await references(offline_desk) == ["R-2", "R-1", "R-0"]
    assert await references(offline_desk, "r-0") == ["R-0"]


@pytest.mark.asyncio
async def test_of_very_many_the_first_are_shown_and_any_is_found(offline_desk: Desk) -> None:
    desk = offline_desk
    body = b'{"orderReferenceNumber":"R-%d","consignee":{"consigneeName":"Consignee %d","city":"Memphis"}}'

    def queue_all(c: object) -> None:
        for number in range(10_000):
            write_store.queue_write(
                c,  # type: ignore[arg-type]
                desk.profile.id,
                "submit",
                f"R-{number}",
                body % (number, number),
                desk.now(),
            )

    await desk.journal.write(queue_all)
    await ended(desk, "DOUBT", "unknown")
    began = time.process_time()
    found = await outstanding(desk, "", 100)
    took = time.process_time() - began
    assert [each.crn for each in found.lines[:3]] == ["DOUBT", "R-9999", "R-9998"]
    assert (len(found.lines), found.more) == (100, True)
    assert await references(desk, "consignee 4711") == ["R-4711"]
    assert took < 1  # of the processor, whatever else the machine has to do


@pytest.mark.asyncio
async def test_an_order_of_the_provider_takes_the_row_s_place(desk: Desk, fault_server: FaultServer) -> None:
    await queue(desk, "R-1")
    await outbox.drain(desk)
    assert await references(desk) == ["R-1"]
    order = fault_server.book.all()[0]
    fault_server.serve(OPEN, json_answer([order.record | {"DateImported": desk.now().isoformat()}]))
    await order_sync.refresh(desk, "open", 1)
    assert await references(desk) == []
    await outbox.queue_cancellation(desk, "R-1")
    assert await references(desk) == ["R-1"]


# Raw fields that no submission has, or that the provider may derive in another way. A new raw field belongs either here
# or in `outstanding_orders`.
_NOT_OF_SUBMISSIONS = {
    *("consignee_id", "descriptions", "note", "note_at", "note_count"),
    *("document_count", "files", "document_at", "pod_at"),
    *(f"facility_{end}" for end in ("phone", "email", "street", "city", "region", "zip")),
    *(f"carrier_{end}" for end in ("id", "phone", "email", "street", "city", "region", "zip")),
    *(f"manufacturer_{end}" for end in ("id", "phone", "email", "street", "city", "region", "zip")),
}


@pytest.mark.asyncio
async def test_the_raw_fields_of_a_submission_read_as_those_of_the_order_that_it_makes(offline_desk: Desk) -> None:
    sent = submission("A-1").model_dump(mode="json")
    lines = [("SOFA", 2), ("CHAIR", 1_234_567)]
    sent["consignee"]["email"] = "a@example.com"
    sent["freightDetails"] = [{"commodity": code, "count": count, "volume": 1} for code, count in lines]
    await outbox.queue_submission(offline_desk, OrderSubmission.model_validate_json(json.dumps(sent)), None)
    (line,) = (await outstanding(offline_desk, "", 100)).lines
    assert line.raw_fields is not None
    of_submissions = set(RAW_FIELDS) - _NOT_OF_SUBMISSIONS
    assert set(line.raw_fields) == of_submissions, "a field that no submission has stands in _NOT_OF_SUBMISSIONS"
    order = {
        "Consignee": {"Email": "a@example.com"},
        "Commodities": [{"CommodityCode": code, "Count": count} for code, count in lines],
    }
    names = tuple(line.raw_fields)
    assert line.raw_fields == await offline_desk.reader.read(raw_fields_of_text, json.dumps(order), names)
