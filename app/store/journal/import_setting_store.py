"""Facts about imported files, by connection, among the settings of the journal: mappings, and files with corrections.

Invariant: of an open file, told by its digest, one record is kept, and of a connection only so many. The desk defines
what a mapping and a record hold.
"""

from typing import Any

import apsw

from app.store.journal.setting_store import read_setting, write_setting

Record = dict[str, Any]
_MOST_TITLES = 200  # kinds of files whose mapping is remembered
_MOST_OPEN = 5  # files of one connection; of more, those that were corrected longest ago are dropped


def remembered(c: apsw.Connection, profile: str, titles: str) -> Record | None:
    """The mapping last used for files with these titles, by the digest of the titles."""
    return _part(c, profile, "titles").get(titles)


def remember(c: apsw.Connection, profile: str, titles: str, mapping: Record) -> None:
    """Store the mapping that was used for files with these titles; the one that was used longest ago may give way."""
    kept = _part(c, profile, "titles")
    kept.pop(titles, None)
    kept[titles] = mapping
    _write(c, profile, "titles", dict(list(kept.items())[-_MOST_TITLES:]))


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


def open_files(c: apsw.Connection, profile: str) -> list[Record]:
    """The records of the open files of a connection, the file that was corrected last first."""
    found = read_setting(c, _open_key(profile))
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def put_open_file(c: apsw.Connection, profile: str, digest: str, record: Record | None) -> None:
    """Keep the record of a file in place of the one before; None: the file is not open any more."""
    others = [each for each in open_files(c, profile) if each.get("digest") != digest]
    write_setting(c, _open_key(profile), ([] if record is None else [record]) + others[: _MOST_OPEN - 1])


def _open_key(profile: str) -> str:
    return f"imports.open.{profile}"


def _part(c: apsw.Connection, profile: str, part: str) -> dict[str, Record]:
    found = read_setting(c, f"imports.{part}.{profile}")
    return {str(key): each for key, each in found.items() if isinstance(each, dict)} if isinstance(found, dict) else {}


def _write(c: apsw.Connection, profile: str, part: str, kept: dict[str, Record]) -> None:
    write_setting(c, f"imports.{part}.{profile}", kept)
