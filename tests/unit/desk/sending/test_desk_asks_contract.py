"""Whatever the program asks by itself is an operation of the contract, with parameters of the contract.

Recorded are all requests of the connection test, of look-ups, of the lists and of sending and settling; compared they
are with the listing that was typed by hand from services.md.
"""

import re
from collections.abc import Iterable
from datetime import datetime

import pytest

from app.api.provider import Addresses, Credentials
from app.contract.codes import ALL_SCOPES, SCOPE_INFO_AUDITS, SCOPE_INFO_ORDERS, SCOPE_ORDERS
from app.desk.audits import audit_sync
from app.desk.connections.connection import CapabilityCard, examine
from app.desk.desk import Desk
from app.desk.known import facility_lookup
from app.desk.sending import evidence, order_status, outbox, settling, verdict
from app.desk.sync import fetch_window, order_sync
from app.desk.sync.departed_orders import look_for_departed
from app.desk.sync.window_plan import LISTED, all_jobs
from tests.support.contract_samples import sample
from tests.support.desks import submission
from tests.support.fault_server import INFORMATION, MANAGEMENT, TOKEN, Answer, FaultServer, Seen, start_fault_server
from tests.support.faults import act_then_drop, answered, json_answer
from tests.support.listed_orders import OPEN, WITH_DOCUMENTS, Record, in_window, record

pytestmark = pytest.mark.asyncio
LISTING = sample("operations.json")
AT = datetime(2026, 11, 20, 14, 2, 10)


def _operations() -> dict[tuple[str, re.Pattern[str]], set[str]]:
    """The parameters of every operation, by its method and whole path."""
    places = [(MANAGEMENT, row[0], row[1], row[4]) for row in LISTING["management"]]
    places += [(INFORMATION, row[0], row[1], row[3]) for row in LISTING["information"]]
    made = {}
    for prefix, method, path, query in places:
        pattern = re.sub(r"\\{\w+\\}", "[^/]+", re.escape(prefix + path))
        made[method, re.compile(pattern)] = set(query)
    return {**made, ("POST", re.compile(TOKEN)): set()}


OPERATIONS = _operations()


def outside(asked: Iterable[Seen]) -> list[str]:
    """What of this is not in the contract."""
    found = []
    for each in asked:
        fits = [
            query for (method, path), query in OPERATIONS.items() if method == each.method and path.fullmatch(each.path)
        ]
        if not fits or not any(each.query.keys() <= query for query in fits):
            found.append(f"{each.method} {each.target}")
    return found


def serve_all(server: FaultServer) -> None:
    for path in ("/Order/test", "/Quote/test"):
        server.serve(f"{MANAGEMENT}{path}", Answer())
    server.serve(f"{MANAGEMENT}/Integration/crossReference", json_answer([]))
    server.serve(f"{MANAGEMENT}/Facilities", json_answer([{"facilityCode": "MEM001", "name": "Memphis"}]))
    server.serve(f"{INFORMATION}/audit", json_answer([]))


async def card_of(server: FaultServer, secret: str = "") -> CapabilityCard:
    credentials = Credentials(server.tokens.client_id, secret or server.tokens.client_secret)
    return await examine(Addresses(**server.addresses), credentials, lambda: AT)


@pytest.mark.parametrize(
    "granted",
    [ALL_SCOPES, (SCOPE_INFO_ORDERS,), (SCOPE_INFO_AUDITS,), (SCOPE_ORDERS,), ()],
    ids=["all", "orders to read", "audits", "orders to write", "nothing"],
)
async def test_the_connection_test(fault_server: FaultServer, granted: tuple[str, ...]) -> None:
    serve_all(fault_server)
    fault_server.tokens.grants = granted
    card = await card_of(fault_server)
    assert outside(fault_server.seen()) == []
    assert bool(card.wrong) == (not granted)


async def test_the_connection_test_of_a_client_that_is_not_known(fault_server: FaultServer) -> None:
    card = await card_of(fault_server, "wrong")
    assert set(card.wrong) == {"client_secret"}
    asked = {each.path for each in fault_server.seen()}
    assert {MANAGEMENT + "/Order/test", INFORMATION + OPEN} <= asked, "each address is tried all the same"
    assert all("authorization" not in each.headers for each in fault_server.seen())
    assert outside(fault_server.seen()) == []


