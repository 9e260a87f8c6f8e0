"""A cache in memory, for tests of what is read from it."""

import apsw

from app.store.cache.schema.cache_schema import CACHE


def memory() -> apsw.Connection:
    """An empty cache."""
    connection = apsw.Connection(":memory:")
    for statements in CACHE.migrations:
        for statement in statements:
            connection.execute(statement)
    return connection
