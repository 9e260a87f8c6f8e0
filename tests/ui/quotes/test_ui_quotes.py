"""Quotes and trucks: filled in by a form, sent once, begun from templates and earlier ones, in doubt until decided."""

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

from app.desk.console.forms.exact_json import Number, Value, read_json
from app.desk.desk import Desk
from app.desk.requests import request_drafts
from app.ui.base.page import PageServices
from app.ui.quotes.request_page import QUOTES, TRUCKS, RequestPage
from app.ui.widgets.name_dialog import NameDialog
from tests.support.fault_server import MANAGEMENT, FaultServer
from tests.support.faults import Answer, act_then_drop, answered, json_answer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

DESCRIPTION = MANAGEMENT + "/swagger/v1/swagger.json"
QUOTE = MANAGEMENT + "/Quote/submit"
DESCRIBED = {
    "openapi": "3.0.1",
    "info": {"title": "x", "version": "v1"},
    "paths": {
        "/OrderManagementApi/Quote/submit": {
            "post": {
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "required": ["destination", "weight"],
                                "properties": {
                                    "destination": {"type": "string", "maxLength": 20},
                                    "weight": {"type": "number", "minimum": 0},
                                },
                            }
                        }
                    }
                },
                "responses": {"200": {"description": "ok"}},
            }
        }
    },
}
VALUE: Value = {"destination": "Memphis", "weight": Number("12.50")}
BYTES = b'{"destination":"Memphis","weight":12.50}'


@pytest.fixture
def page(
    services: PageServices, show: Show, loop: RunningLoop, window_desk: Desk, fault_server: FaultServer
) -> RequestPage:
    fault_server.serve(DESCRIPTION, json_answer(DESCRIBED))
    fault_server.serve(QUOTE, json_answer({"quoteNumber": "Q-1"}))
    made = RequestPage(services, QUOTES)
    show(made)
    made.take_desk(window_desk)
    made.enter()
    loop.until(lambda: made.shape.described and not made.tasks.busy)
    return made


def fill(page: RequestPage, value: Value) -> None:
    """Fill in the form as a person would: the change is heard of."""
    page.form.put(value)
    page.form.changed.emit()


def sent(page: RequestPage) -> list[str]:
    return [page.sent.item(at).text() for at in range(page.sent.count())]


def templates(page: RequestPage) -> list[str]:
    return [page.templates.item(at).text() for at in range(page.templates.count())]


def send(page: RequestPage, loop: RunningLoop) -> None:
    page.send_button.click()
    loop.until(lambda: not page.tasks.busy)


def box() -> QMessageBox | None:
    found = QApplication.activeModalWidget()
    return found if isinstance(found, QMessageBox) else None


def press(loop: RunningLoop, title: str) -> str:
    loop.until(lambda: box() is not None)
    asked = box()
    assert asked is not None
    text = asked.informativeText()
    next(each for each in asked.buttons() if each.text() == title).click()
    return text


