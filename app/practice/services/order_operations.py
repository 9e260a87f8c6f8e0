"""Order submit, cancel and status of the order management service.

Switches choose the shape of the reply (`_order_result`) among those that notes.md names.
"""

from app.contract.check import check_cancellation
from app.contract.codes import ManagementStatus
from app.contract.order_rules import Issue
from app.contract.submission import OrderSubmission
from app.practice.database import order_table
from app.practice.database.order_table import Row, Submitted, known_order
from app.practice.operation_answers import Answer, Call, NoBody, Outcome, Refusal, bad_request
from app.practice.running_service import RunningService
from app.practice.world import name_tables
from app.practice.world.life import MANAGEMENT_STATUS, state_at

QUEUE_SECONDS = 20
_MOST_ISSUES = 5_000  # a record of all that a hundred thousand empty rows lack would be larger than the body
_INT32 = range(-(2**31), 2**31)


def submit(service: RunningService, call: Call) -> Outcome:
    """Rules 1 to 4 of services.md, "Order submit"."""
    order = checked_order(service, call)
    done = keep_order(service, call, order)
    return _result(service, call, order.orderReferenceNumber, done.number, "OrderSubmitResult")


def checked_order(service: RunningService, call: Call) -> OrderSubmission:
    """The submission that a body means. Raises Refusal."""
    checked: OrderSubmission | list[Issue] = call.checked
    if isinstance(checked, list):
        raise refused(checked)
    # By default any code is taken: services.md names none.
    if service.switches.on("strict-codes"):
        _check_codes(checked)
    return checked


def keep_order(service: RunningService, call: Call, order: OrderSubmission) -> Submitted:
    """Updates or creates the order of a submission."""
    body = order.model_dump(mode="json", exclude_none=True)
    queue = int(service.switches.number("import-queue", QUEUE_SECONDS))
    return order_table.submit(
        service.connection, service.seed, call.client, body, _default_bill_to(call), call.now, queue
    )


def refused(issues: list[Issue]) -> Refusal:
    """The issues of a body as a problem record: the first of them where there are very many."""
    errors: dict[str, list[str]] = {}
    for issue in issues[:_MOST_ISSUES]:
        errors.setdefault(issue.path, []).append(issue.sentence)
    return Refusal(400, "One or more validation errors occurred.", errors=errors)


def _check_codes(order: OrderSubmission) -> None:
    facility = order.providerFacilityCode
    if facility is not None and facility not in name_tables.facility_by_code():
        raise bad_request("providerFacilityCode", f"There is no facility {facility}.")
    for index, line in enumerate(order.freightDetails):
        if line.commodity not in name_tables.goods_by_code():
            path = f"freightDetails[{index}].commodity"
            raise bad_request(path, f"The commodity code {line.commodity} is not set up.")


def _default_bill_to(call: Call) -> str:
    """The bill-to of orders that name none."""
    codes: dict[str, list[str]] = name_tables.companies()["bill_tos"]
    return codes[call.client.kind][0]


def cancel(service: RunningService, call: Call) -> Outcome:
    """Cancels the open order with the reference; one in the import queue counts as open."""
    checked = check_cancellation(call.body)
    if isinstance(checked, list):
        raise refused(checked)
    return cancel_reference(service, call, checked.orderReferenceNumber)


def cancel_reference(service: RunningService, call: Call, reference: str) -> Outcome:
    """Cancels the open order with a reference, or says that there is none."""
    row = order_table.live_match(service.connection, call.client.id, reference, call.now)
    if row is None:
        return _not_found(service, f"There is no open order {reference}.")
    order_table.cancel_order(service.connection, row.number, call.now)
    return _result(service, call, reference, row.number, "OrderCancelResult")


def _result(service: RunningService, call: Call, reference: str, number: int, name: str) -> Outcome:
    row = next(
        each
        for each in order_table.all_with_reference(service.connection, call.client.id, reference, call.now)
        if each.number == number
    )
    return _order_result(service, reference, number, _status_of(service, row, call.now), name)


