"""The one place that decides whether an order may be submitted, and says in words why not.

The form checks with a `DraftCheck` at every key, the outbox with `check_draft`, and the practice service with
`check_body`. All three run the same code, so they agree. An order is either a whole `OrderSubmission` or a list of
`Issue`s; nothing is in between. The rules stand in `submission` (single fields) and `order_rules` (across fields).

A draft of thousands of rows is checked in well under a frame, because `DraftCheck` reads only rows that are other
objects than at the last check. Rows of a draft must therefore be replaced and never written into.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import is_
from typing import Any

from app.contract.draft import FALSE, BarcodeDraft, FreightDraft, OrderDraft, ReferenceDraft
from app.contract.order_rules import (
    BARCODES,
    FREIGHT,
    REFERENCES,
    Issue,
    RowIssues,
    barcode_issues,
    facility_issues,
    freight_issues,
    issue_at,
    load_issues,
)
from app.contract.request_body import draft_of_body
from app.contract.submission import Cancellation, OrderSubmission
from app.contract.typed_fields import CANCELLATION, FIELD_ORDER, RECORDS, ReadRecord, Value, read_field, read_record

LISTS = (FREIGHT, BARCODES, REFERENCES)
Rows = Sequence[FreightDraft | BarcodeDraft | ReferenceDraft]
_ROW = re.compile(r"\[\d+\]")
_PLACES = {name: place for place, name in enumerate(FIELD_ORDER)}


@dataclass(frozen=True, slots=True)
class Findings:
    """The issues of a draft. `fields` are those of single fields and of lists as a whole, `rows` those of each row."""

    fields: Sequence[Issue]
    rows: dict[str, Sequence[RowIssues]]
    count: int

    def issues(self) -> list[Issue]:
        """All issues, in the contract's order of fields."""
        # Stable: issues of a list as a whole stay before those of its rows.
        return sorted(self._walk(), key=lambda issue: _PLACES.get(re.split(r"[.\[]", issue.path, maxsplit=1)[0], 0))

    def _walk(self) -> Iterator[Issue]:
        yield from self.fields
        for path, rows in self.rows.items():
            for index, issues in enumerate(rows):
                for issue in issues:
                    yield issue_at(path, index, issue)


NO_FINDINGS = Findings((), {FREIGHT: (), BARCODES: (), REFERENCES: ()}, 0)


class DraftCheck:
    """Checks one draft after another, and keeps what it read of the rows of the last one."""

    def __init__(self) -> None:
        self._lists = {path: _ListCheck(path) for path in LISTS}
        self._barcodes = _BarcodeCheck()
        self._values: dict[str, Any] = {}

    def check(self, draft: OrderDraft) -> Findings:
        """All issues of the draft as it is now."""
        for path, rows in self._lists.items():
            rows.read(rows_of(draft, path))
        fields = self._read_fields(draft)
        found: dict[str, Sequence[RowIssues]] = {path: rows.issues for path, rows in self._lists.items()}
        found[BARCODES] = self._barcodes.joined(self._lists[BARCODES], commodities_of(draft.freightDetails))
        return Findings(fields, found, len(fields) + sum(sum(map(len, rows)) for rows in found.values()))

    def submission(self) -> OrderSubmission:
        """The order that the last draft means. Call only if its check had no issue."""
        barcoding = self._values["barcoding"] | {"barcodeItemDetails": self._lists[BARCODES].values or None}
        order = self._values[""] | {
            "consignee": self._values["consignee"],
            "freightDetails": self._lists[FREIGHT].values,
            "barcoding": barcoding if any(barcoding.values()) else None,
            "otherReferenceNumbers": self._lists[REFERENCES].values or None,
        }
        return OrderSubmission.model_validate({name: value for name, value in order.items() if value is not None})

    def _read_fields(self, draft: OrderDraft) -> list[Issue]:
        found: list[Issue] = []
        for path, record in (("", draft), ("consignee", draft.consignee), ("barcoding", draft.barcoding)):
            read = read_record(RECORDS[path], record)
            self._values[path] = read.values
            found += [Issue(f"{path}.{each.path}", each.sentence) if path else each for each in read.issues]
        # A choice of facility that cannot be read has an issue of its own: then nothing is said of the code.
        by_address = draft.useConsigneeAddressToDetermineFaclityCode.strip().lower() != FALSE
        found += facility_issues(draft.providerFacilityCode.strip(), by_address=by_address)
        found += freight_issues(len(draft.freightDetails))
        found += load_issues(draft.barcoding.receivingLoadNumber.strip(), len(draft.barcoding.barcodeItemDetails))
        return sorted(found, key=lambda issue: _PLACES[issue.path.partition(".")[0]])


