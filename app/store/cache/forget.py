"""Deletes the data of a profile: in steps while the program runs, so that nothing else waits for long, or at once.

Invariant: every table of the cache is covered, and the search index never speaks for an order that is gone.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

import apsw

from app.store.cache.index import merging
from app.store.cache.index.segments import forget_partition, mark_unindexed
from app.store.cache.known_values import forget_all
from app.store.cache.order_store import KEYED_TABLES, partitions_of
from app.store.cache.schema.cache_schema import MAX_NUMBER, NUMBER_BITS
from app.store.sqlite.plain_rows import key_array, rows

STEP = 1_000  # orders: a tenth of a second
_PLAIN_TABLES = ("windows", "departed", "replies", "kept_answers")
_PROFILE_TABLES = (*_PLAIN_TABLES, "audits", "audit_answers", "audit_windows", "topics")


def profiles_with_data(c: apsw.Connection) -> list[str]:
    """The profiles of which the cache holds anything."""
    orders = (
        f"SELECT profile FROM partitions WHERE EXISTS (SELECT 1 FROM seen WHERE id >= partition << {NUMBER_BITS} "
        f"AND id <= partition << {NUMBER_BITS} | {MAX_NUMBER})"
    )
    others = (f"SELECT profile FROM {table}" for table in _PROFILE_TABLES)
    return [profile for (profile,) in rows(c, " UNION ".join((orders, *others)))]


def forget_step(c: apsw.Connection, profile: str) -> bool:
    """Delete up to `STEP` orders of a profile, everything else with the last of them; returns whether any are left."""
    for partition in partitions_of(c, profile).values():
        span = (partition << NUMBER_BITS, partition << NUMBER_BITS | MAX_NUMBER, STEP)
        keys = [key for (key,) in rows(c, "SELECT id FROM seen WHERE id BETWEEN ? AND ? LIMIT ?", span)]
        if keys:
            doomed = key_array(keys)
            for table in KEYED_TABLES:
                c.execute(f"DELETE FROM {table} WHERE id IN carray(?)", (doomed,))
            # In the same step as the rows: until the next segment is built, the index would still name these orders.
            mark_unindexed(c, keys)
            return True
    forget_profile(c, profile)
    c.execute("DELETE FROM topics WHERE profile = ?", (profile,))
    return False


def forget_profile(c: apsw.Connection, profile: str) -> None:
    """Delete a profile's orders, audits and answers, and what was learnt from them, at once."""
    from app.store.cache.audits.audit_store import forget_audits  # the first paint does without the audits
    from app.store.cache.past_changes import forget_changes

    forget_all(c, profile)
    forget_audits(c, profile)
    forget_changes(c, profile)
    merging.break_off(c)  # its posting lists may name the profile's orders
    for partition in partitions_of(c, profile).values():
        span = (partition << NUMBER_BITS, partition << NUMBER_BITS | MAX_NUMBER)
        forget_partition(c, partition)
        for table in KEYED_TABLES:
            c.execute(f"DELETE FROM {table} WHERE id BETWEEN ? AND ?", span)
    for table in _PLAIN_TABLES:
        c.execute(f"DELETE FROM {table} WHERE profile = ?", (profile,))
