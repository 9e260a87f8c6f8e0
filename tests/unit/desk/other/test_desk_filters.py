"""The typed filter: its right pieces are understood, and each wrong one has a sentence and a place."""

from collections.abc import Sequence
from datetime import date, timedelta

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from app.desk.filter.clause_words import clause_words, value_words
from app.desk.filter.filter_completion import complete, place_at
from app.desk.filter.filter_dates import read_day, read_days
from app.desk.filter.filter_language import Filter, parse, write_clause, written
from app.desk.filter.filter_words import CHANGES
from app.store.cache.schema.change_names import CHANGE_NAMES
from app.store.cache.schema.conditions import FIELDS, Clause

TODAY = date(2026, 3, 11)  # a Wednesday
DAY = timedelta(days=1)


def read(typed: str) -> Filter:
    found = parse(typed, TODAY)
    assert found.problems == ()
    return found


def sentence(typed: str) -> str:
    (problem,) = parse(typed, TODAY).problems
    return problem.sentence


def test_the_form_of_the_manual() -> None:
    found = read('status:dso late facility:F012 -has:pod "rivera" scheduled:today..+3')
    assert found.text == "rivera"
    assert found.clauses == (
        Clause("state", ("DSO",)),
        Clause("late"),
        Clause("facility", ("F012",)),
        Clause("has", ("POD",), negated=True),
        Clause("scheduled", first=TODAY, last=TODAY + 3 * DAY),
    )


@pytest.mark.parametrize(
    ("typed", "clause"),
    [
        ("status:dispatched,PLN", Clause("state", ("DSO", "PLN"))),
        ('city:"St. Louis",memphis', Clause("city", ("St. Louis", "memphis"))),
        ("city:none", Clause("city", ("",))),
        ('city:"None"', Clause("city", ("None",))),
        ('city:NONE,"none"," none "', Clause("city", ("", "none"))),
        ('brand:" Acme "', Clause("brand", ("Acme",))),
        ('scheduled:"none"', Clause("scheduled", ("none",))),
        ("-late:3", Clause("late", ("3",), negated=True)),
        ("late:3+", Clause("late", ("3",))),
        ("over:2", Clause("over", ("2",))),
        ("received:yes", Clause("received", ("yes",))),
        ("received:-7..", Clause("received_on", first=TODAY - 7 * DAY)),
        ("delivered:none", Clause("delivered", ("none",))),
        ("delivered:wed", Clause("delivered_on", first=TODAY, last=TODAY)),
        ("scheduled:none", Clause("scheduled", ("none",))),
        ("is:watched", Clause("watched")),
        ("-watched", Clause("watched", negated=True)),
        ("is:changed", Clause("changed", ("yes",))),
        ("why:overdue,vanished", Clause("attention", ("overdue", "vanished"))),
        ("attention:overdue", Clause("attention", ("overdue",))),
        ("has:any,bol", Clause("has", ("any", "BOL"))),
        ("list:other", Clause("list", ("other",))),
        ("ref:A-1,a-2", Clause("reference", ("A-1", "a-2"))),
        ("number:7,8", Clause("number", ("7", "8"))),
        ("zip:381", Clause("zip", ("381",))),
        ("receipt_to_delivery:6", Clause("receipt_to_delivery", ("6", ""))),
        ("receipt_to_delivery:6d..", Clause("receipt_to_delivery", ("6", ""))),
        ("import_to_receipt:..2", Clause("import_to_receipt", ("", "2"))),
        ("-receipt_to_loading:0..2", Clause("receipt_to_loading", ("0", "2"), negated=True)),
        ("loading_to_delivery:any", Clause("loading_to_delivery", ("", ""))),
        ("changed:today", Clause("changed_on", first=TODAY, last=TODAY)),
        ("changed:>2026-03-09", Clause("changed_on", first=TODAY - DAY)),
        ("changed:>=2026-03-09", Clause("changed_on", first=TODAY - 2 * DAY)),
        ("changed:<yesterday", Clause("changed_on", last=TODAY - 2 * DAY)),
        ("changed:fri", Clause("changed_on", first=TODAY - 5 * DAY, last=TODAY - 5 * DAY)),
        ("changed:scheduled", Clause("changed_on", ("scheduled",))),
        ("-changed:Scheduled,STATUS", Clause("changed_on", ("scheduled", "status"), negated=True)),
        ("changed:scheduled,status:-7..", Clause("changed_on", ("scheduled", "status"), first=TODAY - 7 * DAY)),
        ("changed:documents:any", Clause("changed_on", ("documents",))),
        ("changed:any", Clause("changed_on")),
        ("scheduled:>today", Clause("scheduled", first=TODAY + DAY)),
        ("due:<=+2", Clause("due", last=TODAY + 2 * DAY)),
    ],
)
def test_clauses(typed: str, clause: Clause) -> None:
    assert read(typed).clauses == (clause,)