def status(service: RunningService, call: Call) -> Outcome:
    """The lookup of services.md, "Order status", in its four steps."""
    reference, bill_to = call.parameter("OrderReferenceNumber"), call.parameter("BillToCode")
    number = _system_number(call.parameter("SystemNumber"))
    if reference is None and number is None and bill_to is None:
        raise bad_request("OrderReferenceNumber", "Give OrderReferenceNumber or SystemNumber.")
    row = _look_up(service, call, reference, number, bill_to)
    if row is None:
        return _not_found(service, "There is no order with this reference or system number.")
    return _order_result(service, row.reference, row.number, _status_of(service, row, call.now), "OrderStatus")


def _look_up(
    service: RunningService, call: Call, reference: str | None, number: int | None, bill_to: str | None
) -> Row | None:
    connection, client, now = service.connection, call.client.id, call.now
    return (
        # In the order of services.md: open, then closed, then what waits in the import queue.
        order_table.open_match(connection, client, reference, number, now)
        or _closed(service, call, reference, number, bill_to)
        or order_table.queue_match(connection, client, reference, number, now)
    )


def _closed(
    service: RunningService, call: Call, reference: str | None, number: int | None, bill_to: str | None
) -> Row | None:
    """Step 2. Where no bill-to is asked for, the order's own stands for it: the latest closed order that matches."""
    connection, client, now = service.connection, call.client.id, call.now
    if bill_to is not None:
        if order_table.bill_to_has_open(connection, client, bill_to, now):
            return None
        return order_table.latest_closed(connection, client, bill_to, now)
    if service.switches.on("status-other"):
        return order_table.latest_closed(connection, client, None, now)
    return order_table.closed_match(connection, client, reference, number, now)


def _system_number(text: str | None) -> int | None:
    if text is None:
        return None
    digits = text.strip().removeprefix("-")
    # The length first: `int` takes a long time for thousands of digits.
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 10 and int(text) in _INT32):
        raise bad_request("SystemNumber", "Not a whole number of 32 bits.")
    return int(text)


def alive(service: RunningService, call: Call) -> Outcome:
    """The test and health operations."""
    return NoBody()


def _status_of(service: RunningService, row: Row, now: int) -> ManagementStatus:
    """The management service's word for where an order stands."""
    # Both: an order that was cancelled while it waited in the queue is closed, although it was never imported.
    if row.closed_at > now and row.imported_at > now:
        return ManagementStatus.IN_IMPORT_QUEUE
    return MANAGEMENT_STATUS[state_at(known_order(service.seed, row).life, now)]


def _order_result(service: RunningService, reference: str, number: int, status: ManagementStatus, name: str) -> Outcome:
    """An order's reference, system number and status."""
    switches = service.switches
    if switches.on("status-empty"):
        return NoBody()
    if switches.on("status-bare"):
        return Answer(str(status), "string")
    if switches.on("status-nested"):
        order = {"customerOrderNumber": reference, "orderNumber": number, "orderStatus": str(status)}
        return Answer({"success": True, "result": {"orders": [order]}}, name)
    record = {"orderReferenceNumber": reference, "systemNumber": number, "status": str(status)}
    if switches.on("unknown-fields"):
        record |= {"traceId": f"{number:016x}", "messages": [{"text": "Accepted as sent.", "level": 1}]}
    return Answer(record, name)


def _not_found(service: RunningService, sentence: str) -> Outcome:
    """The management service's answer where there is no such order. Raises Refusal unless a switch says otherwise."""
    switches = service.switches
    if switches.on("missing-204"):
        return NoBody(204)
    if switches.on("missing-empty"):
        return NoBody(200)
    raise Refusal(400 if switches.on("missing-400") else 404, "Order not found.", sentence)
