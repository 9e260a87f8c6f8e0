"""Audits: questions, answers and photos of a visit at a facility. Scores follow from the answers.

How well a facility and a vendor do drifts over the months, each at its own pace, so that a trend can be seen.
"""

from math import sin
from typing import Any, NamedTuple

from app.practice.world import name_tables
from app.practice.world.dice import Roll, chance, pick, roll, text_number
from app.practice.world.seconds import DAY

_AUDIT = b"audit"
_QUESTION = b"question"
_YEAR = 365 * DAY


class Answer(NamedTuple):
    """One question of an audit; `photo` is the name of its image file, empty for none."""

    question: str
    text: str
    answer: str
    good: bool
    photo: str


class Audit(NamedTuple):
    """A made-up audit; `at` in seconds."""

    number: int
    at: int
    facility: name_tables.Facility
    kind: str
    vendor: str
    auditor: str
    score: float
    answers: tuple[Answer, ...]


def made_audit(seed: int, number: int, at: int) -> Audit:
    """The audit with a number, made at `at`."""
    thrown = roll(seed, _AUDIT, number)
    table = name_tables.audit_tables()
    facility = pick(name_tables.facilities()[:12], thrown[0])
    vendor = pick(table["vendors"], thrown[1])
    kind = pick(list(table["types"]), thrown[2])
    quality = _quality(facility.code, at) * 0.6 + _quality(vendor, at) * 0.4
    answers, score = _answers(seed, number, table["types"][kind], quality, thrown)
    return Audit(number, at, facility, kind, vendor, pick(table["auditors"], thrown[3]), score, answers)


def _quality(name: str, at: int) -> float:
    """How many of a hundred answers are good, for a facility or a vendor at a time."""
    key = text_number(name)
    base, slope, phase = 72 + key % 22, (key >> 8) % 25 - 12, (key >> 16) % 628 / 100
    years = at / _YEAR - 56.5
    return min(99.0, max(35.0, base + slope * years + 6 * sin(phase + at / (40 * DAY))))


def _answers(
    seed: int, number: int, questions: list[list[Any]], quality: float, thrown: Roll
) -> tuple[tuple[Answer, ...], float]:
    table = name_tables.audit_tables()
    answers, reached, most = [], 0.0, 0
    for index, (question, text, weight) in enumerate(questions):
        # Sixty-four rolls for each audit, which has fewer questions: no two audits share one.
        value = roll(seed, _QUESTION, number * 64 + index)
        good = chance(quality, value[0])
        answer = pick(table["good"] if good else table["poor"], value[1])
        photo = photo_name(number, index) if not good or chance(55, value[2]) else ""
        answers.append(Answer(question, text, answer, good, photo))
        most += weight
        reached += weight if good else weight / 2 if answer == "Partly" else 0
    return tuple(answers), round(100 * reached / most, 1)


def photo_name(number: int, index: int) -> str:
    """The file name of the photo of a question."""
    return f"audit-{number}-{index + 1}.jpg"


def list_row(audit: Audit, date: int | str) -> dict[str, Any]:
    """The Audit record of services.md."""
    return {
        "auditId": audit.number,
        "auditFacility": audit.facility.code,
        "auditType": audit.kind,
        "auditVendor": audit.vendor,
        "auditScore": audit.score,
        "auditDate": date,
    }


def detail_rows(audit: Audit, date: str, order_number: int | None, image_url: Any) -> list[dict[str, Any]]:
    """The Audit detail records: a row a question. `image_url` makes an address of a file name."""
    first, last = audit.auditor.lower().split(" ")
    head = {
        "auditId": audit.number,
        "auditType": audit.kind,
        "auditorName": audit.auditor,
        "auditorEmail": f"{first}.{last}@provider.example",
        **({} if order_number is None else {"orderNumber": str(order_number)}),
        "cmpAWCDomicle": audit.facility.code,
        "auditDate": date,
        "auditScore": audit.score,
    }
    rows = []
    for answer in audit.answers:
        row = head | {
            "detailName": answer.question,
            "detailDescription": answer.text,
            "detailValue": answer.answer,
        }
        if answer.photo:
            row["imageUrl"] = image_url(answer.photo)
        rows.append(row)
    return rows
