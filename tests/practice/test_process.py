"""The practice service as a process: its line, its end, its clock, and what outlives a restart."""

import signal
import subprocess
import sys
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import pytest

from app.practice.switches import SWITCHES
from tests.practice.conftest import order
from tests.support.children import child
from tests.support.practice_calls import INFORMATION, MANAGEMENT, Caller
from tests.support.practice_process import PracticeFactory, PracticeProcess, start_practice

SUBMIT, STATUS = f"{MANAGEMENT}/Order/submit", f"{MANAGEMENT}/Order/status"
FACTS = {
    *("base_url", "info_base_url", "auth_url", "token_url", "client_id", "client_secret", "other_client_id"),
    *("other_client_secret", "limited_client_id", "limited_client_secret", "facility", "commodity", "zip"),
    *("load", "control_url", "foreign_url"),
}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command to its end."""
    with child("app.practice", arguments) as started:
        return subprocess.CompletedProcess(arguments, *started.end(60))


def test_one_line_says_all_there_is_to_know(practice: PracticeProcess, caller: Caller) -> None:
    facts = practice.facts
    assert set(facts) == FACTS
    assert facts["info_base_url"] == f"{facts['base_url']}/OrderInformationApi"
    assert facts["token_url"] == f"{facts['auth_url']}/connect/token"
    served = caller.get(f"{MANAGEMENT}/Facilities", ZipCode=facts["zip"]).json()
    assert served[0]["providerFacilityCode"] == facts["facility"]
    found = caller.get(
        f"{MANAGEMENT}/Integration/crossReference", GroupFilter="COMMODITY", KeyFilter=facts["commodity"]
    )
    assert found.json()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals; standard input ends it there")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_good_order(tmp_path: Path, number: signal.Signals) -> None:
    running = start_practice(tmp_path, "--orders", "10", anew=True)
    running.process.send_signal(number)
    assert running.process.wait(30) == 0
    running.stop()


def test_it_says_nothing_more(tmp_path: Path) -> None:
    running = start_practice(tmp_path, "--orders", "10", anew=True)
    assert Caller(running.facts).get(f"{INFORMATION}/orders/open").status == 200
    assert running.process.stdin is not None
    assert running.process.stdout is not None
    running.process.stdin.close()
    assert running.process.stdout.read() == ""
    running.stop()


def test_a_folder_serves_one_process(practice_factory: PracticeFactory, tmp_path: Path) -> None:
    data = tmp_path / "data"
    practice_factory(data=data)
    second = run("--data", str(data))
    assert (second.returncode, second.stdout) == (2, "")
    assert second.stderr == f"Another practice service is using {data}.\n"


def test_a_port_that_is_taken_is_said_in_a_sentence(practice: PracticeProcess, tmp_path: Path) -> None:
    port = practice.facts["base_url"].rpartition(":")[2]
    second = run("--data", str(tmp_path / "data"), "--port", port)
    assert (second.returncode, second.stdout) == (2, "")
    assert "cannot start" in second.stderr
    assert "Traceback" not in second.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--switch", "no-such"),
        ("--switch", "nulls,no-such=1"),
        ("--switch", "latency"),
        ("--switch", "latency=much"),
        ("--switch", "nulls=7"),
        ("--switch", "rate-429=1.5"),
        ("--port", "70000"),
        ("--orders", "-1"),
        ("--clock", "-1"),
        ("--epoch", "2026-01-01T00:00:00Z"),
    ],
)
def test_options_that_make_no_sense_leave_with_2_and_a_sentence(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = run("--data", str(tmp_path / "data"), *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    if "no-such" in arguments[1]:
        assert all(name in done.stderr for name in SWITCHES)


def test_help_lists_the_switches() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert all(name in done.stdout for name in SWITCHES)


def slots(caller: Caller) -> list[dict[str, Any]]:
    """What can be reserved."""
    found: list[dict[str, Any]] = caller.post(f"{MANAGEMENT}/PartnerA/getSlot", {}).json()["slots"]
    return found


@pytest.mark.parametrize("gently", [True, False])
def test_everything_outlives_a_restart(practice_factory: PracticeFactory, tmp_path: Path, gently: bool) -> None:
    data = tmp_path / "data"
    first = practice_factory("--switch", "import-queue=0", data=data)
    caller = Caller(first.facts)
    kept, gone = order("order_full.json"), order()
    numbers = [caller.post(SUBMIT, body).json()["systemNumber"] for body in (kept, gone)]
    caller.post(f"{MANAGEMENT}/Order/cancel", {"orderReferenceNumber": gone["orderReferenceNumber"]})
    slot = slots(caller)[0]
    caller.post(f"{MANAGEMENT}/PartnerA/reserveSlot", {"slotId": slot["slotId"]})
    before = caller.get(f"{INFORMATION}/orders/open").json()
    if gently:
        first.stop()
    else:
        first.kill()
    second = practice_factory(data=data)
    assert second.facts["client_secret"] == first.facts["client_secret"]
    caller = Caller(second.facts)
    assert caller.get(f"{INFORMATION}/orders/open").json() == before
    assert [each["body"] for each in caller.behind_the_counter(kept["orderReferenceNumber"])] == [kept]
    assert caller.get(STATUS, systemNumber=numbers[1]).json()["status"] == "Cancelled"
    left = {
        each["slotId"]: each["remaining"] for each in caller.post(f"{MANAGEMENT}/PartnerA/getSlot", {}).json()["slots"]
    }
    assert left.get(slot["slotId"], 0) == slot["remaining"] - 1
    assert caller.post(SUBMIT, kept).json()["systemNumber"] == numbers[0]


def test_orders_and_audits_are_filled_up(practice_factory: PracticeFactory, tmp_path: Path) -> None:
    def counted(running: PracticeProcess) -> tuple[int, int]:
        caller, end = Caller(running.facts), datetime.now().replace(microsecond=0)
        span = {"StartDate": (end - timedelta(days=364)).isoformat(), "EndDate": end.isoformat()}
        lists = [caller.get(f"{INFORMATION}/orders/{each}", None, **span).json() for each in ("open", "completed")]
        days = {name: text[:10] for name, text in span.items()}
        return sum(map(len, lists)), len(caller.get(f"{INFORMATION}/audit", None, **days).json())

    data = tmp_path / "data"
    first = practice_factory(data=data)
    small = counted(first)
    first.stop()
    second = practice_factory("--orders", "900", "--audits", "40", data=data)
    large = counted(second)
    second.stop()
    assert small[0] < 300 < 2 * small[0] < large[0] < 900
    assert (small[1], large[1]) == (24, 40)
    assert counted(practice_factory("--orders", "10", data=data)) == large


def test_a_seed_makes_the_same_world_again(practice_factory: PracticeFactory) -> None:
    def world(seed: str) -> object:
        running = practice_factory("--seed", seed, "--epoch", "2026-11-21T14:00:00", "--clock", "0")
        caller = Caller(running.facts)
        shown = caller.get(f"{INFORMATION}/orders/open", IncludeNotes=True).json()
        return shown, caller.get(f"{INFORMATION}/audit").json()

    assert world("3") == world("3")
    assert world("3") != world("4")


def served_time(caller: Caller) -> datetime:
    """What time the service thinks it is."""
    return datetime.fromisoformat(caller.get(caller.facts["control_url"] + "clock").json()["now"])


def test_at_speed_1_the_clock_is_local_time(caller: Caller) -> None:
    before = datetime.now().replace(microsecond=0)
    assert before <= served_time(caller) <= datetime.now()


def test_the_date_header_is_the_services_own_time(practice_factory: PracticeFactory) -> None:
    epoch = datetime(2026, 11, 21, 14)
    caller = Caller(practice_factory("--clock", "0", "--epoch", epoch.isoformat()).facts)
    for path in ("/Order/test", "/Facilities", "/Order/status", "/PartnerC/openorders"):
        header = caller.get(MANAGEMENT + path).headers["date"]
        assert parsedate_to_datetime(header).astimezone().replace(tzinfo=None) == epoch


def test_a_faster_clock_runs_ahead_and_stays_ahead(practice_factory: PracticeFactory, tmp_path: Path) -> None:
    data = tmp_path / "data"
    fast = practice_factory("--clock", "100000", data=data)
    caller = Caller(fast.facts)
    first = served_time(caller)
    while (later := served_time(caller)) - first < timedelta(days=1):
        pass
    fast.stop()
    slow = practice_factory(data=data)
    assert later <= served_time(Caller(slow.facts))


def test_a_stopped_clock_stands_still(practice_factory: PracticeFactory, tmp_path: Path) -> None:
    data = tmp_path / "data"
    epoch = datetime(2026, 11, 21, 14)
    for _ in range(2):
        running = practice_factory("--clock", "0", "--epoch", epoch.isoformat(), data=data)
        assert served_time(Caller(running.facts)) == epoch
        running.stop()


def test_orders_move_on_while_the_clock_runs(practice_factory: PracticeFactory) -> None:
    caller = Caller(practice_factory("--clock", "500000").facts)
    body = order()
    caller.post(SUBMIT, body)
    query = {"orderReferenceNumber": body["orderReferenceNumber"]}
    while (found := caller.get(STATUS, None, **query).json()["status"]) != "Received":
        assert found in {"In Import Queue", "Pending Receipt"}
