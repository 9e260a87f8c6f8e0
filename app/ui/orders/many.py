"""Cancelling several orders at once: one question that names them, one write and one result for each."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.contract.codes import OrderState
from app.desk import outbox
from app.desk.desk import Desk
from app.store.cache_rows import OrderLine
from app.store.errors import StoreError
from app.ui.widgets.confirm import confirmed

_NAMED = 8
_CLOSED = (OrderState.CMP, OrderState.CAN)


def open_ones(lines: Sequence[OrderLine]) -> list[OrderLine]:
    """Those that can be cancelled: with a reference, and not closed as far as is known."""
    return [each for each in lines if each.crn and each.state not in _CLOSED and each.delivered_at is None]


async def cancel_many(parent: QWidget, desk: Desk, lines: Sequence[OrderLine]) -> str:
    """Ask once and queue a cancellation for each; the sentence about it, empty when the answer was no.

    Each waits ten seconds in the outbox and can be taken back there. One that cannot be kept stops the rest: the
    sentence says which were queued.
    """
    possible = open_ones(lines)
    if not possible:
        return "None of the chosen orders can be cancelled: they are closed, or have no reference."
    if not await confirmed(
        parent, f"Cancel {len(possible)} orders?", _names(possible, len(lines)), "Cancel them", "Keep them"
    ):
        return ""
    queued: list[str] = []
    for each in possible:
        try:
            await outbox.queue_cancellation(desk, each.crn or "")
        except StoreError as error:
            done = f"{len(queued)} of {len(possible)} cancellations are in the outbox ({', '.join(queued) or 'none'})."
            return f"{done} {error.sentence}"
        queued.append(each.crn or "")
    return f"{len(queued)} cancellations are in the outbox, and leave in ten seconds unless you take them back there."


def _names(possible: Sequence[OrderLine], chosen: int) -> str:
    names = [f"{each.crn} for {each.consignee_name or 'the consignee'}" for each in possible[:_NAMED]]
    if len(possible) > _NAMED:
        names.append(f"and {len(possible) - _NAMED} more")
    left_out = chosen - len(possible)
    note = f"\n{left_out} of the chosen orders are closed or have no reference, and are left out." if left_out else ""
    return "\n".join(names) + note
