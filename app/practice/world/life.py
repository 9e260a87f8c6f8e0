"""An order's life: a plan of moments fixed when the order comes in. Its state is that plan read at a moment.

So nothing has to run in the background for lists to change, and the past never changes.
"""

from typing import NamedTuple

from app.contract.codes import ManagementStatus, OrderState
from app.practice.world.dice import Roll, chance, upto
from app.practice.world.seconds import DAY, HOUR, NEVER

# Which value of an order's roll decides what; the rest of the roll belongs to `made_orders`.
_FATE, _ESTIMATE, _RECEIPT, _REQUEST, _SCHEDULE, _HOURS, _ROUTE, _DOOR = range(8)

_CANCELLED, _STUCK = 4.0, 7.0  # percent, cumulative


class Life(NamedTuple):
    """The second of each event of an order; NEVER for an event that does not happen."""

    imported: int
    estimated: int
    received: int
    requested: int
    scheduled: int
    appointment: int
    planned: int
    loaded: int
    dispatched: int
    attempted: int
    delivered: int
    cancelled: int

    @property
    def closed(self) -> int:
        """When the order leaves the open ones."""
        return min(self.delivered, self.cancelled)


def plan_life(
    roll: Roll, imported: int, estimated: int | None = None, requested: int | None = None, *, fated: bool = True
) -> Life:
    """The life of an order that is imported at `imported`.

    Dates that the client gave are taken where they are given. Without `fated` it neither gets stuck nor cancelled.
    """
    today = imported - imported % DAY
    estimated = estimated if estimated is not None else today + (2 + upto(5, roll[_ESTIMATE])) * DAY
    received = _receipt(roll, imported, estimated)
    receipt_day = received - received % DAY
    requested = requested if requested is not None else estimated + (2 + upto(8, roll[_REQUEST])) * DAY
    delivery_day = max(requested + _slip(roll[_SCHEDULE]) * DAY, receipt_day + 2 * DAY)
    scheduled = min(received + (2 + upto(26, roll[_HOURS])) * HOUR, delivery_day - 10 * HOUR)
    loaded = delivery_day + 4 * HOUR + upto(3 * HOUR, roll[_ROUTE])
    delivered = delivery_day + 9 * HOUR + upto(10 * HOUR, roll[_DOOR])
    attempted = NEVER
    if chance(6, roll[_ROUTE] * 31 & 0xFFFF):
        attempted, delivered = delivered, delivered + (1 + upto(3, roll[_DOOR])) * DAY
    dispatched = loaded + 20 * 60 + upto(40 * 60, roll[_DOOR])
    planned = max(delivery_day - 2 * DAY + 8 * HOUR + upto(26 * HOUR, roll[_ROUTE]), scheduled + HOUR)
    appointment = delivery_day + (8 + upto(9, roll[_DOOR])) * HOUR
    # In the order of the fields: naming them would cost more than all the rest, and lists plan every order anew.
    life = Life(
        imported,
        estimated,
        received,
        requested,
        scheduled,
        appointment,
        planned,
        loaded,
        dispatched,
        attempted,
        delivered,
        NEVER,
    )
    return _fate(life, roll[_FATE]) if fated else life


def _receipt(roll: Roll, imported: int, estimated: int) -> int:
    value = roll[_RECEIPT]
    days = -1 if chance(7, value) else 0 if chance(87, value) else 1 + value % 3
    hour = 5 * HOUR + upto(7 * HOUR, roll[_HOURS])
    return max(estimated + days * DAY + hour, imported + 3 * HOUR)


def _slip(value: int) -> int:
    return -1 if chance(8, value) else 0 if chance(90, value) else 1 + value % 4


def _fate(life: Life, value: int) -> Life:
    if chance(_CANCELLED, value):
        return _cancelled(life, life.imported + (life.loaded - life.imported) * (1 + value % 9) // 10)
    if not chance(_STUCK, value):
        return life
    stuck = value % 4
    if stuck == 0:  # the freight never comes
        return _without(life, "received", "scheduled", "planned", "loaded", "dispatched", "attempted", "delivered")
    if stuck == 1:  # loaded, but no delivery is ever reported
        return _without(life, "attempted", "delivered")
    return _without(life, "scheduled", "planned", "loaded", "dispatched", "attempted", "delivered")


def _without(life: Life, *names: str) -> Life:
    return life._replace(**dict.fromkeys(names, NEVER))


def _cancelled(life: Life, when: int) -> Life:
    """Drop the events that were planned for later than the cancellation."""
    kept = ("imported", "estimated", "requested", "appointment")
    gone = [name for name, at in life._asdict().items() if name not in kept and at > when]
    return _without(life, *gone)._replace(cancelled=when)


def cancel(life: Life, now: int) -> Life:
    """A life that ends with a cancellation at `now`."""
    return _cancelled(life, now)


def state_at(life: Life, now: int) -> OrderState:
    """`StatusId` at a moment."""
    if life.cancelled <= now:
        return OrderState.CAN
    if life.delivered <= now:
        return OrderState.CMP
    if life.dispatched <= now:
        return OrderState.DSO
    if life.planned <= now:
        return OrderState.PLN
    return OrderState.AVL if life.received <= now else OrderState.STD


MANAGEMENT_STATUS: dict[OrderState, ManagementStatus] = {
    OrderState.STD: ManagementStatus.PENDING_RECEIPT,
    OrderState.AVL: ManagementStatus.RECEIVED,
    OrderState.PLN: ManagementStatus.RECEIVED,
    OrderState.DSO: ManagementStatus.OUT_FOR_DELIVERY,
    OrderState.CMP: ManagementStatus.COMPLETE,
    OrderState.CAN: ManagementStatus.CANCELLED,
}
