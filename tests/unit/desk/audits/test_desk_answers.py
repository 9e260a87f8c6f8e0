"""Grades of answers: text and numbers that say one get it, all others get none; groups follow the ids."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desk.audits.answer_grades import Group, Judgement, grouped, judge, judged, scale_of
from app.store.cache.audits.audit_rows import AnswerFacts


@pytest.mark.parametrize(
    ("answer", "reads"),
    [
        ("Yes", "good"),
        ("yes, all of them", "good"),
        ("No", "failed"),
        ("No, corrected on site", "failed"),
        ("Partly", "low"),
        ("non-compliant", "failed"),
        ("Nobody was there", ""),
        ("Note taken", ""),
        ("N/A", ""),
        ("", ""),
        (None, ""),
        ("4 of 5", "good"),
        ("3/5", "low"),
        ("1 out of 5", "failed"),
        ("40%", "failed"),
        ("95 %", "good"),
        ("0/0", ""),
        ("17", ""),
        ("Sim", ""),
    ],
)
def test_an_answer_reads_as_a_person_would_read_it(answer: str | None, reads: Judgement) -> None:
    assert judge(answer) == reads


def facts(*answers: str) -> list[AnswerFacts]:
    return [AnswerFacts(f"Q-{place}", "How well?", answer, None) for place, answer in enumerate(answers)]


@pytest.mark.parametrize(
    ("answers", "scale"),
    [
        (["1", "5", "Yes"], 5.0),
        (["7"], None),
        (["-1", "4"], None),
        (["80", "35"], 100.0),
        (["0", "1"], 1.0),
        ([], None),
    ],
)
def test_bare_numbers_have_the_smallest_usual_scale_that_holds_them(answers: list[str], scale: float | None) -> None:
    assert scale_of(answers) == scale


def test_a_number_is_judged_by_the_scale_of_its_audit() -> None:
    assert judged(facts("5", "2", "3", "no comment")) == ["good", "failed", "low", "failed"]


def test_questions_are_grouped_by_the_beginning_of_their_ids() -> None:
    answers = [AnswerFacts(name, "?", "Yes", None) for name in ("LD-01", "LD-02", "ws.1", "LD-03", "WS.2")]
    answers.append(AnswerFacts(None, None, None, "bare.jpg"))
    assert grouped(answers) == [Group("LD", (0, 1, 3)), Group("WS", (2, 4)), Group("", (5,))]


@pytest.mark.parametrize("names", [["LD-01", "LD-02"], ["one", "two", "three"], ["A-1", "B-1"], ["1", "2"]])
def test_ids_that_say_nothing_of_groups_make_one(names: list[str]) -> None:
    answers = [AnswerFacts(name, "?", "Yes", None) for name in names]
    assert grouped(answers) == [Group("", tuple(range(len(names))))]


def test_a_question_of_blanks_alone_is_none() -> None:
    answers = [AnswerFacts("Q-1", "?", "Yes", None), AnswerFacts("", " ", None, "bare.jpg")]
    assert grouped(answers) == [Group("", (0,)), Group("", (1,))]


def test_without_answers_there_are_no_groups() -> None:
    assert grouped([]) == []


TEXTS = st.none() | st.text(max_size=12) | st.sampled_from(["1", "1e9", "9" * 5, "5/0", "LD-1", "-", "٣"])


@given(st.lists(st.builds(AnswerFacts, TEXTS, TEXTS, TEXTS, TEXTS), max_size=8))
def test_whatever_the_provider_says_each_answer_is_in_exactly_one_group(answers: list[AnswerFacts]) -> None:
    assert len(judged(answers)) == len(answers)
    assert sorted(place for group in grouped(answers) for place in group.places) == list(range(len(answers)))
