"""Corrections of an open file outlive the page: they are kept within a second and offered after a start."""

import asyncio
from pathlib import Path

import pytest

from app.desk.bulk.rows import open_file
from app.desk.desk import Desk
from app.ui.base.page import PageServices
from app.ui.bulk.bulk_page import BulkPage
from tests.support.loop import RunningLoop
from tests.ui.bulk.import_help import line, settled, text, write_csv
from tests.ui.bulk.import_help import open_file as open_on
from tests.ui.conftest import Show
from tests.ui.questions_help import answer, question

_STAYS = "The file itself stays as it is."
LOST = {
    "corrected": f"The correction that you made here is lost. {_STAYS}",
    "left out": f"Waybill forgets that you left out 2 orders. {_STAYS}",
    "both": f"The correction that you made here is lost. Waybill forgets that you left out 2 orders. {_STAYS}",
}


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk) -> BulkPage:
    return shown(loop, services, show, offline_desk)


def shown(loop: RunningLoop, services: PageServices, show: Show, desk: Desk) -> BulkPage:
    """A page as a start makes it."""
    made = BulkPage(services)
    show(made)
    made.take_desk(desk)
    settled(loop, made)
    loop.until(lambda: not made.tasks.running("kept file"))
    return made


def correct(loop: RunningLoop, page: BulkPage, zip_code: str) -> None:
    page.session.change(lambda sheet: sheet.set_cells({(0, 5): zip_code}), 1)
    settled(loop, page)


def test_corrections_are_kept_soon_and_opened_again_after_a_start(
    loop: RunningLoop, page: BulkPage, services: PageServices, show: Show, offline_desk: Desk, tmp_path: Path
) -> None:
    open_on(loop, page, write_csv(tmp_path, line("UI-1", ZIP=""), line("UI-2")))
    correct(loop, page, "38103")
    loop.until(lambda: not page.has_unsaved)
    again = shown(loop, services, show, offline_desk)
    assert again.start._kept_card.isVisible()
    # Some of its orders may have been sent, so nothing is said about that.
    said = "orders.csv was open with 1 corrected cell. What was sent of it is not sent again."
    assert again.start.kept_label.text() == said
    again.start.again_button.click()
    loop.until(lambda: again.session.sheet is not None)
    settled(loop, again)
    assert text(again, 0, "ZIP") == "✎ 38103"
    assert again.session.corrections == 1
    again.session.undo()
    loop.until(lambda: not again.has_unsaved and not again.tasks.running("keep open file"))
    assert loop.run(open_file.kept(offline_desk)) is None


@pytest.mark.parametrize("corrected", [False, True])
def test_an_order_that_was_left_out_stays_out_after_a_start(
    loop: RunningLoop,
    page: BulkPage,
    services: PageServices,
    show: Show,
    offline_desk: Desk,
    tmp_path: Path,
    corrected: bool,
) -> None:
    open_on(loop, page, write_csv(tmp_path, *(line(f"UI-{at}") for at in range(3))))
    if corrected:
        correct(loop, page, "38104")
    first = page.session.sheet
    assert first is not None
    keys = list(first.orders)
    assert page.session.decide(keys[:2], "leave") == 2
    page.session.decide(keys[1:2], "")
    page.session.decide(keys[2:], "send")
    loop.until(lambda: not page.has_unsaved and not page.tasks.running("keep open file"))
    again = shown(loop, services, show, offline_desk)
    before = "1 corrected cell, and with orders left out" if corrected else "1 order left out"
    assert again.start.kept_label.text() == f"orders.csv was open with {before}. What was sent of it is not sent again."
    again.start.again_button.click()
    loop.until(lambda: again.session.sheet is not None)
    settled(loop, again)
    assert again.session.verdicts.decided == {keys[0]: "leave"}, "a decision to send was about what was known then"
    assert [key for key in keys if again.session.verdicts.is_sent(key)] == keys[1:]
    assert again.session.corrections == int(corrected)
    again.session.decide(keys[:1], "")
    if corrected:
        again.session.undo()
    loop.until(lambda: not again.has_unsaved and not again.tasks.running("keep open file"))
    assert loop.run(open_file.kept(offline_desk)) is None


