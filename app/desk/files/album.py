"""The photos and documents that records name: fetched once, kept as files, decoded as large as they are shown.

Invariant: whatever an address leads to ends as pixels or as a sentence, never as an error. Only what begins like a
picture is kept as a file. A photo that is wanted in two sizes at once is fetched once, whatever comes of that.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from app.desk.desk import Desk
from app.desk.files import files_words as words
from app.imaging.imaging import Imaging, Urgency, Wish
from app.imaging.pixels import Pixels, Region, Size, Trouble, TroubleKind
from app.store.picture_files import PictureFiles

T = TypeVar("T")
# The file is whole and is kept: fetched anew, with a photo of 50 MB a second time, it would be the same.
_AS_SENT: Collection[TroubleKind] = ("no such page", "too large", "protected")
_BEGINNINGS = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF", b"%PDF-")


@dataclass(frozen=True, slots=True)
class Key:
    """A picture as it is shown: the address a record names, the room there is in pixels of the screen (None: full
    size), the page of a document, from 0, and the region of it that fills the room (None: all of it)."""

    address: str
    box: Size | None = None
    page: int = 0
    region: Region | None = None


@dataclass(frozen=True, slots=True)
class NoPicture:
    """Why there is nothing to show, for people; `again` says whether it may help to fetch it anew, `fetched` that the
    file is there and is no picture, or none that could be made."""

    sentence: str
    again: bool = True
    fetched: bool = field(default=False, compare=False)


class Album:
    """The pictures of one desk; `files` holds those of all."""

    def __init__(self, desk: Desk, files: PictureFiles, imaging: Imaging) -> None:
        self._desk, self._files, self._imaging = desk, files, imaging
        self._fetching: dict[str, _Turn] = {}

    async def picture(self, key: Key, wish: Wish | None = None, *, fresh: bool = False) -> Pixels | NoPicture:
        """Fetch and decode. `fresh` ignores the kept file. Cancel the task when the picture is not needed any more."""
        data = await self.contents(key.address, fresh=fresh)
        if isinstance(data, NoPicture):
            return data
        outcome = await self._imaging.decode(data, key.box, page=key.page, region=key.region, wish=wish)
        if not isinstance(outcome, Trouble):
            return outcome
        return NoPicture(outcome.sentence, again=outcome.kind not in _AS_SENT, fetched=True)

    async def picture_for_file(self, key: Key) -> Pixels | NoPicture:
        """Fetch and decode for a file that is made in the background: pictures on the screen come first."""
        return await self.picture(key, Wish(Urgency.BACKGROUND))

    async def contents(self, address: str, *, fresh: bool = False) -> bytes | NoPicture:
        """The file at an address, unchanged: kept from before, or fetched now."""
        profile = self._desk.profile.id
        async with self._turn(address) as while_waiting:
            if while_waiting is not None:
                return while_waiting
            if not fresh:
                kept = await _in_thread(self._files.read, profile, address)
                if kept is not None:
                    return kept
            data = await self._fetched(address)
            self._fetching[address].ended_with(data)
            # Only what can be shown: a page that says "log in" would stand for the photo until it is too old.
            if isinstance(data, bytes) and data.startswith(_BEGINNINGS):
                await _in_thread(self._files.keep, profile, address, data)
            return data

    async def _fetched(self, address: str) -> bytes | NoPicture:
        # Deferred: the client is imported after the first paint.
        from app.api.errors import ApiError, BadAddress, NotAllowed, NotFound

        provider = self._desk.provider
        if provider is None:
            return NoPicture(words.NOT_CONNECTED)
        try:
            return (await provider.information.fetch(address)).body
        except NotFound:
            return NoPicture(words.PICTURE_GONE)
        except (BadAddress, NotAllowed) as error:
            return NoPicture(error.sentence, again=isinstance(error, NotAllowed))
        except ApiError as error:
            return NoPicture(error.sentence)

    @asynccontextmanager
    async def _turn(self, address: str) -> AsyncIterator[bytes | NoPicture | None]:
        """Let one fetch an address at a time. Gives the outcome of a fetch that ended while this one waited.

        The outcome may be trouble: otherwise each of those who wait would wait for the same timeout in turn.
        """
        turn = self._fetching.setdefault(address, _Turn())
        turn.wanted += 1
        before = turn.count
        try:
            async with turn.lock:
                yield turn.outcome if turn.count > before else None
        finally:
            turn.wanted -= 1
            # Else a lock would stay for each address that was ever asked for.
            if not turn.wanted:
                del self._fetching[address]


class _Turn:
    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.wanted = 0  # by how many
        self.count = 0  # of what was fetched
        self.outcome: bytes | NoPicture | None = None  # the latest

    def ended_with(self, outcome: bytes | NoPicture) -> None:
        """A fetch ended: all who wait take its outcome."""
        self.count += 1
        self.outcome = outcome


class PixelCache:
    """Decoded pictures within a budget of bytes; the least recently seen one is dropped first."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.nbytes = 0
        self._pixels: dict[Key, Pixels] = {}

    def __len__(self) -> int:
        return len(self._pixels)

    def __contains__(self, key: Key) -> bool:
        return key in self._pixels

    def look(self, key: Key) -> Pixels | None:
        """The picture, which counts as seen now."""
        pixels = self._pixels.pop(key, None)
        if pixels is not None:
            self._pixels[key] = pixels
        return pixels

    def put(self, key: Key, pixels: Pixels, shown: Collection[Key] = (), ahead: Sequence[Key] = ()) -> list[Key]:
        """Hold a picture and return the keys that were dropped for it.

        Pictures that nobody needs go first, the least recently seen before the others; then pictures `ahead`, the last
        one first. Pictures that are `shown` stay however large they are.
        """
        self.drop(key)
        self._pixels[key] = pixels
        self.nbytes += pixels.nbytes
        wanted = {key, *shown, *ahead}
        leaving = [each for each in self._pixels if each not in wanted]
        leaving += [each for each in reversed(ahead) if each in self._pixels and each not in shown]
        gone = []
        for each in leaving:
            if self.nbytes <= self.budget:
                break
            self.drop(each)
            gone.append(each)
        return gone

    def drop(self, key: Key) -> None:
        """Drop a picture."""
        pixels = self._pixels.pop(key, None)
        if pixels is not None:
            self.nbytes -= pixels.nbytes

    def clear(self) -> None:
        """Drop all pictures."""
        self._pixels.clear()
        self.nbytes = 0


def prefetch_order(addresses: Sequence[str], at: int, direction: int, reach: int = 3) -> list[str]:
    """The pictures to fetch before they are asked for: the next ones in the direction of travel (1 or -1), then the one
    before, in case a person turns round. Each stands there once, and the one on screen not at all."""
    step = 1 if direction >= 0 else -1
    places = [*(at + step * far for far in range(1, reach + 1)), at - step]
    shown = addresses[at] if 0 <= at < len(addresses) else None
    found = dict.fromkeys(addresses[place] for place in places if 0 <= place < len(addresses))
    return [address for address in found if address != shown]


async def _in_thread(act: Callable[..., T], *words: object) -> T:
    return await asyncio.get_running_loop().run_in_executor(None, act, *words)
