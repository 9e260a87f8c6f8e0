"""The form holds exactly what the draft holds: every path there and back, typed or loaded."""

import re
from dataclasses import asdict
from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from app.contract.check import check_draft
from app.contract.draft import (
    FILLED,
    BarcodeDraft,
    BarcodingDraft,
    ConsigneeDraft,
    FreightDraft,
    OrderDraft,
    ReferenceDraft,
)
from app.contract.typed_fields import LIMITS
from app.ui.entry.form.entry_form import OrderForm, in_form_order, issue_place
from app.ui.entry.form.layout_data import LABELS, SECTIONS
from app.ui.theme.theme import Theme
from app.ui.widgets.field import ChoiceField, Field
from app.ui.widgets.text import times
from tests.support.desks import order_draft
from tests.support.hostile import HOSTILE
from tests.ui.conftest import Show


def paths(value: Any, at: str = "") -> list[str]:
    """Every path of a draft below which there is a text."""
    if isinstance(value, dict):
        return [path for name, each in value.items() for path in paths(each, f"{at}.{name}".lstrip("."))]
    if isinstance(value, list):
        return [path for place, each in enumerate(value) for path in paths(each, f"{at}[{place}]")]
    return [at]


def typed_paths() -> list[str]:
    """The paths at which a person types, without the marks of what was filled in."""
    return [path for path in paths(asdict(full())) if path.rpartition(".")[2] != FILLED]


def full() -> OrderDraft:
    """A draft with another text at every path."""
    draft = OrderDraft(
        freightDetails=[FreightDraft(), FreightDraft()],
        barcoding=BarcodingDraft("", [BarcodeDraft(), BarcodeDraft(), BarcodeDraft()]),
        otherReferenceNumbers=[ReferenceDraft()],
    )
    record = asdict(draft)
    for number, path in enumerate(paths(record)):
        *parents, name = re.findall(r"\w+", path)
        place: Any = record
        for parent in parents:
            place = place[int(parent)] if parent.isdecimal() else place[parent]
        place[name] = "consignee.email" if path == FILLED else f"text {number}"
    return OrderDraft.from_dict(record)


@pytest.fixture
def form(theme: Theme, show: Show) -> OrderForm:
    made = OrderForm(theme)
    show(made)
    return made


def test_the_form_has_a_place_for_every_path_of_the_draft(form: OrderForm) -> None:
    wanted = {re.sub(r"\[\d+\]", "", path) for path in typed_paths()}
    cells = {f"{rows}.{col.name}" for rows, each in form.lists.items() for col in each.model.columns}
    assert {*form.fields, *cells} == wanted
    assert wanted <= set(LABELS)


def test_every_path_comes_back_and_differs_from_every_other(form: OrderForm) -> None:
    form.load(full())
    assert form.draft() == full()


def test_loading_is_not_typing(form: OrderForm) -> None:
    told: list[int] = []
    form.changed.connect(lambda: told.append(1))
    form.load(full())
    form.load(OrderDraft())
    assert told == []
    assert form.draft() == OrderDraft()


# A field of one line is pasted one line.
ANY_LETTER = st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"])
LINE = st.one_of(st.sampled_from(HOSTILE), st.text(ANY_LETTER, max_size=20))
LINES = st.lists(LINE, max_size=3).map("\n".join)