def test_a_form_order_with_a_field_the_file_has_no_column_for_comes_back_too(
    loop: RunningLoop, page: BulkPage, services: PageServices, show: Show, offline_desk: Desk, tmp_path: Path
) -> None:
    open_on(loop, page, write_csv(tmp_path, line("UI-1")))
    assert page.session.sheet is not None
    draft = page.session.sheet.draft(0)
    draft.poNumber = "PO-7"
    page.session.put_draft(0, draft)
    settled(loop, page)
    assert page.model.columnCount() == page.grid.horizontalHeader().count()
    loop.run(page.flush())
    again = shown(loop, services, show, offline_desk)
    again.start.again_button.click()
    loop.until(lambda: again.session.sheet is not None)
    settled(loop, again)
    assert again.session.sheet is not None
    assert again.session.sheet.draft(0).poNumber == "PO-7"


def test_a_file_that_is_opened_by_hand_has_what_was_decided_about_it(
    loop: RunningLoop, page: BulkPage, services: PageServices, show: Show, offline_desk: Desk, tmp_path: Path
) -> None:
    path = write_csv(tmp_path, line("UI-1", ZIP=""), line("UI-2"), line("UI-3"))
    open_on(loop, page, path)
    correct(loop, page, "38103")
    assert page.session.sheet is not None
    keys = list(page.session.sheet.orders)
    page.session.decide(keys[1:2], "leave")
    loop.until(lambda: not page.has_unsaved and not page.tasks.running("keep open file"))
    again = shown(loop, services, show, offline_desk)
    open_on(loop, again, path)
    assert again.bar.text_of("put back") == (
        "This file was open before: 1 correction was put back, and orders were left out again."
    )
    assert (text(again, 0, "ZIP"), again.session.corrections) == ("✎ 38103", 1)
    assert again.session.verdicts.decided == {keys[1]: "leave"}
    # The next correction is kept beside those of before, and put away the file is not offered any more.
    again.session.change(lambda sheet: sheet.set_cells({(2, 5): "38104"}), 1)
    settled(loop, again)
    loop.until(lambda: not again.has_unsaved and not again.tasks.running("keep open file"))
    kept = loop.run(open_file.kept(offline_desk))
    assert kept is not None
    assert (kept.count, kept.left_out) == (2, (keys[1],))
    again._put_away()
    assert again.bar.text_of("put back") == ""
    loop.until(lambda: not again.has_unsaved and not again.tasks.running("keep open file"))
    assert loop.run(open_file.kept(offline_desk)) is None


