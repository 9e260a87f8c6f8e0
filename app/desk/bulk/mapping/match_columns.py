"""Matches columns to fields by title, synonym and content, and finds how numbers and dates are written.

Invariant: a field that an order has once is given to one column at most. What was guessed is said as a `Finding`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from app.contract.codes import DeliveryType
from app.contract.order_rules import BARCODES, FACILITY_CODE, FREIGHT, REFERENCE, REFERENCES, USE_ADDRESS
from app.desk.bulk import bulk_words as words
from app.desk.bulk.files.file_tables import Finding, Table
from app.desk.bulk.mapping.cell_forms import find_date_order, find_decimal, read_day
from app.desk.bulk.mapping.column_mapping import ColumnMapping, ColumnUse
from app.desk.bulk.order_fields import BY_NAME, BY_PATH, FIELDS, STATE_NAMES, letters

_LOOKED_AT = 500  # rows, where content decides
_ALIKE = 0.9  # of the filled cells look like the field
_AGREE = 0.8  # of the repeated references say the same about the order
_NUMBERED = re.compile(r"(.*?\D)0*(\d{1,2})", re.DOTALL)
_REFERENCE_VALUE, _REFERENCE_TYPE = f"{REFERENCES}.value", f"{REFERENCES}.type"
# With the territories and provinces to which orders go as well.
_STATES = frozenset(
    {*STATE_NAMES.values(), "VI", "GU", *("AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT")}
)


@dataclass(frozen=True, slots=True)
class Matched:
    """A mapping, and what is to be said of it. `missing` are the paths of required fields that nothing fills."""

    mapping: ColumnMapping
    findings: tuple[Finding, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Claim:
    """A column that could be a field by its title; the lowest `rank` is the likeliest."""

    column: int
    path: str
    base: str  # the title without its number
    number: int
    rank: int


def match_columns(table: Table) -> Matched:
    """The mapping that the table suggests."""
    # Titles first, and content only for columns and fields that no title has settled.
    uses = _by_title(table.titles)
    findings = [
        Finding("columns", words.column_by_content(table.titles[at], BY_PATH[use.path].title), sure=False)
        for at, use in _by_content(table, uses)
    ]
    _drop_halves(uses)
    constants = _reference_types(table, uses)
    if not any(use.path in (FACILITY_CODE, USE_ADDRESS) for use in uses):
        constants[USE_ADDRESS] = "true"
        findings.append(Finding("columns", words.FACILITY_BY_ADDRESS, sure=False))
    if any(use.path == f"{BARCODES}.barcode" for use in uses):
        constants[f"{BARCODES}.count"] = "1"
    translations = _translations(table, uses)
    for path, values in translations.items():
        findings += [
            Finding("columns", words.value_translated(BY_PATH[path].title, old, new), sure=False)
            for old, new in values.items()
        ]
    mapping = ColumnMapping(tuple(uses), constants, translations)
    found = find_forms(table, mapping)
    return replace(found, findings=(*findings, *found.findings))


def find_forms(table: Table, mapping: ColumnMapping) -> Matched:
    """The mapping with `decimal`, `dates` and `rows` found from its columns, as far as they are open."""
    findings = []
    if not mapping.decimal:
        decimal, both = find_decimal(_texts(table, mapping, "number"))
        mapping = replace(mapping, decimal=decimal)
        if decimal or both:
            findings.append(Finding("decimal", words.decimal_found(decimal), sure=not both))
    if not mapping.dates:
        dates, both = find_date_order(_texts(table, mapping, "date"))
        mapping = replace(mapping, dates=dates)
        if dates or both:
            findings.append(Finding("dates", words.dates_found(dates), sure=not both))
    if mapping.rows == "one" and _has_several_rows(table, mapping):
        mapping = replace(mapping, rows="several")
        findings.append(Finding("rows", words.SEVERAL_ROWS))
    return Matched(mapping, tuple(findings), missing(mapping))


def missing(mapping: ColumnMapping) -> tuple[str, ...]:
    """The required fields that neither a column nor a constant fills."""
    held = {use.path for use in mapping.columns} | {path for path, text in mapping.constants.items() if text.strip()}
    wanted = [each for each in FIELDS if each.required and each.line in ("", FREIGHT) and each.path not in held]
    return tuple(
        each.path for each in wanted if each.path != f"{FREIGHT}.count" or not mapping.uses(f"{FREIGHT}.commodity")
    )


# By title


def _by_title(titles: Sequence[str]) -> list[ColumnUse]:
    uses = [ColumnUse() for _ in titles]
    claims = [claim for at, title in enumerate(titles) if (claim := _claim(at, title)) is not None]
    by_path: dict[str, list[_Claim]] = defaultdict(list)
    for claim in sorted(claims, key=lambda each: (each.rank, each.number, each.column)):
        by_path[claim.path].append(claim)
    for path, wanting in by_path.items():
        best = wanting[0]
        if not BY_PATH[path].line:
            uses[best.column] = ColumnUse(path, 0, "name")
        elif path == _REFERENCE_VALUE:
            for group, claim in enumerate(sorted(wanting, key=lambda each: each.column)):
                uses[claim.column] = ColumnUse(path, group, "name")
        else:
            # Only repetitions of one title are groups: SKU and Product are two names of one thing.
            same = sorted(
                (each for each in wanting if each.base == best.base), key=lambda each: (each.number, each.column)
            )
            for group, claim in enumerate(same):
                uses[claim.column] = ColumnUse(path, group, "name")
    return uses


def _claim(column: int, title: str) -> _Claim | None:
    plain = letters(title)
    if (path := BY_NAME.get(plain)) is not None:
        return _Claim(column, path, plain, 1, _rank(path, plain))
    found = _NUMBERED.fullmatch(plain)
    if found is None or (path := BY_NAME.get(found[1])) is None:
        return None
    if BY_PATH[path].line:
        return _Claim(column, path, found[1], int(found[2]), _rank(path, found[1]))
    # A further reference or PO number is one of the other references; a third phone is nothing that an order has.
    if path in (REFERENCE, "poNumber"):
        return _Claim(column, _REFERENCE_VALUE, plain, int(found[2]), len(BY_PATH[path].names))
    return None


def _rank(path: str, name: str) -> int:
    field = BY_PATH[path]
    return 0 if name == letters(field.title) else 1 + field.names.index(name)


def _reference_types(table: Table, uses: Sequence[ColumnUse]) -> dict[str, str]:
    """Other references without a column for their type have their title as type."""
    typed = {use.group for use in uses if use.path == _REFERENCE_TYPE}
    return {
        f"{REFERENCES}[{use.group}].type": table.titles[at]
        for at, use in enumerate(uses)
        if use.path == _REFERENCE_VALUE and use.group not in typed
    }


def _drop_halves(uses: list[ColumnUse]) -> None:
    """A description without a barcode, or a type without a reference, is part of nothing."""
    held = {use.path for use in uses}
    for line, key in ((BARCODES, f"{BARCODES}.barcode"), (REFERENCES, _REFERENCE_VALUE)):
        if key not in held:
            for at, use in enumerate(uses):
                if use.path.startswith(line):
                    uses[at] = ColumnUse()


# By content


def _by_content(table: Table, uses: list[ColumnUse]) -> Iterator[tuple[int, ColumnUse]]:
    """Give columns with a telling content to fields that no title names."""
    for path, looks_like in _CONTENTS:
        if any(use.path == path for use in uses):
            continue
        free = [at for at, use in enumerate(uses) if not use.path and table.titles[at] not in words.RECEIPT_TITLES]
        fitting = [at for at in free if _looks(table, at, looks_like)]
        # Two columns that look like ZIPs are a billing and a delivery address: nobody but a person knows which is
        # which.
        if len(fitting) == 1:
            uses[fitting[0]] = ColumnUse(path, 0, "content")
            yield fitting[0], uses[fitting[0]]


def _looks(table: Table, column: int, looks_like: Callable[[str], object]) -> bool:
    texts = [text for row in table.rows[:_LOOKED_AT] if (text := row[column].strip())]
    return bool(texts) and sum(1 for each in texts if looks_like(each)) >= _ALIKE * len(texts)


def _is_day(text: str) -> bool:
    value, trouble = read_day(text, "")
    return value != text or trouble is not None or (len(text) == 10 and text[4:5] == "-" and text[:4].isdecimal())


_CONTENTS: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("deliveryType", lambda text: text.upper() in set(DeliveryType)),
    ("consignee.state", lambda text: text.upper() in _STATES),
    ("consignee.email", re.compile(r"[^@\s]+@[^@\s]+\.[a-zA-Z]{2,}").fullmatch),
    ("consignee.zip", re.compile(r"\d{5}(-\d{4})?").fullmatch),
    ("consignee.phone1", re.compile(r"(\+?1[ .-]?)?\(?\d{3}\)?[ .-]?\d{3}[ .-]?\d{4}( ?(x|ext\.?) ?\d+)?").fullmatch),
    ("requestedDeliveryDate", _is_day),
)


def _translations(table: Table, uses: Sequence[ColumnUse]) -> dict[str, dict[str, str]]:
    """Delivery types in the file's own words, as far as exactly one of the codes is a word of theirs."""
    found: dict[str, str] = {}
    for at, use in enumerate(uses):
        if use.path != "deliveryType":
            continue
        for text in sorted({row[at].strip() for row in table.rows}):
            told = [each.value for each in DeliveryType if each.value in re.split(r"\W+", text.upper())]
            # "Home or store" names two codes, so it stands for neither.
            if len(told) == 1 and text not in told:
                found[text.casefold()] = told[0]
    return {"deliveryType": found} if found else {}


