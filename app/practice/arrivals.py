"""Made-up orders go on arriving while the service runs: the next days of them are always ready."""

from app.practice.database.clients import MAIN
from app.practice.database.fill import AHEAD, arrive
from app.practice.database.practice_schema import write_meta
from app.practice.running_service import Office

ARRIVALS = 30  # a day


def let_arrive(office: Office, now: int) -> None:
    """Makes the orders of the next days, unless they are there."""
    if now <= office.ready_until - AHEAD // 2:
        return
    per_day = office.switches.number("arrivals", ARRIVALS)
    until = arrive(office.connection, office.seed, office.clients[MAIN], now, per_day, office.ready_until)
    office.ready_until = max(until, now + AHEAD)
    write_meta(office.connection, "ready_until", str(office.ready_until))
