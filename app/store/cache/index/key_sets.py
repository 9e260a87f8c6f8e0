"""Which orders a query finds, as key sets: certain ones, and candidates whose text may contain its longer words.

Invariant: every certain key is found, and every key found is a candidate. A word of up to three letters and every
clause are certain; of a longer word the index knows only who has each three letters of it, so the texts of the other
candidates are read.

Each connection has an `IndexCache` that follows the counters of `search_state`. It holds the answer to the last query
too, from which the count, the pages and the facets of one result come. Orders that wait for the index have posting
lists of their own there, in memory; their texts are searched one by one.

A read can be cancelled at each of its statements (`Database.read`), and the cache survives it. So a function here reads
all that it needs into local variables first, and only then changes the cache.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

import json
import time
from array import array
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
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
    all_terms,
    folded_value,
    order_number,
    spelled_value,
    term_test,
    terms_of,
)
from app.store.cache.order_rows import OrderQuery
from app.store.cache.schema.cache_schema import NUMBER_BITS
from app.store.cache.schema.conditions import YES, Clause
from app.store.sqlite.plain_rows import key_array, row, rows
from app.store.sqlite.search_text import SHORTEST_INDEXED, plain

# The next key in the filter mostly asks for the words of before again. Sets of long ago only take memory: among a
# million orders some 55 KB each.
_SETS_CACHED = 16
_MOST_PREFIXES = 40  # of one word
_YIELD_EVERY = 40  # orders between two moments in which other threads get the interpreter lock
_FEW_TEXTS = 60  # are read as fast as one more posting list
_MANY_TEXTS = 4_000  # take longer to read than the posting lists of frequent prefixes


class Matches(NamedTuple):
    """The keys that a query finds. `words` are to be searched for in the texts of candidates that are not certain."""

    certain: BitMap64
    candidates: BitMap64
    words: tuple[str, ...] = ()


class IndexCache:
    """The parts of the index that one connection has read. "Pending" orders are those in the table `unindexed`."""

    def __init__(self) -> None:
        self.changes = self.segments = -1  # the counters of `search_state` at which this was read
        self.indexed = BitMap64()  # keys that the segments speak for; pending ones may be among them
        self.partly_live: dict[int, BitMap64] = {}  # segment → the keys that it still speaks for, if not all of its own
        self.pending_texts: dict[int, str | None] = {}  # None if the order is gone
        self.pending = BitMap64()
        self.pending_by_partition: dict[int, BitMap64] = {}  # without those that are gone
        self.pending_postings: dict[str, BitMap64] = {}  # by term
        self.pending_unread = BitMap64()  # pending keys that are not in `pending_postings` yet
        self.prefixes = ""  # the frequent prefixes of all segments, sorted, a line each
        self.prefix_segments: set[int] = set()  # the segments whose prefixes those are
        self.unions: OrderedDict[tuple[Span, ...], BitMap64] = OrderedDict()  # the keys with any term of these spans
        self.sorted_lists: OrderedDict[object, object] = OrderedDict()  # see `ordered_walk`
        self.last_answer: tuple[OrderQuery, Matches] | None = None


# By connection, because each connection has a view of the file of its own: two may be at different counters. Weak, so
# that a connection that was replaced takes its cache along.
_caches: "WeakKeyDictionary[apsw.Connection, IndexCache]" = WeakKeyDictionary()


def index_cache(c: apsw.Connection) -> IndexCache:
    """The connection's cache of the index, up to date."""
    it = _caches.setdefault(c, IndexCache())
    changes, segments = row(c, "SELECT changes, segments FROM search_state") or (0, 0)
    if (changes, segments) == (it.changes, it.segments):
        return it
    # All is read before `it` changes: a cancelled read must leave a cache that fits its counters.
    live = _read_live(c) if segments != it.segments else (it.indexed, it.partly_live)
    pending = _read_pending(c, it)
    it.indexed, it.partly_live = live
    it.pending_texts, it.pending, it.pending_by_partition, it.pending_postings, it.pending_unread = pending
    # Unions, sorted lists and the last answer were made of the sets that have just been replaced.
    it.unions.clear()
    it.sorted_lists.clear()
    it.last_answer = None
    it.changes, it.segments = changes, segments
    return it