@pytest.mark.parametrize("text", ["10:30", "o'neil", "-12", '"late"', "crn-0", "a,b", '"status:dso"'])
def test_text_stays_text(text: str) -> None:
    assert read(text) == Filter(text.replace('"', ""))


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("foo:bar", "No filter is called “foo”"),
        ("status:", "for instance status:dso"),
        ("status:x", "No status is called “x”"),
        ("scheduled:soon", "“soon” is not a day"),
        ("scheduled:today,tomorrow", "separated by commas"),
        ("scheduled:+3..today", "Type the earlier day first"),
        ("scheduled:..", "is not a day"),
        ("late:x", "not a number of days"),
        ("late:0", "not a number of days"),
        ("over:12345", "not a number of days"),
        pytest.param(f"late:{'1' * 4_400}", "not a number of days", id="many digits"),
        ("has:xyz", "No kind of document is called “xyz”"),
        ("import_to_delivery:x", "“x” is not a number of days"),
        ("import_to_delivery:..", "is not a number of days"),
        ("import_to_delivery:7..2", "7 is after 2"),
        ("list:closed", "There are open, completed, other"),
        ("number:7a", "Order numbers have digits only"),
        ("is:late,watched", "takes one word"),
        ("is:gone", "“is:gone” is not known"),
        ("attention:x", "No rule is called “x”"),
        ("-is:attention", "cannot be negated"),
        ("brand:", "“brand:”"),
        ("requested:", "requested:today"),
    ],
)
def test_what_is_not_understood(typed: str, words: str) -> None:
    assert words in sentence(typed)
    found = parse(f"ab {typed} late", TODAY)
    assert (found.text, found.clauses) == ("ab", (Clause("late"),)), "the rest finds what it finds"
    (problem,) = found.problems
    assert f"ab {typed} late"[problem.start : problem.end] == typed


def test_a_day_without_a_year_lies_where_it_is_meant() -> None:
    assert read_day("fri", TODAY) == TODAY + 2 * DAY
    assert read_day("fri", TODAY, back=True) == TODAY - 5 * DAY
    assert read_day("3/20", TODAY) == date(2026, 3, 20)
    assert read_day("3/20", TODAY, back=True) == date(2025, 3, 20)
    assert read_day("3/1", TODAY, back=True) == date(2026, 3, 1)
    assert read_day("3/20/2026", TODAY, back=True) == date(2026, 3, 20)
    assert read_day("mar 10", TODAY, back=True) == TODAY - DAY
    assert read_day("Tue 10 Mar", TODAY, back=True) == TODAY - DAY
    assert read_day("mar 20", TODAY, back=True) == date(2025, 3, 20)
    assert read_day("mar 20 2026", TODAY, back=True) == date(2026, 3, 20)
    assert read_days("mar 1..mar 10", TODAY, back=True) == (date(2026, 3, 1), TODAY - DAY)
    assert read_day("-2w", TODAY) == TODAY - 14 * DAY
    assert read_day("yesterday", TODAY) == TODAY - DAY
    assert read_day("-9999w", TODAY) is not None
    assert read_day("+9999w", date(9999, 1, 1)) is None
    assert read_days("2026-03-01..", TODAY) == (date(2026, 3, 1), None)
    assert read_days("..bad", TODAY) is None


