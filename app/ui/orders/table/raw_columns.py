"""The columns of fields that only an order's own text holds: contacts, notes, commodities, files.

Invariant: such a field is read only while its column is shown, and only for the rows on screen.
"""

from collections.abc import Iterable
from functools import partial

from app.desk.text.file_names import plain_name
from app.store.cache.schema.raw_fields import RAW_FIELDS
from app.ui.orders.table.column_kinds import (
    Get,
    OrderColumn,
    apart,
    apart_figure,
    apart_moment,
    in_one_line,
    of_parts,
    plain,
)

_PX_A_LETTER, _PX_AROUND = 8, 24  # of a heading


def _part(name: str) -> Get:
    return partial(of_parts, name=name)


def _contact(prefix: str, group: str, titles: Iterable[tuple[str, str, int]]) -> tuple[OrderColumn, ...]:
    named = [(f"{prefix}_{name}", title, max(width, _room_for(title))) for name, title, width in titles]
    return tuple(plain(name, title, width, group, get=_part(name)) for name, title, width in named)


def _room_for(title: str) -> int:
    """The width of a title that is longer than most of its values."""
    return len(title) * _PX_A_LETTER + _PX_AROUND


def _plain_names(names: str) -> str:
    """File names as people read them, a line each."""
    return "\n".join(map(plain_name, names.split("\n")))


def _names_in_one_line(names: str) -> str:
    return in_one_line(_plain_names(names))


def _third(group: str) -> tuple[OrderColumn, ...]:
    """The columns of a contact other than the consignee: each title names the contact."""
    titles = (
        ("id", f"{group} code", 96),
        ("phone", f"{group} phone", 112),
        ("email", f"{group} email", 200),
        ("street", f"{group} street", 176),
        ("city", f"{group} city", 104),
        ("region", f"{group} state", 52),
        ("zip", f"{group} ZIP", 68),
    )
    prefix = group.lower()
    return _contact(prefix, group, [each for each in titles if f"{prefix}_{each[0]}" in RAW_FIELDS])


PART_COLUMNS: tuple[OrderColumn, ...] = (
    *_contact("consignee", "Consignee", [("email", "Email", 200), ("id", "Consignee code", 112)]),
    *_third("Facility"),
    *_third("Carrier"),
    *_third("Manufacturer"),
    apart("commodities", "Commodities", 176, "Commodities", _part("commodities"), short=in_one_line),
    apart("descriptions", "Commodity descriptions", 220, "Commodities", _part("descriptions"), short=in_one_line),
    apart_figure("pieces", "Pieces", 72, "Commodities", _part("pieces")),
    apart("note", "Latest note", 260, "Notes", _part("note")),
    apart_moment("note_at", "Latest note on", "Notes", _part("note_at")),
    apart_figure("note_count", "Notes", 72, "Notes", _part("note_count")),
    apart_figure(
        "document_count", "Number of documents", _room_for("Number of documents"), "Documents", _part("document_count")
    ),
    apart(
        "files",
        "Files",
        220,
        "Documents",
        _part("files"),
        short=_names_in_one_line,
        full=_plain_names,
        copied=_plain_names,
    ),
    apart_moment("document_at", "Latest document on", "Documents", _part("document_at")),
    apart_moment("pod_at", "Proof of delivery on", "Documents", _part("pod_at")),
)
PART_NAMES = frozenset(each.name for each in PART_COLUMNS)


def parts_among(names: Iterable[str]) -> tuple[str, ...]:
    """Those of the named columns that are read from the orders' own texts."""
    return tuple(sorted(PART_NAMES.intersection(names)))
