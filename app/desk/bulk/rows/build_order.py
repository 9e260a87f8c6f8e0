"""Makes the draft of an order from its rows, by a plan that is drawn up once for a mapping.

Invariant: every filled cell of a used column is in the draft, or has a sentence. A constant counts only where the cells
are blank; an order without a row of a list gets one of the list's constants. `places` says which cell a path of the
draft comes from.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.contract.draft import FALSE, BarcodeDraft, FreightDraft, OrderDraft, ReferenceDraft
from app.contract.order_rules import BARCODES, FACILITY_CODE, FREIGHT, REFERENCES, USE_ADDRESS
from app.desk.bulk import bulk_words as words
from app.desk.bulk.mapping.cell_forms import Trouble
from app.desk.bulk.mapping.column_mapping import ColumnMapping
from app.desk.bulk.order_fields import BY_PATH, LINES, title_of
from app.desk.bulk.rows.cell_issues import CellIssue, Grade
from app.desk.bulk.rows.cell_reading import TEXT, CellReader

Cells = tuple[str, ...]
Place = tuple[int, int]
KEYS = {FREIGHT: "commodity", BARCODES: "barcode", REFERENCES: "value"}
_MAKE: dict[str, Callable[..., Any]] = {FREIGHT: FreightDraft, BARCODES: BarcodeDraft, REFERENCES: ReferenceDraft}
# With blanks around a letter x, without any around a real sign: BOX2 is a code.
_TIMES = re.compile(r"(.+?)(?:\s*[×*]\s*|\s+[xX]\s*)(\d+(?:[.,]\d+)?)", re.DOTALL)
_COUNT_FIRST = re.compile(r"(\d+(?:[.,]\d+)?)(?:\s*[×*]\s*|\s*[xX]\s+)(.+)", re.DOTALL)
_LONGEST_COUNTED = 300  # letters; on blanks the patterns above take the square of their number


@dataclass(frozen=True, slots=True)
class _Once:
    """A field that an order has once, and its column (-1: none, only a constant)."""

    column: int
    path: str
    owner: str  # "", "consignee" or "barcoding"
    name: str
    reader: CellReader
    constant: str


@dataclass(frozen=True, slots=True)
class _Group:
    """The columns of one repetition of a list: name, column and reader of each; and the constants by name."""

    line: str
    number: int
    parts: tuple[tuple[str, int, CellReader], ...]
    constants: dict[str, str]


@dataclass(slots=True)
class Built:
    """The draft of an order, the cells of its paths, and what reading the cells found."""

    draft: OrderDraft
    issues: list[CellIssue] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)


class OrderPlan:
    """How the rows of a sheet become drafts under one mapping."""

    def __init__(self, mapping: ColumnMapping) -> None:
        readers: dict[str, CellReader] = {path: CellReader(found, mapping) for path, found in BY_PATH.items()}
        self._readers = readers
        self.once = [_once(path, mapping, readers[path]) for path in BY_PATH if not BY_PATH[path].line]
        self._filled = [each for each in self.once if each.column >= 0]
        self._constant = [each for each in self.once if each.constant]
        self.groups = _groups(mapping, readers)
        self._rows_of_constants = rows_of_constants(mapping)
        self._split = re.compile(f"[{re.escape(mapping.separators)}]") if mapping.separators else None

    def build(self, rows: Sequence[tuple[int, Cells, bytes]], *, places: bool = False) -> Built:
        """The order that these rows make: the number of each in the sheet, its cells, and their kinds."""
        built = Built(OrderDraft())
        self._put_once(built, rows, places=places)
        lines, items = built.draft.freightDetails, built.draft.barcoding.barcodeItemDetails
        for at, cells, kinds in rows:
            first_line, first_item = len(lines), len(items)
            for group in self.groups:
                self._put_group(built, group, at, cells, kinds, places=places)
            if len(items) > first_item:
                _give_commodities(built.draft, first_line, first_item)
        if len(rows) > 1 and items:
            _give_commodities(built.draft, 0, 0)  # to barcodes on rows of their own
        for line, values in self._rows_of_constants.items():
            if not (found := list_of(built.draft, line)):
                found.append(_MAKE[line](**values))
        return built

    def is_line_only(self, cells: Cells) -> bool:
        """Whether a row holds nothing of what an order has once."""
        return not any(cells[each.column].strip() for each in self._filled)

    # What an order has once

    def _put_once(self, built: Built, rows: Sequence[tuple[int, Cells, bytes]], *, places: bool) -> None:
        draft = built.draft
        owners = {"": draft, "consignee": draft.consignee, "barcoding": draft.barcoding}
        several = len(rows) > 1
        filled = set()
        for each in self._filled:
            at, cells, kinds = rows[0]
            text = cells[each.column]
            if several:
                at, text, kinds = self._agreed(built, each, rows)
            if places:
                built.places[each.path] = (at, each.column)
            if not text:
                continue
            value, trouble = each.reader.read(text, kinds[each.column] if each.column < len(kinds) else TEXT)
            if value:
                filled.add(each.path)
                setattr(owners[each.owner], each.name, value)
            if trouble is not None:
                built.issues.append(_issue(at, each.column, each.path, trouble))
        for each in self._constant:
            if each.path not in filled:
                setattr(owners[each.owner], each.name, each.constant)
        # A file without a column for the flag has it as a constant (`match_columns`); a row that names its facility
        # means that facility.
        if FACILITY_CODE in filled and USE_ADDRESS not in filled:
            draft.useConsigneeAddressToDetermineFaclityCode = FALSE

    def _agreed(self, built: Built, each: _Once, rows: Sequence[tuple[int, Cells, bytes]]) -> tuple[int, str, bytes]:
        """The first filled cell of a column among the rows of an order; a row that says otherwise has an issue."""
        first: tuple[int, str, bytes] | None = None
        for at, cells, kinds in rows:
            text = cells[each.column]
            if not text.strip():
                continue
            if first is None:
                first = (at, text, kinds)
            elif text.strip() != first[1].strip():
                said = words.rows_disagree(title_of(each.path), first[1].strip())
                built.issues.append(CellIssue(at, each.column, each.path, said, rule="disagree", other=first[0]))
        return first or (rows[0][0], "", b"")

    # Lists

    def _put_group(self, built: Built, group: _Group, at: int, cells: Cells, kinds: bytes, *, places: bool) -> None:
        texts = {name: cells[column] for name, column, _ in group.parts}
        if not any(map(str.strip, texts.values())):
            if places:
                for name, column, _ in group.parts:
                    built.places.setdefault(f"{group.line}:{name}", (at, column))
            return
        rows = list_of(built.draft, group.line)
        for each in self._several(built, group, at, texts):
            path = f"{group.line}[{len(rows)}]"
            values = dict(group.constants)
            for name, column, reader in group.parts:
                if places:
                    built.places[f"{path}.{name}"] = (at, column)
                text = each.get(name, "")
                if not text.strip():
                    continue
                value, trouble = reader.read(text, kinds[column] if column < len(kinds) else TEXT)
                values[name] = value
                if trouble is not None:
                    built.issues.append(_issue(at, column, f"{path}.{name}", trouble))
            # `_counted` took the count out of the commodity's cell: it has no column, so it has no reader among the
            # parts.
            if "count" in each and "count" not in texts:
                values["count"] = self._readers[f"{group.line}.count"].read(each["count"], TEXT).value
            if places:
                key = next((place for name, *_ in group.parts if (place := built.places.get(f"{path}.{name}"))), None)
                built.places[path] = built.places.get(f"{path}.{KEYS[group.line]}") or key or (at, -1)
            rows.append(_MAKE[group.line](**values))

    def _several(self, built: Built, group: _Group, at: int, texts: dict[str, str]) -> Iterator[dict[str, str]]:
        """The list's rows in one row of the file: several where the key cell holds several values."""
        key = KEYS[group.line]
        whole = texts.get(key, "")
        if self._split is None or self._split.search(whole) is None:
            yield _counted(texts, key) if group.line == FREIGHT else texts
            return
        # Each cell is divided alike: the first commodity belongs to the first count.
        pieces = {name: [each.strip() for each in self._split.split(text)] for name, text in texts.items()}
        count = sum(map(bool, pieces[key]))
        if not count:
            # Separators alone name nothing: what stands beside them keeps its row, and the check asks for the key.
            if any(any(each) for each in pieces.values()):
                yield texts | {key: ""}
            return
        column = {name: place for name, place, _ in group.parts}
        parts = {}
        for name, found in pieces.items():
            parts[name] = _divided(found, pieces[key], alone=name not in ("count", "volume", "weight"))
            if not parts[name]:
                said = words.other_number_of_parts(sum(map(bool, found)), count)
                path = f"{group.line}[{len(list_of(built.draft, group.line))}].{name}"
                built.issues.append(CellIssue(at, column[name], path, said, rule="parts"))
        for place in range(count):
            each = {name: found[place] if found else "" for name, found in parts.items()}
            yield _counted(each, key) if group.line == FREIGHT else each


