"""Known values are offered during typing, taken only by a person, and undone in one step."""

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from app.contract.draft import ConsigneeDraft
from app.desk.desk import Desk
from app.desk.drafts import saved_drafts
from app.desk.sending import outbox
from app.store.cache import order_store
from app.ui.base.page import PageServices
from app.ui.entry.entry_page import EntryPage, blank_draft
from app.ui.widgets.field import Field
from tests.support.desks import order_draft
from tests.support.loop import RunningLoop
from tests.support.order_facts import ASKED, facts
from tests.ui.conftest import Show
from tests.ui.entry.suggestions_help import OTHER, RIVERA, SOFA, go, learn, offered, press, teach, type_in

NAME, PHONE, ZIP = "consignee.consigneeName", "consignee.phone1", "consignee.zip"
Key = Qt.Key


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, offline_desk: Desk, show: Show) -> EntryPage:
    """A page on a desk that knows two people of one name, a ZIP, a commodity and a bill-to."""
    teach(loop, offline_desk, "consignee", OTHER, RIVERA)
    teach(loop, offline_desk, "place", {"zip": "38103", "city": "Memphis", "state": "TN"})
    teach(loop, offline_desk, "commodity", SOFA)
    teach(loop, offline_desk, "bill_to", {"code": "ACME"}, {"code": "ACME-WEST"})
    made = EntryPage(services)
    made.take_desk(offline_desk)
    show(made)
    made.enter()
    loop.until(lambda: not made.tasks.running("reopen"))
    return made


def test_the_list_shows_what_tells_them_apart(loop: RunningLoop, page: EntryPage) -> None:
    type_in(page, NAME, "riv")
    assert offered(loop, page) == [
        "J. Rivera, 12 Beale Street, Apt 4, Memphis TN 38103, 901-555-0142",
        "J. Rivera, 9 Pine Road, Memphis TN 38103, 212-777-9999",
    ]
    type_in(page, NAME, " pine")
    assert offered(loop, page) == ["J. Rivera, 9 Pine Road, Memphis TN 38103, 212-777-9999"]
    type_in(page, NAME, "z")
    assert offered(loop, page) == []
    assert not page.suggestions.isVisible()


@pytest.mark.parametrize("take", [Key.Key_Return, Key.Key_Enter, Key.Key_Tab])
def test_taking_one_fills_the_whole_consignee_and_one_undo_takes_it_back(
    loop: RunningLoop, page: EntryPage, take: Key
) -> None:
    type_in(page, "consignee.email", "old@example.com")
    type_in(page, NAME, "beale riv")
    offered(loop, page)
    press(Key.Key_Down, take)
    wanted = ConsigneeDraft(**RIVERA)
    assert page.form.draft().consignee == wanted
    assert not page.suggestions.isVisible()
    assert page.bar.text == (
        "Filled in J. Rivera, 12 Beale Street, Apt 4, Memphis TN 38103, 901-555-0142. 1 field held something else."
    )
    page.bar.undo()
    assert page.form.draft().consignee == ConsigneeDraft(consigneeName="beale riv", email="old@example.com")


def test_the_key_that_is_promised_undoes_the_fill_wherever_the_keyboard_is(loop: RunningLoop, page: EntryPage) -> None:
    type_in(page, NAME, "beale")
    offered(loop, page)
    press(Key.Key_Down, Key.Key_Return)
    assert page.bar.action_text == "Undo  Alt+Z", "Ctrl+Z belongs to the field"
    type_in(page, "poNumber", "PO-1")
    assert page.bar.action_text == "Undo  Alt+Z"
    page.rail.submit_button.setFocus()
    assert page.bar.action_text == "Undo  Ctrl+Z"
    page.form.go_to("freightDetails[0].commodity")
    assert page.bar.action_text == "Undo  Alt+Z", "the rows have changes of their own to undo"


def test_what_was_accepted_is_not_offered_to_be_undone(loop: RunningLoop, page: EntryPage) -> None:
    type_in(page, NAME, "beale")
    offered(loop, page)
    press(Key.Key_Down, Key.Key_Return)
    assert page.bar.text
    page.accept_filled()
    assert page.bar.text == ""


