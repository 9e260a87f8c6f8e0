"""The function for each operation of the contract, and for those that only the practice service has."""

from collections.abc import Awaitable, Callable
from typing import Any

from app.contract.check import check_body
from app.practice.operation_answers import Call, Outcome
from app.practice.running_service import RunningService
from app.practice.services import (
    audit_operations,
    document_operations,
    information_operations,
    lookup_operations,
    open_body_operations,
    order_operations,
    slot_operations,
)

Handler = Callable[[RunningService, Call], Outcome | Awaitable[Outcome]]

# What is made of a body before its operation sees it: pure functions, which may run beside the loop.
CHECKS: dict[str, Callable[[Any], Any]] = {
    "order_submit": check_body,
    "partner_b_order_submit": check_body,
    "import_orders": open_body_operations.checked_submissions,
}

HANDLERS: dict[str, Handler] = {
    "order_submit": order_operations.submit,
    "order_cancel": order_operations.cancel,
    "order_status": order_operations.status,
    "order_test": order_operations.alive,
    "quote_submit": open_body_operations.quote,
    "quote_test": order_operations.alive,
    "truck_submit": open_body_operations.truck,
    "facilities": lookup_operations.facilities,
    "import_orders": open_body_operations.import_orders,
    "cross_reference": lookup_operations.cross_reference,
    "stock_item_config": lookup_operations.stock_items,
    "partner_a_order_event": open_body_operations.order_event,
    "partner_a_cancel": open_body_operations.partner_cancel,
    "partner_a_get_slot": slot_operations.get_slot,
    "partner_a_reserve_slot": slot_operations.reserve_slot,
    "partner_b_order_event": open_body_operations.order_event,
    "partner_b_get_slot": slot_operations.get_slot,
    "partner_b_order_submit": slot_operations.submit_for_slot,
    "partner_c_open_orders": lookup_operations.open_orders,
    "partner_c_facilities": lookup_operations.facilities_with_open_orders,
    "third_party_logistics": open_body_operations.intake,
    "third_party_logistics_health": order_operations.alive,
    "order": information_operations.order,
    "open_orders": information_operations.open_orders,
    "completed_orders": information_operations.completed_orders,
    "audits": audit_operations.audits,
    "audit": audit_operations.audit,
    "audit_image": audit_operations.image,
    "overage_by_path": document_operations.overage,
    "overage": document_operations.overage,
    "order_document": document_operations.document,
}
