"""Audits in the cache: which values a reply replaces, and what queries find."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.store.cache.audits import audit_query, audit_store
from app.store.cache.audits.audit_rows import SORTS, AnswerFacts, AuditFacts, AuditHead, AuditLine, AuditQuery
from app.store.cache.forget import forget_profile
from app.store.cache.schema.cache_schema import CACHE
from app.store.sqlite.opening import open_file

ASKED = datetime(2026, 3, 20, 9, 0)
DAY = timedelta(days=1)
LATER = ASKED + timedelta(milliseconds=1)
FACTS = AuditFacts(4_001, datetime(2026, 3, 2, 14, 5), "Loading", "F012", "Two Brothers Moving", 81.5)
ANSWERS = (
    AnswerFacts("LD-01", "Is every piece scanned?", "Yes", None),
    AnswerFacts("LD-02", "Is heavy freight on the floor?", "No", "/download/audit/audit-4001-2.jpg"),
    AnswerFacts(None, None, None, "bare.jpg"),
)
HEAD = AuditHead("Denise Walker", "d@provider.example", "F012", "771002")


@pytest.fixture
def c(tmp_path: Path) -> Iterator[apsw.Connection]:
    connection = open_file(tmp_path / "cache.sqlite3", CACHE)
    yield connection
    connection.close()


def numbers(c: apsw.Connection, **wanted: object) -> list[int]:
    query = replace(AuditQuery("p"), **wanted)  # type: ignore[arg-type]
    found = [line.number for line in audit_query.page_audits(c, query, 1_000)]
    assert audit_query.count_audits(c, query) == len(found)
    assert audit_query.numbers_of(c, query) == found
    return found


def test_an_audit_comes_back_as_it_was_told(c: apsw.Connection) -> None:
    assert audit_store.store_audits(c, "p", [FACTS], ASKED) == 1
    (line,) = audit_query.page_audits(c, AuditQuery("p"), 10)
    assert line == AuditLine(4_001, FACTS.date, "Loading", "F012", "Two Brothers Moving", 81.5, None, whole=False)


def test_the_same_again_is_no_change_and_another_profile_sees_nothing(c: apsw.Connection) -> None:
    audit_store.store_audits(c, "p", [FACTS], ASKED)
    assert audit_store.store_audits(c, "p", [FACTS], LATER) == 0
    assert audit_query.count_audits(c, AuditQuery("q")) == 0
    assert audit_query.audit_detail(c, "q", FACTS.number) is None


def test_an_older_reply_never_replaces_a_newer_one(c: apsw.Connection) -> None:
    audit_store.store_audits(c, "p", [FACTS], LATER)
    assert audit_store.store_audits(c, "p", [replace(FACTS, score=3.0)], ASKED) == 0
    (line,) = audit_query.page_audits(c, AuditQuery("p"), 10)
    assert line.score == 81.5
    assert audit_store.store_audits(c, "p", [replace(FACTS, score=3.0)], LATER + DAY) == 1


def test_questions_are_kept_in_their_order_and_replaced_whole(c: apsw.Connection) -> None:
    audit_store.store_audits(c, "p", [FACTS], ASKED)
    assert audit_store.store_answers(c, "p", 4_001, HEAD, ANSWERS, ASKED)
    told = audit_query.audit_detail(c, "p", 4_001)
    assert told is not None
    assert (told.head, told.answers, told.whole_at) == (HEAD, ANSWERS, ASKED)
    assert told.line.order_number == "771002"
    assert told.line.whole
    assert told.line.score == 81.5
    assert not audit_store.store_answers(c, "p", 4_001, HEAD, ANSWERS, LATER)
    assert audit_store.store_answers(c, "p", 4_001, HEAD, ANSWERS[:1], LATER)
    assert not audit_store.store_answers(c, "p", 4_001, HEAD, ANSWERS, ASKED)
    told = audit_query.audit_detail(c, "p", 4_001)
    assert told is not None
    assert told.answers == ANSWERS[:1]
    assert told.whole_at == LATER


def test_the_list_keeps_what_came_with_the_questions(c: apsw.Connection) -> None:
    audit_store.store_answers(c, "p", 4_001, HEAD, ANSWERS, ASKED)
    audit_store.store_audits(c, "p", [FACTS], LATER)
    told = audit_query.audit_detail(c, "p", 4_001)
    assert told is not None
    assert told.head == HEAD
    assert told.answers == ANSWERS
    assert told.line.kind == "Loading"


def test_a_whole_window_drops_what_it_no_longer_holds_and_nothing_else(c: apsw.Connection) -> None:
    inside, edge, outside = FACTS, replace(FACTS, number=2, date=datetime(2026, 3, 7, 23, 59)), replace(FACTS, number=3)
    outside = replace(outside, date=datetime(2026, 3, 8))
    audit_store.store_audits(c, "p", [inside, edge, outside], ASKED)
    audit_store.store_answers(c, "p", 2, HEAD, ANSWERS, ASKED)
    audit_store.store_audits(c, "p", [inside], LATER)
    audit_store.finish_audit_window(c, "p", date(2026, 3, 1), date(2026, 3, 7), LATER, "No connection.")
    assert sorted(numbers(c)) == [2, 3, 4_001]
    audit_store.finish_audit_window(c, "p", date(2026, 3, 1), date(2026, 3, 7), LATER)
    assert sorted(numbers(c)) == [3, 4_001]
    assert audit_query.audit_detail(c, "p", 2) is None
    assert audit_query.lens(c, AuditQuery("p"), "LD-01") == []


def test_windows_are_known_with_their_trouble_and_take_in_smaller_ones(c: apsw.Connection) -> None:
    first, last = date(2026, 3, 1), date(2026, 3, 7)
    audit_store.finish_audit_window(c, "p", first, last, ASKED)
    audit_store.finish_audit_window(c, "p", first, last, LATER, "No answer in time.")
    (window,) = audit_query.audit_windows(c, "p")
    assert (window.first, window.last) == (first, last)
    assert (window.fetched_at, window.error) == (ASKED, "No answer in time.")
    audit_store.finish_audit_window(c, "p", first - DAY, last, LATER)
    (window,) = audit_query.audit_windows(c, "p")
    assert (window.first, window.fetched_at, window.error) == (first - DAY, LATER, None)


def test_audits_without_a_score_come_last_whichever_the_direction(c: apsw.Connection) -> None:
    audit_store.store_audits(
        c, "p", [FACTS, replace(FACTS, number=1, score=None), replace(FACTS, number=2, score=90.0)], ASKED
    )
    assert numbers(c, sort="score") == [2, 4_001, 1]
    assert numbers(c, sort="score", descending=False) == [4_001, 2, 1]
    with pytest.raises(ValueError, match="no column"):
        numbers(c, sort="score; DROP TABLE audits")


def test_a_facet_counts_what_the_other_conditions_find(c: apsw.Connection) -> None:
    audit_store.store_audits(
        c,
        "p",
        [FACTS, replace(FACTS, number=1, facility="F020"), replace(FACTS, number=2, facility="F020", kind="Delivery")],
        ASKED,
    )
    query = AuditQuery("p", facilities=("F012",))
    assert audit_query.audit_facets(c, query, "facility") == [("F020", 2), ("F012", 1)]
    assert audit_query.audit_facets(c, query, "kind") == [("Loading", 1)]
    with pytest.raises(ValueError, match="no facet"):
        audit_query.audit_facets(c, query, "score")


def test_the_plot_has_a_dot_for_each_scored_audit_oldest_first(c: apsw.Connection) -> None:
    newer = replace(FACTS, number=5, date=datetime(2026, 3, 9), vendor=None)
    audit_store.store_audits(c, "p", [newer, FACTS, replace(FACTS, number=6, score=None)], ASKED)
    points = audit_query.audit_points(c, AuditQuery("p"), "vendor")
    assert [(each.number, each.group) for each in points] == [(4_001, "Two Brothers Moving"), (5, "")]
    assert [each.number for each in audit_query.audit_points(c, AuditQuery("p"), "vendor", limit=1)] == [5]
    with pytest.raises(ValueError, match="no group"):
        audit_query.audit_points(c, AuditQuery("p"), "number")


def test_one_question_is_found_over_all_audits_that_were_opened(c: apsw.Connection) -> None:
    other = replace(FACTS, number=7, score=40.0, facility="F020")
    audit_store.store_audits(c, "p", [FACTS, other, replace(FACTS, number=8)], ASKED)
    audit_store.store_answers(c, "p", 4_001, HEAD, ANSWERS, ASKED)
    audit_store.store_answers(c, "p", 7, HEAD, [replace(ANSWERS[1], text="Newer words")], ASKED)
    found = audit_query.lens(c, AuditQuery("p", sort="score", descending=False), "LD-02")
    assert [(each.audit.number, each.answer, each.place) for each in found] == [(7, "No", 0), (4_001, "No", 1)]
    assert audit_query.never_opened(c, AuditQuery("p"), 10) == [8]
    assert audit_query.audit_questions(c, "p") == [
        ("LD-01", "Is every piece scanned?", 1),
        ("LD-02", "Is heavy freight on the floor?", 2),
    ]


def test_text_that_no_file_can_hold_is_written_out(c: apsw.Connection) -> None:
    audit_store.store_audits(c, "p", [replace(FACTS, vendor="half \udc80")], ASKED)
    audit_store.store_answers(c, "p", 4_001, HEAD, [replace(ANSWERS[0], answer="\ud800")], ASKED)
    told = audit_query.audit_detail(c, "p", 4_001)
    assert told is not None
    assert told.line.vendor == "half \\udc80"
    assert told.answers[0].answer == "\\ud800"


def test_forgetting_a_profile_takes_its_audits_along(c: apsw.Connection) -> None:
    for profile in ("p", "q"):
        audit_store.store_audits(c, profile, [FACTS], ASKED)
        audit_store.store_answers(c, profile, 4_001, HEAD, ANSWERS, ASKED)
        audit_store.finish_audit_window(c, profile, date(2026, 3, 1), date(2026, 3, 7), ASKED)
    forget_profile(c, "p")
    assert audit_query.audit_detail(c, "p", 4_001) is None
    assert audit_query.audit_windows(c, "p") == []
    assert audit_query.audit_questions(c, "p") == []
    assert audit_query.audit_detail(c, "q", 4_001) is not None
    assert len(audit_query.audit_windows(c, "q")) == 1


def test_a_name_with_a_nul_in_it_does_not_hide_its_audit(c: apsw.Connection) -> None:
    odd = replace(FACTS, facility="DFW\0Dock", vendor="Keystone")
    audit_store.store_audits(c, "p", [odd, replace(FACTS, number=4_002)], ASKED)
    for text in ("keystone", "4001", "dfw"):
        assert numbers(c, text=text) == [4_001], text


NAMES = st.sampled_from(["Loading", "Delivery", "F012", "F0_2", "F0%", "Ödland"])
SCORES = st.none() | st.sampled_from([0.0, 40.0, 81.5, 100.0])
MOMENTS = st.none() | st.datetimes(datetime(2026, 3, 1), datetime(2026, 3, 5))


@st.composite
def some_audits(draw: st.DrawFn) -> list[AuditFacts]:
    count = draw(st.integers(0, 8))
    one = st.builds(
        lambda number, at, kind, facility, vendor, score: AuditFacts(
            number, at and at.replace(microsecond=0), kind, facility, vendor, score
        ),
        *(st.integers(1, 10**9), MOMENTS, *[st.none() | NAMES] * 3, SCORES),
    )
    return draw(st.lists(one, min_size=count, max_size=count, unique_by=lambda each: each.number))


QUERIES = st.builds(
    AuditQuery,
    st.just("p"),
    first=st.none() | st.dates(date(2026, 3, 1), date(2026, 3, 5)),
    last=st.none() | st.dates(date(2026, 3, 1), date(2026, 3, 5)),
    kinds=st.lists(NAMES, max_size=2).map(tuple),
    facilities=st.lists(NAMES, max_size=2).map(tuple),
    vendors=st.lists(NAMES, max_size=2).map(tuple),
    lowest=SCORES,
    highest=SCORES,
    text=st.lists(st.sampled_from(["load", "F012", "_", "%", "4", "!"]), max_size=2).map(" ".join),
    sort=st.sampled_from(SORTS),
    descending=st.booleans(),
)


def reads(query: AuditQuery) -> Callable[[AuditFacts], bool]:
    """The query in plain Python."""

    def found(each: AuditFacts) -> bool:
        day = each.date and each.date.date()
        text = "\n".join([each.kind or "", each.facility or "", each.vendor or "", str(each.number)]).lower()
        return (
            (query.first is None or (day is not None and day >= query.first))
            and (query.last is None or (day is not None and day <= query.last))
            and (not query.kinds or each.kind in query.kinds)
            and (not query.facilities or each.facility in query.facilities)
            and (not query.vendors or each.vendor in query.vendors)
            and (query.lowest is None or (each.score is not None and each.score >= query.lowest))
            and (query.highest is None or (each.score is not None and each.score <= query.highest))
            and all(word in text for word in query.text.lower().split())
            and (query.only is None or each.number in query.only)
            and each.number not in query.without
        )

    return found


@given(facts=some_audits(), query=QUERIES, data=st.data())
def test_every_query_finds_what_a_plain_reading_finds(
    facts: list[AuditFacts], query: AuditQuery, data: st.DataObject
) -> None:
    known = [each.number for each in facts]
    if known:
        query = replace(
            query,
            only=data.draw(st.none() | st.frozensets(st.sampled_from(known))),
            without=data.draw(st.frozensets(st.sampled_from(known))),
        )
    connection = apsw.Connection(":memory:")
    for statement in CACHE.migrations[0]:
        connection.execute(statement)
    audit_store.store_audits(connection, "p", facts, ASKED)
    expected = {each.number for each in facts if reads(query)(each)}
    found = [line.number for line in audit_query.page_audits(connection, query, 100)]
    assert set(found) == expected
    assert len(found) == len(expected)
    assert audit_query.count_audits(connection, query) == len(expected)
    by_page = [audit_query.page_audits(connection, query, 2, offset) for offset in range(0, 8, 2)]
    assert [line.number for page in by_page for line in page] == found
    connection.close()
