"""Connections as a plain file, for a colleague or another computer: everything but secrets.

Invariants: no secret is in the file, and none is read from one. What is here already is never changed by a file.
"""

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from app.api.addresses import Addresses
from app.api.errors import BadAddress
from app.api.network.transport import Transport
from app.desk.connections import connections_words as words
from app.desk.connections import profiles
from app.store.journal.profile_store import Profile, options_of, with_options
from app.store.sqlite.database import Database

FORMAT = "waybill connections"
VERSION = 1
LARGEST = 1024 * 1024  # bytes
MOST = 200  # connections
_LONGEST = 2_000  # letters of a value
_TEXTS = ("name", "kind", "base_url", "info_base_url", "auth_url", "client_id")


class NoConnections(Exception):
    """The file holds no connections; `sentence` says so."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Imported:
    """The outcome of an imported file: the connections that were added, were here already, or are unusable, by name."""

    added: tuple[str, ...]
    present: tuple[str, ...]
    unusable: tuple[str, ...]


def as_file(kept: Sequence[Profile]) -> bytes:
    """The connections as JSON, without practice, which is on every computer."""
    entries = [
        {name: getattr(each, name) for name in _TEXTS} | options_of(each) for each in kept if each.kind != "practice"
    ]
    return (json.dumps({"format": FORMAT, "version": VERSION, "connections": entries}, indent=2) + "\n").encode()


def read_file(raw: bytes) -> tuple[list[Profile], list[str]]:
    """The connections in a file, with new ids, and the names of those that cannot be used. Raises NoConnections."""
    entries = _entries(raw)
    usable: list[Profile] = []
    unusable: list[str] = []
    for at, entry in enumerate(entries, 1):
        profile = _profile(entry)
        if profile is None:
            name = entry.get("name") if isinstance(entry, dict) else None
            unusable.append(
                name.strip()[:_LONGEST] if isinstance(name, str) and name.strip() else words.entry_number(at)
            )
        else:
            usable.append(profile)
    return usable, unusable


def _entries(raw: bytes) -> list[object]:
    try:
        found = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        found = None
    entries = found.get("connections") if isinstance(found, dict) and found.get("format") == FORMAT else None
    if not isinstance(entries, list) or not entries:
        raise NoConnections(words.NO_CONNECTIONS_IN_FILE)
    if len(entries) > MOST:
        raise NoConnections(words.too_many_connections(MOST))
    return entries


def _profile(entry: object) -> Profile | None:
    """A connection that could be typed in the form as well; None for any other."""
    if not isinstance(entry, dict):
        return None
    texts = {name: entry.get(name) for name in _TEXTS}
    if any(not isinstance(each, str) or not each.strip() or len(each) > _LONGEST for each in texts.values()):
        return None
    kept = {name: str(each).strip() for name, each in texts.items()}
    if kept.pop("kind") not in ("test", "production"):
        return None
    kind = "test" if entry["kind"].strip() == "test" else "production"
    profile = with_options(Profile(id=uuid.uuid4().hex, kind=kind, **kept), entry)  # type: ignore[arg-type]
    try:
        Addresses(profile.base_url, profile.info_base_url, profile.auth_url).check()
        Transport(profile.proxy, profile.proxy_user).check()
    except BadAddress:
        return None
    too_long = any(len(str(getattr(profile, each.name))) > _LONGEST for each in fields(profile))
    return None if too_long else profile


async def take_in(journal: Database, raw: bytes) -> Imported:
    """Add the connections of a file that are not here yet. Raises NoConnections, `StoreError`."""
    found, unusable = read_file(raw)
    here = await profiles.all_profiles(journal)
    added: list[str] = []
    present: list[str] = []
    for each in found:
        # Compared by place and not by name: the same connection twice would send one order to one provider twice.
        if any(profiles.same_place(each, other) for other in here):
            present.append(each.name)
            continue
        new = replace(each, id=await profiles.id_again(journal, each), name=_free_name(each.name, here))
        await profiles.save(journal, new)
        here.append(new)
        added.append(new.name)
    return Imported(tuple(added), tuple(present), tuple(unusable))


def _free_name(name: str, here: Sequence[Profile]) -> str:
    """The name, with a number behind it where another connection has it."""
    taken = {each.name.casefold() for each in here}
    number, wanted = 2, name
    while wanted.casefold() in taken:
        wanted = f"{name} ({number})"
        number += 1
    return wanted
