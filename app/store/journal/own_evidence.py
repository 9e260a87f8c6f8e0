"""Evidence that the journal itself has: which earlier attempts of a reference may have arrived, and what replaced what.

Invariant: an attempt counts as one that may have arrived unless its outcome proves that the provider did nothing.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from datetime import datetime

import apsw

from app.store.journal.records import MAY_HAVE_ARRIVED, WriteKind, WriteRow, write_row
from app.store.journal.setting_store import read_setting, write_setting
from app.store.journal.write_store import WRITE
from app.store.sqlite.plain_rows import row, rows, value
from app.store.sqlite.text_values import from_moment, to_moment

_MOVED = "profiles.moved"  # the setting: by connection, the last attempt before it led to another provider
_LAST_FORBIDDEN = "journal.by_a_person"  # the setting: the last attempt that no automatic resend may follow
_SINCE_MOVE = "coalesce((SELECT max(id) FROM attempts WHERE write_id = writes.id) > ?, 1)"
_LATER = """
    EXISTS (SELECT 1 FROM writes later WHERE later.profile = writes.profile AND later.reference = writes.reference
            AND later.id > writes.id AND later.state IN ('sending', 'in_doubt', 'accepted', 'confirmed'))
"""
REPLACED = _LATER.replace("'sending', 'in_doubt', ", "")


def forbid_automatic_resend(c: apsw.Connection) -> None:
    """Let only a person send again what was attempted so far, because the journal may not know all attempts."""
    # The number of an attempt, not a time: the clock may have been set back since.
    write_setting(c, _LAST_FORBIDDEN, value(c, "SELECT coalesce(max(id), 0) FROM attempts"))


def last_forbidden_attempt(c: apsw.Connection) -> int:
    """The last attempt at the latest `forbid_automatic_resend`; 0 if that was never called."""
    found = read_setting(c, _LAST_FORBIDDEN)
    return found if isinstance(found, int) else 0


def last_attempt_at(c: apsw.Connection, profile: str, reference: str) -> datetime | None:
    """The moment of the last attempt to submit this reference that may have arrived; None if there is none."""
    return from_moment(
        value(
            c,
            f"""
            SELECT coalesce(attempts.ended_at, attempts.started_at)
            FROM attempts JOIN writes ON writes.id = attempts.write_id
            WHERE writes.profile = ? AND writes.reference = ? AND writes.kind = 'submit'
              AND {MAY_HAVE_ARRIVED}
            ORDER BY attempts.id DESC LIMIT 1
            """,
            (profile, reference),
        )
    )


def sent_by_another_write(c: apsw.Connection, write: WriteRow) -> bool:
    """Whether another submission of this reference may have arrived, whatever its state is now."""
    found = value(
        c,
        f"""
        SELECT 1 FROM attempts JOIN writes ON writes.id = attempts.write_id
        WHERE writes.profile = ? AND writes.reference = ? AND writes.kind = 'submit' AND writes.id <> ?
          AND {MAY_HAVE_ARRIVED}
        LIMIT 1
        """,
        (write.profile, write.reference, write.id),
    )
    return found is not None


def turned_back_references(c: apsw.Connection, profile: str) -> set[str]:
    """The references of submissions that the provider turned back with 429 at least once."""
    found = rows(
        c,
        """
        SELECT DISTINCT reference FROM attempts JOIN writes ON writes.id = attempts.write_id
        WHERE attempts.outcome = 'not_taken' AND writes.profile = ? AND writes.kind = 'submit'
        """,
        (profile,),
    )
    return {name for (name,) in found}


def writes_in_doubt(c: apsw.Connection, profile: str) -> list[WriteRow]:
    """Every write in doubt, oldest first."""
    found = rows(c, f"{WRITE} WHERE profile = ? AND state = 'in_doubt' ORDER BY id", (profile,))
    return [write_row(each) for each in found]


def doubt_of(
    c: apsw.Connection,
    profile: str,
    kind: WriteKind,
    reference: str,
    queued_at: datetime,
    sha256: str,
    tried_at: datetime,
) -> WriteRow | None:
    """The write in doubt that another desk means by this, if its last attempt that may have arrived is still the same
    one: what was decided about an attempt says nothing about a later one."""
    found = row(
        c,
        f"""
        {WRITE} WHERE profile = ? AND state = 'in_doubt' AND kind = ? AND reference = ? AND queued_at = ?
          AND sha256 = ? AND ? = (
            SELECT coalesce(ended_at, started_at) FROM attempts WHERE write_id = writes.id AND {MAY_HAVE_ARRIVED}
            ORDER BY id DESC LIMIT 1)
        """,
        (profile, kind, reference, to_moment(queued_at), sha256, to_moment(tried_at)),
    )
    return None if found is None else write_row(found)


def record_move(c: apsw.Connection, profile: str) -> None:
    """Store that a connection leads to another provider from now on, which knows nothing of earlier writes."""
    last = value(c, "SELECT coalesce(max(id), 0) FROM attempts")
    write_setting(c, _MOVED, {**_moved(c), profile: last})


def accepted_before_move(c: apsw.Connection, profile: str, note: str) -> list[int]:
    """The ids of accepted writes that an earlier provider accepted and whose note is not `note` yet.

    Writes that a later one replaced are left out, because their note says that (see `replaced_writes`).
    """
    found = rows(
        c,
        f"""
        SELECT id FROM writes WHERE profile = ? AND state = 'accepted' AND note IS NOT ? AND NOT {_SINCE_MOVE}
          AND (kind = 'cancel' OR NOT {REPLACED}) ORDER BY id
        """,
        (profile, note, last_before_move(c, profile)),
    )
    return [int(each) for (each,) in found]


def last_before_move(c: apsw.Connection, profile: str) -> int:
    """The last attempt before the connection led where it leads now; 0 if it always did."""
    return _moved(c).get(profile, 0)


def _moved(c: apsw.Connection) -> dict[str, int]:
    found = read_setting(c, _MOVED)
    return found if isinstance(found, dict) else {}


def unconfirmed_writes(c: apsw.Connection, profile: str, given_up: str) -> list[WriteRow]:
    """The accepted writes that the provider's data can confirm, oldest first.

    A submission that a later write of the order may have replaced cannot be confirmed, nor can a write that an earlier
    provider of this connection accepted. Writes with the note `given_up` are left out.
    """
    found = rows(
        c,
        f"""
        {WRITE} WHERE profile = ? AND state = 'accepted' AND note IS NOT ?
          AND (kind = 'cancel' OR NOT {_LATER}) AND {_SINCE_MOVE}
        ORDER BY id
        """,
        (profile, given_up, last_before_move(c, profile)),
    )
    return [write_row(each) for each in found]


def replaced_writes(c: apsw.Connection, profile: str, note: str) -> list[int]:
    """The ids of accepted submissions that a later accepted write replaced and whose note is not `note` yet."""
    found = rows(
        c,
        f"""
        SELECT id FROM writes WHERE profile = ? AND state = 'accepted' AND kind = 'submit' AND note IS NOT ?
          AND {REPLACED} ORDER BY id
        """,
        (profile, note),
    )
    return [int(each) for (each,) in found]


def last_change(c: apsw.Connection) -> int:
    """The number of the last change of any write or request; it grows with every change."""
    return int(value(c, "SELECT change FROM tally"))


def references_changed(c: apsw.Connection, profile: str, since: int) -> tuple[int, set[str]]:
    """The number of the last change, and the references of the writes that were changed after change `since`."""
    # The number first: a write that is changed between the two readings is then read twice, and never missed.
    latest = last_change(c)
    found = rows(c, "SELECT DISTINCT reference FROM writes WHERE change > ? AND profile = ?", (since, profile))
    return latest, {reference for (reference,) in found}
