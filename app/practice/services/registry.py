"""Which function answers which operation of the contract."""

from collections.abc import Callable

from app.practice.answers import Call, Outcome
from app.practice.office import Office
from app.practice.services import information, orders

Handler = Callable[[Office, Call], Outcome]

HANDLERS: dict[str, Handler] = {
    "order_submit": orders.submit,
    "order_cancel": orders.cancel,
    "order_status": orders.status,
    "order_test": orders.alive,
    "quote_test": orders.alive,
    "third_party_logistics_health": orders.alive,
    "order": information.order,
    "open_orders": information.open_orders,
    "completed_orders": information.completed_orders,
}
