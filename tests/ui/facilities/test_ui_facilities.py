"""The facilities page: each kind of reference data is asked for, kept, searched, and leads on."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from app.desk.desk import Desk
from app.desk.known import known_data
from app.desk.known.reference_lookups import LOOKUPS
from app.ui.base.page import PageServices
from app.ui.facilities.facilities_page import FacilitiesPage
from app.ui.facilities.lookup_pane import LookupPane
from tests.support.fault_server import MANAGEMENT, FaultServer
from tests.support.faults import Answer, json_answer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import fill, order

FACILITIES = MANAGEMENT + "/Facilities"
MEMPHIS = {"providerFacilityCode": "MEM01", "name": "Memphis South", "city": "Memphis", "state": "TN", "zip": "38118"}


def made(services: PageServices, show: Show, desk: Desk) -> FacilitiesPage:
    page = FacilitiesPage(services)
    show(page)
    page.take_desk(desk)
    page.enter()
    return page


@pytest.fixture
def page(services: PageServices, show: Show, window_desk: Desk) -> FacilitiesPage:
    return made(services, show, window_desk)


def press_enter_in(pane: LookupPane, name: str, text: str, loop: RunningLoop) -> None:
    editor = pane.fields[name].editor
    editor.setFocus()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    loop.until(lambda: pane.answer is not None and not pane._asking)


def cells(pane: LookupPane, column: int = 0) -> list[str]:
    model = pane.records.rows.records
    return [str(model.data(model.index(row, column))) for row in range(model.rowCount())]


def before(pane: LookupPane) -> list[str]:
    return [pane.before.item(at).text() for at in range(pane.before.count())]


def test_facilities_are_looked_up_by_zip_and_known_to_the_form_from_then_on(
    page: FacilitiesPage, loop: RunningLoop, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(FACILITIES, json_answer([MEMPHIS]))
    press_enter_in(page.pane, "ZipCode", "38103-2201", loop)
    assert fault_server.seen("/Facilities")[-1].query == {"ZipCode": "38103"}
    assert cells(page.pane) == ["MEM01"]
    assert page.pane.title.text() == "Facilities: ZIP 38103-2201"
    loop.until(lambda: before(page.pane) == ["ZIP 38103-2201 · 1"])
    (known,) = loop.run(known_data.find(window_desk, "facility", "memphis")).rows
    assert known.body["code"] == "MEM01"


def test_an_earlier_question_is_asked_again_by_a_click_and_answered_at_once_without_a_connection(
    page: FacilitiesPage, loop: RunningLoop, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(FACILITIES, json_answer([MEMPHIS]))
    press_enter_in(page.pane, "BillToCode", "ACME", loop)
    loop.until(lambda: before(page.pane) == ["Bill-to ACME · 1"])
    page.take_desk(window_desk)
    window_desk.provider, window_desk.trouble = None, "Not connected."
    page.enter()
    loop.until(lambda: page.pane.before.count() == 1)
    assert cells(page.pane) == []
    page.pane.before.itemClicked.emit(page.pane.before.item(0))
    loop.until(lambda: cells(page.pane) == ["MEM01"] and not page.tasks.busy)
    assert page.pane.fields["BillToCode"].text() == "ACME"
    assert page.bar.text == "Not connected. What is shown is as of just now."


def test_no_answer_says_why_and_an_empty_one_says_when(
    page: FacilitiesPage, loop: RunningLoop, fault_server: FaultServer
) -> None:
    fault_server.serve(FACILITIES, Answer(403))
    press_enter_in(page.pane, "ZipCode", "38103", loop)
    assert page.pane.records.states.state_text.startswith("There is no answer yet")
    fault_server.serve(FACILITIES, json_answer([]))
    (again,) = [each for each in page.pane.records.states.findChildren(QPushButton) if each.text() == "Try again"]
    again.click()
    loop.until(
        lambda: (
            page.pane.records.states.state_text
            == "The provider named none The provider was asked just now. Ask with other values, or again."
        )
    )


def test_a_facility_leads_to_its_open_orders_and_those_to_the_order(
    page: FacilitiesPage, loop: RunningLoop, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(FACILITIES, json_answer([MEMPHIS]))
    fault_server.serve(
        MANAGEMENT + "/PartnerC/openorders",
        json_answer(
            [{"systemNumber": 771002, "orderReferenceNumber": "R-1"}, {"orderReferenceNumber": "R-2"}, {"x": 1}]
        ),
    )
    fill(loop, window_desk, [order(12, crn="R-2")])
    press_enter_in(page.pane, "ZipCode", "38103", loop)
    page.pane.records.into_rows()
    QTest.keyClick(page.pane.records.rows, Qt.Key.Key_Return)
    loop.until(lambda: page.pane.lookup.name == "partner_c_open_orders" and len(cells(page.pane)) == 3)
    assert fault_server.seen("/openorders")[-1].query == {"ProviderFacilityCode": "MEM01"}
    asked: list[int] = []
    page.services.news.show_order.connect(asked.append)
    for at in (0, 1):
        page.pane.records.opened.emit(page.pane.records.rows.records.rows[at])
    loop.until(lambda: asked == [771002, 12])
    page.pane.records.opened.emit(page.pane.records.rows.records.rows[2])
    assert page.bar.text == "This row names no order."


def test_a_request_that_is_no_object_is_refused_beside_its_field(
    page: FacilitiesPage, loop: RunningLoop, fault_server: FaultServer
) -> None:
    page.show_lookup("partner_c_facilities")
    field = page.pane.fields["request"]
    field.put("[1]")
    page.pane.ask()
    assert field.shown == "This is no JSON object. Leave it empty unless the provider asks for one."
    assert fault_server.seen("/PartnerC/facilities") == []
    fault_server.serve(MANAGEMENT + "/PartnerC/facilities", json_answer([MEMPHIS]))
    field.set_text('{"a": 1}')
    page.pane.ask()
    loop.until(lambda: cells(page.pane) == ["MEM01"])
    assert fault_server.seen("/PartnerC/facilities")[-1].query == {"request": '{"a":1}'}


def test_the_tabs_are_reached_by_keys(page: FacilitiesPage) -> None:
    seen = []
    for _ in LOOKUPS:
        seen.append(page.pane.lookup.name)
        QTest.keyClick(page, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    assert seen == [each.name for each in LOOKUPS]
    assert page.pane.lookup.name == LOOKUPS[0].name


def test_practice_answers_every_kind_and_its_codes_are_known_to_the_form(
    services: PageServices, show: Show, loop: RunningLoop, window_practice_desk: Desk
) -> None:
    page = made(services, show, window_practice_desk)
    for name, pane in page.panes.items():
        page.look_up(name, {})
        loop.until(lambda pane=pane: pane.answer is not None and not pane._asking)  # type: ignore[misc]
        assert pane.answer is not None
        assert pane.answer.trouble == ""
        assert cells(pane), name
    goods = loop.run(known_data.find(window_practice_desk, "commodity", "")).rows
    assert goods
    assert all(each.body["code"] for each in goods)


def test_another_connection_shows_nothing_of_the_one_before(
    page: FacilitiesPage, loop: RunningLoop, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(FACILITIES, json_answer([MEMPHIS]))
    press_enter_in(page.pane, "ZipCode", "38103", loop)
    page.take_desk(window_desk)
    assert cells(page.pane) == []
    assert page.pane.fields["ZipCode"].text() == ""
    loop.until(lambda: not page.tasks.busy)


@pytest.mark.usefixtures("large_text")
@pytest.mark.parametrize("width", [722, 798, 1280])
def test_the_titles_of_the_tabs_are_whole_at_every_width(page: FacilitiesPage, loop: RunningLoop, width: int) -> None:
    page.resize(width, 500)
    loop.rest()
    assert page.width() == width
    for each in page.tabs.values():
        assert each.width() >= each.sizeHint().width(), each.text()
        assert each.mapTo(page, each.rect().topRight()).x() < width, each.text()
