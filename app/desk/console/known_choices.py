"""Known values that a field of a form offers, by what its name says: facilities, commodities, loads,
references, ZIPs.

They are this desk's own (`desk/known`, its orders), so offering them needs no network.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from app.desk.desk import Desk
from app.desk.known import known_data
from app.desk.orders import stored_orders
from app.store.cache.known_values import Kind

_LETTERS = re.compile(r"[^a-z0-9]")


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that is offered, and what a person knows it by."""

    value: str
    description: str = ""


Finder = Callable[[Desk, str, int], Awaitable[list[Choice]]]


def has_choices(name: str) -> bool:
    """Whether anything can be offered for a field of this name."""
    return _finder(name) is not None


async def choices(desk: Desk, name: str, typed: str, most: int = 8) -> list[Choice]:
    """The known values that match what is typed into the field of this name, best first. Raises `StoreError`."""
    finder = _finder(name)
    return [] if finder is None else await finder(desk, typed, most)


def _finder(name: str) -> Finder | None:
    plain = _LETTERS.sub("", name.lower())
    return next((finder for pattern, finder in _FINDERS if re.fullmatch(pattern, plain)), None)


def _known(kind: Kind, value: str, *described: str) -> Finder:
    async def find(desk: Desk, typed: str, most: int) -> list[Choice]:
        found = await known_data.find(desk, kind, typed, most)
        made = [
            Choice(each.body.get(value, ""), ", ".join(text for part in described if (text := each.body.get(part, ""))))
            for each in found.rows
        ]
        return [each for each in dict.fromkeys(made) if each.value]

    return find


async def _references(desk: Desk, typed: str, most: int) -> list[Choice]:
    found = await stored_orders.find_latest(desk, typed, most) if typed.strip() else []
    return [Choice(each.crn, each.consignee_name or "") for each in found if each.crn]


async def _numbers(desk: Desk, typed: str, most: int) -> list[Choice]:
    found = await stored_orders.find_latest(desk, typed, most) if typed.strip() else []
    return [Choice(str(each.number), each.crn or "") for each in found]


# By the name of a field in small letters and figures alone.
_FINDERS: tuple[tuple[str, Finder], ...] = (
    (r".*(zip|zipcode|postalcode)", _known("place", "zip", "city", "state")),
    (r".*facility(code|id|number)?", _known("facility", "code", "name", "city")),
    (r".*(billto|billtocode|billtofilter)", _known("bill_to", "code")),
    (r".*manufacturer(code|codefilter)?", _known("manufacturer", "code", "name")),
    (r".*load(number|id)?", _known("load", "code")),
    (r".*commodity(code)?", _known("commodity", "code", "description")),
    (r".*(ordernumber|systemnumber)", _numbers),
    (r"(.*orderreference(number)?|customerreference(number)?|referencenumber|crn)", _references),
    (r".*city", _known("place", "city", "state", "zip")),
)