@given(line=LINE, lines=LINES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_odd_texts_come_back_letter_for_letter(form: OrderForm, line: str, lines: str) -> None:
    lines = lines.replace("\u2028", "").replace("\u2029", "").replace("\x00", "").replace("\x85", "")
    draft = OrderDraft(
        orderReferenceNumber=line,
        deliveryType=line,
        consignee=ConsigneeDraft(consigneeName=line),
        freightDetails=[FreightDraft(commodity=line)],
        deliveryInstructions=lines,
    )
    form.load(draft)
    assert form.draft() == draft


def test_every_field_takes_keys_and_tells_of_each(form: OrderForm) -> None:
    told: list[int] = []
    form.changed.connect(lambda: told.append(1))
    typed = 0
    for path, field in form.fields.items():
        if isinstance(field, ChoiceField):
            continue
        QTest.keyClicks(field.editor, "ab1")
        typed += 3
        assert field.text() == "ab1", path
    assert len(told) == typed
    for path, field in form.fields.items():
        if isinstance(field, ChoiceField):
            field.editor.setCurrentIndex(1)
            typed += 1
            assert field.text() in ("HOME", "true"), path
    assert len(told) == typed


def test_a_line_break_belongs_to_the_instructions_only(form: OrderForm) -> None:
    editor = form.fields["deliveryInstructions"].editor
    assert isinstance(editor, QPlainTextEdit)
    QTest.keyClicks(editor, "one")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, "two")
    QTest.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(editor, "three")
    assert form.draft().deliveryInstructions == "one\ntwo\nthree"
    assert form.fields["consignee.consigneeName"].editor.__class__ is QLineEdit


def test_every_issue_of_an_empty_draft_has_its_place(form: OrderForm) -> None:
    draft = OrderDraft(
        freightDetails=[FreightDraft()],
        barcoding=BarcodingDraft("", [BarcodeDraft()]),
        otherReferenceNumbers=[ReferenceDraft()],
    )
    form.load(draft)
    issues = check_draft(draft)
    assert isinstance(issues, list)
    assert sorted(map(str, form.check().issues())) == sorted(map(str, issues))
    form.show_all_issues()
    for issue in issues:
        field = form.fields.get(issue.path)
        if field is not None:
            assert isinstance(field, Field | ChoiceField)
            assert field.shown == issue.sentence, issue.path
            continue
        rows = next(path for path in form.lists if issue.path.startswith(path))
        place = re.fullmatch(r".*\[(\d+)\]\.(\w+)", issue.path)
        assert place is not None
        assert form.lists[rows].model.issue(int(place[1]), place[2]) == issue.sentence
        assert issue_place(issue.path).startswith(("Freight lines, row 1", "Barcodes, row 1", "References, row 1"))
    form.load(order_draft("R-1"))
    assert form.check().count == 0
    assert all(not each.editor.property("wrong") for each in form.fields.values())
    assert all(not any(each.model.issues) for each in form.lists.values())


def test_a_list_as_a_whole_says_its_issue(form: OrderForm) -> None:
    form.load(OrderDraft())
    form.check()
    assert form.lists["freightDetails"].shown == "At least one freight line is required."


def test_issues_are_told_from_top_to_bottom(form: OrderForm) -> None:
    form.load(OrderDraft(freightDetails=[FreightDraft()], deliveryInstructions="x" * 300))
    told = [each.path for each in in_form_order(form.check())]
    assert told[0] == "orderReferenceNumber"
    assert told[-1] == "deliveryInstructions"
    consignee = [at for at, path in enumerate(told) if path.startswith("consignee.")]
    freight = [at for at, path in enumerate(told) if path.startswith("freightDetails")]
    assert max(consignee) < min(freight)


def test_the_keyboard_goes_where_a_path_points(form: OrderForm) -> None:
    form.load(full())
    for path in typed_paths():
        form.go_to(path)
        focus = form.window().focusWidget()
        field = form.fields.get(path)
        if field is not None:
            assert focus is field.editor, path
            continue
        rows = next(each for name, each in form.lists.items() if path.startswith(name))
        assert focus is rows.grid, path
        here = rows.grid.currentIndex()
        assert f"[{here.row()}].{rows.model.columns[here.column()].name}" in path


def test_every_limit_of_the_contract_is_known_to_its_field(form: OrderForm) -> None:
    for path, field in form.fields.items():
        if isinstance(field, Field):
            assert field._limit == LIMITS.get(path), path


