"""What a person chose about desktop notices, for all connections: of what, when not, and what may stand in them.

Invariant: a choice that cannot be read counts as the first one, in which a notice names nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time
from typing import Literal

from app.desk.connections import profiles
from app.store.journal import setting_store
from app.store.sqlite.database import Database

Kind = Literal["refused", "in-doubt", "watched", "soon", "low-audit"]
KINDS: tuple[Kind, ...] = ("refused", "in-doubt", "watched", "soon", "low-audit")
OFF = "notices"  # as the administrator's file calls them
_KEY = "notices"
# What a person has sent or has asked to be told of. The rest is a list to work through, there without a notice too.
_FIRST: frozenset[Kind] = frozenset({"refused", "in-doubt", "watched"})


@dataclass(frozen=True, slots=True)
class NoticeChoices:
    """`kinds` are what is noticed. From `quiet_from` until `quiet_to` by the clock on the wall nothing is, if `quiet`.

    `references` allows the references of orders and the numbers of audits in a notice; a name or an address is never
    in one. With `off`, the administrator's file allows none at all.
    """

    kinds: frozenset[Kind] = _FIRST
    quiet: bool = False
    quiet_from: time = time(18)
    quiet_to: time = time(7)
    references: bool = False
    off: bool = False

    def is_quiet(self, now: datetime) -> bool:
        """Whether local time `now` is within the quiet hours, which may go over midnight.

        The clock on the wall decides: of the hour that comes twice in autumn, both are quiet or neither is. Two equal
        times are a whole day.
        """
        clock = now.time()
        if not self.quiet:
            return False
        if self.quiet_from < self.quiet_to:
            return self.quiet_from <= clock < self.quiet_to
        return clock >= self.quiet_from or clock < self.quiet_to


async def read_choices(journal: Database) -> NoticeChoices:
    """The choices about notices that are in force. Raises `StoreError`."""
    saved = await journal.read(setting_store.read_setting, _KEY)
    off = OFF in await profiles.pages_off(journal)
    if not isinstance(saved, Mapping):
        return NoticeChoices(off=off)
    kinds = saved.get("kinds")
    chosen = frozenset(each for each in KINDS if each in kinds) if isinstance(kinds, list) else _FIRST
    start, end = _time(saved.get("from")), _time(saved.get("to"))
    return NoticeChoices(
        chosen,
        saved.get("quiet") is True,
        NoticeChoices().quiet_from if start is None else start,
        NoticeChoices().quiet_to if end is None else end,
        saved.get("references") is True,
        off,
    )


async def keep_choices(journal: Database, choices: NoticeChoices) -> None:
    """Keep what a person chose. Raises `StoreError`."""
    saved = {
        "kinds": [each for each in KINDS if each in choices.kinds],
        "quiet": choices.quiet,
        "from": choices.quiet_from.isoformat("minutes"),
        "to": choices.quiet_to.isoformat("minutes"),
        "references": choices.references,
    }
    await journal.write(setting_store.write_setting, _KEY, saved)


def _time(saved: object) -> time | None:
    try:
        return time.fromisoformat(saved) if isinstance(saved, str) else None
    except ValueError:
        return None
