"""Two workarounds for the HTTP library's pool of connections.

- Connections that the pool gives up are all closed. It takes expired and surplus ones off its list, and the request
  that found them closes them one after the other. The library's own guard does not hold against a task's `cancel`: a
  request that was cancelled there left all but the first open, and nothing but the collector ever closed them. A read
  is cancelled whenever a newer one replaces it.
- An idle connection is asked for its socket once. Before and after each request the pool looks at every idle connection
  whether the other side has closed it. To learn the socket it asked each time for all that is known of the connection,
  its peer's address among it: a fifth of the work of the window's thread while orders are sent.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import httpcore2
from httpcore2._backends.anyio import AnyIOStream
from httpcore2._utils import is_socket_readable

_close = httpcore2.AsyncConnectionPool._close_connections
_ask = AnyIOStream.get_extra_info
_SOCKET = "_waybill_socket"  # where a stream keeps it


async def _close_each(pool: httpcore2.AsyncConnectionPool, closing: Sequence[Any]) -> None:
    cancelled: asyncio.CancelledError | None = None
    for each in closing:
        try:
            await _close(pool, [each])
        except asyncio.CancelledError as error:  # raised after the others are closed
            cancelled = error
    if cancelled is not None:
        raise cancelled


def _ask_once(stream: AnyIOStream, info: str) -> Any:
    if info != "is_readable":
        return _ask(stream, info)
    held = vars(stream).get(_SOCKET)
    if held is None:
        held = vars(stream)[_SOCKET] = _ask(stream, "socket")
    return is_socket_readable(held)  # a socket that was closed since has no number any more, and counts as readable


def mend_connection_pools() -> None:
    """Have every pool of the library do so. Call before a client is made; a second call changes nothing."""
    httpcore2.AsyncConnectionPool._close_connections = _close_each  # type: ignore[method-assign,assignment]
    AnyIOStream.get_extra_info = _ask_once  # type: ignore[method-assign,assignment]
