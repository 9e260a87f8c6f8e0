"""Made-up orders go on arriving while the service runs: the next days of them are always ready."""

from app.practice.database.clients import MAIN
from app.practice.database.fill import AHEAD, arrive
from app.practice.database.practice_schema import write_meta
from app.practice.running_service import RunningService

ARRIVALS = 30  # a day


def let_arrive(service: RunningService, now: int) -> None:
    """Makes the orders of the next days, unless they are there."""
    if now <= service.ready_until - AHEAD // 2:
        return
    per_day = service.switches.number("arrivals", ARRIVALS)
    until = arrive(service.connection, service.seed, service.clients[MAIN], now, per_day, service.ready_until)
    service.ready_until = max(until, now + AHEAD)
    write_meta(service.connection, "ready_until", str(service.ready_until))
