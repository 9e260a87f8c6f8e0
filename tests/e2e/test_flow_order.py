"""An order by real keys, on every target: typed, killed in the middle, submitted, cancelled, and there again."""

from tests.e2e.flow_steps import begin_order, cancel_order, enter_order, fill_order, submit_order
from tests.support.hands import Hands


def test_an_order_is_entered_taken_cancelled_and_there_again(hands: Hands) -> None:
    hands.open()
    enter_order(hands, "FLOW-1")
    cancel_order(hands, "FLOW-1")
    hands.close()
    hands.open()
    hands.wait_until_taken("FLOW-1", "cancel")
    enter_order(hands, "FLOW-2")
    hands.close()


def test_what_was_typed_outlives_a_kill_and_is_submitted_after_it(hands: Hands) -> None:
    hands.open()
    begin_order(hands, "FLOW-KILLED")
    hands.kill()
    hands.open()
    assert hands.draft("FLOW-KILLED")
    hands.keys("ctrl+2")
    hands.rest()
    hands.keys("alt+1")  # the first section, where its reference is
    fill_order(hands, "FLOW-KILLED")
    submit_order(hands, "FLOW-KILLED")
    hands.close()


def test_an_order_that_was_sent_is_there_after_a_kill_and_is_not_sent_again(hands: Hands) -> None:
    hands.open()
    enter_order(hands, "FLOW-SENT")
    hands.kill()
    hands.open()
    hands.wait_until_taken("FLOW-SENT")
    question = "SELECT count(*) FROM attempts JOIN writes ON writes.id = write_id WHERE reference = 'FLOW-SENT'"
    assert hands.rows("journal.sqlite3", question) == [(1,)]
    hands.close()
