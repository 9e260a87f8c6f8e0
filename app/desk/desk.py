"""A desk: one connection, its stores, and the provider behind it once there is a connection."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from app.desk.circuit_breaker import CircuitBreaker
from app.desk.timing import Timing
from app.store.journal.profile_store import Profile
from app.store.sqlite.database import Database
from app.store.store_errors import NotOpened
from app.translation import translate

if TYPE_CHECKING:
    from app.api.provider import Provider
    from app.desk.looked_up import LookUp
    from app.desk.team_side import TeamSide
    from app.store.console.console_file import ConsoleFile

NOT_CONNECTED_YET = translate("Not connected yet.")
_NO_CONSOLE_FILE = translate("Calls made by hand are not kept here.")


@dataclass(slots=True)
class Desk:
    """All that a function needs that works for one connection.

    `provider` is None until the connection is made; `trouble` then says why. `reader` is a second connection to the
    cache, so that the table can be read while `cache` stores orders. `now` gives local time.
    """

    profile: Profile
    journal: Database
    cache: Database
    reader: Database
    now: Callable[[], datetime]
    provider: "Provider | None" = None
    trouble: str = NOT_CONNECTED_YET
    console: "ConsoleFile | None" = None  # calls made by hand; None where none are made
    team: "TeamSide | None" = None  # the other desks at this provider; None where this desk works alone
    blocked: str = ""  # why nothing is sent until a person corrects the connection; empty while sending is possible
    paused_until: datetime | None = None  # before then only a write that a person wants sent at once is tried
    pause_reason: str = ""  # why sending is paused, as a clause for the rows that wait
    breaker: CircuitBreaker = field(default_factory=CircuitBreaker, init=False)
    urgent: set[int] = field(default_factory=set, init=False)  # writes that a person wants sent before all others
    deferred: set[int] = field(default_factory=set, init=False)  # writes that failed last time: tried after all others
    freezing: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)  # imports are stored one after the other
    ended_imports: dict[int, dict[str, int]] = field(default_factory=dict, init=False)  # see `import_batch.summaries`
    looked_up: dict[str | int, "LookUp"] = field(default_factory=dict, init=False)  # see `order_status.last_answer`
    unrecorded: dict[int, int] = field(default_factory=dict, init=False)  # attempts whose end is not in the journal yet
    timing: Timing = field(default_factory=Timing, init=False)

    def console_file(self) -> "ConsoleFile":
        """The file of calls made by hand. Raises `NotOpened` where there is none."""
        if self.console is None:
            raise NotOpened(_NO_CONSOLE_FILE)
        return self.console
