"""The palette: orders by any number, actions with their keys, pages, views and connections, by keys alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit

from app.store.cache import order_store
from app.store.cache.audits import audit_store
from app.store.cache.audits.audit_rows import AuditFacts
from app.store.secrets import SecretStore
from app.ui.audits.audits_page import AuditsPage
from app.ui.base.page import PageServices
from app.ui.palette.commands import Command, matching
from app.ui.palette.palette_window import Palette
from app.ui.settings.settings_page import SettingsPage
from app.ui.settings.settings_words import ACTIONS, SECTIONS
from app.ui.theme.theme import Theme
from tests.support.fault_server import MANAGEMENT, FaultServer
from tests.support.faults import json_answer
from tests.support.loop import RunningLoop
from tests.ui.orders.orders_help import NOW, order
from tests.ui.shell_help import Program, keep_profile, open_program

CTRL = Qt.KeyboardModifier.ControlModifier


def nothing() -> None:
    """What a command does that is only looked for."""


def command(words: str, detail: str = "", also: str = "") -> Command:
    return Command(words, nothing, detail, also=also)


ALL = [
    command("Refresh orders"),
    command("New order", also="enter"),
    command("Late", "view"),
    command("Sort by Late"),
    command("Orders", "page"),
]


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("", ["Refresh orders", "New order", "Late", "Sort by Late", "Orders"]),
        ("late", ["Late", "Sort by Late"]),
        ("ord", ["Orders", "Refresh orders", "New order"]),
        ("enter", ["New order"]),
        ("view", ["Late"]),
        ("OR REF", ["Refresh orders"]),
        ("rder", ["Refresh orders", "New order", "Orders"]),
        ("nobody", []),
    ],
)
def test_every_typed_word_has_to_fit_and_the_closest_come_first(typed: str, wanted: list[str]) -> None:
    assert [each.title for each in matching(typed, ALL)] == wanted


@pytest.fixture
def program(
    loop: RunningLoop, theme: Theme, services: PageServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Program]:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    made = open_program(loop, theme, services, tmp_path / "data", SecretStore(seconds=5))
    yield made
    made.close()


@pytest.fixture
def opened(program: Program, loop: RunningLoop) -> Palette:
    desk = program.shell.desk
    assert desk is not None
    orders = [order(771_000 + at, consignee_name="Rivera" if at == 2 else "Else", city="Memphis") for at in range(5)]
    loop.run(desk.cache.write(order_store.store_orders, desk.profile.id, "open", orders, NOW))
    loop.run(desk.cache.write(order_store.store_orders, desk.profile.id, "completed", [order(500_009)], NOW))
    program.shell.orders.reload()
    loop.until(lambda: not program.shell.orders.tasks.busy)
    return open_palette(program, loop)


def open_palette(program: Program, loop: RunningLoop) -> Palette:
    QTest.keyClick(program.window, Qt.Key.Key_K, CTRL)
    palette = program.shell.palette.palette
    assert palette is not None
    loop.until(palette.line.hasFocus)
    return palette


def type_in(palette: Palette, text: str) -> None:
    QTest.keyClicks(palette.line, text)


def enter(palette: Palette) -> None:
    QTest.keyClick(palette.line, Qt.Key.Key_Return)


def test_a_number_finds_its_order_whichever_list_it_is_on(program: Program, loop: RunningLoop, opened: Palette) -> None:
    type_in(opened, "500009")
    enter(opened)  # before the store has answered
    loop.until(lambda: program.shell.orders.side.key == 500_009)
    assert opened.isHidden()


def test_the_program_is_closed_from_the_palette_as_by_its_key(program: Program, loop: RunningLoop) -> None:
    asked: list[int] = []
    program.shell.closing.connect(lambda: asked.append(1))
    palette = open_palette(program, loop)
    type_in(palette, "quit")
    loop.until(lambda: palette.shown_texts and palette.shown_texts[0].startswith("Close Waybill"))
    assert "Ctrl+Q" in palette.shown_texts[0]
    enter(palette)
    loop.until(lambda: asked)


def test_words_find_orders_first_and_what_can_be_done_below(loop: RunningLoop, opened: Palette) -> None:
    type_in(opened, "rivera")
    loop.until(lambda: any("771002" in each for each in opened.shown_texts))
    assert opened.shown_texts[0].startswith("R-771002, 771002 · STD Started · Rivera · Memphis · open")
    assert opened.shown_texts[-1].startswith("Look up the status of rivera")
    assert not any(each.startswith("Overage") for each in opened.shown_texts), "no load is called so"


def test_an_audit_is_found_by_its_number(program: Program, loop: RunningLoop, opened: Palette) -> None:
    desk = program.shell.desk
    assert desk is not None
    audit = AuditFacts(4711, NOW, "Receiving", "MEM01", "Vendor", 87.5)
    loop.run(desk.cache.write(audit_store.store_audits, desk.profile.id, [audit], NOW))
    type_in(opened, "audit 4711")
    loop.until(lambda: any(each.startswith("Audit 4711") for each in opened.shown_texts))
    assert "Receiving · MEM01 · Vendor" in opened.shown_texts[0]
    assert "score 87.5" in opened.shown_texts[0]
    enter(opened)
    loop.until(lambda: isinstance(program.window.pages.currentWidget(), AuditsPage))


@pytest.mark.parametrize(
    ("typed", "title"),
    [("backup", "Backup"), ("phone call", "Appearance"), ("provider proxy", "Connections"), ("diagnostics", "About")],
)
def test_a_section_of_settings_is_found_and_brought_into_sight(
    program: Program, loop: RunningLoop, opened: Palette, typed: str, title: str
) -> None:
    program.window.resize(1024, 700)
    program.shell.take_services(program.secrets, program.practice)
    type_in(opened, typed)
    at = next(place for place, each in enumerate(opened.shown_texts) if each.startswith(f"{title}, settings"))
    for _ in range(at):
        QTest.keyClick(opened.line, Qt.Key.Key_Down)
    enter(opened)
    loop.until(lambda: isinstance(program.window.pages.currentWidget(), SettingsPage))
    page = program.window.pages.currentWidget()
    assert isinstance(page, SettingsPage)
    heading = next(each for each in page.findChildren(QLabel) if each.text() == title)
    loop.until(lambda: not page.tasks.busy and heading.visibleRegion().boundingRect().height() >= heading.height())
    focus = program.window.focusWidget()
    assert focus is not None
    loop.until(lambda: focus.visibleRegion().boundingRect().height() >= focus.height(), "the keyboard is in sight")
    assert next(name for name, each in page._sections.items() if each.isAncestorOf(focus)) == next(
        name for name, (words, _) in SECTIONS.items() if words == title
    )


def test_an_action_of_settings_is_found_and_its_button_has_the_keyboard(
    program: Program, loop: RunningLoop, opened: Palette
) -> None:
    program.shell.take_services(program.secrets, program.practice)
    type_in(opened, "delete finished entries")
    assert opened.shown_texts[0] == "Delete finished writes…, settings, Backup"
    enter(opened)
    loop.until(lambda: isinstance(program.window.pages.currentWidget(), SettingsPage))
    page = program.window.pages.currentWidget()
    assert isinstance(page, SettingsPage)
    loop.until(lambda: not page.tasks.busy and page.journal_section.delete_button.hasFocus())
    assert list(page._actions) == list(ACTIONS)
    for name, (section, _, _) in ACTIONS.items():
        assert page._sections[section].isAncestorOf(page._actions[name]), name


def test_each_section_of_settings_bears_the_title_by_which_it_is_found(program: Program, loop: RunningLoop) -> None:
    program.shell.take_services(program.secrets, program.practice)
    program.shell.go("settings")
    page = program.window.pages.currentWidget()
    assert isinstance(page, SettingsPage)
    for name, section in page._sections.items():
        assert SECTIONS[name][0] in [each.text() for each in section.findChildren(QLabel)], name
    assert list(page._sections) == list(SECTIONS)


@pytest.mark.parametrize(
    ("typed", "page"),
    [("open a file", "Import"), ("spreadsheet", "Import"), ("photos", "Audits"), ("overage", "Loads")],
)
def test_a_page_is_found_by_what_is_done_there(opened: Palette, typed: str, page: str) -> None:
    type_in(opened, typed)
    assert any(each.startswith(f"{page}, page") for each in opened.shown_texts), opened.shown_texts


def test_pages_and_actions_are_found_and_done(program: Program, loop: RunningLoop, opened: Palette) -> None:
    type_in(opened, "settings")
    assert opened.shown_texts[0].startswith("Settings, page, Ctrl+")
    QTest.keyClick(opened.line, Qt.Key.Key_Escape)
    assert opened.isHidden()
    again = open_palette(program, loop)
    assert again.line.text() == ""
    type_in(again, "outbox")
    enter(again)
    loop.until(lambda: program.window.pages.currentWidget() is program.shell.page("outbox"))
    third = open_palette(program, loop)
    type_in(third, "completed view")
    enter(third)
    loop.until(lambda: program.window.pages.currentWidget() is program.shell.orders)
    assert program.shell.orders.list_name == "completed"


def test_an_action_is_done_although_what_had_the_keyboard_is_gone(program: Program, loop: RunningLoop) -> None:
    """An open cell of a grid is deleted as soon as the keyboard leaves it."""
    cell = QLineEdit(program.shell.orders)
    cell.show()
    cell.setFocus()
    palette = open_palette(program, loop)
    cell.deleteLater()
    loop.rest()
    type_in(palette, "outbox page")
    enter(palette)
    loop.until(lambda: program.window.pages.currentWidget() is program.shell.page("outbox"))


def test_views_of_audits_are_found_before_their_page_was_shown_and_what_its_list_can_do_while_it_is(
    program: Program, loop: RunningLoop, opened: Palette
) -> None:
    type_in(opened, "last week")
    enter(opened)  # before the views have been read
    page = program.shell.page("audits")
    assert isinstance(page, AuditsPage)
    loop.until(lambda: program.window.pages.currentWidget() is page)
    loop.until(lambda: page.views.state.current.name == "Last week, worst first")
    again = open_palette(program, loop)
    assert "Next view, this page, Ctrl+PgDown" in again.shown_texts
    type_in(again, "view of audits")
    loop.until(lambda: "Flagged, view of audits" in again.shown_texts)
    assert len([each for each in again.shown_texts if "view of audits" in each]) == 5
    again.close_palette()
    loop.until(lambda: not page.tasks.busy)


def test_what_is_selected_can_be_worked_on(program: Program, loop: RunningLoop, opened: Palette) -> None:
    QTest.keyClick(opened.line, Qt.Key.Key_Escape)
    page = program.shell.orders
    page.table.setFocus()
    page.table.selectRow(1)
    loop.until(lambda: not page.tasks.running("detail"))
    again = open_palette(program, loop)
    assert "Copy as table, the order selected, Ctrl+C" in again.shown_texts
    QTest.keyClick(again.line, Qt.Key.Key_Escape)
    loop.until(page.table.hasFocus)


def test_arrows_choose_and_enter_does_what_is_chosen(program: Program, loop: RunningLoop, opened: Palette) -> None:
    type_in(opened, "order")
    for _ in range(2):
        QTest.keyClick(opened.line, Qt.Key.Key_Down)
    wanted = opened.shown_texts[opened.list.currentRow()]
    loop.until(lambda: not program.shell.busy)
    assert opened.shown_texts[opened.list.currentRow()] == wanted, "what comes later moves no choice"
    QTest.keyClick(opened.line, Qt.Key.Key_PageUp)
    assert opened.list.currentRow() == 0
    opened.close_palette()


def test_nothing_that_fits_is_said(loop: RunningLoop, opened: Palette) -> None:
    type_in(opened, "no such thing at all")
    loop.until(lambda: opened.sentence.text() == "No match.")
    assert opened.shown_texts == []
    enter(opened)
    assert opened.isVisible()


def test_a_status_is_asked_for_by_reference_and_by_number(
    program: Program, loop: RunningLoop, opened: Palette, fault_server: FaultServer
) -> None:
    opened.close_palette()
    program.shell.take_services(program.secrets, program.practice)
    profile = keep_profile(program, fault_server)
    program.shell.use_profile(profile.id)
    loop.until(lambda: program.shell.desk is not None and program.shell.desk.provider is not None)
    fault_server.serve(MANAGEMENT + "/Order/status", json_answer({"systemNumber": 4411, "status": "Received"}))
    again = open_palette(program, loop)
    type_in(again, "4411")
    loop.until(lambda: not program.shell.busy)
    offered = again.shown_texts
    assert [each for each in offered if each.startswith("Look up")] == [
        "Look up the status of 4411, order reference",
        "Look up the status of 4411, system number",
    ]
    again.list.setCurrentRow(len(offered) - 1)
    enter(again)
    loop.until(lambda: "4411: The provider says: Received." in program.window.bar.text)
    loop.until(lambda: not any(page.tasks.busy for page in program.shell.pages()))  # the first refresh is over


def test_looks_and_connections_are_offered(program: Program, loop: RunningLoop, opened: Palette) -> None:
    type_in(opened, "dark look")
    assert opened.shown_texts[0] == "Theme: Dark"
    opened.close_palette()
    assert program.window.search_button.accessibleName() == "Search or command"
    program.window.search_button.click()
    loop.until(opened.line.hasFocus)
    opened.close_palette()