def _read_live(c: apsw.Connection) -> tuple[BitMap64, dict[int, BitMap64]]:
    """`IndexCache.indexed` and `IndexCache.partly_live`, as they are in the file."""
    indexed, partly_live = [BitMap64()], {}
    for segment, live, dead in rows(c, "SELECT segment, live, dead FROM segments"):
        keys = BitMap64.deserialize(live)
        indexed.append(keys)
        if dead:
            partly_live[segment] = keys
    return BitMap64.union(*indexed), partly_live


class _Pending(NamedTuple):
    """The attributes of `IndexCache` about pending orders; see there."""

    texts: dict[int, str | None]
    keys: BitMap64
    by_partition: dict[int, BitMap64]
    postings: dict[str, BitMap64]
    unread: BitMap64


def _read_pending(c: apsw.Connection, it: IndexCache) -> _Pending:
    """Which orders wait, from what `it` knows and what has changed since. `it` stays as it is."""
    pending = BitMap64(array("Q", (key for (key,) in rows(c, "SELECT id FROM unindexed ORDER BY id"))))
    # Only rows with a newer change are read again.
    statement = "SELECT unindexed.id, text FROM unindexed LEFT JOIN search_texts USING (id) WHERE change > ?"
    found = dict(c.execute(statement, (it.changes,)))
    gone = it.pending - pending
    texts = {key: text for key, text in it.pending_texts.items() if key not in gone} | found
    changed = BitMap64(array("Q", sorted(found)))
    postings, outdated = it.pending_postings, (gone | changed) - it.pending_unread
    if outdated:
        postings = {term: left for term, keys in postings.items() if (left := keys - outdated)}
    existing: dict[int, list[int]] = {}
    for key in pending:
        if texts[key] is not None:
            existing.setdefault(key >> NUMBER_BITS, []).append(key)
    by_partition = {partition: BitMap64(array("Q", keys)) for partition, keys in existing.items()}
    return _Pending(texts, pending, by_partition, postings, (it.pending_unread | changed) - gone)


def pending_postings(c: apsw.Connection, it: IndexCache) -> dict[str, BitMap64]:
    """The pending orders by term. Read only for a query that needs them: while a list arrives there are many."""
    if it.pending_unread:
        postings: dict[str, list[int]] = {}
        columns = ", ".join(TERM_COLUMNS)
        statement = f"SELECT id, {columns} FROM orders WHERE id IN carray(?) ORDER BY id"
        for place, (key, *values) in enumerate(c.execute(statement, (key_array(it.pending_unread.to_array()),))):
            if place % _YIELD_EVERY == 0:
                # Sleeping for no time releases the interpreter lock. Otherwise the window's thread would wait for a
                # whole switch interval each time it needs the lock, for as long as this loop runs.
                time.sleep(0)
            for term in terms_of(values):
                postings.setdefault(term, []).append(key)
        # No statement follows, so nothing can be cancelled any more: both attributes change together.
        added = {
            term: BitMap64(array("Q", keys)) | it.pending_postings.get(term, BitMap64())
            for term, keys in postings.items()
        }
        it.pending_postings, it.pending_unread = it.pending_postings | added, BitMap64()
    return it.pending_postings


def find_matches(c: apsw.Connection, query: OrderQuery) -> Matches:
    """The part of a query's result that the index alone knows."""
    it, question = index_cache(c), _without_order(query)
    if it.last_answer is None or it.last_answer[0] != question or _depends_on_marks(query):
        it.last_answer = question, _evaluate(c, it, query)  # the last answer stays if this is cancelled
    return it.last_answer[1]


def matching_keys(c: apsw.Connection, query: OrderQuery) -> BitMap64:
    """The keys that a query finds. Texts of candidates are read, unless a frequent prefix settles them."""
    matches = find_matches(c, query)
    if len(matches.candidates) == len(matches.certain):
        return matches.certain
    keys = matches.certain
    # Only now: to read the frequent prefixes of all segments costs more than to search some thousand texts.
    if len(matches.candidates) - len(keys) > _MANY_TEXTS:
        it = index_cache(c)
        keys = keys | matches.candidates.intersection(*(_with_prefix_containing(c, it, word) for word in matches.words))
    # A new set, never `|=`: `keys` may be the very set that `last_answer` holds.
    keys = keys | BitMap64(array("Q", keys_containing(c, (matches.candidates - keys).to_array(), matches.words)))
    remember(c, query, keys)
    return keys


