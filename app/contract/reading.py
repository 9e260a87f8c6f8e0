"""Turns one typed string at a time into its value and notes what is wrong with it. The rules: `check`, `rows`.

Spaces around a value are not part of it.
"""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from app.contract.limits import LIMITS
from app.contract.moments import read_date
from app.contract.shape import Issue

# From here on a double has no room for a fraction any more; freight is never so large.
_MOST_DIGITS = 15

REQUIRED = "Required."
_NUMBER = "Not a number. Write it as 12 or 12.5."


@dataclass(slots=True)
class Reading:
    """Reads the fields of one record. `record` is where the record stands, for the limits: `consignee`, or empty.

    `missing` is what to say of an empty value, empty where a value may be left out.
    """

    issues: list[Issue]
    record: str = ""

    def say(self, name: str, sentence: str) -> None:
        """Note what is wrong with a field of the record."""
        self.issues.append(Issue(name, sentence))

    def text(self, name: str, typed: str, *, missing: str = "") -> str | None:
        """The text without the spaces around it, or None if it is empty."""
        value = typed.strip()
        if not value:
            if missing:
                self.say(name, missing)
            return None
        if any("\ud800" <= each <= "\udfff" for each in value):
            self.say(name, "Holds a character that cannot be sent. Type it again.")
        limit = LIMITS.get(f"{self.record}.{name}" if self.record else name)
        if limit is not None and len(value) > limit:
            self.say(name, f"At most {limit} characters; this has {len(value)}.")
        return value

    def number(self, name: str, typed: str, *, above_zero: bool, missing: str = "") -> int | float | None:
        """The number, or None if it is empty or none."""
        value = typed.strip()
        if not value:
            if missing:
                self.say(name, missing)
            return None
        number = _read_number(value)
        if isinstance(number, str):
            self.say(name, number)
            return None
        if above_zero and number <= 0:
            self.say(name, "Must be greater than 0.")
        elif number < 0:
            self.say(name, "Cannot be less than 0.")
        return number

    def date(self, name: str, typed: str) -> str | None:
        """The date as it is sent."""
        value = typed.strip()
        if value and read_date(value) is None:
            self.say(name, "Not a date. Write it as YYYY-MM-DD.")
        return value or None

    def choice(self, name: str, typed: str, choices: list[str]) -> str | None:
        """One of the choices."""
        value = typed.strip()
        if value and value not in choices:
            self.say(name, f"Must be one of {', '.join(choices)}.")
        return value or None


def _read_number(text: str) -> int | float | str:
    """The number, or the sentence that says why it is none."""
    # A grouping comma, another script's digits or an underscore could be read as another number than was meant.
    if not text.isascii() or "_" in text:
        return _NUMBER
    try:
        exact = Decimal(text)
    except InvalidOperation:
        return _NUMBER
    if not exact.is_finite():
        return _NUMBER
    if exact and abs(exact.adjusted()) >= _MOST_DIGITS:
        return "Too large or too small to be sent exactly."
    value = float(exact)
    if Decimal(repr(value)) != exact:  # the digits that would be sent are others than those typed
        return "Has more digits than can be sent exactly."
    return int(value) if value.is_integer() else value