def _divided(pieces: list[str], keys: list[str], *, alone: bool) -> list[str]:
    """The parts of a cell for each key of the cell beside it; empty where nobody can tell which belongs to which.

    `alone`: one value counts for all keys. A count or a weight does not: it may be of each, or of all together.
    """
    found, count = [each for each in pieces if each], sum(map(bool, keys))
    if len(found) == count:
        return found
    # Divided as the keys are, so its blanks have their places as well.
    if len(pieces) == len(keys) and not any(each and not key for each, key in zip(pieces, keys, strict=True)):
        return [each for each, key in zip(pieces, keys, strict=True) if key]
    if not found or (len(pieces) == 1 and alone):
        return [pieces[0] if found else ""] * count
    return []


def _give_commodities(draft: OrderDraft, first_line: int, first_item: int) -> None:
    """A barcode without a commodity is of the commodity of its row, where that row has only one."""
    known = {line.commodity.strip() for line in draft.freightDetails[first_line:]} - {""}
    if len(known) == 1:
        (only,) = known
        for item in draft.barcoding.barcodeItemDetails[first_item:]:
            item.commodity = item.commodity or only


def _counted(texts: dict[str, str], key: str) -> dict[str, str]:
    """`SOFA × 2` as a commodity and its count, unless a cell of its own has the count."""
    if texts.get("count", "").strip():
        return texts
    text = texts.get(key, "").strip()
    if len(text) > _LONGEST_COUNTED:
        return texts
    if found := _TIMES.fullmatch(text):
        return texts | {key: found[1], "count": found[2]}
    if found := _COUNT_FIRST.fullmatch(text):
        return texts | {key: found[2], "count": found[1]}
    return texts


