"""The verdict in the form: asked for after a change, drawn from the known facts, agreed to before sending."""

from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from app.contract.check import check_draft
from app.contract.draft import BarcodeDraft, BarcodingDraft, FreightDraft, OrderDraft
from app.contract.order_rules import FACILITY_CODE, USE_ADDRESS
from app.contract.submission import OrderSubmission
from app.desk.desk import Desk
from app.desk.drafts import saved_drafts
from app.desk.sending import outbox
from app.ui.base.page import PageServices
from app.ui.entry import entry_words
from app.ui.entry.entry_page import EntryPage
from app.ui.entry.verdict_lookup import FRESH_S, TROUBLE_S
from app.ui.widgets.field import ChoiceField, Field
from tests.support.desks import let_time_pass, order_draft, submission
from tests.support.fault_server import MANAGEMENT, FaultServer
from tests.support.faults import answered, json_answer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.entry.entry_help import page_on
from tests.ui.entry.suggestions_help import teach, type_in

STATUS = "/Order/status"
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, window_desk: Desk, show: Show) -> EntryPage:
    return page_on(loop, services, show, window_desk)


def verdict(page: EntryPage) -> str:
    return page.rail.verdict.text


def button(page: EntryPage) -> str:
    return page.rail.submit_button.accessibleName()


def asked(server: FaultServer) -> int:
    return len(server.seen(STATUS))


def at_rest(page: EntryPage) -> bool:
    return not page.tasks.busy and not page.lookup._debounce.isActive()


def boxes() -> list[QMessageBox]:
    return [each for each in QApplication.topLevelWidgets() if isinstance(each, QMessageBox) and each.isVisible()]


def answer(loop: RunningLoop, words: str) -> str:
    """Press the button with these words in the box; what the box said."""
    loop.until(boxes)
    (box,) = boxes()
    said = f"{box.text()} {box.informativeText()}"
    next(each for each in box.findChildren(QPushButton) if each.text() == words).click()
    loop.until(lambda: not boxes())
    return said


def send(loop: RunningLoop, desk: Desk, draft: OrderDraft) -> int:
    order = check_draft(draft)
    assert isinstance(order, OrderSubmission)
    write = loop.run(outbox.queue_submission(desk, order, None))
    loop.run(outbox.drain(desk))
    return write


# When the provider is asked


def test_sixty_keys_in_other_fields_ask_nothing(loop: RunningLoop, page: EntryPage, fault_server: FaultServer) -> None:
    QTest.keyClicks(page.form.fields["orderReferenceNumber"].editor, "R-1")
    loop.until(lambda: "New order" in verdict(page))
    assert asked(fault_server) == 1
    paths = (
        "poNumber",
        "consignee.consigneeName",
        "consignee.city",
        "billToCode",
        "deliveryInstructions",
        "consignee.zip",
    )
    for path in paths:
        page.form.go_to(path)
        QTest.keyClicks(page.form.fields[path].editor, "abcdefghij")
        loop.until(lambda: at_rest(page))  # typing pauses between fields
    assert asked(fault_server) == 1
    assert len(fault_server.seen()) == len(fault_server.seen(STATUS)) + len(fault_server.seen("/token"))
    page.form.go_to("orderReferenceNumber")
    QTest.keyClicks(page.form.fields["orderReferenceNumber"].editor, "2")
    loop.until(lambda: asked(fault_server) == 2)
    loop.until(lambda: "New order" in verdict(page))


