"""The lines of *Today* that a person put off until a time, or has done for today: an entry each in the journal.

Invariant: an entry ends at its time, or as soon as matters are worse than they were: a worse rule finds the line, or
the mark of its reason has grown. Time alone makes no line worse.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from app.desk.desk import Desk
from app.desk.reasons.order_reasons import Reason
from app.desk.reasons.reason_rules import PLACES
from app.store.journal import setting_store

LONGEST_REASON = 200
_SETTING = "today"


@dataclass(frozen=True, slots=True)
class PutOff:
    """A line that does not show before `until`: what its reason was then, and what a person wrote about it.

    `done`: a person is done with it for the day.
    """

    until: datetime
    rule: str
    mark: int
    at: datetime
    words: str = ""
    done: bool = False

    def has_ended(self, reason: Reason, now: datetime) -> bool:
        """Whether the line shows again, its reason being this one by now."""
        if now >= self.until or reason.rule not in PLACES or self.rule not in PLACES:
            return True
        worse = PLACES[reason.rule] - PLACES[self.rule]
        return worse < 0 or (worse == 0 and reason.mark > self.mark)


def snoozed(reason: Reason, until: datetime, now: datetime, words: str = "") -> PutOff:
    """The entry of a line with this reason that is to show again at `until`."""
    return PutOff(until, reason.rule, reason.mark, now, words.strip()[:LONGEST_REASON])


def done_today(reason: Reason, now: datetime) -> PutOff:
    """The entry of a line with this reason that is done with until tomorrow."""
    tomorrow = datetime.combine(now.date() + timedelta(days=1), time())
    return PutOff(tomorrow, reason.rule, reason.mark, now, done=True)


async def read_put_offs(desk: Desk) -> dict[str, PutOff]:
    """The entries by the keys of their lines, ended ones too. Raises `StoreError`."""
    saved = await desk.journal.read(setting_store.read_setting, _key(desk))
    records = saved if isinstance(saved, Mapping) else {}
    return {str(key): entry for key, record in records.items() if (entry := _read(record)) is not None}


async def keep_put_off(desk: Desk, key: str, entry: PutOff | None) -> PutOff | None:
    """Keep the entry of a line, or with None let the line show; returns the entry before. Raises `StoreError`.

    Entries whose time is over are dropped on the way.
    """
    now = desk.now()
    over = [name for name, each in (await read_put_offs(desk)).items() if each.until <= now and name != key]
    record = None if entry is None else _record(entry)
    return _read(await desk.journal.write(setting_store.put_entry, _key(desk), key, record, over))


def _key(desk: Desk) -> str:
    return f"{_SETTING}/{desk.profile.id}"


def _record(entry: PutOff) -> dict[str, object]:
    return {
        "until": entry.until.isoformat(timespec="seconds"),
        "rule": entry.rule,
        "mark": entry.mark,
        "at": entry.at.isoformat(timespec="seconds"),
        "words": entry.words,
        "done": entry.done,
    }


def _read(record: object) -> PutOff | None:
    """The entry of a record; None if it cannot be read: then the line shows."""
    if not isinstance(record, Mapping):
        return None
    rule, mark, words = record.get("rule"), record.get("mark"), record.get("words")
    try:
        until, at = (datetime.fromisoformat(str(record.get(name))) for name in ("until", "at"))
    except ValueError:
        return None
    if not isinstance(rule, str) or type(mark) is not int or until.tzinfo or at.tzinfo:
        return None
    return PutOff(until, rule, mark, at, words if isinstance(words, str) else "", record.get("done") is True)
