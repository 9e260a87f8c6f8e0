"""Templates in the form: kept, begun from, asked, handed on to the next order; the template of new orders."""

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from app.desk.desk import Desk
from app.desk.drafts import saved_drafts, templates
from app.desk.drafts.templates import Template
from app.desk.sending import outbox
from app.store.team.team_file import SharedThing
from app.ui.base.page import PageServices
from app.ui.entry.drafts.template_dialog import TemplateDialog
from app.ui.entry.entry_page import EntryPage, blank_draft
from app.ui.widgets.text.labels import ampersands
from tests.support.desks import order_draft
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.entry.entry_help import page_on
from tests.ui.entry.suggestions_help import type_in

CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
STORE = templates.made_of(
    "R & R stores",
    order_draft("R-1", billToCode="ACME", poNumber="PO-7"),
    ["billToCode", "consignee.consigneeName", "useConsigneeAddressToDetermineFaclityCode", "freightDetails"],
    ["orderReferenceNumber", "poNumber"],
)


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, offline_desk: Desk, show: Show) -> EntryPage:
    """A page on a desk with one template."""
    loop.run(templates.save(offline_desk, STORE, default=False))
    return page_on(loop, services, show, offline_desk)


def trigger(page: EntryPage, *names: str) -> None:
    """Choose in the menu, by the words on the way."""
    menu = page.templates.menu()
    for name in names[:-1]:
        (menu,) = [each for each in menu.findChildren(QMenu) if each.title() == name]
    (chosen,) = [each for each in menu.actions() if each.text().partition("\t")[0] == names[-1]]
    chosen.trigger()


def idle(loop: RunningLoop, page: EntryPage) -> None:
    loop.until(lambda: not page.type_ahead.buffering and not page.tasks.running("templates"))


def test_an_order_is_begun_from_a_template_with_the_keyboard_where_it_asks(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk
) -> None:
    type_in(page, "orderReferenceNumber", "BEFORE")
    trigger(page, "&1 R && R stores")
    loop.until(lambda: page.form.draft() == templates.begin(STORE))
    idle(loop, page)
    assert page.form.fields["orderReferenceNumber"].editor.hasFocus()
    type_in(page, "orderReferenceNumber", "R-9")
    QTest.keyClick(page, Qt.Key.Key_F4)
    assert page.form.fields["poNumber"].editor.hasFocus()
    type_in(page, "poNumber", "7")
    QTest.keyClick(page, Qt.Key.Key_F4)
    assert page.form.fields["consignee.streetAddress"].editor.hasFocus(), "then what is not right yet"
    loop.until(lambda: {each.name for each in loop.run(saved_drafts.all_open(offline_desk))} == {"BEFORE", "R-9"})


def fill(page: EntryPage, reference: str) -> None:
    page.form.load(order_draft(reference, "Somebody", billToCode="TODAY"))
    type_in(page, "poNumber", "7")


def test_submit_and_next_keeps_what_stood_in_the_fixed_fields(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk
) -> None:
    trigger(page, "&1 R && R stores")
    idle(loop, page)
    for turn in ("R-1", "R-2"):
        fill(page, turn)
        QTest.keyClick(page, Qt.Key.Key_Return, CTRL_SHIFT)
        said = f"{turn} is in the outbox"
        loop.until(lambda: said in page.bar.text)  # noqa: B023
        idle(loop, page)
        draft = page.form.draft()
        assert (draft.billToCode, draft.consignee.consigneeName) == ("TODAY", "Somebody")
        assert (draft.orderReferenceNumber, draft.poNumber, draft.consignee.city) == ("", "", "")
        assert draft.freightDetails == order_draft("").freightDetails
    assert loop.run(outbox.counts(offline_desk))["queued"] == 2
    fill(page, "R-3")
    page.submit()
    loop.until(lambda: "R-3 is in the outbox" in page.bar.text)
    assert page.form.draft() == blank_draft(), "submitting alone begins anew"


def test_without_a_template_the_next_order_is_blank(loop: RunningLoop, page: EntryPage) -> None:
    fill(page, "R-1")
    page.rail.next_button.click()
    loop.until(lambda: "R-1 is in the outbox" in page.bar.text)
    assert page.form.draft() == blank_draft()


def save(page: EntryPage, name: str, *, untick: tuple[str, ...] = (), default: bool = False) -> TemplateDialog:
    QTest.keyClick(page, Qt.Key.Key_S, CTRL_SHIFT)
    dialog = page.findChildren(TemplateDialog)[-1]
    dialog.name.put(name)
    for at in range(dialog.fields.count()):
        item = dialog.fields.item(at)
        if item.text().startswith(untick):
            item.setCheckState(Qt.CheckState.Unchecked)
    dialog.default.setChecked(default)
    return dialog


