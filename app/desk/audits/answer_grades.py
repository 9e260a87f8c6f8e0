"""Grades the answers of an audit: good, low, failed, or no grade.

The service gives answers as free text and never says which one is good. An answer gets a grade by a plain first word,
or by a number if the audit's other numbers show the scale. A grade helps the eye only: the text stands beside it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from app.store.cache.audits.audit_rows import AnswerFacts

Judgement = Literal["good", "low", "failed", ""]

_WORDS: dict[str, Judgement] = {
    **dict.fromkeys(("yes", "pass", "passed", "ok", "good", "true", "complete", "completed", "compliant"), "good"),
    **dict.fromkeys(("partly", "partial", "partially", "fair", "sometimes", "marginal"), "low"),
    **dict.fromkeys(("no", "fail", "failed", "poor", "bad", "false", "missing", "unsafe", "noncompliant"), "failed"),
}
_FIRST_WORD = re.compile(r"\s*([a-z]+(?:-[a-z]+)?)", re.IGNORECASE)
_NUMBER = re.compile(
    r"\s*(-?\d{1,6}(?:\.\d{1,6})?)\s*(?:(%)|(?:/|of|out of)\s*(\d{1,6}(?:\.\d{1,6})?))?\s*$", re.IGNORECASE
)
_SCALES = (1.0, 5.0, 10.0, 100.0)
_FAILED_UP_TO, _LOW_UP_TO = 0.4, 0.7


@dataclass(frozen=True, slots=True)
class Group:
    """Questions whose ids begin alike, in the provider's order; `name` is that beginning."""

    name: str
    places: tuple[int, ...]


def judge(answer: str | None, scale: float | None = None) -> Judgement:
    """The grade of one answer; `scale` is the highest number of the audit's answers, where it is known."""
    if answer is None:
        return ""
    if number := _NUMBER.match(answer):
        value, percent, most = number.groups()
        highest = 100.0 if percent else float(most) if most else scale
        return _of_part(float(value) / highest) if highest else ""
    word = _FIRST_WORD.match(answer)
    return "" if word is None else _WORDS.get(word[1].lower().replace("-", ""), "")


def _of_part(part: float) -> Judgement:
    return "failed" if part <= _FAILED_UP_TO else "low" if part <= _LOW_UP_TO else "good"


def scale_of(answers: Iterable[str | None]) -> float | None:
    """The scale of bare numbers among an audit's answers: the smallest usual one that holds them all; None without."""
    plain = [number for each in answers if each and (number := _NUMBER.match(each)) and not (number[2] or number[3])]
    values = [float(each[1]) for each in plain]
    if len(values) < 2 or min(values) < 0:  # one alone may be a count of anything
        return None
    return next((scale for scale in _SCALES if max(values) <= scale), None)


def judged(answers: Sequence[AnswerFacts]) -> list[Judgement]:
    """The grade of each answer of an audit."""
    scale = scale_of(each.answer for each in answers)
    return [judge(each.answer, scale) for each in answers]


def grouped(answers: Sequence[AnswerFacts]) -> list[Group]:
    """The answers by the beginning of their question's id ("LD-03" is one of "LD"), where that makes several groups.

    Rows without a question come last, under no name. Where the ids say nothing, all are in one group without a name.
    """
    groups: dict[str, list[int]] = {}
    rest: list[int] = []
    for place, each in enumerate(answers):
        if not (each.question or "").strip() and not (each.text or "").strip():
            rest.append(place)
        else:
            groups.setdefault(_beginning(each.question or ""), []).append(place)
    # One group, or a group for each question, tells nothing: a heading over every row would only be in the way.
    if len(groups) < 2 or len(groups) == sum(map(len, groups.values())):
        groups = {"": sorted(place for places in groups.values() for place in places)} if groups else {}
    told = [Group(name, tuple(places)) for name, places in groups.items()]
    return [*told, Group("", tuple(rest))] if rest else told


def _beginning(question: str) -> str:
    found = re.match(r"[^\W\d_]+(?=[\W\d_])", question.strip())
    return found[0].upper() if found else ""