def test_the_facility_that_served_it_last_comes_along_where_none_is_given(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk
) -> None:
    teach(loop, offline_desk, "consignee", RIVERA | {"facility": "MEM01"})
    for given, address, wanted in (("", "false", "MEM01"), ("BNA02", "false", "BNA02"), ("", "true", "")):
        page.start_blank()
        loop.until(lambda: not page.type_ahead.buffering)
        assert page.form.draft() == blank_draft()
        page.form.fields["useConsigneeAddressToDetermineFaclityCode"].put(address)
        page.form.fields["providerFacilityCode"].put(given)
        type_in(page, NAME, "beale")
        offered(loop, page)
        press(Key.Key_Down, Key.Key_Return)
        assert page.form.draft().providerFacilityCode == wanted
        assert (", and the facility of its last order, MEM01." in page.bar.text) == (wanted == "MEM01")
        page.bar.act()
        assert page.form.draft().providerFacilityCode == given


def test_undo_leaves_what_was_typed_since(loop: RunningLoop, page: EntryPage) -> None:
    type_in(page, NAME, "beale")
    offered(loop, page)
    press(Key.Key_Down, Key.Key_Return)
    go(page, PHONE).selectAll()
    type_in(page, PHONE, "555")
    page.bar.act()
    assert page.form.draft().consignee == ConsigneeDraft(consigneeName="beale", phone1="555")


def test_tab_goes_on_past_what_was_filled_in(loop: RunningLoop, page: EntryPage) -> None:
    type_in(page, NAME, "beale")
    offered(loop, page)
    press(Key.Key_Down, Key.Key_Tab)
    assert QApplication.focusWidget() is page.form.lists["freightDetails"].grid


def test_nothing_is_taken_that_was_not_chosen(loop: RunningLoop, page: EntryPage) -> None:
    """A scanner ends in Enter, and Tab leaves a field: with nothing chosen both do what they always do."""
    type_in(page, NAME, "riv")
    offered(loop, page)
    press(Key.Key_Return)
    assert page.form.draft().consignee == ConsigneeDraft(consigneeName="riv")
    press(Key.Key_Down, Key.Key_Up, Key.Key_Tab)
    assert page.form.draft().consignee == ConsigneeDraft(consigneeName="riv")
    assert not page.suggestions.isVisible(), "the keyboard has left the field"
    assert not page.form.fields[NAME].editor.hasFocus()


def test_escape_closes_and_keeps_what_was_typed_and_down_opens_again(loop: RunningLoop, page: EntryPage) -> None:
    type_in(page, NAME, "riv")
    assert len(offered(loop, page)) == 2
    press(Key.Key_Down, Key.Key_Escape)
    assert not page.suggestions.isVisible()
    assert page.form.fields[NAME].text() == "riv"
    press(Key.Key_Down)
    assert len(offered(loop, page)) == 2
    press(Key.Key_Escape)
    QTest.keyClick(page.form.fields[NAME].editor, Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert len(offered(loop, page)) == 2
    assert page.form.fields[NAME].text() == "riv"


def test_a_click_takes_one_too(loop: RunningLoop, page: EntryPage) -> None:
    type_in(page, NAME, "riv")
    offered(loop, page)
    rows = page.suggestions.list
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualItemRect(rows.item(1)).center())
    assert page.form.draft().consignee == ConsigneeDraft(**OTHER)


@pytest.mark.parametrize("typed", ["0142", "555-01", "(901) 555"])
def test_any_part_of_a_phone_finds_in_the_phone_s_field(loop: RunningLoop, page: EntryPage, typed: str) -> None:
    type_in(page, PHONE, typed)
    assert offered(loop, page)[0].startswith("J. Rivera, 12 Beale Street")
    press(Key.Key_Down, Key.Key_Return)
    assert page.form.draft().consignee == ConsigneeDraft(**RIVERA)