@pytest.mark.parametrize("status", [200, 401, 403, 404, 429, 500, 503])
async def test_whatever_a_service_without_a_permission_says_it_is_there(fault_server: FaultServer, status: int) -> None:
    serve_all(fault_server)
    fault_server.tokens.grants = (SCOPE_INFO_ORDERS, SCOPE_INFO_AUDITS)
    fault_server.plan(answered(Answer(status)), "/Order/test", times=None)
    card = await card_of(fault_server)
    assert card.works
    assert [each.allowed for each in card.abilities if each.scope == SCOPE_ORDERS] == [False]
    assert fault_server.seen("/Order/test")


async def test_a_service_without_a_permission_at_which_nobody_answers_is_not_there(fault_server: FaultServer) -> None:
    serve_all(fault_server)
    fault_server.tokens.grants = (SCOPE_INFO_ORDERS, SCOPE_INFO_AUDITS)
    with start_fault_server() as gone:
        nowhere = gone.origin
    places = Addresses(**fault_server.addresses | {"base_url": nowhere})
    card = await examine(places, Credentials("desk-client", "desk-secret"), lambda: AT)
    assert set(card.wrong) == {"base_url"}
    assert "could not be reached" in card.wrong["base_url"]


async def test_lists_look_ups_sending_and_settling(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    """Also where an answer is lost, so that evidence is looked for in every way there is."""
    desk = desk_today
    serve_all(fault_server)
    fault_server.serve(f"{INFORMATION}/audit", json_answer([{"auditId": 5, "auditDate": 1763640000000}]))
    fault_server.serve(f"{INFORMATION}/audit/5", json_answer([{"auditId": 5, "detailName": "Q1"}]))
    world += [record(1, 0), record(2, 0)]
    await order_sync.fetch(desk, all_jobs(LISTED, desk.now(), 30), parts=dict.fromkeys(LISTED, WITH_DOCUMENTS))
    fault_server.serve(INFORMATION + OPEN, in_window([]))
    await order_sync.refresh(desk, "open", 30)
    assert (await look_for_departed(desk)).asked == 2
    await fetch_window.refresh_order(desk, 1)
    await order_status.look_up(desk, "R-1")
    await order_status.look_up_number(desk, 1)
    await facility_lookup.look_up(desk, "38103", "ACME")
    await verdict.verdict(desk, "R-1")
    await audit_sync.refresh(desk, 30)
    await audit_sync.refresh_audit(desk, 5)
    fault_server.plan(act_then_drop(), "/Order/submit")
    await outbox.queue_submission(desk, submission("R-7"), None)
    await outbox.drain(desk)
    await evidence.gather(desk, "R-7")
    await settling.settle(desk)
    await outbox.queue_cancellation(desk, "R-7")
    await outbox.drain(desk)
    await settling.settle(desk)
    asked = fault_server.seen()
    assert outside(asked) == []
    told = {(each.method, each.path) for each in asked}
    assert {("POST", f"{MANAGEMENT}/Order/submit"), ("GET", f"{MANAGEMENT}/Order/status")} <= told
    assert {("GET", f"{INFORMATION}/orders/1"), ("GET", f"{INFORMATION}/audit/5")} <= told
    assert len(told) > 9


async def test_what_is_not_in_the_contract_is_found() -> None:
    """The comparison itself: the root, another method, a parameter nobody announced."""

    def seen(method: str, target: str) -> Seen:
        return Seen(method, target, {}, b"", 0.0, 1)

    strange = [seen("GET", MANAGEMENT), seen("POST", f"{MANAGEMENT}/Order/status"), seen("GET", "/favicon.ico")]
    strange += [seen("GET", f"{MANAGEMENT}/Order/status?Reference=R-1"), seen("GET", f"{INFORMATION}/orders/1/more")]
    assert len(outside(strange)) == len(strange)
    assert outside([seen("GET", f"{MANAGEMENT}/Order/status?OrderReferenceNumber=R-1")]) == []
