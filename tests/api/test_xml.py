"""Answers in XML: each operation that is read in JSON is read in XML too, and means the same, in both forms of XML."""

import json
from datetime import date, timedelta
from typing import Any

import pytest

from app.api.errors import BrokenReply, NotFound, Refused
from app.api.information_service import EVERYTHING, OrderRow
from app.api.network.transport import Transport
from app.api.provider import Provider
from app.contract.operations import OPERATIONS
from tests.api.conftest import Open
from tests.api.test_practice import CALLS, TODAY, YEAR_AGO, as_bytes, new_reference, provider_of, submission
from tests.support.fault_server import INFORMATION, MANAGEMENT, Answer, FaultServer
from tests.support.faults import answered, truncated
from tests.support.practice_process import PracticeFactory, PracticeProcess

pytestmark = pytest.mark.asyncio
XML = Transport(replies="xml")
HEAD = '<?xml version="1.0" encoding="utf-8"?>'


@pytest.fixture(params=["", "xml-wrapped"], ids=["plain", "wrapped"])
def xml_practice(request: pytest.FixtureRequest, practice_factory: PracticeFactory) -> PracticeProcess:
    switches = ("--switch", request.param) if request.param else ()
    return practice_factory("--orders", "60", "--audits", "6", "--switch", "unknown-fields", *switches)


async def everything(provider: Provider) -> dict[str, Any]:
    """All that the two services say, as data."""
    information, management = provider.information, provider.management
    found: dict[str, Any] = {}
    for name in ("open_orders", "completed_orders"):
        rows: list[OrderRow] = await getattr(information, name)(YEAR_AGO, TODAY, EVERYTHING).all()
        found[name] = [json.loads(each.raw) for each in rows]
        found[f"{name}, read"] = [each.order for each in rows]
        found["order"] = json.loads((await information.order(rows[0].order.OrderNumber or 0)).raw)
    audits = await information.audits(YEAR_AGO, TODAY).all()
    found["audits"] = audits
    found["audit"] = [await information.audit(each.auditId or 0) for each in audits]
    found["facilities"] = [sorted(each) for each in await management.facilities()]
    found["overage"] = [sorted(each) for each in await information.overage("L-1")]
    found["status"] = (await management.order_status(reference=str(found["order"]["CRN"]))).status
    return found


async def test_all_that_is_read_means_the_same_in_both_formats(xml_practice: PracticeProcess) -> None:
    async with provider_of(xml_practice) as provider:
        in_json = await everything(provider)
    async with provider_of(xml_practice, transport=XML) as provider:
        in_xml = await everything(provider)
    assert len(in_json["open_orders"]) > 10
    for name, expected in in_json.items():
        got = in_xml[name]
        if isinstance(expected, list):
            assert len(got) == len(expected), name
            for one, other in zip(expected, got, strict=True):
                assert without_unknown(one) == without_unknown(other), name
        else:
            assert without_unknown(expected) == without_unknown(got), name


UNKNOWN = {"RouteCode", "Dimensions", "Flags"}  # what the switch adds: nobody says which of it are numbers or lists


def without_unknown(record: Any) -> Any:
    """What the contract knows of a record, null and empty lists left out."""
    if hasattr(record, "model_dump"):
        record = record.model_dump()
    if isinstance(record, dict):
        known = {name: without_unknown(each) for name, each in record.items() if name not in UNKNOWN}
        return {name: each for name, each in known.items() if each not in (None, [])}
    return [without_unknown(each) for each in record] if isinstance(record, list) else record


@pytest.mark.parametrize("name", [each.name for each in OPERATIONS])
async def test_every_operation_is_answered_in_xml(practice: PracticeProcess, name: str) -> None:
    operation = next(each for each in OPERATIONS if each.name == name)
    async with provider_of(practice, transport=XML) as provider:
        result = await CALLS[name](provider, practice)
    if hasattr(result, "content_type") and name != "audit_image" and getattr(result, "body", None):
        assert str(result.content_type).startswith("application/xml")
    if operation.returns_list:
        assert isinstance(result, list)


async def test_the_description_is_json_whatever_is_asked_for(practice: PracticeProcess) -> None:
    async with provider_of(practice, transport=XML) as provider:
        assert b'"paths"' in await provider.management.description()


async def test_a_refusal_in_xml_names_its_fields(practice: PracticeProcess) -> None:
    bad = submission(practice, new_reference(), deliveryType="BOAT")
    async with provider_of(practice, transport=XML) as provider:
        with pytest.raises(Refused) as caught:
            await provider.management.submit_order(as_bytes(bad))
    assert "deliveryType" in caught.value.problem.errors
    assert caught.value.problem.status == 400