def test_the_provider_s_words_stand_beside_their_fields_however_it_writes_the_path(form: OrderForm) -> None:
    """Services of this kind write `Consignee.City` or `$.consignee.city` where the contract says consignee.city."""
    form.load(order_draft("R-1"))
    words = {
        "Consignee.City": "Which one?",
        "$.poNumber": "Taken.",
        "deliveryType": "No.",
        "$": "Odd.",
        "x.y": "?",
    }
    assert form.show_provider_words(words) == ["$", "x.y"]
    said = {path: getattr(field, "shown", "") for path, field in form.fields.items() if getattr(field, "shown", "")}
    assert said == {"consignee.city": "Which one?", "poNumber": "Taken.", "deliveryType": "No."}


def test_the_provider_s_words_stay_until_that_field_changes(form: OrderForm) -> None:
    form.load(full())
    city, kind = form.fields["consignee.city"], form.fields["deliveryType"]
    assert isinstance(city, Field)
    assert isinstance(kind, ChoiceField)
    form.show_provider_words({"consignee.city": "Which one?", "deliveryType": "Not here."})
    QTest.keyClicks(form.fields["poNumber"].editor, "x")
    form.check()
    assert (city.shown, kind.shown) == ("Which one?", "Not here.")
    QTest.keyClicks(city.editor, "x")
    kind.editor.setCurrentIndex(1)
    form.check()
    assert (city.shown, kind.shown) == ("", "")


def test_each_section_is_named_for_a_screen_reader(form: OrderForm) -> None:
    assert [card.accessibleName() for card in form.sections.values()] == [plan.title for plan in SECTIONS]
    for path, field in form.fields.items():
        said = field.editor.accessibleName() + field.editor.accessibleDescription()
        assert LABELS[path] in said, path


# What a field's text reads as

TODAY = date(2026, 11, 21)  # a Saturday
DATE = "requestedDeliveryDate"


