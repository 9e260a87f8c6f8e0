"""What a long read of a file has made, kept until the file is written to."""

from collections.abc import Callable
from typing import Generic, TypeVar

import apsw

from app.store.sqlite.plain_rows import value

T = TypeVar("T")
A = TypeVar("A")


class KeptReading(Generic[T]):
    """Reads by `read` and answers questions about what it returned. One for each `Database`, which only reads.

    Invariant: only the thread of that `Database` touches what is kept, so `ask` is handed to `Database.read`.
    """

    def __init__(self, read: Callable[[apsw.Connection], T]) -> None:
        self._read = read
        self._kept: tuple[apsw.Connection, int, T] | None = None

    def ask(self, c: apsw.Connection, question: Callable[[T], A]) -> A:
        """The answer to a question about the file as it is now. Reads anew if the file was written to since."""
        # The number is raised by every commit of another connection, and is compared within one connection alone.
        state = (c, int(value(c, "PRAGMA data_version")))
        if self._kept is None or self._kept[:2] != state:
            # The read can be interrupted at any statement: what it made is kept after the last one.
            self._kept = (*state, self._read(c))
        return question(self._kept[2])
