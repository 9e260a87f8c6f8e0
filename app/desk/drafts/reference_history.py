"""The history of a reference in this desk's journal: the write that waits, the refusal, the last attempt.

The journal is read each time, so the history holds after a restart, and changes as soon as the writes do.
"""

from dataclasses import dataclass
from datetime import datetime

from app.desk.desk import Desk
from app.desk.drafts import drafts_words
from app.desk.sending import outbox
from app.desk.sending.verdict import differing
from app.store.journal import own_evidence, write_store
from app.store.journal.records import WriteRow, WriteStory
from app.store.store_errors import JournalDamaged, StoreError

_WAITING = ("queued", "sending", "in_doubt")
Mark = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Before:
    """The writes of one reference, compared with the order in the form.

    `waiting` is the latest submission that is not settled; `same` says whether it holds the very order of the form.
    `refused` is the latest submission if the provider refused it. `words` is the part of that refusal about values that
    are still the same, by path (empty for the order as a whole). `tried_at` is when a write may last have arrived.
    `mark` changes with the state of any write. `trouble` says that the journal could not be read.
    """

    waiting: WriteRow | None = None
    same: bool = False
    refused: WriteRow | None = None
    words: tuple[tuple[str, str], ...] = ()
    tried_at: datetime | None = None
    mark: Mark = ()
    trouble: str = ""


async def look_back(desk: Desk, reference: str, payload: bytes | None) -> Before:
    """Read the history of a reference. `payload` is what the form would send, None while the form has issues."""
    try:
        return await _look_back(desk, reference, payload)
    except StoreError as error:
        return Before(trouble=drafts_words.history_unreadable(error.sentence))


async def _look_back(desk: Desk, reference: str, payload: bytes | None) -> Before:
    writes = await desk.journal.read(write_store.writes_of, desk.profile.id, reference)
    tried = await desk.journal.read(own_evidence.last_attempt_at, desk.profile.id, reference)
    # Read in the same look as the rest: a form that sees another mark later knows that its answer is old.
    mark = tuple((each.id, each.state) for each in writes)
    last = next((each for each in writes if each.kind == "submit" and each.state != "withdrawn"), None)
    if last is not None and last.state in _WAITING:
        return Before(waiting=last, same=payload is not None and await _bytes_of(desk, last) == payload, mark=mark)
    if last is not None and last.state == "rejected":
        story = await desk.journal.read(write_store.write_story, last.id)
        return Before(refused=last, words=await _standing(story, payload), tried_at=tried, mark=mark)
    return Before(tried_at=tried, mark=mark)


async def _bytes_of(desk: Desk, write: WriteRow) -> bytes | None:
    try:
        return await desk.journal.read(write_store.payload, write.id)
    except JournalDamaged:
        return None


async def _standing(story: WriteStory, payload: bytes | None) -> tuple[tuple[str, str], ...]:
    """The words of a refusal that still apply: to a field until its value differs, to the order until anything does."""
    words = refusal(story)
    # Nothing to compare with: until there is, all of the words count.
    if payload is None or story.row.damaged:
        return tuple(words.items())
    changed = {each.path.lower() for each in await differing(story.payload, payload)}
    return tuple(
        (path, sentence)
        for path, sentence in words.items()
        if not (any(each.startswith(_plain(path)) for each in changed) if path else changed)
    )


def _plain(path: str) -> str:
    """Services also write paths as `Consignee.City` or `$.consignee.city`."""
    return path.lower().removeprefix("$.")


def refusal(story: WriteStory) -> dict[str, str]:
    """The provider's words by path; those about the order as a whole have an empty path."""
    words = outbox.field_errors(story)
    return words or {"": story.row.note or drafts_words.NO_REASON}
