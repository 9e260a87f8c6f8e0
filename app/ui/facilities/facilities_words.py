"""The sentences of the facilities page."""

from app.translation import translate, translate_plural
from app.ui.widgets.widget_words import beside

ASK = translate("Look up")
EXPORT = translate("Export…")
ASKED_BEFORE = translate("Looked up before")
NOTHING_BEFORE = translate("Nothing was looked up here yet.")
EVERYTHING = translate("everything")
TRY_AGAIN = translate("Try again")
NOT_ASKED = translate("Not looked up yet")
ASKING = translate("Asking the provider…")
NOT_ANSWERED = translate("There is no answer yet")
NOTHING_FOUND = translate("The provider named none")
OPEN_ORDER = translate("Open order")
ITS_OPEN_ORDERS = translate("Its open orders of partner C")
NO_ORDER_IN_ROW = translate("This row names no order.")
NO_FACILITY_IN_ROW = translate("This row names no facility.")


def title(lookup: str, asked: str) -> str:
    """The heading above an answer: what was looked up, by what."""
    return translate("{lookup}: {asked}", lookup=lookup, asked=asked) if asked else lookup


def asked_by(name: str, value: str) -> str:
    """One of the values that were asked by."""
    return translate("{name} {value}", name=name, value=value)


def noted(asked: str, count: int) -> str:
    """An earlier question in the list: what it was asked by, and how many records came."""
    return translate_plural("{asked} · {count:,}", "{asked} · {count:,}", count, asked=asked)


def as_of(age: str, rows: int) -> str:
    """When the provider was asked, and how many records came."""
    return translate_plural("{count:,} record, as of {age}", "{count:,} records, as of {age}", rows, age=age)


def asked_at(age: str) -> str:
    """Below an empty answer."""
    return translate("The provider was asked {age}. Ask with other values, or again.", age=age)


def shown_as_of(age: str, trouble: str) -> str:
    """The provider could not be asked; what is shown is older. `trouble` is a sentence."""
    return translate("{trouble} What is shown is as of {age}.", trouble=trouble, age=age)


def not_known_here(order: str) -> str:
    """An order that a record names by a reference which no list has shown."""
    return translate("{order} is not among the orders fetched so far.", order=order)


def status(heading: str, records: int, age: str, *, asking: bool) -> str:
    """The status bar; `age` is empty while there is no answer."""
    if not age:
        return beside(heading, ASKING if asking else NOT_ANSWERED)
    return beside(heading, as_of(age, records), ASKING if asking else "")
