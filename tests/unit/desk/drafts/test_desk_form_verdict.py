"""One verdict: its heading is the gravest finding, every finding is in it, and the button says what it does."""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from itertools import combinations
from typing import Any

import pytest

from app.desk.drafts.form_verdict import Known, SumUp, sum_up
from app.desk.drafts.reference_history import Before
from app.desk.drafts.scanning import Tally
from app.desk.sending.payload_differences import Difference
from app.desk.sending.verdict import Verdict, VerdictKind
from app.desk.timing import Instant
from app.store.journal.records import WriteRow, WriteState

NOW = datetime(2026, 11, 24, 14, 2, 10)
EARLIER = datetime(2026, 11, 23, 9, 30)


def found(kind: VerdictKind, sentence: str = "So it is.", **more: Any) -> Verdict:
    return Verdict(kind, sentence, NOW, asked=Instant(NOW, 0.0), **more)


def write(state: WriteState) -> WriteRow:
    return WriteRow(7, "acme", "submit", "R-1", state, EARLIER, NOW, None, None, 1)


FINE = Known("R-1", NOW, found=found("new"))
CHANGE = found("changes", differences=(Difference("poNumber", "", "7"),), compared="sent", sent_at=EARLIER)
# What may be known, by the words that have to be said of it, and whether a yes is asked for.
PROBLEMS: dict[str, tuple[dict[str, Any], bool]] = {
    "Closed: would create a second order": ({"found": found("closed")}, True),
    "The provider refused this. Refused at 14:02. ZIP: Not served.": (
        {"before": Before(refused=write("rejected"), words=(("zip", "x"),)), "refused": ("ZIP: Not served.",)}, True,
    ),
    "Scans do not match the freight. SOFA: 5 scanned, the freight says 2. CHAIR: none scanned, the freight says 4.": (
        {"scans": (Tally("SOFA", Decimal(5), Decimal(2)), Tally("CHAIR", Decimal(0), Decimal(4)))}, True,
    ),
    "Looks mistyped. ZIP: Not a usual ZIP.": ({"doubts": ("ZIP: Not a usual ZIP.",)}, False),
    "Another draft has this reference. Send only one draft of R-1, or change a reference.": (
        {"same_reference": True}, False,
    ),
    "Filled in by Waybill. Weight 148 lb. It will be sent as it stands.": ({"filled_in": ("Weight 148 lb",)}, False),
}  # fmt: skip


def said(each: SumUp) -> str:
    return f"{each.heading}. {' '.join(each.lines)}"


def test_ready_is_said_where_nothing_stands_in_the_way() -> None:
    assert sum_up(FINE) == SumUp("✓ Ready to submit", "good", ("New order. So it is. Asked at 14:02:10.",))


@pytest.mark.parametrize("to_do", [0, 2])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_ready_never_stands_beside_a_problem_and_none_is_left_out(count: int, to_do: int) -> None:
    for chosen in combinations(PROBLEMS.items(), count):
        parts = {name: value for _, (each, _) in chosen for name, value in each.items()}
        told = sum_up(replace(FINE, issues=to_do, **parts))
        assert "Ready" not in said(told)
        assert told.tone != "good"
        for words, (_, asks) in chosen:
            for part in words.split(". ", 1):
                assert part in said(told), (words, told)
            assert not asks or told.questions
        assert bool(told.questions) == any(asks for _, (_, asks) in chosen) == told.action.endswith("…")
        assert told.heading.startswith("2 things to do") == bool(to_do)


@pytest.mark.parametrize(
    ("parts", "heading", "action"),
    [
        ({"found": found("closed")}, "✕ Closed: would create a second order", "Send second order…"),
        ({"found": CHANGE}, "◑ Changes an open order", "Send change"),
        ({"found": found("import_queue")}, "◔ Waiting in the import queue", "Send change"),
        ({"found": found("unknown", "No answer.")}, "! Cannot tell", "Submit order"),
        ({"found": replace(CHANGE, differences=())}, "= Nothing to send", "Send once more…"),
        ({"found": None, "asking": True}, "… Asking how R-1 stands", "Submit order"),
        ({"found": None}, "… Not asked yet how it stands", "Submit order"),
        ({"before": Before(waiting=write("queued"), same=True)}, "! In the outbox already", "Send once more…"),
        ({"before": Before(waiting=write("in_doubt"))}, "! Another version is in the outbox", "Submit order"),
        ({"before": Before(tried_at=EARLIER)}, "! May be a second order", "Submit order"),
        ({"same_reference": True}, "! Another draft has this reference", "Submit order"),
        ({"found": CHANGE, "same_reference": True}, "◑ Changes an open order", "Send change"),
        ({"before": Before(trouble="The disk is gone.")}, "! Cannot tell what was sent before", "Submit order"),
        ({"found": CHANGE, "scans": (Tally("A", Decimal(1), Decimal(2)),)},
         "! Scans do not match the freight", "Send change…"),
    ],
)  # fmt: skip
def test_the_heading_and_the_button_say_what_is_so(parts: dict[str, Any], heading: str, action: str) -> None:
    told = sum_up(replace(FINE, **parts))
    assert (told.heading, told.action) == (heading, action)
    assert told.tone != "good"


def test_a_yes_to_a_second_order_is_told_to_the_outbox_and_no_other_is() -> None:
    assert sum_up(replace(FINE, found=found("closed"))).agreed == "closed"
    assert sum_up(replace(FINE, scans=(Tally("A", Decimal(1), Decimal(2)),))).agreed is None


def test_when_something_was_is_said_with_its_day_where_it_was_another() -> None:
    told = sum_up(replace(FINE, found=replace(CHANGE, differences=())))
    assert told.lines[0].startswith("The same as what was sent on Mon 23 Nov at 09:30.")


def test_of_many_the_first_are_named_and_the_rest_is_counted() -> None:
    told = sum_up(replace(FINE, filled_in=[f"line {at}" for at in range(9)]))
    assert "line 3; and 5 more. It will be sent as it stands." in told.lines[0]
