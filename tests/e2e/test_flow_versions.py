"""Two builds on one folder, on every target: the later one takes the data over, the older one refuses it politely then.

The later build is a real one of the same sources with a version of its own and one step more of the journal.
"""

import hashlib
import os
from pathlib import Path

import pytest
from trials import copies

from tests.e2e.flow_steps import begin_order, enter_order, fill_order, submit_order
from tests.support import targets
from tests.support.hands import QUESTION, Hands

_TOO_NEW = 4  # the exit status of a journal that cannot be opened


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
    assert hands.rows("journal.sqlite3", "SELECT DISTINCT sentence = 'Attempt ' || id FROM attempts") == [(1,)]
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


def _version(hands: Hands) -> list[tuple[int]]:
    return hands.rows("journal.sqlite3", "PRAGMA user_version")


def _writes(hands: Hands) -> list[tuple[object, ...]]:
    return hands.rows("journal.sqlite3", "SELECT id, reference, payload, sha256, queued_at FROM writes ORDER BY id")


def _digests(hands: Hands) -> dict[str, str]:
    files = [each for each in sorted(hands.data.glob("journal*")) if each.is_file() and each.suffix != ".sqlite3-shm"]
    return {
        each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in files if not each.name.endswith("-shm")
    }
