"""Connections to providers (profiles), in the journal.

Invariants: secrets are stored in the keyring, never here. A connection is not removed or moved to another provider
while a write depends on the provider that it leads to.
"""

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

import apsw

from app.contract.codes import Format
from app.store.journal import held_writes, import_store, own_evidence, setting_store, write_store
from app.store.journal.team.team_places import bare_address
from app.store.sqlite.plain_rows import row, rows, value
from app.store.sqlite.text_values import storable
from app.store.store_errors import WrongState
from app.translation import translate

ProfileKind = Literal["practice", "test", "production"]
SYSTEM_PROXY = "system"
_MOVED = translate("Paused: the connection leads to another provider since.")


@dataclass(frozen=True, slots=True)
class Profile:
    """One connection: the three addresses of services.md, the client's id, and the scopes to ask a token for.

    `scopes` is empty until a test of the connection has found which scopes the provider grants. `colour` names one of
    the window's, empty for none. `proxy` is "system", "direct" or an address; `authorities` the path of a file with
    certificates, empty for none; `replies` the format that the services are asked to answer in, `sends` the format of
    orders, cancellations, quotes and trucks that leave.
    """

    id: str
    name: str
    kind: ProfileKind
    base_url: str
    info_base_url: str
    auth_url: str
    client_id: str
    scopes: tuple[str, ...] = ()
    colour: str = ""
    proxy: str = SYSTEM_PROXY
    proxy_user: str = ""
    authorities: str = ""
    replies: Format = "json"
    sends: Format = "json"


