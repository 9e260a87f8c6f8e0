"""Stands in for the link of a chosen team while there is none: its password is missing, or is still being read.

Invariant: to whoever sends, it is a link whose database cannot be reached. So a write waits, or leaves marked as sent
without a claim, by the desk's setting, and never leaves as if this desk were alone.
"""

from concurrent.futures import Future

from app.store.team.team_calls import ClaimAnswer, ClockDifference
from app.store.team.team_entry import Place
from app.store.team.team_errors import TeamTrouble
from app.store.team.team_link import NOT_CONNECTED, LinkState


class NoLink:
    """`person` is the name under which this desk works with the team."""

    def __init__(self, person: str) -> None:
        self.person = person
        self.state = LinkState()
        self.clock: ClockDifference | None = None

    def wake(self) -> None:
        """Does nothing: a stand-in pushes no entries, and the journal keeps them for the link."""

    def claim(self, place: Place, reference: str, seconds: float) -> "Future[ClaimAnswer]":
        """Fails at once with `TeamTrouble`."""
        job: Future[ClaimAnswer] = Future()
        job.set_exception(TeamTrouble("connection", NOT_CONNECTED))
        return job

    def give_back(self, place: Place, reference: str) -> None:
        """No claim was got."""

    def call(self, *_: object) -> None:
        """Presence is told to nobody."""
