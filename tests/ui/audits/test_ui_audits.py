"""The audits page against the practice service: the list, its conditions, an opened audit, reviews and their undo."""

import csv
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from app.desk.audits import audit_reviews
from app.desk.audits.audit_filter import Narrowing
from app.desk.audits.audit_reviews import AuditReview, Mark, PhotoReview
from app.desk.desk import Desk
from app.imaging.pixels import Pixels
from app.store.team.team_file import OthersMarks, OthersReview
from app.ui.audits.audits_page import AuditsPage
from app.ui.audits.audits_words import score_text
from app.ui.audits.list.audit_chips import CHIP_KEYS, AuditChips
from app.ui.audits.list.score_plot import Chosen
from app.ui.base.gallery import Gallery
from app.ui.base.page import PageServices
from app.ui.viewer.viewer_words import thumbnail_words
from app.ui.widgets.choosing.chip_panel import ChipPanel
from app.ui.widgets.files.choose_files import Chosen as FileChosen
from app.ui.widgets.files.choose_files import FileKind
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def page(
    gallery: Gallery, services: PageServices, show: Show, loop: RunningLoop, window_practice_desk: Desk
) -> AuditsPage:
    gallery.take_desk(window_practice_desk)
    made = AuditsPage(replace(services, pictures=lambda: gallery))
    show(made)
    made.take_desk(window_practice_desk)
    loop.until(lambda: made.refresher.result is not None and made.model.rowCount() > 5)
    loop.until(lambda: not made.tasks.running("rows") and not made.tasks.running("view counts"))
    return made


def said(page: AuditsPage) -> str:
    return page.head.count_label.text()


def cases(page: AuditsPage) -> int:
    """How many audits the plot shows."""
    plot = page.head.plot.plot
    assert plot is not None
    assert plot.cases is not None
    return len(plot.cases.at)


def open_first(page: AuditsPage, loop: RunningLoop) -> int:
    """Open the first audit of the list and wait for its questions."""
    line = page.model.line(0)
    assert line is not None
    page.show_audit(line.number)
    loop.until(lambda: page.view.states.state_text == "" and page.view.viewer.photos)
    loop.until(lambda: not page.tasks.running("order"))
    return line.number


def test_the_list_shows_what_the_provider_has_and_how_old_it_is(page: AuditsPage, loop: RunningLoop) -> None:
    assert said(page) == f"{page.model.rowCount():,} audits"
    loop.until(lambda: page.head.age_label.text().startswith("As of"))
    assert page.status_text().startswith(f"{said(page)} · as of "), "as on the page of orders"
    assert page.head.plot.accessibleDescription().startswith(said(page))
    loop.until(lambda: page.views.bar.tabs["all"].text() == f"All {page.model.rowCount()}")
    assert page.bar.text == ""


def test_typing_in_the_list_filters_it_and_a_filter_that_finds_nothing_says_so(
    page: AuditsPage, loop: RunningLoop
) -> None:
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_Z)
    QTest.keyClicks(page.head.filter, "z")
    assert page.head.filter.text() == "zz"
    loop.until(lambda: page.states.state_text == "No audit matches")
    (show_all,) = [each for each in page.states.findChildren(QPushButton) if each.text() == "Show all"]
    show_all.click()
    loop.until(lambda: page.states.state_text == "")
    assert page.head.filter.text() == ""