days = st.dates(date(2000, 1, 1), date(2100, 1, 1))
texts = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1).filter(
    lambda text: text == text.strip()
)


@st.composite
def clauses(draw: st.DrawFn) -> Clause:
    """Any clause that a person can type."""
    field, negated = draw(st.sampled_from(sorted(FIELDS))), draw(st.booleans())
    kind = FIELDS[field].kind
    if kind == "date":
        first, last = sorted((draw(days), draw(days)))
        span = draw(st.sampled_from(((first, last), (first, None), (None, last), (first, first))))
        return draw(
            st.sampled_from(
                (Clause(field, first=span[0], last=span[1], negated=negated), Clause(field, ("any",), negated=negated))
            )
        )
    if kind == "took":
        least, more = draw(st.integers(0, 999)), draw(st.integers(0, 999))
        limits = draw(st.sampled_from(((least, least + more), (least, ""), ("", more), ("", ""))))
        return Clause(field, tuple(map(str, limits)), negated=negated)
    some = {
        "list": st.sampled_from(("open", "completed", "other")),
        "documents": st.sampled_from(("POD", "BOL", "any", "none")),
        "flag": st.sampled_from(("yes",) if field == "changed" else ("yes", "no", "none")),
        "days": st.integers(1, 9_999).map(str),
    }.get(kind, texts)
    if field == "state":
        some = st.sampled_from(("DSO", "CMP"))
    if kind == "past":
        names = tuple(draw(st.lists(st.sampled_from(sorted(CHANGE_NAMES)), max_size=3, unique=True)))
        first, last = sorted((draw(days), draw(days)))
        span = draw(st.sampled_from(((first, last), (first, None), (None, last), (first, first), (None, None))))
        return Clause(field, names, *span, negated=negated)
    if field == "number":
        some = st.integers(0, 2**50).map(str)
    most = 1 if kind in ("days", "flag") else 4
    return Clause(field, tuple(draw(st.lists(some, min_size=1, max_size=most, unique=True))), negated=negated)


@settings(max_examples=300, deadline=None)
@given(found=st.lists(clauses(), max_size=4), words=st.lists(st.sampled_from(("ab", "late", "is:x", "-watched", '5"'))))
def test_what_is_written_is_read_back(found: list[Clause], words: list[str]) -> None:
    text = " ".join(words)
    assert read(written(found, text)) == Filter(text, tuple(found))


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from(list('abilst:,-".+ 0123é\n')), max_size=30))
def test_anything_can_be_typed(typed: str) -> None:
    found = parse(typed, TODAY)
    for clause in found.clauses:
        assert clause_words(clause, TODAY)
        assert parse(write_clause(clause), TODAY).clauses == (clause,)
    for at in range(len(typed) + 1):
        complete(typed, at, lambda _field: [("Memphis", 3)])


@pytest.mark.parametrize(
    ("typed", "part"),
    [
        ("changed:none", "“none” is neither a day nor a part of an order"),
        ("changed:shedule", "“shedule” is neither a day nor a part of an order"),
        ("changed:shedule:today", "“shedule” is neither a day nor a part of an order"),
        ("changed:scheduled:none", "“none” is neither a day nor a part of an order"),
        ("changed:scheduled:soon", "“soon” is not a day"),
        ("changed:today,yesterday", "Days cannot be separated by commas"),
        ("changed:", "changed:today"),
        ("scheduled:>", "“>” is not a day"),
    ],
)
def test_what_changed_can_be_typed_wrong(typed: str, part: str) -> None:
    assert part in sentence(typed)


