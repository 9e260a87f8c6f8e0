"""Where the words of a search stand in the texts of a row, and what they match in fields that are not shown.

Invariant: a word matches here as it does in the store (`store.cache.order_columns.searched_text`): without case and
accents, and in the digits of a phone number.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from app.store.sqlite.search_text import digits, plain
from app.ui.orders import orders_words as words
from app.ui.orders.table.column_list import Line
from app.ui.widgets.text.labels import visible

# In the order in which they are named, where a word is in several.
SEARCHED = (
    *("crn", "number", "pos", "bol", "consignee_name", "phone", "street", "city", "zip"),
    *("facility_name", "facility_id", "brand", "manufacturer", "remarks"),
)
_CACHED_TEXTS = 1_000
_LONGEST = 40  # letters of a value that is shown for its match
_RIGHT_TO_LEFT = ("R", "AL")


class Found(NamedTuple):
    """The places of words in a text, each from its first letter to behind its last, and which words: a bit each."""

    places: tuple[tuple[int, int], ...] = ()
    which: int = 0


_NOTHING = Found()


class MatchMarks:
    """Finds the words of one search. Texts are remembered, since cities, states and facilities repeat."""

    def __init__(self, text: str) -> None:
        self.words: tuple[str, ...] = tuple(dict.fromkeys(plain(text).split()))
        self.every = (1 << len(self.words)) - 1
        # Of a function, not of a method: a cache that refers to its object is freed only by the cyclic collector, and
        # each key in the filter makes another one.
        self.found_in = lru_cache(_CACHED_TEXTS)(partial(_found_in, self.words))

    def elsewhere(self, line: Line, missing: int) -> str:
        """The fields of this row, with their values, that the words of the bits `missing` match."""
        named: dict[str, str] = {}
        for name in SEARCHED:
            for value in _values(line, name):
                which = _words_in(self.words, value, phone=name == "phone") & missing
                if which:
                    named.setdefault(name, self._cut(value, which))
                    missing &= ~which
            if not missing:
                break
        return visible(words.matches_elsewhere(tuple(named.items())))

    def _cut(self, value: str, which: int) -> str:
        """The value, or of a long one the part around its first match."""
        if len(value) <= _LONGEST:
            return value
        first = max(plain(value).find(self.words[which.bit_length() - 1]), 0)
        start = max(min(first - _LONGEST // 3, len(value) - _LONGEST), 0)
        return ("…" if start else "") + value[start : start + _LONGEST] + ("…" if start + _LONGEST < len(value) else "")


def _found_in(searched: tuple[str, ...], text: str, phone: bool) -> Found:
    which = _words_in(searched, text, phone=phone)
    if not which:
        return _NOTHING
    folded = plain(text)
    # Letters fold to several, and a text from right to left is not laid out in the order of its letters.
    if len(folded) != len(text) or (not text.isascii() and any(map(_is_right_to_left, text))):
        return Found(((0, len(text)),), which)
    places: set[tuple[int, int]] = set()
    for at, word in enumerate(searched):
        if which >> at & 1:
            places.update(_places(folded, word) if word in folded else [(0, len(text))])
    return Found(tuple(sorted(places)), which)


def _words_in(searched: tuple[str, ...], text: str, *, phone: bool) -> int:
    """Which words stand in the text, a bit each. Of most texts that are painted, none does."""
    folded, which = plain(text), 0
    for at, word in enumerate(searched):
        if word in folded or (phone and word in digits(text)):
            which |= 1 << at
    return which


def _is_right_to_left(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT


def _places(folded: str, word: str) -> Iterator[tuple[int, int]]:
    at = folded.find(word)
    while at >= 0:
        yield at, at + len(word)
        at = folded.find(word, at + len(word))


def _values(line: Line, name: str) -> Sequence[str]:
    """The values of a field as they are searched: of purchase orders each one."""
    value = getattr(line, name, None)
    return () if value in (None, "") else str(value).splitlines()