def test_enter_in_the_filter_selects_the_first_audit_also_with_shift_held(page: AuditsPage) -> None:
    page.head.filter.setFocus()
    page.table.clearSelection()
    QTest.keyClick(page.head.filter, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert page.table.hasFocus()
    assert [each.row() for each in page.table.selectionModel().selectedRows()] == [0]


def test_down_in_the_filter_goes_to_the_first_audit(page: AuditsPage) -> None:
    page.head.filter.setFocus()
    page.table.clearSelection()
    QTest.keyClick(page.head.filter, Qt.Key.Key_Down)
    assert page.table.hasFocus()
    assert [each.row() for each in page.table.selectionModel().selectedRows()] == [0]


def test_another_view_closes_only_the_messages_about_the_list(page: AuditsPage, loop: RunningLoop) -> None:
    page.bar.say("bad", "A note could not be saved.", topic="review 1")
    page.bar.say("warn", "Some days were not refreshed.", topic="refresh")
    page._next_unreviewed()
    assert page.bar.text_of("all reviewed")
    page.views.bar.tabs["flagged"].setChecked(True)
    loop.until(lambda: not page.tasks.running("rows"))
    assert page.bar.text_of("all reviewed") == ""
    assert page.bar.text_of("review 1") == "A note could not be saved."
    assert page.bar.text_of("refresh") == "Some days were not refreshed."


def test_a_facility_is_chosen_from_the_ranks_and_cleared_by_its_chip(page: AuditsPage, loop: RunningLoop) -> None:
    everything = page.model.rowCount()
    dots = cases(page)
    name = page.head.ranks._model.ranks[0].name
    page.head.ranks.chosen.emit(name)
    loop.until(lambda: page.model.rowCount() < everything)
    lines = [page.model.line(at) for at in range(page.model.rowCount())]
    assert {line.facility for line in lines if line is not None} == {name}
    assert cases(page) == dots  # what lies around stays in sight
    chip = page.head.chips.buttons["facility"]
    assert chip.accessibleName() == f"Facility: {name}"
    QTest.keyClick(chip, Qt.Key.Key_Delete)
    loop.until(lambda: page.model.rowCount() == everything)
    assert chip.text() == "Facility ▾"


def test_dragging_over_the_plot_narrows_the_list_to_those_days_and_scores(page: AuditsPage, loop: RunningLoop) -> None:
    plot, everything = page.head.plot.viewport(), page.model.rowCount()
    assert page.head.plot._laid is not None
    area = page.head.plot._laid.area
    start = QPointF(area.left() + 2, area.center().y()).toPoint()
    end = QPointF(area.right() - 2, area.bottom() - 1).toPoint()
    QTest.mousePress(plot, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(plot, end)
    QTest.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=end)
    narrowing = narrowed(page)
    assert narrowing.days
    loop.until(lambda: not page.tasks.running("rows"))
    assert page.model.rowCount() < everything
    assert page._query().highest == pytest.approx(50, abs=2)
    assert f"{page._query().first}..{page._query().last}" == narrowing.days
    QTest.keyClick(page.head.chips.buttons["days"], Qt.Key.Key_Backspace)
    assert narrowed(page) == Narrowing(score=narrowing.score)


def narrowed(page: AuditsPage) -> Narrowing:
    return page.views.state.shown.narrowing


def opened_panel(chips: AuditChips, name: str) -> ChipPanel:
    chips.buttons[name].click()
    assert chips.panel is not None
    return chips.panel


def test_types_are_chosen_from_a_chip_with_their_counts_and_scores_are_typed(
    page: AuditsPage, loop: RunningLoop
) -> None:
    everything, chips = page.model.rowCount(), page.head.chips
    panel = opened_panel(chips, "kind")
    loop.until(lambda: panel.list.count() == 4)
    words = panel.list.item(0).text()
    panel.list.item(0).setCheckState(Qt.CheckState.Checked)
    loop.until(lambda: page.model.rowCount() < everything)
    assert words == f"{narrowed(page).kind[0]}  {page.model.rowCount():,}"
    QTest.keyClick(panel, Qt.Key.Key_Escape)
    panel = opened_panel(chips, "days")
    panel.sought.setText("no day")
    QTest.keyClick(panel.sought, Qt.Key.Key_Return)
    assert "Days are written like" in panel.note.text()
    panel.list.item(2).setCheckState(Qt.CheckState.Checked)
    assert panel.note.text() == ""
    first, last = page._query().first, page._query().last
    assert first is not None
    assert last is not None
    assert (narrowed(page).days, first.weekday(), (last - first).days) == ("last week", 0, 6)
    QTest.keyClick(panel, Qt.Key.Key_Escape)
    assert chips.buttons["days"].property("on")
    panel = opened_panel(chips, "score")
    panel.sought.setText("many")
    QTest.keyClick(panel.sought, Qt.Key.Key_Return)
    assert panel.note.text() == "Scores are written like 40..70, ..60 or 80.."
    panel.sought.setText("95..60")
    QTest.keyClick(panel.sought, Qt.Key.Key_Return)
    assert panel.note.text() == ""
    assert narrowed(page).score == "60..95"
    loop.until(lambda: not page.tasks.running("rows"))
    assert chips.buttons["score"].accessibleName() == "Score 60 to 95"


def test_the_plot_works_by_keys_alone(page: AuditsPage, loop: RunningLoop) -> None:
    plot, everything = page.head.plot, page.model.rowCount()
    told: list[Chosen | None] = []
    page.head.scores_chosen.connect(told.append)
    plot.setFocus()
    QTest.keyClick(plot, Qt.Key.Key_End)
    QTest.keyClick(plot, Qt.Key.Key_Left)
    assert "mean" in plot.value_words()
    QTest.keyClick(plot, Qt.Key.Key_Left, SHIFT)
    assert plot.accessibleDescription().endswith("Enter shows these.")
    QTest.keyClick(plot, Qt.Key.Key_Return)
    assert told[-1] is not None
    assert (told[-1].last - told[-1].first).days == 13
    loop.until(lambda: page.model.rowCount() < everything)
    loop.until(lambda: not page.tasks.running("rows"))
    QTest.keyClick(plot, Qt.Key.Key_Escape)
    loop.until(lambda: page.model.rowCount() == everything)
    QTest.keyClick(plot, Qt.Key.Key_End)
    QTest.keyClick(plot, Qt.Key.Key_Return)  # one week
    assert told[-1] is not None
    assert told[-1].first.weekday() == 0
    assert (told[-1].last - told[-1].first).days == 6
    loop.until(lambda: page.model.rowCount() < everything)
    loop.until(lambda: not page.tasks.running("rows"))
    QTest.keyClick(plot, Qt.Key.Key_Escape)
    loop.until(lambda: page.model.rowCount() == everything)


def test_a_click_on_a_dot_opens_its_audit(page: AuditsPage) -> None:
    plot = page.head.plot
    assert plot._laid is not None
    line = page.model.line(0)
    assert line is not None
    assert plot.plot is not None
    assert plot.plot.cases is not None
    newest = max(range(len(plot.plot.cases.at)), key=plot.plot.cases.at.__getitem__)
    QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=plot._laid.cases[newest].toPoint())
    assert page.view.number is not None
    opened = plot.plot.cases.words(newest)
    assert opened.startswith(f"Audit {page.view.number} ·")


