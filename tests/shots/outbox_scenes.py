"""The outbox in every state, with every action, question and message, on its own page and among the orders."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

from PySide6.QtWidgets import QTableView

from app.background.sender import Ending, Pause
from app.desk.sending import outbox
from app.store.journal.profile_store import UnfinishedConnection
from app.store.journal.records import WriteRow
from app.ui.outbox.outbox_page import OutboxPage
from tests.shots.outbox_data import TURNED_AWAY
from tests.shots.stage import Stage

Scene = Callable[[Stage], Awaitable[None]]


def _outbox(stage: Stage) -> OutboxPage:
    stage.shell.go("outbox")
    page = stage.shell.page("outbox")
    assert isinstance(page, OutboxPage)
    return page


def _told(stage: Stage, state: str, sentence: str) -> None:
    """The window's own message, as the sender has it said."""
    stage.shell.sending.ended.emit([Ending(None, state, sentence)])


async def outbox_all(stage: Stage) -> None:
    _outbox(stage)
    stage.shell.tell_outbox()


async def outbox_doubt(stage: Stage) -> None:
    _outbox(stage).show_write(stage.write_of("CRN-20474"))
    _told(stage, "in_doubt", "The connection broke after the order began to leave.")


async def outbox_rejected(stage: Stage) -> None:
    _outbox(stage).show_write(stage.write_of("CRN-20473"))
    _told(stage, "rejected", "The order was refused. MEM01 does not deliver to 38103.")


async def outbox_queued(stage: Stage) -> None:
    stage.shell.window.bar.clear()
    _outbox(stage).show_write(stage.write_of("CRN-20478"))


async def outbox_held(stage: Stage) -> None:
    _outbox(stage).show_write(stage.write_of("CRN-20479"))
    _told(stage, "held", "The provider says: Complete. Sending this reference now creates a second order.")


async def outbox_taking_back(stage: Stage) -> None:
    _outbox(stage).show_write(stage.write_of("CRN-21009"))
    stage.shell.services.news.cancelling.emit(stage.write_of("CRN-21009"), "CRN-21009")


async def outbox_undone(stage: Stage) -> None:
    stage.shell.window.bar.clear()
    stage.shell.window.bar.say("good", "Order CRN-21009 was not cancelled.")


async def outbox_too_late(stage: Stage) -> None:
    stage.shell.window.bar.clear()
    words = "Too late: the cancellation of CRN-21009 has left. The outbox says how it ended."
    stage.shell.window.bar.say("warn", words)


async def outbox_accepted(stage: Stage) -> None:
    stage.shell.window.bar.clear()
    _outbox(stage).show_write(stage.write_of("CRN-20472"))


async def outbox_confirmed(stage: Stage) -> None:
    _outbox(stage).show_write(stage.write_of("CRN-20475"))


async def outbox_withdrawn(stage: Stage) -> None:
    _outbox(stage).show_write(stage.write_of("CRN-20476"))


async def outbox_sending(stage: Stage) -> None:
    _outbox(stage).show_write(stage.write_of("CRN-21007"))


async def outbox_needs_you(stage: Stage) -> None:
    page = _outbox(stage)
    page._shown.put_away()
    page.tabs["you"].click()


async def outbox_on_its_way(stage: Stage) -> None:
    _outbox(stage).tabs["way"].click()


async def outbox_ended(stage: Stage) -> None:
    _outbox(stage).tabs["ended"].click()


async def outbox_every_message(stage: Stage) -> None:
    await stage.use_outbox_of_messages()
    _outbox(stage).tabs["all"].click()
    stage.shell.sending.ended.emit([Ending(None, state, "") for state in ("in_doubt", "rejected", "held")])


async def outbox_every_message_below(stage: Stage) -> None:
    page = _outbox(stage)
    table: QTableView = page.table
    table.scrollToBottom()
    words = (
        "How the sending of M-SENDING ended could not be written down. The disk is full. "
        "As soon as that is possible it counts as in doubt."
    )
    _told(stage, "not recorded", words)


async def _story(stage: Stage, reference: str) -> OutboxPage:
    page = _outbox(stage)
    stage.shell.window.bar.clear()
    page.show_write(stage.write_of(reference))
    await stage.settle()
    return page


async def outbox_offline(stage: Stage) -> None:
    await _story(stage, "M-OFFLINE")


async def outbox_waits_its_turn(stage: Stage) -> None:
    await _story(stage, "M-IN-IMPORT")


