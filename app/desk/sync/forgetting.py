"""What was fetched through connections that are not there any more is deleted, a little at a time.

What was sent through them stays in the journal; orders and audits can be fetched again.
"""

from app.desk.connections.profiles import all_profiles
from app.desk.desk import Desk
from app.store.cache import forget


async def forget_gone(desk: Desk) -> None:
    """Delete it. One that is connected again meanwhile keeps what is left. Raises `StoreError`."""
    for profile in await desk.reader.read(forget.profiles_with_data):
        more = True
        while more and profile not in await _in_use(desk):
            more = await desk.cache.write(forget.forget_step, profile)


async def _in_use(desk: Desk) -> set[str]:
    return {desk.profile.id, *(each.id for each in await all_profiles(desk.journal))}
