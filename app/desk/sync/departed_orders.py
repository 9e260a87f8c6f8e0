"""Looks for orders that left the open list: the completed list is looked at first, the rest are asked for by number.

A few at a time: the next refresh goes on where this one ended, since the cache knows who was asked for and when. What
is found nowhere stays where it is, for a person to look at.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from app.api.errors import ApiError, BrokenReply, NotFound, ServerFault
from app.desk.desk import Desk
from app.desk.orders.stored_orders import counts
from app.desk.sync.fetch_window import ask, store_single
from app.desk.sync.window_plan import Known
from app.store.cache import fetched_windows

AT_ONCE = 40  # orders asked for by their number in one refresh
_REST = timedelta(hours=1)  # before an order that was not found is asked for again
_SAID_OPEN, _SAID_NOTHING = "still open", "no such order"
_LEFT_ALONE = "The provider asked to be left alone."
_ITS_OWN = (NotFound, BrokenReply, ServerFault)  # trouble that may be one order's own


# So many orders, and such a share of the open ones, do not leave a list at once without being completed or cancelled.
_SUSPICIOUS, _SHARE = 3, 0.1


@dataclass(frozen=True, slots=True)
class Departed:
    """How many orders were asked for by number, and how many are on no list still; why the asking ended early.

    `still_open` of those are open when asked for by number; `open` is how many the open list holds.
    """

    asked: int = 0
    unfound: int = 0
    unasked: int = 0
    trouble: str = ""
    still_open: int = 0
    open: int = 0

    @property
    def suspicious(self) -> bool:
        """Whether so many are on no list that the provider's list may be what is wrong."""
        return self.unfound >= max(_SUSPICIOUS, _SHARE * (self.open + self.unfound))


@dataclass(frozen=True, slots=True)
class Had:
    """How many orders the open list held, and when that was told."""

    orders: int
    at: datetime


async def had(desk: Desk, known: Known) -> Had | None:
    """How many open orders there are before a refresh; None where nobody knows. Raises `StoreError`."""
    told = [each.fetched_at for each in known.get("open", ()) if each.fetched_at is not None]
    count = (await counts(desk))["open"]
    return Had(count, max(told)) if told else None


async def look_for_departed(desk: Desk, limit: int = AT_ONCE) -> Departed:
    """Ask for up to `limit` orders that left the open list and were not seen on another. Raises `StoreError`."""
    profile, asked, trouble = desk.profile.id, 0, ""
    for number in await desk.cache.write(fetched_windows.departed, profile, limit, desk.now() - _REST):
        if desk.provider is None or desk.timing.backing_off:
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
            desk.timing.back_off(error.rest)
            trouble = error.sentence  # the next would meet the same
            break
        await desk.cache.write(fetched_windows.note_lookup, profile, number, at, said)
        asked += 1
    await desk.cache.write(fetched_windows.departed, profile, 0, desk.now())  # those found are forgotten
    unfound, unasked = await desk.cache.read(fetched_windows.count_departed, profile)
    still_open = await desk.cache.read(fetched_windows.count_with_outcome, profile, _SAID_OPEN)
    return Departed(asked, unfound, unasked, trouble, still_open, (await counts(desk))["open"])