async def outbox_offered_again(stage: Stage) -> None:
    await _story(stage, "M-OFFERED-AGAIN")


async def outbox_not_seen_yet(stage: Stage) -> None:
    page = await _story(stage, "M-NOT-SEEN-YET")
    page.story.say("warn", "The provider has no order with reference M-NOT-SEEN-YET. Asked at 14:02:10.")


async def outbox_looked_up(stage: Stage) -> None:
    page = await _story(stage, "M-BEFORE-TOO")
    page.story.say("good", "The provider says: Pending Receipt. Asked at 14:02:10.")


async def outbox_died(stage: Stage) -> None:
    page = await _story(stage, "M-DIED")
    page.story.say("soft", "Asking the provider for the status…")


async def outbox_other_values(stage: Stage) -> None:
    await _story(stage, "M-OTHER-VALUES")


async def outbox_changed_meanwhile(stage: Stage) -> None:
    page = await _story(stage, "M-NOT-ASKED")
    page.story.say("bad", "Something accepted cannot become withdrawn.")


async def outbox_cancellation_held(stage: Stage) -> None:
    await _story(stage, "M-ON-THE-TRUCK")


async def outbox_cancellation_rejected(stage: Stage) -> None:
    await _story(stage, "M-REFUSED-CANCEL")


async def outbox_cancellation_in_doubt(stage: Stage) -> None:
    await _story(stage, "M-CANCEL-LATE")


async def outbox_damaged(stage: Stage) -> None:
    await _story(stage, "M-DAMAGED")


async def outbox_damaged_unsent(stage: Stage) -> None:
    await _story(stage, "M-DAMAGED-UNSENT")


async def outbox_tried_often(stage: Stage) -> None:
    await _story(stage, "M-OFFLINE")


async def outbox_cancellation_confirmed(stage: Stage) -> None:
    await _story(stage, "M-CANCELLED")


async def outbox_turned_away(stage: Stage) -> None:
    """The connection waits for a person, and so does everything that is queued."""
    await stage.use_outbox_of_messages()
    assert stage.shell.desk is not None
    stage.shell.desk.blocked = TURNED_AWAY
    stage.shell.tell_outbox()
    page = _outbox(stage)
    page.reload()
    page.show_write(stage.write_of("M-NOT-ALLOWED"))
    await stage.settle()
    page.tabs["you"].click()
    await stage.settle()
    table: QTableView = page.table
    table.scrollToBottom()


async def outbox_resting(stage: Stage) -> None:
    """An outage: three ended in doubt, and the others wait until one is tried again."""
    page = _outbox(stage)
    page.tabs["all"].click()
    shell = stage.shell
    shell.window.bar.clear()
    words = "Recent sends are unconfirmed."
    shell.sending.paused.emit(Pause(shell.services.now() + timedelta(seconds=40), words))


async def outbox_says_why_it_waits(stage: Stage) -> None:
    """Why what is queued waits, and until when, in its rows and beside the one that is shown."""
    desk, write = stage.shell.desk, stage.write_of("M-OFFLINE")
    assert desk is not None
    desk.paused_until = stage.shell.services.now() + timedelta(seconds=40)
    desk.pause_reason = "Recent sends are unconfirmed."
    stage.shell.services.news.queue_changed.emit()
    _outbox(stage).show_write(write)


async def outbox_goes_on(stage: Stage) -> None:
    assert stage.shell.desk is not None
    stage.shell.desk.paused_until, stage.shell.desk.pause_reason = None, ""
    stage.shell.sending.paused.emit(None)
    stage.shell.services.news.queue_changed.emit()


async def outbox_closing(stage: Stage) -> None:
    """The window while the program ends, as long as an order is on its way."""
    assert stage.shell.desk is not None
    await stage.shell.notices._say_sending(stage.shell.desk, 3.0)


async def outbox_waits_elsewhere(stage: Stage) -> None:
    """Two other connections, one of them with a long name, have something in their outboxes."""
    stage.shell.window.bar.clear()
    page = _outbox(stage)
    page.show_write(stage.write_of("M-OFFLINE"))
    await stage.settle()
    long = "Hearth and Home Freight Forwarding of the Lower Mississippi Valley, second account for returns"
    page.other_outboxes.show_connections(
        [UnfinishedConnection("acme", "Acme Freight", 2), UnfinishedConnection("long", long, 1)]
    )


async def _row(stage: Stage, reference: str) -> WriteRow:
    assert stage.shell.desk is not None
    return (await outbox.story(stage.shell.desk, stage.write_of(reference))).row


