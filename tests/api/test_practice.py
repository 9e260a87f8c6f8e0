"""Every operation of both services against the practice service over TCP, and its other readings."""

import json
from collections.abc import Awaitable, Callable, Iterator
from datetime import date, datetime, timedelta
from itertools import count

import pytest

from app.api.errors import ApiError, NotAllowed, NotAuthorised, NotFound, Refused
from app.api.information_service import EVERYTHING, Include, OrderRow
from app.api.provider import Addresses, Credentials, Provider, open_provider
from app.contract.codes import ALL_SCOPES, SCOPE_INFO_ORDERS, ManagementStatus
from app.contract.operations import OPERATIONS
from tests.api.conftest import QUICK
from tests.support.practice_process import PracticeFactory, PracticeProcess

pytestmark = pytest.mark.asyncio
TODAY = date.today()
YEAR_AGO = TODAY - timedelta(days=360)
_numbers: Iterator[int] = count(1)


def provider_of(practice: PracticeProcess, who: str = "", **settings: object) -> Provider:
    facts = practice.facts
    addresses = Addresses(facts["base_url"], facts["info_base_url"], facts["auth_url"])
    credentials = Credentials(facts[f"{who}client_id"], facts[f"{who}client_secret"])
    return open_provider(addresses, credentials, **{"deadlines": QUICK, **settings})  # type: ignore[arg-type]


def new_reference() -> str:
    return f"API-{next(_numbers)}"


def submission(practice: PracticeProcess, reference: str, **changes: object) -> dict[str, object]:
    facts = practice.facts
    consignee = {
        "consigneeName": "José Ångström",
        "streetAddress": "12 Main St",
        "city": "Memphis",
        "state": "TN",
        "zip": facts["zip"],
        "phone1": "901-555-0142",
    }
    return {
        "orderReferenceNumber": reference,
        "useConsigneeAddressToDetermineFaclityCode": False,
        "providerFacilityCode": facts["facility"],
        "consignee": consignee,
        "freightDetails": [{"commodity": facts["commodity"], "count": 2, "volume": 41.5}],
        **changes,
    }


def as_bytes(record: dict[str, object]) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode()


async def some_row(provider: Provider, *, delivered: bool = False, include: Include = EVERYTHING) -> OrderRow:
    information = provider.information
    listed = information.completed_orders if delivered else information.open_orders
    return (await listed(YEAR_AGO, TODAY, include).all())[0]


Call = Callable[[Provider, PracticeProcess], Awaitable[object]]


async def call_order_status(provider: Provider, practice: PracticeProcess) -> object:
    return await provider.management.order_status(reference="none")


async def call_cancel(provider: Provider, practice: PracticeProcess) -> object:
    reference = new_reference()
    await provider.management.submit_order(as_bytes(submission(practice, reference)))
    return await provider.management.cancel_order(as_bytes({"orderReferenceNumber": reference}))


async def call_order(provider: Provider, practice: PracticeProcess) -> object:
    number = (await some_row(provider)).order.OrderNumber
    assert number is not None
    return await provider.information.order(number)


async def call_audit(provider: Provider, practice: PracticeProcess) -> object:
    number = (await provider.information.audits(YEAR_AGO, TODAY).all())[0].auditId
    assert number is not None
    return await provider.information.audit(number)


async def call_audit_image(provider: Provider, practice: PracticeProcess) -> object:
    for audit in await provider.information.audits(YEAR_AGO, TODAY).all():
        for row in await provider.information.audit(audit.auditId or 0):
            if row.imageUrl:
                reply = await provider.information.audit_image(row.imageUrl.rpartition("/")[2])
                assert reply.body.startswith(b"\xff\xd8\xff")
                return reply
    raise AssertionError("no audit of the practice world has a photo")


async def call_partner_cancel(provider: Provider, practice: PracticeProcess) -> object:
    reference = new_reference()
    await provider.management.submit_order(as_bytes(submission(practice, reference)))
    return await provider.management.partner_a_cancel({"orderReferenceNumber": reference})