def test_what_can_change_has_a_word_and_is_completed() -> None:
    assert CHANGES.keys() == CHANGE_NAMES.keys()
    assert [each.typed for each in complete("changed:s", 9, lambda _field: [])] == ["status", "scheduled"]
    assert [each.typed for each in complete("changed:", 8, lambda _field: [])][:4] == [
        "today",
        "yesterday",
        "-7..today",
        "any",
    ]
    assert [each.typed for each in complete("chan", 4, lambda _field: [])] == ["changed:"]


def test_changes_in_words() -> None:
    found = read("changed:any changed:today -changed:scheduled,status changed:documents:>=yesterday").clauses
    assert [clause_words(each, TODAY) for each in found] == [
        "Changed",
        "Changed: today",
        "Changed: not Scheduled or Status",
        "Changed: Documents, from yesterday",
    ]


def test_a_value_of_orders_is_written_so_that_it_finds_them() -> None:
    assert write_clause(Clause("city", ("Memphis ", "None", "  "))) == 'city:Memphis,"None",none'
    assert [each.typed for each in complete("brand:n", 7, lambda _field: [("None", 2), ("Nova", 1)])] == [
        '"None"',
        "Nova",
    ]
    assert [each.typed for each in complete("has:n", 5, lambda _field: [])] == ["none"]


def test_clauses_in_words() -> None:
    def words(typed: str) -> list[str]:
        return [clause_words(each, TODAY) for each in read(typed).clauses]

    assert words("status:dso,pln late -late late:3 -has:pod") == [
        "Status: Dispatched (DSO) or Planned (PLN)",
        "Late",
        "Not late",
        "Late: by 3 days or more",
        "Documents: not Proof of delivery (POD)",
    ]
    assert words("scheduled:today scheduled:yesterday..+2 scheduled:..2026-04-01 scheduled:none") == [
        "Scheduled: today",
        "Scheduled: yesterday to Fri 13 Mar",
        "Scheduled: up to Wed 1 Apr",
        "Scheduled: none",
    ]
    assert words("scheduled:tomorrow.. number:1,2,3,4 is:changed received:no watched city:none list:open") == [
        "Scheduled: from tomorrow",
        "Number: one of 4",
        "Changed since you looked",
        "Received: no",
        "Watched",
        "City: no value",
        "List: Open",
    ]
    assert words("receipt_to_delivery:6 import_to_receipt:..1 receipt_to_loading:2..4 -loading_to_delivery:any") == [
        "Received to delivered: 6 days or more",
        "Imported to received: 1 day or less",
        "Received to loaded: 2 to 4 days",
        "Loaded to delivered: not known",
    ]
    assert words("attention:overdue") == ["Needs attention: Overdue"]
    assert value_words("received", "none") == "not reported"


def typed_at(text: str, values: Sequence[tuple[str, int]] = ()) -> list[str]:
    """The whole filter after each completion at its end."""
    return [text[: each.start] + each.typed for each in complete(text, len(text), lambda _field: values)]


def test_completion() -> None:
    assert typed_at("sta") == ["status:", "state:"]
    assert typed_at("-ha") == ["-has:"]
    assert typed_at("late has:po") == ["late has:pod"]
    assert typed_at("has:proof") == ["has:pod"]
    assert typed_at("status:dso,pl") == ["status:dso,pln"]
    assert typed_at("city:st", [("St. Louis", 4), ("Memphis", 3)]) == ['city:"St. Louis"']
    assert typed_at('city:"st. l', [("St. Louis", 4)]) == ['city:"St. Louis"']
    assert typed_at("is:wa") == ["is:watched"]
    assert typed_at("why:un") == ["why:undelivered", "why:unreceived", "why:unscheduled"]
    assert typed_at("scheduled:to") == ["scheduled:today", "scheduled:tomorrow", "scheduled:today..+7"]
    assert typed_at("rivera") == []
    assert typed_at("") == []
    assert place_at("status:dso x", 10).name == "status"
