"""Audits are refreshed by hand and by the clock; a rest that the provider asks for is kept and shown."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtWidgets import QPushButton

from app.desk.desk import Desk
from app.ui.audits.audits_page import AuditsPage
from app.ui.base.gallery import Gallery
from app.ui.base.page import PageServices
from tests.support.desks import let_time_pass
from tests.support.fault_server import INFORMATION, Answer, FaultServer
from tests.support.faults import answered, json_answer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

BUSY = Answer(429, headers=(("Retry-After", "300"),))


@pytest.fixture
def page(
    loop: RunningLoop,
    gallery: Gallery,
    services: PageServices,
    show: Show,
    window_desk: Desk,
    fault_server: FaultServer,
) -> AuditsPage:
    fault_server.serve(INFORMATION + "/audit", json_answer([]))
    gallery.take_desk(window_desk)
    made = AuditsPage(replace(services, pictures=lambda: gallery))
    show(made)
    made.take_desk(window_desk)
    ended(loop, made)
    return made


def ended(loop: RunningLoop, page: AuditsPage) -> None:
    loop.until(lambda: page.refresher.result is not None and not page.tasks.running("refresh"))


def asked(server: FaultServer) -> int:
    return len(server.seen("/audit"))


def press(page: AuditsPage, words: str) -> None:
    (found,) = [each for each in page.bar.findChildren(QPushButton) if each.text() == words and each.isVisible()]
    found.click()


def test_while_the_provider_asks_for_a_rest_nothing_is_fetched_and_its_end_is_shown(
    loop: RunningLoop, page: AuditsPage, fault_server: FaultServer
) -> None:
    fault_server.plan(answered(BUSY), "/audit")
    before, page.refresher.result = asked(fault_server), None
    page.refresher.start()
    ended(loop, page)
    assert asked(fault_server) == before + 1
    assert "It asks to wait 300 s" in page.bar.text
    page.refresher.begin()
    page.refresher.start()
    loop.rest()
    assert asked(fault_server) == before + 1
    assert page.bar.text.startswith("The provider asked for a pause until ")
    assert page.bar.text.endswith(": audits are refreshed then.")
    assert 280_000 < page.refresher._timer.remainingTime() < 320_000, "within what Qt makes of five minutes"
    page.refresher.result = None
    press(page, "Refresh anyway")
    ended(loop, page)
    assert asked(fault_server) > before + 1
    loop.until(lambda: page.bar.text == "")


def test_once_the_rest_is_over_the_clock_refreshes(
    loop: RunningLoop, page: AuditsPage, fault_server: FaultServer
) -> None:
    page.desk.timing.back_off(300)
    page.refresher.start()
    assert "audits are refreshed then" in page.bar.text
    before, page.refresher.result = asked(fault_server), None
    let_time_pass(page.desk, timedelta(minutes=6))
    page.refresher._timer.timeout.emit()
    ended(loop, page)
    assert asked(fault_server) > before
    assert page.bar.text == ""
    assert page.refresher._timer.remainingTime() > 500_000


def test_without_a_connection_a_refresh_says_why_it_does_nothing(
    loop: RunningLoop, page: AuditsPage, fault_server: FaultServer
) -> None:
    desk = page.desk
    provider, desk.provider, desk.trouble = desk.provider, None, "Connecting…"
    page.refresher.start()
    assert page.bar.text.startswith("Audits were not refreshed. Connecting…")
    desk.provider, page.refresher.result = provider, None
    page.connected()
    ended(loop, page)
    assert page.bar.text == ""
