"""A real window that pages through photos of 12 megapixels from a practice service, and watches itself.

Started by the measures of photos as a process of its own: FOLDER FACTS COUNT KILLS ZOOM (0 is fit). Every photo is
waited for until it is sharp, then the next ones until they are there too, as a person looks at one for a moment. With
KILLS, that many times a random child is killed at a random moment. Prints one JSON line and ends.
"""

import asyncio
import json
import os
import random
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

from app.desk.audits.audit_reviews import PhotoReview
from app.ui.base.gallery import BUDGET, Gallery
from app.ui.viewer.photo import Photo
from app.ui.viewer.photo_viewer import PhotoViewer
from tests.bench.bench_window import Opened, in_a_window
from tests.bench.pulse import Pulse, peak_mib

_SIZE = (1600, 1000)
_PATIENCE = 60.0


async def photo_addresses(opened: Opened, count: int) -> list[str]:
    """The addresses of this many photos, as the audits name them."""
    assert opened.desk.provider is not None
    information, found = opened.desk.provider.information, list[str]()
    today = opened.desk.now().date()
    audits = [audit async for batch in information.audits(today.replace(year=today.year - 1), today) for audit in batch]
    for audit in audits:
        assert audit.auditId is not None
        found += [row.imageUrl for row in await information.audit(audit.auditId) if row.imageUrl]
        if len(found) >= count:
            return found[:count]
    raise ValueError(f"only {len(found)} photos")


def resident_mib() -> float:
    """Memory that this process holds now."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise LookupError("VmRSS")


class Paging:
    """Goes through the photos by key, in the viewer of the audits, and notes what each took."""

    def __init__(self, viewer: PhotoViewer, gallery: Gallery, kills: int) -> None:
        self.viewer, self.gallery, self.kills, self.killed, self.lost, self.troubles = viewer, gallery, kills, 0, 0, 0
        self.prefetched: list[float] = []
        self.memory: list[float] = []
        self.came = asyncio.Event()
        gallery.loaded.connect(self._on_came)
        self._chance = random.Random(1)

    def _on_came(self, _key: object) -> None:
        self.came.set()

    @property
    def sharp(self) -> bool:
        """Whether the photo that is gone to is shown as sharp as the screen."""
        return all(each.is_sharp() for each in self.viewer.panes if each.isVisible())

    async def until_there(self, *, all_of_them: bool) -> None:
        """Until the photo is sharp, or the next ones are there too; one that could not be decoded is tried again."""
        async with asyncio.timeout(_PATIENCE):
            while not self.sharp or (all_of_them and self.gallery.busy):
                self.came.clear()
                if self.viewer.panes[0].trouble is not None:
                    self.troubles += 1
                    self.viewer.refetch()
                await self.came.wait()

    async def page(self, count: int) -> None:
        """Key by key to the last photo."""
        for number in range(count - 1):
            await self.until_there(all_of_them=not self.kills)
            if number % 50 == 10:
                self.memory.append(resident_mib())
            if self.killed < self.kills:
                await asyncio.sleep(self._chance.random() * 0.05)
                self._kill()
            self._press()
            self.lost += self.viewer.photo is not self.viewer.photos[number + 1]
        await self.until_there(all_of_them=True)
        self.memory.append(resident_mib())

    def _kill(self) -> None:
        pids = self.gallery.pids()
        if pids:
            self.killed += 1
            try:
                os.kill(self._chance.choice(pids), signal.SIGKILL)
            except ProcessLookupError:  # it has just been killed
                return

    def _press(self) -> None:
        ready = not self.kills
        began = time.perf_counter()
        self.viewer.photo_after()
        if ready and self.sharp:
            self.viewer.repaint()
            self.prefetched.append((time.perf_counter() - began) * 1000)


async def page(opened: Opened, count: int, kills: int, zoom: float) -> None:
    addresses = await photo_addresses(opened, count)
    gallery = opened.shell.pictures.gallery()
    viewer = PhotoViewer(replace(opened.shell.services, pictures=opened.shell.pictures.gallery), "bench")
    opened.shell.services.theme.dress(viewer)
    viewer.resize(*_SIZE)
    viewer.show()
    viewer.take_desk()
    await asyncio.sleep(0.5)  # the window system has given it its size
    viewer.look_at(zoom or None)
    viewer.show_photos([Photo(each, at, f"Photo {at}", PhotoReview()) for at, each in enumerate(addresses)])
    before, pulse, began = peak_mib(), Pulse(), time.perf_counter()
    paging = Paging(viewer, gallery, kills)
    await paging.page(count)
    found = {
        "photos": count,
        "room": [round(each) for each in viewer.panes[0].room()],
        "seconds": round(time.perf_counter() - began, 2),
        **pulse.stop(),
        "prefetched": len(paging.prefetched),
        "key_to_painted_ms": paging.prefetched,
        "resident_mib": [round(each, 1) for each in paging.memory],
        "held_mib": round(gallery.held.nbytes / 2**20, 1),
        "budget_mib": BUDGET / 2**20,
        "killed": paging.killed,
        "lost": paging.lost,
        "troubles": paging.troubles,
        "peak_before_mib": round(before, 1),
        "peak_mib": round(peak_mib(), 1),
    }
    print(json.dumps(found), flush=True)
    viewer.hide()
    viewer.deleteLater()


if __name__ == "__main__":
    folder, facts, photos, killings, scale_of = sys.argv[1:6]
    sys.exit(
        in_a_window(
            Path(folder), json.loads(facts), lambda opened: page(opened, int(photos), int(killings), float(scale_of))
        )
    )
