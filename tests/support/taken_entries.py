"""Entries of other desks, written by hand into the file that keeps them."""

from uuid import UUID

from app.store.sqlite.database import Database
from app.store.team import team_file
from app.store.team.team_entry import Entry


def take_from(others: Database, desk: UUID, *entries: Entry) -> set[str]:
    """Take entries of a desk whose person is known there; returns the kinds that were read."""
    ids = others.write_now(team_file.learn_people, [])
    return others.write_now(team_file.take, ids[str(desk)], entries)
