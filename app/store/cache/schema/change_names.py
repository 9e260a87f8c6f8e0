"""The names by which changes of orders are found: `changed:scheduled`. Each stands for some columns.

Invariant: a name that is the name of a filter stands for the columns of that filter's field.
"""

from collections.abc import Iterable, Mapping

# Name → the columns that it stands for: of the table `orders`, raw fields, and `list` for a move between lists.
CHANGE_NAMES: Mapping[str, tuple[str, ...]] = {
    "status": ("state", "status"),
    "list": ("list",),
    "scheduled": ("scheduled_delivery",),
    "requested": ("requested_delivery",),
    "estimated": ("estimated_receive",),
    "received": ("received_at", "is_received", "received_by"),
    "loaded": ("loaded_at", "loaded_by"),
    "delivered": ("delivered_at", "is_delivered", "delivered_by"),
    "imported": ("imported_at",),
    "documents": ("folders", "document_count", "files", "document_at", "pod_at"),
    "notes": ("note_count", "note", "note_at"),
    "freight": ("commodities", "descriptions", "pieces"),
    "consignee": (
        *("consignee_name", "street", "city", "region", "zip", "phone"),
        *("consignee_id", "consignee_email"),
    ),
    "facility": (
        *("facility_id", "facility_name", "facility_phone", "facility_email"),
        *("facility_street", "facility_city", "facility_region", "facility_zip"),
    ),
    "carrier": (
        *("carrier", "carrier_id", "carrier_phone", "carrier_email"),
        *("carrier_street", "carrier_city", "carrier_region", "carrier_zip"),
    ),
    "manufacturer": (
        *("manufacturer", "manufacturer_id", "manufacturer_phone", "manufacturer_email"),
        *("manufacturer_street", "manufacturer_city", "manufacturer_region", "manufacturer_zip"),
    ),
    "delivery": ("delivery_type",),
    "brand": ("brand",),
    "reference": ("crn",),
    "pos": ("pos",),
    "bol": ("bol",),
    "remarks": ("remarks",),
}
_NAME_OF = {column: name for name, columns in CHANGE_NAMES.items() for column in columns}


def names_of_columns(columns: Iterable[str]) -> set[str]:
    """The names of the changes of these columns. A column without a name has changed the order all the same."""
    return {_NAME_OF[column] for column in columns if column in _NAME_OF}