CALLS: dict[str, Call] = {
    "order_submit": lambda p, s: p.management.submit_order(as_bytes(submission(s, new_reference()))),
    "order_cancel": call_cancel,
    "order_status": call_order_status,
    "order_test": lambda p, s: p.management.test_orders(),
    "quote_submit": lambda p, s: p.management.submit_quote({"orderReferenceNumber": "Q"}),
    "quote_test": lambda p, s: p.management.test_quotes(),
    "truck_submit": lambda p, s: p.management.submit_truck({"trailer": "T"}),
    "facilities": lambda p, s: p.management.facilities(zip_code=s.facts["zip"]),
    "import_orders": lambda p, s: p.management.import_orders({"orders": []}),
    "cross_reference": lambda p, s: p.management.cross_reference(group="FACILITY"),
    "stock_item_config": lambda p, s: p.management.stock_item_config(sku="8"),
    "partner_a_order_event": lambda p, s: p.management.partner_a_order_event({"event": "x"}),
    "partner_a_cancel": call_partner_cancel,
    "partner_a_get_slot": lambda p, s: p.management.partner_a_get_slot({"zip": s.facts["zip"]}),
    "partner_a_reserve_slot": lambda p, s: p.management.partner_a_reserve_slot({"slotId": "any"}),
    "partner_b_order_event": lambda p, s: p.management.partner_b_order_event({"event": "x"}),
    "partner_b_get_slot": lambda p, s: p.management.partner_b_get_slot({"zip": s.facts["zip"]}),
    "partner_b_order_submit": lambda p, s: p.management.partner_b_order_submit(submission(s, new_reference())),
    "partner_c_open_orders": lambda p, s: p.management.partner_c_open_orders(facility=s.facts["facility"]),
    "partner_c_facilities": lambda p, s: p.management.partner_c_facilities({"facility": "é"}),
    "third_party_logistics": lambda p, s: p.management.third_party_logistics({"anything": [1, None]}),
    "third_party_logistics_health": lambda p, s: p.management.third_party_logistics_health(),
    "order": call_order,
    "open_orders": lambda p, s: p.information.open_orders(YEAR_AGO, TODAY).all(),
    "completed_orders": lambda p, s: p.information.completed_orders(YEAR_AGO, TODAY).all(),
    "audits": lambda p, s: p.information.audits(YEAR_AGO, TODAY).all(),
    "audit": call_audit,
    "audit_image": call_audit_image,
    "overage_by_path": lambda p, s: p.information.overage_by_path("L-1"),
    "overage": lambda p, s: p.information.overage("L-1"),
}


@pytest.mark.parametrize("name", [each.name for each in OPERATIONS])
async def test_every_operation_is_answered(practice: PracticeProcess, name: str) -> None:
    operation = next(each for each in OPERATIONS if each.name == name)
    async with provider_of(practice) as provider:
        result = await CALLS[name](provider, practice)
    if hasattr(result, "status") and isinstance(result.status, int):
        assert result.status == operation.success
    if operation.returns_list:
        assert isinstance(result, list)


async def test_nothing_is_called_that_is_no_operation() -> None:
    assert set(CALLS) == {each.name for each in OPERATIONS}


async def test_an_order_goes_all_the_way(practice: PracticeProcess) -> None:
    """Submitted, changed, found by its number and by its reference, cancelled, found cancelled."""
    reference = new_reference()
    async with provider_of(practice) as provider:
        management = provider.management
        assert not (await management.order_status(reference=reference)).found
        await management.submit_order(as_bytes(submission(practice, reference)))
        again = await management.submit_order(as_bytes(submission(practice, reference, poNumber="PO-77")))
        reading = await management.order_status(reference=reference)
        assert reading.mentions_reference
        assert again.data() is not None
        assert reading.system_number is not None
        by_number = await management.order_status(system_number=reading.system_number)
        assert by_number.mentions_reference
        await management.cancel_order(as_bytes({"orderReferenceNumber": reference}))
        assert (await management.order_status(reference=reference)).status is ManagementStatus.CANCELLED
        with pytest.raises(ApiError) as caught:
            await management.cancel_order(as_bytes({"orderReferenceNumber": reference}))
        assert not caught.value.may_have_acted


