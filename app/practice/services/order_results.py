"""The record that submit, cancel and status answer with, in ours and in the other shapes that notes.md names."""

from app.contract.codes import ManagementStatus
from app.practice.database.order_table import Row, known_order
from app.practice.operation_answers import Answer, NoBody, Outcome, Refusal
from app.practice.running_service import RunningService
from app.practice.world.life import MANAGEMENT_STATUS, state_at


def status_of(service: RunningService, row: Row, now: int) -> ManagementStatus:
    """The management service's word for where an order stands."""
    if row.closed_at > now and row.imported_at > now:
        return ManagementStatus.IN_IMPORT_QUEUE
    return MANAGEMENT_STATUS[state_at(known_order(service.seed, row).life, now)]


def order_result(service: RunningService, reference: str, number: int, status: ManagementStatus, name: str) -> Outcome:
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


def not_found(service: RunningService, sentence: str) -> Outcome:
    """The management service's answer where there is no such order. Raises Refusal unless a switch says otherwise."""
    switches = service.switches
    if switches.on("missing-204"):
        return NoBody(204)
    if switches.on("missing-empty"):
        return NoBody(200)
    raise Refusal(400 if switches.on("missing-400") else 404, "Order not found.", sentence)
