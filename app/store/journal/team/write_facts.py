"""The entry of the team's log about a write: how the write stands, never the provider's own words.

The words are left out because they may quote names and addresses, which the team may have chosen not to share; the
payload is added when the entry is pushed, if the team shares orders.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

import json
from typing import Any, NamedTuple

import apsw

from app.store.journal.records import MAY_HAVE_ARRIVED
from app.store.journal.team.team_places import place_of
from app.store.sqlite.plain_rows import rows

KIND, VERSION = "write", 1

_CHANGED = f"""
    SELECT writes.change, writes.id, base_url, client_id, writes.kind, reference, state, held IS NOT NULL, queued_at,
           changed_at, sha256, verdict,
           (SELECT coalesce(ended_at, started_at) FROM attempts WHERE write_id = writes.id AND {MAY_HAVE_ARRIVED}
            ORDER BY id DESC LIMIT 1),
           EXISTS (SELECT 1 FROM attempts JOIN team_unclaimed ON attempt = attempts.id
                   WHERE write_id = writes.id AND {MAY_HAVE_ARRIVED}),
           (SELECT known FROM attempts LEFT JOIN team_known ON attempt = attempts.id
            WHERE write_id = writes.id AND {MAY_HAVE_ARRIVED} ORDER BY attempts.id DESC LIMIT 1)
    FROM writes JOIN profiles ON profiles.id = writes.profile
    WHERE writes.change > ? AND profiles.kind <> 'practice' ORDER BY writes.change LIMIT ?
"""


class WriteFact(NamedTuple):
    """A write that has changed: the number of the change, the write's id, and the entry's subject and body."""

    change: int
    write_id: int
    subject: str
    body: str


def changed_since(c: apsw.Connection, change: int, limit: int) -> list[WriteFact]:
    """The writes that changed after this change, in the order of their last changes. Practice is nobody's business."""
    return [_fact(*values) for values in rows(c, _CHANGED, (change, limit))]


def _fact(
    change: int,
    write_id: int,
    base_url: str,
    client_id: str,
    kind: str,
    reference: str,
    state: str,
    held: int,
    queued_at: str,
    changed_at: str,
    sha256: str,
    verdict: str | None,
    tried_at: str | None,
    unclaimed: int,
    known: str | None,
) -> WriteFact:
    place = place_of(base_url, client_id)
    body: dict[str, Any] = {
        "place": place,
        "write": write_id,
        "kind": kind,
        "reference": reference,
        "state": state,
        "queued_at": queued_at,
        "changed_at": changed_at,
        "sha256": sha256,
    }
    if held:
        body["held"] = True
    if verdict is not None:
        body["verdict"] = verdict
    if tried_at is not None:
        body["tried_at"] = tried_at
    if unclaimed:
        body["unclaimed"] = True
    if known is not None:
        body["known"] = json.loads(known)
    # When a month is dropped, the latest entry about each subject stays: of every order the latest write that the
    # provider accepted, and the latest one besides.
    standing = "accepted" if state in ("accepted", "confirmed") else "other"
    return WriteFact(change, write_id, f"{place} {standing} {reference}", json.dumps(body, ensure_ascii=False))
