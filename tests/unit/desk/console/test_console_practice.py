"""Every operation by hand against the practice service: by the listing, and by its own description."""

import json
from dataclasses import replace
from datetime import date, timedelta

import pytest

from app.api.provider import Addresses, Credentials, Transport, open_provider
from app.contract.operations import OPERATIONS
from app.contract.submission import wire_bytes
from app.desk.console import console_operations
from app.desk.console.answers.answer_body import read_body
from app.desk.console.calls.answer_values import Answers
from app.desk.console.calls.copied_request import copied
from app.desk.console.calls.judge_call import judge
from app.desk.console.calls.request_draft import RequestDraft
from app.desk.console.calls.send_call import send
from app.desk.console.console_operations import ConsoleOperation, operations
from app.desk.console.description import description_keeping
from app.desk.console.forms.check_value import check
from app.desk.console.forms.exact_json import read_json, write_json
from app.desk.console.forms.sample_value import sample
from app.desk.console.forms.shapes import has_form
from app.desk.console.known_choices import choices, has_choices
from app.desk.desk import Desk
from app.desk.known import known_data
from app.desk.sending import outbox
from tests.support.desks import submission
from tests.support.fault_server import MANAGEMENT, FaultServer
from tests.support.faults import Answer, answered, drop_before
from tests.support.practice_process import PracticeProcess

pytestmark = pytest.mark.asyncio
TODAY = date.today()
# What exists in practice, by the name of a parameter.
_GIVEN = {"StartDate": (TODAY - timedelta(days=3)).isoformat(), "EndDate": TODAY.isoformat()}


async def some_values(desk: Desk) -> dict[str, str]:
    """Values of practice for what its paths ask for."""
    assert desk.provider is not None
    information = desk.provider.information
    orders = await information.open_orders(TODAY - timedelta(days=30), TODAY).all()
    audits = await information.audits(TODAY - timedelta(days=90), TODAY).all()
    details = [row for each in audits[:20] for row in await information.audit(int(each.auditId or 0))]
    photo = next(each.imageUrl for each in details if each.imageUrl)
    return {
        "OrderNumber": str(orders[0].order.OrderNumber),
        "AuditId": str(audits[0].auditId),
        "Filename": photo.rpartition("/")[2],
        "LoadId": "L-1",
        "OrderReferenceNumber": "NOBODY-1",
        **_GIVEN,
    }


def filled(operation: ConsoleOperation, values: dict[str, str], reference: str) -> RequestDraft:
    parameters = tuple((each.name, values[each.name]) for each in operation.parameters if each.name in values)
    if operation.body is None:
        return RequestDraft(operation.key, parameters)
    if operation.name in {"order_submit", "partner_b_order_submit"}:
        return RequestDraft(operation.key, parameters, wire_bytes(submission(f"{reference}-{operation.name}")).decode())
    shape = operation.body.shape
    value = sample(shape, TODAY) if has_form(shape) else read_json('{"orderReferenceNumber": "NOBODY-1"}')
    return RequestDraft(operation.key, parameters, write_json(value))


@pytest.mark.parametrize("described", [False, True], ids=["listing", "description"])
async def test_each_operation_is_called_by_hand(practice_desk: Desk, described: bool) -> None:
    description = (await description_keeping.fetch(practice_desk)).description if described else None
    assert (description is not None) == described
    values = await some_values(practice_desk)
    called, reference = set(), f"CON-{int(described)}"
    for operation in operations(description):
        made = filled(operation, values, reference)
        question = judge(practice_desk, operation, made, Answers()).question
        sent = await send(practice_desk, operation, made, Answers(), agreed=question)
        called.add(operation.name)
        if operation.road != "call":
            assert sent.write_id is not None
            continue
        assert sent.answer is not None
        expected = {int(each.status) for each in operation.answers if each.status.isdecimal()}
        missing = operation.name in {"order_status", "partner_a_cancel"}  # an order that may not be there
        assert sent.answer.status in ({200, 404} if missing else expected & {200, 202}), (operation.name, sent.answer)
        assert not read_body(sent.answer.body, sent.answer.content_type).trouble
    assert called >= {each.name for each in OPERATIONS}
    await outbox.drain(practice_desk)
    [write] = await outbox.history(practice_desk, f"{reference}-order_submit")
    assert write.state == "accepted"


