"""The other readings of notes.md: each switch does what its words say, and off it does not."""

import io
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from defusedxml import ElementTree
from PIL import Image

from app.contract.codes import ALL_SCOPES, SCOPE_INFO_ORDERS, SCOPE_ORDERS
from app.practice.switches import SWITCHES
from tests.practice.conftest import Submit, fresh_reference, order
from tests.practice.test_faults import FAULTS
from tests.support.practice_calls import INFORMATION, MANAGEMENT, Caller, Reply
from tests.support.practice_process import PracticeFactory, PracticeProcess

STATUS, CANCEL, SUBMIT = (f"{MANAGEMENT}/Order/{each}" for each in ("status", "cancel", "submit"))
OPEN, COMPLETED = f"{INFORMATION}/orders/open", f"{INFORMATION}/orders/completed"
Record = dict[str, Any]
TRIED: set[str] = set()


def try_switch(*names: str) -> pytest.MarkDecorator:
    """Marks a test as the one of these switches."""
    TRIED.update(names)
    return pytest.mark.parametrize("switch", names)


def turn(caller: Caller, name: str) -> None:
    caller.switch(**{name.replace("-", "_"): True})


def missing(caller: Caller) -> list[Reply]:
    """What an order that is not there gets."""
    body = {"orderReferenceNumber": "unheard of"}
    return [caller.get(STATUS, orderReferenceNumber="unheard of"), caller.post(CANCEL, body)]


def first(caller: Caller, path: str = OPEN, **query: object) -> Record:
    found: Record = caller.get(path, None, **query).json()[0]
    return found


def audit(caller: Caller) -> Record:
    found: Record = caller.get(f"{INFORMATION}/audit").json()[0]
    return found


def detail(caller: Caller) -> list[Record]:
    rows: list[Record] = caller.get(f"{INFORMATION}/audit/{audit(caller)['auditId']}").json()
    return rows


def photo(caller: Caller) -> str:
    return str(next(each["imageUrl"] for each in detail(caller) if "imageUrl" in each))


def paper(caller: Caller) -> str:
    return str(first(caller, COMPLETED, IncludePOD=True)["ProofOfDelivery"][0]["Url"])


@pytest.fixture
def both(owner: Caller, switch: str) -> Callable[[Callable[[Caller], Any]], tuple[Any, Any]]:
    """Asks a question with the switch off, then on."""

    def ask(question: Callable[[Caller], Any]) -> tuple[Any, Any]:
        off = question(owner)
        turn(owner, switch)
        return off, question(owner)

    return ask


Both = Callable[[Callable[[Caller], Any]], tuple[Any, Any]]


@try_switch("scopes-list", "scopes-word", "scopes-absent")
def test_how_granted_scopes_are_said(both: Both, switch: str) -> None:
    off, on = both(lambda caller: caller.ask_token(scope=SCOPE_ORDERS).json())
    assert (off["scope"], "scopes" in off) == (SCOPE_ORDERS, False)
    wanted = {"scopes-list": [SCOPE_ORDERS], "scopes-word": SCOPE_ORDERS, "scopes-absent": None}[switch]
    assert (on.get("scopes"), "scope" in on) == (wanted, False)


@try_switch("scopes-narrowed")
def test_a_scope_too_many_is_left_out(both: Both, own: PracticeProcess, switch: str) -> None:
    limited = Caller(own.facts, "limited_")
    off, on = both(lambda _: limited.ask_token(scope=" ".join(ALL_SCOPES)))
    assert (off.status, on.json()["scope"]) == (400, SCOPE_INFO_ORDERS)
    assert limited.ask_token(scope=SCOPE_ORDERS).json()["error"] == "invalid_scope"


@try_switch("token-error-plain", "token-error-empty")
def test_token_errors(both: Both, switch: str) -> None:
    off, on = both(lambda caller: caller.ask_token(client_secret="wrong"))
    assert (off.status, on.status, off.kind) == (401, 401, "application/json")
    assert on.body == (b"" if switch == "token-error-empty" else b"The client id or the secret is wrong.")