async def test_a_refusal_names_its_fields(practice: PracticeProcess) -> None:
    bad = submission(practice, new_reference(), deliveryType="BOAT", freightDetails=[])
    async with provider_of(practice) as provider:
        with pytest.raises(Refused) as caught:
            await provider.management.submit_order(as_bytes(bad))
    assert {"deliveryType", "freightDetails"} <= set(caught.value.problem.errors)
    assert caught.value.status == 400


async def test_lists_bring_what_is_asked_for(practice: PracticeProcess) -> None:
    async with provider_of(practice) as provider:
        bare = await provider.information.open_orders(YEAR_AGO, TODAY).all()
        full = await provider.information.open_orders(YEAR_AGO, TODAY, EVERYTHING).all()
        later = await provider.information.open_orders(TODAY - timedelta(days=3), TODAY).all()
    assert {each.order.OrderNumber for each in bare} == {each.order.OrderNumber for each in full}
    assert not any(each.order.Notes or each.order.ProofOfDelivery for each in bare)
    assert any(each.order.Notes for each in full)
    assert 0 < len(later) < len(full)
    for row in full:
        assert json.loads(row.raw)["OrderNumber"] == row.order.OrderNumber
        assert isinstance(row.order.DateImported, datetime)


async def test_a_range_beyond_a_year_is_refused_in_words(practice: PracticeProcess) -> None:
    async with provider_of(practice) as provider:
        with pytest.raises(Refused) as caught:
            await provider.information.open_orders(TODAY - timedelta(days=800), TODAY).all()
    assert caught.value.sentence


async def test_a_document_and_a_photo_come_from_the_addresses_in_their_records(practice: PracticeProcess) -> None:
    async with provider_of(practice) as provider:
        rows = await provider.information.completed_orders(YEAR_AGO, TODAY, Include(documents=True)).all()
        documents = [each for row in rows for each in row.order.ProofOfDelivery or [] if each.Url]
        reply = await provider.information.fetch(documents[0].Url or "")
        assert reply.body.startswith((b"%PDF", b"\xff\xd8\xff"))
        assert reply.content_type in ("application/pdf", "image/jpeg")


async def test_another_client_sees_other_orders(practice: PracticeProcess) -> None:
    async with provider_of(practice) as one, provider_of(practice, "other_") as other:
        number = (await some_row(one)).order.OrderNumber
        with pytest.raises(NotFound):
            await other.information.order(number or 0)


async def test_a_client_with_one_scope_learns_what_it_may_do(practice: PracticeProcess) -> None:
    async with provider_of(practice, "limited_") as provider:
        with pytest.raises(NotAuthorised) as caught:
            await provider.auth.request_token(ALL_SCOPES)
        assert caught.value.code == "invalid_scope"
        grant = await provider.auth.request_token((SCOPE_INFO_ORDERS,))
        assert grant.scopes == frozenset({SCOPE_INFO_ORDERS})
    async with provider_of(practice, "limited_", scopes=(SCOPE_INFO_ORDERS,)) as provider:
        assert await provider.information.open_orders(YEAR_AGO, TODAY).all() is not None
        with pytest.raises(NotAllowed):
            await provider.information.audits(YEAR_AGO, TODAY).all()
        with pytest.raises(NotAllowed):
            await provider.management.submit_order(as_bytes(submission(practice, new_reference())))


async def test_a_wrong_secret_is_said_to_be_one(practice: PracticeProcess) -> None:
    facts = practice.facts
    addresses = Addresses(facts["base_url"], facts["info_base_url"], facts["auth_url"])
    async with open_provider(addresses, Credentials(facts["client_id"], "guess")) as provider:
        with pytest.raises(NotAuthorised, match="this client id with this secret"):
            await provider.management.test_orders()