def remember(c: apsw.Connection, query: OrderQuery, keys: BitMap64) -> None:
    """Keep `keys` as the whole result of a query."""
    index_cache(c).last_answer = _without_order(query), Matches(keys, keys)


def keys_of_groups(c: apsw.Connection, profile: str, groups: Sequence[Sequence[Clause]], today: date) -> BitMap64:
    """The orders of any list for which all clauses of any group hold.

    The answer to the last query is kept: the table goes on reading its pages from it.
    """
    partitions = dict(rows(c, "SELECT partition, list FROM partitions WHERE profile = ?", (profile,)))
    evaluation = _Evaluation(c, index_cache(c), partitions, today)
    every = evaluation.lists(partitions.values())
    return BitMap64.union(BitMap64(), *(evaluation.all_of(clauses, every) for clauses in groups))


def earliest_of(c: apsw.Connection, keys: BitMap64, field: str, enough: int, span: tuple[date, date]) -> BitMap64:
    """The keys with the earliest days of a date field, at least `enough`: all of the last day are among them.

    The days are looked for within `span`; keys without such a day follow only if there are too few others.
    """
    evaluation = _Evaluation(c, index_cache(c), {}, span[1])
    low, high = span
    while low < high:
        middle = low + (high - low) // 2
        if len(evaluation.all_of((Clause(field, last=middle),), keys)) >= enough:
            high = middle
        else:
            low = middle + timedelta(days=1)
    found = evaluation.all_of((Clause(field, last=low),), keys)
    return found if len(found) >= enough else keys


def _without_order(query: OrderQuery) -> OrderQuery:
    """The query without what does not change which orders it finds."""
    return query._replace(sort="", descending=False, raw_fields=())


def _depends_on_marks(query: OrderQuery) -> bool:
    """Whether it asks for change marks: those are cleared without any change of an order."""
    return any(clause.field == "changed" for clause in chain(query.clauses, *query.either))


def _evaluate(c: apsw.Connection, it: IndexCache, query: OrderQuery) -> Matches:
    partitions = dict(rows(c, "SELECT partition, list FROM partitions WHERE profile = ?", (query.profile,)))
    evaluation = _Evaluation(c, it, partitions, query.today)
    lists = evaluation.lists([name for name in partitions.values() if query.list in (None, name)])
    keys = evaluation.all_of(query.clauses, lists)
    if query.either:
        keys = keys & BitMap64.union(BitMap64(), *(evaluation.all_of(clauses, keys) for clauses in query.either))
    words = tuple(dict.fromkeys(plain(query.text).split()))
    for word in words:
        keys = keys & evaluation.word(word, keys)
    long_words = tuple(word for word in words if len(word) > SHORTEST_INDEXED)
    # The texts of pending orders were searched already, so those are certain even of long words.
    return Matches(keys & it.pending if long_words else keys, keys, long_words)


def keys_containing(c: apsw.Connection, keys: Iterable[int], words: Sequence[str]) -> list[int]:
    """The keys whose search text contains every word."""
    condition = " AND ".join(f"instr(text, :word{place})" for place in range(len(words))) or "1"
    bindings = {f"word{place}": word for place, word in enumerate(words)}
    # A join, because `IN carray` would put all keys into a table of their own first.
    statement = f"SELECT id FROM carray(:keys) CROSS JOIN search_texts ON id = value WHERE {condition}"
    return [key for (key,) in rows(c, statement, {**bindings, "keys": key_array(keys)})]


