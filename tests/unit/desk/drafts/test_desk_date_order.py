"""Dates of an order in a sequence that cannot be meant."""

from datetime import date

import pytest

from app.desk.drafts.date_order import STEPS, date_doubts

TODAY = date(2026, 11, 23)


@pytest.mark.parametrize(
    ("ship", "receive", "deliver", "found"),
    [
        ("2026-12-01", "2026-12-02", "2026-12-03", {}),
        ("2026-12-01", "2026-12-01", "2026-12-01", {}),
        ("", "2026-12-02", "", {}),
        ("next week", "2026-12-02", "2026-12-03", {}),
        ("2026-12-01", "2026-13-99", "2026-12-03", {}),
        (
            "2026-12-05",
            "2026-12-04",
            "2026-12-06",
            {"estimatedReceiveDate": "Before the order ships on Sat 5 Dec."},
        ),
        (
            "",
            "2026-12-04",
            "2026-12-03",
            {"requestedDeliveryDate": "Before the facility receives the order on Fri 4 Dec."},
        ),
        (
            "2027-12-04",
            " ",
            "2026-12-03",
            {"requestedDeliveryDate": "Before the order ships on 4 Dec 2027."},
        ),
    ],
)
def test_a_later_step_before_an_earlier_one_is_said_at_its_date(
    ship: str, receive: str, deliver: str, found: dict[str, str]
) -> None:
    assert date_doubts(dict(zip(STEPS, (ship, receive, deliver), strict=True)), TODAY) == found