async def outbox_ask_send_again(stage: Stage) -> None:
    page = await _story(stage, "M-BUSY")
    stage.ask(page._shown._send_again(await _row(stage, "M-BUSY")))


async def outbox_ask_send_anyway(stage: Stage) -> None:
    stage.ask(_outbox(stage)._shown._release(await _row(stage, "M-MAYBE-SECOND")))


async def outbox_not_asked(stage: Stage) -> None:
    await _story(stage, "M-NOT-ASKED")


async def outbox_ask_unasked(stage: Stage) -> None:
    page = await _story(stage, "M-NOT-ASKED")
    stage.ask(page._shown._release(await _row(stage, "M-NOT-ASKED")))


async def outbox_ask_withdraw(stage: Stage) -> None:
    stage.ask(_outbox(stage)._shown._ask_withdraw(await _row(stage, "M-BUSY")))


async def outbox_ask_arrived(stage: Stage) -> None:
    stage.ask(_outbox(stage)._shown._ask_arrived(await _row(stage, "M-BUSY")))


async def orders_all_in_the_outbox(stage: Stage) -> None:
    stage.shell.go("orders")
    page = stage.shell.orders
    page.tabs["open"].click()
    page.filter.clear()


async def orders_write_beside(stage: Stage) -> None:
    await stage.use_full_desk()
    await stage.settle()
    stage.shell.orders.table.selectRow(1)


async def orders_cancelling_a_write(stage: Stage) -> None:
    stage.shell.orders.row_actions.cancel()


async def outbox_empty(stage: Stage) -> None:
    stage.shell.orders.bar.clear()
    await stage.use_empty_desk("Starting practice…")
    page = _outbox(stage)
    page.tabs["all"].click()


async def outbox_empty_needs_you(stage: Stage) -> None:
    _outbox(stage).tabs["you"].click()


async def outbox_empty_on_its_way(stage: Stage) -> None:
    _outbox(stage).tabs["way"].click()


async def outbox_empty_ended(stage: Stage) -> None:
    _outbox(stage).tabs["ended"].click()


OUTBOX_SCENES: tuple[Scene, ...] = (
    outbox_all,
    outbox_doubt,
    outbox_rejected,
    outbox_queued,
    outbox_held,
    outbox_taking_back,
    outbox_undone,
    outbox_too_late,
    outbox_accepted,
    outbox_confirmed,
    outbox_withdrawn,
    outbox_sending,
    outbox_needs_you,
    outbox_on_its_way,
    outbox_ended,
    outbox_every_message,
    outbox_every_message_below,
    outbox_offline,
    outbox_waits_its_turn,
    outbox_offered_again,
    outbox_not_seen_yet,
    outbox_looked_up,
    outbox_died,
    outbox_other_values,
    outbox_changed_meanwhile,
    outbox_cancellation_held,
    outbox_cancellation_rejected,
    outbox_cancellation_in_doubt,
    outbox_cancellation_confirmed,
    outbox_damaged,
    outbox_damaged_unsent,
    outbox_tried_often,
    outbox_ask_send_again,
    outbox_ask_send_anyway,
    outbox_not_asked,
    outbox_ask_unasked,
    outbox_ask_withdraw,
    outbox_ask_arrived,
    outbox_turned_away,
    outbox_resting,
    outbox_says_why_it_waits,
    outbox_goes_on,
    outbox_closing,
    outbox_waits_elsewhere,
    orders_all_in_the_outbox,
    orders_write_beside,
    orders_cancelling_a_write,
    outbox_empty,
    outbox_empty_needs_you,
    outbox_empty_on_its_way,
    outbox_empty_ended,
)

# What differs from another scene by its words alone is shown in the looks at hand, light or dark.
SHOWN_ONCE: frozenset[Scene] = frozenset(
    {
        outbox_undone,
        outbox_goes_on,
        outbox_too_late,
        outbox_on_its_way,
        outbox_ended,
        outbox_every_message_below,
        outbox_offline,
        outbox_waits_its_turn,
        outbox_offered_again,
        outbox_looked_up,
        outbox_died,
        outbox_changed_meanwhile,
        outbox_cancellation_rejected,
        outbox_cancellation_in_doubt,
        outbox_cancellation_confirmed,
        outbox_tried_often,
        outbox_ask_send_anyway,
        outbox_not_asked,
        outbox_ask_withdraw,
        outbox_ask_arrived,
        outbox_empty_needs_you,
        outbox_empty_on_its_way,
        outbox_empty_ended,
    }
)
