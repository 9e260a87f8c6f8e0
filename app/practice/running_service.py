"""Everything the running service holds: its file, its clock, its switches, its clients. Handed to every operation."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import apsw

from app.practice.bearer_tokens import Tokens
from app.practice.clock import Clock
from app.practice.database.clients import Client
from app.practice.switches import Switches


@dataclass(slots=True)
class RunningService:
    """The one object of a running practice service. `origin` and `foreign` are set once the ports are known."""

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
    # One at a time: a body takes many times its size while it is read.
    parsing_thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "read"))

    @property
    def info_base_url(self) -> str:
        """The address of the order information service."""
        return f"{self.origin}/OrderInformationApi"