# Forms


def _texts(table: Table, mapping: ColumnMapping, shape: str) -> Iterable[str]:
    """The different texts of the columns of a shape, cells that a workbook holds as numbers or dates left out."""
    columns = [at for at, use in enumerate(mapping.columns) if use.path and BY_PATH[use.path].shape == shape]
    found: set[str] = set()
    for row, kinds in zip(table.rows, table.kinds, strict=True):
        for column in columns:
            if column >= len(row):
                continue
            if column >= len(kinds) or kinds[column] == 116:  # "t"
                found.add(row[column])
    return found


def _has_several_rows(table: Table, mapping: ColumnMapping) -> bool:
    """Whether rows with one reference are the lines of one order: they agree on the order, and differ in a line."""
    at = next((place for place, use in enumerate(mapping.columns) if use.path == REFERENCE), None)
    lines = [place for place, use in enumerate(mapping.columns) if use.path and BY_PATH[use.path].line]
    once = [place for place, use in enumerate(mapping.columns) if use.path and not BY_PATH[use.path].line]
    if at is None or not lines:
        return False
    counted = Counter(row[at].strip() for row in table.rows)
    repeated: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for row in table.rows:
        if (reference := row[at].strip()) and counted[reference] > 1:
            repeated[reference].append(row)
    if not repeated:
        return _continues(table, at, lines, once)
    agreeing = sum(1 for rows in repeated.values() if _agree(rows, once) and not _same(rows, lines))
    return agreeing >= _AGREE * len(repeated)


def _continues(table: Table, at: int, lines: Sequence[int], once: Sequence[int]) -> bool:
    """Whether rows without a reference, and with nothing but lines, follow rows that have one."""
    bare = [row for row in table.rows[1:] if not row[at].strip()]
    return bool(bare) and all(
        not any(row[place].strip() for place in once) and any(row[place].strip() for place in lines) for row in bare
    )


def _agree(rows: Sequence[tuple[str, ...]], once: Sequence[int]) -> bool:
    return all(len({row[place].strip() for row in rows} - {""}) <= 1 for place in once)


def _same(rows: Sequence[tuple[str, ...]], lines: Sequence[int]) -> bool:
    return len({tuple(row[place].strip() for place in lines) for row in rows}) == 1
