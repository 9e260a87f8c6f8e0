"""What nobody sends by mistake: bodies too large, too slow, broken off, falsely labelled. And folders that are damaged.

All over sockets of the tests' own. A service that writes anything to standard error fails the test that stops it.
"""

import json
import os
import random
import re
import select
import shutil
import socket
import sqlite3
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from itertools import product
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from tests.practice.conftest import data, order
from tests.practice.test_process import run
from tests.support.practice_calls import INFORMATION, MANAGEMENT, Caller
from tests.support.practice_process import PracticeFactory, PracticeProcess, start_practice

SUBMIT = f"{MANAGEMENT}/Order/submit"
PLACES = ("/identity/connect/token", SUBMIT, "/practice/switches", f"{MANAGEMENT}/ThirdPartyLogistics")
FORM = "application/x-www-form-urlencoded"
SEED = int(os.environ.get("WAYBILL_SEED", "11"))
MEGABYTE = 1024 * 1024
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="reads memory from /proc")


def connected(running: PracticeProcess) -> socket.socket:
    parts = urlsplit(running.facts["base_url"])
    return socket.create_connection((parts.hostname, parts.port), timeout=30)


def head(caller: Caller, path: str, *lines: str, token: bool = True) -> bytes:
    bearer = [f"Authorization: {caller.headers()['Authorization']}"] if token else []
    return "\r\n".join([f"POST {path} HTTP/1.1", "Host: x", *bearer, *lines, "", ""]).encode("latin-1")


def answered(line: socket.socket) -> bytes:
    """What comes until the service closes, has sent all that its answer announced, or is silent after it."""
    found = b""
    with suppress(ConnectionError):
        while not is_whole(found) and select.select([line], [], [], 30 if not found else 0.2)[0]:
            piece = line.recv(65536)
            if not piece:
                break
            found += piece
    return found


def is_whole(reply: bytes) -> bool:
    """Whether this is an answer of the length that it announces."""
    head, end, body = reply.partition(b"\r\n\r\n")
    announced = re.search(rb"\r\ncontent-length: *(\d+)", head, re.IGNORECASE)
    return bool(end) and announced is not None and len(body) >= int(announced[1])


def status_of(reply: bytes) -> int:
    return int(reply.split(b" ", 2)[1]) if reply.startswith(b"HTTP/1.") else 0


def sent(running: PracticeProcess, *pieces: bytes) -> bytes:
    with closing(connected(running)) as line:
        with suppress(ConnectionError):
            for piece in pieces:
                line.sendall(piece)
        return answered(line)


