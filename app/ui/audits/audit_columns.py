"""The columns of the audit list as data, and the colour of a score."""

from collections.abc import Callable
from dataclasses import dataclass

from app.desk.audits.answer_grades import Judgement
from app.store.cache.audits.audit_rows import AuditLine
from app.translation import translate
from app.ui.audits.audits_words import score_text
from app.ui.widgets.text.labels import visible
from app.ui.widgets.text.times import day, moment


@dataclass(frozen=True, slots=True)
class AuditColumn:
    """`text` reads the cell, `exact` its tooltip; `sort` names the store's column."""

    sort: str
    title: str
    width: int
    text: Callable[[AuditLine], str]
    exact: Callable[[AuditLine], str]
    right: bool = False


def _column(sort: str, title: str, width: int, read: Callable[[AuditLine], str | None]) -> AuditColumn:
    def text(line: AuditLine) -> str:
        return visible(read(line) or "")

    return AuditColumn(sort, title, width, text, text)


COLUMNS = (
    AuditColumn(
        "score", translate("Score"), 132, lambda line: score_text(line.score), lambda line: score_text(line.score)
    ),
    AuditColumn("date", translate("Date"), 116, lambda line: day(line.date), lambda line: moment(line.date)),
    _column("kind", translate("Type"), 150, lambda line: line.kind),
    _column("facility", translate("Facility"), 96, lambda line: line.facility),
    _column("vendor", translate("Vendor"), 200, lambda line: line.vendor),
    AuditColumn(
        "number", translate("Audit"), 84, lambda line: str(line.number), lambda line: str(line.number), right=True
    ),
)


# How an answer is graded: its glyph, its colour, and the word that a screen reader speaks.
JUDGED: dict[Judgement, tuple[str, str, str]] = {
    "failed": ("✕", "bad", translate("failed")),
    "low": ("!", "warn", translate("low")),
    "good": ("✓", "good", ""),
    "": ("·", "ink", ""),
}
