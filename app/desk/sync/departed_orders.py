"""Looks up orders that left the open list and were not seen on the completed one, each by its number.

A refresh looks up a few; the next one goes on with the others, since the cache notes each look-up. Invariant: an order
that is found nowhere stays listed as departed, for a person to look at.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from app.api.errors import ApiError, BrokenReply, NotFound, ServerFault
from app.desk.desk import Desk
from app.desk.orders.stored_orders import counts
from app.desk.sync import sync_words
from app.desk.sync.fetch_window import stamp_request, store_order
from app.desk.sync.window_plan import Coverage
from app.store.cache import fetched_windows

AT_ONCE = 40  # look-ups in one refresh
_RETRY_AFTER = timedelta(hours=1)  # an order that was not found is looked up again
_STILL_OPEN, _NO_SUCH_ORDER = "still open", "no such order"  # outcomes, as the cache keeps them
_OF_ONE_ORDER = (NotFound, BrokenReply, ServerFault)  # trouble that other orders need not meet


# At least so many orders, and such a share of the open ones, do not leave a list at once without being completed or
# cancelled.
_SUSPICIOUS, _SHARE = 3, 0.1


@dataclass(frozen=True, slots=True)
class Departed:
    """How many orders were looked up, how many are still on no list, and how many of those were never looked up.

    `trouble` says why the look-ups ended early; `still_open` orders are open when looked up by number; `open` is how
    many the open list holds.
    """

    asked: int = 0
    unfound: int = 0
    unasked: int = 0
    trouble: str = ""
    still_open: int = 0
    open: int = 0

    @property
    def suspicious(self) -> bool:
        """Whether so many are on no list that the provider's list itself may be wrong."""
        return self.unfound >= max(_SUSPICIOUS, _SHARE * (self.open + self.unfound))


@dataclass(frozen=True, slots=True)
class OpenCount:
    """How many orders the open list held, and when that was fetched."""

    orders: int
    at: datetime


async def open_count(desk: Desk, known: Coverage) -> OpenCount | None:
    """How many open orders there are before a refresh; None if none were fetched yet. Raises `StoreError`."""
    fetched = [each.fetched_at for each in known.get("open", ()) if each.fetched_at is not None]
    count = (await counts(desk))["open"]
    return OpenCount(count, max(fetched)) if fetched else None


async def look_for_departed(desk: Desk, limit: int = AT_ONCE) -> Departed:
    """Look up as many as `limit` orders that left the open list and were seen on no other. Raises `StoreError`."""
    profile, asked, trouble = desk.profile.id, 0, ""
    for number in await desk.cache.write(fetched_windows.departed, profile, limit, desk.now() - _RETRY_AFTER):
        if desk.provider is None or desk.timing.backing_off:
            trouble = desk.trouble if desk.provider is None else sync_words.BACKING_OFF
            break
        at, outcome = await stamp_request(desk), _STILL_OPEN
        try:
            await store_order(desk, await desk.provider.information.order(number), at)
        except NotFound:
            outcome = _NO_SUCH_ORDER
        except _OF_ONE_ORDER as error:
            outcome = error.sentence
        except ApiError as error:
            desk.timing.back_off(error.rest)
            trouble = error.sentence  # every other order would meet it too
            break
        await desk.cache.write(fetched_windows.note_lookup, profile, number, at, outcome)
        asked += 1
    await desk.cache.write(fetched_windows.departed, profile, 0, desk.now())  # drops those that were found
    unfound, unasked = await desk.cache.read(fetched_windows.count_departed, profile)
    still_open = await desk.cache.read(fetched_windows.count_with_outcome, profile, _STILL_OPEN)
    return Departed(asked, unfound, unasked, trouble, still_open, (await counts(desk))["open"])
