"""A desk: one profile, what is kept for it, and the provider behind it once there is a connection."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from app.desk.circuit_breaker import Brake
from app.desk.timing import Timing
from app.store.journal.profile_store import Profile
from app.store.sqlite.database import Database

if TYPE_CHECKING:
    from app.api.provider import Provider


@dataclass(slots=True)
class Desk:
    """Everything that work for one profile needs, handed to whoever does it.

    `provider` is None until the connection is made; `trouble` then says in words why. `reader` reads the cache
    beside `cache`, which writes it, so that the table stays quick while orders are stored. `now` is local time.
    """

    profile: Profile
    journal: Database
    cache: Database
    reader: Database
    now: Callable[[], datetime]
    provider: "Provider | None" = None
    trouble: str = "Not connected yet."
    barred: str = ""  # why nothing leaves until a person puts the connection right; what is queued waits for that
    rest_until: datetime | None = None  # until then nothing that is queued leaves, unless a person wants it sent
    rest_why: str = ""  # why sending rests, as the waiting rows say it
    brake: Brake = field(default_factory=Brake, init=False)  # how the last writes ended
    unended: dict[int, int] = field(default_factory=dict, init=False)  # attempts whose end is not kept yet: their write
    timing: Timing = field(default_factory=Timing, init=False)  # what came before what, whatever the clock says
