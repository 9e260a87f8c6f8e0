"""Deletes orders and audits of connections that were removed, in steps.

Invariant: the journal keeps what was sent through them, and the cache of a connection in use is not touched.
"""

from app.desk.connections.profiles import all_profiles
from app.desk.desk import Desk
from app.store.cache import forget


async def forget_gone(desk: Desk) -> None:
    """Delete the data of every removed connection. One that is added again keeps the rest. Raises `StoreError`."""
    for profile in await desk.reader.read(forget.profiles_with_data):
        more = True
        while more and profile not in await _in_use(desk):
            more = await desk.cache.write(forget.forget_step, profile)


async def _in_use(desk: Desk) -> set[str]:
    return {desk.profile.id, *(each.id for each in await all_profiles(desk.journal))}
