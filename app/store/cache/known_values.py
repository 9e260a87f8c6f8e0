"""Known values: consignees, commodities, facilities and codes that were sent or seen before.

They are derived from the journal and from the orders in the cache: they can be deleted at any time, and are learnt anew
in small steps. Invariants: each value is known once for a profile and kind; values sent from here rank above those only
seen, and the one used last ranks first. A word matches by its beginning, in any order; a phone number by any three
digits in a row.

The id of a value is `topic << 40 | sent << 39 | n`, and a topic is one kind of one profile. So a range of ids says
"this kind", also to the full-text index, and the highest id is the one used last.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

import apsw

from app.store.cache.schema.cache_schema import NUMBER_BITS
from app.store.sqlite.plain_rows import row, rows, value
from app.store.sqlite.search_text import plain
from app.store.sqlite.text_values import storable

Kind = Literal["consignee", "place", "commodity", "facility", "manufacturer", "bill_to", "seller", "load", "load_order"]
Body = dict[str, str]

# The highest bit of a number: values that this desk sent lie apart from those that were only seen.
_SENT = 1 << (NUMBER_BITS - 1)
_MOST = (1 << NUMBER_BITS) - 1
# Begins the end of a phone number in the full-text index; no word of a text can contain it.
_PHONE_MARK = "#"
_WORD = re.compile(r"[^\W_]+")
_SHORTEST_PHONE_PART = 3
_SAMPLES = 9
_MOST_NAMED = 10_000  # values that are searched for a name: more than there are of a kind with codes and names
_NO_LIMIT = -1  # as SQLite reads it
_MOST_UNLEARNT = 5_000  # orders whose codes are read one by one, in some milliseconds
# Submissions in these states are no lesson: something in them was wrong.
_NOT_LEARNT = ("rejected", "withdrawn")
_TAKEN = ("accepted", "confirmed")
FACILITY = "facility"  # of a consignee: the code of the facility that served it last
FACILITY_ORDER = "facility_order"  # of a consignee: the number of the order that this facility served
SAMPLES = "samples"  # of a commodity: "volume/weight" of single pieces, separated by blanks, the latest last
_NOT_FOUND_BY = (SAMPLES, FACILITY, FACILITY_ORDER)


class Lesson(NamedTuple):
    """One value to learn. `key` tells it from others of its kind; if `whole`, `body` replaces the known one, else it
    fills blanks."""

    kind: Kind
    key: str
    body: Body
    whole: bool = False


class KnownRow(NamedTuple):
    """A known value, and whether it was ever sent from this desk."""

    body: Body
    sent: bool


class Payload(NamedTuple):
    """The bytes of a submission, and whether the provider has taken it."""

    body: bytes
    taken: bool


class Sent(NamedTuple):
    """Payloads of submissions in the journal, and the number of the last write that was read."""

    payloads: list[Payload]
    upto: int


def find_known(c: apsw.Connection, profile: str, kind: Kind, text: str, limit: int) -> list[KnownRow]:
    """Values that match every word of `text`, the one used last first; all of the kind if it has no word."""
    topic = _topic(c, profile, kind)
    if topic is None:
        return []
    words = _words(text)
    span = {"low": topic << NUMBER_BITS, "high": topic << NUMBER_BITS | _MOST, "limit": limit}
    if not words:
        statement = "SELECT id, body FROM known_values WHERE id BETWEEN :low AND :high ORDER BY id DESC LIMIT :limit"
        return [_known(*found) for found in rows(c, statement, span)]
    found = rows(
        c,
        """
        SELECT id, body FROM known_values WHERE id IN (
            SELECT rowid FROM known_words WHERE known_words MATCH :match AND rowid BETWEEN :low AND :high
            ORDER BY rowid DESC LIMIT :limit)
        ORDER BY id DESC
        """,
        span | {"match": " AND ".join(_condition(word) for word in words)},
    )
    return [_known(*each) for each in found]


def get_known(c: apsw.Connection, profile: str, kind: Kind, key: str) -> KnownRow | None:
    """The value with this key; None if it is not known."""
    topic = _topic(c, profile, kind)
    found = (
        None if topic is None else row(c, "SELECT id, body FROM known_values WHERE topic = ? AND key = ?", (topic, key))
    )
    return None if found is None else _known(*found)


def known_beginning(c: apsw.Connection, profile: str, kind: Kind, start: str, limit: int) -> list[KnownRow]:
    """The values whose key begins with `start`, in the order of their keys."""
    topic = _topic(c, profile, kind)
    if topic is None:
        return []
    found = rows(
        c,
        "SELECT id, body FROM known_values WHERE topic = ? AND key >= ? AND key < ? ORDER BY key LIMIT ?",
        (topic, start, f"{start}\U0010ffff", limit),
    )
    return [_known(*each) for each in found]


def names_of(c: apsw.Connection, profile: str, kind: Kind, codes: Sequence[str]) -> dict[str, str]:
    """The names of codes, as far as they are known and differ from the codes."""
    found = {code: get_known(c, profile, kind, plain(code)) for code in codes}
    names = {code: str(each.body.get("name") or "") for code, each in found.items() if each is not None}
    return {code: name for code, name in names.items() if name and plain(name) != plain(code)}


def codes_named(c: apsw.Connection, profile: str, kind: Kind, typed: str) -> tuple[str, ...]:
    """The codes that a person means by `typed`: itself if it is a known code, else those with this name, else those
    whose names begin with it. Of nothing known, `typed` itself: it may be a code all the same.
    """
    wanted = plain(typed)
    if get_known(c, profile, kind, wanted) is not None:
        return (typed,)
    bodies = [each.body for each in find_known(c, profile, kind, typed, _MOST_NAMED)]
    named = [(plain(body.get("name") or ""), body["code"]) for body in bodies]
    same = tuple(code for name, code in named if name == wanted)
    return same or tuple(code for name, code in named if name.startswith(wanted)) or (typed,)


def facilities(c: apsw.Connection, profile: str) -> list[Body] | None:
    """All facilities that are known, the one used last first; None while nobody can tell all of them, because nothing
    was learnt yet from very many orders. Those of a few such orders are among them.
    """
    found = {plain(each.body["code"]): each.body for each in find_known(c, profile, "facility", "", _NO_LIMIT)}
    for span in _order_spans(c, profile):
        came = rows(
            c,
            """
            SELECT count(*), facility_id, max(facility_name)
            FROM (SELECT id FROM unlearnt WHERE id BETWEEN ? AND ? LIMIT ?) LEFT JOIN orders USING (id)
            GROUP BY facility_id
            """,
            (*span, _MOST_UNLEARNT),
        )
        if sum(count for count, _, _ in came) == _MOST_UNLEARNT:
            return None
        for _, code, name in came:
            if code:
                found.setdefault(plain(code), {"code": code, "name": name or ""})
    return list(found.values())


def is_learning(c: apsw.Connection, profile: str) -> bool:
    """Whether there are orders that nothing was learnt from yet."""
    return any(
        row(c, "SELECT 1 FROM unlearnt WHERE id BETWEEN ? AND ? LIMIT 1", span) for span in _order_spans(c, profile)
    )


def learn(c: apsw.Connection, profile: str, lessons: Iterable[Lesson], *, sent: bool) -> None:
    """Learn these values, in this order."""
    # Orders repeat each other: of values that were only seen, the last lesson for a key is enough.
    chosen = list(lessons) if sent else {(lesson.kind, lesson.key): lesson for lesson in lessons}.values()
    for each in chosen:
        _learn_one(c, _topic_made(c, profile, each.kind), each, sent=sent)


def learn_orders(c: apsw.Connection, profile: str, limit: int, lessons_of: Callable[[str], Sequence[Lesson]]) -> bool:
    """Learn from up to `limit` orders that came since; returns whether there may be more. `lessons_of` reads JSON text.

    About 8 ms for fifty.
    """
    for span in _order_spans(c, profile):
        chosen = rows(
            c,
            """
            SELECT unlearnt.id, raw FROM unlearnt LEFT JOIN raw_orders USING (id)
            WHERE unlearnt.id BETWEEN ? AND ? ORDER BY unlearnt.id LIMIT ?
            """,
            (*span, limit),
        )
        if chosen:
            learn(c, profile, [lesson for _, raw in chosen if raw for lesson in lessons_of(raw)], sent=False)
            c.executemany("DELETE FROM unlearnt WHERE id = ?", [(key,) for key, _ in chosen])
            return True
    return False


def learnt_up_to(c: apsw.Connection, profile: str) -> int:
    """The number of the last write of the journal that was learnt from."""
    return int(value(c, "SELECT upto FROM learnt_writes WHERE profile = ?", (profile,)) or 0)


def sent_after(c: apsw.Connection, profile: str, number: int, limit: int) -> Sent:
    """The submissions after write `number`, oldest first. Runs on the journal's connection.

    A journal that ends before that number is not the one that was learnt from: it is read from its beginning.
    """
    last = int(value(c, "SELECT max(id) FROM writes") or 0)
    found = rows(
        c,
        "SELECT id, state, payload FROM writes WHERE id > ? AND profile = ? AND kind = 'submit' ORDER BY id LIMIT ?",
        (number if number <= last else 0, profile, limit),
    )
    upto = int(found[-1][0]) if len(found) == limit else last
    learnt = ((bytes(payload), state in _TAKEN) for _, state, payload in found if state not in _NOT_LEARNT)
    return Sent([Payload(*each) for each in learnt], upto)


def learn_writes(
    c: apsw.Connection, profile: str, sent: Sent, lessons_of: Callable[[Payload], Iterable[Lesson]]
) -> None:
    """Learn from these submissions, and note how far the journal was read. `lessons_of` reads a payload."""
    learn(c, profile, [lesson for payload in sent.payloads for lesson in lessons_of(payload)], sent=True)
    c.execute("INSERT OR REPLACE INTO learnt_writes VALUES (?, ?)", (profile, sent.upto))


def learn_from_mate(
    c: apsw.Connection, profile: str, desk: str, sent: Sent, lessons_of: Callable[[Payload], Iterable[Lesson]]
) -> None:
    """Learn from orders of another desk of the team, as of orders that were only seen, and note how far they were read.

    Other desks are not believed: a lesson never replaces what was sent from here (`_merged`).
    """
    learn(c, profile, [lesson for payload in sent.payloads for lesson in lessons_of(payload)], sent=False)
    c.execute("INSERT OR REPLACE INTO learnt_writes VALUES (?, ?)", (mate_of(profile, desk), sent.upto))


def mate_of(profile: str, desk: str) -> str:
    """Under which name `learnt_up_to` knows another desk of the team."""
    return f"{profile}\n{desk}"


def forget_all(c: apsw.Connection, profile: str | None = None) -> None:
    """Drop all known values, of one profile or of all; they are learnt anew from whatever is left."""
    whose = rows(c, "SELECT topic, profile FROM topics WHERE ?1 IS NULL OR profile = ?1", (profile,))
    for topic, _ in whose:
        span = (topic << NUMBER_BITS, topic << NUMBER_BITS | _MOST)
        c.execute("DELETE FROM known_words WHERE rowid BETWEEN ? AND ?", span)
        c.execute("DELETE FROM known_values WHERE id BETWEEN ? AND ?", span)
    for owner in {owner for _, owner in whose}:
        mates = mate_of(owner, "")
        c.execute(
            "DELETE FROM learnt_writes WHERE profile = ? OR substr(profile, 1, ?) = ?", (owner, len(mates), mates)
        )
        for span in _order_spans(c, owner):
            c.execute("INSERT OR IGNORE INTO unlearnt SELECT id FROM seen WHERE id BETWEEN ? AND ?", span)


def _learn_one(c: apsw.Connection, topic: int, lesson: Lesson, *, sent: bool) -> None:
    key = storable(lesson.key)
    found = row(c, "SELECT id, body FROM known_values WHERE topic = ? AND key = ?", (topic, key))
    if found is None:
        _put(c, _next_id(c, topic, sent=sent), topic, key, _sampled({}, lesson.body))
        return
    old_id, kept = found
    was_sent, old = bool(old_id & _SENT), json.loads(kept)
    body = _merged(old, lesson, was_sent=was_sent, sent=sent)
    if body == old and not sent:
        return
    if not sent and _indexed(body) == _indexed(old):  # as with each later order of a consignee: rank and words stay
        c.execute("UPDATE known_values SET body = ? WHERE id = ?", (_stored(body), old_id))
        return
    # A value that is sent again ranks first from now on, by a higher id.
    new_id = _next_id(c, topic, sent=True) if sent else old_id
    if sent and old_id == new_id - 1 and body == old:
        return
    # The id is the rank, and it is the key of the full-text index too: a value that moves up is a new row in both.
    c.execute("DELETE FROM known_values WHERE id = ?", (old_id,))
    c.execute("DELETE FROM known_words WHERE rowid = ?", (old_id,))
    _put(c, new_id, topic, key, body)


def _merged(old: Body, lesson: Lesson, *, was_sent: bool, sent: bool) -> Body:
    new = lesson.body
    if lesson.whole and (sent or was_sent):
        return _served(old, new, _sampled(old, new) if sent else old)
    first, second = (new, old) if was_sent and not sent else (old, new)
    merged = first | {name: text for name, text in second.items() if text}
    merged.pop(SAMPLES, None)
    if SAMPLES in new:
        merged[SAMPLES] = new[SAMPLES]
    return _served(old, new, _sampled(old, merged))


def _served(old: Body, new: Body, body: Body) -> Body:
    """The body with the facility of the later one of the two orders that the old and the new body are of."""
    if FACILITY not in old and FACILITY not in new:
        return body
    # The same order may have another facility by now.
    later = new if FACILITY in new and _facility_order(new) >= _facility_order(old) else old
    return body | {FACILITY: later.get(FACILITY, ""), FACILITY_ORDER: later.get(FACILITY_ORDER, "")}


def _facility_order(body: Body) -> int:
    return int(body.get(FACILITY_ORDER) or 0)


def _sampled(old: Body, new: Body) -> Body:
    """The new body with the latest samples of both."""
    samples = [*old.get(SAMPLES, "").split(), *new.get(SAMPLES, "").split()][-_SAMPLES:]
    return new | {SAMPLES: " ".join(samples)} if samples else new


def _put(c: apsw.Connection, key: int, topic: int, name: str, body: Body) -> None:
    c.execute("INSERT INTO known_values (id, topic, key, body) VALUES (?, ?, ?, ?)", (key, topic, name, _stored(body)))
    c.execute("INSERT INTO known_words (rowid, text) VALUES (?, ?)", (key, _indexed(body)))


def _stored(body: Body) -> str:
    return storable(json.dumps(body, ensure_ascii=False, separators=(",", ":")))


def _indexed(body: Mapping[str, str]) -> str:
    words = [word for name, text in body.items() if name not in _NOT_FOUND_BY for word in _words(text)]
    for name in ("phone1", "phone2"):
        digits = "".join(letter for letter in body.get(name, "") if letter in "0123456789")
        # Every end of the number is a word of its own, so the full-text index, which knows beginnings only, finds any
        # middle part.
        words += [f"{_PHONE_MARK}{digits[at:]}" for at in range(len(digits) - _SHORTEST_PHONE_PART + 1)]
    return " ".join(dict.fromkeys(words))


def _words(text: str) -> list[str]:
    """The folded words of a text: letters and digits of any script; everything else separates them."""
    return list(dict.fromkeys(_WORD.findall(plain(text))))


def _condition(word: str) -> str:
    begins = f'"{word}"*'
    is_part = len(word) >= _SHORTEST_PHONE_PART and word.isascii() and word.isdecimal()
    return f'({begins} OR "{_PHONE_MARK}{word}"*)' if is_part else begins


def _known(key: int, body: str) -> KnownRow:
    return KnownRow(json.loads(body), bool(key & _SENT))


def _next_id(c: apsw.Connection, topic: int, *, sent: bool) -> int:
    low = topic << NUMBER_BITS | (_SENT if sent else 0)
    last = value(c, "SELECT max(id) FROM known_values WHERE id BETWEEN ? AND ?", (low, low | _SENT - 1))
    return low + 1 if last is None else int(last) + 1


def _topic(c: apsw.Connection, profile: str, kind: Kind) -> int | None:
    found: int | None = value(c, "SELECT topic FROM topics WHERE profile = ? AND kind = ?", (profile, kind))
    return found


def _topic_made(c: apsw.Connection, profile: str, kind: Kind) -> int:
    found = _topic(c, profile, kind)
    if found is not None:
        return found
    c.execute("INSERT INTO topics (profile, kind) VALUES (?, ?)", (profile, kind))
    return c.last_insert_rowid()


def _order_spans(c: apsw.Connection, profile: str) -> list[tuple[int, int]]:
    """The ranges of keys of the profile's orders. The open list is learnt last, so that its values rank first."""
    found = rows(c, "SELECT partition FROM partitions WHERE profile = ? ORDER BY list = 'open', partition", (profile,))
    return [(partition << NUMBER_BITS, partition << NUMBER_BITS | _MOST) for (partition,) in found]