def prefixes(c: apsw.Connection) -> str:
    """The frequent prefixes of all segments, sorted, a line each. Only those of new segments are read."""
    it = index_cache(c)
    segments = {segment for (segment,) in rows(c, "SELECT segment FROM segments")}
    if new := segments - it.prefix_segments:
        found = set(it.prefixes.split())
        for segment in new:
            terms = rows(
                c, "SELECT term FROM postings WHERE segment = ? AND term BETWEEN ? AND ?", (segment, "~", f"~{END}")
            )
            found.update(term[1:] for (term,) in terms)
        it.prefixes = "\n".join(sorted(found))  # after the last statement, like the next line: both change or neither
    it.prefix_segments = segments
    return it.prefixes


def lines_containing(lines: str, word: str) -> Iterator[str]:
    """The lines that contain a word, in their order. One search through all of them is faster than one for each."""
    at = lines.find(word)
    while at >= 0:
        end = lines.find("\n", at)
        end = len(lines) if end < 0 else end
        yield lines[lines.rfind("\n", 0, at) + 1 : end]
        at = lines.find(word, end)


def count_values(c: apsw.Connection, keys: BitMap64, field: str) -> "Counter[tuple[str, str]]":
    """How many of these orders have each value of a field: folded for comparing, and as it is spelled."""
    it = index_cache(c)
    span, indexed = all_terms(field), keys - it.pending
    counted: Counter[tuple[str, str]] = Counter()
    for segment, term, ids in c.execute(
        "SELECT segment, term, keys FROM segments CROSS JOIN postings USING (segment) WHERE term BETWEEN ? AND ?", span
    ):
        here = BitMap64.deserialize(ids)
        if segment in it.partly_live:
            here &= it.partly_live[segment]
        if number := here.intersection_cardinality(indexed):
            counted[folded_value(term), spelled_value(term)] += number
    if keys.intersect(it.pending):
        for term, pending in pending_postings(c, it).items():
            if span.low <= term <= span.high and (number := pending.intersection_cardinality(keys)):
                counted[folded_value(term), spelled_value(term)] += number
    return counted


def _indexed_with(c: apsw.Connection, it: IndexCache, spans: tuple[Span, ...]) -> BitMap64:
    """Indexed orders with a term of any of these spans, without pending ones."""
    if spans in it.unions:
        it.unions.move_to_end(spans)
        return it.unions[spans]
    found = [BitMap64()]
    for span in spans:
        condition = "term = ?" if span.low == span.high else "term BETWEEN ? AND ?"
        bindings = (span.low,) if span.low == span.high else span
        for segment, keys in c.execute(
            f"SELECT segment, keys FROM segments CROSS JOIN postings USING (segment) WHERE {condition}", bindings
        ):
            here = BitMap64.deserialize(keys)
            found.append(here & it.partly_live[segment] if segment in it.partly_live else here)
    union = BitMap64.union(*found) - it.pending
    _keep(it, spans, union)  # only once all of it is read
    return union


def _keep(it: IndexCache, spans: tuple[Span, ...], union: BitMap64) -> None:
    it.unions[spans] = union
    if len(it.unions) > _SETS_CACHED:
        it.unions.popitem(last=False)


def _with_prefix_containing(c: apsw.Connection, it: IndexCache, word: str) -> BitMap64:
    """Orders with a frequent prefix that contains the word."""
    containing: list[str] = []
    for prefix in lines_containing(prefixes(c), word):
        if not (containing and prefix.startswith(containing[-1])):  # its orders are among those of the shorter one
            containing.append(prefix)
    shortest = sorted(containing, key=len)[:_MOST_PREFIXES]
    return _indexed_with(c, it, tuple(Span(f"~{prefix}", f"~{prefix}") for prefix in shortest))


