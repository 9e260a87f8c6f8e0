"""Fetches a package beside the list, and holds it to what the list says of it.

What was fetched lies in a folder of its own under the name of its digest until it is whole and checked; what broke off
goes on from there, also after the next start. Invariant: a file with the name of a package was checked. Everything else
in the folder is deleted, so that it holds one package at most.
"""

import asyncio
import errno
import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from app.api.errors import ApiError, BadAddress, BrokenReply, NotFound, ProxyRefused
from app.api.network.update_site import UpdateSite
from app.desk.updates import updates_words as words
from app.desk.updates.version_list import Package, UpdateTrouble

_TRIES = 5
_FIRST_REST_S = 1.0
_SPARE = 8 * 1024 * 1024  # bytes that stay free on the disk
# A piece of the network is some KB: written one by one, each would take a trip to a thread.
_BLOCK = 1024 * 1024
_FOR_GOOD = (BadAddress, NotFound, ProxyRefused)  # a second try would end the same


async def download(
    opened: UpdateSite, package: Package, folder: Path, tell: Callable[[int], object], rest: float = _FIRST_REST_S
) -> Path:
    """The package, whole and checked. `tell` hears how many bytes are there. Raises `ApiError` and `UpdateTrouble`.

    A connection that breaks off is tried again after `rest` seconds, twice as many each time.
    """
    target, part = folder / package.name, folder / f"{package.sha256}.part"
    try:
        if await asyncio.to_thread(_prepared, target, part, package):
            tell(package.size)
            return target
        await _fetch_in_tries(opened, package, part, tell, rest)
        if not await asyncio.to_thread(is_whole, part, package):
            # Bytes of the right number and the wrong content cannot be mended by fetching more of them.
            await asyncio.to_thread(part.unlink)
            raise UpdateTrouble(words.REPLACED)
        await asyncio.to_thread(part.replace, target)
    except OSError as error:
        raise await asyncio.to_thread(_disk_trouble, error, part, package) from error
    return target


def is_whole(path: Path, package: Package) -> bool:
    """Whether the file is, to the byte, the one that the list names. Raises OSError."""
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size != package.size:
            return False
        return hashlib.file_digest(file, "sha256").hexdigest() == package.sha256


def _prepared(target: Path, part: Path, package: Package) -> bool:
    """Make the folder ready; whether the package is there already."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    for other in target.parent.iterdir():
        if other not in (target, part):
            other.unlink()
    if target.exists():
        if is_whole(target, package):
            return True
        target.unlink()
    if part.exists() and part.stat().st_size > package.size:
        part.unlink()
    wanted = package.size - _size(part) + _SPARE
    if shutil.disk_usage(target.parent).free < wanted:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    return False


async def _fetch_in_tries(
    opened: UpdateSite, package: Package, part: Path, tell: Callable[[int], object], rest: float
) -> None:
    for attempt in range(_TRIES):
        try:
            await _fetch(opened, package, part, tell)
            return
        except ApiError as error:
            if isinstance(error, _FOR_GOOD) or attempt == _TRIES - 1:
                raise
        await asyncio.sleep(rest * 2**attempt)


async def _fetch(opened: UpdateSite, package: Package, part: Path, tell: Callable[[int], object]) -> None:
    have = await asyncio.to_thread(_size, part)
    if have == package.size:
        return
    async with opened.open(package.name, have) as (first, pieces):
        have = first
        tell(have)
        block = bytearray()
        async for piece in pieces:
            block += piece
            if have + len(block) > package.size:
                break  # it is another file, which its size will tell; the rest of it need not come
            if len(block) >= _BLOCK:
                have += await _write(part, have, block)
                tell(have)
        have += await _write(part, have, block)
        tell(have)
    if have < package.size:  # a server may end an answer early and in good order
        raise BrokenReply(words.BROKE_OFF, broke_off=True)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


async def _write(part: Path, have: int, block: bytearray) -> int:
    """Write the block behind the first `have` bytes and empty it; how many bytes it had."""
    whole = bytes(block)
    block.clear()

    def write() -> None:
        with part.open("ab" if have else "wb") as file:
            file.write(whole)

    writing = asyncio.get_running_loop().run_in_executor(None, write)
    try:
        await asyncio.shield(writing)
    except asyncio.CancelledError:
        await asyncio.wait([writing])  # the thread goes on, and the next try begins at the size of the file
        raise
    return len(whole)


def _disk_trouble(error: OSError, part: Path, package: Package) -> UpdateTrouble:
    """The sentence about it; a part that fills the disk is deleted, since orders need the room more."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        part.unlink(missing_ok=True)
        return UpdateTrouble(words.no_room(part.parent, -(-(package.size + _SPARE) // 1_000_000)))
    return UpdateTrouble(words.not_written(part.parent, error.strerror or str(error)))