@try_switch("xml-wrapped")
def test_xml_as_another_house_writes_it(both: Both, switch: str) -> None:
    off, on = both(lambda caller: caller.get(OPEN, "application/xml", IncludeNotes=True))
    assert (off.kind, on.kind) == ("application/xml", "application/xml")
    assert b"<Notes><Text>" in off.body
    assert b"<Notes><Note><CreatedDate>" in on.body
    assert b"xmlns:i=" in on.body
    assert on.body.index(b"<BOL>") < on.body.index(b"<OrderNumber>"), "properties stand in the order of their names"
    assert len(ElementTree.fromstring(off.body)) == len(ElementTree.fromstring(on.body)) > 0


@try_switch("problem-json", "problem-xml", "problem-text", "problem-empty")
def test_problem_records(both: Both, switch: str) -> None:
    off, on = both(lambda caller: caller.post(SUBMIT, order(deliveryType="DOCK")))
    assert (off.status, off.kind, on.status) == (400, "application/problem+json", 400)
    if switch == "problem-json":
        assert (on.kind, on.json()) == ("application/json", off.json())
    elif switch == "problem-xml":
        assert on.kind == "application/problem+xml"
        assert ElementTree.fromstring(on.body).findtext("errors/deliveryType")
    elif switch == "problem-text":
        assert (on.kind, b"deliveryType" in on.body, on.body[:1] == b"{") == ("text/plain", True, False)
    else:
        assert on.body == b""


@try_switch("status-bare", "status-nested", "status-empty")
def test_the_shape_of_results(both: Both, switch: str) -> None:
    reference = fresh_reference()

    def ask(caller: Caller) -> list[Reply]:
        submitted = caller.post(SUBMIT, order(orderReferenceNumber=reference))
        found = caller.get(STATUS, orderReferenceNumber=reference)
        return [submitted, found, caller.post(CANCEL, {"orderReferenceNumber": reference})]

    off, on = both(ask)
    states = ["Pending Receipt", "Pending Receipt", "Cancelled"]
    assert [each.json()["status"] for each in off] == states
    assert [each.status for each in on] == [200, 200, 200]
    if switch == "status-bare":
        assert [each.json() for each in on] == states
    elif switch == "status-empty":
        assert [each.body for each in on] == [b"", b"", b""]
    else:
        orders = [each.json()["result"]["orders"][0] for each in on]
        assert [each["orderStatus"] for each in orders] == states
        assert {each["customerOrderNumber"] for each in orders} == {reference}


@try_switch("status-other")
def test_status_may_speak_of_another_order(both: Both, switch: str) -> None:
    off, on = both(lambda caller: caller.get(STATUS, orderReferenceNumber="unheard of"))
    assert (off.status, on.status) == (404, 200)
    assert on.json()["orderReferenceNumber"] != "unheard of"
    assert on.json()["status"] in {"Complete", "Cancelled"}


@try_switch("missing-400", "missing-204", "missing-empty")
def test_what_is_not_found(both: Both, switch: str) -> None:
    off, on = both(missing)
    assert [each.status for each in off] == [404, 404]
    wanted = {"missing-400": 400, "missing-204": 204, "missing-empty": 200}[switch]
    assert [each.status for each in on] == [wanted, wanted]
    assert [each.body == b"" for each in on] == [wanted != 400] * 2


@try_switch("strict-codes")
def test_unknown_codes(both: Both, switch: str) -> None:
    def ask(caller: Caller) -> list[int]:
        freight = [{"commodity": "MOON", "count": 1, "volume": 1}]
        named = order(useConsigneeAddressToDetermineFaclityCode=False, providerFacilityCode="XXX99")
        bodies = [order(), order(freightDetails=freight), named]
        return [caller.post(SUBMIT, body).status for body in bodies]

    assert both(ask) == ([200, 200, 200], [200, 400, 400])


