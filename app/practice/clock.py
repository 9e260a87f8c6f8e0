"""The practice service's clock: local time, which `--clock` makes pass faster, slower or not at all.

At speed 1 it is this computer's local time (moved by what earlier runs at another speed have gained). While the
service is not running, time passes at speed 1, or stands still where the speed is 0.
"""

import time
from dataclasses import dataclass
from datetime import datetime

from app.practice.world.seconds import seconds_of


def local_now() -> float:
    """This computer's local time as seconds since 1970 without a zone."""
    now = time.time()
    zone = time.localtime(now).tm_gmtoff
    return now + zone


@dataclass(slots=True)
class Clock:
    """`gained`: seconds that the service is ahead of the computer. `stood`: the service's time at `since`.

    All seconds are those of `world.seconds`.
    """

    speed: float
    gained: float
    since: float  # time.monotonic() when `stood` was read
    stood: float

    def exact(self) -> float:
        """Now, with fractions."""
        if self.speed == 1:
            return local_now() + self.gained
        return self.stood + (time.monotonic() - self.since) * self.speed

    def now(self) -> int:
        """Now, in whole seconds."""
        return int(self.exact())

    def advance(self, seconds: float) -> None:
        """Moves the clock forward at once."""
        now = self.exact() + seconds
        self.gained, self.stood, self.since = now - local_now(), now, time.monotonic()

    def saved_state(self) -> str:
        """The text from which `start_clock` continues in a later run."""
        now = self.exact()
        return f"{now - local_now():.3f} {now:.3f}"


def start_clock(speed: float, kept: str | None, epoch: str | None = None) -> Clock:
    """A clock that continues from `kept`, an earlier `saved_state`, else begins at `epoch` (ISO, local) or now."""
    local = local_now()
    if kept is not None:
        gained, stood = (float(part) for part in kept.split(" "))
    elif epoch is not None:
        stood = seconds_of(datetime.fromisoformat(epoch))
        gained = stood - local
    else:
        gained, stood = 0.0, local
    if speed != 0:
        stood = local + gained
    return Clock(speed, gained, time.monotonic(), stood)
