"""Two builds on one folder, on every target: the later one takes the data over, the older one refuses it politely then.

The later build is a real one of the same sources with a version of its own and one step more of the journal.
"""

import hashlib
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from trials import copies

from tests.e2e.flow_steps import begin_order, enter_order, fill_order, submit_order
from tests.support import targets
from tests.support.hands import PATIENCE, QUESTION, WINDOW, Hands

_TOO_NEW = 4  # the exit status of a journal that cannot be opened
_NUMBERED = "SELECT DISTINCT sentence = 'Attempt ' || id FROM attempts"  # what the later build does to them
Reached = Callable[[Hands, int], bool]  # whether a build that takes the data over from this version is so far


@pytest.fixture
def later(tmp_path: Path) -> str:
    """Where the later build is."""
    given = os.environ.get(targets.LATER, "")
    if not given and targets.target() == "source":
        given = str(copies.later(tmp_path / "later"))
    if not given:
        pytest.skip(f"{targets.LATER} names no later build; dev.py flows makes one")
    return given


def test_a_later_build_takes_the_data_over_and_the_older_one_leaves_it_alone(hands: Hands, later: str) -> None:
    hands.open()
    enter_order(hands, "FLOW-OLD")
    begin_order(hands, "FLOW-DRAFT")
    hands.close()
    kept, (before,) = _writes(hands), _version(hands)

    hands.open(program=later)
    assert _version(hands) == [(before[0] + 1,)]
    assert _writes(hands) == kept
    assert hands.rows("journal.sqlite3", _NUMBERED) == [(1,)]
    hands.keys("ctrl+2")
    hands.rest()
    hands.keys("alt+1")
    fill_order(hands, "FLOW-DRAFT")
    submit_order(hands, "FLOW-DRAFT")
    hands.close()

    as_it_was = _digests(hands)
    refused = hands.begin(speaking=True)
    hands.keys("Escape", title=QUESTION)
    assert refused.ended() == _TOO_NEW
    hands.wait_for(lambda: "was written by a newer version of Waybill" in " ".join(refused.printed.split()), "why")
    assert _digests(hands) == as_it_was, "no byte of the newer journal is changed"

    hands.open(program=later)
    hands.wait_until_taken("FLOW-DRAFT")
    hands.close()


@pytest.mark.skipif(not os.environ.get(targets.LATER), reason="dev.py flows kills builds; F9 kills the sources")
def test_a_later_build_that_is_killed_as_it_takes_over_leaves_the_data_at_one_version(
    hands: Hands, later: str, tmp_path: Path
) -> None:
    hands.open()
    enter_order(hands, "FLOW-OLD")
    begin_order(hands, "FLOW-DRAFT")
    hands.close()
    kept, ((old,),) = _writes(hands), _version(hands)
    before = shutil.copytree(hands.data, tmp_path / "before")
    for reached in _MOMENTS:
        shutil.rmtree(hands.data)
        shutil.copytree(before, hands.data)
        _kill_when(reached, hands, later, old)
        ((version,),) = _version(hands)
        assert version in (old, old + 1)
        numbered = hands.rows("journal.sqlite3", _NUMBERED)
        assert numbered == [(1,)] if version > old else (1,) not in numbered
        assert hands.rows("journal.sqlite3", "PRAGMA quick_check") == [("ok",)]
        assert _writes(hands) == kept
        hands.open(program=later)
        assert _version(hands) == [(old + 1,)]
        assert _writes(hands) == kept
        assert hands.draft("FLOW-DRAFT")
        hands.close()


def _kill_when(reached: Reached, hands: Hands, program: str, old: int) -> None:
    """Start this build, and kill it as soon as it is so far."""
    run = hands.begin(program=program)
    deadline = time.monotonic() + PATIENCE
    while not reached(hands, old):
        assert time.monotonic() < deadline, f"never so far: {reached}"
        time.sleep(0.0005)  # what is to be met takes a few milliseconds
    run.process.kill()
    assert run.ended() != 0
    hands.wait_for(lambda: not hands.processes(), "the end of all that it started")


def _copying(hands: Hands, old: int) -> bool:
    return any(hands.data.glob(f"journal.version-{old}*"))


def _copied(hands: Hands, old: int) -> bool:
    return any(hands.data.glob(f"journal.version-{old}*.sqlite3"))


def _taken_over(hands: Hands, old: int) -> bool:
    return _version(hands) == [(old + 1,)]


def _shown(hands: Hands, old: int) -> bool:
    return bool(hands.windows(WINDOW))


_MOMENTS: tuple[Reached, ...] = (_copying, _copied, _copied, _taken_over, _shown)


def _version(hands: Hands) -> list[tuple[int]]:
    return hands.rows("journal.sqlite3", "PRAGMA user_version")


def _writes(hands: Hands) -> list[tuple[object, ...]]:
    return hands.rows("journal.sqlite3", "SELECT id, reference, payload, sha256, queued_at FROM writes ORDER BY id")


def _digests(hands: Hands) -> dict[str, str]:
    files = [each for each in sorted(hands.data.glob("journal*")) if each.is_file() and each.suffix != ".sqlite3-shm"]
    return {
        each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in files if not each.name.endswith("-shm")
    }
