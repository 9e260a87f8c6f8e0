"""A desk: one connection, its stores, and the provider behind it once there is a connection."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from app.desk.circuit_breaker import CircuitBreaker
from app.desk.timing import Timing
from app.store.journal.profile_store import Profile, same_place
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
class _OfThisRun:
    """What this run of the program knows of a connection and its journal does not. It outlives the desk: a connection
    that is chosen again, or stored anew, gets another desk while its writes are the same."""

    profile: Profile  # as its latest desk has it
    timing: Timing = field(default_factory=Timing)
    unrecorded: dict[int, int] = field(default_factory=dict)


# By the journal and the id of the connection.
_KNOWN: WeakKeyDictionary[Database, dict[str, _OfThisRun]] = WeakKeyDictionary()


def _of_this_run(journal: Database, profile: Profile) -> _OfThisRun:
    known = _KNOWN.setdefault(journal, {}).setdefault(profile.id, _OfThisRun(profile))
    if not same_place(profile, known.profile.base_url, known.profile.client_id):
        known.timing.end_back_off()  # another provider asked for it
    known.profile = profile
    return known


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
    unrecorded: dict[int, int] = field(init=False)  # by attempt whose end is not in the journal yet: its write
    timing: Timing = field(init=False)

    def __post_init__(self) -> None:
        known = _of_this_run(self.journal, self.profile)
        self.unrecorded, self.timing = known.unrecorded, known.timing

    def console_file(self) -> "ConsoleFile":
        """The file of calls made by hand. Raises `NotOpened` where there is none."""
        if self.console is None:
            raise NotOpened(_NO_CONSOLE_FILE)
        return self.console
