"""The piece of a filter that finds the orders with the same value as a row has in one of its columns."""

from datetime import datetime

from app.desk.filter.filter_language import write_clause
from app.store.cache.schema.conditions import FIELDS, Clause
from app.ui.orders.table.column_list import Line

_BY_COLUMN = {
    field.column: name for name, field in FIELDS.items() if field.column and field.kind in ("value", "prefix", "date")
} | {"facility_name": "facility", "crn": "reference"}
_ID_COLUMNS = {"facility_name": "facility_id"}
_WORDS = frozenset({"consignee_name", "street", "phone", "bol"})  # that only the words of a search find


def same_value(line: Line, column: str) -> str:
    """The piece for this column; empty where the row has no value there, or no filter asks for one."""
    value = getattr(line, _ID_COLUMNS.get(column, column), None)
    if value is None or value == "":
        return ""
    if column in _WORDS:
        return str(value).replace('"', " ")
    name = _BY_COLUMN.get(column)
    if name is None:
        return ""
    if isinstance(value, datetime):
        return write_clause(Clause(name, (), first=value.date(), last=value.date()))
    return write_clause(Clause(name, (str(value),)))
