"""Checks a whole draft, and makes its bytes, without blocking the window.

A draft of an ordinary size is checked at once. One of thousands of rows takes longer than a frame, so a thread does it.
"""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from app.contract.check import check_draft
from app.contract.draft import OrderDraft
from app.contract.order_rules import Issue
from app.contract.submission import OrderSubmission, wire_bytes

T = TypeVar("T")
_MANY_ROWS = 200  # a thread for fewer costs more than the check


async def checked(draft: OrderDraft) -> OrderSubmission | list[Issue]:
    """The outcome of `check_draft`. Nobody may write into the draft until then."""
    return await _apart(draft, check_draft)


async def payload(draft: OrderDraft) -> bytes | None:
    """The bytes that would be sent; None if the draft has issues."""
    return await _apart(draft, _payload)


def _payload(draft: OrderDraft) -> bytes | None:
    found = check_draft(draft)
    return wire_bytes(found) if isinstance(found, OrderSubmission) else None


async def _apart(draft: OrderDraft, work: Callable[[OrderDraft], T]) -> T:
    rows = len(draft.freightDetails) + len(draft.barcoding.barcodeItemDetails) + len(draft.otherReferenceNumbers)
    return work(draft) if rows < _MANY_ROWS else await asyncio.to_thread(work, draft)