class _Evaluation:
    """Evaluates one query. Every method gives keys of indexed and of pending orders."""

    def __init__(self, c: apsw.Connection, it: IndexCache, partitions: dict[int, str], today: date) -> None:
        self.c, self.it, self.partitions, self.today = c, it, partitions, today

    def lists(self, names: Iterable[str]) -> BitMap64:
        """All orders of these lists."""
        wanted = set(names)
        chosen = {partition for partition, name in self.partitions.items() if name in wanted}
        spans = tuple(Span(f"@{partition}", f"@{partition}") for partition in sorted(chosen))
        pending = (self.it.pending_by_partition.get(partition, BitMap64()) for partition in chosen)
        return BitMap64.union(_indexed_with(self.c, self.it, spans), *pending)

    def all_of(self, clauses: Sequence[Clause], among: BitMap64) -> BitMap64:
        """The keys of `among` for which every clause holds."""
        for clause in clauses:
            among = self._clause(clause, among)
        return among

    def word(self, word: str, among: BitMap64) -> BitMap64:
        """Orders whose text may contain a word; for certain if the word is short or the order is pending."""
        # Pending texts are in memory, so they are simply searched; their trigrams were never made.
        pending = BitMap64([key for key, text in self.it.pending_texts.items() if text is not None and word in text])
        if len(word) <= SHORTEST_INDEXED:
            return _indexed_with(self.c, self.it, (_gram(word),)) | pending
        candidates = among - self.it.pending
        for start in _trigram_starts(len(word)):
            candidates &= _indexed_with(self.c, self.it, (_gram(word[start : start + SHORTEST_INDEXED]),))
            if len(candidates) < _FEW_TEXTS:
                break  # to read their texts is faster than to read another posting list
        return candidates | pending

    def _clause(self, clause: Clause, among: BitMap64) -> BitMap64:
        if clause.field in LOOKED_UP:
            found = self._looked_up(clause)
            return among - found if clause.negated else among & found
        test = term_test(clause, self.today)
        found = _indexed_with(self.c, self.it, test.spans) | self._pending_with(test.spans)
        if not test.negated:
            return among & found
        if test.among is not None:
            among = among & (_indexed_with(self.c, self.it, (test.among,)) | self._pending_with((test.among,)))
        return among - found

    def _looked_up(self, clause: Clause) -> BitMap64:
        if clause.field == "list":
            return self.lists(clause.values)
        if clause.field == "changed":
            marked = BitMap64(array("Q", (key for (key,) in rows(self.c, "SELECT id FROM change_marks"))))
            # "Not changed" is all orders but the marked ones: the index has no term for a mark, because a mark is set
            # and cleared without any change of the order.
            return marked if YES in clause.values else (self.it.indexed | self.it.pending) - marked
        if clause.field == "changed_on":
            return self._changed_on(clause)
        if clause.field == "number":
            numbers = [number for number in map(order_number, clause.values) if number is not None]
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

    def _changed_on(self, clause: Clause) -> BitMap64:
        """Orders of which a change is kept. Every kept change comes with a change of `search_state`."""
        from app.store.cache.past_changes import keys_of_numbers, numbers_changed  # few searches ask for it

        desks = [partition for partition, name in self.partitions.items() if name == "open"]
        asked = (Span(f"changed_on {desks} {clause.values}", f"{clause.first} {clause.last}"),)
        if asked not in self.it.unions:
            numbers = numbers_changed(self.c, desks, clause.values, clause.first, clause.last)
            # Only keys of orders that are there: a number has a key on each list.
            known = self.it.indexed | self.it.pending
            _keep(self.it, asked, keys_of_numbers(self.partitions, numbers) & known)
        return self.it.unions[asked]

    def _pending_with(self, spans: tuple[Span, ...]) -> BitMap64:
        """Pending orders with a term of any of these spans."""
        if not self.it.pending:
            return BitMap64()
        postings = pending_postings(self.c, self.it)
        exact = (postings[low] for low, high in spans if low == high and low in postings)
        wide = [span for span in spans if span.low != span.high]
        within = (keys for term, keys in postings.items() if wide and any(low <= term <= high for low, high in wide))
        return BitMap64.union(BitMap64(), *exact, *within)


def _gram(word: str) -> Span:
    return Span(f"#{word}", f"#{word}")


def _trigram_starts(length: int) -> list[int]:
    """Where the trigrams of a word start: first those side by side, which narrow most, then the overlapping ones."""
    last = length - SHORTEST_INDEXED
    # Trigrams that overlap share two letters and so most of their orders; each trigram further on excludes more.
    side_by_side = [*range(0, last, SHORTEST_INDEXED), last]
    return [*side_by_side, *(start for start in range(last) if start not in side_by_side)]