def test_city_and_state_are_offered_from_the_zip(loop: RunningLoop, page: EntryPage) -> None:
    type_in(page, ZIP, "38103-2201")
    assert offered(loop, page) == ["38103, Memphis TN"]
    press(Key.Key_Down, Key.Key_Return)
    consignee = page.form.draft().consignee
    assert (consignee.city, consignee.state, consignee.zip) == ("Memphis", "TN", "38103-2201")
    assert page.bar.text == "", "nothing stood there before"
    for path in ("consignee.city", "consignee.state"):
        page.form.fields[path].set_text("X")
    page.form.fields[ZIP].set_text("")
    type_in(page, ZIP, "381")
    offered(loop, page)
    press(Key.Key_Down, Key.Key_Return)
    assert "2 fields held something else" in page.bar.text
    page.bar.act()
    assert page.form.draft().consignee.city == "X"


def test_codes_are_completed_and_one_that_is_typed_out_is_not_offered(loop: RunningLoop, page: EntryPage) -> None:
    type_in(page, "billToCode", "ac")
    assert offered(loop, page) == ["ACME-WEST", "ACME"]
    press(Key.Key_Down, Key.Key_Down, Key.Key_Tab)
    assert page.form.draft().billToCode == "ACME"
    assert page.form.fields["manufacturerCode"].editor.hasFocus()
    go(page, "billToCode").selectAll()
    type_in(page, "billToCode", "acme-west")
    assert offered(loop, page) == ["ACME-WEST"]
    go(page, "billToCode").setText("ACME-WEST")
    assert offered(loop, page) == []


def test_a_load_is_offered_from_those_named_before_and_a_scanner_passes_by(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk
) -> None:
    teach(loop, offline_desk, "load", {"code": "TRL-4471"}, {"code": "TRL-4480"})
    type_in(page, "barcoding.receivingLoadNumber", "trl")
    assert sorted(offered(loop, page)) == ["TRL-4471", "TRL-4480"]
    press(Key.Key_Down, Key.Key_Tab)
    assert page.form.draft().barcoding.receivingLoadNumber in ("TRL-4471", "TRL-4480")
    go(page, "barcoding.receivingLoadNumber").selectAll()
    type_in(page, "barcoding.receivingLoadNumber", "TRL-44")
    offered(loop, page)
    press(Key.Key_Return)
    assert page.form.draft().barcoding.receivingLoadNumber == "TRL-44", "Enter takes nothing that was not chosen"
    assert page.form.scan.field.hasFocus()


def test_loading_a_draft_offers_nothing(loop: RunningLoop, page: EntryPage) -> None:
    go(page, NAME)
    page.form.fields[NAME].set_text("riv")
    loop.rest()
    assert not page.suggestions.isVisible()
    type_in(page, NAME, "e")
    offered(loop, page)
    page.start_blank()
    loop.until(lambda: page.form.fields[NAME].text() == "")
    assert not page.suggestions.isVisible()


def test_the_list_follows_its_field_when_the_window_changes(loop: RunningLoop, page: EntryPage) -> None:
    type_in(page, NAME, "riv")
    offered(loop, page)
    editor = page.form.fields[NAME].editor
    before = editor.width()
    page.window().resize(1500, 1000)
    loop.until(lambda: page.suggestions.width() == editor.width() != before)
    below = editor.mapTo(page, editor.rect().bottomLeft())
    assert page.suggestions.pos().x() == below.x()
    assert abs(page.suggestions.pos().y() - below.y()) <= 1


def test_another_profile_knows_nothing_of_it(loop: RunningLoop, page: EntryPage, offline_desk: Desk) -> None:
    page.take_desk(replace(offline_desk, profile=replace(offline_desk.profile, id="another")))
    loop.until(lambda: not page.tasks.running("reopen"))
    type_in(page, NAME, "riv")
    assert offered(loop, page) == []


def test_trouble_is_said_in_the_list_and_typing_goes_on(loop: RunningLoop, page: EntryPage, offline_desk: Desk) -> None:
    loop.run(offline_desk.reader.close())
    type_in(page, NAME, "riv")
    loop.until(lambda: page.suggestions.sentence_shown.startswith("Earlier entries cannot be read."))
    type_in(page, NAME, "era")
    assert page.form.fields[NAME].text() == "rivera"