def _issue(row: int, column: int, path: str, trouble: Trouble) -> CellIssue:
    grade: Grade = "doubt" if trouble.doubt else "wrong"
    return CellIssue(row, column, path, trouble.sentence, grade, trouble.proposal, trouble.rule)


def list_of(draft: OrderDraft, line: str) -> list[Any]:
    """The rows of a list of the draft."""
    if line == FREIGHT:
        return draft.freightDetails
    return draft.barcoding.barcodeItemDetails if line == BARCODES else draft.otherReferenceNumbers


def _once(path: str, mapping: ColumnMapping, reader: CellReader) -> _Once:
    column = next((at for at, use in enumerate(mapping.columns) if use.path == path), -1)
    owner, _, name = path.rpartition(".")
    return _Once(column, path, owner, name, reader, mapping.constants.get(path, ""))


def _groups(mapping: ColumnMapping, readers: dict[str, CellReader]) -> list[_Group]:
    """The groups of all lists, freight first: barcodes of a row look for its commodity."""
    found = []
    for line in LINES:
        numbers = sorted({use.group for use in mapping.columns if use.path and BY_PATH[use.path].line == line})
        for number in numbers:
            parts = tuple(
                (use.path.rpartition(".")[2], at, readers[use.path])
                for at, use in enumerate(mapping.columns)
                if use.path and BY_PATH[use.path].line == line and use.group == number
            )
            found.append(_Group(line, number, parts, _constants(mapping, line, number)))
    return found


def rows_of_constants(mapping: ColumnMapping) -> dict[str, dict[str, str]]:
    """Return, by list, the row that constants alone make. It is there if the key of the list is constant."""
    found = {line: _constants(mapping, line, 0) for line in LINES}
    return {line: values for line, values in found.items() if values.get(KEYS[line], "").strip()}


def _constants(mapping: ColumnMapping, line: str, number: int) -> dict[str, str]:
    names = [path.rpartition(".")[2] for path, each in BY_PATH.items() if each.line == line]
    given = (
        (name, mapping.constants.get(f"{line}[{number}].{name}") or mapping.constants.get(f"{line}.{name}"))
        for name in names
    )
    return {name: text for name, text in given if text}