def test_a_quote_is_sent_letter_for_letter_and_stands_in_the_history(
    page: RequestPage, loop: RunningLoop, fault_server: FaultServer
) -> None:
    fill(page, VALUE)
    QTest.keyClick(page, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    loop.until(lambda: not page.tasks.busy)
    assert [each.body for each in fault_server.seen("/Quote/submit")] == [BYTES]
    loop.until(lambda: sent(page) == ["✓ Accepted · Memphis, 12.5"])
    assert page.stack.currentWidget() is page.story
    assert page.story.sentence.text() == "The provider accepted it: Quote number: Q-1"
    page.story.back_button.click()
    assert page._text() == ""


def test_what_the_provider_does_not_allow_is_said_before_anything_leaves(
    page: RequestPage, loop: RunningLoop, fault_server: FaultServer
) -> None:
    fill(page, {"destination": "x" * 21})
    send(page, loop)
    assert page.bar.text == "2 fields are not as the provider describes them."
    assert fault_server.seen("/Quote/submit") == []
    page.bar.act()  # send it anyway
    loop.until(lambda: len(fault_server.seen("/Quote/submit")) == 1 and not page.tasks.busy)


def test_an_empty_form_is_not_sent(page: RequestPage, loop: RunningLoop, fault_server: FaultServer) -> None:
    send(page, loop)
    assert page.bar.text == "Nothing is filled in yet."
    assert fault_server.seen("/Quote/submit") == []


def test_a_broken_connection_leaves_the_quote_in_doubt_until_a_person_decides(
    page: RequestPage, loop: RunningLoop, fault_server: FaultServer
) -> None:
    fault_server.plan(act_then_drop(), "/Quote/submit", times=None)
    fill(page, VALUE)
    send(page, loop)
    loop.until(lambda: len(sent(page)) == 1)
    assert sent(page)[0].startswith("! ")
    assert "It may have arrived" in page.bar.text
    assert page.story.arrived_button.isVisible()
    page.story.not_arrived_button.click()
    loop.until(lambda: sent(page)[0].startswith("○ Did not arrive") and not page.tasks.busy)
    assert not page.story.arrived_button.isVisible()
    assert len(fault_server.seen("/Quote/submit")) == 1


def test_the_same_quote_is_sent_again_only_after_a_yes_that_says_so(
    page: RequestPage, loop: RunningLoop, fault_server: FaultServer
) -> None:
    fill(page, VALUE)
    send(page, loop)
    page.story.again_button.click()
    assert page._value() == VALUE
    QTest.keyClick(page, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert "makes a second one" in press(loop, "Go back")
    loop.until(lambda: not page.tasks.busy)
    assert len(fault_server.seen("/Quote/submit")) == 1
    fill(page, {"destination": "Memphis", "weight": Number("13")})
    send(page, loop)
    assert len(fault_server.seen("/Quote/submit")) == 2


def test_production_is_asked_about_by_name_and_a_no_sends_nothing(
    page: RequestPage, loop: RunningLoop, fault_server: FaultServer
) -> None:
    page.desk.profile = replace(page.desk.profile, kind="production", colour="teal")
    fill(page, VALUE)
    page.send_button.click()
    loop.until(lambda: box() is not None)
    asked = box()
    assert asked is not None
    assert asked.text() == "Send this quote to “Acme Freight”?"
    assert "Memphis" in asked.informativeText()
    assert "This is a production connection" in asked.informativeText()
    assert not asked.iconPixmap().isNull()
    assert press(loop, "Go back")
    loop.until(lambda: not page.tasks.busy)
    assert fault_server.seen("/Quote/submit") == []
    assert page._value() == VALUE
    page.send_button.click()
    press(loop, "Send it")
    loop.until(lambda: not page.tasks.busy)
    assert len(fault_server.seen("/Quote/submit")) == 1
    # The same again is one question, which says both.
    page.story.again_button.click()
    page.send_button.click()
    told = press(loop, "Go back")
    assert "This is a production connection" in told
    assert "makes a second one" in told
    loop.until(lambda: not page.tasks.busy)
    assert len(fault_server.seen("/Quote/submit")) == 1


def test_a_refusal_keeps_what_was_typed(page: RequestPage, loop: RunningLoop, fault_server: FaultServer) -> None:
    fault_server.plan(answered(json_answer({"title": "No such lane."}, 400)), "/Quote/submit")
    fill(page, VALUE)
    send(page, loop)
    assert page.bar.text == "No such lane."
    assert page._value() == VALUE
    loop.until(lambda: sent(page) == ["✕ Refused · Memphis, 12.5"])
    fault_server.plan(answered(Answer(403)), "/Quote/submit")
    send(page, loop)
    loop.until(lambda: len(sent(page)) == 2)


def test_a_template_is_kept_used_deleted_and_brought_back(page: RequestPage, loop: RunningLoop) -> None:
    fill(page, VALUE)
    page.name_template()
    (dialog,) = page.findChildren(NameDialog)
    QTest.keyClicks(dialog.field, "Memphis run")
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    loop.until(lambda: templates(page) == ["Memphis run"])
    page.begin_new()
    assert page._text() == ""
    page.templates.setCurrentRow(0)
    page.templates.itemActivated.emit(page.templates.item(0))
    assert page._value() == VALUE
    page.delete_button.click()
    loop.until(lambda: templates(page) == [])
    page.bar.undo()
    loop.until(lambda: templates(page) == ["Memphis run"])


def test_what_is_typed_is_kept_and_comes_back(page: RequestPage, loop: RunningLoop, window_desk: Desk) -> None:
    fill(page, VALUE)
    assert page.has_unsaved
    loop.until(lambda: not page.has_unsaved and not page.tasks.busy)
    kept = loop.run(request_drafts.read_draft(window_desk, "quote_submit"))
    assert read_json(kept) == VALUE
    page.take_desk(window_desk)
    loop.until(lambda: page._loaded and not page.tasks.busy)
    assert page._value() == VALUE
    fill(page, {"destination": "Dallas"})
    assert loop.run(page.flush()) == ""
    assert json.loads(loop.run(request_drafts.read_draft(window_desk, "quote_submit"))) == {"destination": "Dallas"}


def test_a_new_one_can_be_undone(page: RequestPage, loop: RunningLoop) -> None:
    fill(page, VALUE)
    page.begin_new()
    assert page._text() == ""
    page.bar.undo()
    assert page._value() == VALUE
    loop.until(lambda: not page.tasks.busy and not page.has_unsaved)


def test_practice_takes_a_truck_as_it_describes_one(
    services: PageServices, show: Show, loop: RunningLoop, window_practice_desk: Desk
) -> None:
    page = RequestPage(services, TRUCKS)
    show(page)
    page.take_desk(window_practice_desk)
    loop.until(lambda: page.shape.described and not page.tasks.busy)
    fill(page, {"loadNumber": "L-5510", "stops": [{"pieces": Number("3")}]})
    send(page, loop)
    loop.until(lambda: len(sent(page)) == 1)
    assert sent(page)[0].startswith("✓ ")
    assert "Truck number: T-" in page.story.sentence.text()
