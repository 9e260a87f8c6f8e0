"""New order on a real desk: submitted it is in the outbox and away from the form; until then nothing typed is lost."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QListWidget,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTabBar,
)

from app.contract.check import Findings
from app.contract.draft import FreightDraft, OrderDraft
from app.contract.order_rules import Issue
from app.desk.desk import Desk
from app.desk.drafts import saved_drafts
from app.desk.sending import outbox
from app.ui.base.page import PageServices
from app.ui.entry.entry_page import EntryPage, blank_draft
from app.ui.widgets.field import Field
from tests.support.desks import order_draft, submission
from tests.support.fault_server import FaultServer
from tests.support.faults import answered, json_answer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

CTRL = Qt.KeyboardModifier.ControlModifier


class Heard:
    """What the page told the others."""

    def __init__(self, services: PageServices) -> None:
        self.wrote = 0
        self.shown: list[int] = []
        services.news.wrote.connect(self._on_wrote)
        services.news.show_write.connect(self.shown.append)

    def _on_wrote(self) -> None:
        self.wrote += 1


@pytest.fixture
def heard(services: PageServices) -> Heard:
    return Heard(services)


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, window_desk: Desk, show: Show, heard: Heard) -> EntryPage:
    """The page on an empty desk, with the keyboard in its first field."""
    assert heard
    made = EntryPage(services)
    made.take_desk(window_desk)
    show(made)
    made.enter()
    loop.until(lambda: not made.tasks.running("reopen"))
    return made


@pytest.fixture(autouse=True)
def clipboard() -> Iterator[None]:
    yield
    QApplication.clipboard().clear()


def field(page: EntryPage, path: str) -> Field:
    found = page.form.fields[path]
    assert isinstance(found, Field)
    return found


def type_in(page: EntryPage, path: str, words: str) -> None:
    QTest.keyClicks(field(page, path).editor, words)


def fill(page: EntryPage, reference: str, name: str = "J. Rivera") -> None:
    """An order that may be sent, as if it had been typed."""
    page.form.load(order_draft(reference, name))
    type_in(page, "poNumber", "7")


def kept(loop: RunningLoop, desk: Desk) -> list[saved_drafts.SavedDraft]:
    return loop.run(saved_drafts.all_open(desk))


def test_a_submitted_order_is_in_the_outbox_exactly_and_the_form_is_blank(
    loop: RunningLoop, page: EntryPage, window_desk: Desk, heard: Heard
) -> None:
    fill(page, "R-1")
    page.rail.submit_button.click()
    loop.until(lambda: "R-1 is in the outbox" in page.bar.text)
    (write,) = loop.run(outbox.writes(window_desk, (), 10))
    told = loop.run(outbox.story(window_desk, write.id))
    assert (write.state, write.reference) == ("queued", "R-1")
    assert json.loads(told.payload)["poNumber"] == "7"
    assert page.form.draft() == blank_draft()
    assert kept(loop, window_desk) == []
    assert heard.wrote == 1
    assert field(page, "orderReferenceNumber").editor.hasFocus()
    (show_it,) = [each for each in page.bar.findChildren(QPushButton) if each.text() == "Show in outbox"]
    show_it.click()
    assert heard.shown == [write.id]


def test_ctrl_enter_submits_from_any_field(loop: RunningLoop, page: EntryPage, window_desk: Desk) -> None:
    fill(page, "R-1")
    field(page, "consignee.email").editor.setFocus()
    QTest.keyClick(field(page, "consignee.email").editor, Qt.Key.Key_Return, CTRL)
    loop.until(lambda: "R-1 is in the outbox" in page.bar.text)
    assert loop.run(outbox.counts(window_desk))["queued"] == 1


def test_a_cell_that_is_being_typed_is_part_of_what_is_sent(
    loop: RunningLoop, page: EntryPage, window_desk: Desk
) -> None:
    fill(page, "R-1")
    freight = page.form.lists["freightDetails"]
    freight.go_to(0, 1)
    QTest.keyClicks(freight.grid, "3")
    editor = QApplication.focusWidget()
    assert editor is not None
    QTest.keyClicks(editor, "7")
    QTest.keyClick(editor, Qt.Key.Key_Return, CTRL)
    loop.until(lambda: "R-1 is in the outbox" in page.bar.text)
    (write,) = loop.run(outbox.writes(window_desk, (), 10))
    assert json.loads(loop.run(outbox.story(window_desk, write.id)).payload)["freightDetails"][0]["count"] == 37


def test_a_row_that_enter_has_added_and_nobody_typed_into_keeps_no_order_from_being_sent(
    loop: RunningLoop, page: EntryPage, window_desk: Desk
) -> None:
    fill(page, "R-1")
    freight = page.form.lists["freightDetails"]
    before = list(freight.model.rows)
    freight.go_to(len(before) - 1, 0)
    freight.grid.entered_last.emit()
    assert freight.model.rows == [*before, FreightDraft()]
    page.submit()
    loop.until(lambda: "R-1 is in the outbox" in page.bar.text)
    (write,) = loop.run(outbox.writes(window_desk, (), 10))
    sent = json.loads(loop.run(outbox.story(window_desk, write.id)).payload)
    assert len(sent["freightDetails"]) == len(before)


def test_the_only_row_of_the_freight_stays_and_says_what_is_missing(loop: RunningLoop, page: EntryPage) -> None:
    page.submit()
    loop.rest()
    assert len(page.form.lists["freightDetails"].model.rows) == 1
    assert page._issue_count > 0


def test_enter_alone_never_submits(loop: RunningLoop, page: EntryPage, window_desk: Desk) -> None:
    """A scanner is a keyboard that ends in Enter."""
    fill(page, "R-1")
    for each in page.form.fields.values():
        QTest.keyClick(each.editor, Qt.Key.Key_Enter)
        QTest.keyClick(each.editor, Qt.Key.Key_Return)
    loop.rest()
    assert sum(loop.run(outbox.counts(window_desk)).values()) == 0


def test_with_issues_nothing_is_sent_and_the_first_has_the_keyboard(
    loop: RunningLoop, page: EntryPage, window_desk: Desk
) -> None:
    fill(page, "R-1")
    field(page, "consignee.city").editor.selectAll()
    type_in(page, "consignee.city", "A city of more than eighteen letters")
    field(page, "consignee.zip").editor.selectAll()
    QTest.keyClick(field(page, "consignee.zip").editor, Qt.Key.Key_Delete)
    QTest.keyClick(field(page, "poNumber").editor, Qt.Key.Key_Return, CTRL)
    assert field(page, "consignee.city").editor.hasFocus()
    assert field(page, "consignee.city").shown == "At most 18 characters; this has 36."
    assert field(page, "consignee.zip").shown == "Required."
    loop.rest()
    assert sum(loop.run(outbox.counts(window_desk)).values()) == 0
    assert page.form.draft().consignee.city == "A city of more than eighteen letters"


def test_issues_are_listed_beside_and_lead_to_their_fields(loop: RunningLoop, page: EntryPage) -> None:
    fill(page, "R-1")
    field(page, "consignee.phone1").editor.setFocus()
    field(page, "consignee.phone1").editor.selectAll()
    QTest.keyClick(field(page, "consignee.phone1").editor, Qt.Key.Key_Delete)
    items = page.rail.findChild(QListWidget)
    assert isinstance(items, QListWidget)
    loop.until(lambda: items.count() == 1)
    assert items.item(0).text() == "Phone: Required."
    field(page, "poNumber").editor.setFocus()
    assert field(page, "consignee.phone1").shown == "Required.", "it was left empty"
    QTest.mouseClick(items.viewport(), Qt.MouseButton.LeftButton, pos=items.visualItemRect(items.item(0)).center())
    assert field(page, "consignee.phone1").editor.hasFocus()
    type_in(page, "consignee.phone1", "901")
    loop.until(lambda: items.count() == 0)
    assert field(page, "consignee.phone1").shown == ""


def test_an_empty_field_that_was_not_visited_is_not_complained_about(page: EntryPage) -> None:
    type_in(page, "orderReferenceNumber", "R")
    page.check()
    assert all(not each.shown for each in page.form.fields.values() if isinstance(each, Field))


def test_a_text_over_its_limit_is_said_at_once_and_stays_whole(loop: RunningLoop, page: EntryPage) -> None:
    city = field(page, "consignee.city")
    city.editor.setFocus()
    QTest.keyClicks(city.editor, "x" * 18)
    page.check()
    assert (city.shown, city._count.text()) == ("", "18 of 18")
    QTest.keyClicks(city.editor, "y")
    loop.until(lambda: city.shown)
    assert city.shown == "At most 18 characters; this has 19."
    assert city._count.text() == "19 of 18"
    assert city.editor.property("wrong") is True
    assert page.form.draft().consignee.city == "x" * 18 + "y"
    QTest.keyClick(city.editor, Qt.Key.Key_Backspace)
    loop.until(lambda: not city.shown)
    assert city.editor.property("wrong") is False


def test_a_second_press_while_the_first_is_written_down_sends_one_order(
    loop: RunningLoop, page: EntryPage, window_desk: Desk
) -> None:
    fill(page, "R-1")
    page.submit()
    page.submit()
    loop.until(lambda: "R-1 is in the outbox" in page.bar.text)
    loop.rest()
    assert loop.run(outbox.counts(window_desk))["queued"] == 1


@pytest.mark.parametrize("again", ["while it is written", "after it"])
def test_a_second_press_says_nothing_of_the_order_that_came_after(
    loop: RunningLoop, page: EntryPage, window_desk: Desk, again: str
) -> None:
    """Ctrl+Enter is pressed twice, or held down: that is no complaint about an order that nobody has begun."""
    fill(page, "R-1")
    editor = field(page, "consignee.email").editor
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_Return, CTRL)
    if again == "while it is written":
        QTest.keyClick(editor, Qt.Key.Key_Return, CTRL)
    loop.until(lambda: "R-1 is in the outbox" in page.bar.text)
    loop.rest()
    first = field(page, "orderReferenceNumber")
    QTest.keyClick(first.editor, Qt.Key.Key_Return, CTRL)
    loop.rest()
    assert not [path for path in page.form.fields if path.startswith("consignee.") and field(page, path).shown]
    assert first.editor.hasFocus()
    type_in(page, "orderReferenceNumber", "R-2")
    QTest.keyClick(first.editor, Qt.Key.Key_Return, CTRL)
    assert field(page, "consignee.consigneeName").shown == "Required."
    page.start_blank()
    loop.until(lambda: first.text() == "" and page.tabs.count() == 2)
    page.previous_draft()
    loop.until(lambda: first.text() == "R-2")
    page.submit()
    assert field(page, "consignee.consigneeName").shown == "Required."
    assert loop.run(outbox.counts(window_desk))["queued"] == 1


def refused(loop: RunningLoop, desk: Desk, server: FaultServer, errors: dict[str, list[str]]) -> int:
    """An order that was typed, sent and refused."""
    problem = {"title": "Not valid.", "status": 400, "errors": errors}
    server.plan(answered(json_answer(problem, 400)), "/Order/submit")
    loop.run(saved_drafts.save(desk, "d-1", order_draft("R-1")))
    write = loop.run(outbox.queue_submission(desk, submission("R-1"), "d-1"))
    loop.run(outbox.drain(desk))
    return write


def test_correcting_a_refused_order_puts_the_provider_s_words_beside_their_fields(
    loop: RunningLoop, page: EntryPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    errors = {"consignee.zip": ["Not served."], "freightDetails[0].count": ["Too many."], "": ["Call us."]}
    write = refused(loop, window_desk, fault_server, errors)
    page.correct(write)
    loop.until(lambda: page.form.draft().orderReferenceNumber == "R-1")
    loop.until(lambda: page.rail.verdict.text.startswith("✕ The provider refused this Refused at "))
    loop.until(lambda: not page.type_ahead.buffering)
    assert page.form.draft() == order_draft("R-1")
    assert field(page, "consignee.zip").shown == "The provider says: Not served."
    assert field(page, "consignee.zip").editor.hasFocus()
    assert "ZIP: Not served. Freight lines, row 1, Count: Too many. Call us." in page.rail.verdict.text
    assert page.rail.submit_button.accessibleName() == "Send again…"
    type_in(page, "consignee.zip", "38104")  # what is refused is selected, so it goes
    assert field(page, "consignee.zip").text() == "38104"
    assert field(page, "consignee.zip").shown == ""
    rest = "Freight lines, row 1, Count: Too many.\nNew order."
    loop.until(lambda: rest in page.rail.verdict.text and "Not served" not in page.rail.verdict.text)
    assert "Refused at " in page.rail.verdict.text, "what was not mended stands"
    freight = page.form.lists["freightDetails"].model
    freight.setData(freight.index(0, 1), "1")
    loop.until(lambda: page.rail.verdict.text.startswith("✓ Ready to submit"))
    page.submit()
    loop.until(lambda: "R-1 is in the outbox" in page.bar.text)
    loop.run(outbox.drain(window_desk))
    states = {each.id: each.state for each in loop.run(outbox.writes(window_desk, (), 10))}
    assert states == {write: "withdrawn", write + 1: "accepted"}
    page.correct(write)
    loop.until(lambda: "queued or sent" in page.bar.text)


def test_correcting_keeps_what_is_on_screen(
    loop: RunningLoop, page: EntryPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    write = refused(loop, window_desk, fault_server, {})
    type_in(page, "orderReferenceNumber", "OTHER")
    page.correct(write)
    loop.until(lambda: page.form.draft().orderReferenceNumber == "R-1")
    assert {each.name for each in kept(loop, window_desk)} == {"OTHER", "R-1"}


def test_alt_and_a_number_go_to_the_sections(page: EntryPage) -> None:
    wanted = {
        Qt.Key.Key_1: field(page, "orderReferenceNumber").editor,
        Qt.Key.Key_2: field(page, "consignee.consigneeName").editor,
        Qt.Key.Key_3: page.form.lists["freightDetails"].grid,
        Qt.Key.Key_4: page.form.scan.field,
        Qt.Key.Key_5: page.form.lists["otherReferenceNumbers"].grid,
        Qt.Key.Key_6: field(page, "deliveryInstructions").editor,
    }
    for key, place in wanted.items():
        QTest.keyClick(page, key, Qt.KeyboardModifier.AltModifier)
        assert QApplication.focusWidget() is place, key


def test_whatever_the_keyboard_goes_to_is_seen_whole(page: EntryPage) -> None:
    page.show_draft("d-1", order_draft("R-1"))
    view = page._scroll.viewport()
    for path in (*page.form.fields, "freightDetails[0].commodity", "otherReferenceNumbers", "scan"):
        page.form.go_to(path)
        here = QApplication.focusWidget()
        assert here is not None
        seen = here.mapTo(view, QPoint(0, 0)).y()
        assert 0 <= seen <= view.height() - here.height(), path
    panel = page.form.scan
    assert 0 <= panel.mapTo(view, QPoint(0, 0)).y() <= view.height() - panel.height(), "the bars are seen too"


def test_every_word_of_what_is_to_do_is_shown(loop: RunningLoop, page: EntryPage) -> None:
    """Whatever its length, also where the list has to scroll, which makes it narrower."""
    issues = [Issue("poNumber", f"Must be {'x' * (at % 7)} {'at most ' * (at // 7)}.") for at in range(56)]
    page.rail.show_findings(Findings(issues, {path: [] for path in page.form.lists}, len(issues)))
    todo = page.rail.findChild(QListWidget)
    assert todo is not None
    delegate = todo.itemDelegate()
    assert isinstance(delegate, QStyledItemDelegate)
    loop.until(lambda: page.rail._scroll.verticalScrollBar().isVisible())
    loop.rest()
    for at in range(todo.count()):
        option = QStyleOptionViewItem()
        delegate.initStyleOption(option, todo.indexFromItem(todo.item(at)))
        option.rect = todo.visualItemRect(todo.item(at))
        option.rect.setRight(min(option.rect.right(), todo.viewport().width()))
        room = todo.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, todo)
        margin = todo.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, option, todo) + 1
        room.adjust(margin, 0, -margin, 0)
        words = QFontMetrics(todo.font()).boundingRect(room, Qt.TextFlag.TextWordWrap, todo.item(at).text())
        assert words.height() <= room.height(), todo.item(at).text()
    last = todo.visualItemRect(todo.item(todo.count() - 1))
    assert last.bottom() <= todo.viewport().height(), "nothing scrolls in it"
    todo.setFocus()
    QTest.keyClick(todo, Qt.Key.Key_End)
    view = page.rail._scroll.viewport()
    loop.until(lambda: 0 <= todo.viewport().mapTo(view, last.topLeft()).y() <= view.height() - last.height())


def test_a_draft_that_comes_on_screen_begins_without_complaints(loop: RunningLoop, page: EntryPage) -> None:
    fill(page, "R-1")
    city = field(page, "consignee.city")
    city.editor.setFocus()
    type_in(page, "consignee.city", "ville")
    page.start_blank()
    loop.until(field(page, "orderReferenceNumber").editor.hasFocus)
    loop.until(lambda: not page.type_ahead.buffering)
    assert city.shown == ""
    type_in(page, "consignee.city", "x")
    QTest.keyClick(city.editor, Qt.Key.Key_Backspace)
    page.form.go_to("consignee.city")
    page.form.go_to("consignee.state")
    assert city.shown == "Required."


def test_an_untouched_order_lacks_nothing_until_it_is_to_be_sent(loop: RunningLoop, page: EntryPage) -> None:
    todo = page.rail.findChild(QListWidget)
    assert todo is not None
    freight = page.form.lists["freightDetails"]
    assert page.rail.verdict.heading.text() == "Nothing typed yet"
    assert (todo.count(), freight.shown) == (0, "")
    page.form.fields["poNumber"].put("PO-1")
    loop.until(lambda: todo.count() > 0)
    assert page.rail.verdict.heading.text().endswith("things to do")
    assert freight.shown == "", "a row into which nothing was typed is still to come"
    page.form.fields["poNumber"].put("")
    loop.until(lambda: todo.count() == 0)
    page.submit()
    assert todo.count() > 0
    assert freight.shown == "3 errors here."


def test_a_day_that_was_typed_the_other_way_round_is_named(loop: RunningLoop, page: EntryPage) -> None:
    field = page.form.fields["requestedDeliveryDate"]
    assert isinstance(field, Field)
    field.put("31/12")
    page.check()
    field.show_issue_now()
    assert field.shown == "Not a date. Did you mean 12/31?"
    field.put("soon")
    page.check()
    assert field.shown == "Not a date. Write it as YYYY-MM-DD."


def test_a_wide_form_has_two_columns_and_keeps_the_order_of_tab(loop: RunningLoop, page: EntryPage) -> None:
    def left(title: str) -> int:
        return page.form.sections[title].mapTo(page.form, QPoint(0, 0)).x()

    page.resize(1700, 900)
    loop.rest()
    assert left("Consignee") == left("Order") < left("Freight") == left("Barcodes")
    name = page.form.fields["consignee.email"].editor
    name.setFocus()
    QTest.keyClick(name, Qt.Key.Key_Tab)
    focus = page.focusWidget()
    assert focus is not None
    assert page.form.sections["Freight"].isAncestorOf(focus)
    page.resize(1100, 900)
    loop.rest()
    assert left("Freight") == left("Order")


def test_the_last_scans_are_said_in_the_rail_too(loop: RunningLoop, page: EntryPage) -> None:
    page.show_draft("d-9", replace(OrderDraft(), freightDetails=[FreightDraft("SOFA", "5", "10")]))
    assert last_scans(page) == []
    for code in ("B1", "B2", "B1", "B3"):
        page.form.scan.field.scanned.emit([code])
    loop.rest()
    page.resize(1280, 900)
    assert last_scans(page) == ["✓ B3 · SOFA", "✕ B1 is already on this order.", "✓ B2 · SOFA"]
    page.resize(1280, 600)
    assert last_scans(page) == ["✓ B3 · SOFA"], "in a low window the issues need the room"
    page.resize(1280, 900)
    page.show_draft("d-10", OrderDraft())
    assert last_scans(page) == []


def last_scans(page: EntryPage) -> list[str]:
    return [each.accessibleName() for each in page.rail.scan_labels if each.isVisible()]


@pytest.mark.parametrize("freight", [[], [FreightDraft("SOFA", "5", "10")]], ids=["no freight", "freight"])
def test_a_long_code_of_a_refused_scan_is_whole_in_the_rail(
    loop: RunningLoop, page: EntryPage, freight: list[FreightDraft]
) -> None:
    code = "00370123456789012345-00370123456789012345-0099"
    page.show_draft("d-9", replace(OrderDraft(), freightDetails=freight))
    for _ in range(2):
        page.form.scan.field.scanned.emit([code])
    loop.rest()
    label = page.rail.scan_labels[0]
    assert label.accessibleName().startswith(f"✕ {code}")
    assert label.property("tone") == "bad"
    metrics, room = label.fontMetrics(), label.contentsRect().width()
    longest = max(metrics.horizontalAdvance(part) for part in re.split("[ \u200b]", label.text()))
    assert 0 < longest <= room, "Qt cuts off a word that is wider than its label"


def test_the_tab_of_the_draft_on_screen_has_a_button_that_closes_it(loop: RunningLoop, page: EntryPage) -> None:
    def closers() -> list[int]:
        side = QTabBar.ButtonPosition.RightSide
        return [at for at in range(page.tabs.count()) if page.tabs.tabButton(at, side) is not None]

    page.form.fields["orderReferenceNumber"].put("R-1")
    loop.until(lambda: page.tabs.count() == 1 and page.tabs.tabText(0) == "R-1")
    page.start_blank()
    loop.until(lambda: page.tabs.count() == 2)
    page.form.fields["orderReferenceNumber"].put("R-2")
    loop.until(lambda: page.tabs.tabText(1) == "R-2")
    assert closers() == [1]
    closer = page.tabs.tabButton(1, QTabBar.ButtonPosition.RightSide)
    assert isinstance(closer, QPushButton)
    assert closer.accessibleName() == "Close draft"
    QTest.mouseClick(closer, Qt.MouseButton.LeftButton)
    loop.until(lambda: page.tabs.count() == 1)
    assert page.tabs.tabText(0) == "R-1"
    assert closers() == [0]
    assert page.form.fields["orderReferenceNumber"].text() == "R-1"
