"""Choices of a person, by name, in the journal. A value is anything JSON can hold."""

import json

import apsw

from app.store.sqlite.plain_rows import value
from app.store.sqlite.text_values import storable


def read_setting(c: apsw.Connection, key: str, default: object = None) -> object:
    """The value kept under `key`, or `default`."""
    kept = value(c, "SELECT value FROM settings WHERE key = ?", (key,))
    return default if kept is None else json.loads(kept)


def write_setting(c: apsw.Connection, key: str, setting: object) -> None:
    """Keep a value under `key`, in place of the one before it."""
    c.execute(
        "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, storable(json.dumps(setting, ensure_ascii=False))),
    )
