"""Joining a team and leaving it: the trial before, the password in the keyring, the choice in the journal.

Invariant: a team is joined only after a trial went the whole way, so a wrong password is never tried again and again.
"""

import asyncio
from pathlib import Path

from app.store.journal.team.team_choice import TeamChoice, forget_choice, write_choice
from app.store.secrets import TEAM_LOGIN, SecretPlace, SecretStore
from app.store.sqlite.database import Database
from app.store.team.team_link import TeamLogin
from app.store.team.team_place import TeamPlace
from app.store.team.try_team import TeamTrial, try_team


def place_of_choice(choice: TeamChoice) -> TeamPlace:
    """Where the chosen database is."""
    return TeamPlace(choice.host, choice.port, choice.database, choice.authorities)


def login_of(choice: TeamChoice, password: str, roots: Path) -> TeamLogin:
    """How this desk comes to the chosen database."""
    return TeamLogin(place_of_choice(choice), choice.user, password, choice.person, roots)


async def examine_team(choice: TeamChoice, password: str, roots: Path) -> TeamTrial:
    """Walk the way to the chosen database, on a thread. Changes nothing there; trouble is told in the trial."""
    return await asyncio.to_thread(try_team, place_of_choice(choice), choice.user, password, choice.person, roots)


async def keep_choice(journal: Database, secrets: SecretStore, choice: TeamChoice, password: str) -> SecretPlace:
    """Store the choice and its password; returns where the password is. Raises `StoreError`."""
    # The password first: a choice that is stored without it would be tried, and refused, at the next start.
    place = await secrets.write(TEAM_LOGIN, password)
    await journal.write(write_choice, choice)
    return place


async def leave_team(journal: Database, secrets: SecretStore) -> None:
    """Work alone from now on. What this desk did stays, and what it knows of the others. Raises `StoreError`."""
    await journal.write(forget_choice)
    await secrets.delete(TEAM_LOGIN)
