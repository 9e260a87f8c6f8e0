"""The tables that the world is made from, read once from `resources/practice`.

Places are real and match: city, state, ZIP and telephone area code belong together. Companies and people are made up;
telephone numbers are 555-01xx, which belong to nobody.
"""

import json
from bisect import bisect_right
from functools import cache
from typing import Any, NamedTuple

from app.resource_folder import RESOURCES

_TABLES = RESOURCES / "practice"


class Place(NamedTuple):
    """A real city with one of its ZIP codes and its telephone area code."""

    zip: str
    city: str
    state: str
    area: str


class Facility(NamedTuple):
    """A facility of the provider; `serves` are the ranges of three-digit ZIP prefixes that it delivers to."""

    code: str
    name: str
    place: Place
    street: str
    serves: tuple[tuple[int, int], ...]


class Goods(NamedTuple):
    """A commodity: cubic feet and pounds of one piece."""

    code: str
    description: str
    volume: float
    weight: float


class Maker(NamedTuple):
    """A manufacturer and the brand on its products."""

    code: str
    name: str
    brand: str
    street: str
    place: Place


def _json(name: str) -> Any:
    return json.loads((_TABLES / name).read_text("utf-8"))


@cache
def places() -> tuple[Place, ...]:
    """Every place that consignees live in."""
    lines = (_TABLES / "places.txt").read_text("utf-8").splitlines()
    return tuple(Place(*line.split("|")) for line in lines)


@cache
def facilities() -> tuple[Facility, ...]:
    """The provider's facilities."""
    return tuple(
        Facility(code, name, Place(zip_code, city, state, area), street, _ranges(serves))
        for code, name, zip_code, city, state, street, area, serves in _json("facilities.json")
    )


def _ranges(text: str) -> tuple[tuple[int, int], ...]:
    pairs = (part.split("-") for part in text.split())
    return tuple((int(first), int(last)) for first, last in pairs)


@cache
def facility_by_code() -> dict[str, Facility]:
    """Facilities by their code."""
    return {each.code: each for each in facilities()}


@cache
def _starts() -> tuple[list[int], list[Facility]]:
    ranges = sorted((first, each.code) for each in facilities() for first, _ in each.serves)
    return [first for first, _ in ranges], [facility_by_code()[code] for _, code in ranges]


@cache
def facility_for_zip(zip_code: str) -> Facility | None:
    """The facility that delivers to a ZIP code; None for a text that is no ZIP code of the United States."""
    prefix = zip_code.strip()[:3]
    if len(prefix) < 3 or not (prefix.isascii() and prefix.isdigit()):
        return None
    starts, found = _starts()
    return found[bisect_right(starts, int(prefix)) - 1]


@cache
def goods() -> tuple[Goods, ...]:
    """The commodities that the provider handles."""
    return tuple(Goods(*row) for row in _json("commodities.json"))


@cache
def goods_by_code() -> dict[str, Goods]:
    """Commodities by their code."""
    return {each.code: each for each in goods()}


@cache
def makers() -> tuple[Maker, ...]:
    """The manufacturers."""
    return tuple(
        Maker(code, name, brand, street, Place(zip_code, city, state, area))
        for code, name, brand, street, city, state, zip_code, area in companies()["manufacturers"]
    )


@cache
def maker_by_code() -> dict[str, Maker]:
    """Manufacturers by their code."""
    return {each.code: each for each in makers()}


@cache
def companies() -> dict[str, Any]:
    """Manufacturers, carriers, sellers, and each client's bill-to codes and reference prefixes."""
    table: dict[str, Any] = _json("companies.json")
    return table


@cache
def people() -> dict[str, list[str]]:
    """First and last names, streets, units and kinds of business."""
    table: dict[str, list[str]] = _json("people.json")
    return table


@cache
def words() -> dict[str, list[str]]:
    """Sentences that people write into notes and remarks, by occasion."""
    table: dict[str, list[str]] = _json("words.json")
    return table


@cache
def audit_tables() -> dict[str, Any]:
    """Vendors, auditors and the questions of each type of audit with their weights."""
    table: dict[str, Any] = _json("audits.json")
    return table
