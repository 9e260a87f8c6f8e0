"""A JSON array read element by element out of text that arrives in pieces.

Holds at most one unfinished element and one piece. Each element is decoded once it is whole; one that needs many
pieces is tried again only when twice as much of it is there, so that the work stays proportional to the text.

Nearly all records of a long list are plain JSON and begin with the same name. Such records are separated many at a time
without decoding each (`whole`): the end of a record is guessed, and the decoder accepts the guess only if the text
before it is an array of whole values. Text that the decoder refuses is left to `next`, element by element.
"""

import json
import re
from collections.abc import Iterator
from enum import Enum, auto

import msgspec

from app.api import api_words
from app.api.errors import BrokenReply
from app.contract.replies import with_whole_characters

LARGEST_ELEMENT = 4 * 1024 * 1024  # characters; a larger one could not be decoded without a visible pause
_NEAR_THE_END = 64  # characters within which a syntax error may only mean that the rest has not arrived
_AFTER_A_NUMBER = frozenset(",] \t\n\r")
_SPACE = re.compile(r"[ \t\n\r]*")
# Control characters inside strings and NaN are not JSON, and yet no reason to lose a whole list.
_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda _: None)
_TOGETHER = 64 * 1024  # characters that are looked through at once: a tenth of a millisecond
_GUESSES = 3  # ends that are tried before the records are read one by one
_FIRST_NAME = re.compile(r'\{"[^"\\]*"')
_RECORDS = msgspec.json.Decoder(list[msgspec.Raw])
# The one thing that this takes and `_DECODER` does not.
_LONGEST_NUMBER = 4_000  # digits
_TOO_LONG = re.compile(f"[0-9]{{{_LONGEST_NUMBER}}}")


def decoded(raw: str) -> object:
    """The value of an element that `whole` has told apart. Raises BrokenReply where it is nested beyond reason."""
    try:
        return with_whole_characters(_DECODER.decode(raw), raw)
    except (ValueError, RecursionError):
        pass
    raise BrokenReply(api_words.RECORD_NOT_JSON)


class _Place(Enum):
    START = auto()
    FIRST = auto()
    ELEMENT = auto()
    AFTER = auto()
    END = auto()


class ArrayReader:
    """Feed it text, ask it for elements. Raises BrokenReply for what cannot become an array any more."""

    def __init__(self, largest: int = LARGEST_ELEMENT) -> None:
        self._text = ""
        self._at = 0
        self._place = _Place.START
        self._last = False
        self._enough = 0
        self._largest = largest

    @property
    def complete(self) -> bool:
        """Whether the closing bracket has been read."""
        return self._place is _Place.END

    def feed(self, text: str, *, last: bool = False) -> None:
        """More text; `last` when nothing will follow it."""
        self._text = self._text[self._at :] + text
        self._at = 0
        self._last = last

    def next(self) -> tuple[object, str] | None:
        """The next element and its own text, or None when more text is needed or the array is complete."""
        return self._element() if self._go_to_element() else None

    def whole(self) -> list[str]:
        """The texts of the records that come next, as many as are told apart at once, each whole and valid JSON.

        None is no sign that there is none: then `next` has to look.
        """
        if not self._go_to_element():
            return []
        for end in self._guesses():
            try:
                records = _RECORDS.decode(f"[{self._text[self._at : end]}]")
            except (ValueError, RecursionError):
                continue
            texts = [str(each, "utf-8") for each in records]
            if any(len(each) > _LONGEST_NUMBER and _TOO_LONG.search(each) for each in texts):
                return []
            self._at, self._enough, self._place = end, 0, _Place.AFTER
            return texts
        return []

    def _go_to_element(self) -> bool:
        """Take what stands before the next element; False when more text is needed or the array is complete."""
        while True:
            self._at = self._skip_space()
            if self._at == len(self._text):
                return False
            if self._place in (_Place.FIRST, _Place.ELEMENT) and not self._closes():
                return True
            self._step(self._text[self._at])
            self._at += 1

    def _guesses(self) -> Iterator[int]:
        """Where a record may end that stands as near to the end of the text at hand as can be."""
        text, first = self._text, _FIRST_NAME.match(self._text, self._at)
        limit = min(len(text), self._at + _TOGETHER)
        if first is None:
            return
        # Here the array may end.
        if limit == len(text) and text.endswith("}]"):
            yield limit - 1
        parting = "}," + first.group()
        for _ in range(_GUESSES):
            limit = text.rfind(parting, self._at, limit)
            if limit < 0:
                return
            yield limit + 1

    def _skip_space(self) -> int:
        found = _SPACE.match(self._text, self._at)
        return found.end() if found else self._at

    def _closes(self) -> bool:
        return self._place is _Place.FIRST and self._text[self._at] == "]"

    def _step(self, character: str) -> None:
        """Take one character of the array's own punctuation."""
        match self._place, character:
            case _Place.START, "[":
                self._place = _Place.FIRST
            case ((_Place.FIRST | _Place.AFTER), "]"):
                self._place = _Place.END
            case _Place.AFTER, ",":
                self._place = _Place.ELEMENT
            case _:
                raise BrokenReply(api_words.NO_LIST)

    def _element(self) -> tuple[object, str] | None:
        there = len(self._text) - self._at
        if there < self._enough and not self._last:
            return None
        try:
            value, end = _DECODER.raw_decode(self._text, self._at)
        except json.JSONDecodeError as error:
            unfinished = error.msg.startswith("Unterminated string") or self._is_near_the_end(error.pos)
        except (ValueError, RecursionError):  # a number of thousands of digits, thousands of brackets
            unfinished = False
        else:
            # A number may go on in the next piece ("1" of "1.5e3"); a record, a list and a text say where they end.
            if isinstance(value, dict | list | str) or (self._text[end : end + 1] or "more") in _AFTER_A_NUMBER:
                raw = self._text[self._at : end]
                self._at, self._enough, self._place = end, 0, _Place.AFTER
                return with_whole_characters(value, raw), raw
            unfinished = self._is_near_the_end(end)
        self._wait_for_more(there, unfinished=unfinished)
        return None

    def _is_near_the_end(self, position: int) -> bool:
        return position >= len(self._text) - _NEAR_THE_END

    def _wait_for_more(self, there: int, *, unfinished: bool) -> None:
        if not unfinished:
            raise BrokenReply(api_words.RECORD_NOT_JSON)
        if there > self._largest:
            raise BrokenReply(api_words.RECORD_TOO_LARGE)
        self._enough = 2 * there
