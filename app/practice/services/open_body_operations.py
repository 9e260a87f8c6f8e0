"""Operations whose request and response fields the contract does not show. Their bodies are stored unchanged.

The contract asks for a record only, so nothing else is checked. The replies are plausible, no more.
"""

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from app.contract.check import check_body
from app.contract.order_rules import Issue
from app.contract.submission import OrderSubmission
from app.practice.database.other_records import keep_record
from app.practice.operation_answers import Answer, Call, NoBody, Outcome, Record, bad_request
from app.practice.running_service import RunningService
from app.practice.services.order_operations import cancel_reference, keep_order
from app.practice.world.seconds import day_text, moment_of, plain, seconds_of

_MOST_ISSUES = 20  # said of one order of an import
_REFERENCE_NAMES = ("orderReferenceNumber", "referenceNumber", "orderNumber", "crn")


def body_object(call: Call) -> Record:
    """The body, which must be an object. Raises Refusal."""
    if not isinstance(call.body, dict):
        raise bad_request("", "The body must be an object.")
    return call.body


def text_field(body: Record, *names: str) -> str:
    """The first text or number in the body under one of the names, in any case of letters."""
    by_name = {name.lower(): value for name, value in body.items()}
    for name in names:
        value = by_name.get(name.lower())
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            return str(value).strip()
    return ""


def keep_body(service: RunningService, call: Call, key: str = "") -> int:
    """Keeps the body under the operation's name."""
    return keep_record(service.connection, call.client.id, call.operation.name, key, call.now, call.body)


def quote(service: RunningService, call: Call) -> Outcome:
    """Keeps a quote."""
    body = body_object(call)
    number = keep_body(service, call, text_field(body, *_REFERENCE_NAMES))
    until = day_text(seconds_of(moment_of(call.now) + timedelta(days=30)) // 86_400)
    return Answer({"quoteNumber": f"Q-{10_000 + number}", "status": "Received", "validUntil": until}, "QuoteResult")


def truck(service: RunningService, call: Call) -> Outcome:
    """Keeps a truck."""
    body_object(call)
    return Answer({"truckNumber": f"T-{10_000 + keep_body(service, call)}", "status": "Received"}, "TruckResult")


def order_event(service: RunningService, call: Call) -> Outcome:
    """Keeps an event about an order."""
    reference = text_field(body_object(call), *_REFERENCE_NAMES)
    number = keep_body(service, call, reference)
    record: Record = {"eventId": number, "status": "Accepted", "receivedAt": plain(call.now)}
    if reference:
        record["orderReferenceNumber"] = reference
    return Answer(record, "OrderEventResult")


def partner_cancel(service: RunningService, call: Call) -> Outcome:
    """Cancels the open order that the body names."""
    reference = text_field(body_object(call), *_REFERENCE_NAMES)
    keep_body(service, call, reference)
    if not reference:
        raise bad_request(_REFERENCE_NAMES[0], "Required: name the order that is to be cancelled.")
    return cancel_reference(service, call, reference)


def intake(service: RunningService, call: Call) -> Outcome:
    """The third-party logistics intake: any JSON object."""
    body_object(call)
    keep_body(service, call)
    return NoBody(202)


async def import_orders(service: RunningService, call: Call) -> Outcome:
    """Submits whatever in the request is an order submission, and says of each what became of it."""
    if not isinstance(call.body, dict | list):
        raise bad_request("", "The body must be an object or a list.")
    number = keep_body(service, call)
    results = []
    for body, checked in call.checked:
        results.append(_import_one(service, call, body, checked))
        # An import waits for nothing, so without this a long list of orders would hold up all other requests.
        await asyncio.sleep(0)
    accepted = sum(1 for each in results if each["accepted"])
    record = {"importId": number, "received": len(results), "accepted": accepted, "results": results}
    return Answer(record, "ImportResult")


def _submissions(body: Any) -> Iterator[Record]:
    """The records with an order reference: the body itself, or the records in one of its lists."""
    if not isinstance(body, dict | list):
        return
    if isinstance(body, dict):
        if "orderReferenceNumber" in body:
            yield body
            return
        lists = [value for value in body.values() if isinstance(value, list)]
    else:
        lists = [body]
    for each in lists:
        yield from (row for row in each if isinstance(row, dict) and "orderReferenceNumber" in row)


def checked_submissions(body: Any) -> list[tuple[Record, OrderSubmission | list[Issue]]]:
    """Each submission of an import request, and what the contract's check says of it."""
    return [(each, check_body(each)) for each in _submissions(body)]


def _import_one(service: RunningService, call: Call, body: Record, checked: OrderSubmission | list[Issue]) -> Record:
    if isinstance(checked, list):
        errors = [
            f"{issue.path}: {issue.sentence}" if issue.path else issue.sentence for issue in checked[:_MOST_ISSUES]
        ]
        return {"orderReferenceNumber": text_field(body, "orderReferenceNumber"), "accepted": False, "errors": errors}
    done = keep_order(service, call, checked)
    return {
        "orderReferenceNumber": checked.orderReferenceNumber,
        "accepted": True,
        "systemNumber": done.number,
        "created": done.created,
    }
