"""The way to a team's database, leg by leg, so that a person sees which one fails. Changes nothing there."""

from dataclasses import dataclass
from pathlib import Path

import psycopg

from app.store.team import team_calls
from app.store.team.team_calls import ClockDifference
from app.store.team.team_errors import Leg, TeamTrouble, trouble_of
from app.store.team.team_place import TeamPlace, connection_words
from app.translation import translate

# In the order of the way: where one failed, those before it went well and those after it were not tried.
LEGS: tuple[Leg, ...] = ("name", "connection", "certificate", "password", "database", "tables", "desk")
_TAKEN = "SELECT 1 FROM waybill.desks WHERE lower(person) = lower(%s) AND role <> session_user LIMIT 1"


@dataclass(frozen=True, slots=True)
class TeamTrial:
    """The result of a trial. `trouble` is None where everything went well; then `clock` and `people` are known."""

    trouble: TeamTrouble | None = None
    clock: ClockDifference | None = None
    people: tuple[str, ...] = ()

    def went_well(self, leg: Leg) -> bool | None:
        """Whether this leg went well; None if it was not tried."""
        if self.trouble is None:
            return True
        failed = LEGS.index(self.trouble.leg) if self.trouble.leg in LEGS else len(LEGS) - 1
        place = LEGS.index(leg)
        return None if place > failed else place < failed


def try_team(place: TeamPlace, user: str, password: str, person: str, roots: Path) -> TeamTrial:
    """Walk the way as this person. Blocks for up to half a minute; never raises for trouble."""
    try:
        words = connection_words(place, user, password, roots)
        with psycopg.connect(**words, autocommit=True) as c:  # type: ignore[arg-type]  # mypy cannot see through the dict
            team_calls.settings(c)
            clock = team_calls.clock_difference(c)
            if c.execute(_TAKEN, (person.strip(),)).fetchone() is not None:
                raise TeamTrouble("desk", translate("Another person of the team works under this name."), lasting=True)
            people = tuple(dict.fromkeys(each.person for each in team_calls.desks(c)))
    except psycopg.Error as error:
        return TeamTrial(trouble_of(error, place.host))
    except TeamTrouble as trouble:
        return TeamTrial(trouble)
    return TeamTrial(None, clock, people)