def test_a_look_that_takes_long_says_so(loop: RunningLoop, page: EntryPage, offline_desk: Desk) -> None:
    import threading

    gate = threading.Event()
    offline_desk.reader._thread.submit(gate.wait)
    type_in(page, NAME, "riv")
    loop.until(lambda: page.suggestions.sentence_shown == "Looking…")
    gate.set()
    loop.until(lambda: len(page.suggestions.shown_texts) == 2)


# The freight's cells


def cell(page: EntryPage, row: int, place: int) -> str:
    model = page.form.lists["freightDetails"].model
    return str(model.index(row, place).data(Qt.ItemDataRole.EditRole))


def begin_cell(page: EntryPage, keys: str) -> QLineEdit:
    grid = page.form.lists["freightDetails"].grid
    page.form.go_to("freightDetails[0].commodity")
    QTest.keyClicks(grid, keys[:1])
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    QTest.keyClicks(editor, keys[1:])
    return editor


def test_a_commodity_is_completed_with_what_a_piece_comes_to(loop: RunningLoop, page: EntryPage) -> None:
    begin_cell(page, "thr")
    assert offered(loop, page) == ["SOFA, Sofa, three seats, 37.25 cu ft and 130 lb a piece"]
    press(Key.Key_Down, Key.Key_Tab)
    loop.until(lambda: cell(page, 0, 0) == "SOFA")
    grid = page.form.lists["freightDetails"].grid
    assert grid.currentIndex().column() == 1
    QTest.keyClicks(QApplication.focusWidget() or grid, "2")
    editor = QApplication.focusWidget()
    assert editor is not None
    QTest.keyClick(editor, Key.Key_Tab)
    loop.until(lambda: cell(page, 0, 2) == "74.5")
    assert cell(page, 0, 3) == "260"
    assert page.bar.text == "Filled in the usual figures for 2 SOFA: 74.5 cu ft and 260 lb."
    page.bar.act()
    assert (cell(page, 0, 2), cell(page, 0, 3)) == ("", "")


def fill_row(page: EntryPage, **texts: str) -> None:
    freight = page.form.lists["freightDetails"]
    places = {each.name: at for at, each in enumerate(freight.model.columns)}
    for name, text in texts.items():
        freight.model.setData(freight.model.index(0, places[name]), text)


def leave(page: EntryPage, name: str) -> None:
    page.form.go_to(f"freightDetails[0].{name}")
    page.form.go_to("freightDetails[0].weight")


def test_leaving_the_rows_from_an_open_cell_fills_in_what_is_usual(loop: RunningLoop, page: EntryPage) -> None:
    fill_row(page, commodity="SOFA")
    page.form.go_to("freightDetails[0].count")
    QTest.keyClicks(page.form.lists["freightDetails"].grid, "2")
    page.form.go_to("barcoding.receivingLoadNumber")
    loop.until(lambda: (cell(page, 0, 2), cell(page, 0, 3)) == ("74.5", "260"))
    assert page.form.fields["barcoding.receivingLoadNumber"].editor.hasFocus()


def test_two_lines_that_are_left_one_after_the_other_are_both_filled_in(loop: RunningLoop, page: EntryPage) -> None:
    fill_row(page, commodity="SOFA", count="2")
    rows = page.form.lists["freightDetails"].model
    rows.change(1, 0, list(rows.rows[:1]))
    for row in range(2):  # no answer can come between the two
        page.freight_suggestions._guess(row)
    loop.until(lambda: [cell(page, row, 2) for row in range(2)] == ["74.5", "74.5"])


def marks(page: EntryPage) -> str:
    return page.form.draft().freightDetails[0].filled


def test_what_was_typed_is_never_replaced_and_beside_what_is_unusual_nothing_is_guessed(
    loop: RunningLoop, page: EntryPage
) -> None:
    fill_row(page, commodity="sofa", count="2", volume="74.50")
    leave(page, "count")
    loop.until(lambda: cell(page, 0, 3) == "260")
    assert (cell(page, 0, 0), cell(page, 0, 2), marks(page)) == ("sofa", "74.50", "weight")
    fill_row(page, volume="80", weight="")
    leave(page, "count")
    loop.until(lambda: not page.tasks.running("usual 0"))
    assert (cell(page, 0, 2), cell(page, 0, 3)) == ("80", "")


