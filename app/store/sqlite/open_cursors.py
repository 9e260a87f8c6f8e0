"""The open cursors of one connection, so that all of them can be closed after each call.

Workaround of SQLite: a cursor in the middle of its rows keeps the transaction open, and `interrupt` stays in force for
every statement, the ROLLBACK too, until the last such cursor is closed. The traceback of an exception keeps cursors
alive, and so does a generator that was not read to its end, so a cursor is not closed by leaving its function.
"""

from weakref import WeakSet

import apsw


class OpenCursors:
    """The `cursor_factory` of a connection, which remembers the cursors that are still referenced."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._cursors: WeakSet[apsw.Cursor] = WeakSet()
        self._refusing = False
        connection.cursor_factory = self

    def __call__(self, connection: apsw.Connection) -> apsw.Cursor:
        # SQLite forgets an interrupt that comes between two statements, so the next statement is refused here.
        if self._refusing:
            raise apsw.InterruptError("interrupted")
        made = apsw.Cursor(connection)
        self._cursors.add(made)
        return made

    def refuse_more(self) -> None:
        """Refuse new statements until `close`. May be called from any thread."""
        self._refusing = True

    def close(self) -> None:
        """Close every cursor, and allow new statements again."""
        # A copy: closing a cursor may free the generator that held another one, which leaves the set meanwhile.
        for each in list(self._cursors):
            each.close(True)
        self._cursors.clear()
        self._refusing = False
