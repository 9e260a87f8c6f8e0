"""The page Console against the practice service: found, filled in, in step, called, searched, kept, called again."""

import asyncio
import json
import threading
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QMessageBox, QPushButton

from app.api.raw_call import RawAnswer, RawRequest
from app.contract.submission import wire_bytes
from app.desk.console.answers.answer_table import Table
from app.desk.console.calls import build_request, judge_call, kept_drafts
from app.desk.console.calls.call_history import PastCall
from app.desk.console.calls.judge_call import judge
from app.desk.console.calls.request_draft import RequestDraft
from app.desk.console.forms.exact_json import Value, write_json
from app.desk.desk import Desk
from app.ui.base.page import PageServices
from app.ui.console import body_editor
from app.ui.console import console_page_words as words
from app.ui.console.answer_models import TextRowsModel
from app.ui.console.call_list import CallsDelegate
from app.ui.console.console_page import ConsolePage
from app.ui.console.request_list import RequestNameDialog
from app.ui.theme.tokens import SPACE_2, SPACE_3
from app.ui.widgets.shape_form import building
from app.ui.widgets.shape_form.record_part import RecordPart
from app.ui.widgets.shape_form.rows_part import RowsPart
from app.ui.widgets.shape_form.single_parts import SinglePart
from tests.support.desks import submission
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

STATUS = "management GET /Order/status"
INTAKE = "management POST /ThirdPartyLogistics"
QUOTE = "management POST /Quote/submit"
SUBMIT = "management POST /Order/submit"
FACILITIES = "management GET /Facilities"


@pytest.fixture
def page(
    services: PageServices, show: Show, loop: RunningLoop, window_practice_desk: Desk, tmp_path: Path
) -> ConsolePage:
    made = ConsolePage(services, tmp_path / "requests")
    made.take_desk(window_practice_desk)
    show(made)
    loop.until(lambda: not made.tasks.busy, "the description")
    return made


def opened(page: ConsolePage, key: str) -> ConsolePage:
    page.open_operation(key)
    page.request.parameters.finish()
    page.request.body.form.finish()
    return page


def put_parameter(page: ConsolePage, name: str, text: str) -> None:
    root = page.request.parameters.root
    assert isinstance(root, RecordPart)
    found = root._parts[name]
    assert isinstance(found, SinglePart)
    found.take(text)


def called(page: ConsolePage, loop: RunningLoop) -> int:
    """Press the button and wait for the answer; its status."""
    before = page.answer.shown
    page.request.send.click()
    loop.until(
        lambda: page.answer.shown is not None and page.answer.shown is not before,
        lambda: f"an answer; {page.request.verdict.text()!r} {page.answer.whole.state_text!r}",
    )
    assert page.answer.shown is not None
    return page.answer.shown.answer.status


def test_an_operation_is_found_by_typing_and_opened_by_enter(page: ConsolePage, loop: RunningLoop) -> None:
    page.enter()
    assert QApplication.focusWidget() is page.tree.search
    QTest.keyClicks(page.tree.search, "billto facil")
    assert page.tree.model.rowCount() == 1
    QTest.keyClick(page.tree.search, Qt.Key.Key_Return)
    assert page.request.operation is not None
    assert page.request.operation.key == FACILITIES
    focus = QApplication.focusWidget()
    assert focus is not None
    assert focus.accessibleName() == "Zip code"


def test_a_search_without_a_match_says_so(page: ConsolePage) -> None:
    page.tree.search.setText("nothing of the kind")
    assert page.tree.states.state_text.startswith(words.NO_OPERATION)
    page.tree.search.clear()
    assert page.tree.states.state_text == ""


def test_an_answer_is_shown_as_a_table_a_tree_and_a_text(page: ConsolePage, loop: RunningLoop) -> None:
    opened(page, FACILITIES)
    assert called(page, loop) == 200
    answer = page.answer
    assert answer.status.text() == "✓ 200 OK"
    assert "ms" in answer.facts.text()
    rows = answer.table_model.rowCount()
    assert rows > 1
    assert answer.tree_model.rowCount() == rows
    assert answer.text.whole_text().startswith("[")
    assert ("content-type", "application/json") in [
        (name.lower(), value.partition(";")[0]) for name, value in answer.headers_model.rows
    ]


def test_what_a_person_chose_to_see_is_shown_again(page: ConsolePage, loop: RunningLoop) -> None:
    called(opened(page, INTAKE), loop)
    called(opened(page, FACILITIES), loop)
    assert page.answer._tab == "table", "a list comes as a table, whatever was shown before"
    page.answer.tabs["text"].click()
    called(opened(page, FACILITIES), loop)
    assert page.answer._tab == "text"


def test_the_table_is_sorted_by_a_click_on_its_header(page: ConsolePage, loop: RunningLoop) -> None:
    called(opened(page, FACILITIES), loop)
    model = page.answer.table_model
    first = [model.index(row, 0).data() for row in range(model.rowCount())]
    model.sort(0, Qt.SortOrder.DescendingOrder)
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == sorted(first, reverse=True)


