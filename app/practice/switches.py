"""The practice service's switches: the other readings of notes.md, settings, and faults, each by its name.

A switch is a name with no value, a number, or a chance from 0 to 1 with seconds behind a colon
(`rate-429=0.2:3`). A switch that is off costs nothing.
"""

import math
from dataclasses import dataclass, field
from typing import Literal

Form = Literal["flag", "number", "chance", "text"]


@dataclass(frozen=True, slots=True)
class Switch:
    """The form of a switch's value, and what the switch does."""

    form: Form
    words: str


SWITCHES: dict[str, Switch] = {
    # settings
    "import-queue": Switch("number", "seconds that a submitted order waits in the import queue (20)"),
    "arrivals": Switch("number", "made-up orders that arrive in a day (30)"),
    "quick-photos": Switch("flag", "audit photos are a few of 12 megapixels, told apart by their camera time alone"),
    # readings: XML
    "xml-wrapped": Switch("flag", "XML with namespaces, sorted properties, `nil`, and an element around each list"),
    # readings: tokens
    "scopes-list": Switch("flag", "token reply: `scopes`, a list"),
    "scopes-word": Switch("flag", "token reply: `scopes`, a string"),
    "scopes-absent": Switch("flag", "token reply: no scopes"),
    "scopes-narrowed": Switch("flag", "a scope that may not be granted is left out instead of refused"),
    "token-error-plain": Switch("flag", "token errors as plain text"),
    "token-error-empty": Switch("flag", "token errors without a body"),
    # readings: problems
    "problem-json": Switch("flag", "problem records as application/json"),
    "problem-xml": Switch("flag", "problem records as application/problem+xml"),
    "problem-text": Switch("flag", "problems as a line of plain text"),
    "problem-empty": Switch("flag", "problems without a body"),
    # readings: order status, results of submit and cancel
    "status-bare": Switch("flag", "status and results as a bare string"),
    "status-nested": Switch("flag", "status and results inside another record, under other names"),
    "status-empty": Switch("flag", "status and results without a body"),
    "status-other": Switch("flag", "no open match: the latest closed order, whatever its reference"),
    "missing-400": Switch("flag", "an order that is not found: 400"),
    "missing-204": Switch("flag", "an order that is not found: 204"),
    "missing-empty": Switch("flag", "an order that is not found: 200 with nothing"),
    "strict-codes": Switch("flag", "facility and commodity codes that the provider does not know: 400"),
    # readings: orders
    "crn-other": Switch("flag", "CRN is a number of the provider's own"),
    "cancelled-listed": Switch("flag", "cancelled orders stand in both lists"),
    "dates-zulu": Switch("flag", "moments in UTC with Z"),
    "dates-offset": Switch("flag", "moments with the zone's offset"),
    "dates-fraction": Switch("flag", "moments with seven-digit fractions"),
    "po-object": Switch("flag", "elements of PO are objects"),
    "pod-rooted": Switch("flag", "document addresses as rooted paths"),
    "pod-bare": Switch("flag", "document addresses as bare file names"),
    "pod-foreign": Switch("flag", "document addresses on another host"),
    "nulls": Switch("flag", "null fields are written"),
    "unknown-fields": Switch("flag", "records carry fields that the contract does not know"),
    # readings: audits and overage
    "audit-date-seconds": Switch("flag", "auditDate in epoch seconds"),
    "audit-date-ymd": Switch("flag", "auditDate as yyyymmdd"),
    "audit-object": Switch("flag", "audit detail as one object: the first question"),
    "image-absolute": Switch("flag", "imageUrl absolute"),
    "image-bare": Switch("flag", "imageUrl a bare file name"),
    "image-foreign": Switch("flag", "imageUrl on another host"),
    "overage-other": Switch("flag", "overage records under other names"),
    # faults
    "latency": Switch("number", "milliseconds before each reply"),
    "rate-429": Switch("chance", "429, with Retry-After where seconds are given"),
    "rate-503": Switch("chance", "503, with Retry-After where seconds are given"),
    "error-500": Switch("chance", "500 without a body, before acting"),
    "reset-before": Switch("chance", "connection reset before acting"),
    "reset-after": Switch("chance", "connection reset after acting, before the reply"),
    "truncate": Switch("chance", "connection closed in the middle of the reply"),
    "malformed": Switch("chance", "a reply that is not what its type says"),
    "slow-body": Switch("number", "bytes a second of the reply's body"),
    "token-expire": Switch("chance", "a valid token expires at a request"),
    "fault-on": Switch("text", "faults only where the path holds this text"),
}


