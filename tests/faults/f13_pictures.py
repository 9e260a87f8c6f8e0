"""F13: mutated pictures, thirty bombs, a page served as .jpg: the window's process never ends, its loop never waits for
a decoder, each picture ends as pixels or as a sentence, and a good one is right after each bad one.
"""

import asyncio
import io
import random
import struct
import tempfile
import threading
import time
from pathlib import Path

from PIL import Image

from app.desk.files.album import Album, Key, NoPicture
from app.imaging.imaging import Imaging
from app.imaging.pixels import Pixels, Size, Trouble
from app.store.picture_files import PictureFiles
from tests.faults.harness import Fault as Measure
from tests.faults.harness import Report
from tests.faults.workbench import bench
from tests.support.bombs import BOMBS, chunk, some_picture
from tests.support.fault_server import INFORMATION, start_fault_server
from tests.support.faults import Answer
from tests.support.pictures import chart, held, saved

BOX = Size(90, 70)
_BOXES = (BOX, Size(1200, 900), None)
_AT_A_TIME = 8
_GOOD_EVERY = 25
_BEAT = 0.005
_PAUSE = 0.5  # seconds: a loop that waited for a decoder would be away for longer than that, and than the machine was


def originals() -> list[bytes]:
    """A small file of each kind."""
    gradient = chart(size=(120, 90))
    noise = Image.effect_noise((200, 150), 80).convert("RGB")
    return [
        saved(gradient, "JPEG", exif=held(6)),
        saved(noise, "JPEG", quality=90, progressive=True),
        saved(chart("CMYK"), "JPEG"),
        saved(gradient, "PNG"),
        saved(chart("P"), "PNG", transparency=3),
        saved(chart("RGBA"), "PNG", exif=held(3)),
        saved(noise, "WEBP", quality=80),
        saved(chart("RGBA"), "WEBP", lossless=True, save_all=True, append_images=[chart("RGBA")]),
        _paper(gradient),
    ]


