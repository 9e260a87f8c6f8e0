"""Dates of an order of which a later step stands before an earlier one, such as a delivery before the receipt.

services.md, "Order submission request", says what each date is and forbids no sequence: these are doubts, not issues.
"""

import re
from collections.abc import Mapping
from datetime import date
from itertools import pairwise

from app.desk.drafts import drafts_words

# The dates in the sequence of what happens to an order.
STEPS = ("shipDate", "estimatedReceiveDate", "requestedDeliveryDate")
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def date_doubts(dates: Mapping[str, str], today: date) -> dict[str, str]:
    """A sentence by the path of each date that lies before the one of an earlier step; `today` is for its words.

    `dates` are texts by the paths of `STEPS`. One that is no day has an issue of its own.
    """
    given = [(path, text) for path in STEPS if _DAY.fullmatch(text := dates[path].strip())]
    if all(before[1] <= after[1] for before, after in pairwise(given)):
        return {}  # days written so compare as texts; most orders end here
    found = {}
    for (earlier, first), (later, second) in pairwise(given):
        if second < first and (day := _day(first)) is not None and _day(second) is not None:
            found[later] = drafts_words.before_step(earlier, day, today)
    return found


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
