"""The measures of photos: paging through piles of 12 megapixels that a practice service gives over HTTP.

The window and its decoding processes run on the same processors as the practice service and the window system. Figures
are medians over runs, each in a new window over an empty folder.
"""

import json
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.harness import Measure, Result
from tests.bench.stalls import FRAME_MS, Found, longest_stall, window_run
from tests.support.display import private_display
from tests.support.practice_process import start_practice

PILE, LARGE_PILE, KILLS = 200, 1_000, 100
_PHOTOS_AN_AUDIT = 1.5  # at least, on the average
_FEW = 60


@contextmanager
def practice_with(*words: str) -> Iterator[tuple[str, dict[str, str], dict[str, str]]]:
    """A folder, a window system, and a practice service whose photos come quickly, told these words too."""
    with tempfile.TemporaryDirectory() as folder, private_display() as environment:
        world = ("--orders", "50", "--switch", "arrivals=0,quick-photos", *words)
        practice = start_practice(Path(folder) / "practice", *world)
        try:
            yield folder, environment, practice.facts
        finally:
            practice.stop()


def _runs(rounds: int, photos: int, kills: int = 0, zoom: float = 0) -> list[Found]:
    audits = str(int(photos / _PHOTOS_AN_AUDIT) + 10)
    with practice_with("--audits", audits) as (folder, environment, facts):
        # The first photos of practice are drawn, which takes seconds; that is not what is measured.
        window_run("photo_window", environment, f"{folder}/first", json.dumps(facts), "20", "0", "0")
        words = photos, kills, zoom
        return [
            window_run("photo_window", environment, f"{folder}/{turn}", json.dumps(facts), *map(str, words))
            for turn in range(rounds)
        ]


def stall(rounds: int) -> Result:
    """The longest stall while a pile is paged through."""
    found = _runs(rounds, PILE)
    return longest_stall(found, f"{PILE} photos in {found[-1]['seconds']} s at {_room(found[-1])}")


def stall_with_kills(rounds: int) -> Result:
    """The longest stall of the pile while decoding processes are killed at random."""
    found = _runs(rounds, PILE, KILLS)
    again = sum(each["troubles"] for each in found)
    killed, lost = sum(each["killed"] for each in found), sum(each["lost"] for each in found)
    return longest_stall(
        found, f"{killed} processes killed in {rounds} runs, the place lost {lost} times, {again} tried again"
    )


def next_photo(rounds: int, zoom: float = 0) -> Result:
    """Key to painted, of photos that are there already."""
    found = _runs(rounds, _FEW, zoom=zoom)
    times = sorted(time for each in found for time in each["key_to_painted_ms"])
    slow = times[int(len(times) * 0.95)]
    note = f"{len(times)} photos at {_room(found[-1])}, p95 {slow:.1f} ms"
    return Result(statistics.median(times), FRAME_MS, note)


def next_from_near(rounds: int) -> Result:
    """`next_photo` at 100 %."""
    return next_photo(rounds, zoom=1.0)


def memory(_rounds: int) -> Result:
    """What the window holds after a large pile, beside what it held after a tenth of it."""
    (found,) = _runs(1, LARGE_PILE)
    held = found["resident_mib"]
    early = held[len(held) // 10]
    each = ", ".join(f"{size:.0f}" for size in held)
    note = (
        f"{LARGE_PILE:,} photos in {found['seconds']} s; after each 50: {each} MiB, "
        f"of which pixels at most {found['budget_mib']:.0f}; {found['peak_before_mib']} before the first"
    )
    return Result(held[-1], early, note)


def _room(found: Found) -> str:
    return "×".join(str(each) for each in found["room"])


STALL = Measure("S4-PHOTOS", f"longest stall while {PILE} photos are paged through", "a 60 Hz frame", "ms", 3.0, stall)
KILLED = Measure("S4-KILLED", "the same while decoders are killed", "a 60 Hz frame", "ms", 3.0, stall_with_kills)
NEXT = Measure("S7", "next photo: key to sharp picture painted", "a 60 Hz frame", "ms", 1.0, next_photo)
NEAR = Measure("S7-NEAR", "the same at 100 %", "a 60 Hz frame", "ms", 1.0, next_from_near)
MEMORY = Measure("S9-PHOTOS", f"memory after {LARGE_PILE:,} photos", "after a tenth of them", "MiB", 1.05, memory)
