"""Which team a desk works with, as a person chose it in the settings. The password is in the keyring."""

from dataclasses import asdict, dataclass, fields
from typing import Any

import apsw

from app.store.journal.setting_store import read_setting, write_setting
from app.store.journal.team import team_log

_KEY = "team"


@dataclass(frozen=True, slots=True)
class TeamChoice:
    """`user` is the role at the database, `person` the name that the team sees. `authorities` is the path of a file
    with certificates, empty for the system's. `waits`: nothing is sent while the team's database cannot be reached."""

    host: str
    port: int
    database: str
    user: str
    person: str
    authorities: str = ""
    waits: bool = False


def read_choice(c: apsw.Connection) -> TeamChoice | None:
    """The team that was chosen; None if this desk works alone."""
    found = read_setting(c, _KEY)
    if not isinstance(found, dict):
        return None
    # What another version stored besides is left out; what it left out is as usual.
    known: dict[str, Any] = {each.name: found[each.name] for each in fields(TeamChoice) if each.name in found}
    try:
        return TeamChoice(**known)
    except TypeError:
        return None


def write_choice(c: apsw.Connection, choice: TeamChoice) -> None:
    """Store the choice."""
    write_setting(c, _KEY, asdict(choice))


def forget_choice(c: apsw.Connection) -> None:
    """Work alone from now on: the choice and the team's log are gone in one transaction."""
    write_setting(c, _KEY, None)
    team_log.leave(c)