async def test_the_description_of_the_service_is_read(practice: PracticeProcess) -> None:
    async with provider_of(practice) as provider:
        assert "paths" in json.loads(await provider.management.description())


TOGETHER = [
    "scopes-list,missing-400,dates-zulu,po-object,audit-object,image-bare,pod-rooted,problem-xml",
    "scopes-absent,missing-204,dates-fraction,nulls,image-foreign,pod-foreign,problem-text",
    "scopes-word,missing-empty,unknown-fields,audit-date-ymd,image-absolute,problem-empty",
]


@pytest.mark.parametrize("switches", TOGETHER)
async def test_the_other_readings_of_the_contract_are_understood(
    practice_factory: PracticeFactory, switches: str
) -> None:
    running = practice_factory("--switch", switches)
    async with provider_of(running) as provider:
        management, information = provider.management, provider.information
        assert not (await management.order_status(reference="no-such-order")).found
        await management.submit_order(as_bytes(submission(running, "READ-1")))
        assert (await management.order_status(reference="READ-1")).mentions_reference
        with pytest.raises(Refused):
            await management.submit_order(b'{"orderReferenceNumber": 5}')
        rows = await information.open_orders(YEAR_AGO, TODAY, EVERYTHING).all()
        assert all(isinstance(each.order.DateImported, datetime) for each in rows)
        assert any(isinstance(each.order.PO, list) and each.order.PO for each in rows)
        audits = await information.audits(YEAR_AGO, TODAY).all()
        assert all(each.auditDate and abs((each.auditDate.date() - TODAY).days) < 400 for each in audits)
        await check_one_photo(provider, [each.auditId or 0 for each in audits])
        await check_one_document(provider)


async def check_one_photo(provider: Provider, audits: list[int]) -> None:
    for number in audits:
        for row in await provider.information.audit(number):
            if row.imageUrl:
                assert (await provider.information.fetch(row.imageUrl)).body.startswith(b"\xff\xd8\xff")
                return
    raise AssertionError("no audit of the practice world has a photo")


async def check_one_document(provider: Provider) -> None:
    rows = await provider.information.completed_orders(YEAR_AGO, TODAY, Include(documents=True)).all()
    url = next(each.Url for row in rows for each in row.order.ProofOfDelivery or [] if each.Url)
    assert (await provider.information.fetch(url)).body.startswith((b"%PDF", b"\xff\xd8\xff"))


@pytest.mark.parametrize("switch", ["status-bare", "status-nested", "status-empty"])
async def test_a_status_of_any_shape_is_read_or_left_open(practice_factory: PracticeFactory, switch: str) -> None:
    running = practice_factory("--switch", switch)
    async with provider_of(running) as provider:
        assert (await provider.management.submit_order(as_bytes(submission(running, "R-1")))).status == 200
        reading = await provider.management.order_status(reference="R-1")
    assert reading.found == (switch != "status-empty")
    assert (reading.status is not None) == (switch != "status-empty")
    assert reading.mentions_reference == (switch == "status-nested")


FAULTS = ["rate-429=0.3:0", "rate-503=0.3", "error-500=0.3", "reset-before=0.2", "truncate=0.2", "token-expire=0.1"]


@pytest.mark.parametrize("switch", FAULTS)
async def test_reads_come_through_a_provider_that_often_fails(practice_factory: PracticeFactory, switch: str) -> None:
    running = practice_factory("--switch", f"{switch},fault-on=/orders/")
    ends: list[ApiError | OrderRow] = []
    async with provider_of(running) as provider:
        for each in (await whole_list(provider))[:40]:
            try:
                ends.append(await provider.information.order(each.order.OrderNumber or 0))
            except ApiError as error:
                ends.append(error)
    assert len([each for each in ends if isinstance(each, OrderRow)]) > 30


async def whole_list(provider: Provider) -> list[OrderRow]:
    """The open orders, asked for again where the list broke off after it had begun to come."""
    for _ in range(20):
        try:
            return await provider.information.open_orders(YEAR_AGO, TODAY).all()
        except ApiError:
            continue
    raise AssertionError("the list never came whole")
