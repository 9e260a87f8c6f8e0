"""The case file of an order, laid out for paper: its facts, history, documents and audits.

Invariant: content that is missing is named with the reason, never left out in silence.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.desk.orders import order_words
from app.desk.orders.order_documents import Document
from app.desk.printing.page_flow import Column, Flow
from app.desk.printing.page_marks import Page, Photograph, Ruler, Style
from app.desk.report import report_words as words
from app.desk.report.audit_report import TITLE, AuditStory, when
from app.desk.report.audit_reports import chapter_of
from app.desk.report.report_pages import Chapter, Sheet, bound
from app.translation import translate

MOST_PAGES = 40  # of one document
_STATE, _SOFT, _STRONG = Style(4.6, bold=True), Style(2.9, ink="soft"), Style(3.4, bold=True)
_PAGE_SHARE = 0.86  # of the body's height, for a page of a document with its name above
_FEW = 12  # fields of an overage item


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with lines of label and value; `nothing` is the sentence for a section without lines."""

    heading: str
    lines: Sequence[tuple[str, str]]
    nothing: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A milestone of the order. `plan` stands before a date that is only planned, `more` after any date."""

    name: str
    at: datetime | None
    done: bool
    plan: str = ""
    more: str = ""

    @property
    def row(self) -> tuple[str, str, str]:
        """The cells of the milestone: its name, its date, and whether it was reached."""
        date = " ".join(part for part in (self.plan, when(self.at), self.more) if part) if self.at else ""
        return self.name, date, words.DONE if self.done else words.PLANNED if self.at else words.NOT_REACHED


@dataclass(frozen=True, slots=True)
class Paper:
    """A document and how many pages it has; `trouble` says why it cannot be shown."""

    document: Document
    pages: int = 1
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Overage:
    """The freight found on a load beyond its paperwork, or the `trouble` with asking for it."""

    load: str
    items: Sequence[Mapping[str, object]] = ()
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class CaseFile:
    """All that goes into a case file; `sent` is what this desk sent, `audits_words` which audits may be missing."""

    title: str
    state: str
    steps: Sequence[Step]
    parts: Sequence[Section]
    sent: Sequence[tuple[str, str]] = ()
    papers: Sequence[Paper] = ()
    papers_nothing: str = words.NO_DOCUMENTS
    overage: Sequence[Overage] = ()
    audits: Sequence[AuditStory] = ()
    audits_words: str = ""
    trouble: str = ""


def pages_of(case: CaseFile, sheet: Sheet, ruler: Ruler, step: Callable[[], None] = lambda: None) -> list[Page]:
    """All pages. `step` may raise to stop."""
    chapters = [_order(case, sheet, ruler, step)]
    chapters += [_paper(case, each, sheet, ruler, step) for each in case.papers if not each.trouble]
    chapters += [chapter_of(each, sheet, ruler, step) for each in case.audits]
    return bound(sheet, chapters, ruler)


def _order(case: CaseFile, sheet: Sheet, ruler: Ruler, step: Callable[[], None]) -> Chapter:
    flow = sheet.flow(ruler, step)
    flow.line(words.case_title(case.title), TITLE)
    flow.gap(2.0)
    flow.line(case.state, _STATE)
    if case.trouble:
        flow.line(case.trouble, Style(3.4, ink="warn"))
    rows = [each.row for each in case.steps]
    columns = (Column(translate("Step"), 2), Column(translate("When"), 4), Column("", 2))
    flow.table(translate("Milestones"), columns, rows)
    for part in case.parts:
        _listed(flow, part.heading, part.lines, part.nothing)
    _listed(flow, translate("Sent from this desk"), case.sent, words.NOTHING_SENT)
    flow.heading(translate("Documents"))
    for paper in case.papers:
        flow.pairs([(paper.document.kind, _paper_words(paper))])
    if not case.papers:
        flow.line(case.papers_nothing, _SOFT)
    for each in case.overage or (Overage("", trouble=words.NO_LOAD),):
        flow.heading(words.overage_heading(each.load))
        for number, item in enumerate(each.items, 1):
            flow.line(words.item_words(number), _STRONG)
            flow.pairs([(str(name), _value(value)) for name, value in list(item.items())[:_FEW]])
        if not each.items:
            flow.line(each.trouble or words.NO_OVERAGE, _SOFT)
    lines = [(each.title, each.told.line) for each in case.audits]
    audits = [(title, " · ".join(filter(None, (when(line.date), line.kind)))) for title, line in lines]
    _listed(flow, translate("Audits that name this order"), audits, words.NO_AUDIT)
    if case.audits_words:
        flow.line(case.audits_words, _SOFT)
    return Chapter(case.title, flow.finish())


def _listed(flow: Flow, title: str, lines: Sequence[tuple[str, str]], nothing: str) -> None:
    flow.heading(title)
    if lines:
        flow.pairs(lines)
    else:
        flow.line(nothing, _SOFT)


def _paper_words(paper: Paper) -> str:
    name = paper.document.name or order_words.UNNAMED_DOCUMENT
    parts = [name, *([when(paper.document.created)] if paper.document.created else [])]
    if paper.trouble:
        parts.append(words.not_shown(paper.trouble))
    elif paper.pages > MOST_PAGES:
        parts.append(words.pages_shown(paper.pages, MOST_PAGES))
    return " · ".join(parts)


def _paper(case: CaseFile, paper: Paper, sheet: Sheet, ruler: Ruler, step: Callable[[], None]) -> Chapter:
    """Each page of a document on a page of its own, as large as it fits."""
    flow = sheet.flow(ruler, step)
    height = sheet.height * _PAGE_SHARE
    shown = min(paper.pages, MOST_PAGES)
    for page in range(shown):
        flow.next_page()
        name = _paper_words(paper)
        flow.line(words.document_page(name, page + 1, paper.pages) if paper.pages > 1 else name, _STRONG)
        flow.gap(1.0)
        photo = Photograph(0.0, 0.0, sheet.width, height, paper.document.address, page=page)
        flow.photos([(photo, [])], across=1)
    return Chapter(f"{case.title} · {paper.document.kind}", flow.finish())


def _value(value: object) -> str:
    return "" if value is None else str(value)
