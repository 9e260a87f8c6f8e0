"""Reports laid out: everything finds its page, nothing is lost, and missing data are named."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import cast

import pytest

from app.desk.audits.audit_reviews import AuditReview, PhotoReview, Reviews
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress, Stopped
from app.desk.orders.order_documents import Document
from app.desk.printing.page_marks import Page, Words
from app.desk.printing.stock import A4, LETTER
from app.desk.report.audit_report import AuditStory, when
from app.desk.report.audit_reports import missing_words, pages_of, photos_to_save, read_stories
from app.desk.report.case_file import CaseFile, Overage, Section, Step
from app.desk.report.case_file import Paper as CasePaper
from app.desk.report.case_file import pages_of as case_pages
from app.desk.report.report_pages import Sheet
from app.store.cache.audits.audit_rows import AnswerFacts, AuditDetailRow, AuditHead, AuditLine
from app.store.store_errors import StoreError
from tests.support.paper import PlainRuler, marks, texts

NOW = datetime(2026, 11, 24, 14, 2)
RULER = PlainRuler()
SHEET = Sheet(LETTER, NOW)
STEPS = (Step("Imported", NOW, True), Step("Loading", None, False), Step("Receipt", NOW, False, "estimated"))


def story(
    number: int, answers: Sequence[AnswerFacts], reviews: Reviews | None = None, *, score: float | None = 81.5
) -> AuditStory:
    line = AuditLine(number, NOW, "Loading", "F012", "Acme", score, "771002", True)
    told = AuditDetailRow(line, AuditHead("Jo", "jo@example.com", None, "771002"), tuple(answers), NOW, NOW)
    return AuditStory(told, reviews or Reviews(AuditReview(), {}))


def words(pages: Sequence[Page]) -> str:
    return " ".join(texts(pages))


def within(pages: Sequence[Page]) -> bool:
    """Whether all stands on the paper, and no photo reaches into the foot."""
    for page in pages:
        for mark in marks([page]):
            right = mark.x + (RULER.width(mark.text, mark.style) if isinstance(mark, Words) else 0)
            if not (mark.x >= 0 and right <= page.width + 0.01 and mark.y <= page.height):
                return False
        if any(each.y + each.height > page.height - 20 for each in page.photographs):
            return False
    return True


def test_sixty_photos_very_long_words_and_foreign_scripts_all_find_their_page() -> None:
    answers = [
        AnswerFacts(
            f"LD-{at:02}", "محمد " * 400 if at == 3 else "Is it safe?", ["Yes", "No", "Partly"][at % 3], f"/{at}"
        )
        for at in range(60)
    ]
    answers[5] = AnswerFacts("LD-05", "long " * 3_000 + "THE-END", "No " + "because " * 500, "/5")
    said = Reviews(AuditReview(True, True, "note " * 300), {"/5": PhotoReview(True, "photo note " * 200, 90)})
    pages = pages_of([story(4711, answers, said)], SHEET, RULER)
    assert sum(len(each.photographs) for each in pages) == 60
    assert within(pages)
    told = words(pages)
    assert "THE-END" in told
    assert told.count("because") >= 500
    assert told.count("photo note") >= 200
    assert [f"Page {at} of {len(pages)}" in words([page]) for at, page in enumerate(pages, 1)] == [True] * len(pages)
    (turned,) = [each for page in pages for each in page.photographs if each.address == "/5"]
    assert turned.turned == 90
    assert turned.width > 100


def test_failed_and_low_answers_are_named_in_words_and_gathered_on_the_cover() -> None:
    answers = [AnswerFacts("LD-01", "A?", "Yes", None), AnswerFacts("QC-01", "B?", "No", None)]
    answers += [AnswerFacts("LD-02", "C?", "Partly", None), AnswerFacts("QC-02", "D?", "Yes", None)]
    cover, *rest = pages_of([story(1, answers)], SHEET, RULER)
    assert "4 questions, 1 failed, 1 low, 0 photos" in words([cover])
    assert "QC-01  B? No Failed LD-02  C? Partly Low" in words([cover])
    assert "A?" not in words([cover])
    assert "No  (Failed)" in words(rest)
    assert "Partly  (Low)" in words(rest)
    assert words(rest).index("LD-02") < words(rest).index("QC-01")


def test_an_audit_of_which_nothing_is_known_says_so() -> None:
    empty = story(1, [], score=None)
    assert "It has no questions." in words(pages_of([empty], SHEET, RULER))
    assert "No score" in words(pages_of([empty], SHEET, RULER))


@pytest.mark.parametrize("count", [2, 3, 300])
def test_the_index_names_the_page_on_which_each_audit_begins(count: int) -> None:
    told = [story(9_000 + at, [AnswerFacts("A", "?", "No", "/p")] * (at % 7)) for at in range(count)]
    pages = pages_of(told, Sheet(A4, NOW, practice=True), RULER)
    begins: dict[int, int] = {}
    for at, page in enumerate(pages, 1):
        for text in texts([page]):
            if text.startswith("Audit 9") and text[6:].isdecimal():
                begins.setdefault(int(text[6:]), at)
    assert len(begins) == count
    index = [each for page in pages[: min(begins.values()) - 1] for each in texts([page])]
    for number, page_number in begins.items():
        row = index[index.index(str(number)) :]
        assert (
            f"{page_number:,}" in row[: row.index(str(number + 1))]
            if str(number + 1) in row
            else f"{page_number:,}" in row
        )
    assert all("Practice: made up by Waybill" in texts([page]) for page in pages)


@pytest.mark.parametrize("before", range(0, 40, 3))
def test_a_heading_is_never_left_behind_by_the_photo_below_it(before: int) -> None:
    answers = [AnswerFacts(f"LD-{at:02}", "A?", "Yes", None) for at in range(before)]
    answers += [AnswerFacts("QC-01", "B?", "No", "/p"), AnswerFacts("QC-02", "C?", "No", "/q")]
    said = Reviews(AuditReview(), {"/p": PhotoReview(flagged=before % 2 == 0)})
    pages = pages_of([story(1, answers, said), story(2, [])], SHEET, RULER)
    (page,) = [each for each in pages if "/p" in [photo.address for photo in each.photographs]]
    heading = "QC" if before else "Questions"
    assert heading in texts([page])
    assert within(pages)


def test_the_questions_of_one_audit_have_pages_of_their_own_and_those_of_several_follow_the_cover() -> None:
    answers = [AnswerFacts("A", "?", "No", "/p")]
    cover, questions = pages_of([story(1, answers)], SHEET, RULER)
    assert "Questions" not in texts([cover])
    assert "Questions" in texts([questions])
    _index, first, second = pages_of([story(1, answers), story(2, answers)], SHEET, RULER)
    assert "Audit 1" in texts([first])
    assert "Questions" in texts([first])
    assert "Audit 2" in texts([second])


def test_laying_out_can_be_stopped() -> None:
    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        pages_of([story(1, [])], SHEET, RULER, stop)


@pytest.mark.asyncio
async def test_several_audits_are_read_a_few_at_once_and_told_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    under_way: set[int] = set()
    most, progress = 0, Progress()

    async def read(_desk: Desk, number: int, top: float) -> AuditStory | None:
        nonlocal most
        under_way.add(number)
        most = max(most, len(under_way))
        try:
            await asyncio.sleep(0.001 * (number % 3))
        finally:
            under_way.discard(number)
        if number == 66:
            raise StoreError("The file is not there.")
        progress.stop |= number == 40
        return None if number == 7 else story(number, [])

    monkeypatch.setattr("app.desk.report.audit_reports._story", read)
    desk = cast(Desk, None)  # only handed on
    told = await read_stories(desk, range(30), 100.0, progress)
    assert [each.told.line.number for each in told] == [at for at in range(30) if at != 7]
    assert 1 < most <= 8
    assert progress.done == 30
    with pytest.raises(StoreError):
        await read_stories(desk, [1, 66, 2], 100.0, progress)
    with pytest.raises(Stopped):
        await read_stories(desk, range(39, 60), 100.0, progress)
    assert progress.done < 10
    assert not under_way


def test_what_is_not_whole_is_said() -> None:
    whole, broken = story(1, []), AuditStory(story(2, []).told, Reviews(AuditReview(), {}), trouble="No connection.")
    assert missing_words([whole], 1) == ""
    assert missing_words([whole, broken], 3) == ("Audit 2: No connection. 1 audit is not known any more and left out.")


def test_photos_are_saved_once_each_under_names_that_tell_where_they_belong() -> None:
    answers = [
        AnswerFacts("LD-01", None, "No", "https://x/y/../p.jpg?a=1"),
        AnswerFacts("LD/02", None, "No", "https://x/y/../p.jpg?a=1"),
        AnswerFacts("LD/03", None, "No", None),
        AnswerFacts(None, None, None, "../../etc/passwd"),
    ]
    wanted = photos_to_save([story(7, answers), story(8, answers[:1])])
    assert [each.stem for each in wanted] == ["audit 7 01 LD-01 p", "audit 7 04 passwd", "audit 8 01 LD-01 p"]
    assert [each.address for each in photos_to_save([story(7, answers)], "../../etc/passwd")] == ["../../etc/passwd"]


def test_a_photo_whose_address_is_encoded_is_saved_under_a_name_that_can_be_read() -> None:
    (found,) = photos_to_save([story(7, [AnswerFacts("LD-01", None, "No", "/p/dock%20door%2F..%2Fx%3A1.jpg?size=2")])])
    assert (found.stem, found.address) == ("audit 7 01 LD-01 x_1", "/p/dock%20door%2F..%2Fx%3A1.jpg?size=2")


def test_names_of_saved_photos_are_safe_whatever_question_and_file_are_called() -> None:
    odd = ("CON", "a\u202egpj.exe", "long " * 90, "..", 'q?<>|*:"', "tab\tline\n", "")
    answers = [AnswerFacts(each, None, "No", f"/{at}/{each}.jpg") for at, each in enumerate(odd)]
    answers += [AnswerFacts("Same", None, "No", f"/{at}/same.jpg") for at in range(3)]
    stems = [each.stem for each in photos_to_save([story(7, answers)])]
    assert len({each.casefold() for each in stems}) == len(answers)
    for each in stems:
        assert each.startswith("audit 7 ")
        assert each.isprintable()
        assert not set(each) & set('<>:"/\\|?*')
        assert len(each.encode()) <= 120
        assert not each.endswith((".", " "))
    assert stems[1] == "audit 7 02 a_gpj.exe a_gpj.exe"


def test_a_case_file_holds_all_and_says_what_is_missing() -> None:
    papers = (
        CasePaper(Document("/a", "pod.pdf", "POD", NOW), 3),
        CasePaper(Document("/b", "gone.jpg", "DAM"), 1, "The provider does not have this picture any more."),
        CasePaper(Document("/c", "long.pdf", "BOL"), 900),
    )
    overage = (
        Overage("L-1", ({"commodity": "CHAIR", "count": 2},)),
        Overage("L-2"),
        Overage("L-3", trouble="Refused."),
    )
    case = CaseFile(
        "order CRN-1 (7)", "Started (STD)", STEPS,
        (Section("Consignee", (("", "Renée محمد"),)), Section("Notes", (), "No notes")),
        (("Mon 23 Nov", "Order: accepted"),), papers, "", overage, (story(5, [AnswerFacts("A", "?", "No", "/p")]),),
        "2 audits were never opened.",
    )  # fmt: skip
    pages = case_pages(case, SHEET, RULER)
    told = words(pages)
    for each in (
        "Case file of order CRN-1 (7)", "Not reached", f"estimated {when(NOW)}", "Planned",
        "Renée محمد", "No notes", "Order: accepted", "pod.pdf", "page 3 of 3",
        "not shown here: The provider does not have this picture any more.", "of which the first 40 are shown",
        "Overage of load L-1", "CHAIR", "nothing as overage", "Refused.", "Audit 5", "2 audits were never opened.",
    ):  # fmt: skip
        assert each in told, each
    shown = [(each.address, each.page) for page in pages for each in page.photographs]
    assert shown == [("/a", 0), ("/a", 1), ("/a", 2), *(("/c", at) for at in range(40)), ("/p", 0)]
    assert within(pages)
    bare = words(case_pages(CaseFile("order 7", "", (), ()), SHEET, RULER))
    for each in (
        "Nothing was sent from this desk.",
        "No documents",
        "No load of this order is known",
        "None is known.",
    ):
        assert each in bare