_OPTIONS = {
    "colour": "", "proxy": SYSTEM_PROXY, "proxy_user": "", "authorities": "", "replies": "json",
    "sends": "json",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class UnfinishedConnection:
    """A connection by its id, name and colour, and the number of its writes that have not ended or need a person."""

    id: str
    name: str
    count: int
    colour: str = ""


_ALL = """
    SELECT id, name, kind, base_url, info_base_url, auth_url, client_id, scopes, options
    FROM profiles ORDER BY name COLLATE NOCASE, id
"""
_SAVE = """
    INSERT INTO profiles (id, name, kind, base_url, info_base_url, auth_url, client_id, scopes, options)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind, base_url = excluded.base_url,
        info_base_url = excluded.info_base_url, auth_url = excluded.auth_url, client_id = excluded.client_id,
        scopes = excluded.scopes, options = excluded.options
"""


def all_profiles(c: apsw.Connection) -> list[Profile]:
    """Every connection, by name."""
    found = rows(c, _ALL)
    return [_profile(values) for values in found]


def save_profile(c: apsw.Connection, profile: Profile) -> None:
    """Store a connection, new or changed."""
    c.execute(
        _SAVE,
        (
            profile.id,
            storable(profile.name),
            profile.kind,
            storable(profile.base_url),
            storable(profile.info_base_url),
            storable(profile.auth_url),
            storable(profile.client_id),
            json.dumps(profile.scopes),
            json.dumps(options_of(profile)),
        ),
    )


def save_scopes(c: apsw.Connection, profile: Profile) -> None:
    """Store the scopes that a test found, unless the connection was removed or changed during the test."""
    c.execute(
        """
        UPDATE profiles SET scopes = ?
        WHERE id = ? AND base_url = ? AND info_base_url = ? AND auth_url = ? AND client_id = ?
        """,
        (
            json.dumps(profile.scopes),
            profile.id,
            storable(profile.base_url),
            storable(profile.info_base_url),
            storable(profile.auth_url),
            storable(profile.client_id),
        ),
    )


def move_profile(c: apsw.Connection, profile: Profile) -> None:
    """Store a connection that leads to another provider or client than before, and drop the yeses given for that one.

    Raises `WrongState` while a write is sending or in doubt, because only the provider before knows what became of it.
    """
    counted = write_store.counts(c, profile.id)
    if counted["sending"] or counted["in_doubt"]:
        raise WrongState(translate("An entry that was sent to the previous provider is not settled yet."))
    _refuse_requests_in_doubt(c, profile)
    # In one transaction with the new address: evidence of the former provider must count for no write of this one.
    own_evidence.record_move(c, profile.id)
    held_writes.revoke_agreements(c, profile.id)
    import_store.pause_all(c, _MOVED, datetime.now(UTC), profile.id)
    save_profile(c, profile)


def leads_to(c: apsw.Connection, profile: Profile) -> bool:
    """Whether the stored connection leads where `profile` does. True for one that is not stored, such as practice."""
    found = row(c, "SELECT base_url, client_id FROM profiles WHERE id = ?", (profile.id,))
    return found is None or same_place(profile, *found)


def remove_profile(c: apsw.Connection, profile: Profile) -> None:
    """Remove a connection. Its writes stay in the journal under its id, which `reusable_id` can find again.

    Raises `WrongState` while one of its writes has not ended or needs a person.
    """
    counted = write_store.counts(c, profile.id)
    imports = import_store.has_unfinished(c, profile.id)
    if imports or any(counted[state] for state in ("queued", "sending", "in_doubt", "rejected")):
        raise WrongState(translate("This connection has unfinished writes in its outbox."))
    _refuse_requests_in_doubt(c, profile)
    gone = {"id": profile.id, "base_url": profile.base_url, "client_id": profile.client_id}
    setting_store.write_setting(c, write_store.REMOVED_PROFILES, [*_removed(c), gone])
    c.execute("DELETE FROM profiles WHERE id = ?", (profile.id,))


def _refuse_requests_in_doubt(c: apsw.Connection, profile: Profile) -> None:
    counted = "SELECT count(*) FROM requests WHERE profile = ? AND state IN ('sending', 'in_doubt')"
    if value(c, counted, (profile.id,)):
        raise WrongState(translate("A quote, truck or reservation of this connection is still in doubt."))


def reusable_id(c: apsw.Connection, profile: Profile) -> str | None:
    """The id of a removed connection to the same provider and client, so that its writes are found again."""
    present = {each.id for each in all_profiles(c)}
    # The one removed last first: its writes are the latest.
    for gone in reversed(_removed(c)):
        if gone["id"] not in present and same_place(profile, gone["base_url"], gone["client_id"]):
            return gone["id"]
    return None


def unfinished_connections(c: apsw.Connection, profile_id: str) -> list[UnfinishedConnection]:
    """The other connections with writes that have not ended or need a person; only the one in use sends writes."""
    found = rows(
        c,
        """
        SELECT profiles.id, name, count(*), options ->> 'colour'
        FROM profiles JOIN writes ON writes.profile = profiles.id
        WHERE profiles.id <> ? AND state IN ('queued', 'sending', 'in_doubt', 'rejected')
        GROUP BY profiles.id ORDER BY name COLLATE NOCASE, profiles.id
        """,
        (profile_id,),
    )
    return [UnfinishedConnection(key, name, count, str(colour or "")) for key, name, count, colour in found]


def same_place(profile: Profile, base_url: str, client_id: str) -> bool:
    """Whether a connection leads to this provider as this client, so that it shows the same orders."""
    return (bare_address(profile.base_url), profile.client_id.strip()) == (bare_address(base_url), client_id.strip())


def _removed(c: apsw.Connection) -> list[dict[str, str]]:
    found = setting_store.read_setting(c, write_store.REMOVED_PROFILES, [])
    return found if isinstance(found, list) else []


def _profile(values: tuple[Any, ...]) -> Profile:
    key, name, kind, base, info, auth, client, scopes, options = values
    return with_options(
        Profile(key, name, kind, base, info, auth, client, tuple(json.loads(scopes))), json.loads(options)
    )


def options_of(profile: Profile) -> dict[str, str]:
    """The options that differ from a new connection's, by their field."""
    return {name: getattr(profile, name) for name, usual in _OPTIONS.items() if getattr(profile, name) != usual}


def with_options(profile: Profile, options: object) -> Profile:
    """The connection with these options; what is none, or of a kind that another version knows, is left out."""
    found = options if isinstance(options, dict) else {}
    texts = {name: found[name] for name in _OPTIONS if isinstance(found.get(name), str)}
    for name in ("replies", "sends"):
        if texts.get(name) not in (None, "json", "xml"):
            del texts[name]
    return replace(profile, **texts)
