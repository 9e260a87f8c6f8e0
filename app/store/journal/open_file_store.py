"""The files that are open on the Import page with corrections, as settings of the journal.

Invariant: of a file, told by its digest, one record is kept, and of a connection only so many.
"""

from typing import Any

import apsw

from app.store.journal.setting_store import read_setting, write_setting

MOST = 5  # files of one connection; of more, those that were corrected longest ago are dropped


def open_files(c: apsw.Connection, profile: str) -> list[dict[str, Any]]:
    """The records of a connection, the file that was corrected last first."""
    found = read_setting(c, _key(profile))
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def put_open_file(c: apsw.Connection, profile: str, digest: str, record: dict[str, Any] | None) -> None:
    """Keep the record of a file in place of the one before; None: the file is not open any more."""
    others = [each for each in open_files(c, profile) if each.get("digest") != digest]
    write_setting(c, _key(profile), ([] if record is None else [record]) + others[: MOST - 1])


def _key(profile: str) -> str:
    return f"imports.open.{profile}"