_LARGEST_NUMBER = 1_000_000_000
_LARGEST = {"arrivals": 10_000}  # they are made days ahead, and at once


class BadSwitch(Exception):
    """A switch that is not known, or a value that it does not take; the text is a sentence."""


Value = tuple[float, float | None] | str


@dataclass(slots=True)
class Switches:
    """The switches that are on."""

    values: dict[str, Value] = field(default_factory=dict)

    def on(self, name: str) -> bool:
        """Whether a flag is on."""
        _known(name)
        return name in self.values

    def number(self, name: str, otherwise: float = 0.0) -> float:
        """The number or chance of a switch."""
        _known(name)
        value = self.values.get(name)
        return otherwise if value is None or isinstance(value, str) else value[0]

    def seconds(self, name: str) -> float | None:
        """The seconds behind the colon of a chance."""
        value = self.values.get(name)
        return None if value is None or isinstance(value, str) else value[1]

    def text(self, name: str) -> str:
        """The text of a switch, empty where it is off."""
        value = self.values.get(name)
        return value if isinstance(value, str) else ""

    def set(self, name: str, value: str) -> None:
        """Turns a switch on. Raises BadSwitch."""
        self.values[name] = read_value(name, value)

    def clear(self, name: str) -> None:
        """Turns a switch off."""
        _known(name)
        self.values.pop(name, None)

    def shown(self) -> dict[str, bool | float | str]:
        """The switches that are on, with values that `set` accepts."""
        return {name: _shown(SWITCHES[name].form, value) for name, value in self.values.items()}


def _shown(form: Form, value: Value) -> bool | float | str:
    if isinstance(value, str):
        return value
    if form == "flag":
        return True
    number, seconds = value
    return number if seconds is None else f"{number}:{seconds}"


def _known(name: str) -> Switch:
    found = SWITCHES.get(name)
    if found is None:
        raise BadSwitch(f"There is no switch {name!r}. The switches are: {', '.join(SWITCHES)}.")
    return found


def read_switches(texts: list[str]) -> Switches:
    """Switches from `name` or `name=value`, several in one text behind commas. Raises BadSwitch."""
    switches = Switches()
    for text in texts:
        for part in text.split(","):
            name, _, value = part.strip().partition("=")
            switches.set(name, value)
    return switches


def read_value(name: str, text: str) -> Value:
    """The value of a switch as its form wants it. Raises BadSwitch."""
    form = _known(name).form
    if form == "flag":
        if text not in {"", "1", "true"}:
            raise BadSwitch(f"The switch {name} takes no value.")
        return (1.0, None)
    if form == "text":
        if not text:
            raise BadSwitch(f"The switch {name} takes a text: {name}=TEXT.")
        return text
    head, colon, tail = text.partition(":")
    first = _number(name, head or ("1" if form == "chance" else ""))
    if form == "chance" and first > 1:
        raise BadSwitch(f"The switch {name} takes a chance from 0 to 1.")
    if colon and form != "chance":
        raise BadSwitch(f"The switch {name} takes one number.")
    return (first, _number(name, tail) if colon else None)


def _number(name: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    largest = _LARGEST.get(name, _LARGEST_NUMBER)
    if not 0 <= number <= largest:  # NaN is neither
        raise BadSwitch(f"The switch {name} takes a number from 0 to {largest:,}: {name}=NUMBER.")
    return number
