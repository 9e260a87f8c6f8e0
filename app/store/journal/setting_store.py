"""Settings by key, in the journal: choices of a person, and what the journal has to remember about itself.

A value is anything that JSON can hold.
"""

import json
from collections.abc import Collection

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


def put_entry(c: apsw.Connection, key: str, name: str, entry: object, without: Collection[str] = ()) -> object:
    """Put one entry into the mapping that is the value of `key`, or take it out if it is None; returns the one before.

    Entries named by `without` are taken out too. All in one transaction, so that no other entry is lost meanwhile.
    """
    saved = read_setting(c, key)
    entries = dict(saved) if isinstance(saved, dict) else {}
    before = entries.get(name)
    after = {each: value for each, value in entries.items() if each != name and each not in without}
    write_setting(c, key, after if entry is None else {**after, name: entry})
    return before