def test_the_plot_is_saved_as_a_table_of_its_audits_and_weeks(
    page: AuditsPage, loop: RunningLoop, tmp_path: Path
) -> None:
    async def choose(_parent: object, _title: str, name: str, kinds: Sequence[FileKind], _folder: object) -> FileChosen:
        kind = next(each for each in kinds if each.ending == "csv")
        return FileChosen(folder / f"{name}.csv", kind, replace=False)

    folder = tmp_path / "out"
    folder.mkdir()
    page.files.strip._choose = choose
    page.head.save_plot_button.click()
    loop.until(lambda: not page.files.strip.busy and bool(page.files.strip.bar.text))
    (target,) = folder.iterdir()
    assert target.name.startswith("Waybill Scores over time")
    rows = list(csv.DictReader(target.read_text("utf-8-sig").splitlines()))
    assert sum(row["Kind"] == "Audit" for row in rows) == cases(page)
    plot = page.head.plot.plot
    assert plot is not None
    assert sum(row["Kind"] == "Mean of the week" for row in rows) == len(list(plot.marks()))


def test_sorting_by_score_shows_the_worst_first(page: AuditsPage, loop: RunningLoop) -> None:
    page.table.horizontalHeader().sectionClicked.emit(0)
    loop.until(lambda: not page.tasks.running("rows"))
    scores = [line.score for at in range(5) if (line := page.model.line(at)) is not None]
    assert scores == sorted(score for score in scores if score is not None)


def test_an_audit_opens_with_its_questions_and_photos_and_goes_back_to_its_row(
    page: AuditsPage, gallery: Gallery, loop: RunningLoop
) -> None:
    page.table.setFocus()
    page.table.selectRow(1)
    QTest.keyClick(page.table, Qt.Key.Key_Return)
    loop.until(lambda: page.view.viewer.photos)
    line = page.model.line(1)
    assert line is not None
    assert page.view.number == line.number
    assert page.view.title.text() == f"Audit {line.number}"
    assert page.view.questions.questions.answers
    pane = page.view.viewer.panes[0]
    loop.until(lambda: isinstance(pane.pixels, Pixels), seconds=60)
    assert pane.is_sharp()
    assert "×" in page.view.viewer.facts.text()
    assert page.status_text().startswith(f"Audit {line.number}")
    QTest.keyClick(page.view.questions, Qt.Key.Key_Escape)
    assert page.stack.currentIndex() == 0
    assert page._told_status == page.status_text() != "", "the status bar speaks of the list again"
    assert page.table.hasFocus()
    assert page.table.currentIndex().row() == 1


