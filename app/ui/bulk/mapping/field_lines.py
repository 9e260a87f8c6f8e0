"""The lines of the panels that map columns, and the mapping that a choice makes of the one before."""

from collections.abc import Sequence
from dataclasses import replace

from app.desk.bulk.mapping.column_mapping import ColumnMapping, ColumnUse
from app.desk.bulk.order_fields import BY_PATH, FIELDS, OrderField
from app.desk.bulk.rows.import_sheet import ImportSheet
from app.ui.bulk import bulk_page_words as words
from app.ui.widgets.lists.line_list import Line

FIXED = "fixed"  # the line for one value for every order
VALUES = "values"  # the line for the table of values
_SAMPLED, _SAMPLES = 200, 3  # rows looked at, so that a panel opens at once; texts shown


def samples(sheet: ImportSheet, column: int) -> list[str]:
    """The first different texts of a column."""
    texts = (sheet.cell(row, column).strip() for row in range(min(len(sheet), _SAMPLED)))
    return list(dict.fromkeys(each for each in texts if each))[:_SAMPLES]


def field_lines(sheet: ImportSheet, column: int, missing: Sequence[str]) -> list[Line]:
    """The fields that a column can be: those that are required and have no column first. The value is a `ColumnUse`."""
    mapping, titles = sheet.mapping, sheet.titles
    now = mapping.columns[column] if column < len(mapping.columns) else ColumnUse()
    first = [BY_PATH[path] for path in missing if path in BY_PATH]
    others = [each for each in FIELDS if each not in first]
    lines = [Line(each.title, words.REQUIRED_NO_COLUMN, ColumnUse(each.path)) for each in first]
    if now.path:
        lines.insert(0, Line(words.VALUES_MEAN, words.VALUES_DETAIL, VALUES))
    lines.append(Line(words.NOT_USED, words.NOT_USED_DETAIL, ColumnUse(), off=not now.path))
    for each in others:
        use = ColumnUse(each.path, _free_group(mapping, each, column))
        taken = [titles[at] for at, other in enumerate(mapping.columns) if at != column and other.path == each.path]
        is_now = now.path == each.path
        detail = words.IS_NOW if is_now else words.taken_by(taken) if taken else ""
        lines.append(Line(words.field_of_use(use), detail, use, off=is_now))
    return lines


def _free_group(mapping: ColumnMapping, field: OrderField, column: int) -> int:
    """The first line of a list that has no column for this field yet: a second column of counts is that of line 2."""
    if not field.line:
        return 0
    groups = {each.group for at, each in enumerate(mapping.columns) if at != column and each.path == field.path}
    return next(group for group in range(len(groups) + 1) if group not in groups)


def column_lines(sheet: ImportSheet) -> list[Line]:
    """The columns that a field can be taken from, those without a field first. The value is the column."""
    lines = []
    for column, title in enumerate(sheet.titles):
        use = sheet.mapping.columns[column] if column < len(sheet.mapping.columns) else ColumnUse()
        shown = ", ".join(samples(sheet, column))
        detail = words.now_is(words.field_of_use(use)) if use.path else shown
        lines.append((bool(use.path), Line(title.strip() or words.untitled(column + 1), detail, column)))
    free = [line for used, line in lines if not used]
    taken = [line for used, line in lines if used]
    return [*free, Line(words.ONE_VALUE, words.ONE_VALUE_DETAIL, FIXED), *taken]


def mapped(mapping: ColumnMapping, column: int, use: ColumnUse, columns: int) -> ColumnMapping:
    """The mapping with another use of one column. A field that an order has once leaves the column that had it."""
    uses = [*mapping.columns, *(ColumnUse(),) * (columns - len(mapping.columns))]
    for at, each in enumerate(uses):
        if use.path and (each.path, each.group) == (use.path, use.group):
            uses[at] = ColumnUse()
    uses[column] = use
    return replace(mapping, columns=tuple(uses))


def with_constant(mapping: ColumnMapping, path: str, value: str) -> ColumnMapping:
    """The mapping with one value for every order; an empty value takes it away."""
    constants = {name: each for name, each in mapping.constants.items() if name != path}
    if value.strip():
        constants[path] = value
    return replace(mapping, constants=constants)
