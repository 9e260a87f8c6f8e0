"""What this desk's journal says of a reference that stands in the form: what waits, what was refused, what was sent.

It is read from the journal whenever it is said, so it is true after a restart, and goes when its cause goes.
"""

from dataclasses import dataclass
from datetime import datetime

from app.desk.desk import Desk
from app.desk.sending import outbox
from app.desk.sending.verdict import differing
from app.store.journal import own_evidence, write_store
from app.store.journal.records import WriteRow, WriteStory
from app.store.store_errors import JournalDamaged, StoreError

_WAITING = ("queued", "sending", "in_doubt")
Mark = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Before:
    """What was sent under a reference, as far as it concerns the order in the form.

    `waiting` is the latest submission that is not settled, `same` whether it holds the very order of the form.
    `refused` is the latest submission if the provider refused it, `words` what of its refusal concerns something that
    stands unchanged: by path, empty for the order as a whole. `tried_at`: when one may last have arrived. `mark`
    changes with the state of any of them. `trouble`: the journal could not be read.
    """

    waiting: WriteRow | None = None
    same: bool = False
    refused: WriteRow | None = None
    words: tuple[tuple[str, str], ...] = ()
    tried_at: datetime | None = None
    mark: Mark = ()
    trouble: str = ""


async def look_back(desk: Desk, reference: str, payload: bytes | None) -> Before:
    """Read what is known of a reference. `payload` is what would be sent, None while that is not known."""
    try:
        return await _look_back(desk, reference, payload)
    except StoreError as error:
        return Before(trouble=f"What this desk sent before could not be read. {error.sentence}")


async def _look_back(desk: Desk, reference: str, payload: bytes | None) -> Before:
    writes = await desk.journal.read(write_store.writes_of, desk.profile.id, reference)
    tried = await desk.journal.read(own_evidence.last_attempt_at, desk.profile.id, reference)
    mark = tuple((each.id, each.state) for each in writes)
    last = next((each for each in writes if each.kind == "submit" and each.state != "withdrawn"), None)
    if last is not None and last.state in _WAITING:
        return Before(waiting=last, same=payload is not None and await _bytes_of(desk, last) == payload, mark=mark)
    if last is not None and last.state == "rejected":
        told = await desk.journal.read(write_store.write_story, last.id)
        return Before(refused=last, words=await _standing(told, payload), tried_at=tried, mark=mark)
    return Before(tried_at=tried, mark=mark)


async def _bytes_of(desk: Desk, write: WriteRow) -> bytes | None:
    try:
        return await desk.journal.read(write_store.payload, write.id)
    except JournalDamaged:
        return None


async def _standing(told: WriteStory, payload: bytes | None) -> tuple[tuple[str, str], ...]:
    """What was refused and stands unchanged: a field until it is another, the order as a whole until anything is."""
    words = refusal(told)
    if payload is None or told.row.damaged:
        return tuple(words.items())
    changed = {each.path.lower() for each in await differing(told.payload, payload)}
    return tuple(
        (path, said)
        for path, said in words.items()
        if not (any(each.startswith(_plain(path)) for each in changed) if path else changed)
    )


def _plain(path: str) -> str:
    """Services write paths in other letters too: `Consignee.City`, `$.consignee.city`."""
    return path.lower().removeprefix("$.")


def refusal(told: WriteStory) -> dict[str, str]:
    """The same; what was said of the order as a whole where no field was named."""
    words = outbox.field_errors(told)
    return words or {"": told.row.note or "It gave no reason."}
