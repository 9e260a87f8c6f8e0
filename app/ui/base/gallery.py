"""The window's pictures: requests by owner, fetching and decoding, and a cache of pixels.

An owner declares all pictures that it wants, by urgency; `loaded` tells when one is there. A picture that no owner
wants any more is given up, whether it waits, is being fetched or decoded. Invariants: pixels share one budget, but a
picture on the screen is never dropped. A picture that was dropped for want of memory is not decoded again until the
requests change.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.desk.desk import Desk
from app.desk.files.album import Album, Key, NoPicture, PixelCache
from app.imaging.imaging import Imaging, Urgency, Wish
from app.imaging.pixels import Pixels
from app.runtime.sink import Sink
from app.runtime.tasks import Tasks

if TYPE_CHECKING:
    from app.store.picture_files import PictureFiles

BUDGET = 128 * 1024 * 1024  # bytes of pixels: some thirty photos as large as a window
_AT_A_TIME = 4  # pictures that are not on the screen; those that are never wait


@dataclass(slots=True)
class _UnderWay:
    name: str
    wish: Wish


class Gallery(QObject):
    """The pictures of the desk in force. `loaded` carries the key of a picture that is there, or that has failed."""

    loaded = Signal(object)  # a Key

    def __init__(
        self,
        sink: Sink,
        files: "PictureFiles",
        *,
        budget: int = BUDGET,
        imaging: Callable[[], Imaging] = Imaging,
    ) -> None:
        super().__init__()
        self._files, self._make_imaging = files, imaging
        self._tasks = Tasks(sink, "pictures")
        self._imaging: Imaging | None = None
        self._album: Album | None = None
        self._held = PixelCache(budget)
        self._troubles: dict[Key, NoPicture] = {}
        self._wanted_by: dict[str, dict[Key, Urgency]] = {}
        self._wanted: dict[Key, Urgency] = {}
        self._evicted: set[Key] = set()  # decoded, and dropped for others that are wanted more
        self._under_way: dict[Key, _UnderWay] = {}
        self._numbers = count(1)

    @property
    def held(self) -> PixelCache:
        """The cache of pixels."""
        return self._held

    @property
    def album(self) -> Album:
        """The album of the desk in force. Work that outlasts the desk keeps its album."""
        assert self._album is not None
        return self._album

    @property
    def busy(self) -> bool:
        """Whether any picture is being fetched or decoded."""
        return bool(self._under_way)

    def pids(self) -> list[int]:
        """The process ids of the decoders."""
        return [] if self._imaging is None else self._imaging.pids()

    def take_desk(self, desk: Desk) -> None:
        """Work for another desk; nothing of the former one stays in the cache."""
        self._give_up(list(self._under_way))
        for each in (self._held, self._troubles, self._wanted_by, self._wanted, self._evicted):
            each.clear()
        if self._imaging is None:
            self._imaging = self._make_imaging()
        self._album = Album(desk, self._files, self._imaging)

    def look(self, key: Key) -> Pixels | NoPicture | None:
        """The picture, or why there is none; None while it is loading. Never blocks."""
        return self._held.look(key) or self._troubles.get(key)

    def want(
        self, owner: str, shown: Sequence[Key] = (), visible: Sequence[Key] = (), ahead: Sequence[Key] = ()
    ) -> None:
        """Replace all requests of `owner`.

        `shown`: a person waits for it; `visible`: it is also on the screen; `ahead`: it may be shown next.
        """
        wanted: dict[Key, Urgency] = {}
        for urgency, keys in ((Urgency.SHOWN, shown), (Urgency.VISIBLE, visible), (Urgency.PREFETCH, ahead)):
            for key in keys:
                wanted.setdefault(key, urgency)
        if wanted != self._wanted_by.get(owner):
            self._wanted_by[owner] = wanted
            # Other pictures are wanted now, so there may be room for those that were dropped.
            self._evicted.clear()
            self._update_wanted()

    def retry(self, key: Key) -> None:
        """Fetch a picture again, past all caches."""
        self._held.drop(key)
        self._troubles.pop(key, None)
        self._give_up([key] if key in self._under_way else [])
        if key in self._wanted:
            self._begin(key, fresh=True)

    async def contents(self, address: str) -> bytes | NoPicture:
        """The file itself, from the disk cache or fetched now."""
        assert self._album is not None
        return await self._album.contents(address)

    def try_again(self) -> None:
        """Fetch failed pictures again, once the provider can be reached."""
        for key in [key for key, trouble in self._troubles.items() if trouble.again]:
            del self._troubles[key]
        self._start_waiting()

    async def forget_profile(self, profile: str) -> None:
        """Delete the files of a connection."""
        # On a thread, because it deletes file by file.
        await asyncio.get_running_loop().run_in_executor(None, self._files.forget_profile, profile)

    async def wipe(self) -> None:
        """Delete all files. Pictures on the screen stay until others are shown."""
        await asyncio.get_running_loop().run_in_executor(None, self._files.wipe)

    async def aclose(self, patience: float) -> None:
        """Give up all requests and end the decoders."""
        # First: a request that still runs uses the decoders.
        await self._tasks.aclose(patience)
        if self._imaging is not None:
            await self._imaging.aclose()

    def _update_wanted(self) -> None:
        self._wanted = {}
        for wanted in self._wanted_by.values():
            for key, urgency in wanted.items():
                self._wanted[key] = min(urgency, self._wanted.get(key, urgency))
        self._give_up([key for key in self._under_way if key not in self._wanted])
        # A failed picture is tried again once an owner has dropped it and asks for it anew.
        self._troubles = {key: trouble for key, trouble in self._troubles.items() if key in self._wanted}
        for key, under_way in self._under_way.items():
            under_way.wish.urgency = self._wanted[key]
        self._start_waiting()

    def _start_waiting(self) -> None:
        """Start pictures by urgency; those on the screen at once."""
        waiting = [
            key
            for key in self._wanted
            if key not in self._held
            and key not in self._under_way
            and key not in self._troubles
            and key not in self._evicted
        ]
        for key in sorted(waiting, key=lambda key: self._wanted[key]):
            if self._wanted[key] > Urgency.SHOWN and len(self._under_way) >= _AT_A_TIME:
                return
            self._begin(key)

    def _begin(self, key: Key, *, fresh: bool = False) -> None:
        under_way = _UnderWay(f"picture {next(self._numbers)}", Wish(self._wanted[key]))
        self._under_way[key] = under_way
        self._tasks.read(under_way.name, self._load(key, under_way, fresh=fresh))

    async def _load(self, key: Key, under_way: _UnderWay, *, fresh: bool) -> None:
        assert self._album is not None
        try:
            found = await self._album.picture(key, under_way.wish, fresh=fresh)
        finally:
            # A picture that was given up and asked for again has another task under the same key.
            if self._under_way.get(key) is under_way:
                del self._under_way[key]
        if isinstance(found, NoPicture):
            self._troubles[key] = found
        else:
            self._forget_fetch_failures(key.address)
            shown = [each for each, urgency in self._wanted.items() if urgency < Urgency.PREFETCH]
            ahead = [each for each, urgency in self._wanted.items() if urgency == Urgency.PREFETCH]
            self._evicted.update(each for each in self._held.put(key, found, shown, ahead) if each in ahead)
        self._start_waiting()
        self.loaded.emit(key)

    def _forget_fetch_failures(self, address: str) -> None:
        """The file of an address is there: forget that fetching it failed for another size."""
        for key, trouble in list(self._troubles.items()):
            if key.address == address and not trouble.fetched:
                del self._troubles[key]

    def _give_up(self, keys: Sequence[Key]) -> None:
        for key in keys:
            self._tasks.cancel(self._under_way.pop(key).name)
