"""Rubbish in place of an answer, on each page that asks for records of no fixed shape: it is said or shown.

The fixture `sink` fails a test in which anything was raised and not told to the person.
"""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from app.desk.desk import Desk
from app.ui.base.page import PageServices
from app.ui.console.console_page import ConsolePage
from app.ui.facilities.facilities_page import FacilitiesPage
from app.ui.loads.loads_page import LoadsPage
from app.ui.quotes.request_page import QUOTES, RequestPage
from app.ui.slots import slots_words
from app.ui.slots.slots_dialog import SlotsDialog
from tests.support.fault_server import INFORMATION, MANAGEMENT, FaultServer
from tests.support.faults import Answer, json_answer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.facilities.test_ui_facilities import press_enter_in
from tests.ui.loads.test_ui_loads import ask
from tests.ui.quotes.test_ui_quotes import DESCRIBED, DESCRIPTION, QUOTE, VALUE, fill
from tests.ui.slots.test_ui_slots import ORDER

_DEEP = b"[" * 100_000
_BOMB = (
    b'<!DOCTYPE a [<!ENTITY a "ha">'
    + b"".join(
        b'<!ENTITY %c "&%c;&%c;&%c;&%c;&%c;&%c;&%c;&%c;">' % (at, *(at - 1,) * 8) for at in range(ord("b"), ord("m"))
    )
    + b"]><a>&l;</a>"
)
RUBBISH = {
    "a page": Answer(200, b"<!DOCTYPE html><html><body><h1>Maintenance</h1></body></html>", "text/html"),
    "a page that is said to be JSON": Answer(200, b"<html><body>Login</body></html>"),
    "half": Answer(200, b'[{"providerFacilityCode": "MEM01", "na'),
    "NUL bytes": Answer(200, b"\0" * 4_000),
    "NUL in a text": Answer(200, b'[{"a\\u0000b": "x\\u0000y", "slotId": "\\u0000", "date": "\\u0000"}]'),
    "half a character": Answer(200, b'[{"\\ud800": "\\udfff", "slotId": "\\ud800", "date": "2026-11-24"}]'),
    "not UTF-8": Answer(200, b'[{"name": "\xff\xfe"}]'),
    "too deep": Answer(200, _DEEP),
    "deep": Answer(200, b"[" * 900 + b"]" * 900),
    "an XML bomb": Answer(200, _BOMB, "application/xml"),
    "XML that is said to be JSON": Answer(200, b"<a><b>1</b></a>"),
    "nothing": Answer(200, b""),
    "null": Answer(200, b"null"),
    "a number": Answer(200, b"1e999999"),
    "a long number": Answer(200, b"[" + b"9" * 10_000 + b"]"),
    "other types": json_answer([1, None, "x", [], {"slotId": {}, "date": [], "from": 7, "name": {"a": 1}}]),
    "slots of other types": json_answer({"slots": [{"slotId": 7, "date": "2026-13-45", "from": {}, "to": None}, 3]}),
    "a long text": json_answer([{"name": "x" * 2_000_000, "slotId": "S" * 5_000, "date": "2026-11-24"}]),
    "many columns": json_answer([{f"c{at}": at for at in range(3_000)}]),
    "no media type": Answer(200, b"[]", None),
    "an odd media type": Answer(200, b"[{}]", "application/\xff; charset=nonsense"),
}
_NAMES = pytest.mark.parametrize("name", RUBBISH)


@_NAMES
def test_a_lookup(
    name: str, services: PageServices, show: Show, loop: RunningLoop, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(MANAGEMENT + "/Facilities", RUBBISH[name])
    page = FacilitiesPage(services)
    show(page)
    page.take_desk(window_desk)
    page.enter()
    press_enter_in(page.pane, "ZipCode", "38103", loop)
    loop.until(lambda: not page.tasks.busy, "the end of it")
    page.grab()
    assert page.pane.records.states.state_text or page.pane.records.rows.records.rowCount()


@_NAMES
def test_an_overage(
    name: str, services: PageServices, show: Show, loop: RunningLoop, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(INFORMATION + "/overage", RUBBISH[name])
    page = LoadsPage(services)
    show(page)
    page.take_desk(window_desk)
    page.enter()
    ask(page, loop, "L-1")
    page.grab()
    assert page.overage.states.state_text or page.overage.rows.records.rowCount()


@_NAMES
def test_a_quote(
    name: str, services: PageServices, show: Show, loop: RunningLoop, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(DESCRIPTION, json_answer(DESCRIBED))
    fault_server.serve(QUOTE, RUBBISH[name])
    page = RequestPage(services, QUOTES)
    show(page)
    page.take_desk(window_desk)
    page.enter()
    loop.until(lambda: page.shape.described and not page.tasks.busy, "the description")
    fill(page, VALUE)
    page.send()
    loop.until(lambda: not page.tasks.busy, "the end of it")
    page.grab()
    assert len(fault_server.seen("/Quote/submit")) == 1
    assert page.stack.currentWidget() is page.story, "what was sent is shown, whatever was answered"
    longest = max(len(each.text()) for each in page.story.findChildren(QLabel))
    assert longest <= 10_000, "a label of megabytes stops the window for seconds"


@_NAMES
def test_slots(
    name: str, services: PageServices, show: Show, loop: RunningLoop, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(MANAGEMENT + "/PartnerA/getSlot", RUBBISH[name])
    page = FacilitiesPage(services)
    show(page)
    page.take_desk(window_desk)
    dialog = SlotsDialog(page, window_desk, ORDER)
    dialog.open_for()
    loop.until(lambda: dialog.isVisible() and not page.tasks.busy)
    dialog.get_button.click()
    loop.until(lambda: not page.tasks.busy, "the end of it")
    dialog.grab()
    assert dialog.heading.text() not in ("", slots_words.ASKING)
    dialog.reject()
    loop.until(lambda: not page.tasks.busy)


@_NAMES
def test_a_call_by_hand(
    name: str,
    services: PageServices,
    show: Show,
    loop: RunningLoop,
    window_desk: Desk,
    fault_server: FaultServer,
    tmp_path: Path,
) -> None:
    fault_server.serve(MANAGEMENT + "/swagger/v1/swagger.json", RUBBISH[name])
    fault_server.serve(MANAGEMENT + "/Facilities", RUBBISH[name])
    page = ConsolePage(services, tmp_path / "requests")
    show(page)
    page.take_desk(window_desk)
    loop.until(lambda: not page.tasks.busy, "the description")
    page.open_operation("management GET /Facilities")
    assert page.request.operation is not None
    page.request.send.click()
    loop.until(lambda: page.answer.shown is not None, "an answer")
    loop.until(lambda: not page.tasks.busy, "the end of it")
    for each in page.answer.tabs.values():
        each.click()
        page.grab()
    loop.until(lambda: not page.tasks.busy, "the end of it")
    assert page.answer.status.text()
