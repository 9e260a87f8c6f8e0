"""Cancelling several orders at once: one question that names them, one write and one result for each."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.contract.codes import OrderState
from app.desk import outbox
from app.desk.desk import Desk
from app.store.cache_rows import OrderLine
from app.store.errors import StoreError
from app.ui.orders.results import ResultsDialog
from app.ui.theme.theme import Theme
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.labels import Tone

Came = tuple[Tone, str]
_NAMED = 8
_CLOSED = (OrderState.CMP, OrderState.CAN)
_LEAVES = "In the outbox. It leaves in ten seconds, unless it is taken back."


def why_not(line: OrderLine) -> str:
    """Why an order cannot be cancelled as far as is known; empty when it can."""
    if not line.crn:
        return "It has no reference, and only orders with one can be cancelled."
    closed = line.state in _CLOSED or line.delivered_at is not None
    return "It is closed already." if closed else ""


async def cancel_many(
    parent: QWidget, theme: Theme, desk: Desk, lines: Sequence[OrderLine], hidden: int = 0
) -> dict[int, str]:
    """Ask once and queue a cancellation for each of these, of which one can be; their writes with the references.
    `hidden` is how many of their rows are out of sight, which is said in the question.

    Each waits ten seconds in the outbox and can be taken back. What came of each stands in a list, also of those that
    were left out.
    """
    possible = [each for each in lines if not why_not(each)]
    sure = await confirmed(
        parent, f"Cancel {len(possible):,} orders?", _names(possible, len(lines), hidden), "Cancel them", "Keep them"
    )
    if not sure:
        return {}
    dialog = ResultsDialog(parent, theme, "Cancelling orders", len(lines), lambda: None)
    dialog.show()
    queued: dict[int, str] = {}
    for each in lines:
        if dialog.ended:  # stopped, or closed: the others stay as they are
            break
        name, trouble = each.crn or f"{each.number}", why_not(each)
        if trouble:
            dialog.add(name, "warn", f"Left out. {trouble}")
            continue
        try:
            write_id = await outbox.queue_cancellation(desk, each.crn or "")
        except StoreError as error:
            came: Came = ("bad", f"Not cancelled. {error.sentence}")
        else:
            queued[write_id] = name
            came = ("good", _LEAVES)
        if not dialog.ended:
            dialog.add(name, *came)
    if not dialog.ended:
        dialog.end()
    return queued


def _names(possible: Sequence[OrderLine], chosen: int, hidden: int) -> str:
    names = [f"{each.crn} for {each.consignee_name or 'the consignee'}" for each in possible[:_NAMED]]
    if len(possible) > _NAMED:
        names.append(f"and {len(possible) - _NAMED:,} more")
    left_out = chosen - len(possible)
    note = f"\n{left_out:,} of the chosen orders are closed or have no reference, and are left out." if left_out else ""
    if hidden:
        note += f"\n{hidden:,} of the chosen rows {'is' if hidden == 1 else 'are'} out of sight in the list."
    return "\n".join(names) + note
