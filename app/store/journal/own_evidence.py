"""What the journal itself knows about a doubt, an acceptance, and a reference that was sent before.

Invariant: an attempt counts as one that may have arrived unless its outcome proves that it did not act.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from datetime import datetime

import apsw

from app.store.journal.records import WriteRow, write_row
from app.store.journal.setting_store import read_setting, write_setting
from app.store.journal.write_store import WRITE
from app.store.sqlite.plain_rows import rows, value
from app.store.sqlite.text_values import from_moment

_MOVED = "profiles.moved"  # the setting: by connection, the last attempt before it led elsewhere
_BY_A_PERSON = "journal.by_a_person"  # the setting: the last attempt that only a person decides about
_HERE = "coalesce((SELECT max(id) FROM attempts WHERE write_id = writes.id) > ?, 1)"
PROVABLY_NOT = "('rejected', 'not_sent', 'not_authorised', 'not_taken')"
_LATER = """
    EXISTS (SELECT 1 FROM writes later WHERE later.profile = writes.profile AND later.reference = writes.reference
            AND later.id > writes.id AND later.state IN ('sending', 'in_doubt', 'accepted', 'confirmed'))
"""
_REPLACED = _LATER.replace("'sending', 'in_doubt', ", "")


def forbid_automatic_resend(c: apsw.Connection) -> None:
    """Nothing that was tried so far is sent again by itself: it may have been, from elsewhere or by what is lost."""
    write_setting(c, _BY_A_PERSON, value(c, "SELECT coalesce(max(id), 0) FROM attempts"))


def last_forbidden_attempt(c: apsw.Connection) -> int:
    """The last attempt that is; 0 when there is none."""
    found = read_setting(c, _BY_A_PERSON)
    return found if isinstance(found, int) else 0


def last_attempt_at(c: apsw.Connection, profile: str, reference: str) -> datetime | None:
    """When this desk last sent an order with this reference that may have arrived; None when none can have."""
    return from_moment(
        value(
            c,
            f"""
            SELECT coalesce(attempts.ended_at, attempts.started_at)
            FROM attempts JOIN writes ON writes.id = attempts.write_id
            WHERE writes.profile = ? AND writes.reference = ? AND writes.kind = 'submit'
              AND (attempts.outcome IS NULL OR attempts.outcome NOT IN {PROVABLY_NOT})
            ORDER BY attempts.id DESC LIMIT 1
            """,
            (profile, reference),
        )
    )


def sent_by_another_write(c: apsw.Connection, write: WriteRow) -> bool:
    """Whether another submission of the same reference may have arrived, by whatever became of it since."""
    found = value(
        c,
        f"""
        SELECT 1 FROM attempts JOIN writes ON writes.id = attempts.write_id
        WHERE writes.profile = ? AND writes.reference = ? AND writes.kind = 'submit' AND writes.id <> ?
          AND (attempts.outcome IS NULL OR attempts.outcome NOT IN {PROVABLY_NOT})
        LIMIT 1
        """,
        (write.profile, write.reference, write.id),
    )
    return found is not None


def turned_back_references(c: apsw.Connection, profile: str) -> set[str]:
    """The references of which something came too soon after others, and was not taken by what the provider said."""
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
    """Every write in doubt, the oldest first."""
    return [
        write_row(each) for each in rows(c, f"{WRITE} WHERE profile = ? AND state = 'in_doubt' ORDER BY id", (profile,))
    ]


def record_move(c: apsw.Connection, profile: str) -> None:
    """A connection leads to another provider from now on: that one knows nothing of what was accepted before."""
    last = value(c, "SELECT coalesce(max(id), 0) FROM attempts")
    write_setting(c, _MOVED, {**_moved(c), profile: last})


def accepted_before_move(c: apsw.Connection, profile: str, note: str) -> list[int]:
    """The ids of accepted writes that another provider accepted and that do not yet say so by `note`.

    One that was replaced says that instead.
    """
    found = rows(
        c,
        f"""
        SELECT id FROM writes WHERE profile = ? AND state = 'accepted' AND note IS NOT ? AND NOT {_HERE}
          AND (kind = 'cancel' OR NOT {_REPLACED}) ORDER BY id
        """,
        (profile, note, _moved_at(c, profile)),
    )
    return [int(each) for (each,) in found]


def _moved_at(c: apsw.Connection, profile: str) -> int:
    """The last attempt that went where the connection led before; 0 when it always led where it leads now."""
    return _moved(c).get(profile, 0)


def _moved(c: apsw.Connection) -> dict[str, int]:
    found = read_setting(c, _MOVED)
    return found if isinstance(found, dict) else {}


def unconfirmed_writes(c: apsw.Connection, profile: str) -> list[WriteRow]:
    """Accepted writes that what the provider shows now can confirm, the oldest first.

    A submission that a later write of the same order may have replaced is not among them, nor is anything that another
    provider accepted, before the connection led to this one.
    """
    found = rows(
        c,
        f"""
        {WRITE} WHERE profile = ? AND state = 'accepted' AND (kind = 'cancel' OR NOT {_LATER}) AND {_HERE} ORDER BY id
        """,
        (profile, _moved_at(c, profile)),
    )
    return [write_row(each) for each in found]


def replaced_writes(c: apsw.Connection, profile: str, note: str) -> list[int]:
    """The ids of accepted submissions that a later accepted write replaced and that do not yet say so by `note`."""
    found = rows(
        c,
        f"""
        SELECT id FROM writes WHERE profile = ? AND state = 'accepted' AND kind = 'submit' AND note IS NOT ?
          AND {_REPLACED} ORDER BY id
        """,
        (profile, note),
    )
    return [int(each) for (each,) in found]


def last_change(c: apsw.Connection) -> int:
    """The number of the last change of any write; it grows with every one."""
    return int(value(c, "SELECT change FROM tally"))
