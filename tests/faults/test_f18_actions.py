"""What F18 makes of its children's figures, and which links count as faults."""

import pytest
from PySide6.QtCore import QUrl

from tests.faults.actions_child import Watch
from tests.faults.f18_actions import _judge
from tests.faults.harness import Report


def judged(rss: int, **changed: int) -> tuple[Report, str]:
    """Ten sittings, whose last fifth has this `rss`, and `changed` for the same two."""
    held = {"rss": 240_000, "shown": 280_000, "objects": 150_000, "widgets": 0, "files": 9, "faults": []}
    told = [{**held, "actions": number * 25_000} for number in range(1, 11)]
    for each in told[-2:]:
        each.update(changed, rss=rss)
    report = Report()
    return report, _judge(report, 7, told, "")


def test_what_stays_within_the_bounds_is_flat() -> None:
    report, words = judged(252_000, shown=300_000, objects=153_000)
    assert report.found == []
    assert words == "objects 1.020, memory 1.050 (234 to 246 MiB; 273 to 293 with a window), +0 files in 10 sittings"


@pytest.mark.parametrize(
    ("rss", "changed"), [(252_100, {}), (240_000, {"objects": 153_100}), (240_000, {"files": 14})], ids=str
)
def test_growth_is_found(rss: int, changed: dict[str, int]) -> None:
    report, words = judged(rss, **changed)
    assert report.found == [f"seed 7: not flat: {words}"]


@pytest.mark.parametrize(
    ("address", "faults"),
    [
        ("file:///tmp/folder", 0), ("tel:9725550146", 0), ("mailto:dock@example.com", 0),
        ("https://www.openstreetmap.org/search?query=Memphis", 0), ("https://photos.example/a.jpg", 1),
        ("ssh://desk.example", 1),
    ],
)  # fmt: skip
def test_a_link_counts_as_a_fault_unless_a_key_of_an_order_leads_there(address: str, faults: int) -> None:
    watch = Watch()
    watch.open_link(QUrl(address))
    assert len(watch.faults) == faults
