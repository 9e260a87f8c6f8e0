"""S8: the first photo of 12 megapixels, from bytes in hand to sharp at the size of a window.

Ours goes to the child process and back and is painted in a real window. The yardstick is Qt's own decoder making a
picture of that size from the same bytes in this process, turned as the camera was held; it is not painted.
"""

import json
import statistics
import tempfile

from tests.bench.harness import Measure, Result
from tests.bench.stalls import window_run
from tests.support.display import private_display


def run(rounds: int) -> Result:
    """Each of a few photos, turn about, `rounds` times."""
    with tempfile.TemporaryDirectory() as folder, private_display() as environment:
        found = window_run("first_photo_window", environment, folder, json.dumps({}), str(rounds))
    room = "×".join(str(each) for each in found["room"])
    note = f"{found['photos']} photos, each {rounds} times, at {room}; the process was started before"
    return Result(statistics.median(found["ours"]), statistics.median(found["yardstick"]), note)


MEASURE = Measure("S8", "first photo: bytes to sharp at window size", "Qt's own scaled decode", "ms", 0.9, run)