@pytest.fixture
def saturday(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(times, "today", lambda: TODAY)


def type_in(form: OrderForm, path: str, text: str) -> Field:
    field = form.fields[path]
    assert isinstance(field, Field)
    field.editor.setFocus()
    QTest.keyClicks(field.editor, text)
    return field


@pytest.mark.usefixtures("saturday")
@pytest.mark.parametrize(
    ("typed", "meant", "note"),
    [
        ("+3", "2026-11-24", "2026-11-24 · Tue, in 3 days"),
        ("fri", "2026-11-27", "2026-11-27 · Fri, in 6 days"),
        ("12/24", "2026-12-24", "2026-12-24 · Thu, in 33 days"),
        ("+8", "2026-11-29", "2026-11-29 · Sun, in 8 days · a weekend"),
        ("2026-12-01", "2026-12-01", "Tue, in 10 days"),
    ],
)
def test_a_date_is_what_was_meant_from_the_first_key_and_shows_it_once_left(
    form: OrderForm, typed: str, meant: str, note: str
) -> None:
    field = type_in(form, DATE, typed)
    assert isinstance(field.editor, QLineEdit)
    assert (form.draft().requestedDeliveryDate, field.editor.text(), field.shown) == (meant, typed, note)
    assert DATE not in [each.path for each in form.check().fields]
    form.fields["poNumber"].editor.setFocus()
    assert (form.draft().requestedDeliveryDate, field.editor.text()) == (meant, meant)
    assert field.shown == note.removeprefix(f"{meant} · "), "the day is not said twice"


@pytest.mark.usefixtures("saturday")
def test_what_is_no_date_stays_as_it_was_typed_and_says_so(form: OrderForm) -> None:
    field = type_in(form, DATE, "next week")
    form.fields["poNumber"].editor.setFocus()
    form.check()
    assert (field.text(), field.shown) == ("next week", "Not a date. Write it as YYYY-MM-DD.")


@pytest.mark.usefixtures("saturday")
def test_the_field_s_own_undo_brings_back_what_was_typed(form: OrderForm) -> None:
    field = type_in(form, DATE, "+3")
    assert isinstance(field.editor, QLineEdit)
    form.fields["poNumber"].editor.setFocus()
    field.editor.undo()
    assert (field.editor.text(), form.draft().requestedDeliveryDate) == ("+3", "2026-11-24")
    form.load(OrderDraft(requestedDeliveryDate="2026-11-24"))
    assert field.editor.text() == "2026-11-24"


@pytest.mark.parametrize(
    ("path", "typed", "note"),
    [
        ("consignee.phone1", "9015550142", "Reads (901) 555-0142"),
        ("consignee.phone2", "19015550142x7", "Reads (901) 555-0142 ext. 7"),
        ("consignee.phone1", "901-555-0142", ""),
        ("consignee.zip", "381040142", "Reads 38104-0142"),
        ("consignee.zip", "38104", ""),
        ("poNumber", "9015550142", ""),
        ("consignee.consigneeName", "Eve\u202elive", "Holds hidden characters: Eve⟨U+202E⟩live"),
        ("poNumber", "A\u200bB", "Holds hidden characters: A⟨U+200B⟩B"),
        ("poNumber", "A\nB\tC", "Holds hidden characters: A␊B␉C"),
    ],
)
def test_what_a_text_reads_as_is_said_and_what_was_typed_is_sent(
    form: OrderForm, path: str, typed: str, note: str
) -> None:
    field = form.fields[path]
    assert isinstance(field, Field)
    assert isinstance(field.editor, QLineEdit)
    field.editor.setText(typed)
    assert (field.text(), field.shown) == (typed, note)
    form.load(OrderDraft())
    assert field.shown == ""


@pytest.mark.parametrize(
    ("path", "typed", "doubt"),
    [
        ("consignee.zip", "3810", "Not a usual ZIP."),
        ("consignee.zip", "SOFA", "Not a usual ZIP."),
        ("consignee.zip", "38103", ""),
        ("consignee.zip", " 38103-2201 ", ""),
        ("consignee.zip", "k1a 0b6", ""),
        ("consignee.state", "88", "Not a usual state."),
        ("consignee.state", "tn", ""),
        ("consignee.phone1", "555-0142", "Has 7 digits, not 10."),
        ("consignee.phone2", "no phone", "Has 0 digits, not 10."),
        ("consignee.phone1", "+44 20 7946 0958", ""),
        ("consignee.email", "not-an-email", "Not a usual email address."),
        ("consignee.email", "a@b@c.example", "Not a usual email address."),
        ("consignee.email", "zoe@example.com", ""),
        ("consignee.email", "a@example.com; b@example.com", ""),
    ],
)
def test_what_looks_mistyped_is_remarked_on_once_it_was_left_and_may_be_sent(
    form: OrderForm, path: str, typed: str, doubt: str
) -> None:
    field = form.fields[path]
    assert isinstance(field, Field)
    field.editor.setFocus()
    QTest.keyClicks(field.editor, typed)
    form.check()
    assert field.shown == ""  # nobody is told off while typing
    form.fields["poNumber"].editor.setFocus()
    assert field.shown == doubt
    assert (field.text(), field.editor.property("wrong")) == (typed, False)
    form.load(OrderDraft())
    assert field.shown == ""


def test_nothing_is_cut_however_long_it_is(form: OrderForm) -> None:
    """Qt's own limit is 32,767 letters, and it cuts without a word."""
    endless = "x" * 40_000
    QApplication.clipboard().setText(endless)
    for path, field in form.fields.items():
        if isinstance(field, Field):
            field.editor.setFocus()
            QTest.keyClick(field.editor, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
            assert field.text() == endless, path
    freight = form.lists["freightDetails"]
    freight.load([FreightDraft(endless, "1")])
    freight.go_to(0, 0)
    QTest.keyClick(freight.grid, Qt.Key.Key_F2)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    QTest.keyClick(editor, Qt.Key.Key_End)
    QTest.keyClicks(editor, "y")
    assert freight.rows()[0].commodity == endless + "y"
    form.scan.field.setFocus()
    QTest.keyClick(form.scan.field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert form.scan.field.text() == endless
    QApplication.clipboard().clear()
