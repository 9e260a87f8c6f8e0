"""The same check, again at every key: rows that did not change since the last time are not read again.

Invariant: `DraftCheck.check(draft).issues()` are the issues of `check_draft(draft)`, in the same order within a field
or row. It knows an unchanged row by being the same object, so whoever uses it replaces rows and never writes into one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import is_
from typing import Any

from app.contract.check import field_issues
from app.contract.draft import OrderDraft
from app.contract.rows import BARCODES, READERS, RowIssues, across_barcodes, commodities_of, issue_at, keys_of, rows_of
from app.contract.shape import Issue


@dataclass(frozen=True, slots=True)
class Findings:
    """What is wrong with a draft: with its fields (and lists as a whole), and with each row of each list."""

    fields: Sequence[Issue]
    rows: dict[str, Sequence[RowIssues]]
    count: int

    def issues(self, most: int | None = None) -> list[Issue]:
        """The first `most` of all issues, or all: fields first, then list by list."""
        return list(islice(self._walk(), most))

    def _walk(self) -> Iterator[Issue]:
        yield from self.fields
        for path, rows in self.rows.items():
            for index, issues in enumerate(rows):
                for each in issues:
                    yield issue_at(path, index, each)


class DraftCheck:
    """Checks one draft after another and remembers the rows of the last."""

    def __init__(self) -> None:
        self._lists = {path: _List(path) for path in READERS}
        self._beside = _Beside()

    def check(self, draft: OrderDraft) -> Findings:
        """All that is wrong with the draft as it is now."""
        fields = field_issues(draft)
        rows: dict[str, Sequence[RowIssues]] = {
            path: each.read(rows_of(draft, path)) for path, each in self._lists.items()
        }
        rows[BARCODES] = self._beside.joined(self._lists[BARCODES], commodities_of(draft.freightDetails))
        return Findings(fields, rows, len(fields) + sum(sum(map(len, each)) for each in rows.values()))


class _List:
    """The rows of one list as they were read last: `issues` by row, and of barcodes their keys."""

    def __init__(self, path: str) -> None:
        self._reader, self._has_keys = READERS[path], path == BARCODES
        self._rows: Sequence[Any] = []
        self.issues: list[RowIssues] = []
        self.keys: list[tuple[str, str]] = []

    def read(self, rows: Sequence[Any]) -> list[RowIssues]:
        """The issues of each row; the very same list as before if nothing changed."""
        head = _alike(self._rows, rows)
        if head == len(rows) == len(self._rows):
            return self.issues
        longest = min(len(rows), len(self._rows)) - head
        tail = min(longest, _alike(reversed(self._rows), reversed(rows)))
        changed = rows[head : len(rows) - tail]
        end = len(self._rows) - tail
        self.issues = [*self.issues[:head], *(self._reader(row).issues for row in changed), *self.issues[end:]]
        if self._has_keys:
            self.keys = [*self.keys[:head], *keys_of(changed), *self.keys[end:]]
        self._rows = list(rows)
        return self.issues


class _Beside:
    """What is wrong with barcodes beside the freight and one another; found anew when a key or a commodity changed."""

    def __init__(self) -> None:
        self._keys: list[tuple[str, str]] = []
        self._commodities: frozenset[str] = frozenset()
        self._found: dict[int, RowIssues] = {}
        self._own: list[RowIssues] = []
        self._joined: Sequence[RowIssues] = []

    def joined(self, barcodes: _List, commodities: frozenset[str]) -> Sequence[RowIssues]:
        """The barcodes' own issues with those they have beside others, by row."""
        same = barcodes.issues is self._own and commodities == self._commodities
        if same:
            return self._joined
        if barcodes.keys != self._keys or commodities != self._commodities:
            self._found = across_barcodes(barcodes.keys, commodities)
        self._keys, self._commodities, self._own = barcodes.keys, commodities, barcodes.issues
        found = list(barcodes.issues) if self._found else barcodes.issues
        for index, issues in self._found.items():
            found[index] = (*found[index], *issues)
        self._joined = found
        return found


def _alike(before: Any, now: Any) -> int:
    """How many rows from the beginning on are the same objects."""
    count = 0
    for same in map(is_, before, now):
        if not same:
            break
        count += 1
    return count