async def test_each_operation_is_called_by_its_description_alone(
    practice_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    description = (await description_keeping.fetch(practice_desk)).description
    assert description is not None
    monkeypatch.setattr(console_operations, "OPERATIONS", ())
    alone = operations(description)
    assert {(each.method, each.path) for each in alone} == {
        (each.method, each.path) for each in OPERATIONS if each.service == "management"
    }
    for operation in alone:
        assert (operation.in_contract, operation.road) == (False, "call")
        made = filled(operation, {"OrderReferenceNumber": "NOBODY-1"}, "ALONE")
        sent = await send(practice_desk, operation, made, Answers(), agreed="")
        assert sent.answer is not None
        announced = {int(each.status) for each in operation.answers}
        assert sent.answer.status in announced - {401, 403, 500}, (operation.name, sent.answer)
        assert sent.answer.status < 300 or operation.name in {"order_status", "order_cancel", "partner_a_cancel"}


async def test_what_practice_describes_has_forms_whose_examples_fit(practice_desk: Desk) -> None:
    found = await description_keeping.fetch(practice_desk)
    assert found.description is not None
    assert found.trouble == ""
    assert found.description.notes == ()
    for operation in operations(found.description):
        if operation.body is None or operation.name == "third_party_logistics":
            continue
        assert has_form(operation.body.shape), operation.name
        assert check(operation.body.shape, sample(operation.body.shape, TODAY)) == (), operation.name
        assert operation.body.source == "description"


async def test_a_connection_that_asks_for_xml_does_so_here_too(practice_desk: Desk, practice: PracticeProcess) -> None:
    facts = practice.facts
    places = Addresses(facts["base_url"], facts["info_base_url"], facts["auth_url"])
    credentials = Credentials(facts["client_id"], facts["client_secret"])
    operation = next(each for each in operations(None) if each.name == "facilities")
    made = RequestDraft(operation.key)
    async with open_provider(places, credentials, transport=Transport(replies="xml")) as provider:
        practice_desk.provider = provider
        sent = await send(practice_desk, operation, made, Answers())
        assert sent.answer is not None
        assert read_body(sent.answer.body, sent.answer.content_type).kind == "xml"
        assert "application/xml" in copied(practice_desk, operation, made, Answers(), "curl")
        as_json = await send(practice_desk, operation, replace(made, accept="application/json"), Answers())
        assert as_json.answer is not None
        assert read_body(as_json.answer.body, as_json.answer.content_type).kind == "json"


async def test_answers_come_in_xml_too(practice_desk: Desk) -> None:
    operation = next(each for each in operations(None) if each.name == "facilities")
    made = RequestDraft(operation.key, accept="application/xml")
    sent = await send(practice_desk, operation, made, Answers())
    assert sent.answer is not None
    body = read_body(sent.answer.body, sent.answer.content_type)
    assert (body.kind, body.has_value) == ("xml", True)
    quote = next(each for each in operations(None) if each.name == "quote_submit")
    as_xml = RequestDraft(
        quote.key, body='{"orderReferenceNumber": "X-1", "lines": [1, 2]}', body_format="application/xml"
    )
    answer = (await send(practice_desk, quote, as_xml, Answers())).answer
    assert answer is not None
    assert answer.status == 200


@pytest.mark.parametrize("wanted", ["application/xml", "text/xml"])
async def test_every_call_is_answered_in_xml_and_sent_so_where_the_contract_lists_it(
    practice_desk: Desk, wanted: str
) -> None:
    values, in_xml = await some_values(practice_desk), set()
    for operation in operations(None):
        if operation.road != "call":
            continue
        made = replace(filled(operation, values, "XML"), accept=wanted)
        if operation.body is not None and wanted in operation.body.formats:
            made = replace(made, body_format=wanted)
            in_xml.add(operation.name)
        question = judge(practice_desk, operation, made, Answers()).question
        answer = (await send(practice_desk, operation, made, Answers(), agreed=question)).answer
        assert answer is not None
        missing = operation.name in {"order_status", "partner_a_cancel"}
        assert answer.status in ((200, 404) if missing else (200, 202)), (operation.name, answer)
        if answer.body and operation.name != "audit_image":
            found = read_body(answer.body, answer.content_type)
            assert (found.kind in ("xml", "problem"), found.trouble) == (True, ""), answer.body
            assert answer.body.lstrip().startswith(b"<"), operation.name
    assert in_xml == {each.name for each in OPERATIONS if each.body and wanted in each.formats} - {
        "order_submit",
        "order_cancel",
    }


# The description, fetched and kept


async def test_a_description_is_kept_for_when_there_is_no_network(
    practice_desk: Desk, fault_server: FaultServer
) -> None:
    assert (await description_keeping.kept(practice_desk)).description is None
    fetched = await description_keeping.fetch(practice_desk)
    practice_desk.provider = None
    there = await description_keeping.kept(practice_desk)
    assert there.description is not None
    assert fetched.description is not None
    assert len(there.description.operations) == len(fetched.description.operations)
    assert there.fetched_at is not None
    assert there.trouble == ""
    offline = await description_keeping.fetch(practice_desk)
    assert offline.description is not None
    assert offline.trouble == practice_desk.trouble


@pytest.mark.parametrize(
    "broken", [b"<html>log in</html>", b'{"openapi": "3.0.1", "paths": {}}', b'{"openapi":', b""], ids=repr
)
async def test_a_broken_description_replaces_no_older_one(desk: Desk, fault_server: FaultServer, broken: bytes) -> None:
    good = json.dumps({"openapi": "3.0.1", "paths": {"/a": {"get": {"responses": {}}}}}).encode()
    path = MANAGEMENT + "/swagger/v1/swagger.json"
    fault_server.serve(path, Answer(200, good))
    assert (await description_keeping.fetch(desk)).trouble == ""
    fault_server.serve(path, Answer(200, broken))
    for fault in (None, answered(Answer(404)), drop_before()):
        if fault is not None:
            fault_server.plan(fault, "/swagger.json", times=2)
        found = await description_keeping.fetch(desk)
        assert found.description is not None
        assert found.trouble
        assert [each.path for each in found.description.operations] == ["/a"]
    moved = desk.profile.base_url + "/other"
    assert (await description_keeping.kept(_at(desk, moved))).description is None


def _at(desk: Desk, base_url: str) -> Desk:
    return replace(desk, profile=replace(desk.profile, base_url=base_url))


# Known values


async def test_known_values_are_offered_by_the_name_of_a_field(practice_desk: Desk) -> None:
    await outbox.queue_submission(practice_desk, submission("KNOWN-1"), None)
    while await known_data.learn_some(practice_desk):
        pass
    assert [each.value for each in await choices(practice_desk, "deliveryZip", "381")] == ["38103"]
    assert [each.value for each in await choices(practice_desk, "commodity", "cha")] == ["CHAIR"]
    assert await choices(practice_desk, "remarks", "x") == []
    assert has_choices("ProviderFacilityCode")
    assert has_choices("BillToCode")
    assert not has_choices("remarks")
