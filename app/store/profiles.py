"""Connections to providers, in the journal. Their secrets lie in the keyring, never here."""

import json
from dataclasses import dataclass
from typing import Any, Literal

import apsw

from app.store.sql import rows
from app.store.texts import storable

ProfileKind = Literal["practice", "test", "production"]


@dataclass(frozen=True, slots=True)
class Profile:
    """One connection: the three addresses of services.md, the client's id, and the scopes a token is asked for.

    `scopes` is empty until a test of the connection has found out which ones the provider grants.
    """

    id: str
    name: str
    kind: ProfileKind
    base_url: str
    info_base_url: str
    auth_url: str
    client_id: str
    scopes: tuple[str, ...] = ()


_ALL = """
    SELECT id, name, kind, base_url, info_base_url, auth_url, client_id, scopes
    FROM profiles ORDER BY name COLLATE NOCASE, id
"""
_SAVE = """
    INSERT INTO profiles (id, name, kind, base_url, info_base_url, auth_url, client_id, scopes)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind, base_url = excluded.base_url,
        info_base_url = excluded.info_base_url, auth_url = excluded.auth_url, client_id = excluded.client_id,
        scopes = excluded.scopes
"""


def all_profiles(c: apsw.Connection) -> list[Profile]:
    """Every connection, by name."""
    found = rows(c, _ALL)
    return [_profile(values) for values in found]


def save_profile(c: apsw.Connection, profile: Profile) -> None:
    """Keep a connection, new or changed."""
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
        ),
    )


def delete_profile(c: apsw.Connection, profile_id: str) -> None:
    """Forget a connection. What was sent through it stays in the journal."""
    c.execute("DELETE FROM profiles WHERE id = ?", (profile_id,))


def _profile(values: tuple[Any, ...]) -> Profile:
    key, name, kind, base, info, auth, client, scopes = values
    return Profile(key, name, kind, base, info, auth, client, tuple(json.loads(scopes)))
