"""The words of looking up facilities and other reference data."""

from collections.abc import Sequence

from app.translation import translate

TOO_LONG = translate("The ZIP or the bill-to is too long to look up facilities.")
NOT_AN_OBJECT = translate("This is no JSON object. Leave it empty unless the provider asks for one.")

FACILITIES = translate("Facilities")
FACILITIES_EXPLAINED = translate("All facilities, or those that serve a ZIP or a bill-to.")
OPEN_FACILITIES = translate("Open by facility")
OPEN_FACILITIES_EXPLAINED = translate("Facilities with open orders of partner C. Enter lists the orders of one.")
OPEN_ORDERS = translate("Open orders")
OPEN_ORDERS_EXPLAINED = translate("Open orders of partner C, all or at one facility.")
CROSS_REFERENCES = translate("Cross references")
CROSS_REFERENCES_EXPLAINED = translate("The provider's codes: what each key of a group stands for.")
STOCK_ITEMS = translate("Stock items")
STOCK_ITEMS_EXPLAINED = translate("How models are set up at the provider.")

ZIP, BILL_TO, FACILITY = translate("ZIP"), translate("Bill-to"), translate("Facility")
GROUP, KEY = translate("Group"), translate("Key")
MANUFACTURER, MODEL = translate("Manufacturer"), translate("Model")
CUSTOMER_MODEL, SKU = translate("Customer's model"), translate("SKU")
REQUEST = translate("Request")
REQUEST_HINT = translate("a JSON object, or empty")


def criteria(zip_code: str, bill_to: str) -> str:
    """The values by which facilities are looked up, as part of a sentence; empty if there are none."""
    if zip_code and bill_to:
        return translate("ZIP {zip} and bill-to {bill_to}", zip=zip_code, bill_to=bill_to)
    if zip_code:
        return translate("ZIP {zip}", zip=zip_code)
    return translate("bill-to {bill_to}", bill_to=bill_to) if bill_to else ""


def value_too_long(most: int, length: int) -> str:
    """A value is longer than any that can be asked by."""
    return translate("At most {most} characters can be asked by; these are {length}.", most=most, length=length)


# Codes of facilities


def unknown_facility(code: str, near: Sequence[str]) -> str:
    """A facility that this desk does not know; `near` are known codes that may have been meant."""
    if not near:
        return translate("{code} is not known here.", code=code)
    if len(near) == 1:
        return translate("{code} is not known here. Did you mean {near}?", code=code, near=near[0])
    return translate(
        "{code} is not known here. Did you mean {first} or {last}?",
        code=code,
        first=", ".join(near[:-1]),
        last=near[-1],
    )
