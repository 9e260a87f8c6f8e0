"""Looks for orders that left the open list: the completed list is looked at first, the rest are asked for by number.

A few at a time: the next refresh goes on where this one ended, since the cache knows who was asked for and when. What
is found nowhere stays where it is, for a person to look at.
"""

from dataclasses import dataclass
from datetime import timedelta

from app.api.errors import ApiError, BrokenReply, NotFound, ServerFault
from app.desk.desk import Desk
from app.desk.sync_window import ask, store_single
from app.store import cache_windows

AT_ONCE = 40  # orders asked for by their number in one refresh
_REST = timedelta(hours=1)  # before an order that was not found is asked for again
_SAID_OPEN, _SAID_NOTHING = "still open", "no such order"
_LEFT_ALONE = "The provider asked to be left alone."
_ITS_OWN = (NotFound, BrokenReply, ServerFault)  # trouble that may be one order's own


@dataclass(frozen=True, slots=True)
class Departed:
    """How many orders were asked for by number, and how many are on no list still; why the asking ended early."""

    asked: int = 0
    unfound: int = 0
    unasked: int = 0
    trouble: str = ""


async def look_for_departed(desk: Desk, limit: int = AT_ONCE) -> Departed:
    """Ask for up to `limit` orders that left the open list and were not seen on another. Raises `StoreError`."""
    profile, asked, trouble = desk.profile.id, 0, ""
    for number in await desk.cache.write(cache_windows.departed, profile, limit, desk.now() - _REST):
        if desk.provider is None or desk.timing.left_alone:
            trouble = desk.trouble if desk.provider is None else _LEFT_ALONE
            break
        at, said = await ask(desk), _SAID_OPEN
        try:
            await store_single(desk, await desk.provider.information.order(number), at)
        except NotFound:
            said = _SAID_NOTHING
        except _ITS_OWN as error:
            said = error.sentence
        except ApiError as error:
            desk.timing.leave_alone(error.rest)
            trouble = error.sentence  # the next would meet the same
            break
        await desk.cache.write(cache_windows.note_asked, profile, number, at, said)
        asked += 1
    await desk.cache.write(cache_windows.departed, profile, 0, desk.now())  # those found are forgotten
    return Departed(asked, *await desk.cache.read(cache_windows.count_departed, profile), trouble)
