"""Audits in every state: the list and its plot, an audit opened, what is said of it, one question over all of them."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date, timedelta
from functools import cache as once
from functools import partial

import apsw

from app.desk.audits import audit_reviews
from app.desk.audits import audit_sync as desk_audits
from app.desk.audits.audit_reviews import AuditReview, Mark, PhotoReview
from app.practice.photos.painter import photo_jpeg
from app.practice.world.made_audits import Audit, made_audit
from app.store.cache.audits import audit_store
from app.store.cache.audits.audit_rows import AnswerFacts, AuditFacts, AuditHead
from app.store.picture_files import PictureFiles
from app.ui.audits.audits_page import AuditsPage
from app.ui.audits.list.score_plot import Chosen
from app.ui.theme.theme import SIZES
from app.ui.widgets.name_dialog import NameDialog
from tests.shots.data import NOW, PRACTICE
from tests.shots.stage import Stage

_SEED = 7
_FIRST, _COUNT = 4_001, 180
_WORST = 4_148
_KINDS = ("pallet", "crushed", "torn", "dock")
_LONG = "Is every piece on the pallet wrapped, strapped, labelled and photographed from all four sides " * 3
_RIGHT_TO_LEFT = "هل تم فحص كل قطعة قبل التحميل؟ " * 4


@once
def _photo(at: int) -> bytes:
    return photo_jpeg(at, kind=_KINDS[at % len(_KINDS)], megapixels=2.0, taken_at=NOW - timedelta(hours=at))


@once
def _made() -> tuple[Audit, ...]:
    """Audits of the last ninety days, made as practice makes them."""
    step = timedelta(days=90) / _COUNT
    return tuple(made_audit(_SEED, _FIRST + at, int((NOW - (_COUNT - at) * step).timestamp())) for at in range(_COUNT))


def _fill(c: apsw.Connection) -> None:
    facts = [
        AuditFacts(
            each.number,
            NOW - (_COUNT - at) * (timedelta(days=90) / _COUNT),
            each.kind,
            each.facility.code,
            each.vendor,
            each.score,
        )
        for at, each in enumerate(_made())
    ]
    audit_store.store_audits(c, PRACTICE, facts, NOW)
    audit_store.finish_audit_window(c, PRACTICE, NOW.date() - timedelta(days=89), NOW.date(), NOW)
    for each in _made()[-40:]:
        _keep_answers(c, each.number, _answers(each))


def _answers(audit: Audit) -> list[AnswerFacts]:
    return [
        AnswerFacts(each.question, each.text, each.answer, f"made-up/{each.photo}" if each.photo else None)
        for each in audit.answers
    ]


def _keep_answers(c: apsw.Connection, number: int, answers: list[AnswerFacts]) -> None:
    head = AuditHead("Denise Walker", "denise.walker@provider.example", "F012", "771004")
    audit_store.store_answers(c, PRACTICE, number, head, answers, NOW + timedelta(seconds=number % 1_000))


def _page(stage: Stage) -> AuditsPage:
    page = stage.shell.page("audits")
    assert isinstance(page, AuditsPage)
    return page


async def audits_list(stage: Stage) -> None:
    await stage.use_full_desk()
    await stage.cache.write(_fill)
    assert stage.shell.desk is not None
    await audit_reviews.save_audit_review(stage.shell.desk, _FIRST + _COUNT - 1, AuditReview(reviewed=True))
    await audit_reviews.save_audit_review(
        stage.shell.desk, _FIRST + _COUNT - 2, AuditReview(reviewed=True, note="Ask Denise")
    )
    await audit_reviews.save_audit_review(stage.shell.desk, _FIRST + _COUNT - 4, AuditReview(flagged=True))
    stage.shell.go("audits")
    _page(stage).reload()


async def audits_last_week(stage: Stage) -> None:
    _page(stage).views.choose("Last week, worst first")


async def audits_view_changed(stage: Stage) -> None:
    page = _page(stage)
    page.views.choose("Low scores")
    page.views.narrow(replace(page.views.state.shown.narrowing, mark="left", facility=("STL01", "BHM01")))


async def audits_chip_open(stage: Stage) -> None:
    page = _page(stage)
    stage.again = partial(page.head.chips.open_chip, "days")
    stage.again()


async def audits_save_view(stage: Stage) -> None:
    page = _page(stage)
    panel = page.head.chips.panel
    if panel is not None:
        panel.close_now()
    page.views.save_new()
    (dialog,) = page.findChildren(NameDialog)
    dialog.field.setText("low scores")
    stage.dialog = dialog


async def palette_audits(stage: Stage) -> None:
    stage.open_palette("view of audits")


async def audits_by_vendor(stage: Stage) -> None:
    stage.close_palette()
    page = _page(stage)
    page.views.choose("All")
    page.head.group.setCurrentIndex(1)
    await stage.settle()
    page.head.ranks.chosen.emit(page.head.ranks.words()[0].partition(":")[0])
    page.head.scores_chosen.emit(Chosen(date(2026, 10, 1), date(2026, 11, 10), 40.0, 96.0))


async def audits_none_match(stage: Stage) -> None:
    _page(stage).head.filter.setText("nothing like this")


async def audits_missing_days(stage: Stage) -> None:
    page = _page(stage)
    page.views.show_all()
    why = "The provider answered that it is busy (503)."
    missing = ((date(2026, 9, 20), date(2026, 10, 20)),)
    page.refresher.result = desk_audits.Refreshed(140, why, missing)
    page.refresher.finished.emit()


async def audits_never_seen(stage: Stage) -> None:
    page = _page(stage)
    page.bar.clear()
    await stage.use_empty_desk("Starting practice…")


async def _open(stage: Stage, number: int, answers: list[AnswerFacts]) -> AuditsPage:
    await stage.cache.write(_keep_answers, number, answers)
    page = _page(stage)
    page.show_audit(number)
    await stage.settle()
    page.bar.clear()
    return page


def _with_photos(stage: Stage) -> list[AnswerFacts]:
    """Each answer with a photo that was fetched before, but the last, which never was."""
    files = PictureFiles(stage.shell.pictures.folder)
    told = []
    for at, each in enumerate(_answers(_made()[_WORST - _FIRST])):
        address = f"made-up/shown-{at}.jpg"
        files.keep(PRACTICE, address, _photo(at))
        told.append(AnswerFacts(each.question, each.text, each.answer, address))
    return [*told, AnswerFacts(None, None, None, "made-up/never-fetched.jpg")]


async def audit_opened(stage: Stage) -> None:
    await stage.use_full_desk()
    stage.shell.go("audits")
    await _open(stage, _WORST, _with_photos(stage))


async def audit_said(stage: Stage) -> None:
    page = _page(stage)
    assert stage.shell.desk is not None
    marks = (
        Mark("arrow", 0.2, 0.2, 0.45, 0.45),
        Mark("box", 0.5, 0.35, 0.75, 0.7),
        Mark("text", 0.5, 0.27, 0.5, 0.27, "torn here"),
    )
    said = PhotoReview(flagged=True, note="Corner crushed before loading", marks=marks)
    await audit_reviews.save_photo_review(stage.shell.desk, _WORST, "made-up/shown-1.jpg", said)
    await audit_reviews.save_audit_review(
        stage.shell.desk, _WORST, AuditReview(flagged=True, note="Second time this month")
    )
    page.show_audit(_WORST)
    await stage.settle()
    page.bar.clear()
    page.view.viewer.go(1)


async def audit_low_and_failed(stage: Stage) -> None:
    _page(stage).view.poor.click()


async def audit_four_photos(stage: Stage) -> None:
    page = _page(stage)
    page.view.poor.click()
    for _ in range(2):
        page.view.viewer.next_sides()


async def audit_near(stage: Stage) -> None:
    page = _page(stage)
    page.view.viewer.next_sides()
    page.view.viewer.look_at(1.0)


async def audit_two_nearer(stage: Stage) -> None:
    viewer = _page(stage).view.viewer
    viewer.next_sides()
    viewer.look_at(2.0)
    viewer.more_contrast()


async def audit_loupe(stage: Stage) -> None:
    viewer = _page(stage).view.viewer
    for _ in range(2):
        viewer.next_sides()
    viewer.reset_light()
    viewer.fit()
    viewer.tools.loupe.click()


async def audit_photo_missing(stage: Stage) -> None:
    page = _page(stage)
    page.view.viewer.look_at(None)
    page.view.viewer.go(len(page.view.viewer.photos) - 1)
    await stage.settle()
    page.view.viewer.light.show()


async def audit_long_words(stage: Stage) -> None:
    page = _page(stage)
    page.view.viewer.light.hide()
    answers = [
        AnswerFacts("LD-01", _LONG, f"No. {_LONG}", None),
        AnswerFacts("LD-02", _RIGHT_TO_LEFT, "لا", "made-up/shown-0.jpg"),
        AnswerFacts("WS-03", "How many of five?", "2 of 5", None),
        AnswerFacts("WS-04", "<b>bold</b> &amp; <img src=x>", "Yes <i>indeed</i>", None),
        AnswerFacts(None, None, None, "made-up/shown-2.jpg"),
    ]
    await _open(stage, _WORST - 1, answers)


async def audit_without_questions(stage: Stage) -> None:
    await _open(stage, _WORST - 2, [])


async def audit_question_over_all(stage: Stage) -> None:
    page = _page(stage)
    page.view.go_back()
    page._show_lens("LD-02")


async def audit_question_without_photo(stage: Stage) -> None:
    page = _page(stage)
    rows = [each for each in page.lens.model.rows if not each.photo]
    if rows:
        page.lens._stand_on(page.lens.model.rows.index(rows[0]))


async def audit_answer_without_photo(stage: Stage) -> None:
    page = _page(stage)
    answers = [
        AnswerFacts(each.question, each.text, each.answer, None if at % 2 else f"made-up/shown-{at}.jpg")
        for at, each in enumerate(_answers(_made()[_WORST - _FIRST]))
    ]
    await _open(stage, _WORST - 3, answers)
    page.view.questions.step(1)


async def audit_undone(stage: Stage) -> None:
    page = _page(stage)
    await _open(stage, _WORST, _with_photos(stage))
    page.view.review_row.toggle_photo_flag()
    await stage.settle()
    page.view.edits.undo()


async def audits_large_text(stage: Stage) -> None:
    SIZES.choose(150, compact=False)
    _page(stage)._show_list()


async def audit_large_text(stage: Stage) -> None:
    SIZES.choose(125, compact=False)
    await _open(stage, _WORST, _with_photos(stage))


AUDIT_SCENES: tuple[Callable[[Stage], Awaitable[None]], ...] = (
    audits_list,
    audits_last_week,
    audits_view_changed,
    audits_chip_open,
    audits_save_view,
    palette_audits,
    audits_by_vendor,
    audits_none_match,
    audits_missing_days,
    audits_never_seen,
    audit_opened,
    audit_said,
    audit_low_and_failed,
    audit_four_photos,
    audit_near,
    audit_two_nearer,
    audit_loupe,
    audit_photo_missing,
    audit_long_words,
    audit_without_questions,
    audit_question_over_all,
    audit_question_without_photo,
    audit_answer_without_photo,
    audit_undone,
    audits_large_text,
    audit_large_text,
)

# What must hold where there is little room.
NARROW_AUDIT_SCENES: tuple[Callable[[Stage], Awaitable[None]], ...] = (
    audits_list,
    audits_view_changed,
    audit_opened,
    audit_said,
    audit_low_and_failed,
    audit_four_photos,
    audit_photo_missing,
    audit_question_over_all,
)
