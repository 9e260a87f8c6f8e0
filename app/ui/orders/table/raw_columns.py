"""The columns of raw fields (`store.cache.schema.raw_fields`): contacts, notes, commodities, files.

Invariants: each raw field has one column of its name. A raw field is read only while its column is shown, and only for
the rows on screen.
"""

from collections.abc import Iterable
from functools import partial

from app.desk.text.file_names import plain_name
from app.store.cache.schema.raw_fields import RAW_FIELDS
from app.translation import translate
from app.ui.orders.table.column_kinds import (
    Get,
    OrderColumn,
    in_one_line,
    optional_moment,
    optional_number,
    optional_text,
    plain,
    raw_field_of,
)

_PX_A_LETTER, _PX_AROUND = 8, 24  # of a heading
_CONTACT_WIDTHS = {"id": 96, "phone": 112, "email": 200, "street": 176, "city": 104, "region": 52, "zip": 68}


def _raw(name: str) -> Get:
    return partial(raw_field_of, name=name)


def _contact(group: str, **titles: str) -> Iterable[OrderColumn]:
    """The columns of a contact, titled by the ends of the raw fields' names: `phone` for `carrier_phone`."""
    for field, title in titles.items():
        name = f"{group.lower()}_{field}"
        yield plain(name, title, max(_CONTACT_WIDTHS[field], _room_for(title)), group, get=_raw(name))


def _room_for(title: str) -> int:
    """The width of a title that is longer than most of its values."""
    return len(title) * _PX_A_LETTER + _PX_AROUND


def _plain_names(names: str) -> str:
    """File names as people read them, a line each."""
    return "\n".join(map(plain_name, names.split("\n")))


def _names_in_one_line(names: str) -> str:
    return in_one_line(_plain_names(names))


_DOCUMENT_COUNT = translate("Number of documents")
RAW_COLUMNS: tuple[OrderColumn, ...] = (
    *_contact("Consignee", email=translate("Email"), id=translate("Consignee code")),
    *_contact(
        "Facility",
        phone=translate("Facility phone"),
        email=translate("Facility email"),
        street=translate("Facility street"),
        city=translate("Facility city"),
        region=translate("Facility state"),
        zip=translate("Facility ZIP"),
    ),
    *_contact(
        "Carrier",
        id=translate("Carrier code"),
        phone=translate("Carrier phone"),
        email=translate("Carrier email"),
        street=translate("Carrier street"),
        city=translate("Carrier city"),
        region=translate("Carrier state"),
        zip=translate("Carrier ZIP"),
    ),
    *_contact(
        "Manufacturer",
        id=translate("Manufacturer code"),
        phone=translate("Manufacturer phone"),
        email=translate("Manufacturer email"),
        street=translate("Manufacturer street"),
        city=translate("Manufacturer city"),
        region=translate("Manufacturer state"),
        zip=translate("Manufacturer ZIP"),
    ),
    optional_text("commodities", translate("Commodities"), 176, "Commodities", _raw("commodities"), short=in_one_line),
    optional_text(
        "descriptions",
        translate("Commodity descriptions"),
        220,
        "Commodities",
        _raw("descriptions"),
        short=in_one_line,
    ),
    optional_number("pieces", translate("Pieces"), 72, "Commodities", _raw("pieces")),
    optional_text("note", translate("Latest note"), 260, "Notes", _raw("note")),
    optional_moment("note_at", translate("Latest note on"), "Notes", _raw("note_at")),
    optional_number("note_count", translate("Notes"), 72, "Notes", _raw("note_count")),
    optional_number("document_count", _DOCUMENT_COUNT, _room_for(_DOCUMENT_COUNT), "Documents", _raw("document_count")),
    optional_text(
        "files",
        translate("Files"),
        220,
        "Documents",
        _raw("files"),
        short=_names_in_one_line,
        full=_plain_names,
        copied=_plain_names,
    ),
    optional_moment("document_at", translate("Latest document on"), "Documents", _raw("document_at")),
    optional_moment("pod_at", translate("Proof of delivery on"), "Documents", _raw("pod_at")),
)


def raw_fields_among(names: Iterable[str]) -> tuple[str, ...]:
    """The named columns that show raw fields, sorted by name."""
    return tuple(sorted(RAW_FIELDS.keys() & names))