def test_what_was_filled_in_follows_the_count(loop: RunningLoop, page: EntryPage) -> None:
    fill_row(page, commodity="SOFA", count="2")
    leave(page, "count")
    loop.until(lambda: cell(page, 0, 3) == "260")
    fill_row(page, count="3")
    assert (cell(page, 0, 2), cell(page, 0, 3)) == ("", ""), "what two of them weigh says nothing of three"
    leave(page, "count")
    loop.until(lambda: (cell(page, 0, 2), cell(page, 0, 3)) == ("111.75", "390"))


@pytest.mark.parametrize(("overtyped", "emptied"), [(2, 3), (3, 2), (0, 2), (1, 3)])
def test_a_guess_goes_when_what_it_stands_on_is_typed_over(
    loop: RunningLoop, page: EntryPage, overtyped: int, emptied: int
) -> None:
    """148 lb once went out that nobody had typed, after the volume beside it was typed over."""
    fill_row(page, commodity="SOFA", count="2")
    leave(page, "count")
    loop.until(lambda: cell(page, 0, 3) == "260")
    freight = page.form.lists["freightDetails"]
    freight.go_to(0, overtyped)
    QTest.keyClicks(freight.grid, "8")
    assert cell(page, 0, emptied) == ""
    assert marks(page) == ""
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    QTest.keyClick(editor, Key.Key_Escape)
    loop.rest()
    assert (cell(page, 0, 2), cell(page, 0, 3), marks(page)) == ("74.5", "260", "volume weight"), "nothing was changed"
    freight.go_to(0, overtyped)
    QTest.keyClicks(freight.grid, "8")
    page.form.go_to("poNumber")
    loop.until(lambda: not page.tasks.running("usual 0"))
    if overtyped == 2:
        assert (cell(page, 0, 2), cell(page, 0, 3)) == ("8", ""), "and it does not come again by itself"
    freight.undo()
    assert marks(page) == "volume weight" or overtyped == 1


def test_a_guess_is_marked_by_more_than_colour_and_the_verdict_names_it(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk
) -> None:
    page.show_draft("d", order_draft("R-1"))
    fill_row(page, commodity="SOFA", count="2", volume="", weight="")
    leave(page, "count")
    loop.until(lambda: cell(page, 0, 3) == "260")
    model = page.form.lists["freightDetails"].model
    weight = model.index(0, 3)
    assert weight.data() == "≈ 260"
    assert weight.data(Qt.ItemDataRole.FontRole).italic()
    for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
        assert "Filled in by Waybill: the usual figure for 2 SOFA, by what this desk sent before." in weight.data(role)
    words = (
        "Filled in by Waybill. Freight line 1: 74.5 cu ft and 260 lb. It will be sent as it stands. Alt+A accepts it."
    )
    loop.until(lambda: words in page.rail.verdict.text)
    assert page.rail.accept_button.isVisible()
    QTest.keyClick(page, Key.Key_A, Qt.KeyboardModifier.AltModifier)
    assert (weight.data(), marks(page)) == ("260", "")
    assert "Filled in by Waybill" not in page.rail.verdict.text
    assert not page.rail.accept_button.isVisible()
    loop.run(page.flush())
    (kept_draft,) = loop.run(saved_drafts.all_open(offline_desk))
    assert kept_draft.draft.freightDetails[0].filled == ""


def test_the_marks_are_there_again_after_a_restart_and_are_not_sent(
    loop: RunningLoop, page: EntryPage, services: PageServices, offline_desk: Desk, show: Show
) -> None:
    page.show_draft("d", order_draft("R-1"))
    fill_row(page, commodity="SOFA", count="2", volume="", weight="")
    leave(page, "count")
    loop.until(lambda: cell(page, 0, 3) == "260")
    loop.run(page.flush())
    again = EntryPage(services)
    again.take_desk(offline_desk)
    show(again)
    loop.until(lambda: again.form.draft().orderReferenceNumber == "R-1")
    assert marks(again) == "volume weight"
    assert again.form.lists["freightDetails"].model.index(0, 3).data() == "≈ 260"
    again.submit()
    loop.until(lambda: "R-1 is in the outbox" in again.bar.text)
    (write,) = loop.run(outbox.writes(offline_desk, (), 5))
    (line,) = json.loads(loop.run(outbox.story(offline_desk, write.id)).payload)["freightDetails"]
    assert line == {"commodity": "SOFA", "count": 2, "volume": 74.5, "weight": 260}


