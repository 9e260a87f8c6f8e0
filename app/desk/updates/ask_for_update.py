"""Asks for the list of versions, on the way that the calls of a connection take."""

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date

from app.api.network.transport import Transport
from app.api.network.trust import trust_with
from app.api.network.update_site import UpdateSite
from app.desk.updates import update_source
from app.desk.updates.this_program import systems
from app.desk.updates.update_source import Source
from app.desk.updates.updates_words import NO_KEY_GIVEN
from app.desk.updates.version_list import LARGEST, Newer, UpdateTrouble, choose, read_list
from app.store.sqlite.database import Database
from app.version import VERSION


@asynccontextmanager
async def site(source: Source, way: Transport) -> AsyncIterator[UpdateSite]:
    """The place of the list, closed when the block ends. Raises `ApiError`."""
    trust: ssl.SSLContext | None = await trust_with(way.authorities)
    opened = UpdateSite(source.address, way, trust)
    try:
        yield opened
    finally:
        await opened.aclose()


async def newer_version(journal: Database, source: Source, way: Transport, today: date) -> Newer | None:
    """The newer version that the list names, if it names one. Raises `ApiError`, `UpdateTrouble` and `StoreError`."""
    if not source.keys:
        raise UpdateTrouble(NO_KEY_GIVEN)
    async with site(source, way) as opened:
        found = read_list(await opened.read_list(cap=LARGEST), source.keys)
    seen = await update_source.highest_seen(journal, source.keys)
    newer = choose(found, VERSION, systems(), seen, today)
    # Only now: a list that is refused says nothing of what is the newest.
    await update_source.remember_seen(journal, found.key, found.number)
    return newer
