"""Which orders a query finds, as sets of keys: those it finds for sure, and those that may hold its longer words.

Invariant: what is sure is found, and whatever is found may be. A word of up to three letters and every clause are sure;
of a longer word the index knows who has each three letters of it, so that what is not sure is looked at in its text.
What a connection has read of the index is kept with it and follows the counters of `search_state`; so is the answer to
its last question, from which the count, the pages and the values of one result are read. Orders that wait for the
index have one of their own here, in memory; their texts are looked through one by one.

A read can be broken off at each of its statements (`Database.read`), and what is kept stays for the next one. So a
function here asks all that it needs first, in variables of its own, and only then changes what is kept.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

import json
import time
from array import array
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import chain
from typing import NamedTuple
from weakref import WeakKeyDictionary

import apsw
from pyroaring import BitMap64

from app.store.cache.index.terms import (
    END,
    LOOKED_UP,
    TERM_COLUMNS,
    Span,
    all_of,
    same_value,
    terms_of,
    value_of,
    wanted,
)
from app.store.cache.order_rows import OrderQuery
from app.store.cache.schema.cache_schema import MAX_NUMBER, NUMBER_BITS
from app.store.cache.schema.conditions import YES, Clause
from app.store.sqlite.plain_rows import key_array, row, rows
from app.store.sqlite.search_text import SHORTEST_INDEXED, plain

_KEPT = 48  # sets that were read lately
_STRINGS_ASKED = 40
_REST = 40  # orders between two moments in which other threads may go on
_FEW = 60  # texts that are looked at as quickly as one more set is read
_MANY = 4_000  # texts that take longer to look at than it takes to read which have a frequent string


class Found(NamedTuple):
    """Keys. `words` are those to look for in the texts of what may be found but is not sure."""

    sure: BitMap64
    may: BitMap64
    words: tuple[str, ...] = ()


class Known:
    """What a connection has read of the index."""

    def __init__(self) -> None:
        self.changes = self.segments = -1
        self.whole = BitMap64()  # what the segments speak for, without what waits
        self.partly: dict[int, BitMap64] = {}  # segment → what it still speaks for, where that is not all
        self.waiting: dict[int, str | None] = {}  # orders that wait, with their texts; None is gone
        self.waiting_keys = BitMap64()
        self.waiting_here: dict[int, BitMap64] = {}  # those that are not gone, by list
        self.waiting_terms: dict[str, BitMap64] = {}
        self.unread = BitMap64()  # those that wait and are not in `waiting_terms` yet
        self.strings = ""  # all frequent ones in their order, a line each
        self.strings_read: set[int] = set()  # the segments whose strings those are
        self.sets: OrderedDict[tuple[Span, ...], BitMap64] = OrderedDict()
        self.orders: OrderedDict[object, object] = OrderedDict()  # sorted keys, see cache_walk
        self.answer: tuple[OrderQuery, Found] | None = None  # to the last question


_known: "WeakKeyDictionary[apsw.Connection, Known]" = WeakKeyDictionary()


def known(c: apsw.Connection) -> Known:
    """What this connection knows of the index, up to date."""
    it = _known.setdefault(c, Known())
    changes, segments = row(c, "SELECT changes, segments FROM search_state") or (0, 0)
    if (changes, segments) == (it.changes, it.segments):
        return it
    # Everything is read before anything of `it` changes: see the top of this module.
    indexed = _read_segments(c) if segments != it.segments else (it.whole, it.partly)
    waiting = _read_waiting(c, it)
    it.whole, it.partly = indexed
    it.waiting, it.waiting_keys, it.waiting_here, it.waiting_terms, it.unread = waiting
    it.sets.clear()
    it.orders.clear()
    it.answer = None
    it.changes, it.segments = changes, segments
    return it


def _read_segments(c: apsw.Connection) -> tuple[BitMap64, dict[int, BitMap64]]:
    """`Known.whole` and `Known.partly`, as they are in the file."""
    whole, partly = [BitMap64()], {}
    for segment, live, dead in rows(c, "SELECT segment, live, dead FROM segments"):
        keys = BitMap64.deserialize(live)
        whole.append(keys)
        if dead:
            partly[segment] = keys
    return BitMap64.union(*whole), partly


class _Waiting(NamedTuple):
    """The members of `Known` about the orders that wait; see there."""

    texts: dict[int, str | None]
    keys: BitMap64
    here: dict[int, BitMap64]
    terms: dict[str, BitMap64]
    unread: BitMap64


def _read_waiting(c: apsw.Connection, it: Known) -> _Waiting:
    """Which orders wait, made of what was known and what has changed since. `it` stays as it is."""
    held = BitMap64(array("Q", (key for (key,) in rows(c, "SELECT id FROM unindexed ORDER BY id"))))
    # A row is read again when it changed since; after segments were taken apart, old rows come with a new mark.
    found = dict(
        c.execute(
            "SELECT unindexed.id, text FROM unindexed LEFT JOIN search_texts USING (id) WHERE change > ?", (it.changes,)
        )
    )
    gone = it.waiting_keys - held
    texts = {key: text for key, text in it.waiting.items() if key not in gone} | found
    changed = BitMap64(array("Q", sorted(found)))
    terms, outdated = it.waiting_terms, (gone | changed) - it.unread
    if outdated:
        terms = {term: left for term, keys in terms.items() if (left := keys - outdated)}
    here: dict[int, list[int]] = {}
    for key in held:
        if texts[key] is not None:
            here.setdefault(key >> NUMBER_BITS, []).append(key)
    by_list = {partition: BitMap64(array("Q", keys)) for partition, keys in here.items()}
    return _Waiting(texts, held, by_list, terms, (it.unread | changed) - gone)


def _waiting_terms(c: apsw.Connection, it: Known) -> dict[str, BitMap64]:
    """The orders that wait, by their terms. Read only for a question that needs them: a list that arrives is long."""
    if it.unread:
        postings: dict[str, list[int]] = {}
        columns = ", ".join(TERM_COLUMNS)
        statement = f"SELECT id, {columns} FROM orders WHERE id IN carray(?) ORDER BY id"
        for place, (key, *told) in enumerate(c.execute(statement, (key_array(it.unread.to_array()),))):
            if place % _REST == 0:
                time.sleep(0)
            for term in terms_of(told):
                postings.setdefault(term, []).append(key)
        # All was read: nothing can be broken off any more, so both change together.
        added = {
            term: BitMap64(array("Q", keys)) | it.waiting_terms.get(term, BitMap64()) for term, keys in postings.items()
        }
        it.waiting_terms, it.unread = it.waiting_terms | added, BitMap64()
    return it.waiting_terms


def find(c: apsw.Connection, query: OrderQuery) -> Found:
    """What a query finds."""
    it, asked = known(c), _asked(query)
    if it.answer is None or it.answer[0] != asked or _speaks_of_marks(query):
        it.answer = asked, _find(c, it, query)  # the one before stays if this is broken off
    return it.answer[1]


def certain(c: apsw.Connection, query: OrderQuery) -> BitMap64:
    """What a query finds for sure: texts that may hold its words are looked at, where no frequent string tells it."""
    found = find(c, query)
    if len(found.may) == len(found.sure):
        return found.sure
    sure = found.sure
    if len(found.may) - len(sure) > _MANY:
        sure = sure | found.may.intersection(*(_with_string(c, known(c), word) for word in found.words))
    sure = sure | BitMap64(array("Q", looked_at(c, (found.may - sure).to_array(), found.words)))
    learn(c, query, sure)
    return sure


def learn(c: apsw.Connection, query: OrderQuery, sure: BitMap64) -> None:
    """This is what a query finds for sure, nothing else."""
    known(c).answer = _asked(query), Found(sure, sure)


def _asked(query: OrderQuery) -> OrderQuery:
    """The question without what changes nothing about the orders that it finds."""
    return query._replace(sort="", descending=False, parts=())


def _speaks_of_marks(query: OrderQuery) -> bool:
    """Whether it asks for what was looked at, which can be another answer though no order has changed."""
    return any(clause.field == "changed" for clause in chain(query.clauses, *query.either))


def _find(c: apsw.Connection, it: Known, query: OrderQuery) -> Found:
    partitions = dict(rows(c, "SELECT partition, list FROM partitions WHERE profile = ?", (query.profile,)))
    asked = _Asked(c, it, partitions, query.today)
    base = asked.lists([name for name in partitions.values() if query.list in (None, name)])
    may = asked.all_of(query.clauses, base)
    if query.either:
        may = may & BitMap64.union(BitMap64(), *(asked.all_of(each, may) for each in query.either))
    words = tuple(dict.fromkeys(plain(query.text).split()))
    for word in words:
        may = may & asked.word(word, may)
    long_words = tuple(word for word in words if len(word) > SHORTEST_INDEXED)
    return Found(may & it.waiting_keys if long_words else may, may, long_words)


def looked_at(c: apsw.Connection, keys: Iterable[int], words: Sequence[str]) -> list[int]:
    """Those of the keys whose text holds every word."""
    holds = " AND ".join(f"instr(text, :word{place})" for place in range(len(words))) or "1"
    bindings = {f"word{place}": word for place, word in enumerate(words)}
    found = rows(
        c, f"SELECT id FROM search_texts WHERE id IN carray(:keys) AND {holds}", {**bindings, "keys": key_array(keys)}
    )
    return [key for (key,) in found]


def strings(c: apsw.Connection) -> str:
    """The frequent strings of all segments in their order, a line each. Those of a new segment alone are read."""
    it = known(c)
    there = {segment for (segment,) in rows(c, "SELECT segment FROM segments")}
    if new := there - it.strings_read:
        found = set(it.strings.split())
        for segment in new:
            terms = rows(
                c, "SELECT term FROM postings WHERE segment = ? AND term BETWEEN ? AND ?", (segment, "~", f"~{END}")
            )
            found.update(term[1:] for (term,) in terms)
        it.strings = "\n".join(sorted(found))  # after the last statement, as the next line: both or neither
    it.strings_read = there
    return it.strings


def strings_holding(lines: str, word: str) -> Iterator[str]:
    """The lines that hold a word, in their order."""
    at = lines.find(word)
    while at >= 0:
        end = lines.find("\n", at)
        end = len(lines) if end < 0 else end
        yield lines[lines.rfind("\n", 0, at) + 1 : end]
        at = lines.find(word, end)


def values_among(c: apsw.Connection, keys: BitMap64, field: str) -> "Counter[tuple[str, str]]":
    """How many of these orders have each value of a field: what it is compared as, and how it was told."""
    it = known(c)
    span, indexed = all_of(field), keys - it.waiting_keys
    counted: Counter[tuple[str, str]] = Counter()
    for segment, term, ids in c.execute(
        "SELECT segment, term, keys FROM segments CROSS JOIN postings USING (segment) WHERE term BETWEEN ? AND ?", span
    ):
        here = BitMap64.deserialize(ids)
        if segment in it.partly:
            here &= it.partly[segment]
        if number := here.intersection_cardinality(indexed):
            counted[same_value(term), value_of(term)] += number
    if keys.intersect(it.waiting_keys):
        for term, waiting in _waiting_terms(c, it).items():
            if span.low <= term <= span.high and (number := waiting.intersection_cardinality(keys)):
                counted[same_value(term), value_of(term)] += number
    return counted


def _of_spans(c: apsw.Connection, it: Known, spans: tuple[Span, ...]) -> BitMap64:
    """Indexed orders with a term of any of these spans, as far as they are not waiting."""
    if spans in it.sets:
        it.sets.move_to_end(spans)
        return it.sets[spans]
    found = [BitMap64()]
    for span in spans:
        how = "term = ?" if span.low == span.high else "term BETWEEN ? AND ?"
        asked = (span.low,) if span.low == span.high else span
        for segment, keys in c.execute(
            f"SELECT segment, keys FROM segments CROSS JOIN postings USING (segment) WHERE {how}", asked
        ):
            here = BitMap64.deserialize(keys)
            found.append(here & it.partly[segment] if segment in it.partly else here)
    whole = BitMap64.union(*found) - it.waiting_keys
    it.sets[spans] = whole  # only once all of it is read
    if len(it.sets) > _KEPT:
        it.sets.popitem(last=False)
    return whole


def _with_string(c: apsw.Connection, it: Known, word: str) -> BitMap64:
    """Orders with a frequent string that holds the word."""
    holding: list[str] = []
    for string in strings_holding(strings(c), word):
        if not (holding and string.startswith(holding[-1])):  # its orders are among those of the shorter one
            holding.append(string)
    shortest = sorted(holding, key=len)[:_STRINGS_ASKED]
    return _of_spans(c, it, tuple(Span(f"~{string}", f"~{string}") for string in shortest))


class _Asked:
    """One question: its connection, its lists and its day."""

    def __init__(self, c: apsw.Connection, it: Known, partitions: dict[int, str], today: date) -> None:
        self.c, self.it, self.partitions, self.today = c, it, partitions, today

    def lists(self, names: Iterable[str]) -> BitMap64:
        """All orders of these lists."""
        wanted_lists = set(names)
        chosen = {partition for partition, name in self.partitions.items() if name in wanted_lists}
        spans = tuple(Span(f"@{partition}", f"@{partition}") for partition in sorted(chosen))
        return BitMap64.union(
            _of_spans(self.c, self.it, spans),
            *(self.it.waiting_here.get(partition, BitMap64()) for partition in chosen),
        )

    def all_of(self, clauses: Sequence[Clause], among: BitMap64) -> BitMap64:
        """Those of `among` for which every clause holds."""
        for clause in clauses:
            among = self._clause(clause, among)
        return among

    def word(self, word: str, among: BitMap64) -> BitMap64:
        """Orders whose text may hold a word: for sure where it is short, and of those that wait."""
        waiting = BitMap64([key for key, text in self.it.waiting.items() if text is not None and word in text])
        if len(word) <= SHORTEST_INDEXED:
            return _of_spans(self.c, self.it, (_gram(word),)) | waiting
        may = among - self.it.waiting_keys
        for start in _starts(len(word)):
            may &= _of_spans(self.c, self.it, (_gram(word[start : start + SHORTEST_INDEXED]),))
            if len(may) < _FEW:
                break  # looking at them is quicker than to ask for more letters
        return may | waiting

    def _clause(self, clause: Clause, among: BitMap64) -> BitMap64:
        if clause.field in LOOKED_UP:
            found = self._looked_up(clause)
            return among - found if clause.negated else among & found
        want = wanted(clause, self.today)
        found = _of_spans(self.c, self.it, want.spans) | self._of_waiting(want.spans)
        if not want.negated:
            return among & found
        if want.among is not None:
            among = among & (_of_spans(self.c, self.it, (want.among,)) | self._of_waiting((want.among,)))
        return among - found

    def _looked_up(self, clause: Clause) -> BitMap64:
        if clause.field == "list":
            return self.lists(clause.values)
        if clause.field == "changed":
            marked = BitMap64(array("Q", (key for (key,) in rows(self.c, "SELECT id FROM change_marks"))))
            return marked if YES in clause.values else (self.it.whole | self.it.waiting_keys) - marked
        if clause.field == "number":
            numbers = [int(value) for value in clause.values if value.isdecimal() and int(value) <= MAX_NUMBER]
            return BitMap64([partition << NUMBER_BITS | number for partition in self.partitions for number in numbers])
        found = rows(
            self.c,
            """
            SELECT orders.id FROM json_each(:partitions) AS lists CROSS JOIN json_each(:values) AS asked
            CROSS JOIN orders ON partition = lists.value AND crn = asked.value COLLATE NOCASE
            """,
            {"partitions": json.dumps(list(self.partitions)), "values": json.dumps(clause.values)},
        )
        return BitMap64([key for (key,) in found])

    def _of_waiting(self, spans: tuple[Span, ...]) -> BitMap64:
        """Orders that wait with a term of any of these spans."""
        if not self.it.waiting_keys:
            return BitMap64()
        terms = _waiting_terms(self.c, self.it)
        exact = (terms[low] for low, high in spans if low == high and low in terms)
        wide = [span for span in spans if span.low != span.high]
        within = (keys for term, keys in terms.items() if wide and any(low <= term <= high for low, high in wide))
        return BitMap64.union(BitMap64(), *exact, *within)


def _gram(word: str) -> Span:
    return Span(f"#{word}", f"#{word}")


def _starts(length: int) -> list[int]:
    """Where three letters are taken of a word: side by side first, then those that lie across."""
    last = length - SHORTEST_INDEXED
    beside = [*range(0, last, SHORTEST_INDEXED), last]
    return [*beside, *(start for start in range(last) if start not in beside)]
