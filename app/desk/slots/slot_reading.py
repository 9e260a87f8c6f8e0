"""The slots in an answer whose fields the contract does not give: their days and times, and the rest as it came.

Invariants: no reader raises on odd input. A slot keeps every field that the answer gives for it, its own and those of
the objects around it, so that a reservation can name it in the provider's own words.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time

from app.contract.replies import decode
from app.desk.export.spreadsheet_cells import written
from app.desk.records.record_table import Record, cell, table_of

_TIME = r"([01]?[0-9]|2[0-4]):([0-5][0-9])(?::[0-5][0-9](?:\.[0-9]+)?)?\s*([AaPp]\.?[Mm]\.?)?"
_ONE_TIME = re.compile(_TIME)
_ONLY_TIMES = re.compile(rf"\s*{_TIME}(\s*(-|–|to|/|until)\s*{_TIME})?\s*(Z|[+-][0-9]{{2}}:?[0-9]{{2}})?\s*")
_ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ](.+))?")
_OFFSET = re.compile(r"(:[0-9]{2}(?:\.[0-9]+)?)[+-][0-9]{2}:?[0-9]{2}\s*$")  # behind seconds; else it ends a span
_DIGITS = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})()")  # a day only under a name that says so
_AMERICAN = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})(?:[T ,]+(.+))?")
_STARTS = re.compile("start|from|begin|open|earliest", re.IGNORECASE)
_ENDS = re.compile("end|^to|until|close|latest|(?<=[a-z])To", re.IGNORECASE)
_NAMES_DAY = re.compile("date|day", re.IGNORECASE)
_NOT_THE_SLOTS = re.compile(
    "creat|updat|chang|issu|expir|valid|request|order", re.IGNORECASE
)  # moments of other things
_DEEPEST = 8
_MOST = 2_000  # slots of one answer
_LONGEST = 200  # letters of a day with its times; on blanks the patterns above take the square of their number
_VALUE = "value"


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot: its day and times, as far as it names them, `rest` in words, and its `record` to reserve it by."""

    day: date | None
    start: time | None
    end: time | None
    rest: tuple[tuple[str, str], ...] = ()
    record: Record = field(default_factory=dict)


def slots_in(body: bytes) -> list[Slot]:
    """The slots that name a day or a time, by day and time; those without a day last."""
    found = []
    for record in _leaves(decode(body), {}, 0):
        slot = _slot(record)
        if slot.day is not None or slot.start is not None:
            found.append(slot)
        if len(found) == _MOST:
            break
    return sorted(found, key=lambda each: (each.day or date.max, each.start or time.min))


def _leaves(value: object, around: Record, depth: int, name: str = _VALUE) -> Iterator[Record]:
    """The innermost records, each with the plain fields of the objects around it."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for each in value:
            yield from _leaves(each, around, depth + 1, name)
    elif isinstance(value, Mapping):
        inner = {str(key): each for key, each in value.items() if _holds_slots(each, depth)}
        own = {str(key): each for key, each in value.items() if str(key) not in inner}
        if not inner:
            yield {**around, **own}
        for key, each in inner.items():
            yield from _leaves(each, {**around, **own}, depth + 1, key)
    elif isinstance(value, str | int | float):
        yield {**around, name: value}


def _holds_slots(value: object, depth: int) -> bool:
    """Whether slots lie further in: a list of records, a list of days or times, or an object with such a list."""
    if depth > _DEEPEST:
        return False
    if isinstance(value, list):
        return any(isinstance(each, Mapping | list) for each in value) or (
            bool(value) and all(isinstance(each, str) and _reads(each) for each in value)
        )
    return isinstance(value, Mapping) and any(_holds_slots(each, depth + 1) for each in value.values())


def _reads(text: str) -> bool:
    day, times = _day_and_times(text, "")
    return day is not None or bool(times)


def _slot(record: Record) -> Slot:
    table = table_of([record])
    day: date | None = None
    times: list[tuple[str, time]] = []
    rest: list[tuple[str, str]] = []
    for column in table.columns:
        text, name = written(cell(table.records[0], column)), column.path[-1]
        # A slot's record may say when the slot was made, or until when the offer stands; these are not its day.
        named, told = (None, []) if _NOT_THE_SLOTS.search(name) else _day_and_times(text, name)
        if named is None and not told:
            rest += [(column.title, text)] if text else []
        day = day or named
        times += [(name, each) for each in told]
    start = _first(times, _STARTS) or (times[0][1] if times else None)
    others = [(name, each) for name, each in times if each != start]
    end = _first(others, _ENDS) or (others[0][1] if others else None)
    return Slot(day, start, end, tuple(rest), record)


def _first(times: list[tuple[str, time]], name: re.Pattern[str]) -> time | None:
    return next((each for called, each in times if name.search(called)), None)


def _day_and_times(text: str, name: str) -> tuple[date | None, list[time]]:
    """The day and the times that a text is, under this name; neither for a text that is anything else."""
    if len(text) > _LONGEST:
        return None, []
    if _ONLY_TIMES.fullmatch(text):
        return None, _times(text)
    patterns = [(_ISO, (1, 2, 3)), (_AMERICAN, (3, 1, 2))]
    for pattern, places in [*patterns, (_DIGITS, (1, 2, 3))] if _NAMES_DAY.search(name) else patterns:
        found = pattern.fullmatch(text.strip())
        if found is None or (found[4] and not _ONLY_TIMES.fullmatch(found[4])):
            continue
        try:
            day = date(*(int(found[each]) for each in places))
        except ValueError:
            continue
        return day, _clock_of(found[4])
    return None, []


def _clock_of(text: str | None) -> list[time]:
    """The times behind a day. Midnight alone is how a day without a time is written."""
    times = _times(_OFFSET.sub(r"\1", text)) if text else []
    return [] if times == [time()] else times


def _times(text: str) -> list[time]:
    found = []
    for hour, minute, half in _ONE_TIME.findall(text):
        # Some write the end of a day as 24:00.
        number = int(hour) % 24
        if half and half[0] in "Pp" and number < 12:
            number += 12
        elif half and half[0] in "Aa" and number == 12:
            number = 0
        found.append(datetime(1, 1, 1, number, int(minute)).time())
    return found