def test_what_stands_in_the_form_is_kept_as_a_template(loop: RunningLoop, page: EntryPage, offline_desk: Desk) -> None:
    page.form.load(order_draft("R-1", billToCode="ACME", poNumber="PO-7", shipDate="2026-12-01"))
    dialog = save(page, "Second", untick=("Freight",))
    fixed, asked = dialog.fixed_and_asked()
    assert fixed == ["billToCode", "useConsigneeAddressToDetermineFaclityCode"]
    assert {"poNumber", "shipDate", "consignee.zip", "freightDetails"} <= set(asked)
    dialog.save_button.click()
    loop.until(lambda: page.bar.text == "Template Second saved.")
    found = loop.run(templates.load(offline_desk)).named("Second")
    assert found is not None
    assert found.fixed["billToCode"] == "ACME"
    assert found.asked[:2] == ("orderReferenceNumber", "poNumber")


def test_a_template_takes_a_name_and_says_whose_place_it_takes(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk
) -> None:
    page.form.load(order_draft("R-1"))
    dialog = save(page, " ")
    dialog.save_button.click()
    assert dialog.isVisible()
    assert dialog.name.shown == "Required."
    dialog.name.put("R & R stores")
    assert dialog.name.shown == "Replaces the template of this name."
    dialog.save_button.click()
    loop.until(lambda: page.bar.text == "Template R & R stores saved.")
    assert len(loop.run(templates.load(offline_desk)).all) == 1


def test_new_orders_begin_with_the_one_that_was_chosen_at_this_profile_only(
    loop: RunningLoop, services: PageServices, show: Show, page: EntryPage, offline_desk: Desk
) -> None:
    trigger(page, "New orders &begin with", "R && R stores")
    loop.until(lambda: page.bar.text == "New orders begin with R & R stores.")
    page.start_blank()
    loop.until(lambda: page.form.draft() == templates.begin(STORE))
    idle(loop, page)
    again = page_on(loop, services, show, offline_desk)
    assert again.form.draft() == templates.begin(STORE)
    page.take_desk(replace(offline_desk, profile=replace(offline_desk.profile, id="another")))
    loop.until(lambda: not page.tasks.running("reopen"))
    assert page.form.draft() == blank_draft()
    page.take_desk(offline_desk)
    loop.until(lambda: not page.tasks.running("reopen"))
    trigger(page, "New orders &begin with", "&Blank")
    loop.until(lambda: page.bar.text == "New orders begin blank.")
    page.start_blank()
    loop.until(lambda: page.form.draft() == blank_draft())
    idle(loop, page)


def test_a_template_that_was_deleted_comes_back_by_undo(loop: RunningLoop, page: EntryPage, offline_desk: Desk) -> None:
    trigger(page, "&Delete", "R && R stores")
    loop.until(lambda: page.bar.text == "Template R & R stores deleted.")
    assert loop.run(templates.load(offline_desk)).all == ()
    idle(loop, page)
    page.bar.act()
    loop.until(lambda: page.bar.text == "Template R & R stores restored.")
    assert loop.run(templates.load(offline_desk)).all == (STORE,)


def test_trouble_with_the_journal_is_said(loop: RunningLoop, page: EntryPage, offline_desk: Desk) -> None:
    page.form.load(order_draft("R-1"))
    dialog = save(page, "Second")
    loop.run(offline_desk.journal.close())
    dialog.save_button.click()
    loop.until(lambda: page.bar.text.startswith("The template was not saved."))


def test_a_template_of_any_content_is_shown_plainly(
    loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk
) -> None:
    odd = "<b>x</b> & \u202e\t\n"
    loop.run(templates.save(offline_desk, Template(odd, {"billToCode": odd}), default=True))
    page = page_on(loop, services, show, offline_desk)
    assert page.form.draft() == replace(blank_draft(), billToCode=odd)
    texts = [each.text() for each in page.templates.menu().actions()]
    assert texts[0].startswith("&1 <b>x</b> && ⟨U+202E⟩")


def test_a_draft_knows_its_template_after_the_end_of_the_program(
    loop: RunningLoop, services: PageServices, show: Show, page: EntryPage, offline_desk: Desk
) -> None:
    trigger(page, "&1 R && R stores")
    idle(loop, page)
    assert page.templates.label.text() == "Begun from R & R stores"
    type_in(page, "orderReferenceNumber", "R-9")
    loop.until(lambda: loop.run(templates.load(offline_desk)).begun == {page.autosave.draft_id: "R & R stores"})
    page.start_blank()
    idle(loop, page)
    assert page.templates.label.text() == ""
    again = page_on(loop, services, show, offline_desk)
    loop.until(lambda: again.form.draft().orderReferenceNumber == "R-9")
    assert again.templates.label.text() == "Begun from R & R stores"
    QTest.keyClick(again, Qt.Key.Key_F4)
    assert again.form.fields["poNumber"].editor.hasFocus(), "it is asked for what the template asks"
    fill(again, "R-9")
    again.submit_and_next()
    loop.until(lambda: "R-9 is in the outbox" in again.bar.text)
    assert again.form.draft().billToCode == "TODAY"
    type_in(again, "orderReferenceNumber", "R-10")
    loop.until(lambda: loop.run(templates.load(offline_desk)).begun == {again.autosave.draft_id: "R & R stores"})


