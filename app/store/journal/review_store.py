"""Reviews of audits and of their photos by a person: reviewed, flagged, notes, marks. The provider never gets them.

One row is the review of one audit (its `photo` is empty) or of one photo (its address as the provider wrote it), as a
JSON object whose fields the desk defines.

Invariant: a review that was withdrawn stays as an empty row. Without the row, the salvage of a damaged journal would
bring the review back from an older page.
"""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

import apsw

from app.store.journal.team.team_log import note_review
from app.store.sqlite.plain_rows import rows, value
from app.store.sqlite.text_values import storable, to_moment

_NOTHING = "{}"
_NOBODY: Mapping[int, str] = MappingProxyType({})


class Marked(NamedTuple):
    """Audits by their reviews; `flagged` and `noted` count reviews of photos too. `by`: who else of a team reviewed
    an audit, by its number."""

    reviewed: frozenset[int]
    flagged: frozenset[int]
    noted: frozenset[int]
    by: Mapping[int, str] = _NOBODY


def put_review(c: apsw.Connection, profile: str, audit: int, photo: str, body: str | None, now: datetime) -> str | None:
    """Store a review in place of the one before, and return the one before. None stands for no review."""
    photo = storable(photo)
    key = (profile, audit, photo)
    before: str | None = value(c, "SELECT body FROM reviews WHERE profile = ? AND audit = ? AND photo = ?", key)
    if body is None and before is None:
        return None
    c.execute(
        """
        INSERT INTO reviews (profile, audit, photo, body, changed_at) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (profile, audit, photo) DO UPDATE SET body = ?4, changed_at = ?5
        """,
        (*key, stored := _NOTHING if body is None else storable(body), to_moment(now)),
    )
    note_review(c, *key, stored, to_moment(now))
    return None if before == _NOTHING else before


def reviews_of(c: apsw.Connection, profile: str, audit: int) -> dict[str, str]:
    """The reviews of an audit and of its photos: address → body; the audit's own review has the empty address."""
    statement = "SELECT photo, body FROM reviews WHERE profile = ? AND audit = ? AND body <> ?"
    return dict(rows(c, statement, (profile, audit, _NOTHING)))


def marked_audits(c: apsw.Connection, profile: str) -> Marked:
    """The audits of a profile that are reviewed, flagged, or have a note."""
    reviewed, flagged, noted = (
        frozenset(
            number
            for (number,) in rows(
                c, "SELECT DISTINCT audit FROM reviews WHERE profile = ? AND json_extract(body, ?)", (profile, path)
            )
        )
        for path in ("$.reviewed", "$.flagged", "$.noted")
    )
    return Marked(reviewed, flagged, noted)


def noted_audits(c: apsw.Connection, profile: str) -> list[tuple[int, str, str]]:
    """Every note of a profile: audit, photo (empty for the audit itself), and text."""
    found = """
        SELECT audit, photo, json_extract(body, '$.note') FROM reviews
        WHERE profile = ? AND json_extract(body, '$.noted') AND json_type(body, '$.note') = 'text'
        ORDER BY audit, id
    """
    return [(audit, photo, note) for audit, photo, note in rows(c, found, (profile,))]