def test_copied_rows_run_nothing_in_a_spreadsheet(page: ConsolePage, loop: RunningLoop) -> None:
    called(opened(page, FACILITIES), loop)
    answer = page.answer
    answer.table_model.show_table(Table((), "", ("Note", "Count"), (("=1+1", "-5"), ("Dock 4", "2")), frozenset({1})))
    answer.table.selectAll()
    answer.copy_rows()
    assert QApplication.clipboard().text().splitlines() == ["'=1+1\t-5", "Dock 4\t2"]


def test_each_way_of_showing_is_searched(page: ConsolePage, loop: RunningLoop) -> None:
    called(opened(page, FACILITIES), loop)
    answer = page.answer
    wanted = answer.table_model.cells(2)[0]
    for name in ("table", "tree", "text"):
        answer.tabs[name].setChecked(True)
        answer.open_find()
        answer.find_bar.field.setText(wanted)
        QTest.keyClick(answer.find_bar.field, Qt.Key.Key_Return)
        assert answer.find_bar.label.text().startswith("1 of"), name
    assert answer.tree.currentIndex().data() is not None
    assert answer.table.currentIndex().row() == 2


def test_what_is_refused_is_shown_with_its_words(page: ConsolePage, loop: RunningLoop) -> None:
    opened(page, STATUS)
    put_parameter(page, "OrderReferenceNumber", "NO-SUCH-ORDER")
    assert called(page, loop) == 404
    assert page.answer.status.text().startswith("✕ 404")
    assert page.answer.sentence.text()


def test_the_form_and_the_json_are_in_step(page: ConsolePage, loop: RunningLoop) -> None:
    opened(page, SUBMIT)
    body = page.request.body
    root = body.form.root
    assert isinstance(root, RecordPart)
    reference = root._parts["orderReferenceNumber"]
    assert isinstance(reference, SinglePart)
    reference.take("CON-1")
    loop.until(lambda: '"orderReferenceNumber": "CON-1"' in body.editor.whole_text())
    body.editor.replace_text(body.editor.whole_text().replace("CON-1", "CON-2"))
    loop.until(lambda: reference.value() == "CON-2")


def test_a_mistake_in_the_json_leaves_the_form_as_it_was(page: ConsolePage, loop: RunningLoop) -> None:
    opened(page, SUBMIT)
    body = page.request.body
    body.put('{"orderReferenceNumber": "CON-1"}')
    body.editor.replace_text('{"orderReferenceNumber": "CON-2",}')
    loop.until(lambda: body.trouble is not None)
    assert body.trouble is not None
    assert body.trouble.line == 1
    assert not body.form.isEnabled()
    assert body.form.value()["orderReferenceNumber"] == "CON-1"  # type: ignore[index,call-overload]
    assert not body.problem.isHidden()
    page._judge()
    page.send()
    assert not page.calling.busy, "a body with a mistake is not sent"
    assert QApplication.focusWidget() is body.editor
    body.take_form()
    assert '"CON-1"' in body.editor.whole_text()
    assert body.form.isEnabled()
    body.editor.undo()
    assert body.editor.whole_text() == '{"orderReferenceNumber": "CON-2",}', "nothing that was typed is lost"


def test_what_is_filled_in_stays_while_another_operation_is_looked_at(page: ConsolePage) -> None:
    opened(page, STATUS)
    put_parameter(page, "OrderReferenceNumber", "A-1")
    opened(page, SUBMIT)
    page.request.body.put('{"orderReferenceNumber": "A-2"}')
    opened(page, STATUS)
    assert page.request.draft().parameters == (("OrderReferenceNumber", "A-1"),)
    opened(page, SUBMIT)
    assert '"A-2"' in page.request.draft().body


def test_an_operation_without_a_shape_is_a_json_editor(page: ConsolePage, loop: RunningLoop) -> None:
    opened(page, INTAKE)
    assert not page.request.body.has_form
    assert QApplication.focusWidget() is page.request.body.editor
    QTest.keyClicks(page.request.body.editor, '"from": "38104"')
    assert page.request.body.text == '{\n  "from": "38104"\n}'
    assert called(page, loop) == 202


def test_a_field_that_is_wrong_is_said_beside_the_button_and_gone_to(page: ConsolePage, loop: RunningLoop) -> None:
    opened(page, SUBMIT)
    page._judge()
    assert page.request.verdict.text()
    page.request.send.click()
    loop.rest()
    assert not page.calling.busy, "an order that is not right is not queued"
    focus = QApplication.focusWidget()
    assert focus is not None
    assert page.request.body.form.isAncestorOf(focus)


def test_the_mistake_that_stands_highest_is_gone_to_first(page: ConsolePage) -> None:
    opened(page, SUBMIT)
    page.request.body.put('{"notKnown": 1, "freightDetails": [], "consignee": {}}')
    page.request.body.form.finish()
    page._judge()
    page.request.go_to_wrong()
    focus = QApplication.focusWidget()
    assert focus is not None
    assert focus.accessibleName() == "Order reference number"


