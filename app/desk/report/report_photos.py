"""Photos for a thread that paints pages: the thread asks for the photos of a page, the loop fetches and decodes them.

Invariant: at most the photos of one page and the next few are in memory, however many a report has. Photos are decoded
at the size they are printed, so that the file stays small.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from typing import TypeVar

from app.desk.files.album import Key, NoPicture
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.printing.page_marks import Page, Photograph, Photos
from app.desk.report.report_words import NO_ADDRESS
from app.imaging.pixels import Pixels, Size

T = TypeVar("T")
Picture = Callable[[Key], Awaitable[Pixels | NoPicture]]
SMALL_MM = 100.0  # a smaller photo is one of many, and printed less sharp
_DOTS_PER_MM, _FEWER_DOTS_PER_MM = 180 / 25.4, 150 / 25.4
_LOOK_S = 0.05
_PREFETCHED = 2  # photos that are decoded while the photos before them are painted


class PhotoSupply:
    """Made on the loop; `photos_of` and `call_on_loop` are called by the thread, while `run` serves it."""

    def __init__(self, picture: Picture, progress: Progress) -> None:
        self._picture, self._progress = picture, progress
        self._loop = asyncio.get_running_loop()
        self._asked: asyncio.Queue[Callable[[], Awaitable[None]] | None] = asyncio.Queue()
        self._under_way: asyncio.Future[tuple[None]] | None = None
        self._coming: Sequence[Photograph] = ()
        self._given = 0  # how many of them the thread has taken
        self._begun: dict[Photograph, asyncio.Future[tuple[Pixels | str]]] = {}
        self._ended = False

    def expect(self, pages: Sequence[Page]) -> None:
        """Photos of these pages will be asked for, in this order; the next ones are prefetched."""
        self._coming, self._given = [photo for page in pages for photo in page.photographs], 0

    def photos_of(self, page: Page) -> Photos:
        """Wait for the photos of a page. The thread calls this. Raises `Stopped`."""
        wanted = page.photographs
        return self.call_on_loop(lambda: self._photos(wanted)) if wanted else {}

    def call_on_loop(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run `work` on the loop and wait for its result. The thread calls this. Raises `Stopped`."""
        answer: Future[T] = Future()

        async def bring() -> None:
            try:
                answer.set_result(await work())
            except Exception as error:  # noqa: BLE001  # raised again in the thread that waits
                answer.set_exception(error)

        self._loop.call_soon_threadsafe(self._asked.put_nowait, bring)
        while True:
            self._progress.checkpoint()
            try:
                # In short turns, so that a stop is noticed.
                return answer.result(timeout=_LOOK_S)
            except TimeoutError:
                continue

    async def run(self, work: Callable[[], T]) -> T:
        """Do `work` on another thread and serve its photos. Cancelling this stops the work."""
        try:
            done, _ = await asyncio.gather(self._work(work), self._serve())
        finally:
            for each in self._begun.values():
                each.cancel()
            # Awaited, so that no fetch goes on after the report has ended.
            await asyncio.gather(*self._begun.values(), return_exceptions=True)
        return done

    async def _work(self, work: Callable[[], T]) -> T:
        try:
            return await in_thread(work, self._progress)
        finally:
            self._ended = True
            self._asked.put_nowait(None)
            if self._under_way is not None:
                self._under_way.cancel()  # the thread that waited is gone

    async def _serve(self) -> None:
        while (bring := await self._asked.get()) is not None:
            self._under_way = asyncio.gather(bring())
            try:
                await self._under_way
            except asyncio.CancelledError:
                if not self._ended:
                    raise
            finally:
                self._under_way = None

    async def _photos(self, wanted: Sequence[Photograph]) -> Photos:
        """The photos of a page. The next ones are begun before these are waited for."""
        self._given += len(wanted)
        for each in (*wanted, *self._coming[self._given : self._given + _PREFETCHED]):
            if each not in self._begun:
                self._begun[each] = asyncio.gather(self._one(each))
        found: dict[Photograph, Pixels | str] = {}
        for each in dict.fromkeys(wanted):
            (found[each],) = await self._begun[each]
            del self._begun[each]  # only now: if this is cancelled while it waits, `run` ends the task as well
        return found

    async def _one(self, wanted: Photograph) -> Pixels | str:
        if not wanted.address:
            return NO_ADDRESS
        found = await self._picture(Key(wanted.address, box_of(wanted), wanted.page))
        return found.sentence if isinstance(found, NoPicture) else found


def is_small(photo: Photograph) -> bool:
    """Whether the photo may be stored with less detail."""
    return max(photo.width, photo.height) < SMALL_MM


def box_of(photo: Photograph) -> Size:
    """The size in pixels at which the upright photo is sharp on paper after it was turned."""
    across, down = (photo.height, photo.width) if photo.turned % 180 else (photo.width, photo.height)
    dots = _FEWER_DOTS_PER_MM if is_small(photo) else _DOTS_PER_MM
    return Size(max(1, round(across * dots)), max(1, round(down * dots)))
