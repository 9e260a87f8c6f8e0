"""The filter as it is typed, `status:dso late facility:F012 -has:pod "rivera" scheduled:today..+3`, and as clauses.

A plain word is searched for. A name with a colon is a clause about a field; a minus before it negates the clause,
commas separate values of which any will do, and quotes make one value or one text. `none` is no value, `"none"` in
quotes a value of that name. Invariant: a filter that is wrong in
places, or not typed to its end, still finds by its right pieces, and a `Problem` says what is wrong and where.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from app.contract.codes import FOLDER_TYPE_WORDS, ORDER_STATE_WORDS
from app.desk.filter import filter_words as words
from app.desk.filter.filter_dates import read_days, written_days
from app.desk.filter.filter_words import LISTS
from app.desk.reasons.reason_rules import FILTER_RULES
from app.store.cache.schema.change_names import CHANGE_NAMES
from app.store.cache.schema.conditions import ANY, FIELDS, NO, NONE, STEPS, YES, Clause

# Name as it is typed → field. Of two names for one field, `written` uses the first.
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
    **{step: step for step in STEPS},
    "has": "has",
    "number": "number",
    "reference": "reference",
    "ref": "reference",
    "is": "is",
    "changed": "changed_on",
    "why": "attention",
    "attention": "attention",
}
# Word after `is:` → field. The last four are fields of `DESK_FIELDS`: the store does not know them.
STANDINGS: dict[str, str] = {
    "late": "late",
    "received": "received",
    "delivered": "delivered",
    "changed": "changed",
    "watched": "watched",
    "outbox": "outbox",
    "attention": "attention",
    "likely_late": "likely_late",
}
DESK_FIELDS = frozenset({"watched", "outbox", "attention", "likely_late"})
ALONE = ("late", "watched")  # clauses of one word
EVERYWHERE = f"list:{','.join(LISTS)}"
_WRITTEN = {
    "state": "status",
    "received_on": "received",
    "delivered_on": "delivered",
    "attention": "why",
    "changed_on": "changed",
}
_PAST_DATES = frozenset({"changed_on", "imported", "received_on", "loaded", "delivered_on"})
# Fields with a flag and a date: `received:yes`, `received:today`.
_FLAG_AND_DATE = {"received": "received_on", "delivered": "delivered_on"}
_FLAGS = {"yes": YES, "no": NO, "none": NONE}
_QUOTES = r'"((?:[^"]|"")*)"?'  # a doubled quote inside quotes is one quote
_PIECE = re.compile(rf'(?:[^\s"]|{_QUOTES})+')
_NAMED = re.compile(r"(-?)([A-Za-z][A-Za-z_]*):(.*)", re.DOTALL)
_VALUE = re.compile(rf'(?:[^,"]|{_QUOTES})+')
_DIGITS = 4  # of a number of days
# Words that people type as a status, though the contract has no such one, and the filter that finds what they mean.
_STEPS_AS_STATUS = {
    "imported": "imported:any",
    "received": "is:received",
    "scheduled": "scheduled:any",
    "loaded": "loaded:any",
    "delivered": "is:delivered",
    "late": "late",
    "watched": "is:watched",
    "changed": "is:changed",
    "open": "list:open",
    "closed": "list:completed",
    "canceled": "status:can",
    "out for delivery": "status:dso",
    "pending receipt": "status:std",
}
_NEEDS_QUOTES = re.compile(r'[\s,"]')


class Problem(NamedTuple):
    """A piece of the typed text that is not understood, from `start` to `end`, and why.

    `instead` is a piece that may have been meant; empty if none comes near.
    """

    start: int
    end: int
    sentence: str
    instead: str = ""


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter as it is understood. `text` holds the words to search for, separated by blanks."""

    text: str = ""
    clauses: tuple[Clause, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether the filter finds every order."""
        return not self.text and not self.clauses


class _NotUnderstood(ValueError):
    """A piece of a filter is not understood: the sentence for it, and the piece that may have been meant."""

    def __init__(self, sentence: str, instead: str = "") -> None:
        super().__init__(sentence)
        self.sentence, self.instead = sentence, instead


def parse(typed: str, today: date) -> Filter:
    """The filter that a typed text means."""
    plain_words: list[str] = []
    clauses: list[Clause] = []
    problems: list[Problem] = []
    for start, piece in _pieces(typed):
        try:
            clause = _clause(piece, today)
        except _NotUnderstood as error:
            minus = "-" if error.instead and piece.startswith("-") else ""
            problems.append(Problem(start, start + len(piece), error.sentence, minus + error.instead))
            continue
        if clause is None:
            # Words in quotes are searched for one by one too: the index holds words, and no phrases.
            plain_words += _unquoted(piece).split()
        else:
            clauses.append(clause)
    return Filter(" ".join(plain_words), tuple(clauses), tuple(problems))


def written(clauses: Sequence[Clause], text: str = "") -> str:
    """The filter as one would type it; `parse` reads the same clauses out of it."""
    quoted_words = [f'"{word}"' if _reads_as_clause(word) else word.replace('"', '""""') for word in text.split()]
    return " ".join([*(write_clause(each) for each in clauses), *quoted_words])


def write_clause(clause: Clause) -> str:
    """One clause as one would type it."""
    minus = "-" if clause.negated else ""
    name = _WRITTEN.get(clause.field, clause.field)
    if clause.field in STANDINGS and (not clause.values or clause.values == (YES,)):
        return minus + (clause.field if clause.field in ALONE and not minus else f"is:{clause.field}")
    if clause.field in STEPS:
        return f"{minus}{name}:{_written_step(clause)}"
    if clause.field == "changed_on":
        return f"{minus}{name}:{_written_change(clause)}"
    if clause.field in DESK_FIELDS or not _has_days(clause):
        write = written_value if _is_of_orders(clause.field) else quoted
        values = ",".join(write(value) or NONE for value in clause.values)
        return f"{minus}{name}:{values}" if values else f"{minus}{name}:1"
    return f"{minus}{name}:{written_days(clause.first, clause.last)}"


def _written_step(clause: Clause) -> str:
    """How long a step took, as one would type it."""
    least, most = clause.values
    return f"{least}..{most}" if most else least or ANY


def _written_change(clause: Clause) -> str:
    """The clause about a change and its day, as a person would type it."""
    days = written_days(clause.first, clause.last) if _has_days(clause) else ""
    return ":".join(filter(None, (",".join(clause.values), days))) or ANY


def _has_days(clause: Clause) -> bool:
    return clause.first is not None or clause.last is not None


def _pieces(typed: str) -> Iterator[tuple[int, str]]:
    return ((found.start(), found[0]) for found in _PIECE.finditer(typed))


def _reads_as_clause(word: str) -> bool:
    """Whether a word to search for would be read as a clause without quotes."""
    return word.lower().lstrip("-") in ALONE or _NAMED.fullmatch(word) is not None


def quoted(value: str) -> str:
    """A value as one would type it: in quotes where it needs them."""
    return '"' + value.replace('"', '""') + '"' if _NEEDS_QUOTES.search(value) else value


def written_value(value: str) -> str:
    """A value that orders have as one would type it; empty or of blanks alone it is no value."""
    value = value.strip()
    if not value:
        return NONE
    return f'"{value}"' if value.lower() == NONE else quoted(value)


def _is_of_orders(field: str) -> bool:
    """Whether any text can be a value of the field: the orders' own, and no words of the contract or of filters."""
    return field != "state" and field in FIELDS and FIELDS[field].kind in ("value", "prefix")


def _unquoted(piece: str) -> str:
    return re.sub(_QUOTES, lambda found: found[1].replace('""', '"'), piece)


def _clause(piece: str, today: date) -> Clause | None:
    """The clause that a piece means; None for a word to search for."""
    bare = piece.lower()
    if bare.removeprefix("-") in ALONE:
        return Clause(bare.removeprefix("-"), negated=bare.startswith("-"))
    found = _NAMED.fullmatch(piece)
    if found is None:
        return None
    minus, name, rest = found.groups()
    field = NAMES.get(name.lower())
    if field is None:
        raise _NotUnderstood(words.no_such_field(name))
    values = _values(field, rest)
    if not values:
        raise _NotUnderstood(words.value_missing(name, _example(field)))
    clause = _of_values(field, values, today)
    # Refused and not ignored: a filter that finds the opposite of what it says would be worse than none.
    if minus and clause.field == "attention":
        raise _NotUnderstood(words.ATTENTION_NOT_NEGATED)
    return clause._replace(negated=bool(minus))


def _values(field: str, typed: str) -> tuple[str, ...]:
    """The values in a typed text, each once; an empty one is `none` outside quotes, where orders have values."""
    pieces = [(each[0], _unquoted(each[0]).strip()) for each in _VALUE.finditer(typed)]
    return tuple(
        dict.fromkeys(
            "" if piece.strip().lower() == NONE and _is_of_orders(field) else value for piece, value in pieces if value
        )
    )


def _of_values(field: str, values: tuple[str, ...], today: date) -> Clause:
    if field == "is":
        return _standing(values)
    if field == "attention":
        return Clause(field, tuple(_rule(value.lower()) for value in values))
    lower = tuple(value.lower() for value in values)
    if field in _FLAG_AND_DATE and all(value in _FLAGS for value in lower):
        return Clause(field, tuple(_FLAGS[value] for value in lower))
    # The name stood for a flag so far; what follows is about its date.
    field = _FLAG_AND_DATE.get(field, field)
    kind = FIELDS[field].kind
    if kind == "date":
        return _dates(field, lower, today)
    if kind == "days":
        return _days(field, values)
    if kind == "past":
        return _change(field, ",".join(lower), today)
    if kind == "took":
        return _took(field, ",".join(lower))
    if kind == "documents":
        return Clause(field, tuple(_folder(value) for value in values))
    if field == "state":
        return Clause(field, tuple(_state(value) for value in values))
    if kind == "list":
        return Clause(field, tuple(_list(value) for value in lower))
    if field == "number" and (odd := next((value for value in values if not value.isdecimal()), None)) is not None:
        raise _NotUnderstood(words.not_a_number(odd))
    return Clause(field, values)


def _standing(values: tuple[str, ...]) -> Clause:
    if len(values) > 1:
        raise _NotUnderstood(words.ONE_WORD_AFTER_IS)
    field = STANDINGS.get(values[0].lower())
    if field is None:
        raise _NotUnderstood(words.no_such_standing(values[0], ", ".join(STANDINGS)))
    return Clause(field, () if field in DESK_FIELDS or field == "late" else (YES,))


def _dates(field: str, values: tuple[str, ...], today: date) -> Clause:
    if all(value in (ANY, NONE) for value in values):
        return Clause(field, values)
    if len(values) > 1:
        raise _NotUnderstood(words.NO_COMMAS_BETWEEN_DAYS)
    days = read_days(values[0], today, back=field in _PAST_DATES)
    if days is None:
        raise _NotUnderstood(words.not_a_day(values[0]))
    if days[0] is not None and days[1] is not None and days[0] > days[1]:
        raise _NotUnderstood(words.last_before_first(days[0].isoformat(), days[1].isoformat()))
    return Clause(field, first=days[0], last=days[1])


def _change(field: str, typed: str, today: date) -> Clause:
    """Read the parts that changed, the days, or both: `scheduled`, `-7..today`, `scheduled,status:today`, `any`."""
    if typed == ANY:
        return Clause(field)
    before, _, after = typed.partition(":")
    names = tuple(each for each in before.split(",") if each)
    if not after and not any(name in CHANGE_NAMES for name in names):
        names, after = (), before
    odd = next((name for name in names if name not in CHANGE_NAMES), None)
    if odd is not None:
        raise _NotUnderstood(words.no_such_change(odd, ", ".join(CHANGE_NAMES)))
    if after in ("", ANY):
        return Clause(field, names)
    if "," in after:
        raise _NotUnderstood(words.NO_COMMAS_BETWEEN_DAYS)
    if after == NONE or (read_days(after, today, back=True) is None and not names):
        raise _NotUnderstood(words.no_such_change(after, ", ".join(CHANGE_NAMES)))
    return _dates(field, (after,), today)._replace(values=names)


def _days(field: str, values: tuple[str, ...]) -> Clause:
    number = values[0].removesuffix("+").removesuffix("d")
    if len(values) > 1 or not number.isdecimal() or len(number) > _DIGITS or not int(number):
        raise _NotUnderstood(words.not_a_number_of_days(",".join(values)))
    return Clause(field, (str(int(number)),))


def _took(field: str, typed: str) -> Clause:
    """Days that a step took: `6` is the least, `..6` the most, `2..6` both, `any` any number."""
    least, _, most = typed.partition("..")
    limits = ("" if typed == ANY else least.removesuffix("d"), most.removesuffix("d"))
    given = [each for each in limits if each]
    if (typed != ANY and not given) or any(not each.isdecimal() or len(each) > _DIGITS for each in given):
        raise _NotUnderstood(words.not_days_taken(typed))
    if all(limits) and int(limits[0]) > int(limits[1]):
        raise _NotUnderstood(words.last_before_first(*limits))
    return Clause(field, tuple(str(int(each)) if each else "" for each in limits))


def _state(value: str) -> str:
    code = value.upper()
    if code in ORDER_STATE_WORDS:
        return code
    found = [code for code, word in ORDER_STATE_WORDS.items() if word.lower().startswith(value.lower())]
    if len(found) == 1:
        return found[0]
    known = ", ".join(word.lower() for word in ORDER_STATE_WORDS.values())
    raise _NotUnderstood(words.no_such_status(value, known), _STEPS_AS_STATUS.get(value.lower(), ""))


def _folder(value: str) -> str:
    code = value.upper()
    if code in FOLDER_TYPE_WORDS:
        return code
    if value.lower() in (ANY, NONE):
        return value.lower()
    known = ", ".join(code.lower() for code in FOLDER_TYPE_WORDS)
    raise _NotUnderstood(words.no_such_document(value, known))


def _rule(value: str) -> str:
    if any(value == rule.name for rule in FILTER_RULES):
        return value
    raise _NotUnderstood(words.no_such_rule(value, ", ".join(rule.name for rule in FILTER_RULES)))


def _list(value: str) -> str:
    if value in LISTS:
        return value
    raise _NotUnderstood(words.no_such_list(value, ", ".join(LISTS)))


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
    "changed_on": "changed:today",
    "number": "number:771002",
    **{step: f"{step}:6" for step in STEPS},
}


def _example(field: str) -> str:
    if field in _EXAMPLES:
        return _EXAMPLES[field]
    dates = field in _FLAG_AND_DATE or (field in FIELDS and FIELDS[field].kind == "date")
    return f"{field}:today" if dates else f'{field}:"one of them"'
