"""Which function answers which operation of the contract."""

from collections.abc import Awaitable, Callable
from typing import Any

from app.contract.check import check_body
from app.practice.answers import Call, Outcome
from app.practice.office import Office
from app.practice.services import audits, documents, information, lookups, open_bodies, orders, slots

Handler = Callable[[Office, Call], Outcome | Awaitable[Outcome]]

# What is made of a body before its operation sees it: pure functions, which may run beside the loop.
CHECKS: dict[str, Callable[[Any], Any]] = {
    "order_submit": check_body,
    "partner_b_order_submit": check_body,
    "import_orders": open_bodies.checked_submissions,
}

HANDLERS: dict[str, Handler] = {
    "order_submit": orders.submit,
    "order_cancel": orders.cancel,
    "order_status": orders.status,
    "order_test": orders.alive,
    "quote_submit": open_bodies.quote,
    "quote_test": orders.alive,
    "truck_submit": open_bodies.truck,
    "facilities": lookups.facilities,
    "import_orders": open_bodies.import_orders,
    "cross_reference": lookups.cross_reference,
    "stock_item_config": lookups.stock_items,
    "partner_a_order_event": open_bodies.order_event,
    "partner_a_cancel": open_bodies.partner_cancel,
    "partner_a_get_slot": slots.get_slot,
    "partner_a_reserve_slot": slots.reserve_slot,
    "partner_b_order_event": open_bodies.order_event,
    "partner_b_get_slot": slots.get_slot,
    "partner_b_order_submit": slots.submit_for_slot,
    "partner_c_open_orders": lookups.open_orders,
    "partner_c_facilities": lookups.facilities_with_open_orders,
    "third_party_logistics": open_bodies.intake,
    "third_party_logistics_health": orders.alive,
    "order": information.order,
    "open_orders": information.open_orders,
    "completed_orders": information.completed_orders,
    "audits": audits.audits,
    "audit": audits.audit,
    "audit_image": audits.image,
    "overage_by_path": documents.overage,
    "overage": documents.overage,
    "order_document": documents.document,
}
