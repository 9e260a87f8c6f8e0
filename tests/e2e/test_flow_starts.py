"""Starts of the program, on every target: a second one gives way to the first, links are handed over, many at once."""

import os

from tests.e2e.flow_steps import CONSIGNEE, enter_order
from tests.support import targets
from tests.support.hands import WINDOW, Hands, Run

# `dev.py flows` asks for as many as F7 does; the suite has F7 itself beside these.
_CROWD = int(os.environ.get(targets.CROWD, "4"))


def test_a_second_start_gives_way_and_a_link_is_shown_by_the_first(hands: Hands) -> None:
    hands.open()
    enter_order(hands, "FLOW-LINK")
    hands.wait_for(lambda: hands.listed("FLOW-LINK"), "the order among the orders")
    hands.keys("ctrl+3")
    second = hands.begin(speaking=True)
    assert second.ended() == 0
    assert "has come forward" in hands.wait_for(lambda: second.printed, "its sentence")
    assert hands.begin("waybill:order/FLOW-LINK").ended() == 0
    hands.rest()
    hands.keys("ctrl+f", "Return")  # to the first of the orders that are listed now
    hands.rest()
    hands.keys("ctrl+d")  # a clone of it
    hands.rest()
    hands.type("FLOW-CLONE")
    clone = hands.wait_for(lambda: hands.draft("FLOW-CLONE"), "a clone of the order that the link names")
    assert clone["consignee"]["consigneeName"] == CONSIGNEE["consigneeName"]
    hands.close()


def test_of_many_at_once_one_stays_also_after_it_was_killed(hands: Hands) -> None:
    for _ in range(2):
        owner = _crowd(hands)
        owner.process.kill()
        owner.ended()
        hands.wait_for(lambda: not hands.processes(), "the end of what it had started")
    hands.open()
    hands.close()


def _crowd(hands: Hands) -> Run:
    started = [hands.begin() for _ in range(_CROWD)]
    hands.wait_for(lambda: sum(each.process.poll() is None for each in started) <= 1, "all but one to leave", 300)
    hands.wait_for(hands.fetched, "the work of the one that stays")
    staying = [each for each in started if each.process.poll() is None]
    assert len(staying) == 1
    assert {each.ended() for each in started if each not in staying} == {0}
    assert len(hands.windows(WINDOW)) == 1
    return staying[0]
