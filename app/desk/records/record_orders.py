"""Which order a record of any shape speaks of, by its system number or its reference."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_NUMBER_KEYS = {"systemnumber", "ordernumber", "order", "orderid"}
_REFERENCE_KEYS = {
    "orderreferencenumber",
    "orderreference",
    "customerreferencenumber",
    "customerreference",
    "reference",
    "referencenumber",
    "crn",
}
_MOST_DIGITS = 12


@dataclass(frozen=True, slots=True)
class NamedOrder:
    """The names of an order in a record; None and empty for those that it does not give."""

    number: int | None = None
    reference: str = ""

    def __bool__(self) -> bool:
        return self.number is not None or bool(self.reference)


def order_in(record: Mapping[str, object]) -> NamedOrder:
    """The order that a record names. A text that is no number under a name for numbers counts as a reference."""
    number, reference = None, ""
    for key, value in _leaves(record):
        text = str(value).strip()
        if key in _NUMBER_KEYS and number is None and _is_number(text):
            number = int(text)
        elif key in _REFERENCE_KEYS | _NUMBER_KEYS and not reference and text and not _is_number_key(key, text):
            reference = text
    return NamedOrder(number, reference)


def _is_number(text: str) -> bool:
    # Only ASCII: `isdecimal` also knows the digits of other scripts.
    return text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS


def _is_number_key(key: str, text: str) -> bool:
    return key in _NUMBER_KEYS and _is_number(text)


def _leaves(record: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Each text and number of a record and of the objects in it, by its name in plain letters."""
    for name, value in record.items():
        if isinstance(value, Mapping):
            yield from _leaves(value)
        elif isinstance(value, str | int) and not isinstance(value, bool):
            yield re.sub("[^a-z]", "", str(name).lower()), value
