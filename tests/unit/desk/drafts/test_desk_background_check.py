"""A small draft is checked at once and a large one beside the window, with one and the same result."""

import asyncio
import threading
from dataclasses import replace

import pytest

from app.contract.check import check_draft
from app.contract.draft import FreightDraft, OrderDraft
from app.contract.submission import OrderSubmission, wire_bytes
from app.desk.drafts import background_check
from tests.support.desks import order_draft


def sized(rows: int) -> OrderDraft:
    return replace(order_draft("R-1"), freightDetails=[FreightDraft("SOFA", "1", "2")] * rows)


@pytest.mark.parametrize(("rows", "apart"), [(1, False), (199, False), (200, True), (1000, True)])
def test_only_a_large_draft_goes_to_a_thread(rows: int, apart: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []

    def watched(draft: OrderDraft) -> object:
        threads.append(threading.current_thread())
        return check_draft(draft)

    monkeypatch.setattr(background_check, "check_draft", watched)
    found = asyncio.run(background_check.checked(sized(rows)))
    assert found == check_draft(sized(rows))
    assert [each is not threading.main_thread() for each in threads] == [apart]


@pytest.mark.parametrize("rows", [1, 300])
def test_the_payload_is_what_would_be_sent_and_none_while_something_is_wrong(rows: int) -> None:
    whole = check_draft(sized(rows))
    assert isinstance(whole, OrderSubmission)
    assert asyncio.run(background_check.payload(sized(rows))) == wire_bytes(whole)
    assert asyncio.run(background_check.payload(replace(sized(rows), orderReferenceNumber=""))) is None
