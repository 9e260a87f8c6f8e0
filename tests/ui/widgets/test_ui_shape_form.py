"""The form that is made from a shape: what is typed becomes a value, and nothing that was put is lost."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget

from app.desk.console.forms.check_value import Mistake
from app.desk.console.forms.exact_json import ABSENT, Number, Value, read_json
from app.desk.console.forms.shapes import ANY, Bounds, Member, Parts, Shape, shape_of_parts
from app.ui.theme.theme import Theme
from app.ui.widgets.field import ChoiceField, Field
from app.ui.widgets.shape_form import shape_form_words as words
from app.ui.widgets.shape_form.alternatives_part import AlternativesPart
from app.ui.widgets.shape_form.form_part import Part
from app.ui.widgets.shape_form.list_part import CARDS_AT_ONCE, ListPart
from app.ui.widgets.shape_form.members_part import MembersPart
from app.ui.widgets.shape_form.record_part import RecordPart
from app.ui.widgets.shape_form.rows_part import RowsPart
from app.ui.widgets.shape_form.shape_form import ShapeForm
from app.ui.widgets.shape_form.single_parts import ChosenPart, MomentField
from app.ui.widgets.text import times
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

TEXT, WHOLE, NUMBER, FLAG = Shape("string"), Shape("integer"), Shape("number"), Shape("boolean")


def record(*members: Member, others: Shape | None = None, **facts: Any) -> Shape:
    return shape_of_parts("object", Parts(members, others), **facts)


def listing(element: Shape, **facts: Any) -> Shape:
    return shape_of_parts("array", Parts(element=element), **facts)


FREIGHT = record(Member("commodity", TEXT, True), Member("count", NUMBER, True), Member("fragile", FLAG))
ORDER = record(
    Member("orderReferenceNumber", Shape("string", bounds=Bounds(max_length=30)), True),
    Member("deliveryType", Shape("string", enum=("HOME", "STORE"))),
    Member("shipDate", Shape("string", format="date")),
    Member("count", Shape("integer", bounds=Bounds(minimum=Decimal(0), above_minimum=True))),
    Member("byAddress", FLAG, True),
    Member("consignee", record(Member("zip", TEXT, True), Member("city", TEXT)), True),
    Member("freight", listing(FREIGHT), True),
    Member("barcoding", record(Member("load", TEXT, True))),
    Member("tags", listing(TEXT)),
)


@pytest.fixture
def form(theme: Theme, show: Show) -> ShapeForm:
    made = ShapeForm(theme)
    show(made)
    return made


def shown(form: ShapeForm, shape: Shape, value: Value | Any = ABSENT) -> ShapeForm:
    form.show_shape(shape, value)
    form.finish()
    return form


def part(form: ShapeForm, *names: str) -> Part:
    """The part of a member, through records that are open."""
    found = form.root
    for name in names:
        assert isinstance(found, RecordPart)
        found = found._parts[name]
    assert found is not None
    return found


def held(form: ShapeForm) -> Any:
    """The value, for tests that know what it is."""
    return form.value()


def focus() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def type_in(found: Part, text: str) -> None:
    """Type into the field of a part as a person does."""
    field = found.widget
    assert isinstance(field, Field)
    field.put(text)


def choose(found: Part, title: str) -> None:
    assert isinstance(found, ChosenPart)
    editor = found._field.editor
    editor.setCurrentIndex(editor.findText(title))


def test_what_is_typed_is_the_value(form: ShapeForm) -> None:
    shown(form, ORDER)
    assert form.value() == {"consignee": {}, "freight": []}, "what is required is there to be filled in"
    changes: list[int] = []
    form.changed.connect(lambda: changes.append(1))
    type_in(part(form, "orderReferenceNumber"), "A-1")
    type_in(part(form, "count"), "12.50")
    type_in(part(form, "shipDate"), "2026-12-24")
    type_in(part(form, "consignee", "zip"), "38104")
    choose(part(form, "deliveryType"), "STORE")
    choose(part(form, "byAddress"), words.NO)
    assert form.value() == {
        "orderReferenceNumber": "A-1",
        "deliveryType": "STORE",
        "shipDate": "2026-12-24",
        "count": Number("12.50"),
        "byAddress": False,
        "consignee": {"zip": "38104"},
        "freight": [],
    }
    assert list(held(form)) == [each.name for each in ORDER.members if each.name not in ("barcoding", "tags")]
    assert len(changes) == 6


def test_what_does_not_fit_stays_in_the_value_as_it_was_typed(form: ShapeForm) -> None:
    shown(form, ORDER)
    type_in(part(form, "count"), "a dozen")
    assert held(form)["count"] == "a dozen"
    type_in(part(form, "count"), "")
    assert "count" not in held(form)


@pytest.mark.parametrize(
    "text",
    [
        '{"unknown": [1, {"a": null}], "count": 1.0, "orderReferenceNumber": "A"}',
        '{"orderReferenceNumber": 17, "consignee": "not a record", "freight": {"not": "a list"}, "tags": null}',
        '{"freight": [{"commodity": "SOFA", "extra": [1]}, {}, {"count": "two"}], "tags": ["a", 1, null, ""]}',
        '{"freight": ["not a record"], "barcoding": {"load": "", "more": true}, "deliveryType": "S", "byAddress": "x"}',
        '{"shipDate": "whenever", "consignee": {"zip": null, "city": ["a"]}}',
    ],
)
def test_what_was_put_comes_back_exactly(form: ShapeForm, text: str) -> None:
    value: Any = read_json(text)
    shown(form, ORDER, value)
    expected = value | {name: empty for name, empty in (("consignee", {}), ("freight", [])) if name not in value}
    assert form.value() == expected
    form.put(read_json("{}"))
    form.put(value)
    assert form.value() == expected


def test_a_number_that_nobody_changes_keeps_its_digits(form: ShapeForm) -> None:
    value = read_json('{"count": 12345678901234567890123456789012345.10}')
    shown(form, record(Member("count", NUMBER)), value)
    assert held(form)["count"] == Number("12345678901234567890123456789012345.10")


def test_a_change_beside_them_leaves_unknown_members_alone(form: ShapeForm) -> None:
    shown(form, ORDER, read_json('{"zz": 1, "orderReferenceNumber": "A", "yy": [true]}'))
    type_in(part(form, "orderReferenceNumber"), "B")
    assert list(held(form).items())[:3] == [("zz", Number("1")), ("orderReferenceNumber", "B"), ("yy", [True])]


def test_optional_parts_are_added_and_removed_and_come_back(form: ShapeForm) -> None:
    shown(form, ORDER)
    barcoding = part(form, "barcoding")
    assert isinstance(barcoding, RecordPart)
    assert not barcoding.is_open
    barcoding._add.click()
    form.finish()
    assert held(form)["barcoding"] == {}
    type_in(part(form, "barcoding", "load"), "TRL-1")
    barcoding._remove.click()
    assert "barcoding" not in held(form)
    barcoding._add.click()
    assert held(form)["barcoding"] == {"load": "TRL-1"}, "what was removed comes back"


def test_rows_are_added_typed_into_and_moved(form: ShapeForm) -> None:
    shown(form, ORDER, read_json('{"freight": [{"commodity": "SOFA", "count": 1, "extra": 7}]}'))
    freight = part(form, "freight")
    assert isinstance(freight, RowsPart)
    model = freight.rows.model
    freight.rows.add_row()
    assert held(form)["freight"] == [read_json('{"commodity": "SOFA", "count": 1, "extra": 7}')], "empty rows are none"
    for place, text in enumerate(("CHAIR", "2", "true")):
        model.setData(model.index(1, place), text)
    freight.rows.go_to(1, 0)
    freight.rows.move_up()
    assert held(form)["freight"] == read_json(
        '[{"commodity": "CHAIR", "count": 2, "fragile": true}, {"commodity": "SOFA", "count": 1, "extra": 7}]'
    )
    freight.rows.undo()
    assert held(form)["freight"][0]["commodity"] == "SOFA"


def test_issues_stand_at_their_places(form: ShapeForm) -> None:
    shown(form, ORDER, read_json('{"freight": [{}, {"commodity": "SOFA"}], "zz": 1}'))
    freight = part(form, "freight")
    assert isinstance(freight, RowsPart)
    found = [
        Mistake(("orderReferenceNumber",), "Needed."),
        Mistake(("consignee", "zip"), "Too short."),
        Mistake(("freight", 1, "count"), "How many?"),
        Mistake(("barcoding",), "Wanted."),
        Mistake(("zz",), "Not known."),
        Mistake((), "All of it."),
    ]
    form.show_issues(found)
    form.show_issues_now()
    field = part(form, "orderReferenceNumber").widget
    assert isinstance(field, Field)
    assert field.shown == "Needed."
    zip_field = part(form, "consignee", "zip").widget
    assert isinstance(zip_field, Field)
    assert zip_field.shown == "Too short."
    assert [[each.sentence for each in row] for row in freight.rows.model.issues] == [[], ["How many?"]]
    barcoding = part(form, "barcoding")
    assert isinstance(barcoding, RecordPart)
    assert barcoding._said.text() == "Wanted."
    form.show_issues([])
    assert field.shown == ""
    assert barcoding._said.isHidden()


def test_going_to_a_place_opens_what_is_folded(form: ShapeForm, loop: RunningLoop) -> None:
    shown(form, ORDER)
    form.go_to(("barcoding", "load"))
    loop.until(lambda: part(form, "barcoding", "load").widget.isAncestorOf(focus()))
    form.go_to(("freight",))
    loop.until(lambda: part(form, "freight").widget.isAncestorOf(focus()))


def test_members_without_a_name_in_the_shape_are_rows(form: ShapeForm) -> None:
    shown(form, record(others=ANY), read_json('{"text": "12", "number": 12, "list": [1], "null": null}'))
    assert isinstance(form.root, RecordPart)
    others = form.root._others
    assert isinstance(others, MembersPart)
    assert [each.text for each in others.rows.rows()] == ['"12"', "12", "[1]", "null"]
    model = others.rows.model
    others.rows.add_row()
    for place, text in enumerate(("zip", "38104a")):
        model.setData(model.index(4, place), text)
    others.rows.add_row()
    for place, text in enumerate(("more", '{"a": [true]}')):
        model.setData(model.index(5, place), text)
    assert form.value() == read_json(
        '{"text": "12", "number": 12, "list": [1], "null": null, "zip": "38104a", "more": {"a": [true]}}'
    )
    assert form.mistakes() == ()
    model.setData(model.index(5, 1), '{"a": [tru')
    assert [each.path for each in form.mistakes()] == [("more",)]
    model.setData(model.index(5, 0), "zip")
    assert [each.sentence for each in form.mistakes()] == [words.NAMED_TWICE]


def test_alternatives_keep_what_was_typed_and_carry_over_what_they_share(form: ShapeForm) -> None:
    pickup = record(Member("city", TEXT, True), Member("kind", Shape("string", enum=("pickup",)), True), name="Pickup")
    kind = Member("kind", Shape("string", enum=("drop",)), True)
    drop = record(Member("city", TEXT, True), kind, Member("dock", TEXT), name="Drop")
    stop = shape_of_parts("choice", Parts(alternatives=(pickup, drop)), exclusive=True, choose_by="kind")
    shown(form, record(Member("stop", stop, True)), read_json('{"stop": {"kind": "pickup", "city": "Memphis"}}'))
    found = part(form, "stop")
    assert isinstance(found, AlternativesPart)
    assert isinstance(found._choice, ChoiceField)
    found._choice.editor.setCurrentIndex(1)
    form.finish()
    assert held(form)["stop"] == {"city": "Memphis", "kind": "drop"}
    assert isinstance(found._part, RecordPart)
    type_in(found._part._parts["dock"], "7")
    found._choice.editor.setCurrentIndex(0)
    form.finish()
    found._choice.editor.setCurrentIndex(1)
    form.finish()
    assert held(form)["stop"]["dock"] == "7"


def deep() -> Shape:
    """A list of records that hold records of their own kind."""
    made: Shape

    def parts() -> Parts:
        return Parts((Member("name", TEXT, True), Member("inner", made), Member("stops", listing(made))))

    made = Shape("object", open_parts=parts)
    return listing(made)


def test_cards_are_added_moved_removed_and_put_back(form: ShapeForm) -> None:
    value: Any = read_json('[{"name": "a"}, {"name": "b", "inner": {"name": "c"}}]')
    shown(form, record(Member("stops", deep(), True)), {"stops": value})
    stops = part(form, "stops")
    assert isinstance(stops, ListPart)
    stops._add_one.click()
    form.finish()
    last = stops._cards[-1].part
    assert isinstance(last, RecordPart)
    type_in(last._parts["name"], "d")
    names = [each["name"] for each in held(form)["stops"]]
    assert names == ["a", "b", "d"]
    stops._cards[2].buttons[-1].click()
    assert [each["name"] for each in held(form)["stops"]] == ["a", "d", "b"]
    stops._cards[2]._remove.click()
    assert [each["name"] for each in held(form)["stops"]] == ["a", "d"]
    stops._back.click()
    form.finish()
    assert held(form)["stops"][2] == value[1]


def test_a_long_list_has_few_cards_and_all_of_its_elements(form: ShapeForm) -> None:
    value: Value = [{"name": str(number)} for number in range(500)]
    shown(form, record(Member("stops", deep(), True)), {"stops": value})
    stops = part(form, "stops")
    assert isinstance(stops, ListPart)
    assert len(stops._cards) == CARDS_AT_ONCE
    assert form.value() == {"stops": value}
    form.go_to(("stops", 30, "name"))
    assert len(stops._cards) == 31
    assert form.value() == {"stops": value}


def test_a_shape_that_requires_its_own_kind_ends(form: ShapeForm) -> None:
    made: Shape

    def parts() -> Parts:
        return Parts((Member("name", TEXT, True), Member("next", made, True)))

    made = Shape("object", open_parts=parts)
    shown(form, made)
    assert len(form.findChildren(QLineEdit)) < 10


def test_a_large_form_is_made_in_turns_and_is_whole_meanwhile(form: ShapeForm, loop: RunningLoop) -> None:
    large = record(*(Member(f"field{number}", TEXT) for number in range(300)))
    value: Value = {"field0": "first", "field299": "last"}
    form.show_shape(large, value)
    assert form.building
    assert form.value() == value
    form.go_to(("field299",))
    assert form.value() == value
    loop.until(lambda: not form.building)
    assert len(form.findChildren(Field)) == 300
    assert form.value() == value


def test_a_part_that_goes_before_all_of_it_is_made_stops_nothing(form: ShapeForm, loop: RunningLoop) -> None:
    large = record(*(Member(f"field{number}", TEXT) for number in range(300)), name="Large")
    small = record(Member("city", TEXT, True), name="Small")
    choice = shape_of_parts("choice", Parts(alternatives=(large, small)))
    form.show_shape(record(Member("stop", choice, True), Member("last", TEXT)), {"stop": {"field0": "first"}})
    assert isinstance(form.root, RecordPart)
    form.root.enter(("stop",))  # a busy machine may have made no part of the form in its first turn
    found = part(form, "stop")
    assert isinstance(found, AlternativesPart)
    assert isinstance(found._choice, ChoiceField)
    assert form.building
    found._choice.editor.setCurrentIndex(1)
    loop.until(lambda: not form.building)
    type_in(part(form, "last"), "there")
    assert form.value() == {"stop": {}, "last": "there"}
    assert len(form.findChildren(Field)) == 2


def test_every_control_has_a_name(form: ShapeForm) -> None:
    shown(form, ORDER, read_json('{"barcoding": {}, "tags": ["a"], "freight": [{"commodity": "a"}]}'))
    nameless = [
        type(each).__name__
        for kind in (QPushButton, QLineEdit)
        for each in form.findChildren(kind)
        if each.isVisible() and not each.accessibleName()
    ]
    assert nameless == []


def test_tab_goes_through_the_fields_in_their_order(form: ShapeForm, loop: RunningLoop) -> None:
    shown(form, record(Member("one", TEXT), Member("two", TEXT), Member("three", TEXT)))
    loop.rest()  # what was just made is shown in the next turn
    form.go_to()
    found = []
    for _ in range(3):
        focus = QApplication.focusWidget()
        assert focus is not None
        found.append(focus.accessibleName())
        QTest.keyClick(focus, Qt.Key.Key_Tab)
    assert found == ["One", "Two", "Three"]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("orderReferenceNumber", "Order reference number"),
        ("cmpAWCDomicle", "Cmp AWC domicle"),
        ("PONumber", "PO number"),
        ("IncludePOs", "Include POs"),
        ("zipA", "Zip a"),
        ("address2", "Address 2"),
        ("_", "_"),
    ],
)
def test_names_are_said_in_words(name: str, title: str) -> None:
    assert words.in_words(name) == title


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("+1 14:30", "2026-11-24T14:30:00"),
        ("11/25/2026 8:05 am", "2026-11-25T08:05:00"),
        ("wed, 12:15 PM", "2026-11-25T12:15:00"),
        ("tomorrow 12:00 am", "2026-11-24T00:00:00"),
        ("2026-11-25T14:30", "2026-11-25T14:30:00"),
        ("2026-11-25T14:30:15", "2026-11-25T14:30:15"),
        ("2026-11-25T14:30:15Z", "2026-11-25T14:30:15Z"),
        ("+1", "2026-11-24T00:00:00"),
        ("+1 25:00", "+1 25:00"),
        ("+1 13:00 pm", "+1 13:00 pm"),
        ("soon 14:00", "soon 14:00"),
        ("14:00", "14:00"),
    ],
)
def test_a_moment_is_typed_as_a_day_and_a_time(
    theme: Theme, monkeypatch: pytest.MonkeyPatch, typed: str, meant: str
) -> None:
    monkeypatch.setattr(times, "today", lambda: date(2026, 11, 23))
    field = MomentField(theme, "Estimated arrival", words.MOMENT_HINT)
    field.put(typed)
    assert field.text() == meant
