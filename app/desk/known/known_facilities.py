"""The facilities that this desk knows, and the doubt about a code that is none of them.

An order may go to a facility that is new: the provider decides. So this is a doubt and never an issue, and a desk that
knows no facility has none. Codes that differ in capitals alone count as one, as they do in the provider's list.

A desk may know tens of thousands of them. Reading all, and comparing a code with all, is never done on the window's
thread.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from app.desk.desk import Desk
from app.desk.known import known_words
from app.store.cache import known_values
from app.store.cache.known_values import Body
from app.store.sqlite.kept_reading import KeptReading
from app.store.sqlite.search_text import plain

_WORD = re.compile(r"[^\W_]+")
_FEWEST_OF_BEGINNING = 2  # letters; a single one begins too many codes
_FEWEST_OF_SLIP = 3  # letters of a code in which one of them may be wrong
_MOST_NAMED = 3  # codes that a sentence names
_MOST_KEPT = 1_000  # answers; a file has the same few codes in all its orders


@dataclass(frozen=True, slots=True)
class FacilityDoubt:
    """A sentence about a code, and whether known codes are near it. `proposal` is the only one; empty for several."""

    sentence: str
    is_near: bool = False
    proposal: str = ""


class _Facility(NamedTuple):
    """What a typed code is compared with; all but `code` in the normal form of texts that are searched."""

    code: str
    letters: str  # of the code, without what stands between them
    name: str
    city: str


class KnownFacilities:
    """The facilities that were known at one moment. Each of `bodies` has a code, and a name and a city if known."""

    def __init__(self, bodies: Iterable[Body] = ()) -> None:
        self._by_code = {plain(each["code"].strip()): _facility(each) for each in bodies}
        self._kept: dict[str, FacilityDoubt | None] = {}

    def same_as(self, other: "KnownFacilities") -> bool:
        """Whether both know the same, and so have the same doubts."""
        return self._by_code == other._by_code

    def doubt(self, code: str) -> FacilityDoubt | None:
        """The doubt about a code; None for a known or empty one, and where no facility is known at all."""
        text = code.strip()
        typed = plain(text)
        if not typed or not self._by_code or typed in self._by_code:
            return None
        if text not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            near = self._near(typed)
            said = known_words.unknown_facility(text, near if len(near) <= _MOST_NAMED else ())
            self._kept[text] = FacilityDoubt(said, bool(near), near[0] if len(near) == 1 else "")
        return self._kept[text]

    def _near(self, typed: str) -> list[str]:
        """The known codes that `typed` may mean: the codes of the first likeness that any known code has."""
        words = _WORD.findall(typed)
        same = "".join(words)
        found: tuple[list[str], ...] = ([], [], [])
        for key, known in self._by_code.items():
            if key in words or known.letters == same:  # MEM-01, or MEM01 in "MEM01 Memphis"
                found[0].append(known.code)
            elif typed in (known.name, known.city):
                found[1].append(known.code)
            elif (len(typed) >= _FEWEST_OF_SLIP and is_slip(typed, key)) or (
                len(typed) >= _FEWEST_OF_BEGINNING and key.startswith(typed)
            ):
                found[2].append(known.code)
        return next(filter(None, found), [])


class KeptFacilities:
    """The facilities of one desk, read anew only after its cache was written to."""

    def __init__(self, desk: Desk) -> None:
        self._reader = desk.reader
        self._kept = KeptReading(lambda c: _all_of(known_values.facilities(c, desk.profile.id)))

    async def doubt(self, code: str) -> FacilityDoubt | None:
        """Return the doubt about a code, by the facilities known at this moment. Raises `StoreError`."""
        return await self._reader.read(self._kept.ask, lambda known: known.doubt(code))


def _facility(body: Body) -> _Facility:
    letters = "".join(_WORD.findall(plain(body["code"])))
    return _Facility(body["code"], letters, plain(body.get("name") or ""), plain(body.get("city") or ""))


def is_slip(typed: str, meant: str) -> bool:
    """Whether two texts differ by one letter that is missing, too many or wrong, or by two neighbours exchanged.

    A wrong figure is none: facilities are numbered, so MEM02 is another one than MEM01.
    """
    start = 0
    while start < min(len(typed), len(meant)) and typed[start] == meant[start]:
        start += 1
    end = 0
    while end < min(len(typed), len(meant)) - start and typed[-1 - end] == meant[-1 - end]:
        end += 1
    one, other = typed[start : len(typed) - end], meant[start : len(meant) - end]
    if len(one) == len(other) == 1:
        return not (one.isdecimal() and other.isdecimal())
    return len(one) + len(other) == 1 or (len(one) == 2 and one == other[::-1])


async def known_facilities(desk: Desk) -> KnownFacilities:
    """The facilities that this desk knows; none while it has very many orders to learn from. Raises `StoreError`."""
    return await desk.reader.read(lambda c: _all_of(known_values.facilities(c, desk.profile.id)))


def _all_of(bodies: list[Body] | None) -> KnownFacilities:
    return KnownFacilities(bodies or ())
