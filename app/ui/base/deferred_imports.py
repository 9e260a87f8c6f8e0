"""Imports of modules that the first paint does without.

Two threads may import at the same time: one preloads, the window's own thread opens a page. When their imports lead
back to each other, Python resolves the deadlock by handing one thread a half-initialised module. Invariant: a deferred
import runs under `import_lock`, so one thread at a time imports such modules.
"""

import importlib
import threading

_CLIENT = (
    "app.desk.sending.outbox",
    "app.desk.sync.order_sync",
    "app.desk.connections.connection",
    "app.desk.known.known_data",
)

import_lock = threading.RLock()


def preload_client() -> None:
    """Import the API client and its models, which takes a quarter of a second. For a thread that does not paint."""
    with import_lock:
        for name in _CLIENT:
            importlib.import_module(name)
