"""Forgetting what was fetched for a profile, a little at a time, so that nobody who stores has to wait for long."""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

import apsw

from app.store.cache.index.segments import mark_unindexed
from app.store.cache.order_store import KEYED, forget_profile, partitions_of
from app.store.cache.schema.cache_schema import MAX_NUMBER, NUMBER_BITS
from app.store.sqlite.plain_rows import key_array, rows

AT_A_TIME = 1_000  # orders: a tenth of a second
_OF_A_PROFILE = ("windows", "departed", "replies", "audits", "audit_answers", "audit_windows", "topics")


def profiles_held(c: apsw.Connection) -> list[str]:
    """The profiles of which anything is kept here."""
    orders = (
        f"SELECT profile FROM partitions WHERE EXISTS (SELECT 1 FROM seen WHERE id >= partition << {NUMBER_BITS} "
        f"AND id <= partition << {NUMBER_BITS} | {MAX_NUMBER})"
    )
    others = (f"SELECT profile FROM {table}" for table in _OF_A_PROFILE)
    return [profile for (profile,) in rows(c, " UNION ".join((orders, *others)))]


def forget_some(c: apsw.Connection, profile: str) -> bool:
    """Drop some of a profile's orders, and the rest of what is kept of it with the last of them; whether there are
    more."""
    for partition in partitions_of(c, profile).values():
        span = (partition << NUMBER_BITS, partition << NUMBER_BITS | MAX_NUMBER, AT_A_TIME)
        keys = [key for (key,) in rows(c, "SELECT id FROM seen WHERE id BETWEEN ? AND ? LIMIT ?", span)]
        if keys:
            held = key_array(keys)
            for table in KEYED:
                c.execute(f"DELETE FROM {table} WHERE id IN carray(?)", (held,))
            mark_unindexed(c, keys)
            return True
    forget_profile(c, profile)
    c.execute("DELETE FROM topics WHERE profile = ?", (profile,))
    return False
