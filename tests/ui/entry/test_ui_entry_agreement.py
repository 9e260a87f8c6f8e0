"""Whatever stands in the form: nothing raises, nothing is cut, and it says what the practice service says of it."""

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QLineEdit

from app.contract.check import check_draft
from app.contract.draft import OrderDraft
from app.contract.submission import OrderSubmission, wire_bytes
from app.desk.drafts.saved_drafts import draft_text
from app.ui.entry.form.entry_form import OrderForm, in_form_order, issue_place
from app.ui.entry.submit_rail import SubmitRail
from app.ui.theme.theme import Theme
from app.ui.widgets.field import Field
from tests.support.contract_drafts import anything, body_of, drafts
from tests.support.hostile import HOSTILE
from tests.support.practice_calls import MANAGEMENT, Caller
from tests.support.practice_process import PracticeProcess
from tests.ui.conftest import Show

SLOW = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
SURROGATE = dict.fromkeys(range(0xD800, 0xE000))


@pytest.fixture
def form(theme: Theme, show: Show) -> OrderForm:
    made = OrderForm(theme)
    show(made)
    return made


@pytest.fixture
def readiness(theme: Theme, show: Show) -> SubmitRail:
    made = SubmitRail(theme)
    show(made)
    return made


@pytest.fixture
def caller(practice: PracticeProcess) -> Caller:
    return Caller(practice.facts)


def post(caller: Caller, body: object) -> tuple[int, set[str]]:
    """The status of a submission, and the paths that a refusal names."""
    reply = caller.post(f"{MANAGEMENT}/Order/submit", body)
    return reply.status, set(reply.json()["errors"]) if reply.status == 400 else set()


@SLOW
@given(draft=drafts())
def test_form_and_practice_come_to_the_same_verdict(form: OrderForm, caller: Caller, draft: OrderDraft) -> None:
    form.load(draft)
    found = form.check()
    status, paths = post(caller, body_of(form.draft().to_dict()))
    assert status == (400 if found.count else 200)
    # Half a character is no JSON at all: the service refuses the body as a whole.
    assert paths in ({each.path for each in found.issues()}, {""})
    outcome = check_draft(form.draft())
    if isinstance(outcome, OrderSubmission):
        assert post(caller, wire_bytes(outcome)) == (200, set())


TEXT = st.one_of(
    st.sampled_from(HOSTILE), anything, st.text(max_size=300), st.sampled_from(["a\nb", "a\r\nb\tc", "\x00"])
)


@SLOW
@given(texts=st.lists(TEXT, min_size=1, max_size=6))
def test_any_text_in_any_field_raises_nothing_and_is_not_cut(
    form: OrderForm, readiness: SubmitRail, texts: list[str]
) -> None:
    paths = [path for path, field in form.fields.items() if isinstance(field, Field)]
    for number, text in enumerate(texts):
        field = form.fields[paths[(number * 7 + len(text)) % len(paths)]]
        if isinstance(field.editor, QLineEdit):
            field.editor.setText(text)
            assert len(field.editor.text()) >= len(text.translate(SURROGATE)), "nothing is cut"
        else:
            field.editor.setPlainText(text)
        found = form.check()
        readiness.show_findings(found)
        readiness.show_totals(form.draft())
        assert all(issue_place(each.path) for each in in_form_order(found))
        assert OrderDraft.from_dict(json.loads(draft_text(form.draft()))) == form.draft()


@SLOW
@given(texts=st.lists(TEXT, min_size=1, max_size=8))
def test_any_text_in_any_cell_and_any_paste_raises_nothing_and_is_not_cut(
    form: OrderForm, readiness: SubmitRail, texts: list[str]
) -> None:
    form.load(OrderDraft())
    for number, text in enumerate(texts):
        for rows in form.lists.values():
            rows.add_row()
            place = number % len(rows.model.columns)
            index = rows.model.index(len(rows.model.rows) - 1, place)
            rows.model.type_in(index, text)
            assert rows.model.text(index.row(), place) == text
            for role in (0, 3, 8, 9, 11):  # what a view and a screen reader ask for
                index.data(role)
        form.scan.field.setText(text)
        form.scan.field.scanned.emit([text])
        found = form.check()
        readiness.show_findings(found)
        assert found.count == len(_whole(form))
    for rows in form.lists.values():
        before = rows.rows()
        while rows.model.steps.can_undo:
            rows.undo()
        assert rows.rows() == []
        while rows.model.steps.can_redo:
            rows.redo()
        assert rows.rows() == before


def _whole(form: OrderForm) -> list[str]:
    outcome = check_draft(replace(form.draft()))
    waiting = ["scan"] if form.scan.pending else []
    return [*waiting, *([each.path for each in outcome] if isinstance(outcome, list) else [])]