def test_what_was_given_up_is_not_put_back_into_the_same_file(
    loop: RunningLoop, page: BulkPage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The journal may be slower than the reading of the file."""
    path = write_csv(tmp_path, line("UI-1", ZIP=""))
    open_on(loop, page, path)
    correct(loop, page, "38103")
    loop.run(page.flush())
    forget = open_file.forget

    async def forget_slowly(desk: Desk, digest: str) -> None:
        await asyncio.sleep(0.5)
        await forget(desk, digest)

    monkeypatch.setattr(open_file, "forget", forget_slowly)
    page.open_files([path])
    answer(question(loop, page), "Put it away")
    loop.until(lambda: page.session.corrections == 0 and page.session.sheet is not None)
    settled(loop, page)
    assert (text(page, 0, "ZIP"), page.session.corrections) == ("! Required.", 0)
    assert page.bar.text_of("put back") == ""


def test_a_changed_file_that_is_opened_by_hand_begins_anew(
    loop: RunningLoop, page: BulkPage, services: PageServices, show: Show, offline_desk: Desk, tmp_path: Path
) -> None:
    open_on(loop, page, write_csv(tmp_path, line("UI-1", ZIP="")))
    correct(loop, page, "38103")
    loop.run(page.flush())
    again = shown(loop, services, show, offline_desk)
    open_on(loop, again, write_csv(tmp_path, line("UI-7", ZIP="")))
    assert (text(again, 0, "ZIP"), again.session.corrections) == ("! Required.", 0)
    assert again.bar.text_of("put back") == ""


def test_a_file_that_has_changed_since_takes_none_of_them(
    loop: RunningLoop, page: BulkPage, services: PageServices, show: Show, offline_desk: Desk, tmp_path: Path
) -> None:
    open_on(loop, page, write_csv(tmp_path, line("UI-1", ZIP="")))
    correct(loop, page, "38103")
    loop.run(page.flush())
    write_csv(tmp_path, line("UI-7"))
    again = shown(loop, services, show, offline_desk)
    again.start.again_button.click()
    loop.until(lambda: again.start.heading.text() == "orders.csv was not read")
    assert "has changed since it was open here" in again.start.sentence.text()


def test_a_file_that_was_put_away_is_not_offered(
    loop: RunningLoop, page: BulkPage, offline_desk: Desk, tmp_path: Path
) -> None:
    open_on(loop, page, write_csv(tmp_path, line("UI-1", ZIP="")))
    correct(loop, page, "38103")
    loop.run(page.flush())
    assert loop.run(open_file.kept(offline_desk)) is not None
    page._put_away()
    loop.until(lambda: not page.has_unsaved and not page.tasks.running("keep open file"))
    assert loop.run(open_file.kept(offline_desk)) is None


@pytest.mark.parametrize("undone", [False, True])
def test_a_file_that_gave_way_to_another_is_not_offered(
    loop: RunningLoop, page: BulkPage, offline_desk: Desk, tmp_path: Path, undone: bool
) -> None:
    open_on(loop, page, write_csv(tmp_path, line("UI-1", ZIP="")))
    first = page.session.sheet
    correct(loop, page, "38103")
    loop.run(page.flush())
    if undone:
        page.session.undo()
    # At once, so the journal still holds the correction.
    page.open_files([write_csv(tmp_path, line("NEXT-1"), name="next.csv")])
    if not undone:
        answer(question(loop, page), "Put it away")
    loop.until(lambda: page.session.sheet is not None and page.session.sheet is not first)
    settled(loop, page)
    loop.until(lambda: not page.has_unsaved and not page.tasks.running("keep open file"))
    assert loop.run(open_file.kept(offline_desk)) is None


@pytest.mark.parametrize("what", ["corrected", "left out", "both"])
def test_another_file_takes_the_place_of_one_that_was_worked_on_only_after_a_yes(
    loop: RunningLoop, page: BulkPage, offline_desk: Desk, tmp_path: Path, what: str
) -> None:
    open_on(loop, page, write_csv(tmp_path, *(line(f"UI-{at}") for at in range(3))))
    first = page.session.sheet
    assert first is not None
    if what != "left out":
        correct(loop, page, "38104")
    if what != "corrected":
        page.session.decide(list(first.orders)[:2], "leave")
    loop.run(page.flush())
    other = write_csv(tmp_path, line("NEXT-1"), name="next.csv")
    page.open_files([other])
    box = question(loop, page)
    assert box.informativeText() == LOST[what]
    answer(box, "Keep it open")
    loop.until(lambda: not page.tasks.running("replace file"))
    assert page.session.sheet is first
    kept = loop.run(open_file.kept(offline_desk))
    assert kept is not None
    assert (kept.count, len(kept.left_out)) == (int(what != "left out"), 2 * (what != "corrected"))
    page.open_files([other])
    answer(question(loop, page), "Put it away")
    loop.until(lambda: page.session.sheet is not None and page.session.sheet is not first)
    settled(loop, page)
    loop.until(lambda: not page.has_unsaved and not page.tasks.running("keep open file"))
    assert loop.run(open_file.kept(offline_desk)) is None
