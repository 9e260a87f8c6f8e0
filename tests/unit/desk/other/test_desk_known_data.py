"""Known values are learnt from orders that were sent and seen, and offered again."""

import json
from decimal import Decimal

import pytest

from app.contract.check import check_draft
from app.contract.draft import FreightDraft
from app.contract.submission import OrderSubmission
from app.desk.desk import Desk
from app.desk.known import known_data
from app.desk.sending import outbox
from app.store.cache import order_store
from app.store.cache.known_values import Payload
from app.store.cache.order_rows import OrderFacts
from app.store.store_errors import StoreError
from tests.support.desks import order_draft, submission
from tests.support.order_facts import ASKED, facts

SEEN = {
    "Consignee": {
        "Name": "Rivera Gallery",
        "Phone": "901-555-0142",
        "Email": "dock@example.com",
        "Address": {
            "StreetAddress1": "12 Beale Street",
            "StreetAddress2": "Dock 4",
            "City": "Memphis",
            "State": "TN",
            "ZipCode": "38103-2201",
        },
    },
    "Facility": {"Id": "MEM01", "Name": "Memphis South", "Address": {"City": "Memphis", "State": "TN"}},
    "Manufacturer": {"Name": "Hearthline Furniture", "Id": "HEARTH"},
    "Commodities": [{"CommodityCode": "SOFA", "Description": "Sofa, three seats", "Count": 2}],
}


def with_freight(reference: str, *lines: FreightDraft) -> OrderSubmission:
    draft = order_draft(reference, billToCode="ACME", manufacturerCode="HEARTH", intermediateConsignee="Gallery")
    draft.freightDetails = list(lines)
    checked = check_draft(draft)
    assert isinstance(checked, OrderSubmission)
    return checked


async def learn(desk: Desk) -> None:
    while await known_data.learn_some(desk):
        pass


async def bodies(desk: Desk, kind: known_data.Kind, text: str = "") -> list[known_data.Body]:
    return [each.body for each in (await known_data.find(desk, kind, text)).rows]


@pytest.mark.asyncio
async def test_a_consignee_is_learnt_whole_from_what_was_sent(desk: Desk) -> None:
    await outbox.queue_submission(desk, submission("R-1"), None)
    await learn(desk)
    (found,) = (await known_data.find(desk, "consignee", "rivera 0142")).rows
    assert found.sent
    assert found.body == {
        "consigneeName": "J. Rivera",
        "streetAddress": "12 Beale Street",
        "streetAddress2": "",
        "city": "Memphis",
        "state": "TN",
        "zip": "38103",
        "phone1": "901-555-0142",
        "phone2": "",
        "email": "",
    }
    assert await bodies(desk, "place", "381") == [{"zip": "38103", "city": "Memphis", "state": "TN"}]


@pytest.mark.asyncio
async def test_all_that_an_order_seen_tells_is_learnt(desk: Desk) -> None:
    await desk.cache.write(order_store.store_orders, desk.profile.id, "open", [facts(7, extra=SEEN)], ASKED)
    assert (await known_data.find(desk, "consignee", "rivera")).learning
    await learn(desk)
    (consignee,) = await bodies(desk, "consignee", "gallery 0142")
    assert consignee["streetAddress2"] == "Dock 4"
    assert consignee["email"] == "dock@example.com"
    assert await bodies(desk, "facility", "south") == [
        {"code": "MEM01", "name": "Memphis South", "city": "Memphis", "state": "TN"}
    ]
    assert (await bodies(desk, "manufacturer", "hearth"))[0]["code"] == "HEARTH"
    assert await bodies(desk, "commodity", "seats") == [{"code": "SOFA", "description": "Sofa, three seats"}]
    assert not (await known_data.find(desk, "consignee", "nobody")).learning


def seen(number: int, facility: str) -> OrderFacts:
    """An order of the consignee of `order_draft`, as the provider lists it."""
    street = {"StreetAddress1": "12 Beale Street", "City": "Memphis", "State": "TN", "ZipCode": "38103"}
    consignee = {"Name": "Rivera", "Address": street}
    return facts(number, extra={"Consignee": consignee, "Facility": {"Id": facility}})


@pytest.mark.asyncio
async def test_the_facility_that_served_a_consignee_last_is_known_with_it(desk: Desk) -> None:
    await desk.cache.write(order_store.store_orders, desk.profile.id, "open", [facts(7, extra=SEEN)], ASKED)
    await learn(desk)
    assert (await bodies(desk, "consignee", "gallery"))[0][known_data.FACILITY] == "MEM01"
    assert await bodies(desk, "consignee", "mem01") == [], "nobody is found by it"


@pytest.mark.asyncio
@pytest.mark.parametrize("sent", [False, True])
async def test_the_facility_of_a_consignee_is_that_of_the_provider_s_latest_order(desk: Desk, sent: bool) -> None:
    checked = check_draft(order_draft("R-1", "Rivera", providerFacilityCode="BNA02"))
    assert isinstance(checked, OrderSubmission)
    if sent:
        await outbox.queue_submission(desk, checked, None)
        await learn(desk)
        (consignee,) = await bodies(desk, "consignee", "rivera beale")
        assert known_data.FACILITY not in consignee, "the provider may yet refuse it"
    # An order that is seen once more, as one that was completed, is not the latest for that.
    for number, code, known in ((8, "BNA02", "BNA02"), (7, "MEM01", "BNA02"), (8, "MEM01", "MEM01"), (9, "A", "A")):
        await desk.cache.write(order_store.store_orders, desk.profile.id, "open", [seen(number, code)], ASKED)
        await learn(desk)
        (consignee,) = await bodies(desk, "consignee", "rivera beale")
        assert consignee[known_data.FACILITY] == known, (number, code)
    if sent:  # once more, with a code that the provider does not know
        wrong = check_draft(order_draft("R-2", "Rivera", providerFacilityCode="MEMM1"))
        assert isinstance(wrong, OrderSubmission)
        await outbox.queue_submission(desk, wrong, None)
        await learn(desk)
        (consignee,) = await bodies(desk, "consignee", "rivera beale")
        assert consignee[known_data.FACILITY] == "A"
        assert consignee["phone1"], "what was sent from here stays"