def memory(running: PracticeProcess) -> float:
    """Resident megabytes of the service."""
    status = Path(f"/proc/{running.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def chunks(megabytes: int) -> Iterator[bytes]:
    piece = b"100000\r\n" + b"x" * MEGABYTE + b"\r\n"
    for _ in range(megabytes):
        yield piece
    yield b"0\r\n\r\n"


@on_linux
@pytest.mark.parametrize("token", [False, True])
@pytest.mark.parametrize("path", PLACES)
def test_bodies_that_are_too_large_leave_no_memory_behind(
    practice_factory: PracticeFactory, path: str, token: bool
) -> None:
    running = practice_factory(anew=True)
    caller = Caller(running.facts)
    caller.headers()
    before = memory(running)
    for _ in range(4):
        reply = sent(running, head(caller, path, "Transfer-Encoding: chunked", token=token), *chunks(70))
        assert status_of(reply) in {400, 401, 0}, reply
        reply = sent(running, head(caller, path, f"Content-Length: {200 * MEGABYTE}", token=token), b"x" * MEGABYTE)
        assert status_of(reply) in {400, 401}
    assert memory(running) < before + 40
    assert caller.get(f"{MANAGEMENT}/Order/test").status == 200


def test_a_compressed_body_is_bounded_by_what_comes_out_of_it(own: PracticeProcess, owner: Caller) -> None:
    import gzip

    bomb = gzip.compress(b" " * 200 * MEGABYTE)
    lines = ("Content-Type: application/json", "Content-Encoding: gzip", f"Content-Length: {len(bomb)}")
    assert status_of(sent(own, head(owner, SUBMIT, *lines), bomb)) == 400
    body = gzip.compress(json.dumps(order()).encode())
    lines = (*lines[:2], f"Content-Length: {len(body)}")
    assert status_of(sent(own, head(owner, SUBMIT, *lines), body)) == 200


@pytest.mark.parametrize("abruptly", [False, True])
def test_a_caller_that_leaves_in_the_middle_of_a_body_is_no_fault_of_ours(tmp_path: Path, abruptly: bool) -> None:
    running = start_practice(tmp_path, "--orders", "10")
    caller = Caller(running.facts)
    for path, token in product(PLACES, (True, False)):
        for lines in (("Content-Length: 1000",), ("Transfer-Encoding: chunked",)):
            with closing(connected(running)) as line:
                line.sendall(head(caller, path, "Content-Type: application/json", *lines, token=token) + b"64\r\n{")
                assert caller.get(f"{MANAGEMENT}/Order/test").status == 200  # by now it reads the body
                if abruptly:
                    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert caller.get(f"{MANAGEMENT}/Order/test").status == 200
    running.stop()  # fails where it has written a traceback


@pytest.mark.parametrize("path", PLACES)
@pytest.mark.parametrize(
    "line",
    [
        "Content-Encoding: gzip",
        "Content-Encoding: deflate",
        "Content-Encoding: br",
        "Content-Encoding: zstd",
        "Content-Encoding: \xff\xfe",
        "Content-Type: \xe4\xf6/\xfc",
        "Content-Type: application/json; charset=\xe4",
        "Content-Type: ;;;",
        "Accept: \xff/\xe4;q=nan, */*;q=inf",
        "Authorization: \xe4",
        "Expect: 100-continue",
        "Expect: much",
        "Upgrade: websocket\r\nConnection: Upgrade",
    ],
)
def test_headers_that_are_false_are_refused(own: PracticeProcess, owner: Caller, path: str, line: str) -> None:
    body = b'{"some": "thing"}'
    reply = sent(own, head(owner, path, f"Content-Length: {len(body)}", line), body)
    assert status_of(reply) in {100, 202, 400, 401, 417}, reply


def refused_by_control(owner: Caller, where: str, body: bytes) -> None:
    reply = owner.post(owner.facts["control_url"] + where, body)
    assert reply.status == 400, reply
    assert reply.body.decode("utf-8")


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b'{"latency":' * 20_000,
        b'{"fault-on": "\\ud800"}',
        b'{"\\udfff": 1}',
        b'{"latency": NaN}',
        b'{"latency": 1e999}',
        b'{"import-queue": 1e300}',
        b'{"arrivals": 1e12}',
        b'{"latency": ' + b"9" * 5000 + b"}",
        b"\xff\xfe",
        b"",
        b'{"nulls": true, "no-such": 1}',
    ],
)
def test_control_refuses_what_it_cannot_read(owner: Caller, body: bytes) -> None:
    refused_by_control(owner, "switches", body)
    assert "nulls" not in owner.get(owner.facts["control_url"] + "switches").json(), "all of a change or none of it"


def test_the_clock_ends_before_the_calendar_does(practice_factory: PracticeFactory) -> None:
    caller = Caller(practice_factory("--switch", "arrivals=0").facts)
    for _ in range(5):
        caller.advance(10**9)
    refused_by_control(caller, "clock", b'{"advance": 1e9}')
    assert caller.get(f"{INFORMATION}/orders/open").status == 200


def test_what_is_no_text_in_a_request_line_is_answered(own: PracticeProcess, owner: Caller) -> None:
    bearer = owner.headers()["Authorization"].encode()
    for target in (
        b"/OrderManagementApi/Order/status?OrderReferenceNumber=\xff\xed\xa0\x80",
        b"/OrderManagementApi/Order/status?OrderReferenceNumber=%FF%ED%A0%80%00",
        b"/OrderManagementApi/PartnerC/openorders?ProviderFacilityCode=%ED%A0%80",
        b"/OrderManagementApi/PartnerC/facilities?request=%7B%22facilityCode%22:%22%5Cud800%22%7D",
        b"/OrderInformationApi/overage/\xff%ED%A0%80",
        b"/OrderInformationApi/download/order/%00..%2F\xff",
        b"/practice/orders?reference=\xff%ED%A0%80",
        b"/practice/records?operation=%ED%A0%80",
    ):
        reply = sent(own, b"GET " + target + b" HTTP/1.1\r\nHost: x\r\nAuthorization: " + bearer + b"\r\n\r\n")
        assert status_of(reply) in {200, 400, 404}, (target, reply)


