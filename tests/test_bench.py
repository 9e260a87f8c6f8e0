"""The harness of the measures: fair turns, honest medians, a table that says what was missed."""

import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from app.store.cache.order_query import count_orders
from app.store.cache.order_rows import OrderQuery
from app.store.cache.schema.cache_schema import CACHE
from app.store.paths import DataDir
from app.store.sqlite.database import Database
from tests.bench import __main__ as bench
from tests.bench import s1_start
from tests.bench.harness import HEADINGS, Measure, Result, alternate, row, table
from tests.bench.measures import MEASURES
from tests.bench.world import PRACTICE, facts, fill_cache
from tests.support.display import private_display


def test_the_turns_alternate_and_the_first_pair_is_not_counted() -> None:
    calls: list[str] = []

    def timed(name: str, first: float) -> float:
        calls.append(name)
        return first if calls.count(name) == 1 else 1.0

    result = alternate(lambda: timed("a", 1e9), lambda: timed("b", 1e9), 5)
    assert "".join(calls) == "ab" + "abbaabbaab"
    assert (result.ours, result.yardstick) == (1.0, 1.0)


def test_the_median_is_not_moved_by_one_bad_turn() -> None:
    times = iter([0.0, 2.0, 2.0, 50.0, 2.0, 2.0])
    assert alternate(lambda: next(times), lambda: 1.0, 5).ratio == 2.0


def test_too_few_turns_are_refused() -> None:
    with pytest.raises(ValueError, match="fewer than five"):
        alternate(lambda: 1.0, lambda: 1.0, 4)


@pytest.mark.parametrize(("ours", "verdict"), [(1.5, "met"), (1.51, "MISSED")])
def test_the_row_says_whether_the_target_was_met(ours: float, verdict: str) -> None:
    measure = Measure("S9", "some time", "a frame", "ms", 1.5, lambda _: Result(0, 1))
    cells = row(measure, Result(ours, 1.0))
    assert cells[0] == "S9 some time"
    assert cells[2] == "1 ms (a frame)"
    assert cells[-2:] == ("<= 1.5", verdict)


def test_the_table_is_in_columns() -> None:
    head, line = table([["S1 a", "1 s", "22 s", "0.05", "<= 1", "met"]]).splitlines()
    assert [head.index(word) for word in HEADINGS[:2]] == [line.index("S1 a"), line.index("1 s")]


def test_measures_are_chosen_by_name_in_any_case(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.chosen(["s1"]) == [measure for measure in MEASURES if measure.name == "S1"]
    assert bench.chosen([]) == list(MEASURES)
    with pytest.raises(SystemExit, match="No measure is called S99; there are: S1"):
        bench.chosen(["S99"])
    assert bench.main(["--list"]) == 0
    assert capsys.readouterr().out.startswith("S1  process start to painted window; yardstick: a bare PySide6 window")


def test_names_are_given_once() -> None:
    names = [measure.name for measure in MEASURES]
    assert len(names) == len(set(names))


def test_the_yardstick_of_the_start_paints_and_ends() -> None:
    """On a window system of its own, as in the measure."""
    with private_display() as environment:
        assert 0 < s1_start.first_line([sys.executable, s1_start.BARE], environment) < 60


def test_a_program_that_fails_gives_no_time() -> None:
    with pytest.raises(RuntimeError, match="status 3"):
        s1_start.first_line([sys.executable, "-c", "print('x'); raise SystemExit(3)"], {})


def test_a_window_of_the_measures_starts_as_the_program_does() -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-m", "tests.bench.as_started", "bare_memory"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert float(done.stdout) > 1


def test_the_private_display_goes_when_it_is_left() -> None:
    with private_display() as environment:
        socket = Path("/tmp/.X11-unix") / f"X{environment['DISPLAY'].removeprefix(':')}"
        assert socket.exists()
    assert not socket.exists()
    assert environment["QT_QPA_PLATFORM"] == "xcb"


_DEAF_ONCE = """#!{python}
import os, signal, sys, time
left = [1]
signal.signal(signal.SIGTERM, lambda *_: left.pop() if left else os._exit(0))
os.write(int(sys.argv[2]), b"99\\n")
os.close(int(sys.argv[2]))
while True:
    time.sleep(60)
"""


def test_a_display_that_slept_through_its_end_is_ended_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = tmp_path / "Xvfb"
    server.write_text(_DEAF_ONCE.format(python=sys.executable), encoding="utf-8")
    server.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with private_display() as environment:
        assert environment["DISPLAY"] == ":99"


def test_the_world_of_a_measure_is_as_large_as_asked_for(tmp_path: Path) -> None:
    fill_cache(tmp_path, 1_234)
    cache = Database(DataDir(tmp_path).cache, CACHE)
    try:
        assert cache.read_now(count_orders, OrderQuery(PRACTICE)) == 1_234
        assert cache.read_now(count_orders, OrderQuery("other")) == 0
    finally:
        cache.close_now()


def test_the_same_seed_makes_the_same_world() -> None:
    now = datetime(2026, 3, 2, 9, 30)
    assert list(facts(50, 7, now)) == list(facts(50, 7, now))
    assert list(facts(50, 7, now)) != list(facts(50, 8, now))
