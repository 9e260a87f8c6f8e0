"""Pictures and documents: drawn when they are first asked for, then kept in the data directory."""

import asyncio
import os
from contextlib import suppress
from pathlib import Path

from aiohttp import web

from app.practice.operation_answers import Picture
from app.practice.running_service import RunningService
from app.practice.web.fault_injection import Faults
from app.practice.web.send import send_bytes

_TYPES = {".jpg": "image/jpeg", ".png": "image/png", ".pdf": "application/pdf", ".webp": "image/webp"}


async def send_picture(
    service: RunningService, request: web.Request, picture: Picture, faults: Faults
) -> web.StreamResponse:
    """Sends a file, drawing it in another thread where it is not there yet."""
    loop = asyncio.get_running_loop()
    body = await loop.run_in_executor(service.drawing_threads, _drawn, service.folder / "pictures", picture)
    kind = _TYPES.get(Path(picture.filename).suffix, "application/octet-stream")
    return await send_bytes(service, request, body, kind, 200, faults)


def _drawn(folder: Path, picture: Picture) -> bytes:
    path = folder / picture.filename
    if not picture.kept:
        return picture.draw()
    with suppress(OSError):  # not there yet, or there and not readable: either way it is drawn
        return path.read_bytes()
    body = picture.draw()
    # Keeping it only saves drawing it again: on a full disk it is sent all the same.
    with suppress(OSError):
        folder.mkdir(exist_ok=True)
        # Another thread may be drawing the same: the last one puts the same bytes in the same place.
        unfinished = path.with_name(f"{path.name}.{os.getpid()}-{id(picture)}")
        unfinished.write_bytes(body)
        unfinished.replace(path)
    return body
