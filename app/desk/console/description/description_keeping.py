"""Fetches the description of the management service, and keeps it: what was read last is there at once and offline.

A fetched description that cannot be read, or names no operation, never replaces an older one that could. services.md
names an address of a description for the management service only; the operations of the other one are the contract's.
"""

import asyncio
from dataclasses import dataclass, replace
from datetime import datetime

from app.api.errors import ApiError
from app.desk.console.description import description_words as words
from app.desk.console.description.described import Description
from app.desk.console.description.read_description import DescriptionTrouble, read_description
from app.desk.desk import Desk
from app.store.console import description_store
from app.store.sqlite.text_values import local
from app.store.store_errors import StoreError


@dataclass(frozen=True, slots=True)
class KeptDescription:
    """The description. `fetched_at` is local time, None where none was ever fetched; `trouble` says why the latest
    attempt brought nothing new, empty after a success."""

    description: Description | None
    fetched_at: datetime | None
    trouble: str = ""


async def kept(desk: Desk) -> KeptDescription:
    """The kept description, at once and without the network."""
    try:
        found = await desk.console_file().read(
            description_store.get_description, desk.profile.id, desk.profile.base_url
        )
    except StoreError as error:
        return KeptDescription(None, None, error.sentence)
    if found is None:
        return KeptDescription(None, None)
    try:
        description = await _read(found.text)
    except DescriptionTrouble as error:
        return KeptDescription(None, None, error.sentence)
    return KeptDescription(description, local(found.fetched_at))


async def fetch(desk: Desk) -> KeptDescription:
    """The description asked for anew. Where that brings none the kept one, with the reason as `trouble`."""
    if desk.provider is None:
        return replace(await kept(desk), trouble=desk.trouble)
    try:
        text = await desk.provider.management.description()
        description = await _read(text)
        # A page for a login or a maintenance notice may be JSON too; it must not replace what was kept.
        if not description.operations:
            raise DescriptionTrouble(words.NO_OPERATIONS)
    except ApiError as error:
        desk.timing.back_off(error.rest)
        return replace(await kept(desk), trouble=error.sentence)
    except DescriptionTrouble as error:
        return replace(await kept(desk), trouble=error.sentence)
    return await _keep(desk, text, description)


async def _keep(desk: Desk, text: bytes, description: Description) -> KeptDescription:
    now = desk.now()
    try:
        await desk.console_file().write(
            description_store.put_description, desk.profile.id, desk.profile.base_url, text, now
        )
    except StoreError as error:
        return KeptDescription(description, now, error.sentence)
    return KeptDescription(description, now)


async def _read(text: bytes) -> Description:
    """Read on a thread: a long description takes as long as many frames."""
    return await asyncio.get_running_loop().run_in_executor(None, read_description, text)
