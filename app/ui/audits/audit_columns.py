"""The columns of the audit list as data, and how a score looks."""

from collections.abc import Callable
from dataclasses import dataclass

from app.desk.audits.answer_grades import Judgement
from app.desk.audits.scores import GOOD_FROM, LOW_BELOW, figure
from app.store.cache.audits.audit_rows import AuditLine
from app.ui.widgets.text.labels import visible
from app.ui.widgets.text.times import day, moment


@dataclass(frozen=True, slots=True)
class AuditColumn:
    """`text` is what stands in the cell, `exact` what its tooltip says; `sort` is the store's column."""

    sort: str
    title: str
    width: int
    text: Callable[[AuditLine], str]
    exact: Callable[[AuditLine], str]
    right: bool = False


def score_text(score: float | None) -> str:
    """As `figure`; a dash where the provider gives none."""
    return "–" if score is None else figure(score)


def score_tone(part: float) -> str:
    """The colour of a score's bar; the figure stands beside it."""
    return "good" if part >= GOOD_FROM else "warn" if part >= LOW_BELOW else "bad"


def _column(sort: str, title: str, width: int, read: Callable[[AuditLine], str | None]) -> AuditColumn:
    def text(line: AuditLine) -> str:
        return visible(read(line) or "")

    return AuditColumn(sort, title, width, text, text)


COLUMNS = (
    AuditColumn("score", "Score", 132, lambda line: score_text(line.score), lambda line: score_text(line.score)),
    AuditColumn("date", "Date", 116, lambda line: day(line.date), lambda line: moment(line.date)),
    _column("kind", "Type", 150, lambda line: line.kind),
    _column("facility", "Facility", 96, lambda line: line.facility),
    _column("vendor", "Vendor", 200, lambda line: line.vendor),
    AuditColumn("number", "Audit", 84, lambda line: str(line.number), lambda line: str(line.number), right=True),
)


# How an answer reads: its glyph, its colour, and the word for who does not see them.
JUDGED: dict[Judgement, tuple[str, str, str]] = {
    "failed": ("✕", "bad", "failed"),
    "low": ("!", "warn", "low"),
    "good": ("✓", "good", ""),
    "": ("·", "ink", ""),
}
