"""Which facts were noticed before, or were there when a person began to want notices of their kind.

Kept for each connection in the journal. Invariants: no fact is new twice, also over a restart or a deleted cache; a
kind that is looked at for the first time, or in another scope, has nothing new; there is no name in it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from app.desk.connections.connection_choices import keep_choice, read_choice
from app.desk.desk import Desk
from app.desk.noticing.notice_choices import KINDS, Kind
from app.desk.noticing.notice_facts import Fact, Reading

_CHOICE = "noticed"
_KEPT = timedelta(days=30)  # a fact that has gone may come back with the next fetch
_MOST = 5_000  # of a kind; the oldest go first
_RENEWED = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class _Seen:
    """The facts of a kind: the mark of each key, and the day on which it was there last."""

    scope: str = ""
    marks: Mapping[int, tuple[str, date]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ledger:
    """The marks of the facts that were noticed on one connection."""

    kinds: Mapping[Kind, _Seen] = field(default_factory=dict)

    def without(self, kind: Kind) -> "Ledger":
        """The ledger after a person does not want this kind any more."""
        return replace(self, kinds={name: each for name, each in self.kinds.items() if name != kind})

    def knows(self, kind: Kind) -> bool:
        """Whether this kind has been looked at before."""
        return kind in self.kinds


def sift(
    ledger: Ledger, kind: Kind, reading: Reading, today: date, *, silent: bool = False
) -> tuple[list[Fact], Ledger]:
    """The facts that are new, and the ledger that knows them. `silent`: a person sees them anyway, so none is new."""
    before = ledger.kinds.get(kind)
    silent = silent or before is None or before.scope != reading.scope
    marks = dict((before or _Seen()).marks)
    here = {fact.key for fact in reading.facts}
    new = []
    for fact in reading.facts:
        known = marks.get(fact.key)
        if not fact.mark:
            continue
        if known is None or known[0] != fact.mark:
            # A watched order is known from the moment of watching on, which was no change.
            if not silent and (known is not None or kind != "watched"):
                new.append(fact)
            marks[fact.key] = (fact.mark, today)
        elif today - known[1] >= _RENEWED:
            marks[fact.key] = (fact.mark, today)
    # Orders that are not watched any more are forgotten at once: watched again, they begin anew.
    kept = {key: each for key, each in marks.items() if key in here or (kind != "watched" and today - each[1] <= _KEPT)}
    seen = _Seen(reading.scope, _latest(kept))
    return new, ledger if seen == before else replace(ledger, kinds={**ledger.kinds, kind: seen})


def _latest(marks: Mapping[int, tuple[str, date]]) -> Mapping[int, tuple[str, date]]:
    if len(marks) <= _MOST:
        return marks
    latest = sorted(marks, key=lambda key: (marks[key][1], key), reverse=True)[:_MOST]
    return {key: marks[key] for key in latest}


async def read_ledger(desk: Desk) -> Ledger:
    """The ledger of this connection; what cannot be read was never looked at. Raises `StoreError`."""
    saved = await read_choice(desk, _CHOICE)
    records = saved if isinstance(saved, Mapping) else {}
    read = {kind: _read(records[kind]) for kind in KINDS if kind in records}
    return Ledger({kind: each for kind, each in read.items() if each is not None})


async def keep_ledger(desk: Desk, ledger: Ledger) -> None:
    """Keep the ledger. Raises `StoreError`."""
    records = {
        kind: {"scope": seen.scope, "marks": {f"{key}": [mark, f"{day}"] for key, (mark, day) in seen.marks.items()}}
        for kind, seen in ledger.kinds.items()
    }
    await keep_choice(desk, _CHOICE, records)


def _read(record: object) -> _Seen | None:
    try:
        assert isinstance(record, Mapping)
        marks = {int(key): (str(mark), date.fromisoformat(day)) for key, (mark, day) in record["marks"].items()}
        return _Seen(str(record["scope"]), marks)
    except (AssertionError, AttributeError, KeyError, TypeError, ValueError):
        return None
