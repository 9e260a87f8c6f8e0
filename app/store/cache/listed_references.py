"""The mentions of this desk's references in the provider's lists.

Invariant: an older order with the same reference is never taken for the one that was sent.
"""

import json
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

import apsw

from app.store.cache.order_query import find_crn
from app.store.cache.order_rows import LINE_COLUMNS, OrderLine, order_line
from app.store.sqlite.plain_rows import rows
from app.store.sqlite.text_values import to_text

# The provider's times carry no zone. A completed order counts as the queued one if it was imported at most a day before
# the queueing, by whichever zone.
_ZONE_DIFFERENCE = timedelta(days=1)


def listed_since(c: apsw.Connection, profile: str, queued: Mapping[str, datetime]) -> set[str]:
    """The references, each with the time at which its order was queued, that a list has shown since.

    An open order with the reference is the queued one. A completed order may be an older one with the same reference.
    """
    return {
        reference
        for reference, list_name, imported in _seen_since(c, profile, queued)
        if list_name == "open" or (imported is not None and imported >= to_text(queued[reference] - _ZONE_DIFFERENCE))
    }


def open_since(c: apsw.Connection, profile: str, moments: Mapping[str, datetime]) -> set[str]:
    """The references, each with a moment, that the open list has shown since that moment."""
    return {reference for reference, list_name, _ in _seen_since(c, profile, moments) if list_name == "open"}


def _seen_since(c: apsw.Connection, profile: str, moments: Mapping[str, datetime]) -> list[tuple[str, str, Any]]:
    """The reference, the list and the time of import of each order that a list has shown since its moment."""
    found = rows(
        c,
        """
        SELECT wanted.key, list, imported_at, at FROM json_each(:references) wanted
        JOIN partitions ON partitions.profile = :profile AND list IN ('open', 'completed')
        JOIN orders ON orders.partition = partitions.partition
             AND crn = wanted.key COLLATE NOCASE AND crn = wanted.key COLLATE BINARY
        JOIN seen ON seen.id = orders.id
        """,
        {"profile": profile, "references": json.dumps(dict.fromkeys(moments, 0))},
    )
    return [
        (reference, list_name, imported)
        for reference, list_name, imported, seen in found
        if seen >= moments[reference].timestamp() * 1_000
    ]


def latest_of(c: apsw.Connection, profile: str, references: Collection[str]) -> dict[str, OrderLine]:
    """The order that each reference stands for: the open one, else the newest. References never seen are left out."""
    found = {reference: find_crn(c, profile, reference) for reference in references}
    return {
        reference: next((each for each in lines if each.list == "open"), lines[0])
        for reference, lines in found.items()
        if lines
    }


def shown_orders(c: apsw.Connection, profile: str, references: Collection[str]) -> dict[str, OrderLine]:
    """As `latest_of`, for many references at once."""
    found: dict[str, OrderLine] = {}
    for reference, *values in rows(
        c,
        f"""
        WITH wanted(reference) AS (SELECT value FROM json_each(:references))
        SELECT reference, {LINE_COLUMNS}, list FROM partitions CROSS JOIN wanted
        JOIN orders ON orders.partition = partitions.partition
             AND crn = reference COLLATE NOCASE AND crn = reference COLLATE BINARY
        WHERE profile = :profile ORDER BY number DESC
        """,  # noqa: S608  # the columns are this package's own words
        {"profile": profile, "references": json.dumps(list(references))},
    ):
        line = order_line(tuple(values))
        known = found.setdefault(reference, line)
        if line.list == "open" and known.list != "open":
            found[reference] = line
    return found
