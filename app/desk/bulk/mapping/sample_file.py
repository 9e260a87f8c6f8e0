"""The sample file: every column that an import understands, with two orders."""

from collections.abc import Iterator
from pathlib import Path

from app.desk.bulk import bulk_words as words
from app.desk.bulk.order_fields import FIELDS, OrderField
from app.desk.export.table_file import TableFile, kind_by_name, write_table

GROUPS = 2  # of each list


def sample_columns() -> Iterator[tuple[str, OrderField, int]]:
    """The title of each column, its field and its group. The columns of a list stand beside one another."""
    done: set[str] = set()
    for field in FIELDS:
        if not field.line:
            yield field.title, field, 0
        elif field.line not in done:
            done.add(field.line)
            for group in range(GROUPS):
                for part in FIELDS:
                    if part.line == field.line:
                        yield f"{part.title} {group + 1}", part, group


def write_sample(target: Path, *, replace: bool) -> None:
    """Write a sample file (XLSX by its suffix, else CSV). Raises `ExportTrouble`. To be run on a thread."""
    columns = list(sample_columns())
    titles = [title for title, _, _ in columns]
    rows = [[_value(field, group, order) for _, field, group in columns] for order in range(2)]
    write_table(TableFile(target, kind_by_name(target), words.ORDERS_SHEET, replace), titles, rows)


def _value(field: OrderField, group: int, order: int) -> str:
    """The first order has a second freight line; nothing else repeats itself."""
    if group == 0:
        return field.sample[order]
    second_line = order == 0 and field.path.startswith("freightDetails")
    return field.sample[1] if second_line else ""
