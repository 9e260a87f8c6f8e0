"""RunningService: the file, clock, switches, clients and threads of the running practice service.

Every operation gets the one RunningService as its first argument.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import apsw

from app.practice.bearer_tokens import Tokens
from app.practice.clock import Clock
from app.practice.database.clients import MAIN, Client
from app.practice.database.fill import AHEAD, arrive
from app.practice.database.practice_schema import write_meta
from app.practice.switches import Switches

ARRIVALS = 30  # made-up orders a day


@dataclass(slots=True)
class RunningService:
    """The state of a running practice service.

    `origin` and `foreign` are the addresses of its two hosts, empty until the ports are known. `ready_until` is the
    service's second up to which made-up orders exist.
    """

    folder: Path
    connection: apsw.Connection
    seed: int
    clock: Clock
    switches: Switches
    clients: dict[str, Client]
    tokens: Tokens
    chance: Random
    ready_until: int
    patience: float  # seconds that a caller may take for the head of a request, and for its body
    origin: str = ""
    foreign: str = ""
    foreign_tokens: list[str] = field(default_factory=list)
    drawing_threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(2, "draw"))
    # One thread only: a body takes many times its size in memory while it is parsed.
    parsing_thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "read"))

    @property
    def info_base_url(self) -> str:
        """The address of the order information service."""
        return f"{self.origin}/OrderInformationApi"

    def let_arrive(self, now: int) -> None:
        """Make the orders and audits of the next days, unless enough of them exist."""
        # Made when half of it is used up, not at every request.
        if now <= self.ready_until - AHEAD // 2:
            return
        per_day = self.switches.number("arrivals", ARRIVALS)
        until = arrive(self.connection, self.seed, self.clients[MAIN], now, per_day, self.ready_until)
        # With no arrivals `until` stays behind `now`: the next look is due after half of AHEAD all the same.
        self.ready_until = max(until, now + AHEAD)
        write_meta(self.connection, "ready_until", str(self.ready_until))
