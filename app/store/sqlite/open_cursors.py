"""The cursors of one connection that somebody still holds, so that they can be closed with what they were opened for.

A cursor in the middle of its rows keeps the transaction open, and a break (`interrupt`) meets every statement until
the last of them is closed, the ROLLBACK too. The frames of an exception hold cursors for as long as the exception
lives, and so does a generator that was not read to its end: only a list of all cursors is sure to close each.
"""

from weakref import WeakSet

import apsw


class Cursors:
    """Makes the cursors of a connection (its `cursor_factory`) and knows those that are still held."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._held: WeakSet[apsw.Cursor] = WeakSet()
        self._broken_off = False
        connection.cursor_factory = self

    def __call__(self, connection: apsw.Connection) -> apsw.Cursor:
        # A break that comes between two statements leaves no mark in SQLite: the next one would run to its end.
        if self._broken_off:
            raise apsw.InterruptError("interrupted")
        made = apsw.Cursor(connection)
        self._held.add(made)
        return made

    def break_off(self) -> None:
        """Refuse to begin another statement until `close`. May be called from any thread."""
        self._broken_off = True

    def close(self) -> None:
        """Close all that are held, whatever they were about to give, and allow statements again."""
        for each in list(self._held):
            each.close(True)
        self._held.clear()
        self._broken_off = False
