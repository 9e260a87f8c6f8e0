"""The window's pictures: who wants which, what is under way, and what is held ready to be painted.

Whoever shows pictures declares what it wants, in order; it is called again when one is there. What nobody wants any
more is given up, whether it waits, is being fetched or decoded. Pixels of any number of pictures share one budget;
what is on the screen is held whatever it takes, and what finds no room is not decoded again until others are wanted.
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
_AT_A_TIME = 4  # of those that are not shown; what is shown never waits for them


@dataclass(slots=True)
class _UnderWay:
    name: str
    wish: Wish


class Gallery(QObject):
    """The pictures of the desk in force. `loaded` names a picture that is there now, or that cannot be had."""

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
        self._crowded_out: set[Key] = set()  # wanted, decoded, and let go since others are wanted more
        self._under_way: dict[Key, _UnderWay] = {}
        self._numbers = count(1)

    @property
    def held(self) -> PixelCache:
        """What is ready to be painted."""
        return self._held

    @property
    def album(self) -> Album:
        """The pictures of the desk in force, for work that goes on with them whatever desk comes next."""
        assert self._album is not None
        return self._album

    @property
    def busy(self) -> bool:
        """Whether any picture is being fetched or decoded."""
        return bool(self._under_way)

    def pids(self) -> list[int]:
        """The numbers of the processes that decode."""
        return [] if self._imaging is None else self._imaging.pids()

    def take_desk(self, desk: Desk) -> None:
        """Show the pictures of this desk from now on; of the one before nothing is held."""
        self._give_up(list(self._under_way))
        for each in (self._held, self._troubles, self._wanted_by, self._wanted, self._crowded_out):
            each.clear()
        if self._imaging is None:
            self._imaging = self._make_imaging()
        self._album = Album(desk, self._files, self._imaging)

    def look(self, key: Key) -> Pixels | NoPicture | None:
        """The picture, or why there is none; None while it is not known yet. Takes no time."""
        return self._held.look(key) or self._troubles.get(key)

    def want(
        self, owner: str, shown: Sequence[Key] = (), visible: Sequence[Key] = (), ahead: Sequence[Key] = ()
    ) -> None:
        """All that `owner` wants from now on, in place of what it wanted before: what a person waits for, what else is
        on the screen, what may be shown next."""
        wanted: dict[Key, Urgency] = {}
        for urgency, keys in ((Urgency.SHOWN, shown), (Urgency.VISIBLE, visible), (Urgency.PREFETCH, ahead)):
            for key in keys:
                wanted.setdefault(key, urgency)
        if wanted != self._wanted_by.get(owner):
            self._wanted_by[owner] = wanted
            self._crowded_out.clear()
            self._reckon()

    def retry(self, key: Key) -> None:
        """Fetch a picture anew, whatever is kept or known of it."""
        self._held.drop(key)
        self._troubles.pop(key, None)
        self._give_up([key] if key in self._under_way else [])
        if key in self._wanted:
            self._begin(key, fresh=True)

    async def contents(self, address: str) -> bytes | NoPicture:
        """The file as it came, for whoever saves it; kept from before, or fetched now."""
        assert self._album is not None
        return await self._album.contents(address)

    def try_again(self) -> None:
        """The provider can be reached again: fetch what could not be had."""
        for key in [key for key, trouble in self._troubles.items() if trouble.again]:
            del self._troubles[key]
        self._hand_out()

    async def forget_profile(self, profile: str) -> None:
        """Delete what was fetched for a profile."""
        await asyncio.get_running_loop().run_in_executor(None, self._files.forget_profile, profile)

    async def wipe(self) -> None:
        """Delete all that was fetched; what is shown stays until something else is."""
        await asyncio.get_running_loop().run_in_executor(None, self._files.wipe)

    async def aclose(self, patience: float) -> None:
        """Give everything up and end the processes."""
        await self._tasks.aclose(patience)
        if self._imaging is not None:
            await self._imaging.aclose()

    def _reckon(self) -> None:
        self._wanted = {}
        for wanted in self._wanted_by.values():
            for key, urgency in wanted.items():
                self._wanted[key] = min(urgency, self._wanted.get(key, urgency))
        self._give_up([key for key in self._under_way if key not in self._wanted])
        # What nobody looks at is tried anew when somebody comes back to it.
        self._troubles = {key: trouble for key, trouble in self._troubles.items() if key in self._wanted}
        for key, under_way in self._under_way.items():
            under_way.wish.urgency = self._wanted[key]
        self._hand_out()

    def _hand_out(self) -> None:
        """Begin with what is wanted most; what is shown at once."""
        waiting = [
            key
            for key in self._wanted
            if key not in self._held
            and key not in self._under_way
            and key not in self._troubles
            and key not in self._crowded_out
        ]
        for key in sorted(waiting, key=lambda key: self._wanted[key]):
            if self._wanted[key] > Urgency.SHOWN and len(self._under_way) >= _AT_A_TIME:
                return
            self._begin(key)

    def _begin(self, key: Key, *, fresh: bool = False) -> None:
        under_way = _UnderWay(f"picture {next(self._numbers)}", Wish(self._wanted[key]))
        self._under_way[key] = under_way
        self._tasks.read(under_way.name, self._bring(key, under_way, fresh=fresh))

    async def _bring(self, key: Key, under_way: _UnderWay, *, fresh: bool) -> None:
        assert self._album is not None
        try:
            found = await self._album.picture(key, under_way.wish, fresh=fresh)
        finally:
            if self._under_way.get(key) is under_way:
                del self._under_way[key]
        if isinstance(found, NoPicture):
            self._troubles[key] = found
        else:
            self._have_file(key.address)
            shown = [each for each, urgency in self._wanted.items() if urgency < Urgency.PREFETCH]
            ahead = [each for each, urgency in self._wanted.items() if urgency == Urgency.PREFETCH]
            self._crowded_out.update(each for each in self._held.put(key, found, shown, ahead) if each in ahead)
        self._hand_out()
        self.loaded.emit(key)

    def _have_file(self, address: str) -> None:
        """The file is there now: what could not be fetched of it in another size can be had as well."""
        for key, trouble in list(self._troubles.items()):
            if key.address == address and not trouble.fetched:
                del self._troubles[key]

    def _give_up(self, keys: Sequence[Key]) -> None:
        for key in keys:
            self._tasks.cancel(self._under_way.pop(key).name)