def _paper(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PDF", save_all=True, append_images=[image])
    return file.getvalue()


def mutated(chance: random.Random, originals: list[bytes]) -> bytes:
    """One of the files, spoilt in one or several of the ways in which files get spoilt."""
    data = bytearray(chance.choice(originals))
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        at = chance.randrange(max(1, len(data)))
        if chance.random() < 0.4:
            at = min(at, chance.randrange(1, 200))  # heads say how all the rest is read
        length = chance.choice((1, 2, 4, 16, 300))
        way = chance.randrange(8)
        if way == 0:
            data[at : at + 1] = bytes([data[at] ^ (1 << chance.randrange(8))]) if at < len(data) else b""
        elif way == 1:
            data[at : at + length] = chance.randbytes(length)
        elif way == 2:
            del data[at : at + length]
        elif way == 3:
            data[at:at] = data[at : at + length] * chance.choice((1, 2, 50))
        elif way == 4:
            data[at : at + 4] = struct.pack(
                chance.choice("<>") + "I", chance.choice((0, 1, 2**31 - 1, 2**32 - 1, 65535))
            )
        elif way == 5:
            del data[at:]
        elif way == 6:
            other = chance.choice(originals)
            data[at:] = other[min(at, len(other)) :]
        else:
            data[at : at + 2] = chance.choice(
                (b"\xff\xd8", b"\xff\xda", b"\xff\xc2", b"\xff\xd9", b"\0\0", b"[[", b">>")
            )
        if data.startswith(b"\x89PNG") and chance.random() < 0.5:
            data = bytearray(_with_right_sums(bytes(data)))
        if not data:
            break
    return bytes(data)


def _with_right_sums(data: bytes) -> bytes:
    """A PNG whose checksums fit again, so that a decoder reads the spoilt bytes."""
    parts, at = [data[:8]], 8
    while at + 8 <= len(data):
        length = struct.unpack(">I", data[at : at + 4])[0]
        if length > len(data):
            return b"".join([*parts, data[at:]])
        parts.append(chunk(data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    return b"".join(parts)


class _Pulse:
    """How long the loop stood still at most, and how long the machine alone kept a thread beside it waiting."""

    def __init__(self) -> None:
        self.longest, self.machine, self.counts = 0.0, 0.0, True
        self._over = threading.Event()
        self._task = asyncio.create_task(self._beat())
        threading.Thread(target=self._tick, daemon=True).start()

    async def _beat(self) -> None:
        while True:
            before = time.monotonic()
            await asyncio.sleep(_BEAT)
            if self.counts:
                self.longest = max(self.longest, time.monotonic() - before - _BEAT)

    def _tick(self) -> None:
        before = time.monotonic()
        while not self._over.wait(_BEAT):
            if self.counts:
                self.machine = max(self.machine, time.monotonic() - before - _BEAT)
            before = time.monotonic()

    def stop(self) -> None:
        self._task.cancel()
        self._over.set()


async def _provoke(size: int, seed: int) -> Report:
    report, chance, kinds = Report(), random.Random(seed), dict.fromkeys(("shown", "told", "crashed"), 0)
    imaging, sources = Imaging(), originals()
    good = some_picture()
    wanted = await imaging.decode(good, BOX)
    assert isinstance(wanted, Pixels)
    right = bytes(wanted.data)
    pulse = _Pulse()
    room = asyncio.Semaphore(_AT_A_TIME)

    async def look(data: bytes, label: str, box: Size | None, page: int = 0) -> None:
        async with room:
            found = await imaging.decode(data, box, page=page)
        report.tried += 1
        if isinstance(found, Trouble):
            kinds["crashed" if found.kind == "crashed" else "told"] += 1
            report.check(bool(found.sentence), f"{label}: no sentence for {found.kind}")
            report.check(found.kind != "not started", f"{label}: no child")
        else:
            kinds["shown"] += 1
            fits = len(bytes(found.data)) == found.nbytes
            report.check(fits, f"{label}: {found.width}×{found.height} pixels that are not there")

    async def look_at_a_good_one(label: str) -> None:
        found = await imaging.decode(good, BOX)
        same = isinstance(found, Pixels) and bytes(found.data) == right
        report.check(same, f"after {label} a good picture is {found}")

    numbers = list(range(size))
    for first in range(0, size, _GOOD_EVERY):
        batch = numbers[first : first + _GOOD_EVERY]
        tries = [(mutated(chance, sources), chance.choice(_BOXES), chance.choice((0, 0, 0, 1))) for _ in batch]
        await asyncio.gather(
            *(look(each[0], f"mutation {number}", *each[1:]) for number, each in zip(batch, tries, strict=True))
        )
        await look_at_a_good_one(f"mutation {batch[-1]}")
    names = list(BOMBS) if size >= 1_000 else chance.sample(sorted(set(BOMBS) - _SLOW), 6)
    for name in names:
        pulse.counts = False
        made = BOMBS[name]()  # some take longer to make than to meet
        await asyncio.sleep(0.01)
        pulse.counts = True
        for box in (Size(1200, 900), None):
            await look(made, name, box)
        del made
        await look_at_a_good_one(name)
    pulse.stop()
    away = f"{pulse.longest * 1000:.0f} ms, the machine for {pulse.machine * 1000:.0f} ms"
    report.check(pulse.longest < _PAUSE + pulse.machine, f"the loop was away for {away}")
    await imaging.aclose()
    await _page_in_a_photos_place(report)
    report.note = (
        f"{kinds['shown']} shown, {kinds['told']} told of, {kinds['crashed']} of these ended their child; "
        f"{len(names)} bombs; the loop was away for {away} at most"
    )
    return report


_SLOW = {
    "jpeg of 3,000 scans", "pdf that draws itself", "pdf of a billion strokes", "animated png", "animated webp",
    "pdf page that unfolds", "png with a text that unfolds", "png with a profile that unfolds",
    "webp of 79 megapixels of nothing",
}  # fmt: skip


async def _page_in_a_photos_place(report: Report) -> None:
    """A sign-in page by the name and type of a photo; then the photo, which is shown."""
    with tempfile.TemporaryDirectory() as folder, start_fault_server() as server:
        async with bench(server, Path(folder)) as made:
            imaging = Imaging(workers=1)
            album = Album(made.desk, PictureFiles(Path(folder, "pictures")), imaging)
            path = f"{INFORMATION}/download/audit/a.jpg"
            made.server.serve(path, Answer(200, b"<html><body>Sign in</body></html>", "image/jpeg"))
            found = await album.picture(Key("a.jpg"))
            report.tried += 1
            told = isinstance(found, NoPicture) and "neither a JPEG" in found.sentence
            report.check(told, f"a page served as .jpg is {found}")
            made.server.serve(path, Answer(200, some_picture(), "image/jpeg"))
            report.check(isinstance(await album.picture(Key("a.jpg")), Pixels), "the photo after it is not shown")
            await imaging.aclose()


def run(size: int, seed: int) -> Report:
    """`size` mutated pictures; with a thousand or more all bombs, else six of the quick ones."""
    return asyncio.run(_provoke(size, seed))


FAULT = Measure(
    "F13", "mutated pictures, bombs, a page as .jpg: no crash, each told, the next one right", run, 150, 5_000
)
