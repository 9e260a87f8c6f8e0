"""An order from elsewhere in the form: copied, changed, and what that would change; the facility chosen from a list."""

from datetime import datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.contract.draft import FALSE, TRUE, FreightDraft
from app.contract.order_rules import FACILITY_CODE, USE_ADDRESS
from app.desk.desk import Desk
from app.desk.drafts import saved_drafts
from app.desk.sending import outbox
from app.store.cache import order_store
from app.ui.base.page import PageServices
from app.ui.entry.entry_page import EntryPage, blank_draft
from app.ui.widgets.field import ChoiceField
from tests.support.damage import spoil
from tests.support.desks import order_draft, submission
from tests.support.fault_server import MANAGEMENT, FaultServer
from tests.support.faults import answered, json_answer
from tests.support.loop import RunningLoop
from tests.support.order_facts import facts
from tests.ui.conftest import Show
from tests.ui.entry.suggestions_help import press, type_in
from tests.unit.desk.other.test_desk_known_data import SEEN

FACILITIES = f"{MANAGEMENT}/Facilities"
CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, window_desk: Desk, show: Show) -> EntryPage:
    """A page on a desk that has seen order 7, R-1."""
    order = facts(7, crn="R-1", extra=SEEN | {"CRN": "R-1"})
    loop.run(window_desk.cache.write(order_store.store_orders, window_desk.profile.id, "open", [order], datetime.now()))
    made = EntryPage(services)
    made.take_desk(window_desk)
    show(made)
    made.enter()
    loop.until(lambda: not made.tasks.running("reopen"))
    return made


def sent(loop: RunningLoop, desk: Desk, reference: str = "R-1") -> int:
    write = loop.run(outbox.queue_submission(desk, submission(reference, deliveryInstructions="Ring twice."), None))
    loop.run(outbox.drain(desk))
    return write


def test_a_clone_is_a_new_draft_and_what_was_typed_stays(loop: RunningLoop, page: EntryPage, window_desk: Desk) -> None:
    sent(loop, window_desk)
    type_in(page, "orderReferenceNumber", "TYPED")
    page.clone_order(7)
    loop.until(lambda: page.bar.text.startswith("A new order like R-1. This desk last sent it on "))
    draft = page.form.draft()
    assert (draft.orderReferenceNumber, draft.deliveryInstructions) == ("", "Ring twice.")
    assert page.form.fields["orderReferenceNumber"].editor.hasFocus()
    type_in(page, "orderReferenceNumber", "R-2")
    loop.until(lambda: {each.name for each in loop.run(saved_drafts.all_open(window_desk))} == {"TYPED", "R-2"})
    page.submit()
    loop.until(lambda: "R-2 is in the outbox" in page.bar.text)


def test_what_is_said_of_a_copy_goes_with_its_draft(loop: RunningLoop, page: EntryPage, window_desk: Desk) -> None:
    sent(loop, window_desk)
    page.clone_order(7)
    loop.until(lambda: page.bar.text.startswith("A new order like"))
    page.show_draft("d-other", blank_draft())
    assert page.bar.text == ""


def test_a_write_of_the_outbox_is_cloned(loop: RunningLoop, page: EntryPage, window_desk: Desk) -> None:
    page.clone_write(sent(loop, window_desk, "R-5"))
    loop.until(lambda: page.bar.text.startswith("A new order like R-5"))
    cancel = loop.run(outbox.queue_cancellation(window_desk, "R-6"))
    loop.until(lambda: not page.tasks.running("show draft"))
    page.clone_write(cancel)
    loop.until(lambda: "nothing to copy" in page.bar.text)
    assert page.form.draft().deliveryInstructions == "Ring twice.", "what was on screen stays"


def test_what_is_damaged_is_not_taken_up_again_and_says_so(
    loop: RunningLoop, page: EntryPage, window_desk: Desk
) -> None:
    write = sent(loop, window_desk)
    loop.run(window_desk.journal.write(spoil, write))
    for take_up in (page.enter_again, page.clone_write):
        page.bar.clear()
        take_up(write)
        loop.until(lambda: "is damaged, so it cannot be reused. Enter the order anew" in page.bar.text)
    assert page.form.draft().orderReferenceNumber == ""


def test_an_open_order_is_changed_and_what_would_change_is_shown(
    loop: RunningLoop, page: EntryPage, window_desk: Desk
) -> None:
    sent(loop, window_desk)
    page.change_order(7)
    loop.until(lambda: page.bar.text.startswith("This is R-1. This desk last sent it on "))
    assert "The provider's record differs by now: Name: Rivera Gallery" in page.bar.text
    assert page.form.draft() == order_draft("R-1", deliveryInstructions="Ring twice.")
    loop.until(lambda: "Compared with what this desk last sent: nothing differs." in page.rail.verdict.text)
    type_in(page, "poNumber", "PO-9")
    loop.until(lambda: "PO number: nothing → PO-9" in page.rail.verdict.text)
    assert page.title.text() == "Change order"
    page.start_blank()
    loop.until(lambda: page.title.text() == "New order")


