"""Looks up the facilities that the provider offers for a ZIP and a bill-to.

Invariant: trouble is part of the result and never raised; every facility that is found is known from then on.
"""

from dataclasses import dataclass
from datetime import datetime

from app.api.errors import ApiError
from app.contract.facilities import FacilityReading, read_facility
from app.contract.typed_fields import LIMITS
from app.desk.desk import Desk
from app.desk.known import known_words
from app.desk.known.known_data import known_facilities
from app.store.store_errors import StoreError

_ZIP_DIGITS = 5
_LONGEST_ZIP = LIMITS["consignee.zip"]
_LONGEST_BILL_TO = 200  # the contract names no limit, and an address has one


@dataclass(frozen=True, slots=True)
class Facilities:
    """The result of a look-up.

    `criteria` says in words by what, `trouble` why there is no answer; `unreadable` counts records without a code.
    """

    at: datetime
    criteria: str
    found: tuple[FacilityReading, ...] = ()
    trouble: str = ""
    unreadable: int = 0


async def look_up(desk: Desk, zip_code: str, bill_to: str) -> Facilities:
    """Look up by whatever is given; both may be empty."""
    code, payer = zip_code.strip(), bill_to.strip()
    if len(code) > _LONGEST_ZIP or len(payer) > _LONGEST_BILL_TO:
        return Facilities(desk.now(), "", trouble=known_words.TOO_LONG)
    criteria = known_words.criteria(code, payer)
    if desk.provider is None:
        return Facilities(desk.now(), criteria, trouble=desk.trouble)
    try:
        # The provider knows facilities by the first five digits of a ZIP.
        query = code[:_ZIP_DIGITS] if code[:_ZIP_DIGITS].isdecimal() else code
        records = await desk.provider.management.facilities(zip_code=query or None, bill_to=payer or None)
    except ApiError as error:
        return Facilities(desk.now(), criteria, trouble=error.sentence)
    read = [read_facility(each) for each in records]
    found = tuple(each for each in read if each is not None)
    try:
        await known_facilities(desk, found)
    except StoreError as error:
        return Facilities(desk.now(), criteria, found, error.sentence, len(read) - len(found))
    return Facilities(desk.now(), criteria, found, unreadable=len(read) - len(found))
