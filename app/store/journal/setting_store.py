"""Settings by key, in the journal: choices of a person, and what the journal has to remember about itself.

A value is anything that JSON can hold.
"""

import json

import apsw

from app.store.sqlite.plain_rows import value
from app.store.sqlite.text_values import storable


def read_setting(c: apsw.Connection, key: str, default: object = None) -> object:
    """The value of `key`, or `default`."""
    found = value(c, "SELECT value FROM settings WHERE key = ?", (key,))
    return default if found is None else json.loads(found)


def write_setting(c: apsw.Connection, key: str, setting: object) -> None:
    """Store the value of `key`, in place of the one before."""
    c.execute(
        "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, storable(json.dumps(setting, ensure_ascii=False))),
    )