def spoilt(path: Path, change: Callable[[sqlite3.Connection], object]) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        change(connection)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "no file of SQLite's": lambda folder: (folder / "practice.sqlite").write_bytes(b"scrambled" * 1000),
    "cut off": lambda folder: (folder / "practice.sqlite").write_bytes(
        (folder / "practice.sqlite").read_bytes()[:20_000]
    ),
    "overwritten in the middle": lambda folder: (folder / "practice.sqlite").write_bytes(
        (folder / "practice.sqlite").read_bytes()[:8192] + b"\xa5" * 40_000
    ),
    "a seed that is no number": lambda folder: spoilt(
        folder / "practice.sqlite", lambda file: file.execute("UPDATE meta SET value = 'seven' WHERE key = 'seed'")
    ),
    "a clock that is no time": lambda folder: spoilt(
        folder / "practice.sqlite", lambda file: file.execute("UPDATE meta SET value = 'noon' WHERE key = 'clock'")
    ),
    "another table": lambda folder: spoilt(
        folder / "practice.sqlite",
        lambda file: file.executescript("DROP TABLE records; CREATE TABLE records (it TEXT)"),
    ),
    "an order that cannot be read": lambda folder: spoilt(
        folder / "practice.sqlite", lambda file: file.execute("INSERT INTO submissions VALUES (1, '{', '[', '', 0, 1)")
    ),
    "a lock that is no lock": lambda folder: (folder / "in-use.sqlite").write_bytes(b"scrambled" * 1000),
}