class _ListCheck:
    """The rows of one list as they were read last: issues, values, and of barcodes the keys, one of each per row."""

    def __init__(self, path: str) -> None:
        self._path, self._has_keys = path, path == BARCODES
        self._rows: Sequence[Any] = []
        self.issues: list[RowIssues] = []
        self.values: list[dict[str, Value]] = []
        self.keys: list[tuple[str, str]] = []

    def read(self, rows: Sequence[Any]) -> None:
        """Read the rows that changed. If none did, `issues` stays the very same list."""
        head = _count_same(self._rows, rows)
        if head == len(rows) == len(self._rows):
            return
        # Rows before and behind a change are the same objects as before, so only what lies between is read.
        longest = min(len(rows), len(self._rows)) - head
        tail = min(longest, _count_same(reversed(self._rows), reversed(rows)))
        changed = rows[head : len(rows) - tail]
        end = len(self._rows) - tail
        records = [read_row(self._path, row) for row in changed]
        self.issues = [*self.issues[:head], *(each.issues for each in records), *self.issues[end:]]
        self.values = [*self.values[:head], *(each.values for each in records), *self.values[end:]]
        if self._has_keys:
            keys = [(row.barcode.strip(), row.commodity.strip()) for row in changed]
            self.keys = [*self.keys[:head], *keys, *self.keys[end:]]
        # A copy: whoever holds the draft may add rows to its list, and the next check would find no row that is new.
        self._rows = list(rows)


class _BarcodeCheck:
    """The issues of barcodes across rows, computed anew only if a key or a commodity of the freight changed."""

    def __init__(self) -> None:
        self._keys: list[tuple[str, str]] = []
        self._commodities: frozenset[str] = frozenset()
        self._across: dict[int, RowIssues] = {}
        self._own: list[RowIssues] = []
        self._joined: Sequence[RowIssues] = []

    def joined(self, barcodes: _ListCheck, commodities: frozenset[str]) -> Sequence[RowIssues]:
        """Return each row's issues: first the issues of the barcode alone, then its issues among the other rows."""
        # `_ListCheck.read` makes another list whenever a row changed, so the same list has the same issues.
        if barcodes.issues is self._own and commodities == self._commodities:
            return self._joined
        if barcodes.keys != self._keys or commodities != self._commodities:
            self._across = barcode_issues(barcodes.keys, commodities)
        self._keys, self._commodities, self._own = barcodes.keys, commodities, barcodes.issues
        found = list(barcodes.issues) if self._across else barcodes.issues
        for index, issues in self._across.items():
            found[index] = (*found[index], *issues)
        self._joined = found
        return found


def check_draft(draft: OrderDraft) -> OrderSubmission | list[Issue]:
    """The submission that `draft` means, or all its issues in the contract's order of fields."""
    check = DraftCheck()
    found = check.check(draft)
    return found.issues() if found.count else check.submission()


def check_body(body: object) -> OrderSubmission | list[Issue]:
    """Check a decoded request body. Unknown properties and values of the wrong kind are issues too."""
    draft, issues = draft_of_body(body)
    if not isinstance(body, Mapping):
        return issues
    outcome = check_draft(draft)
    if not issues:
        return outcome
    # A value of the wrong shape was read as empty, so no further issue is listed for it or its parts. A set and not
    # pairwise comparison: a body of 100,000 wrong rows has as many issues on either side.
    misshapen = {issue.path for issue in issues}
    rest = outcome if isinstance(outcome, list) else []
    return issues + [issue for issue in rest if misshapen.isdisjoint(_prefixes(issue.path))]


def check_cancellation(body: object) -> Cancellation | list[Issue]:
    """The cancellation that a decoded request body means, or its issues."""
    if not isinstance(body, Mapping):
        return [Issue("", "The body must be an object with orderReferenceNumber.")]
    issues = [Issue(str(key), "This field is not known.") for key in body if key != "orderReferenceNumber"]
    value = body.get("orderReferenceNumber")
    if value is not None and not isinstance(value, str):
        return [*issues, Issue("orderReferenceNumber", "This must be text.")]
    reference = read_field(CANCELLATION[0], value or "", issues)
    return issues or Cancellation(orderReferenceNumber=str(reference))


def read_row(path: str, row: FreightDraft | BarcodeDraft | ReferenceDraft) -> ReadRecord:
    """The values and the issues of one row of the list at `path`, as far as they depend on this row alone."""
    return read_record(RECORDS[path], row)


def rows_of(draft: OrderDraft, path: str) -> Rows:
    """The rows of the list at `path`."""
    match path:
        case "freightDetails":
            return draft.freightDetails
        case "barcoding.barcodeItemDetails":
            return draft.barcoding.barcodeItemDetails
        case _:
            return draft.otherReferenceNumbers


def commodities_of(lines: Sequence[FreightDraft]) -> frozenset[str]:
    """The commodity codes that barcodes may name."""
    return frozenset(line.commodity.strip() for line in lines) - {""}


def field_of(path: str) -> str:
    """`freightDetails[3].count` → `freightDetails.count`: the path without row indexes."""
    return _ROW.sub("", path)


def _prefixes(path: str) -> list[str]:
    """A path and the paths of everything that contains it: `a[0].b`, `a[0]`, `a`."""
    return [path, *(path[:at] for at, sign in enumerate(path) if sign in ".[")]


def _count_same(before: Any, now: Any) -> int:
    """How many rows from the beginning on are the same objects."""
    count = 0
    for same in map(is_, before, now):
        if not same:
            break
        count += 1
    return count
