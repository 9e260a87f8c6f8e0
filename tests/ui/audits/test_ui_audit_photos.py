"""The photo on screen is that of the marked answer, in one audit and across audits; without one, none is shown."""

from datetime import datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.desk.desk import Desk
from app.store.cache.audits.audit_rows import AnswerFacts, AuditDetailRow, AuditHead, AuditLine, LensRow
from app.ui.audits.lens.question_lens import QuestionLens
from app.ui.audits.opened.opened_audit import AuditView
from app.ui.base.page import PageServices
from app.ui.viewer.photo_viewer import PhotoViewer
from tests.support.loop import RunningLoop
from tests.ui.audits.audits_help import lens_of
from tests.ui.conftest import Show

NOW = datetime(2026, 11, 24, 14, 2)
LINE = AuditLine(7, NOW, "Loading", "F012", "Acme", 81.5, "771002", True)
NONE = "This answer has no photo."


@pytest.fixture
def lens(services_with_pictures: PageServices, show: Show, window_desk: Desk) -> QuestionLens:
    services = services_with_pictures
    made = lens_of(services)
    show(made)
    made.take_desk(window_desk)
    return made


def tell(view: AuditView, *answers: tuple[str, str]) -> None:
    """Show an audit with these answers, each with the address of its photo or an empty text."""
    told = tuple(
        AnswerFacts(f"LD-{at:02}", "Is it?", answer, photo or None) for at, (answer, photo) in enumerate(answers)
    )
    view._show(AuditDetailRow(LINE, AuditHead("Jo", "jo@example.com", None, "771002"), told, NOW, NOW))


def answered(number: int, photo: str | None) -> LensRow:
    """The answer of an audit."""
    return LensRow(LINE._replace(number=number), 0, "Is it?", "Yes", photo)


def shown(viewer: PhotoViewer) -> list[str]:
    """The addresses of the photos on the screen, from left to right."""
    return [pane.photo.address for pane in viewer.panes if pane.isVisible() and pane.photo is not None]


def framed(viewer: PhotoViewer) -> list[str]:
    """The photos with a frame: those of the film strip that are on the screen."""
    return [viewer.photos[at].address for at in viewer.strip.strip.shown]


def test_an_audit_opens_at_the_first_answer_with_a_photo(view: AuditView) -> None:
    tell(view, ("Yes", ""), ("Yes", ""), ("No", "a.jpg"), ("Yes", "b.jpg"))
    assert view.questions.place() == 2
    assert shown(view.viewer) == ["a.jpg"]


def test_an_answer_without_a_photo_shows_none_and_the_photos_around_it_are_a_step_away(view: AuditView) -> None:
    tell(view, ("Yes", "a.jpg"), ("Yes", ""), ("No", ""), ("Yes", "b.jpg"))
    viewer = view.viewer
    QTest.keyClick(view, Qt.Key.Key_S)
    assert (view.questions.place(), shown(viewer), framed(viewer)) == (1, [], [])
    assert viewer.panes[0].empty_texts() == (NONE,)
    assert viewer.facts.text() == NONE
    assert not view.review_row.flag_photo.isEnabled(), "no photo is on the screen"
    QTest.keyClick(view, Qt.Key.Key_D)
    assert (view.questions.place(), shown(viewer)) == (3, ["b.jpg"])
    assert view.review_row.flag_photo.isEnabled()
    QTest.keyClick(view, Qt.Key.Key_W)
    QTest.keyClick(view, Qt.Key.Key_A)
    assert (view.questions.place(), shown(viewer)) == (0, ["a.jpg"])


def test_before_the_first_photo_the_next_one_is_the_first(view: AuditView) -> None:
    tell(view, ("Yes", ""), ("Yes", "a.jpg"), ("No", "b.jpg"))
    QTest.keyClick(view, Qt.Key.Key_W)
    assert (view.questions.place(), shown(view.viewer)) == (0, [])
    QTest.keyClick(view, Qt.Key.Key_A)
    assert shown(view.viewer) == [], "none stands before"
    QTest.keyClick(view, Qt.Key.Key_D)
    assert (view.questions.place(), shown(view.viewer)) == (1, ["a.jpg"])


def test_side_by_side_the_photos_stay_and_none_is_framed(view: AuditView) -> None:
    tell(view, ("Yes", "a.jpg"), ("Yes", ""), ("No", "b.jpg"))
    QTest.keyClick(view, Qt.Key.Key_C)
    QTest.keyClick(view, Qt.Key.Key_S)
    assert shown(view.viewer) == ["a.jpg", "b.jpg"]
    assert not any(pane.current for pane in view.viewer.panes)
    QTest.keyClick(view, Qt.Key.Key_S)
    assert [pane.current for pane in view.viewer.panes[:2]] == [False, True]


def test_the_next_audit_opens_at_its_first_low_answer_while_only_those_are_listed(view: AuditView) -> None:
    tell(view, ("Yes", "a.jpg"), ("No", "b.jpg"))
    QTest.keyClick(view, Qt.Key.Key_X)
    view.close_audit()
    tell(view, ("Yes", "c.jpg"), ("Yes", "d.jpg"), ("No", "e.jpg"), ("Partly", ""))
    assert (view.questions.place(), shown(view.viewer)) == (2, ["e.jpg"])
    view.close_audit()
    tell(view, ("Yes", "f.jpg"), ("Partly", ""))
    assert (view.questions.place(), shown(view.viewer)) == (1, [])


def test_across_audits_the_marked_row_is_that_of_the_photo(lens: QuestionLens, loop: RunningLoop) -> None:
    rows = [answered(at, photo) for at, photo in enumerate((None, "b.jpg", None, "d.jpg"))]
    lens._show(rows, {})
    assert lens.table.currentIndex().row() == 1, "the first answer with a photo"
    assert shown(lens.viewer) == ["b.jpg"]
    lens.table.setFocus()
    loop.until(lens.table.hasFocus)
    QTest.keyClick(lens.table, Qt.Key.Key_S)
    assert (lens.table.currentIndex().row(), shown(lens.viewer)) == (2, [])
    QTest.keyClick(lens.table, Qt.Key.Key_D)
    assert (lens.table.currentIndex().row(), shown(lens.viewer)) == (3, ["d.jpg"])


def test_sorted_anew_the_same_audit_stays_marked(lens: QuestionLens) -> None:
    rows = [answered(at, f"{at}.jpg") for at in range(4)]
    lens._show(rows, {})
    lens.table.selectRow(3)
    lens._show(rows[::-1], {})
    assert lens.table.currentIndex().row() == 0
    assert shown(lens.viewer) == ["3.jpg"]
    lens._show(rows[:2], {})
    assert lens.table.currentIndex().row() == 0, "its answer is not here any more"
    assert shown(lens.viewer) == ["0.jpg"]


def test_no_photos_is_said_only_where_that_is_known(view: AuditView) -> None:
    pane, head = view.viewer.panes[0], AuditHead("Jo", "jo@example.com", None, "771002")
    view._show(AuditDetailRow(LINE, head, (), NOW, None), "The provider cannot be reached.")
    assert "No questions" in view.states.state_text
    assert pane.none_words == "Photos come with the questions."
    view._show(AuditDetailRow(LINE, head, (), NOW, NOW))
    assert pane.none_words == "No photos"
    view._show(AuditDetailRow(LINE, head, (), NOW, NOW), "The provider cannot be reached.")
    assert pane.none_words == "Photos come with the questions.", "it may have some by now"
    view.close_audit()
    assert pane.none_words == "Photos come with the questions."
    tell(view, ("Yes", ""))
    assert pane.none_words in ("No photos", NONE)
