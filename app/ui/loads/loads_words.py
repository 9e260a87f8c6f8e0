"""The sentences of the loads page."""

from app.translation import translate, translate_plural
from app.ui.widgets.widget_words import beside

LOAD = translate("Load")
LOAD_HINT = translate("Type or scan a load, then Enter")
LOADS = translate("Loads")  # those that orders named, and those that were asked about
ASK = translate("Get overage")
EXPORT = translate("Export overage…")
EXPORT_TITLE = translate("Export overage")
SHEET = translate("Overage")
OVERAGE, IN_OVERAGE = translate("Overage"), translate("Search the overage")
ORDERS, IN_ORDERS = translate("Orders on this load"), translate("Search these orders")
OPEN_ORDER = translate("Open order")
TRY_AGAIN = translate("Try again")

CHOOSE = translate("No load chosen")
CHOOSE_SENTENCE = translate("Type or scan a load, or choose one that your orders named.")
ASKING = translate("Asking the provider…")
READING = translate("Reading your orders…")
NOT_ANSWERED = translate("The overage is not known")
NO_LOADS = translate("No order sent from this desk has named a load yet.")
NO_MATCHING_LOAD = translate("No load of your orders begins like this. Enter asks the provider about it.")
NO_ORDERS = translate("No order of this desk")
NO_ORDERS_SENTENCE = translate(
    "No order sent from this desk names this load. Orders entered elsewhere do not show here."
)
NO_ORDER_IN_ROW = translate("This item names no order.")

# Columns of the orders on a load
REFERENCE, CONSIGNEE, SENT = translate("Reference"), translate("Consignee"), translate("Sent")
SCANNED, NUMBER, STATE = translate("Scanned"), translate("Order"), translate("State")
DOCUMENTS = translate("Overage or short")
NOT_SEEN = translate("not listed yet")
UNKNOWN_DOCUMENTS = translate("documents not fetched")
NOTHING_SCANNED = translate("no barcodes")


def title(load: str) -> str:
    """The heading above a load."""
    return translate("Load {load}", load=load)


def as_of(age: str, rows: int) -> str:
    """When the provider was asked, and how many items came."""
    return translate_plural("{count:,} item, as of {age}", "{count:,} items, as of {age}", rows, age=age)


def nothing_over(load: str) -> str:
    """The provider listed no items."""
    return translate("No overage listed on load {load}", load=load)


def asked_at(age: str) -> str:
    """Below `nothing_over`."""
    return translate("The provider was asked {age} and listed no items.", age=age)


def shown_as_of(age: str, trouble: str) -> str:
    """The provider could not be asked; what is shown is older. `trouble` is a sentence."""
    return translate("{trouble} The overage shown is as of {age}.", trouble=trouble, age=age)


def too_long(most: int, length: int) -> str:
    """More was typed than a load may have."""
    return translate("A load has at most {most} characters; these are {length}.", most=most, length=length)


def items(count: int) -> str:
    """In the list of loads: how many items were over when it was asked. An item may have a count of several pieces."""
    return translate_plural("{count:,} item over", "{count:,} items over", count) if count else translate("none over")


def scanned_of(scanned: str, wanted: str, commodity: str) -> str:
    """How many pieces of a commodity were scanned, of how many."""
    return translate("{scanned} of {wanted} {commodity}", scanned=scanned, wanted=wanted, commodity=commodity)


def no_load(order: str) -> str:
    """An order whose load was asked for."""
    return translate("No submission from this desk names a load for {order}.", order=order)


def not_known_here(order: str) -> str:
    """An order that a record names by a reference which no list has shown."""
    return translate("{order} is not among the orders fetched so far.", order=order)


def status(load: str, over: int, age: str, *, asking: bool) -> str:
    """The status bar; `age` is empty while nothing is known of the load's overage."""
    if not age:
        known = ASKING if asking else translate("its overage is not known")
    else:
        known = beside(
            translate_plural("{count:,} item over", "{count:,} items over", over),
            translate("as of {age}", age=age),
            ASKING if asking else "",
        )
    return beside(title(load), known)
