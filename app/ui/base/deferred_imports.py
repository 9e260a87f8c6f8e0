"""Imports of modules that the first paint does without.

Two threads may import at the same time: one preloads, the window's own thread opens a page. When their imports lead
back to each other, Python resolves the deadlock by handing one thread a half-initialised module. Invariant: a deferred
import runs under `import_lock`, so one thread at a time imports such modules.
"""

import importlib
import threading

# The API client with its models, and what each start uses soon after: a first use on the window's own thread would stop
# the window for several frames while the modules load.
_USED_SOON = (
    "anyio._backends._asyncio",  # the HTTP client's, which anyio loads with the first request
    "app.desk.sending.outbox",
    "app.desk.sync.order_sync",
    "app.desk.sync.departed_orders",
    "app.desk.connections.connection",
    "app.desk.known.known_data",
    "app.desk.sending.settling",
    "app.desk.forecast.foretold",
    "app.desk.today.board",
)

import_lock = threading.RLock()


def preload() -> None:
    """Import what is used soon after the first paint, some tenths of a second. For a thread that does not paint."""
    with import_lock:
        for name in _USED_SOON:
            importlib.import_module(name)