def test_an_answer_that_is_too_old_is_asked_for_again_when_one_goes_on(
    loop: RunningLoop, page: EntryPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    page.show_draft("d", order_draft("R-1"))
    loop.until(lambda: verdict(page).startswith("✓ Ready to submit"))
    let_time_pass(window_desk, timedelta(seconds=FRESH_S - 30))
    QTest.keyClicks(page.form.fields["poNumber"].editor, "7")
    loop.until(lambda: at_rest(page))
    assert asked(fault_server) == 1
    let_time_pass(window_desk, timedelta(seconds=60))
    QTest.keyClicks(page.form.fields["poNumber"].editor, "7")
    loop.until(lambda: asked(fault_server) == 2)


def test_what_this_desk_sends_meanwhile_is_asked_about_anew(
    loop: RunningLoop, page: EntryPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    page.show_draft("d", order_draft("R-1", poNumber="9"))
    loop.until(lambda: verdict(page).startswith("✓ Ready to submit"))
    send(loop, window_desk, order_draft("R-1"))
    page.services.news.queue_changed.emit()
    loop.until(lambda: verdict(page).startswith("◑ Changes an open order"))
    assert "PO number: nothing → 9" in verdict(page)
    assert (button(page), page.title.text()) == ("Send change", "Change order")
    loop.until(lambda: at_rest(page))
    count = asked(fault_server)
    page.services.news.queue_changed.emit()
    loop.until(lambda: at_rest(page))
    assert asked(fault_server) == count, "something else was written"


def test_a_question_without_an_answer_is_asked_again_after_a_while(
    loop: RunningLoop, page: EntryPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    broken = [True]
    fault_server.plan_by(lambda seen: answered(json_answer({}, 500)) if broken and STATUS in seen.path else None)
    page.show_draft("d", order_draft("R-1"))
    loop.until(lambda: verdict(page).startswith("! Cannot tell"))
    assert page.title.text() == "Order", "whether it is new is not known"
    assert button(page) == "Submit order"
    count = asked(fault_server)
    QTest.keyClicks(page.form.fields["poNumber"].editor, "7")
    loop.until(lambda: at_rest(page))
    assert asked(fault_server) == count, "not at every key"
    broken.clear()
    assert page.lookup._retry.isActive()
    let_time_pass(window_desk, timedelta(seconds=TROUBLE_S))
    page.lookup._retry.timeout.emit()
    loop.until(lambda: verdict(page).startswith("✓ Ready to submit"))
    assert not page.lookup._retry.isActive()


def test_an_order_is_not_called_a_change_where_the_provider_did_not_answer(
    loop: RunningLoop, page: EntryPage, fault_server: FaultServer
) -> None:
    fault_server.plan_by(lambda seen: answered(json_answer({}, 500)) if STATUS in seen.path else None)
    page.show_draft("d", order_draft("R-1"))
    loop.until(lambda: verdict(page).startswith("! Cannot tell"))
    page.submit()
    loop.until(lambda: "R-1" in page.bar.text and at_rest(page))
    assert page.bar.text == "Order R-1 is in the outbox and has not left yet."


# What it says


def test_nothing_to_send_is_said_and_takes_a_second_key(loop: RunningLoop, page: EntryPage, window_desk: Desk) -> None:
    send(loop, window_desk, order_draft("R-1"))
    page.show_draft("d", order_draft("R-1"))
    loop.until(lambda: verdict(page).startswith("= Nothing to send The same as what was sent at "))
    assert button(page) == "Send once more…"
    page.form.fields["poNumber"].put("7")
    loop.until(lambda: verdict(page).startswith("◑ Changes an open order"))
    page.form.fields["poNumber"].put("")
    loop.until(lambda: verdict(page).startswith("= Nothing to send"))
    page.submit()
    assert "It would change nothing." in answer(loop, "Go back to the form")
    loop.until(lambda: not page.type_ahead.buffering)
    assert page.form.draft().orderReferenceNumber == "R-1"
    assert loop.run(outbox.counts(window_desk))["queued"] == 0


def test_a_closed_order_is_said_first_and_sent_again_only_after_a_yes(
    loop: RunningLoop, page: EntryPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.book.submit(b'{"orderReferenceNumber": "R-1"}')
    fault_server.book.move("R-1", "Complete")
    page.show_draft("d", order_draft("R-1"))
    loop.until(lambda: verdict(page).startswith("✕ Closed: would create a second order"))
    assert "Ready" not in verdict(page)
    assert button(page) == "Send second order…"
    page.submit()
    answer(loop, "Go back to the form")
    loop.until(lambda: not page.type_ahead.buffering)
    assert loop.run(outbox.counts(window_desk))["queued"] == 0
    page.submit()
    answer(loop, "Send as a second order")
    loop.until(lambda: "R-1 is in the outbox" in page.bar.text)
    (write,) = loop.run(outbox.writes(window_desk, ("queued",), 5))
    assert write.agreed == "closed"


def test_the_very_order_that_waits_in_the_outbox_is_not_queued_twice_without_a_yes(
    loop: RunningLoop, page: EntryPage, window_desk: Desk
) -> None:
    loop.run(outbox.queue_submission(window_desk, submission("R-1"), None))
    page.show_draft("d", order_draft("R-1"))
    loop.until(lambda: verdict(page).startswith("! In the outbox already It was submitted at "))
    assert page.title.text() == "Order", "it is not new beside the one that waits"
    page.form.fields["poNumber"].put("7")
    loop.until(lambda: verdict(page).startswith("! Another version is in the outbox"))
    assert page.title.text() == "Order"
    page.start_blank()
    loop.until(lambda: page.title.text() == "New order")


SCANNED = OrderDraft(
    freightDetails=[FreightDraft("SOFA", "2", "60", "140"), FreightDraft("CHAIR", "4", "30", "70")],
    barcoding=BarcodingDraft("T-1", [BarcodeDraft("SOFA", f"WB{at}", "1") for at in range(5)]),
)


def test_five_barcodes_on_a_sofa_of_two_and_none_on_the_chairs_take_a_second_key(
    loop: RunningLoop, page: EntryPage, window_desk: Desk
) -> None:
    draft = order_draft("R-1")
    draft.freightDetails, draft.barcoding = SCANNED.freightDetails, SCANNED.barcoding
    page.show_draft("d", draft)
    words = "SOFA: 5 scanned, the freight says 2. CHAIR: none scanned, the freight says 4."
    assert verdict(page).startswith(f"! Scans do not match the freight {words}"), "before the provider has answered"
    assert button(page) == "Submit order…"
    editor = page.form.fields["poNumber"].editor
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_Return, CTRL)
    assert words in answer(loop, "Go back to the form")
    loop.until(lambda: not page.type_ahead.buffering)
    assert loop.run(outbox.counts(window_desk))["queued"] == 0
    page.activateWindow()
    loop.until(page.isActiveWindow)
    QTest.keyClick(editor, Qt.Key.Key_Return, CTRL)
    answer(loop, "Send anyway")
    loop.until(lambda: "R-1 is in the outbox" in page.bar.text)


def test_scans_that_match_are_no_problem(loop: RunningLoop, page: EntryPage) -> None:
    draft = order_draft("R-1")
    draft.freightDetails = SCANNED.freightDetails
    codes = ["SOFA"] * 2 + ["CHAIR"] * 4
    draft.barcoding = BarcodingDraft("T-1", [BarcodeDraft(code, f"WB{at}", "1") for at, code in enumerate(codes)])
    page.show_draft("d", draft)
    loop.until(lambda: verdict(page).startswith("✓ Ready to submit"))


def test_a_refusal_is_said_after_a_restart_too(
    loop: RunningLoop, services: PageServices, show: Show, window_desk: Desk, fault_server: FaultServer
) -> None:
    problem = {"title": "Not valid.", "status": 400, "errors": {"consignee.zip": ["Not served."]}}
    fault_server.plan(answered(json_answer(problem, 400)), "/Order/submit")
    loop.run(saved_drafts.save(window_desk, "d-1", order_draft("R-1")))
    loop.run(outbox.queue_submission(window_desk, submission("R-1"), "d-1"))
    loop.run(outbox.drain(window_desk))
    loop.run(saved_drafts.reopen(window_desk, "d-1"))
    page = page_on(loop, services, show, window_desk)
    loop.until(lambda: verdict(page).startswith("✕ The provider refused this"))
    assert "ZIP: Not served." in verdict(page)
    page.submit()
    assert "ZIP: Not served." in answer(loop, "Go back to the form")
    loop.until(lambda: not page.type_ahead.buffering)


def test_what_looks_mistyped_is_no_green(loop: RunningLoop, page: EntryPage) -> None:
    draft = order_draft("R-1")
    draft.consignee.zip = "381"
    page.show_draft("d", draft)
    loop.until(lambda: verdict(page).startswith("! Looks mistyped ZIP: Not a usual ZIP.\nNew order."))


def test_a_facility_that_the_provider_did_not_name_is_said(
    loop: RunningLoop, page: EntryPage, fault_server: FaultServer
) -> None:
    fault_server.serve(f"{MANAGEMENT}/Facilities", json_answer([{"providerFacilityCode": "MEM01"}]))
    page.show_draft(
        "d", order_draft("R-1", providerFacilityCode="MEM99", useConsigneeAddressToDetermineFaclityCode="false")
    )
    loop.until(lambda: at_rest(page))
    page.facility.look_up()  # after all other answers: none of them draws the verdict anew
    loop.until(lambda: "Facility code: the provider did not name MEM99 for ZIP 38103." in verdict(page))
    page.form.fields["providerFacilityCode"].put("MEM01")
    loop.until(lambda: "did not name" not in verdict(page))


def test_a_facility_that_this_desk_does_not_know_is_doubted_once_the_field_is_left(
    loop: RunningLoop, page: EntryPage
) -> None:
    code, choice = page.form.fields[FACILITY_CODE], page.form.fields[USE_ADDRESS]
    assert isinstance(code, Field)
    assert isinstance(choice, ChoiceField)
    draft = order_draft("R-1", providerFacilityCode="MEM", useConsigneeAddressToDetermineFaclityCode="false")
    page.show_draft("d", draft)
    loop.until(lambda: at_rest(page) and not page.tasks.running("facility code"))
    assert (code.shown, "MEM" in verdict(page)) == ("", False), "no facility is known here yet"
    teach(loop, page.desk, "facility", {"code": "MEM01"})
    page.enter()
    said = "MEM is not known here. Did you mean MEM01?"
    loop.until(lambda: code.shown == said)
    assert f"Facility code: {said}" in verdict(page)
    type_in(page, FACILITY_CODE, "MEM01")
    loop.until(lambda: "not known here" not in verdict(page) and not page.tasks.running("facility code"))
    type_in(page, FACILITY_CODE, "7")
    loop.until(lambda: "MEM017 is not known here." in verdict(page))
    assert code.shown == "", "the keyboard is still in the field"
    page.form.go_to("poNumber")
    assert code.shown == "MEM017 is not known here. Did you mean MEM01?"
    choice.put("true")
    loop.until(lambda: "not known here" not in verdict(page) and code.shown == "")
    choice.put("false")
    code.put("DAL99")
    loop.until(lambda: code.shown == "DAL99 is not known here.", "one sentence on a facility that may be new")
    assert "DAL99" not in verdict(page)


class Team:
    """The others of a team, who have an order in their form, and what this desk says of itself."""

    def __init__(self, **changing: list[str]) -> None:
        self.people: dict[str, list[str]] = changing
        self.said: list[tuple[str, str]] = []

    def at_work(self, _doing: str) -> dict[str, list[str]]:
        return self.people

    def be_present(self, subject: str, doing: str) -> None:
        self.said.append((subject, doing))

    def tell(self) -> None:
        pass

    async def writes_of(self, _reference: str) -> list[object]:
        return []

    async def sent_by_others(self, _reference: str) -> None:
        return None

    async def accepted_from_others(self, _reference: str) -> None:
        return None


def test_an_order_that_another_person_is_changing_is_sent_only_after_a_yes(
    loop: RunningLoop, page: EntryPage, services: PageServices
) -> None:
    team = Team()
    page.desk.team = team  # type: ignore[assignment]
    page.show_draft(saved_drafts.new_draft_id(), order_draft("A-1"))
    loop.until(lambda: ("A-1", "changing") in team.said)
    assert "is changing this order" not in verdict(page)
    team.people = {"A-1": ["Ben Okafor"], "A-2": ["Cleo"]}
    services.news.presence.emit()
    loop.until(lambda: "Ben Okafor is changing this order" in verdict(page))
    loop.until(lambda: at_rest(page))
    page.submit()
    assert "Ben Okafor is changing this order" in answer(loop, entry_words.GO_BACK)
    loop.until(lambda: at_rest(page))
    assert not loop.run(outbox.writes(page.desk, (), 9))
    team.people = {}
    services.news.presence.emit()
    assert "is changing this order" not in verdict(page)


def test_who_leaves_the_order_is_not_said_to_change_it_any_more(loop: RunningLoop, page: EntryPage) -> None:
    team = Team()
    page.desk.team = team  # type: ignore[assignment]
    page.show_draft(saved_drafts.new_draft_id(), order_draft("A-1"))
    loop.until(lambda: team.said == [("A-1", "changing")])
    page.show_draft(saved_drafts.new_draft_id(), order_draft("A-2"))
    loop.until(lambda: team.said[1:] == [("A-1", ""), ("A-2", "changing")])
    page.hide()
    assert team.said[3:] == [("A-2", "")]