ORDER = """{
  "orderReferenceNumber": "CONSOLE-7", "useConsigneeAddressToDetermineFaclityCode": true,
  "consignee": {"consigneeName": "J. Rivera", "streetAddress": "12 Beale Street", "city": "Memphis", "state": "TN",
                "zip": "38103", "phone1": "901-555-0142"},
  "freightDetails": [{"commodity": "CHAIR", "count": 2, "volume": 12.5}]
}"""


def test_an_order_goes_the_outbox_road_and_its_row_is_shown(
    page: ConsolePage, loop: RunningLoop, services: PageServices
) -> None:
    opened(page, SUBMIT)
    page.request.body.put(ORDER)
    page._judge()
    assert page.request.send.accessibleName() == words.SUBMIT_ORDER
    asked: list[int] = []
    services.news.queue_changed.connect(lambda: asked.append(1))
    page.request.send.click()
    loop.until(lambda: page.answer.write_id is not None)
    assert asked == [1], "the sender is told"
    loop.until(lambda: "CONSOLE-7" in page.answer.whole.state_text)
    shown: list[int] = []
    services.news.show_write.connect(shown.append)
    page.answer.whole._action.click()
    assert shown == [page.answer.write_id]


def test_calls_are_listed_shown_again_and_compared(page: ConsolePage, loop: RunningLoop) -> None:
    opened(page, QUOTE)
    page.request.body.put('{"from": "38104"}')
    called(page, loop)
    page.request.body.put('{"from": "38105"}')
    called(page, loop)
    loop.until(lambda: len(page.history.model.calls) == 2)
    loop.until(lambda: page.answer.earlier.count() == 1)
    page.answer.compare()
    loop.until(lambda: page.answer.changes_model.rowCount() > 0)
    assert [row[0] for row in page.answer.changes_model.rows] == ["quoteNumber"]
    opened(page, STATUS)
    page.history._on_activated(page.history.model.index(1, 0))
    loop.until(lambda: page.answer.shown is not None)
    assert page.request.operation is not None
    assert page.request.operation.key == QUOTE
    assert "38104" in page.request.draft().body


def test_a_search_of_the_history_is_left_by_down_and_by_enter(page: ConsolePage, loop: RunningLoop) -> None:
    called(opened(page, FACILITIES), loop)
    called(opened(page, STATUS), loop)
    loop.until(lambda: len(page.history.model.calls) == 2)
    opened(page, QUOTE)
    page.lists["history"].setChecked(True)
    search = page.history.search
    search.setFocus()
    QTest.keyClicks(search, "facilities")
    QTest.keyClick(search, Qt.Key.Key_Return)  # before the calls are found
    loop.until(lambda: page.request.operation is not None and page.request.operation.key == FACILITIES, "the call")
    assert len(page.history.model.calls) == 1
    search.setFocus()
    QTest.keyClick(search, Qt.Key.Key_Down)
    assert QApplication.focusWidget() is page.history.table
    assert page.history.table.currentIndex().row() == 0


