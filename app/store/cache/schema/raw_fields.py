"""Raw fields: values of an order that have no column in the table `orders`, such as contacts, notes and documents.

They lie in the order's JSON text alone (`raw_orders`) and are read from there for the rows that show them. Invariant:
each field has one SQL expression over that text, so what is shown, sorted by and marked as changed cannot differ. A
field of an optional member is NULL while the member was never requested, and 0 or an empty text if it is empty. Values
of another type than the contract's become text, as in `contract.information`.

To add a raw field: a line in `_FIELDS_BY_MEMBER`, and its column in `ui.orders.table.raw_columns`. If a submission has
the value too, `desk.sending.outstanding_orders` reads it for writes, in the same form. Tests fail while one is missing.

To change the expression of a field: raise `application_id` in `cache_schema` too. The tables of `prepared_sort` hold
values, and their triggers the expression, as they were when the table was made.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

import apsw

from app.store.sqlite.plain_rows import key_array

RawValue = str | int | float | datetime | None
RawFields = Mapping[str, RawValue]
Kind = Literal["text", "number", "moment"]


class RawField(NamedTuple):
    """The SQL expression over the JSON text, called `raw`, and the kind of its values."""

    sql: str
    kind: Kind


# SQLite reads no JSON that is nested a thousand levels deep; such an order has no raw fields.
_READABLE = "iif(json_valid({raw}, 2), {raw}, '{{}}')"


def _text(path: str, of: str = "raw") -> str:
    """A text as it is; a lone surrogate, which UTF-8 cannot hold, stays escaped (see `text_values.storable`)."""
    whole, moment = f"{of} ->> '{path}'", f"{of} -> '{path}'"
    surrogate = rf"instr({moment}, '\u') AND hex({whole}) GLOB '*ED[AB]*'"
    exact = f"iif({surrogate}, substr({moment}, 2, length({moment}) - 2), {whole})"
    return f"CASE json_type({of}, '{path}') WHEN 'text' THEN {exact} WHEN 'null' THEN NULL ELSE {moment} END"


def _street(contact: str) -> str:
    lines = (f"nullif({_text(f'$.{contact}.Address.StreetAddress{line}')}, '')" for line in (1, 2, 3))
    return f"nullif(concat_ws(', ', {', '.join(lines)}), '')"


def _contact(prefix: str, contact: str, *names: str) -> dict[str, RawField]:
    found = {name: _text(f"$.{contact}.{path}") for name, path in _PLAIN.items()}
    found["street"] = _street(contact)
    return {f"{prefix}_{name}": RawField(found[name], "text") for name in names}


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
    """A moment as `contract.moments` reads it: without a zone as it is, with one as this computer's time."""
    text = f"trim({_text(path, 'value')})"
    text = f"iif(json_type(value, '{path}') = 'text' AND {text} GLOB '{_DAY}*', replace({text}, ',', '.'), NULL)"
    return f"""(
        SELECT CASE
            WHEN date(substr(moment, 1, 10)) IS NOT substr(moment, 1, 10) OR moment < '0001' THEN NULL
            WHEN moment GLOB '*[+-][0-9][0-9][0-9][0-9]'
            THEN strftime('{_MOMENT}', substr(moment, 1, length(moment) - 2) || ':' || substr(moment, -2), 'localtime')
            WHEN substr(moment, 11) GLOB '*[Zz+-]*' THEN strftime('{_MOMENT}', moment, 'localtime')
            ELSE strftime('{_MOMENT}', moment) END
        FROM (SELECT {text} AS moment)
    )"""


def _records(name: str) -> str:
    """The records of a member as a JSON array. A lone record counts as an array of one.

    Of a requested member that the provider left null, `order_facts.with_empty_members` has added an empty array to the
    text: the member stands in it twice.
    """
    path = f"$.{name}"
    return f"""CASE json_type(raw, '{path}') WHEN 'array' THEN raw -> '{path}'
        WHEN 'object' THEN '[' || (raw -> '{path}') || ']'
        WHEN 'null' THEN iif(instr(raw, '"{name}":[]'), '[]', NULL) END"""


def _from_records(member: str, kind: Kind, expression: str, chosen: str = "") -> RawField:
    """A field over the records of a member. `chosen` is SQL behind the WHERE: which records, in which order.

    If no record has a value, a text or a moment is an empty text, and a number is NULL.
    """
    records, empty = _records(member), "NULL" if kind == "number" else _EMPTY
    found = f"(SELECT {expression} FROM json_each({records}) WHERE type = 'object' {chosen})"
    return RawField(f"iif(({records}) IS NULL, NULL, coalesce({found}, {empty}))", kind)


def _joined(text: str) -> str:
    """The texts of all records, a line each."""
    return f"group_concat({text}, char(10) ORDER BY key)"


def _first(*texts: str) -> str:
    return f"coalesce({', '.join(f'nullif({each}, {_EMPTY})' for each in texts)}, '?')"


def _figure(number: str) -> str:
    """A whole number without a fraction."""
    return f"iif({number} = CAST({number} AS INTEGER), CAST({number} AS INTEGER), {number})"


