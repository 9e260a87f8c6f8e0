"""The console's file, opened when it is first needed: whoever never makes a call by hand has none.

Invariant: at most one `Database` is open on the file at a time.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

import apsw

from app.store.sqlite.database import Database

P = ParamSpec("P")
T = TypeVar("T")


class ConsoleFile:
    """`read` and `write` are those of `Database`; they raise `StoreError`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database: Database | None = None

    async def read(
        self, function: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `function(connection, …)`; it cannot write."""
        return await self._opened().read(function, *args, **kwargs)

    async def write(
        self, function: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `function(connection, …)` and commit its changes."""
        return await self._opened().write(function, *args, **kwargs)

    async def empty_log(self) -> None:
        """Take what was deleted out of the write-ahead log too. Raises `NotSaved`, as that of `Database`."""
        await self._opened().empty_log()

    async def forget_profile(self, profile: str) -> None:
        """Delete everything of a connection; makes no file where there is none."""
        from app.store.console import description_store  # the first paint does without it

        if await self._there():
            await self.write(description_store.forget_profile, profile)

    async def forget_before(self, moment: datetime) -> None:
        """Delete the calls of all connections from before a moment; makes no file where there is none."""
        from app.store.console import call_store  # the first paint does without it

        if await self._there():
            await self.write(call_store.forget_before, moment)

    async def _there(self) -> bool:
        exists = partial(asyncio.get_running_loop().run_in_executor, None, self._path.exists)
        return self._database is not None or await exists()

    async def close(self) -> None:
        """Close the file, if it was opened. A later call opens it anew."""
        database, self._database = self._database, None
        if database is not None:
            await database.close()

    def close_now(self) -> None:
        """`close` for callers without a loop; blocks."""
        database, self._database = self._database, None
        if database is not None:
            database.close_now()

    def _opened(self) -> Database:
        from app.store.console.console_schema import CONSOLE  # the first paint does without it

        # No lock: all callers are on the loop's thread, and nothing here waits between the question and the answer.
        if self._database is None:
            self._database = Database(self._path, CONSOLE)
        return self._database