EMAIL = "consignee.email"


def test_what_a_taken_consignee_brings_unseen_is_marked_and_goes_with_the_name(
    loop: RunningLoop, page: EntryPage
) -> None:
    type_in(page, NAME, "riv apt")
    offered(loop, page)
    press(Key.Key_Down, Key.Key_Return)
    field = page.form.fields[EMAIL]
    assert isinstance(field, Field)
    assert field.text() == "j@example.com"
    assert field.shown == "≈ Filled in by Waybill from earlier orders for J. Rivera."
    assert "Filled in by Waybill from earlier orders for J. Rivera." in field.editor.accessibleDescription()
    assert page.form.filled_in() == ["Email: j@example.com"]
    assert page.form.draft().filled == EMAIL
    go(page, NAME).setText("Somebody Else")
    assert field.text() == ""
    assert (field.shown, page.form.filled_in()) == ("", [])


def test_what_is_typed_into_a_filled_field_is_no_guess(loop: RunningLoop, page: EntryPage) -> None:
    type_in(page, NAME, "riv apt")
    offered(loop, page)
    press(Key.Key_Down, Key.Key_Return)
    type_in(page, EMAIL, "x")
    assert page.form.filled_in() == []
    go(page, NAME).setText("Somebody Else")
    assert page.form.fields[EMAIL].text().endswith("x"), "it was typed"


def test_an_unknown_commodity_or_count_fills_nothing(loop: RunningLoop, page: EntryPage) -> None:
    for texts in ({"commodity": "LAMP", "count": "2"}, {"commodity": "SOFA", "count": "many"}, {"commodity": ""}):
        fill_row(page, **texts)
        leave(page, "count")
        loop.until(lambda: not page.tasks.running("usual 0"))
        assert (cell(page, 0, 2), cell(page, 0, 3)) == ("", "")


def test_escape_in_a_cell_closes_the_list_first(loop: RunningLoop, page: EntryPage) -> None:
    editor = begin_cell(page, "so")
    assert offered(loop, page)
    QTest.keyClick(editor, Key.Key_Escape)
    assert not page.suggestions.isVisible()
    assert editor.isVisible()
    assert editor.text() == "so"


def test_what_is_learnt_while_one_waits_is_offered_by_itself(
    loop: RunningLoop, services: PageServices, offline_desk: Desk, show: Show
) -> None:
    seen = {"Consignee": {"Name": "Rivera Gallery", "Phone": "901-555-0142"}}
    loop.run(
        offline_desk.cache.write(
            order_store.store_orders, offline_desk.profile.id, "open", [facts(7, extra=seen)], ASKED
        )
    )
    page = EntryPage(services)
    page.take_desk(offline_desk)
    show(page)
    loop.until(lambda: not page.tasks.running("reopen"))
    type_in(page, NAME, "galler")
    loop.until(page.suggestions.isVisible)
    assert page.suggestions.shown_texts == []
    learn(loop, offline_desk)
    loop.until(lambda: page.suggestions.shown_texts)
    assert [each.startswith("Rivera Gallery") for each in page.suggestions.shown_texts] == [True]


def test_whoever_closes_the_list_is_not_shown_it_again(
    loop: RunningLoop, services: PageServices, offline_desk: Desk, show: Show
) -> None:
    loop.run(offline_desk.cache.write(order_store.store_orders, offline_desk.profile.id, "open", [facts(7)], ASKED))
    page = EntryPage(services)
    page.take_desk(offline_desk)
    show(page)
    loop.until(lambda: not page.tasks.running("reopen"))
    type_in(page, NAME, "galler")
    loop.until(page.suggestions.isVisible)
    press(Key.Key_Escape)
    loop.until(lambda: not page.tasks.running("known"), "nobody waits any more")
    assert not page.suggestions.isVisible()