def test_what_was_just_kept_as_a_template_is_in_force_and_what_every_order_begins_with_is_said(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk
) -> None:
    page.form.load(order_draft("R-1", billToCode="ACME"))
    save(page, "Second", default=True).save_button.click()
    loop.until(lambda: page.bar.text == "Template Second saved. New orders begin with it.")
    idle(loop, page)
    said = "Begun from Second, the default for new orders"
    assert page.templates.label.text() == said
    fill(page, "R-1")
    page.submit_and_next()
    loop.until(lambda: "R-1 is in the outbox" in page.bar.text)
    assert page.form.draft().billToCode == "TODAY"
    assert page.templates.label.text() == said
    page.clone_write(loop.run(outbox.writes(offline_desk, (), 1))[0].id)
    loop.until(lambda: page.form.draft().consignee.city == "Memphis")
    assert page.templates.label.text() == "", "a clone was not begun from it"
    page.start_blank()
    idle(loop, page)
    trigger(page, "&Delete", "Second")
    loop.until(lambda: page.bar.text == "Template Second deleted.")
    idle(loop, page)
    assert page.templates.label.text() == ""


def test_a_template_belongs_to_the_order_it_was_made_of_though_another_came_on_screen(
    loop: RunningLoop, page: EntryPage
) -> None:
    type_in(page, "orderReferenceNumber", "MINE")
    mine = page.autosave.draft_id
    dialog = save(page, "Second")
    page.start_blank()
    loop.until(lambda: page.autosave.draft_id != mine)
    idle(loop, page)
    dialog.save_button.click()
    loop.until(lambda: page.bar.text == "Template Second saved.")
    assert page.templates.current is None
    page.open_draft(mine)
    loop.until(lambda: page.templates.current is not None)
    assert page.templates.label.text() == "Begun from Second"


def test_the_question_for_a_template_is_asked_once_and_goes_with_its_connection(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk
) -> None:
    """What is another company's must not become a template of this one."""
    first = save(page, "Second")
    again = save(page, "Third")
    assert again is first
    page.take_desk(offline_desk)
    assert first.isHidden()
    loop.until(lambda: not page.findChildren(TemplateDialog))
    idle(loop, page)
    loop.until(lambda: not page.tasks.running("reopen"))


# A team


class Team:
    """What the others of a team share."""

    def __init__(self, *shared: SharedThing) -> None:
        self.things = shared
        self.told = 0

    async def shared(self, what: str) -> tuple[SharedThing, ...]:
        return self.things if what == "template" else ()

    def tell(self) -> None:
        self.told += 1

    def at_work(self, _doing: str) -> dict[str, list[str]]:
        return {}

    def be_present(self, _subject: str, _doing: str) -> None:
        pass


def test_a_template_is_shared_and_one_of_another_is_taken_over_beside_it(
    loop: RunningLoop, page: EntryPage, offline_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QMenu] = []
    # Without a screen a menu cannot take the keyboard, and Qt warns of that.
    monkeypatch.setattr(QMenu, "popup", lambda menu, _at: opened.append(menu))
    assert "From the team" not in " ".join(each.text() for each in page.templates.menu().actions())
    content = json.dumps({"fixed": {"billToCode": "BENBT"}, "asked": []})
    wrong = SharedThing("Ben", "Wrong", '{"fixed": {"billToCode": 1}}')
    offline_desk.team = team = Team(SharedThing("Ben", STORE.name, content), wrong)  # type: ignore[assignment]
    trigger(page, "S&hare with the team", "R && R stores")
    loop.until(lambda: "The team can take over" in page.bar.text)
    assert team.told == 1
    trigger(page, "S&top sharing", "R && R stores")
    loop.until(lambda: "is shared no longer" in page.bar.text)
    for place, said in ((0, "was taken over from Ben"), (1, "cannot be read by this Waybill")):
        trigger(page, "&From the team…")
        loop.until(lambda place=place: len(opened) > place)  # type: ignore[misc]
        assert [each.text() for each in opened[place].actions()] == [
            f"{ampersands(STORE.name)}, from Ben", "Wrong, from Ben",
        ]  # fmt: skip
        opened[place].actions()[place].trigger()
        loop.until(lambda said=said: said in page.bar.text)  # type: ignore[misc]
        idle(loop, page)
    found = loop.run(templates.load(offline_desk)).all
    assert [each.name for each in found] == [STORE.name, f"{STORE.name} (Ben)"]
    assert found[1].fixed == {"billToCode": "BENBT"}
