"""Takes over the connections of the administrator's file: an export of connections, with what people may not do.

A given connection follows the file. A person's own connection to the same provider as the same client becomes the given
one, with its history and its secret. A connection that the file does not name any more is a person's own again.
Invariant: a connection leads elsewhere only once nothing that was sent depends on where it led (`profiles.move`).
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from app.desk.connections import connection_files, profiles
from app.desk.connections import connections_words as words
from app.desk.connections.connection_files import NoConnections
from app.store.journal import setting_store
from app.store.journal.profile_store import Profile
from app.store.sqlite.database import Database
from app.store.store_errors import WrongState

OWN_CONNECTIONS = "own connections"  # what the file may forbid
_KEY = "administrator"


@dataclass(frozen=True, slots=True)
class Given:
    """The ids of the given connections by their names in the file, and whether people may have connections besides."""

    ids: dict[str, str] = field(default_factory=dict)
    own: bool = True


async def given(journal: Database) -> Given:
    """What the file said when it was last read: a connection stays given while the file cannot be read."""
    found = await journal.read(setting_store.read_setting, _KEY)
    if not isinstance(found, dict) or not isinstance(found.get("ids"), dict):
        return Given()
    return Given({str(name): str(each) for name, each in found["ids"].items()}, found.get("own") is not False)


async def forget(journal: Database) -> None:
    """There is no file any more: everything is the person's own. Raises `StoreError`."""
    if await given(journal) != Given():
        await _keep(journal, Given())


async def take_over(journal: Database, raw: bytes) -> list[str]:
    """Make the connections as the file says; sentences about what could not be done. Raises `StoreError`."""
    try:
        found, unusable = connection_files.read_file(raw)
    except NoConnections as error:
        return [words.administrators_file(error.sentence)]
    said = [words.administrators_file(words.unusable_connections(unusable))] if unusable else []
    before = await given(journal)
    here = {each.id: each for each in await profiles.all_profiles(journal) if each.kind != "practice"}
    ids: dict[str, str] = {}
    for each in found:
        there = _counterpart(each, here.get(before.ids.get(each.name, "")), here.values())
        wanted = replace(each, id=await profiles.id_again(journal, each) if there is None else there.id)
        ids[each.name] = wanted.id
        try:
            await _put(journal, there, wanted)
        except WrongState as error:
            said.append(words.not_moved_by_administrator(each.name, error.sentence))
        here[wanted.id] = wanted
    now = Given(ids, OWN_CONNECTIONS not in _off(raw))
    if now != before:
        await _keep(journal, now)
    if ids and await profiles.chose_none(journal):
        await profiles.remember_used(journal, next(iter(ids.values())))
    return said


async def _keep(journal: Database, now: Given) -> None:
    await journal.write(setting_store.write_setting, _KEY, {"ids": now.ids, "own": now.own})


def _off(raw: bytes) -> list[object]:
    off = json.loads(raw.decode("utf-8-sig")).get("off", [])
    return off if isinstance(off, list) else []


def _counterpart(wanted: Profile, known: Profile | None, here: Iterable[Profile]) -> Profile | None:
    """The connection that is here for it: the one of this name in the file of before, else one to the same place."""
    return known or next((each for each in here if profiles.same_place(each, wanted)), None)


async def _put(journal: Database, there: Profile | None, wanted: Profile) -> None:
    if there is None:
        await profiles.save(journal, wanted)
    elif not profiles.same_place(there, wanted):
        await profiles.move(journal, wanted)
    elif there != (same := replace(wanted, scopes=there.scopes)):
        await profiles.save(journal, same)