def test_marking_as_reviewed_opens_the_next_unreviewed_audit_and_can_be_undone(
    page: AuditsPage, loop: RunningLoop
) -> None:
    first = open_first(page, loop)
    QTest.keyClick(page.view.questions, Qt.Key.Key_E)
    second = page.view.number
    assert second is not None
    assert second != first
    loop.until(lambda: first in page._marked().reviewed)
    left = page.views.bar.tabs["not reviewed"]
    loop.until(lambda: left.text() == f"Not reviewed {page.model.rowCount() - 1}")
    QTest.keyClick(page.view.questions, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    loop.until(lambda: first not in page._marked().reviewed)
    assert str(first) in page.bar.text
    assert loop.run(audit_reviews.reviews_of(page.desk, first)).audit == AuditReview()


def test_what_is_undone_is_said_and_shown_wherever_one_is(page: AuditsPage, loop: RunningLoop) -> None:
    first = open_first(page, loop)
    view = page.view
    photo = view.viewer.photos[1]
    view.viewer.go(1)
    QTest.keyClick(view.questions, Qt.Key.Key_F)
    QTest.keyClick(view.questions, Qt.Key.Key_E)
    assert view.number != first
    loop.until(lambda: not page.tasks.busy)
    QTest.keyClick(view.questions, Qt.Key.Key_Z, CTRL)
    assert view.number == first, "the audit whose mark was taken back is shown"
    assert page.bar.text == f"Undone in audit {first}: the mark as reviewed."
    loop.until(lambda: not page.tasks.busy)
    assert not view.review_row.reviewed.isChecked()
    QTest.keyClick(view.questions, Qt.Key.Key_Escape)
    QTest.keyClick(page.table, Qt.Key.Key_Z, CTRL)  # from the list
    assert page.stack.currentWidget() is view
    assert page.bar.text == f"Undone in audit {first}: the flag of a photo."
    loop.until(lambda: not page.tasks.busy)
    assert view.viewer.photo == photo, "the photo that has no flag any more is shown"
    assert view.questions.place() == photo.place
    assert loop.run(audit_reviews.reviews_of(page.desk, first)).photos == {}
    QTest.keyClick(view.questions, Qt.Key.Key_Y, CTRL)
    assert page.bar.text == f"Made again in audit {first}: the flag of a photo."
    loop.until(lambda: not page.tasks.busy)
    assert loop.run(audit_reviews.reviews_of(page.desk, first)).photos == {photo.address: PhotoReview(flagged=True)}


def test_a_review_that_was_not_read_yet_is_never_replaced(page: AuditsPage, loop: RunningLoop) -> None:
    """Keys that are quicker than the disk are not lost, and lose nothing."""
    numbers = [line.number for at in range(3) if (line := page.model.line(at)) is not None]
    for number in numbers:
        loop.run(audit_reviews.save_audit_review(page.desk, number, AuditReview(note=f"note of {number}")))
    open_first(page, loop)
    for key in (Qt.Key.Key_E, Qt.Key.Key_E):
        QTest.keyClick(page.view.questions, key)  # the second audit is not read yet
    QTest.keyClick(page.view.questions, Qt.Key.Key_F, Qt.KeyboardModifier.ShiftModifier)
    loop.until(lambda: page.view.number == numbers[2] and not page.tasks.busy)
    told = [loop.run(audit_reviews.reviews_of(page.desk, number)).audit for number in numbers]
    assert told == [
        AuditReview(reviewed=True, note=f"note of {numbers[0]}"),
        AuditReview(reviewed=True, note=f"note of {numbers[1]}"),
        AuditReview(flagged=True, note=f"note of {numbers[2]}"),
    ]


def test_flags_and_notes_of_audit_and_photo_are_saved(page: AuditsPage, loop: RunningLoop) -> None:
    number = open_first(page, loop)
    view = page.view
    photo = view.viewer.photo
    assert photo is not None
    QTest.keyClick(view.questions, Qt.Key.Key_F)
    QTest.keyClick(view.questions, Qt.Key.Key_F, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(view.questions, Qt.Key.Key_Q)
    assert view.review_row.note.hasFocus()
    QTest.keyClicks(view.review_row.note, "ask Denise, W S A D")
    QTest.keyClick(view.review_row.note, Qt.Key.Key_Return)
    view.questions.setFocus()
    QTest.keyClick(view.questions, Qt.Key.Key_Q, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(view.review_row.photo_note, "corner crushed")
    view.questions.setFocus()
    loop.until(lambda: not page.tasks.busy)
    told = loop.run(audit_reviews.reviews_of(page.desk, number))
    assert told.audit == AuditReview(flagged=True, note="ask Denise, W S A D")
    assert told.photos == {photo.address: PhotoReview(flagged=True, note="corner crushed")}
    assert number in page._marked().flagged
    QTest.keyClick(view.questions, Qt.Key.Key_Escape)
    page.views.bar.tabs["flagged"].setChecked(True)
    loop.until(lambda: page.model.rowCount() == 1)


def test_turns_and_marks_are_saved_and_undone(page: AuditsPage, loop: RunningLoop) -> None:
    number = open_first(page, loop)
    viewer = page.view.viewer
    pane, photo = viewer.panes[0], viewer.photo
    assert photo is not None
    loop.until(lambda: pane.pixels is not None, seconds=60)
    QTest.keyClick(page.view.questions, Qt.Key.Key_R)
    loop.until(pane.is_sharp, seconds=60)
    QTest.keyClick(page.view.questions, Qt.Key.Key_B)
    middle = pane.rect().center()
    QTest.mousePress(pane, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(pane, middle + (pane.rect().bottomRight() - middle) / 5)
    QTest.mouseRelease(pane, Qt.MouseButton.LeftButton, pos=middle + (pane.rect().bottomRight() - middle) / 5)
    loop.until(lambda: not page.tasks.busy)
    review = loop.run(audit_reviews.reviews_of(page.desk, number)).photos[photo.address]
    assert review.turned == 90
    (mark,) = review.marks
    assert mark.kind == "box"
    assert mark.x == pytest.approx(0.5, abs=0.02)
    assert mark.y == pytest.approx(0.5, abs=0.02)
    for _ in range(2):
        QTest.keyClick(page.view.questions, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    loop.until(lambda: not page.tasks.busy)
    assert loop.run(audit_reviews.reviews_of(page.desk, number)).photos == {}
    for _ in range(3):
        QTest.keyClick(page.view.questions, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    loop.until(lambda: not page.tasks.busy)
    assert loop.run(audit_reviews.reviews_of(page.desk, number)).photos[photo.address] == review


def test_words_are_typed_where_they_are_to_stand(page: AuditsPage, loop: RunningLoop) -> None:
    number = open_first(page, loop)
    viewer = page.view.viewer
    pane, photo = viewer.panes[0], viewer.photo
    assert photo is not None
    loop.until(lambda: pane.pixels is not None, seconds=60)
    QTest.keyClick(page.view.questions, Qt.Key.Key_T)
    QTest.mouseClick(pane, Qt.MouseButton.LeftButton, pos=pane.rect().center())
    QTest.keyClicks(viewer.mark_text, "torn here")
    QTest.keyClick(viewer.mark_text, Qt.Key.Key_Return)
    loop.until(lambda: not page.tasks.busy)
    (mark,) = loop.run(audit_reviews.reviews_of(page.desk, number)).photos[photo.address].marks
    assert mark == replace(mark, kind="text", text="torn here")
    assert isinstance(mark, Mark)
    assert viewer.mark_text.isHidden()


def test_look_and_place_hold_from_photo_to_photo_and_side_by_side(page: AuditsPage, loop: RunningLoop) -> None:
    open_first(page, loop)
    viewer = page.view.viewer
    loop.until(lambda: viewer.panes[0].pixels is not None, seconds=60)
    QTest.keyClick(page.view.questions, Qt.Key.Key_2)
    viewer.panes[0].pan(-40, -30)
    look = viewer._look
    assert look.zoom == 1.0
    QTest.keyClick(page.view.questions, Qt.Key.Key_D)
    assert viewer._at == 1
    assert viewer._look == look
    QTest.keyClick(page.view.questions, Qt.Key.Key_C)
    assert [each.isVisible() for each in viewer.panes] == [True, True, False, False]
    assert {each.look for each in viewer.panes[:2]} == {look}
    QTest.keyClick(page.view.questions, Qt.Key.Key_1)
    assert {each.look.zoom for each in viewer.panes[:2]} == {None}
    loop.until(lambda: all(each.is_sharp() for each in viewer.panes[:2]), seconds=60)


def test_only_low_and_failed_answers_and_a_search_narrow_the_questions(page: AuditsPage, loop: RunningLoop) -> None:
    page.table.horizontalHeader().sectionClicked.emit(0)  # the worst first
    loop.until(lambda: not page.tasks.running("rows"))
    open_first(page, loop)
    model = page.view.questions.questions
    everything = model.rowCount()
    QTest.keyClick(page.view.questions, Qt.Key.Key_X)
    assert 0 < model.rowCount() < everything
    assert {model.judged[line.place] for line in model.lines if line.place is not None} <= {"low", "failed"}
    first = next(line.place for line in model.lines if line.place is not None)
    assert page.view.questions.place() == first, "the first hit is shown at once"
    QTest.keyClick(page.view.questions, Qt.Key.Key_X)
    page.view.search.setText("zzz")
    assert model.rowCount() == 0


def test_the_score_is_large_and_in_its_colour_and_photos_of_low_answers_have_a_dot(
    page: AuditsPage, loop: RunningLoop
) -> None:
    page.table.horizontalHeader().sectionClicked.emit(0)  # the worst first
    loop.until(lambda: not page.tasks.running("rows"))
    open_first(page, loop)
    loop.until(page.view.score.text)
    worst = page.model.line(0)
    assert worst is not None
    assert page.view.score.text() == f"Score {score_text(worst.score)}"
    assert worst.score is not None
    assert page.view.score.property("tone") == page.model.scale.tone(worst.score)
    model, photos = page.view.questions.questions, page.view.viewer.photos
    assert {each.place for each in photos if each.poor} == {
        each.place for each in photos if model.judged[each.place] in ("low", "failed")
    }
    assert any(each.poor for each in photos)
    assert not all(each.poor for each in photos)
    spoken = [thumbnail_words(at, each) for at, each in enumerate(photos, 1) if each.poor]
    assert all("low or failed" in each for each in spoken)


def test_the_whole_screen_is_asked_for_and_given_back(page: AuditsPage, loop: RunningLoop) -> None:
    open_first(page, loop)
    told: list[bool] = []
    page.services.news.full_screen.connect(told.append)
    QTest.keyClick(page.view.questions, Qt.Key.Key_F11)
    assert page.view.heading.isHidden()
    QTest.keyClick(page.view.viewer, Qt.Key.Key_Escape)
    assert not page.view.heading.isHidden()
    assert told == [True, False]
    assert page.stack.currentWidget() is page.view


def test_on_the_whole_screen_photos_are_flagged_and_noted_by_the_same_keys(page: AuditsPage, loop: RunningLoop) -> None:
    open_first(page, loop)
    view, row = page.view, page.view.review_row
    view.questions.setFocus()
    QTest.keyClick(view.questions, Qt.Key.Key_F11)
    loop.until(view.viewer.panes[0].hasFocus)
    QTest.keyClick(view.viewer.panes[0], Qt.Key.Key_F)
    assert row.isVisible()
    assert row.flag_photo.text() == "⚑ Photo flagged"
    QTest.keyClick(view.viewer.panes[0], Qt.Key.Key_Q, Qt.KeyboardModifier.ShiftModifier)
    assert row.photo_note.hasFocus()
    QTest.keyClicks(row.photo_note, "torn")
    QTest.keyClick(row.photo_note, Qt.Key.Key_Return)
    assert view.viewer.panes[0].hasFocus()
    address = view.viewer.photos[0].address
    loop.until(lambda: view.edits.photo(address) == PhotoReview(flagged=True, note="torn"))


def test_another_page_gives_the_whole_screen_back(page: AuditsPage, loop: RunningLoop) -> None:
    open_first(page, loop)
    told: list[bool] = []
    page.services.news.full_screen.connect(told.append)
    QTest.keyClick(page.view.questions, Qt.Key.Key_F11)
    page.hide()
    page.show()
    assert told == [True, False]
    assert page.view.heading.isVisible()
    assert page.view.left_side.isVisible()


def test_the_order_of_an_audit_is_one_press_away(page: AuditsPage, loop: RunningLoop) -> None:
    open_first(page, loop)
    told: list[int] = []
    page.services.news.show_order.connect(told.append)
    page.view.order.click()
    QTest.keyClick(page.view.questions, Qt.Key.Key_O)
    assert len(told) == 2
    assert page.view.order.text() == f"Order {told[0]}"


@pytest.mark.parametrize(("key", "name"), CHIP_KEYS)
def test_each_chip_opens_by_its_key(page: AuditsPage, loop: RunningLoop, key: str, name: str) -> None:
    QTest.keySequence(page.table, QKeySequence(key))
    panel = page.head.chips.panel
    assert panel is not None
    assert panel.isVisible()
    assert panel._chip.name == name
    panel.close_now()
    loop.until(lambda: not page.tasks.busy)


def test_one_question_is_looked_at_over_all_audits(page: AuditsPage, loop: RunningLoop) -> None:
    open_first(page, loop)
    question = page.view.questions.questions.answers[0].question
    QTest.keyClick(page.view.questions, Qt.Key.Key_Z)
    lens = page.lens
    loop.until(lambda: len(lens.model.rows) == 1)
    assert page.stack.currentWidget() is lens
    assert lens.question.currentData() == question
    assert "more audits" in lens.missing.text()
    lens.missing.click()
    loop.until(lambda: not lens.stop.isHidden() or len(lens.model.rows) > 1)
    loop.until(lambda: len(lens.model.rows) > 1, seconds=60)
    loop.until(lambda: lens.missing.isHidden() and lens.stop.isHidden())
    assert lens.summary.text().startswith(f"{len(lens.model.rows):,} answers")
    lens.table.horizontalHeader().sectionClicked.emit(1)
    loop.until(lambda: not page.tasks.running("questions"))
    scores = [each.audit.score for each in lens.model.rows]
    assert scores == sorted(score for score in scores if score is not None)
    with_photo = [at for at, each in enumerate(lens.model.rows) if each.photo]
    lens.table.selectRow(with_photo[-1])
    photo = lens.viewer.photo
    assert photo is not None
    assert photo.place == with_photo[-1]
    QTest.keyClick(lens.table, Qt.Key.Key_A)
    assert lens.table.currentIndex().row() == with_photo[-2]
    number = lens.model.rows[with_photo[-2]].audit.number
    QTest.keyClick(lens.table, Qt.Key.Key_R)
    loop.until(lambda: not page.tasks.busy)
    address = lens.model.rows[with_photo[-2]].photo
    assert address is not None
    assert loop.run(audit_reviews.reviews_of(page.desk, number)).photos[address].turned == 90
    QTest.keyClick(lens.table, Qt.Key.Key_S)
    QTest.keyClick(lens.table, Qt.Key.Key_Z, CTRL)
    loop.until(lambda: not page.tasks.busy)
    assert loop.run(audit_reviews.reviews_of(page.desk, number)).photos == {}
    assert page.stack.currentWidget() is lens, "it is shown where one is"
    assert lens.table.currentIndex().row() == with_photo[-2]
    assert lens.viewer.photo is not None
    assert lens.viewer.photo.review.turned == 0
    QTest.keyClick(lens.table, Qt.Key.Key_Return)
    assert page.view.number == number
    QTest.keyClick(page.view, Qt.Key.Key_Escape)
    assert page.stack.currentIndex() == 0


def test_fetching_questions_can_be_stopped_and_fetched_ones_stay(page: AuditsPage, loop: RunningLoop) -> None:
    page.head.lens_button.click()
    lens = page.lens
    loop.until(lambda: lens.states.state_text.startswith("No answers yet"))
    lens._fetch_missing()
    loop.until(lambda: lens.progress.value() > 2)
    lens.stop.click()
    loop.until(lambda: not page.tasks.running("fetch questions"))
    lens._on_question()
    loop.until(lambda: not page.tasks.running("questions"))
    assert lens.stop.isHidden()
    page._show_lens_of_list()
    loop.until(lambda: len(lens.model.rows) > 0)


def test_the_status_bar_names_the_question_in_sight(page: AuditsPage, loop: RunningLoop) -> None:
    lens = page.lens
    page._show_lens_of_list()
    loop.until(lambda: lens.states.state_text.startswith("No answers yet"))
    lens._fetch_missing()
    loop.until(lambda: lens.question.count() > 1 and not page.tasks.busy)
    for place in range(2):
        lens.question.setCurrentIndex(place)
        loop.until(lambda: not page.tasks.running("questions"))
        assert page._told_status == f"{lens.question.itemText(place)} · {lens.summary.text()}"
    page._show_list()
    assert page._told_status == page.status_text()
    assert "audits" in page.status_text()


def test_an_audit_without_a_low_answer_says_so_instead_of_showing_nothing(page: AuditsPage, loop: RunningLoop) -> None:
    page.table.horizontalHeader().sectionClicked.emit(0)
    loop.until(lambda: not page.tasks.running("rows"))
    page.table.horizontalHeader().sectionClicked.emit(0)  # the best first
    loop.until(lambda: not page.tasks.running("rows"))
    open_first(page, loop)
    page.view.poor.click()
    assert page.view.states.state_text == "No answer is low or failed"
    page.view.poor.click()
    page.view.search.setText("zzz")
    assert page.view.states.state_text == "No question matches"
    (show_all,) = [each for each in page.view.states.findChildren(QPushButton) if each.text() == "Show all"]
    show_all.click()
    assert page.view.states.state_text == ""
    assert page.view.questions.hasFocus()


def test_a_note_being_typed_is_saved_when_the_window_closes(page: AuditsPage, loop: RunningLoop) -> None:
    number = open_first(page, loop)
    page.view.review_row.note.setFocus()
    QTest.keyClicks(page.view.review_row.note, "half a no")
    assert loop.run(page.flush()) == ""
    assert loop.run(audit_reviews.reviews_of(page.desk, number)).audit.note == "half a no"


def test_an_edit_that_cannot_be_saved_is_reported_and_not_shown_as_saved(page: AuditsPage, loop: RunningLoop) -> None:
    number = open_first(page, loop)
    photo = page.view.viewer.photo
    assert photo is not None
    loop.run(page.desk.journal.close())
    page.view.review_row.toggle_photo_flag()
    page.view.review_row.note.setText("cannot be kept")
    assert loop.run(page.flush()) != ""
    assert f"audit {number} could not be saved" in page.bar.text
    assert page.unsaved_text() == f"Audit {number}: cannot be kept"


def test_two_photos_are_flagged_and_noted_one_after_the_other(page: AuditsPage, loop: RunningLoop) -> None:
    number = open_first(page, loop)
    view = page.view
    first, second, *_ = view.viewer.photos
    for keys in "f", "df":
        QTest.keyClicks(view.questions, keys)
        QTest.keyClick(view.questions, Qt.Key.Key_Q, Qt.KeyboardModifier.ShiftModifier)
        assert view.review_row.photo_note.hasFocus()
        QTest.keyClicks(view.review_row.photo_note, "corner crushed")
        QTest.keyClick(view.review_row.photo_note, Qt.Key.Key_Return)
        assert view.questions.hasFocus()
    loop.until(lambda: not page.tasks.busy)
    said_now = PhotoReview(flagged=True, note="corner crushed")
    assert loop.run(audit_reviews.reviews_of(page.desk, number)).photos == {
        first.address: said_now,
        second.address: said_now,
    }


def test_the_photo_beside_a_low_answer_is_that_answers(page: AuditsPage, loop: RunningLoop) -> None:
    page.table.horizontalHeader().sectionClicked.emit(0)  # the worst first
    loop.until(lambda: not page.tasks.running("rows"))
    open_first(page, loop)
    QTest.keyClick(page.view.questions, Qt.Key.Key_X)
    view = page.view
    for _ in range(4):
        place, photo = view.questions.place(), view.viewer.photo
        assert photo is not None
        with_photo = {each.place for each in view.viewer.photos}
        assert place is None or place not in with_photo or photo.place == place
        QTest.keyClick(view.questions, Qt.Key.Key_D)
        photo = view.viewer.photo
        assert photo is not None
        assert view.questions.place() in (None, photo.place)
        QTest.keyClick(view.questions, Qt.Key.Key_S, Qt.KeyboardModifier.ShiftModifier)
        loop.until(lambda: bool(view.viewer.photos) and not page.tasks.running("audit"))


def says(page: AuditsPage, words: str) -> bool:
    return page.view.progress.whole.endswith(words)


def test_how_many_are_left_is_counted_as_one_goes_on(page: AuditsPage, loop: RunningLoop) -> None:
    open_first(page, loop)
    loop.until(lambda: "not reviewed" in page.view.progress.whole)
    count = page.model.rowCount()
    for left in range(count - 1, count - 4, -1):
        loop.until(lambda: not page.tasks.running("audit"))
        QTest.keyClick(page.view.questions, Qt.Key.Key_E)
        loop.until(partial(says, page, f"· {left:,} not reviewed"))


def test_coming_back_to_the_page_gives_the_keys_to_what_it_shows(page: AuditsPage, loop: RunningLoop) -> None:
    open_first(page, loop)
    page.view.order.setFocus()
    page.enter()
    loop.until(page.view.questions.hasFocus)


# A team


class Team:
    """What the others of a team made of audits, and which they have open."""

    def __init__(self) -> None:
        self.said: list[OthersReview] = []
        self.open: dict[str, list[str]] = {}
        self.told: list[tuple[str, str]] = []

    def at_work(self, _doing: str) -> dict[str, list[str]]:
        return self.open

    def be_present(self, subject: str, doing: str) -> None:
        self.told.append((subject, doing))

    async def reviews_of(self, audit: int) -> list[OthersReview]:
        return [each for each in self.said if each.audit == audit]

    async def marked_audits(self) -> OthersMarks:
        reviewed = {each.audit: each.person for each in self.said if "reviewed" in each.body}
        return OthersMarks(reviewed, frozenset(), frozenset())


def test_a_pile_is_divided_nobody_is_sent_where_another_reviews(page: AuditsPage, loop: RunningLoop) -> None:
    team = Team()
    page.desk.team = team  # type: ignore[assignment]
    numbers = [line.number for at in range(5) if (line := page.model.line(at)) is not None]
    at = datetime(2026, 11, 21, 14, 2, tzinfo=UTC)
    team.said = [
        OthersReview("Ben Okafor", numbers[1], "", '{"reviewed": true, "flagged": true}', at),
        OthersReview("Ben Okafor", numbers[1], "/a.jpg", '{"note": "corner", "noted": true}', at),
    ]
    team.open = {str(numbers[2]): ["Cleo"]}
    page.services.news.others_reviewed.emit()
    loop.until(lambda: "✓ Reviewed by Ben Okafor" in str(page.model.index(1, page.model.columnCount() - 1).data()))
    assert numbers[1] in page._marked().reviewed
    open_first(page, loop)
    loop.until(lambda: team.told == [(str(numbers[0]), "reviewing")])
    assert page.view.team_label.isHidden()
    QTest.keyClick(page.view.questions, Qt.Key.Key_E)
    assert page.view.number == numbers[3]  # the second is reviewed, the third is open at Cleo's
    loop.until(lambda: team.told[1:] == [(str(numbers[0]), ""), (str(numbers[3]), "reviewing")])
    team.open = {str(numbers[3]): ["Cleo"]}
    page.services.news.presence.emit()
    assert page.view.team_label.text() == "! Cleo is looking at this audit."
    page.show_audit(numbers[1])
    loop.until(lambda: "Ben Okafor" in page.view.team_label.text())
    first, second = page.view.team_label.text().splitlines()
    assert first.startswith("Ben Okafor, ")
    assert first.endswith("✓ Reviewed · ⚑ Flagged")
    assert second.endswith("Photo: ✎ corner")  # which the audit does not show any more
    QTest.keyClick(page.view.questions, Qt.Key.Key_Escape)
    assert page.view.team_label.isHidden()


def test_no_message_covers_the_film_strip(page: AuditsPage, loop: RunningLoop) -> None:
    open_first(page, loop)
    strip = page.view.viewer.strip
    assert strip.isVisible()
    page.bar.say("warn", "Something happened.")
    loop.rest()
    place = QRect(strip.mapTo(page, QPoint(0, 0)), strip.size())
    assert page.bar.isVisible()
    assert page.bar.geometry().bottom() < place.top()


def test_who_reviews_the_last_audit_hears_that_others_have_the_rest_open(page: AuditsPage, loop: RunningLoop) -> None:
    team = Team()
    page.desk.team = team  # type: ignore[assignment]
    first = open_first(page, loop)
    loop.until(lambda: page._order)
    team.open = {str(number): ["Cleo"] for number in page._order if number != first}
    QTest.keyClick(page.view.questions, Qt.Key.Key_E)
    assert page.bar.text == "Every audit that is left is open at somebody else of the team."
    assert page.view.number == first


def test_a_review_that_is_saved_is_told_to_the_team(page: AuditsPage, loop: RunningLoop) -> None:
    told: list[bool] = []
    page.services.news.reviewed.connect(lambda: told.append(True))
    open_first(page, loop)
    QTest.keyClick(page.view.questions, Qt.Key.Key_F, Qt.KeyboardModifier.ShiftModifier)
    loop.until(lambda: told)
