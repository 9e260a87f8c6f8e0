"""Opens the delivery slots of an order that was fetched before."""

from app.contract.information import Order
from app.contract.replies import decode
from app.desk.orders import stored_orders
from app.ui.base.page import Page
from app.ui.slots import slots_words as words
from app.ui.slots.slots_dialog import SlotOrder, SlotsDialog


async def open_slots(page: Page, number: int) -> SlotsDialog | None:
    """Open the dialog for the order with this number; say why not where it cannot be asked about."""
    found = await stored_orders.detail(page.desk, number)
    if found is None or not found.line.crn:
        page.bar.say("", words.NEEDS_REFERENCE)
        return None
    order = Order.model_validate(decode(found.raw.encode("utf-8", "replace")))
    wanted = order.DateScheduledDelivery or order.DateRequestedDelivery
    dialog = SlotsDialog(
        page,
        page.desk,
        SlotOrder(
            found.line.crn,
            (order.Facility.Id if order.Facility else "") or "",
            found.line.zip or "",
            None if wanted is None else wanted.date(),
        ),
    )
    dialog.open_for()
    return dialog
