"""Brings the modules that the first paint does without.

Python may hand a thread a half-made module when another thread is importing one that leads back to it (that is how it
gets out of a deadlock of two imports). So one thread at a time brings such modules, `alone`: either the one that loads
them ahead, or the window's own when somebody asks for a page before that is done.
"""

import importlib
import threading

_CLIENT = (
    "app.desk.sending.outbox",
    "app.desk.sync.order_sync",
    "app.desk.connections.connection",
    "app.desk.known.known_data",
)

alone = threading.RLock()


def load_client() -> None:
    """Load the client and its models, which take a quarter of a second; for a thread that does not paint."""
    with alone:
        for name in _CLIENT:
            importlib.import_module(name)
