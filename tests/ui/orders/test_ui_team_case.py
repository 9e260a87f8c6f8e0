"""The case file of an order names who of a team sent, changed and cancelled it."""

from datetime import UTC, datetime

import pytest

from app.contract.information import Order
from app.desk.desk import Desk
from app.desk.report.case_facts import CaseFacts
from app.desk.sending import outbox
from app.desk.sending.payload_differences import Difference
from app.desk.team.others_orders import Conflict, OrderStory
from app.store.team.team_file import OthersWrite
from app.ui.orders.export.case_file_job import _case
from tests.support.desks import submission

AT = datetime(2026, 11, 21, 14, 2, tzinfo=UTC)
ORDER = Order.model_validate({"OrderNumber": 7, "CRN": "R-1"})


@pytest.mark.asyncio
async def test_everybody_who_sent_the_order_is_named(offline_desk: Desk) -> None:
    await outbox.queue_submission(offline_desk, submission("R-1"), None)
    history = await outbox.history(offline_desk, "R-1")
    theirs = OthersWrite(
        "Ben Okafor", "ben", 3, "", "R-1", "submit", "accepted", False, AT, AT, AT, True, None, "", None, AT
    )
    changed = (Difference("consignee.consigneeName", "J. Rivera", "Juan Rivera"),)
    others = OrderStory((theirs,), Conflict(theirs, changed))
    case = _case(7, CaseFacts(ORDER, history, (), (), (), 0, person="Anna Keller", others=others))
    assert [words for _, words in case.sent] == ["Order: Queued, by Anna Keller"]
    told = {each.heading: " ".join(" ".join(line) for line in each.lines) for each in case.parts}
    assert "by Ben Okafor" in told["Sent by the team"]
    assert "Juan Rivera" in told["Two versions of this order"]
    alone = _case(7, CaseFacts(ORDER, history, (), (), (), 0))
    assert [words for _, words in alone.sent] == ["Order: Queued"]
    assert "Sent by the team" not in [each.heading for each in alone.parts]
