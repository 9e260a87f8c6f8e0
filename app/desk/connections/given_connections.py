"""Takes over the administrator's file: an export of connections, with what is off and where newer versions are.

A given connection follows the file. A person's own connection to the same provider as the same client becomes the given
one, with its history and its secret. A connection that the file does not name any more is a person's own again.
Invariant: a connection leads elsewhere only once nothing that was sent depends on where it led (`profiles.move`).
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from app.desk.connections import connection_files, profiles
from app.desk.connections import connections_words as words
from app.desk.connections.connection_files import NoConnections
from app.desk.updates import update_source
from app.store.journal import setting_store
from app.store.journal.profile_store import Profile
from app.store.sqlite.database import Database
from app.store.store_errors import WrongState

# What the file may switch off, besides pages.
OWN_CONNECTIONS, UPDATES, NOTICES = "own connections", "updates", "notices"
# The pages that it may switch off, as they are called on screen, and their names in code. Orders, the form, the outbox
# and Settings stay: without these pages nobody could see the orders that were sent, or cancel them.
PAGES = {
    "today": "today", "import": "bulk", "audits": "audits", "loads": "loads", "facilities": "facilities",
    "quotes": "quotes", "trucks": "trucks", "console": "console", "insights": "insights",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Given:
    """The ids of the given connections by their names in the file, whether people may have connections besides, and
    what is off: pages by their names in code, and notices."""

    ids: dict[str, str] = field(default_factory=dict)
    own: bool = True
    off: frozenset[str] = frozenset()


async def given(journal: Database) -> Given:
    """The contents of the file when it was last read: a connection stays given while the file cannot be read."""
    found = await journal.read(setting_store.read_setting, profiles.ADMINISTRATOR)
    if not isinstance(found, dict) or not isinstance(found.get("ids"), dict):
        return Given()
    ids = {str(name): str(each) for name, each in found["ids"].items()}
    return Given(ids, found.get("own") is not False, await profiles.pages_off(journal))


async def forget(journal: Database) -> None:
    """There is no file any more: everything is the person's own. Raises `StoreError`."""
    if await given(journal) != Given():
        await _keep(journal, Given())
    await update_source.take_given(journal, None, off=False)


async def take_over(journal: Database, raw: bytes) -> list[str]:
    """Make the connections as the file says; sentences about what could not be done. Raises `StoreError`."""
    whole = _without_connections(raw)
    try:
        found, unusable = ([], []) if whole else connection_files.read_file(raw)
    except NoConnections as error:
        return [words.administrators_file(error.sentence)]
    whole = whole or json.loads(raw.decode("utf-8-sig"))
    off, unknown = _off(whole)
    said = [words.administrators_file(words.unusable_connections(unusable))] if unusable else []
    said += [words.administrators_file(words.unknown_off(unknown))] if unknown else []
    updates = await update_source.take_given(journal, whole.get("updates"), off=UPDATES in off)
    said += [words.administrators_file(each) for each in updates]
    before = await given(journal)
    here = {each.id: each for each in await profiles.all_profiles(journal) if each.kind != "practice"}
    ids: dict[str, str] = {}
    for each in found:
        there = _counterpart(each, here.get(before.ids.get(each.name, "")), here.values())
        wanted = replace(each, id=await profiles.id_again(journal, each) if there is None else there.id)
        ids[each.name] = wanted.id
        try:
            await _put(journal, there, wanted)
        # The old address stays in force until what was sent there is settled; the next start tries again.
        except WrongState as error:
            said.append(words.not_moved_by_administrator(each.name, error.sentence))
        here[wanted.id] = wanted
    features = {*(PAGES[each] for each in off if each in PAGES), *(off & {NOTICES})}
    now = Given(ids, OWN_CONNECTIONS not in off, frozenset(features))
    if now != before:
        await _keep(journal, now)
    if ids and await profiles.chose_none(journal):
        await profiles.remember_used(journal, next(iter(ids.values())))
    return said


async def _keep(journal: Database, now: Given) -> None:
    said = {"ids": now.ids, "own": now.own, "off": sorted(now.off)}
    await journal.write(setting_store.write_setting, profiles.ADMINISTRATOR, said)


def _without_connections(raw: bytes) -> dict[str, Any]:
    """The file, if it settles other things and no connections; empty otherwise."""
    try:
        found = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict) or found.get("format") != connection_files.FORMAT or "connections" in found:
        return {}
    return found if "off" in found or "updates" in found else {}


def _off(whole: dict[str, Any]) -> tuple[set[str], list[str]]:
    """The pages and features that the file switches off, in small letters, and its words that name neither."""
    listed = whole.get("off", [])
    named = [str(each) for each in listed] if isinstance(listed, list) else [str(listed)]
    known = {*PAGES, OWN_CONNECTIONS, UPDATES, NOTICES}
    off = {each.strip().lower() for each in named}
    return off & known, [each for each in named if each.strip().lower() not in known]


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
