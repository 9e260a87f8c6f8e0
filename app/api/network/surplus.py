"""Closes each connection that the HTTP library's pool gives up.

The pool takes expired and surplus connections off its list, and the request that found them closes them one after the
other. The library's own guard does not hold against a task's `cancel`: a request that was cancelled there left all but
the first open, and nothing but the collector ever closed them. A read is cancelled whenever a newer one replaces it.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import httpcore2

_close = httpcore2.AsyncConnectionPool._close_connections


async def _close_each(pool: httpcore2.AsyncConnectionPool, closing: Sequence[Any]) -> None:
    cancelled: asyncio.CancelledError | None = None
    for each in closing:
        try:
            await _close(pool, [each])
        except asyncio.CancelledError as error:  # raised after the others are closed
            cancelled = error
    if cancelled is not None:
        raise cancelled


def close_each_surplus_connection() -> None:
    """Have every pool of the library do so. Call before a client is made; a second call changes nothing."""
    httpcore2.AsyncConnectionPool._close_connections = _close_each  # type: ignore[method-assign,assignment]
