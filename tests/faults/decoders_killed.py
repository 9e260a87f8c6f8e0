"""Decoders are killed at random while somebody pages through photos: every photo is shown, or told of and then shown.

The run asks for a photo and the next three, as the viewer does, and kills a decoding process a moment later, at
whatever step it is. Each photo has a size of its own, so a photo that comes in another one's place is noticed.
"""

import asyncio
import os
import random
import signal
import tempfile
from pathlib import Path

from app.desk.files.album import Album, Key
from app.imaging.imaging import Imaging
from app.imaging.pixels import Pixels, Size
from app.store.picture_files import PictureFiles
from tests.faults.harness import Fault, Report
from tests.faults.workbench import bench
from tests.support.fault_server import INFORMATION, start_fault_server
from tests.support.faults import Answer
from tests.support.pictures import chart, saved

_PHOTOS, _AHEAD = 12, 3
_ROOM = Size(900, 900)


def _size(number: int) -> tuple[int, int]:
    return 1_600 + 8 * number, 1_200


async def _provoke(size: int, seed: int) -> Report:
    report, chance = Report(), random.Random(seed)
    with tempfile.TemporaryDirectory() as folder, start_fault_server() as server:
        async with bench(server, Path(folder)) as made:
            for number in range(_PHOTOS):
                photo = saved(chart(size=_size(number)), "JPEG")
                made.server.serve(f"{INFORMATION}/download/audit/{number}.jpg", Answer(200, photo, "image/jpeg"))
            imaging = Imaging()
            album = Album(made.desk, PictureFiles(Path(folder, "pictures")), imaging)
            told = 0
            for turn in range(size):
                told += await _page(album, imaging, turn, chance, report)
            await imaging.aclose()
    report.note = f"{told} photos were told of before they were shown"
    return report


async def _page(album: Album, imaging: Imaging, turn: int, chance: random.Random, report: Report) -> int:
    """Ask for a photo and the next ones, kill a decoder meanwhile; how many had to be asked for again."""
    numbers = [(turn + far) % _PHOTOS for far in range(_AHEAD + 1)]
    asked = [asyncio.create_task(album.picture(Key(f"{number}.jpg", _ROOM))) for number in numbers]
    if not imaging.pids():  # they are started with the first photo
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
    await asyncio.sleep(chance.random() * 0.06)
    pids = imaging.pids()
    if pids:
        _kill(chance.choice(pids))
    report.tried += 1
    told = 0
    for number, task in zip(numbers, asked, strict=True):
        found = await task
        if not isinstance(found, Pixels):
            told += 1
            report.check(found.again, f"photo {number} cannot be asked for again: {found.sentence}")
            found = await album.picture(Key(f"{number}.jpg", _ROOM))
        right = isinstance(found, Pixels) and found.facts.full == _size(number)
        report.check(right, f"turn {turn}: in the place of photo {number} is {found}")
    return told


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:  # it has just ended
        return


def run(size: int, seed: int) -> Report:
    """`size` decoders killed."""
    return asyncio.run(_provoke(size, seed))


FAULT = Fault("F13-KILLED", "decoders killed while paging: each photo shown, or told of and then shown", run, 8, 100)