_EMPTY = "''"
_NOTE, _CREATED = _text("$.Text", "value"), _moment("$.CreatedDate")
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
# `total` gives a float, which is exact below this.
_EXACT_UP_TO = 2**53

_PIECES = f"(SELECT iif(abs(n) < {_EXACT_UP_TO}, {_figure('n')}, NULL) FROM (SELECT total({_COUNT}) AS n))"
_LATEST = f"AND nullif({_NOTE}, '') IS NOT NULL ORDER BY {_CREATED} DESC, key LIMIT 1"

# Member of the order → field → expression and kind. Several texts stand a line each.
_FIELDS_BY_MEMBER: dict[str, dict[str, RawField]] = {
    "Consignee": _contact("consignee", "Consignee", "id", "email"),
    "Facility": _contact("facility", "Facility", *_ALL[1:]),
    "Carrier": _contact("carrier", "Carrier", *_ALL),
    "Manufacturer": _contact("manufacturer", "Manufacturer", *_ALL),
    "Notes": {
        "note_count": _from_records("Notes", "number", "count(*)"),
        "note": _from_records("Notes", "text", _NOTE, _LATEST),
        "note_at": _from_records("Notes", "moment", f"max({_CREATED})"),
    },
    "Commodities": {
        "commodities": _from_records("Commodities", "text", _joined(f"{_first(_CODE, _DESCRIPTION)} || {_COUNTED}")),
        "descriptions": _from_records("Commodities", "text", _joined(f"{_first(_DESCRIPTION, _CODE)} || {_COUNTED}")),
        "pieces": _from_records("Commodities", "number", _PIECES),
    },
    "ProofOfDelivery": {
        "document_count": _from_records("ProofOfDelivery", "number", "count(*)"),
        "files": _from_records("ProofOfDelivery", "text", _joined(_FILE)),
        "document_at": _from_records("ProofOfDelivery", "moment", f"max({_CREATED})"),
        "pod_at": _from_records("ProofOfDelivery", "moment", f"max({_CREATED})", f"AND {_FOLDER} = 'POD'"),
    },
}
RAW_FIELDS: dict[str, RawField] = {name: field for some in _FIELDS_BY_MEMBER.values() for name, field in some.items()}
FIELDS_OF_MEMBER: dict[str, tuple[str, ...]] = {member: tuple(some) for member, some in _FIELDS_BY_MEMBER.items()}
OPTIONAL_FIELDS = frozenset(
    name for member in ("Notes", "Commodities", "ProofOfDelivery") for name in FIELDS_OF_MEMBER[member]
)


def collation(name: str) -> str:
    """How the values of a field are compared."""
    return "NOCASE" if RAW_FIELDS[name].kind == "text" else "BINARY"


def raw_field_sql(name: str, raw: str) -> str:
    """The SQL expression of a field, for a statement in which the JSON text is called `raw`."""
    return f"(SELECT {RAW_FIELDS[name].sql} FROM (SELECT {_READABLE.format(raw=raw)} AS raw))"


def unprepared_sort(name: str) -> str:
    """The SQL expression by which the table of orders is sorted if `prepared_sort` has no table for the field."""
    readable = _READABLE.format(raw="raw_orders.raw")
    return f"(SELECT {RAW_FIELDS[name].sql} FROM (SELECT {readable} AS raw FROM raw_orders WHERE id = orders.id))"


def read_raw_fields(c: apsw.Connection, keys: Sequence[int], names: Sequence[str]) -> dict[int, RawFields]:
    """These fields of these orders, by key. Only names of `RAW_FIELDS` get into a statement; else raises KeyError."""
    if not names or not keys:
        return {}
    expressions = ", ".join(RAW_FIELDS[name].sql for name in names)
    readable = _READABLE.format(raw="raw")
    # Materialized, or SQLite would test the text's JSON once for each field.
    found = c.execute(
        f"WITH readable AS MATERIALIZED (SELECT id, {readable} AS raw FROM raw_orders WHERE id IN carray(?)) "
        f"SELECT id, {expressions} FROM readable",
        (key_array(keys),),
    )
    return {key: dict(zip(names, map(_read, names, values), strict=True)) for key, *values in found}


def raw_fields_of_text(c: apsw.Connection, raw: str, names: Sequence[str]) -> RawFields:
    """These fields of the order whose JSON text is `raw`."""
    if not names:
        return {}
    expressions = ", ".join(RAW_FIELDS[name].sql for name in names)
    readable = _READABLE.format(raw="raw")
    (values,) = c.execute(
        f"WITH readable AS MATERIALIZED (SELECT {readable} AS raw FROM (SELECT ? AS raw)) "
        f"SELECT {expressions} FROM readable",
        (raw,),
    )
    return dict(zip(names, map(_read, names, values), strict=True))


def _read(name: str, value: str | int | float | None) -> RawValue:
    is_moment = RAW_FIELDS[name].kind == "moment"
    return datetime.fromisoformat(value) if is_moment and isinstance(value, str) and value else value