def in_xml(text: str, kind: str = "application/xml; charset=utf-8") -> Answer:
    return Answer(200, text.encode(), kind)


async def listed(provider: Provider) -> list[OrderRow]:
    return await provider.information.open_orders(date(2026, 11, 1), date(2026, 11, 20)).all()


async def test_a_service_that_answers_in_the_other_format_is_read(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.serve(
        f"{INFORMATION}/orders/open",
        in_xml(f"{HEAD}<ArrayOfOrder><Order><OrderNumber>7</OrderNumber></Order></ArrayOfOrder>"),
    )
    async with open_on(fault_server) as provider:
        assert [each.order.OrderNumber for each in await listed(provider)] == [7]
    fault_server.serve(f"{INFORMATION}/orders/open", Answer(200, b'[{"OrderNumber": 8}]'))
    async with open_on(fault_server, transport=XML) as provider:
        assert [each.order.OrderNumber for each in await listed(provider)] == [8]
    accepted = [each.headers.get("Accept") or each.headers.get("accept") for each in fault_server.seen("/orders/open")]
    assert accepted[0] == "application/json"
    assert str(accepted[1]).startswith("application/xml")


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("<ArrayOfOrder/>", []),
        ("<orders><o><OrderNumber>1</OrderNumber></o><o><OrderNumber>2</OrderNumber></o></orders>", [1, 2]),
        ("<x:A xmlns:x='urn:x'><x:Order><x:OrderNumber> 3 </x:OrderNumber></x:Order></x:A>", [3]),
    ],
)
async def test_lists_of_any_name_and_namespace(
    fault_server: FaultServer, open_on: Open, text: str, numbers: list[int]
) -> None:
    fault_server.serve(f"{INFORMATION}/orders/open", in_xml(HEAD + text))
    async with open_on(fault_server, transport=XML) as provider:
        assert [each.order.OrderNumber for each in await listed(provider)] == numbers


async def test_a_list_that_breaks_off_or_is_no_xml_is_not_taken_for_whole(
    fault_server: FaultServer, open_on: Open
) -> None:
    orders = "".join(f"<Order><OrderNumber>{at}</OrderNumber></Order>" for at in range(50))
    whole = in_xml(f"{HEAD}<ArrayOfOrder>{orders}</ArrayOfOrder>")
    half = in_xml(f"{HEAD}<ArrayOfOrder>{orders}")
    mangled = in_xml(f"{HEAD}<ArrayOfOrder>{orders}<Order><</ArrayOfOrder>")
    page = in_xml("<html><body>Log in</body></html>")
    async with open_on(fault_server, transport=XML) as provider:
        for answer, words in ((half, "broke off after 50 rows"), (mangled, "not valid XML"), (page, "web page")):
            fault_server.serve(f"{INFORMATION}/orders/open", answer)
            with pytest.raises(BrokenReply, match=words):
                await listed(provider)
        fault_server.serve(f"{INFORMATION}/orders/open", whole)
        fault_server.plan(truncated(900), "/orders/open")
        before = len(fault_server.seen("/orders/open"))
        assert len(await listed(provider)) == 50
        assert len(fault_server.seen("/orders/open")) == before + 2, "asked again"


async def test_no_order_in_xml(fault_server: FaultServer, open_on: Open) -> None:
    nil = '<Order xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>'
    fault_server.serve(f"{INFORMATION}/orders/5", in_xml(HEAD + nil))
    async with open_on(fault_server, transport=XML) as provider:
        with pytest.raises(NotFound):
            await provider.information.order(5)


async def test_a_success_whose_xml_says_that_it_failed_is_none(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.plan(answered(in_xml("<Result><success>false</success></Result>")), f"{MANAGEMENT}/Order/submit")
    async with open_on(fault_server, transport=XML) as provider:
        with pytest.raises(BrokenReply, match="both that it worked and that it failed"):
            await provider.management.submit_order(b'{"orderReferenceNumber": "R-1"}')


async def test_a_year_of_orders_in_xml_leaves_others_their_turn(practice: PracticeProcess) -> None:
    """The reader hands out records a few at a time, however much text comes at once."""
    async with provider_of(practice, transport=XML) as provider:
        seen = 0
        async for batch in provider.information.open_orders(TODAY - timedelta(days=360), TODAY, EVERYTHING):
            seen += len(batch)
    assert seen > 0