@pytest.mark.parametrize("percent", [100, 200])
def test_the_history_shows_whole_times_and_answers(page: ConsolePage, percent: int) -> None:
    now = datetime.now()
    dates = [now, now.replace(hour=20, minute=48), datetime(2025, 12, 28, 22, 22)]
    calls = [
        PastCall(
            number, at, QUOTE, "", "POST", "/Quote/submit", status, "", 0.1, 2, write_id, RequestDraft(QUOTE), True,
            not status,
        )
        for number, at in enumerate(dates)
        for status, write_id in ((200, None), (503, None), (0, None), (0, 7))
    ]  # fmt: skip
    font = page.history.font()
    font.setPixelSize(13 * percent // 100)
    page.history.table.setFont(font)
    page.history.show_calls(calls, more=False)
    page.history.show_calls(calls[:-1], more=True)
    page.history.model.add_calls(calls[-1:], more=False)
    table = page.history.table
    for place in (0, 1):
        texts = {cells[place] for cells in page.history.model.rows}
        room = table.columnWidth(place) - SPACE_2 - (SPACE_2 if place else SPACE_3)
        assert room >= max(table.fontMetrics().horizontalAdvance(each) for each in texts), texts
    assert {cells[1] for cells in page.history.model.rows} == {"200", "503", words.IN_DOUBT, words.OUTBOX}
    delegate = table.itemDelegate()
    assert isinstance(delegate, CallsDelegate)
    assert delegate.look(page.history.model.index(0, 2)).short == "Quote/submit"
    assert table.columnWidth(0) < 13 * percent // 100 * 8, "there is room left for the calls"


def test_a_write_that_may_have_arrived_is_sent_again_after_a_yes_only(
    page: ConsolePage, loop: RunningLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[bytes | None] = []
    provider = page.desk.provider
    assert provider is not None

    async def never_answered(request: RawRequest) -> RawAnswer:
        sent.append(request.body)
        await asyncio.Event().wait()
        raise AssertionError

    opened(page, QUOTE)
    page.request.body.put('{"from": "38104"}')
    with monkeypatch.context() as patched:
        patched.setattr(provider.raw, "call", never_answered)
        page.request.send.click()
        loop.until(lambda: bool(sent), "the call")
        page.request.send.click()  # Stop
        loop.until(lambda: not page.calling.busy, "the end of the call")
    loop.until(lambda: [cells[1] for cells in page.history.model.rows] == [words.IN_DOUBT], "the doubt in the history")
    page.history._on_activated(page.history.model.index(0, 0))
    loop.until(lambda: words.ANSWER_UNKNOWN in page.answer.whole.state_text, "the doubt at its place")
    page.request.send.click()
    box = question(loop)
    assert "nobody knows whether it arrived" in box.text()
    next(each for each in box.buttons() if each.text() == words.KEEP_AS_IS).click()
    loop.until(lambda: not page.calling.busy, "the no")
    assert len(page.history.model.calls) == 1
    page.request.send.click()
    next(each for each in question(loop).buttons() if each.text() != words.KEEP_AS_IS).click()
    loop.until(lambda: [cells[1] for cells in page.history.model.rows] == ["200", words.IN_DOUBT], "the second call")
    assert called(page, loop) == 200, "answered, it asks no more"


def question(loop: RunningLoop) -> QMessageBox:
    """The question that stands before the window."""
    loop.until(lambda: isinstance(QApplication.activeModalWidget(), QMessageBox), "the question")
    box = QApplication.activeModalWidget()
    assert isinstance(box, QMessageBox)
    return box


def test_the_history_is_searched_and_forgotten(page: ConsolePage, loop: RunningLoop) -> None:
    called(opened(page, FACILITIES), loop)
    loop.until(lambda: len(page.history.model.calls) == 1)
    page.history.search.setText("no such call")
    loop.until(lambda: page.history.states.state_text.startswith(words.NO_CALL_FOUND))
    page.history.search.clear()
    loop.until(lambda: len(page.history.model.calls) == 1)
    page.history.table.selectRow(0)
    page.history._forget()
    loop.until(lambda: page.history.states.state_text.startswith(words.NO_CALLS))


def test_a_request_is_kept_under_a_name_opened_and_removed(
    page: ConsolePage, loop: RunningLoop, tmp_path: Path
) -> None:
    opened(page, QUOTE)
    page.request.body.put('{"from": "38104"}')
    page.keep_request()
    dialog = page.window().findChild(RequestNameDialog)
    assert dialog is not None
    dialog.name.put("Memphis to Nashville")
    dialog.save.click()
    loop.until(lambda: page.requests.names() == ["Memphis to Nashville"])
    (file,) = (tmp_path / "requests").iterdir()
    assert "38104" in file.read_text(encoding="utf-8")
    opened(page, STATUS)
    page.requests._take(page.requests.list.item(0))
    assert page.request.operation is not None
    assert page.request.operation.key == QUOTE
    assert "38104" in page.request.draft().body
    page.requests.list.setCurrentRow(0)
    page.requests._remove()
    loop.until(lambda: page.window().findChild(QMessageBox) is not None)
    box = page.window().findChild(QMessageBox)
    assert box is not None
    next(each for each in box.findChildren(QPushButton) if each.text() == words.REMOVE_REQUEST).click()
    loop.until(lambda: page.requests.names() == [])
    assert list((tmp_path / "requests").iterdir()) == []


@pytest.mark.parametrize("form", sorted(words.COPIES))
def test_a_call_is_copied_without_the_token(page: ConsolePage, form: str) -> None:
    opened(page, QUOTE)
    page.request.body.put('{"from": "38104"}')
    page.copy_as(form)
    text = QGuiApplication.clipboard().text()
    assert "38104" in text
    assert "TOKEN" in text or "token" in text
    assert page.desk.provider is not None
    assert page.bar.text == words.copied_as(words.COPIES[form])


def test_a_value_of_an_answer_is_used_in_the_next_request(page: ConsolePage, loop: RunningLoop) -> None:
    opened(page, QUOTE)
    page.request.body.put('{"from": "38104"}')
    called(page, loop)
    loop.until(lambda: not page.tasks.busy)
    page.request.body.put('{"before": "{{quote_submit.body.quoteNumber}}"}')
    assert called(page, loop) == 200
    assert any(each.text == "quote_submit." for each in page._expressions("{{quo"))
    assert page._expressions("closed {{quo}}") == []


def test_nothing_is_asked_while_there_is_no_connection(page: ConsolePage, window_practice_desk: Desk) -> None:
    window_practice_desk.provider, provider = None, window_practice_desk.provider
    try:
        opened(page, FACILITIES)
        page._judge()
        assert window_practice_desk.trouble in page.request.verdict.text()
        page.send()
        assert not page.calling.busy
    finally:
        window_practice_desk.provider = provider


def test_a_draft_that_was_shown_is_the_same_when_it_is_read(page: ConsolePage) -> None:
    draft = RequestDraft(STATUS, (("SystemNumber", "17"), ("BillToCode", "ACME")))
    assert page.show_draft(draft)
    assert page.request.draft().parameters == draft.parameters
    assert not page.show_draft(RequestDraft("management GET /no/such/operation"))


def test_the_json_editor_completes_a_value_of_an_answer(page: ConsolePage, loop: RunningLoop) -> None:
    called(opened(page, FACILITIES), loop)
    opened(page, INTAKE)
    editor = page.request.body.editor
    editor.setFocus()
    editor.begin("")
    QTest.keyClicks(editor, '{"at": "{{fac')
    assert page.offers.shown.shown_texts == ["facilities."]
    QTest.keyClick(editor, Qt.Key.Key_Down)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert editor.whole_text() == '{"at": "{{facilities.'
    QTest.keyClicks(editor, "body[0].prov")
    [offered] = page.offers.shown.shown_texts
    QTest.keyClick(editor, Qt.Key.Key_Down)
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.whole_text() == f'{{"at": "{{{{{offered}}}}}', "a whole value is closed"
    assert page.offers.shown.shown_texts == []
    QTest.keyClicks(editor, '"}')
    page.request.body.settle()
    code = page.answers.body("facilities").value[0]["providerFacilityCode"]  # type: ignore[union-attr, index, call-overload]
    judged = judge(page.desk, page.request.operation, page.request.draft(), page.answers)  # type: ignore[arg-type]
    assert judged.built.value == {"at": code}
    # Without an open pair of braces the editor offers nothing, and Enter is a line break.
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert editor.whole_text().endswith("}\n")


def test_the_offers_of_the_editor_go_with_the_cursor_and_with_escape(page: ConsolePage, loop: RunningLoop) -> None:
    called(opened(page, FACILITIES), loop)
    opened(page, INTAKE)
    editor = page.request.body.editor
    editor.setFocus()
    editor.begin("")
    for leave in (Qt.Key.Key_Escape, Qt.Key.Key_Home):
        editor.begin("")
        QTest.keyClicks(editor, '"{{')
        assert page.offers.shown.shown_texts, leave
        QTest.keyClick(editor, leave)
        assert page.offers.shown.shown_texts == [], leave


def test_the_menu_ticks_the_format_that_is_asked_for(page: ConsolePage, window_practice_desk: Desk) -> None:
    def ticked() -> list[str]:
        menus = [each for each in page.request.menu().findChildren(QMenu) if each.title() == words.ASKED_FOR]
        return [each.text().replace("&", "") for menu in menus for each in menu.actions() if each.isChecked()]

    opened(page, FACILITIES)
    assert ticked() == ["application/json"]
    window_practice_desk.profile = replace(window_practice_desk.profile, replies="xml")
    page.take_desk(window_practice_desk)
    opened(page, FACILITIES)
    assert ticked() == ["application/xml"]
    page.request._take_format(False, "application/json")
    assert ticked() == ["application/json"]
    opened(page, SUBMIT)
    page.show_draft(RequestDraft(SUBMIT, (), "{}", "application/xml"))
    assert ticked() == [], "the outbox sends an order as JSON"
    assert page.request.draft().body_format == "application/json"
    assert "xml" not in page.request.body.note.text()


def test_production_is_asked_about_before_a_write_and_not_before_a_read(page: ConsolePage, loop: RunningLoop) -> None:
    page.desk.profile = replace(page.desk.profile, kind="production", name="Acme Freight", colour="teal")
    assert called(opened(page, FACILITIES), loop) == 200
    loop.until(lambda: len(page.history.model.calls) == 1, "the read in the history")
    opened(page, QUOTE)
    page.request.body.put('{"origin": "38104"}')
    before = len(page.history.model.calls)
    page.request.send.click()
    loop.until(lambda: isinstance(QApplication.activeModalWidget(), QMessageBox), "the question")
    box = QApplication.activeModalWidget()
    assert isinstance(box, QMessageBox)
    assert "Submit a quote" in box.text()
    assert "at “Acme Freight”, for real?" in box.text()
    assert not box.iconPixmap().isNull()
    focus = QApplication.focusWidget()
    assert isinstance(focus, QPushButton)
    assert focus.text() == words.KEEP_AS_IS, "Enter alone sends nothing"
    focus.click()
    loop.until(lambda: not page.calling.busy, "the no")
    assert len(page.history.model.calls) == before
    page.request.send.click()
    loop.until(lambda: isinstance(QApplication.activeModalWidget(), QMessageBox), "the question")
    box = QApplication.activeModalWidget()
    assert isinstance(box, QMessageBox)
    next(each for each in box.buttons() if each.text() != words.KEEP_AS_IS).click()
    loop.until(lambda: len(page.history.model.calls) == before + 1, "the call in the history")


def large_order(barcodes: int) -> str:
    """An order as JSON, laid out as the editor does it."""
    found = json.loads(wire_bytes(submission("CON-LARGE")))
    commodity = found["freightDetails"][0]["commodity"]
    items = [{"commodity": commodity, "barcode": f"BC-{at:06}", "count": 1} for at in range(barcodes)]
    found["barcoding"] = {"receivingLoadNumber": "TRL-1", "barcodeItemDetails": items}
    return json.dumps(found, indent=2)


def test_an_order_of_many_barcodes_is_read_and_judged_beside_the_window(
    page: ConsolePage, loop: RunningLoop, services: PageServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work is counted, not time: on the window's thread no large body is read, checked or judged."""
    here, at_the_window = threading.current_thread(), list[str]()

    def watch(module: ModuleType, name: str) -> None:
        inner = getattr(module, name)

        def watched(*given: object, **named: object) -> object:
            large = any(isinstance(each, str) and len(each) > 60_000 for each in given)
            large |= any(isinstance(each, RequestDraft) and len(each.body) > 60_000 for each in given)
            if large and threading.current_thread() is here:
                at_the_window.append(name)
            return inner(*given, **named)

        monkeypatch.setattr(module, name, watched)

    for module, name in ((judge_call, "judge"), (build_request, "read_json"), (body_editor, "_read")):
        watch(module, name)
    opened(page, SUBMIT)
    text = large_order(5_000)
    page.show_draft(RequestDraft(SUBMIT, (), text))
    loop.until(lambda: page.request.judgement is not None and page.request.body.form.isEnabled(), "the order, judged")
    assert page.request.judgement is not None
    assert page.request.judgement.stops == ()
    assert not page.has_unsaved, "a request that is shown is not typed"
    wrong = text.replace('"barcode": "BC-000001"', '"barcode": "BC-000000"')
    page.request.body.editor.replace_text(wrong)
    page._on_changed()
    loop.until(lambda: page.request.judgement is not None and bool(page.request.judgement.stops), "what is wrong")
    page.request.body.editor.replace_text(text)
    page.request.send.click()
    loop.until(lambda: page.answer.write_id is not None, "the order in the outbox")
    assert at_the_window == []


def test_a_field_beside_many_barcodes_is_written_into_the_text_beside_the_window(
    page: ConsolePage, loop: RunningLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the window's thread no large text is written, and no row is looked at that has not changed."""
    opened(page, SUBMIT)
    body = page.request.body
    page.show_draft(RequestDraft(SUBMIT, (), large_order(5_000)))
    loop.until(
        lambda: page.request.judgement is not None and body.form.isEnabled() and not page.tasks.busy, "the order"
    )
    body.form.finish()
    body.form.value()
    written, looked_at = list[threading.Thread](), list[object]()
    write, look = write_json, RowsPart._value_of

    def watched_write(value: Value) -> str:
        written.append(threading.current_thread())
        return write(value)

    def watched_look(part: RowsPart, row: object) -> object:
        looked_at.append(row)
        return look(part, row)

    monkeypatch.setattr(body_editor, "write_json", watched_write)
    monkeypatch.setattr(RowsPart, "_value_of", watched_look)
    for text in ("CON-1", "CON-2"):
        put_body(page, "orderReferenceNumber", text)
    loop.until(lambda: '"orderReferenceNumber": "CON-2"' in body.editor.whole_text(), "the change in the text")
    assert len(written) == 1, "two changes in a moment are one"
    assert threading.current_thread() not in written
    assert looked_at == []
    assert json.loads(body.text) == json.loads(large_order(5_000)) | {"orderReferenceNumber": "CON-2"}

    put_body(page, "orderReferenceNumber", "CON-3")
    assert '"CON-3"' in page.request.draft().body, "what is sent at once has the change"
    put_body(page, "orderReferenceNumber", "CON-4")
    body.editor.entered.emit()
    assert '"CON-4"' in body.editor.whole_text(), "the change stands there before anybody types"
    loop.until(lambda: not page.tasks.busy, "the judgement")
    assert '"CON-4"' in body.editor.whole_text()


def put_body(page: ConsolePage, name: str, text: str) -> None:
    root = page.request.body.form.root
    assert isinstance(root, RecordPart)
    found = root._parts[name]
    assert isinstance(found, SinglePart)
    found.take(text)


# What is typed and not sent


def again(services: PageServices, show: Show, loop: RunningLoop, desk: Desk, folder: Path) -> ConsolePage:
    """The page of a next start."""
    made = ConsolePage(services, folder)
    made.take_desk(desk)
    show(made)
    loop.until(lambda: not made.tasks.busy, "what was typed before")
    return made


def drafts_after_flush(page: ConsolePage, loop: RunningLoop) -> dict[str, RequestDraft]:
    assert loop.run(page.flush()) == ""
    assert not page.has_unsaved
    return loop.run(kept_drafts.read(page.desk))


def shown_key(page: ConsolePage) -> str:
    return "" if page.request.operation is None else page.request.operation.key


def test_what_is_typed_is_kept_and_stands_there_after_a_crash(
    page: ConsolePage, services: PageServices, show: Show, loop: RunningLoop, window_practice_desk: Desk, tmp_path: Path
) -> None:
    opened(page, STATUS)
    put_parameter(page, "OrderReferenceNumber", "CRN-77")
    opened(page, QUOTE)
    page.request.body.editor.insertPlainText("{ this is not right yet")
    typed = page.request.body.editor.whole_text()
    loop.until(lambda: not page.has_unsaved, "what was typed, on the disk")
    # No flush: the program was killed.
    later = again(services, show, loop, window_practice_desk, tmp_path)
    assert shown_key(later) == QUOTE
    assert later.request.body.editor.whole_text() == typed
    opened(later, STATUS)
    assert later.request.draft().parameters == (("OrderReferenceNumber", "CRN-77"),)


def test_closing_at_once_keeps_the_last_letter(page: ConsolePage, loop: RunningLoop) -> None:
    opened(page, STATUS)
    put_parameter(page, "OrderReferenceNumber", "CRN-78")
    assert page.has_unsaved
    [draft] = drafts_after_flush(page, loop).values()
    assert draft.parameters == (("OrderReferenceNumber", "CRN-78"),)


def test_what_was_sent_and_what_was_emptied_is_no_draft(page: ConsolePage, loop: RunningLoop) -> None:
    opened(page, FACILITIES)
    put_parameter(page, "ZipCode", "38104")
    assert called(page, loop) == 200
    assert drafts_after_flush(page, loop) == {}
    put_parameter(page, "ZipCode", "38103")
    assert list(drafts_after_flush(page, loop)) == [FACILITIES]
    put_parameter(page, "ZipCode", "")
    assert drafts_after_flush(page, loop) == {}


def test_another_connection_shows_nothing_that_was_typed_for_this_one(
    page: ConsolePage, loop: RunningLoop, window_practice_desk: Desk
) -> None:
    opened(page, STATUS)
    put_parameter(page, "OrderReferenceNumber", "CRN-79")
    loop.run(page.flush())
    other = replace(window_practice_desk)
    other.profile = replace(other.profile, id="elsewhere", name="Elsewhere")
    page.take_desk(other)
    loop.until(lambda: not page.tasks.busy, "the other connection")
    assert shown_key(page) == ""
    opened(page, STATUS)
    assert page.request.draft().parameters == ()
    page.take_desk(window_practice_desk)
    loop.until(lambda: not page.tasks.busy, "the connection of before")
    assert shown_key(page) == STATUS
    assert page.request.draft().parameters == (("OrderReferenceNumber", "CRN-79"),)


def test_a_secret_that_is_typed_is_not_kept(page: ConsolePage, loop: RunningLoop, window_practice_desk: Desk) -> None:
    secret = window_practice_desk.provider
    assert secret is not None
    held = secret.raw._auth._credentials.client_secret
    opened(page, STATUS)
    put_parameter(page, "OrderReferenceNumber", held)
    assert drafts_after_flush(page, loop) == {}
    # Typed while nobody could tell what the secret is: deleted once the connection is there.
    page.desk.provider = None
    put_parameter(page, "OrderReferenceNumber", f"{held}!")
    assert len(drafts_after_flush(page, loop)) == 1
    page.desk.provider = secret
    assert loop.run(kept_drafts.read(page.desk)) == {}


def test_enter_leads_into_the_form_of_a_body_and_tab_goes_on(page: ConsolePage, loop: RunningLoop) -> None:
    page.enter()
    QTest.keyClicks(page.tree.search, "slot")
    QTest.keyClick(page.tree.search, Qt.Key.Key_Return)
    assert shown_key(page) == "management POST /PartnerA/getSlot"
    names = []
    for _ in range(3):
        focus = QApplication.focusWidget()
        assert focus is not None
        names.append(focus.accessibleName())
        QTest.keyClick(focus, Qt.Key.Key_Tab)
    assert names[-1] == "Zip", names


def test_tab_finds_the_next_field_also_before_it_is_made(
    page: ConsolePage, loop: RunningLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "AT_ONCE_S", 0.0)
    monkeypatch.setattr(building, "A_TURN_S", 0.0)
    page.open_operation("management POST /PartnerA/getSlot")
    assert page.request.body.form.building
    names = []
    for _ in range(3):
        focus = QApplication.focusWidget()
        assert focus is not None
        names.append(focus.accessibleName())
        QTest.keyClick(focus, Qt.Key.Key_Tab)
    assert names == ["Order reference number", "Provider facility code", "Zip"]


# What comes by itself moves nothing


def described(page: ConsolePage, loop: RunningLoop) -> None:
    """The provider's description arrives once more, as it does on every new connection."""
    page.ask_description()
    loop.until(lambda: not page.tasks.busy, "the description")


def accessible_focus() -> str:
    focus = QApplication.focusWidget()
    assert focus is not None
    return focus.accessibleName()


@pytest.fixture
def early(
    services: PageServices, show: Show, loop: RunningLoop, window_practice_desk: Desk, tmp_path: Path
) -> ConsolePage:
    """The page in the moment in which it opens: no operation is there yet."""
    made = ConsolePage(services, tmp_path / "requests")
    show(made)
    made.take_desk(window_practice_desk)
    assert not made.tree.operations
    made.enter()
    return made


def test_enter_before_the_operations_came_opens_what_was_typed(early: ConsolePage, loop: RunningLoop) -> None:
    QTest.keyClicks(early.tree.search, "slot")
    QTest.keyClick(early.tree.search, Qt.Key.Key_Return)
    loop.until(lambda: not early.tasks.busy, "the description")
    assert shown_key(early) == "management POST /PartnerA/getSlot"
    # The contract does not say what is in its body: there is the editor, and the description leaves it there.
    assert accessible_focus() == "Body as JSON"


def test_enter_that_waits_is_forgotten_by_whoever_types_on(early: ConsolePage, loop: RunningLoop) -> None:
    QTest.keyClick(early.tree.search, Qt.Key.Key_Return)
    QTest.keyClicks(early.tree.search, "slot")
    loop.until(lambda: not early.tasks.busy, "the description")
    assert shown_key(early) == ""
    assert QApplication.focusWidget() is early.tree.search


def test_a_draft_of_before_does_not_take_the_search_from_a_person(
    page: ConsolePage, services: PageServices, show: Show, loop: RunningLoop, window_practice_desk: Desk, tmp_path: Path
) -> None:
    opened(page, STATUS)
    put_parameter(page, "OrderReferenceNumber", "CRN-77")
    loop.run(page.flush())
    later = ConsolePage(services, tmp_path / "requests")
    show(later)
    later.take_desk(window_practice_desk)
    later.enter()
    QTest.keyClicks(later.tree.search, "slot")
    loop.until(lambda: not later.tasks.busy, "the description")
    assert later.tree.search.text() == "slot"
    QTest.keyClick(later.tree.search, Qt.Key.Key_Return)
    assert shown_key(later) == "management POST /PartnerA/getSlot"


def test_a_description_leaves_the_tree_as_a_person_sees_it(page: ConsolePage, loop: RunningLoop) -> None:
    opened(page, FACILITIES)
    tree, model = page.tree.tree, page.tree.model
    tree.setFocus()
    tree.setFixedHeight(160)
    last = model.index(model.rowCount() - 1, 0)
    tree.setCurrentIndex(last)
    tree.collapse(last)
    tree.collapse(model.index(0, 0))
    tree.verticalScrollBar().setValue(tree.verticalScrollBar().maximum() // 2)
    before, top = model.line(last), model.line(tree.indexAt(QPoint(0, 0)))
    described(page, loop)
    assert model.line(tree.currentIndex()) == before
    assert model.line(tree.indexAt(QPoint(0, 0))) == top
    assert not tree.isExpanded(model.index(0, 0))
    assert not tree.isExpanded(model.index(model.rowCount() - 1, 0))
    assert QApplication.focusWidget() is tree
    assert shown_key(page) == FACILITIES


def test_a_description_leaves_the_form_to_whoever_looks_into_another_window(
    page: ConsolePage, loop: RunningLoop
) -> None:
    opened(page, STATUS)
    field = QApplication.focusWidget()
    assert field is not None
    QTest.keyClicks(field, "CRN-7")
    other = QLineEdit()
    other.show()
    other.activateWindow()
    other.setFocus()
    loop.until(other.hasFocus, "the other window in front")
    described(page, loop)
    other.close()
    page.window().activateWindow()
    loop.until(lambda: QApplication.focusWidget() is field, "the field that was typed into")


def test_a_description_leaves_a_person_at_the_answer(page: ConsolePage, loop: RunningLoop) -> None:
    page.resize(1024, 500)
    assert called(opened(page, FACILITIES), loop) == 200
    assert page.panes.one_at_a_time
    page.read_answer()
    focus = QApplication.focusWidget()
    described(page, loop)
    assert page.panes.tabs["lower"].isChecked()
    assert QApplication.focusWidget() is focus


def test_the_operation_of_before_opens_after_another_connection(
    page: ConsolePage, loop: RunningLoop, window_practice_desk: Desk
) -> None:
    opened(page, FACILITIES)
    other = replace(window_practice_desk)
    other.profile = replace(other.profile, id="elsewhere", name="Elsewhere")
    page.take_desk(other)
    loop.until(lambda: not page.tasks.busy, "the other connection")
    page.focus_search()
    page.tree.search.clear()
    QTest.keyClicks(page.tree.search, "GET /Facilities")
    QTest.keyClick(page.tree.search, Qt.Key.Key_Return)
    assert shown_key(page) == FACILITIES
    assert accessible_focus() == "Zip code"


def test_a_column_of_the_answer_before_has_no_title() -> None:
    model = TextRowsModel(("Name", "Value", "Kind"))
    model.show_rows([("a",)], ("Name",))
    assert model.headerData(0, Qt.Orientation.Horizontal) == "Name"
    assert model.headerData(1, Qt.Orientation.Horizontal) is None
