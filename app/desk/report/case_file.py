"""The case file of an order: all that is known of it, laid out for paper, its documents and audits among it.

What is not known is said, with why: a part that is missing is never passed over in silence.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.desk.orders.order_documents import Document
from app.desk.printing.page_flow import Column, Flow
from app.desk.printing.page_marks import Page, Photograph, Ruler, Style
from app.desk.report.audit_report import TITLE, AuditStory, when
from app.desk.report.audit_reports import chapter_of
from app.desk.report.report_pages import Chapter, Sheet, bound

MOST_PAGES = 40  # of one document
_STATE, _SOFT, _STRONG = Style(4.6, bold=True), Style(2.9, ink="soft"), Style(3.4, bold=True)
_PAGE_SHARE = 0.86  # of the body's height, for a page of a document with its name above
_FEW = 12  # fields of an overage item


@dataclass(frozen=True, slots=True)
class Part:
    """A heading with lines of label and value; `nothing` is said in place of lines."""

    heading: str
    lines: Sequence[tuple[str, str]]
    nothing: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A milestone of the order: when it was, or is to be. `plan` is the word before a date that is only planned, `more`
    what is said after it."""

    name: str
    at: datetime | None
    done: bool
    plan: str = ""
    more: str = ""

    @property
    def row(self) -> tuple[str, str, str]:
        """Its name, when, and whether it was reached."""
        words = " ".join(part for part in (self.plan, when(self.at), self.more) if part) if self.at else ""
        return self.name, words, "Done" if self.done else "Planned" if self.at else "Not reached"


@dataclass(frozen=True, slots=True)
class Paper:
    """A document and how many pages it has; `trouble` says why it cannot be shown."""

    document: Document
    pages: int = 1
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Overage:
    """What was found beyond its paperwork on a load, or `trouble` with asking for it."""

    load: str
    items: Sequence[Mapping[str, object]] = ()
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class CaseFile:
    """All that goes into a case file; `sent` is what this desk sent, `audits_words` which audits may be missing."""

    title: str
    state: str
    steps: Sequence[Step]
    parts: Sequence[Part]
    sent: Sequence[tuple[str, str]] = ()
    papers: Sequence[Paper] = ()
    papers_nothing: str = "No documents"
    overage: Sequence[Overage] = ()
    audits: Sequence[AuditStory] = ()
    audits_words: str = ""
    trouble: str = ""


def pages_of(case: CaseFile, sheet: Sheet, ruler: Ruler, step: Callable[[], None] = lambda: None) -> list[Page]:
    """All pages. `step` may raise to break off."""
    chapters = [_order(case, sheet, ruler, step)]
    chapters += [_paper(case, each, sheet, ruler, step) for each in case.papers if not each.trouble]
    chapters += [chapter_of(each, sheet, ruler, step) for each in case.audits]
    return bound(sheet, chapters, ruler)


def _order(case: CaseFile, sheet: Sheet, ruler: Ruler, step: Callable[[], None]) -> Chapter:
    flow = sheet.flow(ruler, step)
    flow.line(f"Case file of {case.title}", TITLE)
    flow.gap(2.0)
    flow.line(case.state, _STATE)
    if case.trouble:
        flow.line(case.trouble, Style(3.4, ink="warn"))
    rows = [each.row for each in case.steps]
    flow.table("Milestones", (Column("Step", 2), Column("When", 4), Column("", 2)), rows)
    for part in case.parts:
        _listed(flow, part.heading, part.lines, part.nothing)
    _listed(flow, "Sent from this desk", case.sent, "Nothing was sent from this desk.")
    flow.heading("Documents")
    for paper in case.papers:
        flow.pairs([(paper.document.kind, _paper_words(paper))])
    if not case.papers:
        flow.line(case.papers_nothing, _SOFT)
    for each in case.overage or (Overage("", trouble="No load of this order is known to this desk."),):
        flow.heading(f"Overage of load {each.load}" if each.load else "Overage")
        for number, item in enumerate(each.items, 1):
            flow.line(f"Item {number}", _STRONG)
            flow.pairs([(str(name), _value(value)) for name, value in list(item.items())[:_FEW]])
        if not each.items:
            flow.line(each.trouble or "The provider has marked nothing as overage on this load.", _SOFT)
    lines = [(each.title, each.told.line) for each in case.audits]
    audits = [(title, " · ".join(filter(None, (when(line.date), line.kind)))) for title, line in lines]
    _listed(flow, "Audits that name this order", audits, "None is known.")
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
    name = paper.document.name or "A document without a name"
    parts = [name, *([when(paper.document.created)] if paper.document.created else [])]
    if paper.trouble:
        parts.append(f"not shown here: {paper.trouble}")
    elif paper.pages > MOST_PAGES:
        parts.append(f"{paper.pages:,} pages, of which the first {MOST_PAGES} are shown")
    return " · ".join(parts)


def _paper(case: CaseFile, paper: Paper, sheet: Sheet, ruler: Ruler, step: Callable[[], None]) -> Chapter:
    """Each page of a document on a page of its own, as large as it fits."""
    flow = sheet.flow(ruler, step)
    height = sheet.height * _PAGE_SHARE
    shown = min(paper.pages, MOST_PAGES)
    for page in range(shown):
        flow.next_page()
        of = f", page {page + 1} of {paper.pages}" if paper.pages > 1 else ""
        flow.line(f"{_paper_words(paper)}{of}", _STRONG)
        flow.gap(1.0)
        photo = Photograph(0.0, 0.0, sheet.width, height, paper.document.address, page=page)
        flow.photos([(photo, [])], across=1)
    return Chapter(f"{case.title} · {paper.document.kind}", flow.finish())


def _value(value: object) -> str:
    return "" if value is None else str(value)
