"""What the provider says of an order beyond its line in the table: contacts, notes, commodities, documents.

It lies in the order's own text alone (`raw_orders`) and is read from there for the rows that show it. Each part has one
expression over that text, so that what is shown and what is sorted by cannot differ. A part that is asked for apart
is NULL while it is not known, and 0 or an empty text when there is nothing of it. Values of another kind than announced
become text, as in `contract.information`.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from collections.abc import Mapping, Sequence
from datetime import datetime

import apsw

from app.store.sqlite.plain_rows import key_array

PartValue = str | int | float | datetime | None
Parts = Mapping[str, PartValue]

# SQLite reads nothing that is nested a thousand levels deep; such an order has no parts.
_READABLE = "iif(json_valid({raw}, 2), {raw}, '{{}}')"


def _text(path: str, of: str = "raw") -> str:
    """A text as it is; half a character, which no UTF-8 can hold, is written out (see `texts.storable`)."""
    whole, written = f"{of} ->> '{path}'", f"{of} -> '{path}'"
    halved = rf"instr({written}, '\u') AND hex({whole}) GLOB '*ED[AB]*'"
    exact = f"iif({halved}, substr({written}, 2, length({written}) - 2), {whole})"
    return f"CASE json_type({of}, '{path}') WHEN 'text' THEN {exact} WHEN 'null' THEN NULL ELSE {written} END"


def _street(contact: str) -> str:
    lines = (f"nullif({_text(f'$.{contact}.Address.StreetAddress{line}')}, '')" for line in (1, 2, 3))
    return f"nullif(concat_ws(', ', {', '.join(lines)}), '')"


def _contact(prefix: str, contact: str, *names: str) -> dict[str, str]:
    found = {name: _text(f"$.{contact}.{path}") for name, path in _PLAIN.items()}
    found["street"] = _street(contact)
    return {f"{prefix}_{name}": found[name] for name in names}


_PLAIN = {
    "id": "Id",
    "phone": "Phone",
    "email": "Email",
    "city": "Address.City",
    "region": "Address.State",
    "zip": "Address.ZipCode",
}
_ALL = ("id", "phone", "email", "street", "city", "region", "zip")

_MOMENT = "%Y-%m-%dT%H:%M:%S"
_DAY = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"


def _moment(path: str) -> str:
    """As `contract.moments` reads it: without a zone as it is, with one as this computer's time."""
    told = f"trim({_text(path, 'value')})"
    told = f"iif(json_type(value, '{path}') = 'text' AND {told} GLOB '{_DAY}*', replace({told}, ',', '.'), NULL)"
    return f"""(
        SELECT CASE
            WHEN date(substr(said, 1, 10)) IS NOT substr(said, 1, 10) OR said < '0001' THEN NULL
            WHEN said GLOB '*[+-][0-9][0-9][0-9][0-9]'
            THEN strftime('{_MOMENT}', substr(said, 1, length(said) - 2) || ':' || substr(said, -2), 'localtime')
            WHEN substr(said, 11) GLOB '*[Zz+-]*' THEN strftime('{_MOMENT}', said, 'localtime')
            ELSE strftime('{_MOMENT}', said) END
        FROM (SELECT {told} AS said)
    )"""


def _records(name: str) -> str:
    """The records of a part as a list. A lone record counts as a list of one; where the provider wrote null though it
    was asked for, an empty list stands behind it (see `desk.facts`)."""
    path = f"$.{name}"
    return f"""CASE json_type(raw, '{path}') WHEN 'array' THEN raw -> '{path}'
        WHEN 'object' THEN '[' || (raw -> '{path}') || ']'
        WHEN 'null' THEN iif(instr(raw, '"{name}":[]'), '[]', NULL) END"""


def _of(name: str, told: str, none: str = "NULL", rest: str = "") -> str:
    """What is told of the records of a part; `none` where it is known and nothing is told."""
    records = _records(name)
    told = f"(SELECT {told} FROM json_each({records}) WHERE type = 'object' {rest})"
    return f"iif(({records}) IS NULL, NULL, coalesce({told}, {none}))"


def _lines(each: str) -> str:
    return f"group_concat({each}, char(10) ORDER BY key)"


def _first(*texts: str) -> str:
    return f"coalesce({', '.join(f'nullif({each}, {_EMPTY})' for each in texts)}, '?')"


def _figure(number: str) -> str:
    """A whole number without a fraction."""
    return f"iif({number} = CAST({number} AS INTEGER), CAST({number} AS INTEGER), {number})"


_EMPTY = "''"
_NOTE, _NOTED = _text("$.Text", "value"), _moment("$.CreatedDate")
_CODE, _DESCRIPTION = _text("$.CommodityCode", "value"), _text("$.Description", "value")
_TYPED = "trim(value ->> '$.Count')"
_COUNT = f"""CASE json_type(value, '$.Count')
    WHEN 'integer' THEN value ->> '$.Count'
    WHEN 'real' THEN value ->> '$.Count'
    WHEN 'text' THEN iif({_TYPED} GLOB '[0-9]*' AND NOT {_TYPED} GLOB '*[^0-9.]*' AND NOT {_TYPED} GLOB '*.*.*',
    CAST({_TYPED} AS REAL), NULL) END"""