@pytest.mark.asyncio
async def test_codes_are_learnt_from_what_was_sent(desk: Desk) -> None:
    await outbox.queue_submission(desk, with_freight("R-1", FreightDraft("SOFA", "2", "74.5", "260")), None)
    await learn(desk)
    for kind, code in (("bill_to", "ACME"), ("manufacturer", "HEARTH"), ("seller", "Gallery")):
        assert [each["code"] for each in await bodies(desk, kind)] == [code]  # type: ignore[arg-type]


@pytest.mark.asyncio
@pytest.mark.parametrize(("ended", "known"), [("rejected", []), ("accepted", ["BNA02"]), (None, [])])
async def test_only_an_order_that_was_taken_teaches_its_facility_s_code(
    desk: Desk, ended: str | None, known: list[str]
) -> None:
    checked = check_draft(order_draft("R-1", providerFacilityCode="BNA02"))
    assert isinstance(checked, OrderSubmission)
    write = await outbox.queue_submission(desk, checked, None)
    if ended == "rejected":
        await learn(desk)  # as it is queued, before its answer
    if ended is not None:
        put = "UPDATE writes SET state = ? WHERE id = ?"
        await desk.journal.write(lambda c: c.execute(put, (ended, write)).fetchall() and None)
    await learn(desk)
    assert [each["code"] for each in await bodies(desk, "facility")] == known
    assert await bodies(desk, "consignee", "rivera"), "the consignee is known at once"


@pytest.mark.asyncio
async def test_a_piece_s_usual_volume_and_weight_is_the_middle_of_the_latest(desk: Desk) -> None:
    assert await known_data.usual(desk, "SOFA") is None
    for at, (count, volume, weight) in enumerate((("2", "74.5", "260"), ("3", "10", ""), ("1", "900", "1"))):
        await outbox.queue_submission(desk, with_freight(f"R-{at}", FreightDraft("Sofa", count, volume, weight)), None)
    await learn(desk)
    usual = await known_data.usual(desk, " sofa ")
    assert usual is not None
    assert (usual.volume_of(Decimal(2)), usual.weight_of(Decimal(2))) == ("74.5", "131")
    three = known_data.Usual(Decimal("3.333333"), None)
    assert (three.volume_of(Decimal(3)), three.weight_of(Decimal(3))) == ("10", "")


@pytest.mark.asyncio
async def test_what_was_refused_or_withdrawn_teaches_nothing(desk: Desk) -> None:
    first = await outbox.queue_submission(desk, submission("R-1"), None)
    await outbox.settle(desk, first, "withdrawn", "Withdrawn.")
    await learn(desk)
    assert await bodies(desk, "consignee") == []
    await outbox.queue_submission(desk, submission("R-2", "Second"), None)
    await outbox.queue_cancellation(desk, "R-9")
    await learn(desk)
    assert [each["consigneeName"] for each in await bodies(desk, "consignee")] == ["Second"]
    assert not await known_data.learn_some(desk), "nothing is learnt twice"


@pytest.mark.asyncio
async def test_many_steps_are_taken_and_another_journal_is_read_from_its_beginning(desk: Desk) -> None:
    for at in range(45):
        await outbox.queue_submission(desk, submission(f"R-{at}", f"Consignee {at}"), None)
    steps = 0
    while await known_data.learn_some(desk):
        steps += 1
    assert steps == 3
    assert (await bodies(desk, "consignee", "consignee"))[0]["consigneeName"] == "Consignee 44"
    await desk.journal.write(lambda c: c.execute("DELETE FROM writes WHERE id > 2").fetchall() and None)
    await learn(desk)
    assert not await known_data.learn_some(desk)


@pytest.mark.asyncio
async def test_what_was_forgotten_for_good_is_not_offered_any_more(desk: Desk) -> None:
    await outbox.queue_submission(desk, submission("R-1"), None)
    await learn(desk)
    await desk.journal.write(lambda c: c.execute("DELETE FROM writes").fetchall() and None)
    await known_data.forget(desk)
    await learn(desk)
    assert await bodies(desk, "consignee") == []


@pytest.mark.parametrize(
    "raw",
    ["", "null", "[]", "7", '{"Consignee": 5}', '{"Consignee": {"Name": 7}}', '{"Commodities": {"a": 1}}', "[" * 9999],
)
def test_what_cannot_be_read_teaches_nothing(raw: str) -> None:
    assert known_data.lessons_of_order(raw) == []
    assert list(known_data.lessons_of_payload(Payload(raw.encode(), taken=True))) == []


def test_numbers_that_are_none_are_no_samples() -> None:
    lines = [{"commodity": "A", "count": 0, "volume": 1}, {"commodity": "B", "count": True}, {"commodity": "C"}]
    found = list(known_data.lessons_of_payload(Payload(json.dumps({"freightDetails": lines}).encode(), taken=True)))
    assert [each.body for each in found] == [{"code": "A"}, {"code": "B"}, {"code": "C"}]


@pytest.mark.asyncio
async def test_a_closed_store_is_said(desk: Desk) -> None:
    await desk.reader.close()
    with pytest.raises(StoreError):
        await known_data.find(desk, "consignee", "x")
