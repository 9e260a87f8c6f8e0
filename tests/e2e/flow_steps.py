"""The steps of the flows that run on every target: an order by keys, and what has to come of it."""

from typing import Any

from tests.support.hands import QUESTION, Hands

# From the reference on, as Tab goes through the form. The fields between stay empty.
_BEHIND_REFERENCE = (
    "\t" * 7 + "MEM01" + "\t" * 4 + "Josefina Rivera\t1420 Vance Avenue\t\tMemphis\tTN\t38104\t901-555-0142\t\t\t"
)
_FREIGHT = "SOFA\t1\t62.5\t148\t"
# What the provider has to receive, by the contract's names: written by hand, independent of the program.
CONSIGNEE = {
    "consigneeName": "Josefina Rivera",
    "streetAddress": "1420 Vance Avenue",
    "city": "Memphis",
    "state": "TN",
    "zip": "38104",
    "phone1": "901-555-0142",
}
FREIGHT = [{"commodity": "SOFA", "count": 1, "volume": 62.5, "weight": 148}]


def begin_order(hands: Hands, reference: str) -> None:
    """Begin a new order; its reference is kept."""
    hands.keys("ctrl+n")
    hands.rest()
    hands.type(reference)
    hands.wait_for(lambda: hands.draft(reference), f"the draft of {reference} on the disk")


def fill_order(hands: Hands, reference: str) -> None:
    """With the keyboard in the reference, type the rest; it is kept."""
    hands.type(_BEHIND_REFERENCE + _FREIGHT)
    hands.wait_for(lambda: _is_whole(hands.draft(reference)), f"all of {reference} on the disk")
    hands.rest()


def _is_whole(draft: dict[str, Any]) -> bool:
    lines = draft.get("freightDetails") or [{}]
    return bool(draft.get("consignee", {}).get("phone1") == CONSIGNEE["phone1"] and lines[0].get("weight") == "148")


def submit_order(hands: Hands, reference: str) -> None:
    """Submit what stands in the form; the provider takes exactly what was typed."""
    hands.keys("ctrl+Return")
    hands.wait_until_taken(reference)
    sent = hands.sent(reference)
    assert sent["orderReferenceNumber"] == reference
    assert sent["providerFacilityCode"] == "MEM01"
    assert sent["consignee"] == CONSIGNEE
    assert sent["freightDetails"] == FREIGHT


def enter_order(hands: Hands, reference: str) -> None:
    """A new order from nothing, by keys, to the provider."""
    begin_order(hands, reference)
    fill_order(hands, reference)
    submit_order(hands, reference)


def cancel_order(hands: Hands, reference: str) -> None:
    """Find the order among the open ones, once it is out of the provider's import queue, cancel it, and say yes."""
    hands.wait_for(lambda: hands.listed(reference), f"{reference} among the orders")
    hands.keys("ctrl+1", "ctrl+f", "ctrl+a")
    hands.type(reference)
    hands.rest()
    hands.keys("Return")
    hands.rest()
    hands.keys("ctrl+Delete")
    hands.keys("Tab", "Return", title=QUESTION)
    hands.wait_until_taken(reference, "cancel")
