"""The rows behind a mark: writes of the outbox, audits of a narrowing, the orders of a filter."""

from dataclasses import replace
from datetime import datetime, timedelta

from app.desk.audits.audit_filter import Narrowing
from app.desk.desk import Desk
from app.store.cache.audits import audit_store
from app.store.cache.audits.audit_rows import AnswerFacts, AuditFacts, AuditHead
from app.store.journal import write_store
from app.store.journal.records import WriteRow
from app.ui.audits.audits_page import AuditsPage
from app.ui.base.gallery import Gallery
from app.ui.base.page import PageServices
from app.ui.outbox.outbox_page import OutboxPage
from tests.support.fault_server import INFORMATION, FaultServer
from tests.support.faults import json_answer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

NOW = datetime(2026, 6, 24, 10, 0)
DAY = timedelta(days=1)


def test_the_outbox_shows_these_writes_alone_until_all_are_asked_for(
    loop: RunningLoop, show: Show, services: PageServices, window_desk: Desk
) -> None:
    desk = window_desk
    ids = [
        loop.run(desk.journal.write(write_store.queue_write, desk.profile.id, "submit", f"A-{at}", b"{}", NOW))
        for at in range(4)
    ]
    page = OutboxPage(services)
    show(page)
    page.take_desk(desk)

    def shown() -> list[int]:
        return [each.id for each in page.model.rows if isinstance(each, WriteRow)]

    loop.until(lambda: shown() == ids[::-1])
    page.show_some((ids[0], ids[2]), "Refused: <b>zip</b>")
    loop.until(lambda: shown() == [ids[2], ids[0]])
    assert page.import_label.text() == "Refused: <b>zip</b>"
    assert page.all_button.isVisible()
    page.all_button.click()
    loop.until(lambda: shown() == ids[::-1])
    assert not page.all_button.isVisible()
    page.show_some((ids[1],), "Refused")
    page.show_write(ids[3])
    loop.until(lambda: shown() == ids[::-1])


def test_the_audits_of_a_narrowing_and_a_question_are_shown_once_the_views_are_read(
    loop: RunningLoop,
    show: Show,
    services: PageServices,
    gallery: Gallery,
    window_desk: Desk,
    fault_server: FaultServer,
) -> None:
    fault_server.serve(INFORMATION + "/audit", json_answer([]))
    desk = replace(window_desk, now=lambda: NOW, provider=None)
    audits = [AuditFacts(at, NOW - DAY, "Dock", "MEM01" if at % 2 else "DAL02", "V", 80) for at in range(1, 7)]
    loop.run(desk.cache.write(audit_store.store_audits, desk.profile.id, audits, NOW))
    answers = [AnswerFacts("LD-1", "Is it clean?", "No", None)]
    loop.run(desk.cache.write(audit_store.store_answers, desk.profile.id, 1, AuditHead(), answers, NOW))
    gallery.take_desk(desk)
    page = AuditsPage(replace(services, now=lambda: NOW, pictures=lambda: gallery))
    show(page)
    page.take_desk(desk)
    page.show_narrowed(Narrowing(facility=("MEM01",), days="2026-06-20..2026-06-24"))
    loop.until(lambda: page.model.rowCount() == 3)
    page.show_narrowed(Narrowing(days="2026-06-20..2026-06-24"), "LD-1")
    loop.until(lambda: page.stack.currentWidget() is page.lens and page.lens.model.rowCount() == 1)
    assert page.lens.question.currentData() == "LD-1"