@pytest.fixture(scope="module")
def left_behind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a service that has run and ended."""
    folder = tmp_path_factory.mktemp("left") / "practice"
    start_practice(folder, "--orders", "200").stop()
    for left in ("practice.sqlite-wal", "practice.sqlite-shm"):
        (folder / left).unlink(missing_ok=True)
    return folder


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_folder_is_said_in_a_sentence(left_behind: Path, tmp_path: Path, damage: str) -> None:
    folder = shutil.copytree(left_behind, tmp_path / "practice")
    DAMAGE[damage](folder)
    done = run("--data", str(folder))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"The practice data in {folder} cannot be used: "), done.stderr
    assert done.stderr.count("\n") == 1


def test_photos_are_sent_where_none_can_be_kept(practice_factory: PracticeFactory, tmp_path: Path) -> None:
    data = tmp_path / "data"
    running = practice_factory(data=data)
    (data / "pictures").write_bytes(b"a file where the folder of pictures belongs")
    caller = Caller(running.facts)
    audits = caller.get(f"{INFORMATION}/audit").json()
    rows = [row for audit in audits for row in caller.get(f"{INFORMATION}/audit/{audit['auditId']}").json()]
    photo = next(row["imageUrl"] for row in rows if "imageUrl" in row)
    assert caller.get(photo).status == 200


@pytest.mark.parametrize("body", [{}, {"orderReferenceNumber": " "}, {"reason": "none"}])
def test_a_partner_s_cancellation_names_its_order(owner: Caller, body: dict[str, str]) -> None:
    reply = owner.post(f"{MANAGEMENT}/PartnerA/cancel", body)
    assert reply.status == 400
    assert "orderReferenceNumber" in reply.json()["errors"]


def slowest_meanwhile(running: PracticeProcess, work: Callable[[], object]) -> float:
    """The longest that a small request of another caller took while the work was done, in seconds."""
    caller, done, slowest = Caller(running.facts), threading.Event(), [0.0]
    caller.headers()

    def ask() -> None:
        while not done.is_set():
            began = time.monotonic()
            assert caller.get(f"{MANAGEMENT}/Order/test").status == 200
            slowest[0] = max(slowest[0], time.monotonic() - began)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        work()
    finally:
        done.set()
        asking.join()
    return slowest[0]


def heaviest_bodies() -> dict[str, bytes]:
    """The largest bodies of each kind that the service still reads, and one that it does not."""
    least = order()
    row = json.dumps(least["freightDetails"][0])
    whole = json.dumps({**least, "freightDetails": [json.loads(row)] * 20_000})
    return {
        "60 megabytes": json.dumps({**least, "deliveryInstructions": "x" * 60 * MEGABYTE}).encode(),
        "60 megabytes of rows": (b'{"freightDetails": [' + b"{}," * 20 * MEGABYTE + b"{}]}"),
        "one text": json.dumps({**least, "deliveryInstructions": "x" * (4 * MEGABYTE - 2000)}).encode(),
        "empty rows": json.dumps({**least, "freightDetails": [{}] * 45_000}).encode(),
        "rows of another kind": json.dumps({**least, "freightDetails": [1] * 95_000}).encode(),
        "unknown fields": json.dumps({**least, **{f"k{number}": 1 for number in range(95_000)}}).encode(),
        "whole rows": whole.encode(),
    }


def test_a_heavy_body_holds_up_nobody_else(own: PracticeProcess, owner: Caller) -> None:
    for name, body in heaviest_bodies().items():
        statuses: list[int] = []

        def work(body: bytes = body, statuses: list[int] = statuses) -> None:
            statuses.append(owner.post(SUBMIT, body).status)

        slowest = slowest_meanwhile(own, work)
        assert statuses == [200 if name == "whole rows" else 400], name
        assert slowest < 1.5, f"{name}: another request took {slowest:.1f} s"


def test_an_import_of_many_orders_holds_up_nobody_else(own: PracticeProcess, owner: Caller) -> None:
    body = {"orders": [order() for _ in range(3_000)]}
    replies: list[int] = []

    def work() -> None:
        reply = owner.post(f"{MANAGEMENT}/Integration/importOrders", body)
        replies.append(reply.json()["accepted"])

    assert slowest_meanwhile(own, work) < 1.5
    assert replies == [3_000]


def test_a_body_with_more_values_than_any_order_has_is_refused(owner: Caller) -> None:
    reply = owner.post(SUBMIT, b"[" + b"[]," * 200_000 + b"[]]")
    assert (reply.status, "too many values" in reply.body.decode()) == (400, True)
    reply = owner.post(SUBMIT, b"<a>" + b"<b/>" * 300_000 + b"</a>", "text/xml")
    assert (reply.status, "too many values" in reply.body.decode()) == (400, True)


def test_half_a_head_and_half_a_body_are_timed_out(practice_factory: PracticeFactory) -> None:
    running = practice_factory("--patience", "0.5")
    caller = Caller(running.facts)
    token, asked = caller.headers(), list[socket.socket]()
    halves = (
        b"",
        b"POST /identity/connect/token HTTP/1.1\r\nHost:",
        b"GET /practice/switches HTTP/1.1\r\nHost: x\r\n\r\n" + b"GET / HTTP/1.1\r\nHo",
        *(head(caller, path, "Content-Length: 1000") + b"{" for path in PLACES),
        *(head(caller, path, "Transfer-Encoding: chunked") + b"5\r\n{" for path in PLACES),
    )
    with ExitStack() as lines:
        for half in halves:  # all of them wait for their time-out together
            line = lines.enter_context(closing(connected(running)))
            line.sendall(half)
            asked.append(line)
        for line in asked:
            found = b""
            with suppress(ConnectionError):
                while piece := line.recv(65536):  # fails after 30 s where the service does not close
                    found += piece
            assert status_of(found) in {0, 400, 401, 408}
    assert token
    assert caller.get(f"{MANAGEMENT}/Order/test").status == 200


def test_a_head_that_drips_is_timed_out(practice_factory: PracticeFactory) -> None:
    running = practice_factory("--patience", "1")
    with closing(connected(running)) as line:
        line.sendall(b"GET /practice/switches HTTP/1.1\r\nX: ")
        began = time.monotonic()
        try:
            while time.monotonic() - began < 20:
                line.sendall(b"x")
                if select.select([line], [], [], 0.1)[0] and not line.recv(100):
                    break
        except ConnectionError:
            pass
        assert time.monotonic() - began < 20


CONTACT = {"Id", "Name", "Phone", "Email", "Address"}
ADDRESS = {"StreetAddress1", "StreetAddress2", "StreetAddress3", "City", "State", "ZipCode"}


def test_nulls_and_unknown_fields_are_in_every_record(owner: Caller) -> None:
    listed = {f"Include{part}": "true" for part in ("POs", "Commodities", "Notes", "POD")}
    for switch, has in (
        ("nulls", lambda record, fields: fields <= set(record)),
        ("unknown-fields", lambda record, _fields: {"RouteCode", "Dimensions"} <= set(record)),
    ):
        owner.switch(**{switch: True})
        for each in owner.get(f"{INFORMATION}/orders/completed", None, **listed).json():
            for contact in (each["Consignee"], each["Carrier"], each["Facility"]):
                assert has(contact, CONTACT), contact
                if contact.get("Address"):
                    assert has(contact["Address"], ADDRESS)
            for note in each["Notes"]:
                assert has(note, {"Text", "CreatedDate"})
            for line in each["Commodities"]:
                assert has(line, {"CommodityCode", "Description", "Count"})
            for paper in each["ProofOfDelivery"]:
                assert has(paper, {"Filename", "Url", "CreatedDate", "Folder"})
        audits = owner.get(f"{INFORMATION}/audit").json()
        assert audits
        for audit in audits:
            assert has(audit, {"auditId", "auditFacility", "auditType", "auditVendor", "auditScore", "auditDate"})
            for row in owner.get(f"{INFORMATION}/audit/{audit['auditId']}").json():
                assert has(row, {"orderNumber", "imageUrl", "detailValue"})
        owner.switch(**{switch: None})
    plain = owner.get(f"{INFORMATION}/orders/completed").json()
    assert all("RouteCode" not in each["Facility"] and None not in each["Facility"].values() for each in plain)


PIECES = (
    b"GET ", b"POST ", b"PUT ", b"HTTP/1.1", b"HTTP/1.0", b" ", b"\r\n", b"\n", b"\r", b"\x00", b"\xff", b"\xc3(",
    b":", b"%00", b"%ED%A0%80", b"/OrderManagementApi/Order/submit", b"/OrderInformationApi/orders/open?StartDate=",
    b"/practice/clock", b"/identity/connect/token", b"Content-Length: ", b"Transfer-Encoding: chunked",
    b"Content-Encoding: gzip", b"Host: x", b"Content-Type: application/json", b"Content-Type: text/xml",
    b"Connection: keep-alive", b"Expect: 100-continue", b"-1", b"5", b"99999999999999999999", b"0\r\n\r\n",
    b'5\r\n{"a":\r\n', b"{", b"}", b"[", b'"\\ud800"', b"<a>", b"</a>", b"&x;", b"<!DOCTYPE a [<!ENTITY x 'y'>]>",
    b"grant_type=client_credentials&", b"2026-11-21T25:61:00",
    b"9" * 9000, b"a" * 70_000,
)  # fmt: skip


def mutated(chance: random.Random, text: bytes, most: int) -> bytes:
    made = bytearray(text)
    for _ in range(chance.randint(0, most)):
        at, kind = chance.randrange(len(made) + 1), chance.randrange(4)
        piece = chance.choice(PIECES) if chance.random() < 0.6 else chance.randbytes(chance.randint(1, 8))
        if kind == 0:
            made[at:at] = piece
        elif kind == 1:
            made[at : at + len(piece)] = piece
        elif kind == 2:
            del made[at : at + chance.randint(1, 20)]
        else:
            made += made[at : at + 200]
    return bytes(made)


class Good(NamedTuple):
    """A request that the service answers with 200 or a problem record."""

    method: bytes
    path: bytes
    kind: bytes = b""
    body: bytes = b""


def raw_request(chance: random.Random, good: Good, bearer: bytes) -> bytes:
    """Pieces in any order, a good request changed anywhere, or one whose path or body alone was changed."""
    way = chance.random()
    if way < 0.1:
        return b"".join(chance.choices(PIECES, k=chance.randint(1, 30)))
    path, kind, body = good.path, good.kind, good.body
    if way > 0.3:
        path = re.sub(rb"[\s\0]", b"", path[:22] + mutated(chance, path[22:], 1))
        kind = re.sub(rb"[\r\n\0]", b"", mutated(chance, kind, 1) if way > 0.9 else kind)
        body = mutated(chance, body, 4)
    lines = [good.method + b" " + path + b" HTTP/1.1", b"Host: x", b"Authorization: " + bearer]
    lines += [b"Content-Type: " + kind, b"Content-Length: %d" % len(body)] if good.kind else []
    whole = b"\r\n".join([*lines, b"", b""]) + body
    return whole if way > 0.3 else mutated(chance, whole, 6)


def good_requests() -> list[Good]:
    whole = json.dumps(order("order_full.json", orderReferenceNumber="FUZZ")).encode()
    management, information = MANAGEMENT.encode(), INFORMATION.encode()
    return [
        Good(b"POST", management + b"/Order/submit", b"application/json", whole),
        Good(b"POST", management + b"/Order/submit", b"text/xml", data("order_full.xml")),
        Good(b"POST", management + b"/Order/cancel", b"application/json", b'{"orderReferenceNumber": "FUZZ"}'),
        Good(b"POST", management + b"/PartnerB/getSlot", b"application/json", b'{"zip": "43004"}'),
        Good(b"POST", management + b"/PartnerA/reserveSlot", b"application/json", b'{"slotId": "A-20261121-B"}'),
        Good(b"POST", management + b"/Integration/importOrders", b"text/json", b"[" + whole + b"," + whole + b"]"),
        Good(b"POST", b"/identity/connect/token", FORM.encode(), b"grant_type=client_credentials&scope=a"),
        Good(b"POST", b"/practice/clock", b"application/json", b'{"advance": 1}'),
        Good(b"POST", b"/practice/switches", b"application/json", b'{"quick-photos": true, "strict-codes": null}'),
        Good(b"GET", b"/practice/orders?reference=FUZZ"),
        Good(b"GET", information + b"/orders/open?StartDate=2026-01-01&EndDate=2026-02-01T00:00:00&IncludePOD=true"),
        Good(b"GET", information + b"/audit?StartDate=2026-01-01&EndDate=2026-02-01"),
        Good(b"GET", information + b"/audit/7"),
        Good(b"GET", information + b"/overage/L-1"),
        Good(b"GET", information + b"/download/audit/audit-7-1.jpg"),
        Good(b"GET", management + b"/Order/status?SystemNumber=1&OrderReferenceNumber=FUZZ&BillToCode=A"),
        Good(b"GET", management + b"/PartnerC/facilities?request=%7B%22facilityCode%22:%22A%22%7D"),
        Good(b"GET", management + b"/Integration/stockItemConfig?SkuFilter=8"),
    ]


def assault(running: PracticeProcess, seed: int, rounds: int) -> Counter[int]:
    """Raw bytes at the sockets, 25 at a time; how often each status came back."""
    chance, goods, seen = random.Random(seed), good_requests(), Counter[int]()
    bearer = Caller(running.facts).headers()["Authorization"].encode()
    for _ in range(rounds):
        sent_by = {connected(running): raw_request(chance, chance.choice(goods), bearer) for _ in range(25)}
        replies = dict.fromkeys(sent_by, b"")
        for line, sending in sent_by.items():
            line.setblocking(False)  # a service that no longer reads must not hold the test up
            with suppress(OSError):
                line.send(sending)
        left = list(sent_by)
        while ready := select.select(left, [], [], 0.3)[0]:
            for line in ready:
                piece = b""
                with suppress(ConnectionError):
                    piece = line.recv(65536)
                replies[line] += piece
                if not piece:
                    left.remove(line)
        for line, reply in replies.items():
            line.close()
            for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", reply):
                assert int(status) < 500, (seed, sent_by[line], reply[:500])
                seen[int(status)] += 1
    return seen


def test_raw_bytes_at_the_sockets(practice_factory: PracticeFactory) -> None:
    running = practice_factory("--switch", "import-queue=0", "--patience", "2", anew=True)
    caller = Caller(running.facts)
    caller.headers()
    before = memory(running) if sys.platform == "linux" else 0.0
    seen = assault(running, SEED, 24)
    assert {200, 400, 404} <= set(seen)
    assert caller.get(f"{MANAGEMENT}/Order/test").status == 200
    if sys.platform == "linux":
        assert memory(running) < before + 60
    running.stop()