_COUNTED = f"coalesce(' × ' || (SELECT {_figure('n')} FROM (SELECT {_COUNT} AS n)), '')"
_FOLDER = f"upper(trim({_text('$.Folder', 'value')}))"
_FILE = _first(_text("$.Filename", "value"), _text("$.Folder", "value"))
_EXACT_UP_TO = 2**53

_PIECES = f"(SELECT iif(abs(n) < {_EXACT_UP_TO}, {_figure('n')}, NULL) FROM (SELECT total({_COUNT}) AS n))"
_LATEST = f"AND nullif({_NOTE}, '') IS NOT NULL ORDER BY {_NOTED} DESC, key LIMIT 1"

# Of which member of the order's text what is read, and how. Texts that are several stand a line each.
_HOW: dict[str, dict[str, str]] = {
    "Consignee": _contact("consignee", "Consignee", "id", "email"),
    "Facility": _contact("facility", "Facility", *_ALL[1:]),
    "Carrier": _contact("carrier", "Carrier", *_ALL),
    "Manufacturer": _contact("manufacturer", "Manufacturer", *_ALL),
    "Notes": {
        "note_count": _of("Notes", "count(*)"),
        "note": _of("Notes", _NOTE, _EMPTY, _LATEST),
        "note_at": _of("Notes", f"max({_NOTED})", _EMPTY),
    },
    "Commodities": {
        "commodities": _of("Commodities", _lines(f"{_first(_CODE, _DESCRIPTION)} || {_COUNTED}"), _EMPTY),
        "descriptions": _of("Commodities", _lines(f"{_first(_DESCRIPTION, _CODE)} || {_COUNTED}"), _EMPTY),
        "pieces": _of("Commodities", _PIECES),
    },
    "ProofOfDelivery": {
        "document_count": _of("ProofOfDelivery", "count(*)"),
        "files": _of("ProofOfDelivery", _lines(_FILE), _EMPTY),
        "document_at": _of("ProofOfDelivery", f"max({_NOTED})", _EMPTY),
        "pod_at": _of("ProofOfDelivery", f"max({_NOTED})", _EMPTY, f"AND {_FOLDER} = 'POD'"),
    },
}
PARTS: dict[str, str] = {name: how for some in _HOW.values() for name, how in some.items()}
MEMBERS: dict[str, tuple[str, ...]] = {member: tuple(some) for member, some in _HOW.items()}
MOMENTS = frozenset(("note_at", "document_at", "pod_at"))
FIGURES = frozenset(("note_count", "pieces", "document_count"))
# Asked for apart: what was not known before has not changed when it comes.
APART = frozenset(name for member in ("Notes", "Commodities", "ProofOfDelivery") for name in MEMBERS[member])


def collated(name: str) -> str:
    """How the values of a part are compared."""
    return "BINARY" if name in MOMENTS or name in FIGURES else "NOCASE"


def part_of(name: str, of: str) -> str:
    """The value of a part out of this text, as a statement's expression."""
    return f"(SELECT {PARTS[name]} FROM (SELECT {_READABLE.format(raw=of)} AS raw))"


def sorted_anew(name: str) -> str:
    """What the orders table is sorted by where nothing is prepared."""
    readable = _READABLE.format(raw="raw_orders.raw")
    return f"(SELECT {PARTS[name]} FROM (SELECT {readable} AS raw FROM raw_orders WHERE id = orders.id))"


def read_parts(c: apsw.Connection, keys: Sequence[int], names: Sequence[str]) -> dict[int, Parts]:
    """These parts of these orders, by key. Only names of `PARTS` get into a statement; raises KeyError for another."""
    if not names or not keys:
        return {}
    told = ", ".join(PARTS[name] for name in names)
    readable = _READABLE.format(raw="raw")
    found = c.execute(
        f"WITH told AS MATERIALIZED (SELECT id, {readable} AS raw FROM raw_orders WHERE id IN carray(?)) "
        f"SELECT id, {told} FROM told",
        (key_array(keys),),
    )
    return {key: dict(zip(names, map(_read, names, values), strict=True)) for key, *values in found}


def parts_of_text(c: apsw.Connection, raw: str, names: Sequence[str]) -> Parts:
    """These parts of an order whose text this is."""
    if not names:
        return {}
    told = ", ".join(PARTS[name] for name in names)
    readable = _READABLE.format(raw="raw")
    (values,) = c.execute(
        f"WITH told AS MATERIALIZED (SELECT {readable} AS raw FROM (SELECT ? AS raw)) SELECT {told} FROM told", (raw,)
    )
    return dict(zip(names, map(_read, names, values), strict=True))


def _read(name: str, value: str | int | float | None) -> PartValue:
    return datetime.fromisoformat(value) if name in MOMENTS and isinstance(value, str) and value else value