def test_what_this_desk_never_sent_is_said_to_be_half_and_compared_with_what_is_returned(
    loop: RunningLoop, page: EntryPage, fault_server: FaultServer
) -> None:
    fault_server.book.submit(b'{"orderReferenceNumber": "R-1"}')
    page.change_order(7)
    loop.until(lambda: page.bar.text.startswith("This desk never sent R-1."))
    assert page.form.draft().freightDetails == [FreightDraft("SOFA", "2")]
    freight = page.form.lists["freightDetails"].model
    freight.setData(freight.index(0, 2), "74.5")
    page.form.fields["consignee.city"].put("Nashville")
    loop.until(lambda: "of these the order will have only what is entered here" in page.rail.verdict.text)
    assert "bill-to, sold by, ship date, second phone" in page.rail.verdict.text  # also once the bar is gone
    assert "City: Memphis → Nashville" in page.rail.verdict.text


def test_a_reference_that_is_none_is_not_asked_about(
    loop: RunningLoop, page: EntryPage, fault_server: FaultServer
) -> None:
    """What was pasted by mistake may be longer than any address can be; the sink sees to it that nothing fails."""
    page.form.fields["orderReferenceNumber"].put("\u20ac" * 30_000)
    type_in(page, "poNumber", "PO-1")
    loop.until(lambda: page.rail.saved_label.text().startswith("Draft saved"))
    loop.rest()
    assert not page.lookup._debounce.isActive()
    assert "New order" not in page.rail.verdict.text
    assert fault_server.seen("/Order/status") == []
    page.form.fields["orderReferenceNumber"].put("R-77")
    loop.until(lambda: "New order" in page.rail.verdict.text)
    assert {each.query.get("OrderReferenceNumber", "R-77") for each in fault_server.seen("/Order/status")} == {"R-77"}


def test_without_a_provider_nothing_can_be_told_and_it_is_said_why_until_there_is_one(
    loop: RunningLoop, page: EntryPage, window_desk: Desk
) -> None:
    provider, window_desk.provider = window_desk.provider, None
    window_desk.trouble = "The connection was changed."
    type_in(page, "orderReferenceNumber", "R-77")
    loop.until(lambda: "! Cannot tell. The connection was changed." in page.rail.verdict.text)
    window_desk.provider = provider
    loop.until(lambda: "New order. The provider has no order with this reference." in page.rail.verdict.text)
    assert "Asked at" in page.rail.verdict.text


def test_an_order_that_is_gone_is_said(loop: RunningLoop, page: EntryPage) -> None:
    for take in (page.change_order, page.clone_order):
        take(99)
        loop.until(lambda: page.bar.text.startswith("This order is no longer stored here."))
        loop.until(lambda: not page.tasks.running("show draft"))
        page.bar.clear()


# The facility


def test_facilities_are_asked_by_zip_and_bill_to_and_one_is_taken(
    loop: RunningLoop, page: EntryPage, fault_server: FaultServer
) -> None:
    rows = [{"providerFacilityCode": "MEM01", "name": "South", "city": "Memphis", "state": "TN"}, {"x": 1}]
    fault_server.serve(FACILITIES, json_answer(rows))
    page.form.fields["consignee.zip"].put("38103")
    page.form.fields["billToCode"].put("ACME")
    choice = page.form.fields[USE_ADDRESS]
    assert isinstance(choice, ChoiceField)
    choice.put(TRUE)
    assert "The provider picks it by the consignee's ZIP" in choice.shown
    QTest.keyClick(page, Qt.Key.Key_F, CTRL_SHIFT)
    loop.until(lambda: page.suggestions.shown_texts == ["MEM01, South, Memphis TN"])
    assert page.suggestions.sentence_shown.startswith("Facilities for ZIP 38103 and bill-to ACME, asked at ")
    assert "1 came without a code that Waybill can read." in page.suggestions.sentence_shown
    press(Qt.Key.Key_Down, Qt.Key.Key_Return)
    draft = page.form.draft()
    assert (draft.providerFacilityCode, draft.useConsigneeAddressToDetermineFaclityCode) == ("MEM01", FALSE)
    assert "You name it by its code" in choice.shown
    assert fault_server.seen("/Facilities")[0].query == {"ZipCode": "38103", "BillToCode": "ACME"}
    page.form.fields[FACILITY_CODE].put("")
    type_in(page, FACILITY_CODE, "sou")
    loop.until(lambda: page.suggestions.shown_texts == ["MEM01, South, Memphis TN"], "it is known from now on")


def test_asking_nothing_and_trouble_are_said(loop: RunningLoop, page: EntryPage, fault_server: FaultServer) -> None:
    fault_server.serve(FACILITIES, json_answer([]))
    page.facility.look_up()
    assert page.suggestions.sentence_shown == "Asking the provider for its facilities…"
    loop.until(lambda: page.suggestions.sentence_shown.startswith("The provider named no facility. Asked at "))
    fault_server.plan(answered(json_answer({}, 403)), "/Facilities")
    page.form.fields["consignee.zip"].put("38103")
    page.facility.look_up()
    loop.until(lambda: page.suggestions.sentence_shown.startswith("The facilities for ZIP 38103 could not be loaded."))
    assert page.suggestions.sentence_shown.endswith("Ctrl+Shift+F asks again.")
    press(Qt.Key.Key_Escape)
    assert not page.suggestions.isVisible()


def test_an_answer_that_comes_when_one_has_gone_on_is_not_shown(
    loop: RunningLoop, page: EntryPage, fault_server: FaultServer
) -> None:
    fault_server.serve(FACILITIES, json_answer([{"code": "MEM01"}]))
    page.facility.look_up()
    page.form.go_to("poNumber")
    loop.until(lambda: not page.tasks.running("facilities"))
    assert not page.suggestions.isVisible()
