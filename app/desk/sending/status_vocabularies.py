"""The provider's two vocabularies for how an order stands, side by side.

The contract names both and not how they go together; this is how their words read. So nothing is concluded from it: it
only says whether the list and the order status seem to mean the same.
"""

from app.contract.codes import ManagementStatus, OrderState
from app.desk.sending.order_status import LookUp

GOES_WITH: dict[str, ManagementStatus] = {
    OrderState.STD: ManagementStatus.PENDING_RECEIPT,
    OrderState.AVL: ManagementStatus.RECEIVED,
    OrderState.PLN: ManagementStatus.RECEIVED,
    OrderState.DSO: ManagementStatus.OUT_FOR_DELIVERY,
    OrderState.CMP: ManagementStatus.COMPLETE,
    OrderState.CAN: ManagementStatus.CANCELLED,
}


def order_status_words(state: str | None, found: LookUp | None) -> str:
    """What the order status says beside a state of the list, as far as it was asked and proves something."""
    expected = GOES_WITH.get(state or "")
    if found is None or not found.proven or found.status is None:
        usual = f"usually “{expected.value}”" if expected is not None else "no word goes with this state"
        return f"Not asked; {usual}" if found is None else f"Not proven; {usual}"
    asked = f"“{found.status.value}”, asked at {found.at:%H:%M:%S}"
    if expected is None or found.status is expected:
        return asked
    return f"{asked}; the list goes with “{expected.value}”"
