"""The filter as it is typed, `status:dso late facility:F012 -has:pod "rivera" scheduled:today..+3`, and as clauses.

Words by themselves are searched for; a name with a colon asks for a field, a minus before it turns it round, commas
part values of which any will do. What is in quotes is text, or one value. A text that is not (or not yet) right finds
by what is right in it, and says in words what is not, and where.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from app.contract.codes import FOLDER_TYPE_WORDS, ORDER_STATE_WORDS
from app.desk.filter.attention_rules import RULES
from app.desk.filter.filter_dates import read_days, written_days
from app.store.cache.schema.conditions import ANY, FIELDS, NO, NONE, YES, Clause

# Names as they are typed → the field; the first of a field is the one that is written.
NAMES: dict[str, str] = {
    "list": "list",
    "status": "state",
    "state": "state",
    "facility": "facility",
    "delivery": "delivery",
    "brand": "brand",
    "manufacturer": "manufacturer",
    "city": "city",
    "region": "region",
    "zip": "zip",
    "imported": "imported",
    "estimated": "estimated",
    "received": "received",
    "requested": "requested",
    "scheduled": "scheduled",
    "loaded": "loaded",
    "delivered": "delivered",
    "due": "due",
    "late": "late",
    "over": "over",
    "has": "has",
    "number": "number",
    "reference": "reference",
    "ref": "reference",
    "is": "is",
    "attention": "attention",
}
# What `is:` can be followed by → the field. The last three are the desk's own.
STANDINGS: dict[str, str] = {
    "late": "late",
    "received": "received",
    "delivered": "delivered",
    "changed": "changed",
    "watched": "watched",
    "outbox": "outbox",
    "attention": "attention",
}
DESK_FIELDS = frozenset({"watched", "outbox", "attention"})
ALONE = ("late", "watched")  # typed without a name
LISTS = {"open": "Open", "completed": "Completed", "other": "On no list"}
EVERYWHERE = f"list:{','.join(LISTS)}"
# Fields with a flag and a date: `received:yes`, `received:today`.
_TWOFOLD = {"received": "received_on", "delivered": "delivered_on"}
_FLAGS = {"yes": YES, "no": NO, "none": NONE}
_QUOTES = r'"((?:[^"]|"")*)"?'  # two of them in quotes are one that is meant
_PIECE = re.compile(rf'(?:[^\s"]|{_QUOTES})+')
_NAMED = re.compile(r"(-?)([A-Za-z][A-Za-z_]*):(.*)", re.DOTALL)
_VALUE = re.compile(rf'(?:[^,"]|{_QUOTES})+')
_NEEDS_QUOTES = re.compile(r'[\s,"]')


class Problem(NamedTuple):
    """What is not right, from one place of the text to another, and why."""

    start: int
    end: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter as it is understood. `text` is what is searched for, words parted by blanks."""

    text: str = ""
    clauses: tuple[Clause, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether every order is found."""
        return not self.text and not self.clauses


class _NotUnderstood(ValueError):
    """The sentence is the argument."""


def parse(typed: str, today: date) -> Filter:
    """What a typed filter asks for."""
    words: list[str] = []
    clauses: list[Clause] = []
    problems: list[Problem] = []
    for start, piece in _pieces(typed):
        try:
            clause = _clause(piece, today)
        except _NotUnderstood as error:
            problems.append(Problem(start, start + len(piece), str(error)))
            continue
        if clause is None:
            words += _unquoted(piece).split()
        else:
            clauses.append(clause)
    return Filter(" ".join(words), tuple(clauses), tuple(problems))


def written(clauses: Sequence[Clause], text: str = "") -> str:
    """The filter as one would type it; `parse` reads the same clauses out of it."""
    words = [f'"{word}"' if _could_be_more(word) else word.replace('"', '""""') for word in text.split()]
    return " ".join([*(write_clause(each) for each in clauses), *words])


def write_clause(clause: Clause) -> str:
    """One clause as one would type it."""
    minus = "-" if clause.negated else ""
    name = {"state": "status", "received_on": "received", "delivered_on": "delivered"}.get(clause.field, clause.field)
    if clause.field in STANDINGS and (not clause.values or clause.values == (YES,)):
        return minus + (clause.field if clause.field in ALONE and not minus else f"is:{clause.field}")
    if clause.field in DESK_FIELDS or not _has_days(clause):
        values = ",".join(quoted(value) if value else NONE for value in clause.values)
        return f"{minus}{name}:{values}" if values else f"{minus}{name}:1"
    return f"{minus}{name}:{written_days(clause.first, clause.last)}"


def _has_days(clause: Clause) -> bool:
    return clause.first is not None or clause.last is not None


def _pieces(typed: str) -> Iterator[tuple[int, str]]:
    return ((found.start(), found[0]) for found in _PIECE.finditer(typed))


def _could_be_more(word: str) -> bool:
    """Whether a word of text would be read as something else without quotes."""
    return word.lower().lstrip("-") in ALONE or _NAMED.fullmatch(word) is not None


def quoted(value: str) -> str:
    """A value as one would type it: in quotes where it needs them."""
    return '"' + value.replace('"', '""') + '"' if _NEEDS_QUOTES.search(value) else value


def _unquoted(piece: str) -> str:
    return re.sub(_QUOTES, lambda found: found[1].replace('""', '"'), piece)


def _clause(piece: str, today: date) -> Clause | None:
    """The clause that a piece stands for; None for text."""
    bare = piece.lower()
    if bare.removeprefix("-") in ALONE:
        return Clause(bare.removeprefix("-"), negated=bare.startswith("-"))
    found = _NAMED.fullmatch(piece)
    if found is None:
        return None
    minus, name, rest = found.groups()
    field = NAMES.get(name.lower())
    if field is None:
        raise _NotUnderstood(f"No filter is called “{name}”. To search for this text, put it in quotes.")
    values = tuple(_unquoted(each[0]).strip() for each in _VALUE.finditer(rest))
    values = tuple(dict.fromkeys(each for each in values if each))
    if not values:
        raise _NotUnderstood(f"Say what follows “{name}:”, for instance {_example(field)}.")
    clause = _of_values(field, values, today)
    if minus and clause.field == "attention":
        raise _NotUnderstood("Attention cannot be turned round.")
    return clause._replace(negated=bool(minus))


def _of_values(field: str, values: tuple[str, ...], today: date) -> Clause:
    if field == "is":
        return _standing(values)
    if field == "attention":
        return Clause(field, tuple(_rule(value.lower()) for value in values))
    lower = tuple(value.lower() for value in values)
    if field in _TWOFOLD and all(value in _FLAGS for value in lower):
        return Clause(field, tuple(_FLAGS[value] for value in lower))
    field = _TWOFOLD.get(field, field)
    kind = FIELDS[field].kind
    if kind == "date":
        return _dates(field, lower, today)
    if kind == "days":
        return _days(field, values)
    if kind == "documents":
        return Clause(field, tuple(_folder(value) for value in values))
    if field == "state":
        return Clause(field, tuple(_state(value) for value in values))
    if kind == "list":
        return Clause(field, tuple(_list(value) for value in lower))
    if kind in ("value", "prefix"):
        return Clause(field, tuple("" if value.lower() == NONE else value for value in values))
    if field == "number" and (odd := next((value for value in values if not value.isdecimal()), None)) is not None:
        raise _NotUnderstood(f"“{odd}” is no order number: it holds digits only.")
    return Clause(field, values)


def _standing(values: tuple[str, ...]) -> Clause:
    if len(values) > 1:
        raise _NotUnderstood("One word follows “is:”. Type “is:” again for another.")
    field = STANDINGS.get(values[0].lower())
    if field is None:
        raise _NotUnderstood(f"No order “is {values[0]}”. It can be {', '.join(STANDINGS)}.")
    return Clause(field, () if field in DESK_FIELDS or field == "late" else (YES,))


def _dates(field: str, values: tuple[str, ...], today: date) -> Clause:
    if all(value in (ANY, NONE) for value in values):
        return Clause(field, values)
    if len(values) > 1:
        raise _NotUnderstood("Days cannot be parted by commas. Say from when to when: today..+3.")
    days = read_days(values[0], today, back=field in ("imported", "received_on", "loaded", "delivered_on"))
    if days is None:
        raise _NotUnderstood(
            f"“{values[0]}” is no day. Days are today, yesterday, +3, -7, fri, 2026-03-31, any or none; "
            "two of them with .. between are all days from one to the other."
        )
    if days[0] is not None and days[1] is not None and days[0] > days[1]:
        raise _NotUnderstood(f"{days[0]} is after {days[1]}: the first day comes first.")
    return Clause(field, first=days[0], last=days[1])


def _days(field: str, values: tuple[str, ...]) -> Clause:
    number = values[0].removesuffix("+").removesuffix("d")
    if len(values) > 1 or not number.isdecimal() or not 1 <= int(number) <= 9_999:
        raise _NotUnderstood(f"“{','.join(values)}” is no number of days. Type the least number, from 1 on.")
    return Clause(field, (str(int(number)),))


def _state(value: str) -> str:
    code = value.upper()
    if code in ORDER_STATE_WORDS:
        return code
    found = [code for code, word in ORDER_STATE_WORDS.items() if word.lower().startswith(value.lower())]
    if len(found) == 1:
        return found[0]
    known = ", ".join(word.lower() for word in ORDER_STATE_WORDS.values())
    raise _NotUnderstood(f"No status is called “{value}”. There are {known}.")


def _folder(value: str) -> str:
    code = value.upper()
    if code in FOLDER_TYPE_WORDS:
        return code
    if value.lower() in (ANY, NONE):
        return value.lower()
    known = ", ".join(code.lower() for code in FOLDER_TYPE_WORDS)
    raise _NotUnderstood(f"No kind of document is called “{value}”. There are any, none, {known}.")


def _rule(value: str) -> str:
    if any(value == rule.name for rule in RULES):
        return value
    raise _NotUnderstood(f"No rule is called “{value}”. There are {', '.join(rule.name for rule in RULES)}.")


def _list(value: str) -> str:
    if value in LISTS:
        return value
    raise _NotUnderstood(f"No list is called “{value}”. There are {', '.join(LISTS)}.")


_EXAMPLES = {
    "list": "list:open",
    "state": "status:dso",
    "facility": "facility:F012",
    "delivery": "delivery:HOME",
    "zip": "zip:381",
    "late": "late:3",
    "over": "over:2",
    "has": "has:pod",
    "is": "is:watched",
    "number": "number:771002",
}


def _example(field: str) -> str:
    if field in _EXAMPLES:
        return _EXAMPLES[field]
    dates = field in _TWOFOLD or (field in FIELDS and FIELDS[field].kind == "date")
    return f"{field}:today" if dates else f'{field}:"one of them"'
