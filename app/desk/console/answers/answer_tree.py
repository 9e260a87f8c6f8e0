"""A value as the rows of a tree. A branch is worked out when it is opened, so a body of megabytes costs nothing."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from app.desk.console.answers import answers_words as words
from app.desk.console.forms.exact_json import Number, Path, Value
from app.store.sqlite.search_text import plain

RowKind = Literal["object", "array", "string", "number", "boolean", "null"]
_LONGEST = 500  # characters of a value in a row


@dataclass(frozen=True, slots=True)
class TreeRow:
    """One row: its name or index, a short text of its value, and how many rows are below it."""

    path: Path
    label: str
    text: str
    kind: RowKind
    below: int
    value: Value


def root_row(value: Value) -> TreeRow:
    """The row of the whole body."""
    return _row((), words.WHOLE_BODY, value)


def rows_below(row: TreeRow, start: int = 0, most: int = 500) -> list[TreeRow]:
    """The rows right below one, from `start` on, at most so many."""
    parts = _parts(row.value)
    return [_row((*row.path, step), str(step), each) for step, each in islice(parts, start, start + most)]


def find(value: Value, text: str, most: int = 1000) -> list[Path]:
    """The places whose name or value holds a text, letters of either case, in the order of the body."""
    asked = plain(text.strip())
    return list(islice(_found(value, asked, ()), most)) if asked else []


def shown(value: Value) -> str:
    """A short text of a value."""
    match value:
        case dict():
            return words.fields(len(value)) if value else words.EMPTY_RECORD
        case list():
            return words.elements(len(value)) if value else words.EMPTY_LIST
        case Number():
            return value.text[:_LONGEST]
        case str():
            return value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…"
        case None:
            return "null"
        case _:
            return "true" if value else "false"


def _row(path: Path, label: str, value: Value) -> TreeRow:
    below = len(value) if isinstance(value, dict | list) else 0
    return TreeRow(path, label, shown(value), _kind(value), below, value)


def _kind(value: Value) -> RowKind:
    match value:
        case dict():
            return "object"
        case list():
            return "array"
        case Number():
            return "number"
        case str():
            return "string"
        case None:
            return "null"
        case _:
            return "boolean"


def _parts(value: Value) -> Iterator[tuple[str | int, Value]]:
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)


def _found(value: Value, asked: str, path: Path) -> Iterator[Path]:
    for step, each in _parts(value):
        here = (*path, step)
        # A branch is found by its name alone: its text is a count, which nobody looks for.
        single = not isinstance(each, dict | list)
        named = isinstance(step, str) and asked in plain(step)
        if named or (single and asked in plain(_whole(each))):
            yield here
        yield from _found(each, asked, here)
    if not path and not isinstance(value, dict | list) and asked in plain(_whole(value)):
        yield path


def _whole(value: Value) -> str:
    return value if isinstance(value, str) else shown(value)
