"""Of how many orders a filter by documents cannot tell: those whose documents nobody has asked for yet."""

import json
from datetime import datetime

import pytest

from app.api.information_service import Include
from app.desk.desk import Desk
from app.desk.orders import stored_orders
from app.desk.sync.order_facts import listed_facts
from app.store.cache import order_store
from app.store.cache.order_rows import OrderFacts, OrderQuery
from app.store.cache.schema.conditions import Clause

pytestmark = pytest.mark.asyncio
LIST, DOCUMENTS = Include(), Include(documents=True)


def told(number: int, asked: Include, *folders: str, state: str = "STD") -> OrderFacts:
    record: dict[str, object] = {"OrderNumber": number, "StatusId": state}
    if folders:
        record["ProofOfDelivery"] = [{"Folder": each} for each in folders]
    facts = listed_facts(record, json.dumps(record), asked)
    assert facts is not None
    return facts


async def test_only_orders_that_nobody_asked_about_are_unknown(offline_desk: Desk) -> None:
    desk = offline_desk
    known = [told(1, DOCUMENTS, "POD"), told(2, DOCUMENTS, "BOL", "DAM"), told(3, DOCUMENTS)]
    others = [told(4, LIST), told(5, LIST, state="DSO"), told(6, LIST, state="DSO")]
    await desk.cache.write(order_store.store_orders, desk.profile.id, "open", [*known, *others], datetime.now())

    async def unknown(*clauses: Clause) -> int:
        return await stored_orders.documents_unknown(desk, OrderQuery(desk.profile.id, "open", clauses=clauses))

    assert await unknown() == 0
    assert await unknown(Clause("state", ("DSO",))) == 0, "the filter asks for no documents"
    for negated in (False, True):
        assert await unknown(Clause("has", ("POD",), negated=negated)) == 3
    assert await unknown(Clause("has", ("POD",)), Clause("state", ("DSO",))) == 2
    await desk.cache.write(order_store.store_orders, desk.profile.id, "open", [told(5, DOCUMENTS)], datetime.now())
    assert await unknown(Clause("has", ("any",), negated=True)) == 2