@try_switch("crn-other")
def test_the_crn(both: Both, submit: Submit, switch: str) -> None:
    reference = fresh_reference()
    number = submit(orderReferenceNumber=reference)
    off, on = both(lambda caller: caller.get(f"{INFORMATION}/orders/{number}").json())
    assert (off["CRN"], on["OrderNumber"]) == (reference, number)
    assert on["CRN"] not in {reference, str(number)}


@try_switch("cancelled-listed")
def test_cancelled_orders_in_lists(both: Both, owner: Caller, submit: Submit, switch: str) -> None:
    reference = fresh_reference()
    number = submit(orderReferenceNumber=reference)
    owner.post(CANCEL, {"orderReferenceNumber": reference})

    def ask(caller: Caller) -> list[bool]:
        lists = [caller.get(path).json() for path in (OPEN, COMPLETED)]
        return [number in [each["OrderNumber"] for each in rows] for rows in lists]

    assert both(ask) == ([False, False], [True, True])


@try_switch("dates-zulu", "dates-offset", "dates-fraction")
def test_moments(both: Both, switch: str) -> None:
    off, on = both(lambda caller: first(caller)["DateImported"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", off)
    form = {"dates-zulu": r"Z", "dates-offset": r"[+-]\d\d:\d\d", "dates-fraction": r"\.\d{7}"}[switch]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d" + form, on)
    read = datetime.fromisoformat(on)
    local = read.astimezone().replace(tzinfo=None) if read.tzinfo else read.replace(microsecond=0)
    assert local == datetime.fromisoformat(off)


@try_switch("po-object")
def test_elements_of_po(both: Both, switch: str) -> None:
    off, on = both(lambda caller: first(caller, IncludePOs=True)["PO"])
    assert all(isinstance(each, str) for each in off)
    assert [each["Number"] for each in on] == off


@try_switch("pod-rooted", "pod-bare", "pod-foreign")
def test_addresses_of_documents(both: Both, own: PracticeProcess, switch: str) -> None:
    off, on = both(paper)
    tail = off.removeprefix(own.facts["info_base_url"])
    assert tail.startswith("/download/order/")
    heads = {"pod-rooted": f"/OrderInformationApi{tail}", "pod-bare": tail.rpartition("/")[2]}
    assert on == heads.get(switch, own.facts["foreign_url"] + tail)


@try_switch("image-absolute", "image-bare", "image-foreign")
def test_addresses_of_photos(both: Both, own: PracticeProcess, switch: str) -> None:
    off, on = both(photo)
    tail = off.removeprefix("/OrderInformationApi")
    assert tail.startswith("/download/audit/")
    heads = {"image-absolute": own.facts["info_base_url"] + tail, "image-bare": tail.rpartition("/")[2]}
    assert on == heads.get(switch, own.facts["foreign_url"] + tail)


def test_the_other_host_gives_pictures_without_a_token_and_tells_of_those_it_was_shown(owner: Caller) -> None:
    turn(owner, "image-foreign")
    url = photo(owner)
    seen = owner.facts["control_url"] + "foreign"
    plain = owner.send("GET", url)
    assert (plain.status, plain.kind) == (200, "image/jpeg")
    assert owner.get(seen).json() == {"tokens_seen": []}
    assert owner.get(url).body == plain.body
    assert owner.get(seen).json() == {"tokens_seen": [f"Bearer {owner.bearer}"]}
    assert owner.send("GET", url + "x").status == 404
    assert owner.send("GET", owner.facts["foreign_url"] + "/orders/open").status == 404


def without_nulls(value: object) -> object:
    if isinstance(value, list):
        return [without_nulls(each) for each in value]
    if isinstance(value, dict):
        return {name: without_nulls(each) for name, each in value.items() if each is not None}
    return value


@try_switch("nulls")
def test_null_fields(both: Both, switch: str) -> None:
    off, on = both(first)
    assert None not in off.values()
    assert {name for name, value in on.items() if value is None} >= {"DateActualDelivery", "DeliveredBy", "Notes"}
    assert without_nulls(on) == off


@try_switch("unknown-fields")
def test_unknown_fields(both: Both, switch: str) -> None:
    off, on = both(lambda caller: [first(caller), caller.post(SUBMIT, order()).json()])
    for before, after in zip(off, on, strict=True):
        assert set(after) > set(before)


@try_switch("audit-date-seconds", "audit-date-ymd")
def test_the_date_of_an_audit(both: Both, switch: str) -> None:
    off, on = both(lambda caller: audit(caller)["auditDate"])
    day = datetime.fromtimestamp(off / 1000)
    assert on == (off // 1000 if switch == "audit-date-seconds" else int(f"{day:%Y%m%d}"))


@try_switch("quick-photos")
def test_photos_at_once(owner: Caller, switch: str) -> None:
    names = [each["imageUrl"] for each in detail(owner) if "imageUrl" in each][:2]
    turn(owner, switch)
    found = [owner.get(name) for name in (*names, names[0])]
    assert [(each.status, each.kind) for each in found] == [(200, "image/jpeg")] * 3
    assert found[0].body == found[2].body != found[1].body
    for each in found:
        with Image.open(io.BytesIO(each.body)) as image:
            assert image.size == (4000, 3000)
            assert image.getexif().get_ifd(0x8769)[0x9003]


@try_switch("audit-object")
def test_the_detail_of_an_audit(both: Both, switch: str) -> None:
    off, on = both(detail)
    assert on == off[0]


@try_switch("overage-other")
def test_overage_records(both: Both, switch: str) -> None:
    def ask(caller: Caller) -> list[Record]:
        loads = (caller.get(f"{INFORMATION}/overage/L-{load}").json() for load in range(29_167, 29_180))
        return [item for items in loads for item in items]

    off, on = both(ask)
    assert [each["barcode"] for each in off] == [each["Tag"] for each in on]
    assert not set(off[0]) & set(on[0])


@try_switch("import-queue")
def test_the_import_queue(practice_factory: PracticeFactory, switch: str) -> None:
    caller = Caller(practice_factory("--switch", "import-queue=90").facts)
    reference = fresh_reference()
    caller.post(SUBMIT, order(orderReferenceNumber=reference))
    for seconds, wanted in ((80, "In Import Queue"), (15, "Pending Receipt")):
        caller.advance(seconds)
        assert caller.get(STATUS, orderReferenceNumber=reference).json()["status"] == wanted


@try_switch("arrivals")
def test_arrivals(practice_factory: PracticeFactory, switch: str) -> None:
    for number, least, most in (("0", 0, 0), ("48", 70, 130)):
        caller = Caller(practice_factory("--switch", f"arrivals={number}").facts)
        before = {each["OrderNumber"] for each in caller.get(OPEN).json()}
        caller.advance(2 * 86_400)
        after = {each["OrderNumber"] for each in caller.get(OPEN).json()}
        assert least <= len(after - before) <= most


def test_every_switch_was_tried() -> None:
    assert set(SWITCHES) == TRIED | FAULTS
    assert not TRIED & FAULTS


def test_switches_can_be_set_shown_and_put_back(owner: Caller) -> None:
    owner.switch(nulls=True, latency=1, rate_429="0:3", fault_on="nowhere")
    shown = owner.get(owner.facts["control_url"] + "switches").json()
    wanted = {"nulls": True, "latency": 1.0, "rate-429": "0.0:3.0", "fault-on": "nowhere"}
    assert {name: shown[name] for name in wanted} == wanted
    owner.switch(nulls=None, latency=False, rate_429=None, fault_on=None)
    assert not set(wanted) & set(owner.get(owner.facts["control_url"] + "switches").json())


def test_a_switch_that_is_unknown_or_wrongly_set_is_refused(owner: Caller) -> None:
    url = owner.facts["control_url"] + "switches"
    for body in ({"no-such": True}, {"latency": "much"}, {"nulls": "7"}, {"rate-429": 2}, [1], b"{"):
        reply = owner.post(url, body)
        assert (reply.status, reply.body != b"") == (400, True), body
    assert owner.post(owner.facts["control_url"] + "clock", {"advance": -1}).status == 400
