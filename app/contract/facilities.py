"""Reads facility records by the names of their members, because services.md does not show their shape.

No reader raises on odd input. A record without a code cannot be chosen, so it is left out.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

# Names without case and signs; where a record has several of them, the first here counts.
_MEMBERS: dict[str, tuple[str, ...]] = {
    "code": ("providerfacilitycode", "facilitycode", "code", "facilityid", "id", "facility"),
    "name": ("name", "facilityname", "description"),
    "street": ("streetaddress", "streetaddress1", "address1", "addressline1", "street", "address"),
    "city": ("city",),
    "state": ("state", "stateprovince", "region"),
    "zip": ("zip", "zipcode", "postalcode"),
    "phone": ("phone", "phone1", "phonenumber"),
}


@dataclass(frozen=True, slots=True)
class FacilityReading:
    """A facility record; a field that the record does not have is empty."""

    code: str
    name: str = ""
    street: str = ""
    city: str = ""
    state: str = ""
    zip: str = ""
    phone: str = ""


def read_facility(record: Mapping[str, object]) -> FacilityReading | None:
    """The facility in a record, its address on it or within it; None when it names no code."""
    by_name = _texts(record)
    for value in record.values():
        if isinstance(value, Mapping):
            # What stands on the record itself counts before what stands within it.
            by_name = _texts(value) | by_name
    found = {part: next((by_name[each] for each in names if each in by_name), "") for part, names in _MEMBERS.items()}
    return FacilityReading(**found) if found["code"] else None


def _texts(record: Mapping[str, object]) -> dict[str, str]:
    return {
        re.sub("[^a-z0-9]", "", str(name).lower()): str(value).strip()
        for name, value in record.items()
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip()
    }
