"""Mappings of columns, by connection, among the settings of the journal. The desk defines what a mapping holds."""

from typing import Any

import apsw

from app.store.journal.setting_store import read_setting, write_setting

Record = dict[str, Any]
_MOST = 200  # files that are remembered


def remembered(c: apsw.Connection, profile: str, titles: str) -> Record | None:
    """The mapping last used for files with these titles, by the digest of the titles."""
    return _part(c, profile, "titles").get(titles)


def remember(c: apsw.Connection, profile: str, titles: str, mapping: Record) -> None:
    """Store the mapping that was used for files with these titles; the one that was used longest ago may give way."""
    kept = _part(c, profile, "titles")
    kept.pop(titles, None)
    kept[titles] = mapping
    _write(c, profile, "titles", dict(list(kept.items())[-_MOST:]))


def named(c: apsw.Connection, profile: str) -> dict[str, Record]:
    """The mappings with a name."""
    return _part(c, profile, "named")


def keep(c: apsw.Connection, profile: str, name: str, mapping: Record) -> None:
    """Store a mapping under a name, in place of one of this name."""
    _write(c, profile, "named", named(c, profile) | {name: mapping})


def delete(c: apsw.Connection, profile: str, name: str) -> None:
    """Forget a named mapping."""
    kept = named(c, profile)
    kept.pop(name, None)
    _write(c, profile, "named", kept)


def _part(c: apsw.Connection, profile: str, part: str) -> dict[str, Record]:
    found = read_setting(c, f"imports.{part}.{profile}")
    return {str(key): each for key, each in found.items() if isinstance(each, dict)} if isinstance(found, dict) else {}


def _write(c: apsw.Connection, profile: str, part: str, kept: dict[str, Record]) -> None:
    write_setting(c, f"imports.{part}.{profile}", kept)
