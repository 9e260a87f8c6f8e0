"""Quotes, trucks and reservations in doubt: counted with what needs a person, shown below the outbox, decided there."""

import pytest
from PySide6.QtWidgets import QPushButton

from app.desk.desk import Desk
from app.desk.requests import send_request
from app.desk.requests.send_request import Request
from app.ui.base.page import PageServices
from app.ui.outbox import outbox_words as words
from app.ui.outbox.outbox_page import OutboxPage
from tests.support.fault_server import FaultServer
from tests.support.faults import act_then_drop
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.settings.settings_help import said


@pytest.fixture
def page(
    loop: RunningLoop, services: PageServices, show: Show, window_desk: Desk, fault_server: FaultServer
) -> OutboxPage:
    """An outbox without writes, at a provider that drops each request after it has acted."""
    for path in ("/Quote/submit", "/Truck/submit", "/PartnerA/reserveSlot"):
        fault_server.plan(act_then_drop(), path, times=None)
    made = OutboxPage(services)
    show(made)
    made.take_desk(window_desk)
    loop.until(lambda: not made.tasks.busy)
    return made


def send(page: OutboxPage, loop: RunningLoop, operation: str, title: str, subject: str = "") -> None:
    request = Request(operation, f'{{"of": "{title}"}}'.encode(), subject, title)
    row = loop.run(send_request.send(page.desk, request))
    assert row.state == "in_doubt"
    page.services.news.wrote.emit()
    loop.until(lambda: not page.tasks.busy)


def button(page: OutboxPage, title: str) -> QPushButton:
    found = [each for each in page.doubts.findChildren(QPushButton) if each.text() == title and each.isVisible()]
    assert found, said(page.doubts)
    return found[0]


def test_each_kind_stands_below_and_is_counted_with_what_needs_a_person(page: OutboxPage, loop: RunningLoop) -> None:
    assert not page.doubts.isVisible()
    assert page.tabs["you"].text() == "Needs you"
    send(page, loop, "quote_submit", "Memphis")
    send(page, loop, "truck_submit", "TRK-9")
    send(page, loop, "partner_a_reserve_slot", "Mon 30 Nov, 08:00", "CRN-7")
    assert page.tabs["you"].text() == "Needs you 3"
    told = said(page.doubts)
    for part in (
        "Quote Memphis, sent ",
        "Truck TRK-9, sent ",
        "Reservation of Mon 30 Nov, 08:00 for order CRN-7, sent ",
    ):
        assert part in told
    page.tabs["you"].click()
    loop.until(lambda: not page.tasks.busy)
    assert page.states.state_text.startswith(words.NO_ORDER_NEEDS_YOU)


def test_what_a_person_decides_ends_it(page: OutboxPage, loop: RunningLoop) -> None:
    send(page, loop, "quote_submit", "Memphis")
    send(page, loop, "truck_submit", "TRK-9")
    button(page, words.REQUEST_ARRIVED).click()
    loop.until(lambda: page.tabs["you"].text() == "Needs you 1" and not page.tasks.busy)
    [truck] = loop.run(send_request.sent(page.desk, ("truck_submit",), 5))
    assert (truck.state, truck.sentence) == (
        "accepted", "Marked as arrived on this desk. The provider has not confirmed it.",
    )  # fmt: skip
    button(page, words.REQUEST_NOT_ARRIVED).click()
    loop.until(lambda: not page.doubts.isVisible() and not page.tasks.busy)
    [quote] = loop.run(send_request.sent(page.desk, ("quote_submit",), 5))
    assert quote.state == "not_arrived"
    assert page.tabs["you"].text() == "Needs you"


def test_more_than_fit_are_counted(page: OutboxPage, loop: RunningLoop) -> None:
    for number in range(6):
        send(page, loop, "quote_submit", f"Q-{number}")
    assert "2 more are in doubt." in said(page.doubts)
    assert page.tabs["you"].text() == "Needs you 6"


def test_a_quote_is_shown_on_its_page(page: OutboxPage, loop: RunningLoop) -> None:
    send(page, loop, "quote_submit", "Memphis")
    shown: list[object] = []
    page.services.news.show_request.connect(shown.append)
    button(page, words.SHOW_REQUEST).click()
    assert [getattr(each, "title", "") for each in shown] == ["Memphis"]


def test_a_reservation_leads_to_its_order_or_says_that_none_is_known(page: OutboxPage, loop: RunningLoop) -> None:
    send(page, loop, "partner_a_reserve_slot", "Mon 30 Nov", "CRN-7")
    button(page, words.SHOW_REQUEST).click()
    loop.until(lambda: page.bar.text == words.RESERVED_ORDER_UNKNOWN)
