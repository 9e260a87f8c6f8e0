"""Views of audits: the shipped ones with live counts; saved, changed, renamed, moved, deleted, brought back, and known
again after a restart."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.desk.audits import audit_reviews, audit_views
from app.desk.audits.audit_filter import EVERYTHING, Narrowing
from app.desk.audits.audit_reviews import AuditReview
from app.desk.audits.audit_views import AUDITS, SHIPPED
from app.desk.audits.scores import Scale
from app.desk.connections.saved_views import last_view, load_views
from app.desk.desk import Desk
from app.desk.reasons.reason_rules import ALL_RULES, LOW_AUDIT, save_rule
from app.desk.today.other_troubles import other_troubles
from app.store.cache.audits import audit_store
from app.store.cache.audits.audit_rows import AuditFacts
from app.ui.audits.audits_page import AuditsPage
from app.ui.base.gallery import Gallery
from app.ui.base.page import PageServices
from app.ui.widgets.text import times
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.views_help import arrange_third, choose_in, name_it, open_menu, settled, view

SILENT = pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard", extend=True)
CTRL = Qt.KeyboardModifier.ControlModifier
NOW = datetime(2026, 3, 11, 9, 30)  # a Wednesday
# Number, days ago, facility, vendor, score.
AUDITED = (
    (1, 0, "F012", "Two Brothers", 96.0),
    (2, 1, "F012", "Lone Star", 64.0),
    (3, 4, "F020", "Two Brothers", 88.0),
    (4, 6, "F020", "Lone Star", 71.0),
    (5, 20, "F012", "Two Brothers", 52.0),
    (6, 60, "F031", "Two Brothers", 40.0),
)


@pytest.fixture
def desk(loop: RunningLoop, offline_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(times, "today", NOW.date)
    offline_desk.now = lambda: NOW
    facts = [
        AuditFacts(number, NOW - timedelta(days=ago), "Loading", facility, vendor, score)
        for number, ago, facility, vendor, score in AUDITED
    ]
    loop.run(offline_desk.cache.write(audit_store.store_audits, offline_desk.profile.id, facts, NOW))
    first = NOW.date() - timedelta(days=89)
    loop.run(offline_desk.cache.write(audit_store.finish_audit_window, offline_desk.profile.id, first, NOW.date(), NOW))
    loop.run(audit_reviews.save_audit_review(offline_desk, 1, AuditReview(reviewed=True)))
    loop.run(audit_reviews.save_audit_review(offline_desk, 3, AuditReview(reviewed=True, flagged=True)))
    return offline_desk


@pytest.fixture
def audits_services(services: PageServices, desk: Desk, gallery: Gallery) -> PageServices:
    gallery.take_desk(desk)
    return replace(services, now=desk.now, pictures=lambda: gallery)


@pytest.fixture
def page(loop: RunningLoop, audits_services: PageServices, show: Show, desk: Desk) -> AuditsPage:
    return opened(loop, audits_services, show, desk)


def opened(loop: RunningLoop, audits_services: PageServices, show: Show, desk: Desk) -> AuditsPage:
    made = AuditsPage(audits_services)
    show(made)
    made.take_desk(desk)
    settled(loop, made)
    return made


def numbers(page: AuditsPage) -> list[int]:
    return [line.number for at in range(page.model.rowCount()) if (line := page.model.line(at)) is not None]


def changed(page: AuditsPage) -> bool:
    return any("*" in each.text() for each in page.views.bar.tabs.values())


def test_shipped_views_show_and_count_what_they_say(loop: RunningLoop, page: AuditsPage) -> None:
    told = {name: each.accessibleName() for name, each in page.views.bar.tabs.items()}
    wanted = {
        "all": [1, 2, 3, 4, 5, 6],
        "not reviewed": [2, 4, 5, 6],
        "flagged": [3],
        "low scores": [2, 5],
        "last week, worst first": [4, 3],
    }
    for name, found in wanted.items():
        view(loop, page, name)
        assert numbers(page) == found, name
        assert told[name].casefold() == f"{name}, {len(found)} audit{'' if len(found) == 1 else 's'}"
        assert not changed(page)
    assert page.views.bar.tabs["low scores"].text() == "Low scores 2"
    assert page.head.chips.buttons["days"].text() == "Last week ▾"
    assert "Mon 2 Mar to Sun 8 Mar" in page.head.chips.buttons["days"].accessibleDescription()


def test_counts_follow_the_reviews(loop: RunningLoop, page: AuditsPage, desk: Desk) -> None:
    loop.run(audit_reviews.save_audit_review(desk, 2, AuditReview(reviewed=True)))
    page.view.review_saved.emit()
    settled(loop, page)
    assert page.views.bar.tabs["not reviewed"].text() == "Not reviewed 3"


def test_last_week_is_another_one_a_week_later(loop: RunningLoop, page: AuditsPage, desk: Desk) -> None:
    view(loop, page, "last week, worst first")
    desk.now = lambda: NOW + timedelta(days=7)
    page.services = replace(page.services, now=desk.now)
    page.views.invalidate_counts()
    page.reload()
    settled(loop, page)
    assert numbers(page) == [2, 1]
    assert page.views.bar.tabs["last week, worst first"].text() == "Last week, worst first 2"
    assert not changed(page)


def test_keys_go_from_view_to_view(loop: RunningLoop, page: AuditsPage) -> None:
    for key, name in (
        (Qt.Key.Key_PageDown, "Not reviewed"), (Qt.Key.Key_PageUp, "All"), (Qt.Key.Key_PageUp, "Last week, worst first")
    ):  # fmt: skip
        QTest.keyClick(page.table, key, CTRL)
        assert page.views.state.current.name == name
    settled(loop, page)
    QTest.keyClick(page.table, Qt.Key.Key_W, Qt.KeyboardModifier.AltModifier)
    assert changed(page), "the newest first is not how it is kept"
    settled(loop, page)


def test_the_list_is_saved_as_a_view_with_its_conditions_and_order(
    loop: RunningLoop, page: AuditsPage, desk: Desk, audits_services: PageServices, show: Show
) -> None:
    page.head.filter.setText("two  brothers ")
    page.views.narrow(Narrowing("two brothers", "left", ("Loading",), ("F012",), (), "..60", "-29..today"))
    page.views.sort_by("score")
    page.head.group.setCurrentIndex(1)
    settled(loop, page)
    assert numbers(page) == [5]
    page.views.save_new()
    name_it(loop, page, "Mine")
    kept = loop.run(load_views(desk, AUDITS))[-1]
    told = Narrowing("two brothers", "left", ("Loading",), ("F012",), (), "..60", "-29..today")
    assert (kept.name, kept.narrowing, kept.sort, kept.descending, kept.by) == ("Mine", told, "score", False, "vendor")
    assert page.views.state.current == kept
    assert not changed(page)
    again = opened(loop, audits_services, show, desk)
    assert again.views.state.current == kept, "the view used last is shown again"
    assert numbers(again) == [5]
    assert again.head.filter.text() == "two brothers"
    assert again.head.group.currentData() == "vendor"
    assert again.head.chips.buttons["mark"].text() == "Not reviewed ▾"
    assert again.head.chips.buttons["days"].text() == "Last 30 days ▾"


def test_how_far_back_audits_are_fetched_is_known_after_a_restart(
    loop: RunningLoop, page: AuditsPage, desk: Desk, audits_services: PageServices, show: Show
) -> None:
    assert (page.refresher.days, page.head.horizon.currentText()) == (90, "Fetch 90 days")
    page.head.horizon.setCurrentIndex(page.head.horizon.findData(365))
    settled(loop, page)
    assert loop.run(audit_views.read_range(desk)) == 365
    again = opened(loop, audits_services, show, desk)
    assert (again.refresher.days, again.head.horizon.currentText()) == (365, "Fetch a year")


def test_a_changed_view_is_marked_and_is_saved_or_reset(loop: RunningLoop, page: AuditsPage, desk: Desk) -> None:
    view(loop, page, "flagged")
    page.head.filter.setText("lone")
    settled(loop, page)
    assert page.views.bar.tabs["flagged"].text() == "Flagged* 1"
    assert (numbers(page), page.states.state_text) == ([], "No audit here is flagged")
    page.views.reset()
    settled(loop, page)
    assert (page.head.filter.text(), numbers(page)) == ("", [3])
    page.head.scores_chosen.emit(None)
    page.table.sort_asked.emit("date")
    assert changed(page)
    page.views.update()
    settled(loop, page)
    assert not changed(page)
    assert page.bar.text == "“Flagged” is updated."
    assert loop.run(load_views(desk, AUDITS))[2].descending is False


def test_days_never_fetched_are_not_reported_as_empty(loop: RunningLoop, page: AuditsPage, desk: Desk) -> None:
    page.views.narrow(Narrowing(days="2025-11-01..2025-11-30"))
    settled(loop, page)
    told = "Audits before 12 Dec 2025 were never fetched. How far back is chosen beside Refresh."
    assert page.states.state_text == f"No audit matches {told}"
    page.views.narrow(Narrowing(days="2026-01-01..2026-01-02"))
    settled(loop, page)
    assert page.states.state_text == "No audit matches"


def test_showing_all_goes_to_the_view_that_leaves_nothing_out(loop: RunningLoop, page: AuditsPage, desk: Desk) -> None:
    page.head.filter.setText("nobody")
    settled(loop, page)
    page.views.show_all()
    settled(loop, page)
    assert (page.head.filter.text(), page.views.state.current.name, len(numbers(page))) == ("", "All", 6)
    page.views.delete()
    settled(loop, page)
    page.views.narrow(Narrowing(mark="flagged", text="nobody"))
    page.views.show_all()
    settled(loop, page)
    assert (page.views.state.shown.narrowing, changed(page), len(numbers(page))) == (EVERYTHING, True, 6)


@SILENT
def test_views_are_renamed_moved_deleted_and_restored(loop: RunningLoop, page: AuditsPage, desk: Desk) -> None:
    def names() -> list[str]:
        return [each.name for each in loop.run(load_views(desk, AUDITS))]

    arrange_third(loop, page, names, "To talk about")
    assert numbers(page) == [3]
    assert loop.run(last_view(desk, AUDITS)) == "To talk about"


@SILENT
def test_views_without_room_stand_in_a_menu(loop: RunningLoop, page: AuditsPage) -> None:
    page.resize(800, 600)
    loop.until(page.views.bar.more.isVisible)
    assert page.views.bar.tabs["last week, worst first"].isHidden()
    page.views.bar.more.click()
    choose_in(loop, page, open_menu(page), "Last week, worst first")
    loop.until(page.views.bar.tabs["last week, worst first"].isVisible)
    assert numbers(page) == [4, 3]


def test_a_view_chosen_before_the_views_are_loaded_is_shown_once_they_are(
    loop: RunningLoop, audits_services: PageServices, show: Show, desk: Desk
) -> None:
    page = AuditsPage(audits_services)
    show(page)
    page.take_desk(desk)
    page.show_view("Low scores")
    settled(loop, page)
    assert (page.views.state.current.name, numbers(page)) == ("Low scores", [2, 5])
    page.show_view("Flagged")
    settled(loop, page)
    assert numbers(page) == [3]
    words = [words for words, _, _ in page.page_commands()]
    assert "Save as new view" in words


def test_another_connection_has_its_own_views(loop: RunningLoop, page: AuditsPage, desk: Desk) -> None:
    view(loop, page, "flagged")
    page.views.rename()
    name_it(loop, page, "Mine")
    other = Desk(replace(desk.profile, id="other"), desk.journal, desk.cache, desk.reader, desk.now)
    page.take_desk(other)
    settled(loop, page)
    assert [each.name for each in page.views.state.views] == [each.name for each in SHIPPED]
    page.views.narrow(Narrowing(mark="flagged"))
    settled(loop, page)
    assert page.states.state_text.startswith("No audits yet"), "nothing was fetched: so nothing is said of flags"


def test_low_means_one_number_everywhere_and_follows_the_rule(loop: RunningLoop, page: AuditsPage, desk: Desk) -> None:
    low = next(each for each in ALL_RULES if each.name == LOW_AUDIT)
    assert Scale().low == low.score, "before the rule was read it is the shipped one"
    for score, found in ((70, {2, 5}), (90, {2, 3, 4, 5})):
        rule = replace(low, score=score, days=30)
        loop.run(save_rule(desk, rule))
        page.enter()
        settled(loop, page)
        page.views.choose("Low scores")
        settled(loop, page)
        assert set(numbers(page)) == found
        assert page.head.chips.buttons["score"].text() == f"Low, below {score} ▾"
        told = {line.number: page.model.scale.tone(line.score or 0) for at in range(9) if (line := page.model.line(at))}
        assert set(told.values()) == {"bad"}
        left = found - {1, 3}  # the rule asks for audits that nobody has reviewed
        assert {int(each.name) for each in loop.run(other_troubles(desk, rule))} == left


def test_the_list_of_facilities_has_a_name_before_it_has_scores(audits_services: PageServices, show: Show) -> None:
    made = AuditsPage(audits_services)
    show(made)
    assert made.head.ranks.words() == []
    assert made.head.ranks.accessibleName() == "Scores by facility"
