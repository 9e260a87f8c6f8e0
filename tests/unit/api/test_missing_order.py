"""Which words of a refusal say that there is no such order."""

import pytest

from app.api.missing_order import says_no_such_order
from app.contract.replies import Problem


@pytest.mark.parametrize(
    "said",
    [
        "Order not found",
        "Order not found.",
        "No such order",
        "There is no order with this reference or system number.",
        "The order could not be located",
        "The requested order does not exist.",
        "Order doesn’t exist.",
        "Order R-1 was not found.",
        "Order with reference number 'R-1' could not be found.",
        "Order number r-1 not found",
        "OrderReferenceNumber is valid. No open order was found for R-1.",
        "No matching orders found",
        "No order exists with the given reference.",
        "Error: unknown order R-1",
        "Could not find the order.",
        "Order not found: R-1",
    ],
)
def test_words_about_the_order_count(said: str) -> None:
    assert says_no_such_order(Problem("Bad Request", said), "R-1")
    assert says_no_such_order(Problem(said, "The request was refused."), "R-1")


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Not found",
        "No orderReferenceNumber or systemNumber was given.",
        "No order reference was given.",
        "No order number found in the query.",
        "The client account was not found.",
        "The parameter systemNumber does not exist.",
        "BillToCode could not be found.",
        "The bill-to of the order was not found.",
        "Order facility was not found.",
        "Order type 7 does not exist.",
        "Purchase order not found.",
        "Unknown order type.",
        "orderReferenceNumber not found",
        "The order was refused because its bill-to could not be found.",
        "No order can be looked up now.",
    ],
)
def test_words_about_anything_else_do_not(said: str) -> None:
    assert not says_no_such_order(Problem("Bad Request", said), "R-1")
    assert not says_no_such_order(Problem(said), "R-1")


def test_a_reference_is_compared_as_it_is_and_not_as_words() -> None:
    assert says_no_such_order(Problem(detail="Order a.b (x) was not found."), "a.b (x)")
    assert not says_no_such_order(Problem(detail="Order a-b was not found."), "a.b")
