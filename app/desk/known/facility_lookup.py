"""The facilities that the provider offers for a ZIP and a bill-to, to choose one from."""

from dataclasses import dataclass
from datetime import datetime

from app.api.errors import ApiError
from app.contract.facilities import FacilityReading, read_facility
from app.contract.typed_fields import LIMITS
from app.desk.desk import Desk
from app.desk.known.known_data import known_facilities
from app.store.store_errors import StoreError

_ZIP_DIGITS = 5
_LONGEST_ZIP = LIMITS["consignee.zip"]
_LONGEST_BILL_TO = 200  # the contract names no limit, and an address has one
_TOO_LONG = "The ZIP or the bill-to is too long to be asked about."


@dataclass(frozen=True, slots=True)
class Facilities:
    """The answer: `asked` says in words for what, `trouble` why there is no answer, `unreadable` counts records
    without a code."""

    at: datetime
    asked: str
    found: tuple[FacilityReading, ...] = ()
    trouble: str = ""
    unreadable: int = 0


async def look_up(desk: Desk, zip_code: str, bill_to: str) -> Facilities:
    """Ask by what is given; both may be empty. Trouble is told in the result. What comes is known from then on."""
    code, payer = zip_code.strip(), bill_to.strip()
    if len(code) > _LONGEST_ZIP or len(payer) > _LONGEST_BILL_TO:
        return Facilities(desk.now(), "", trouble=_TOO_LONG)
    asked = " and ".join(part for part in (f"ZIP {code}" if code else "", f"bill-to {payer}" if payer else "") if part)
    if desk.provider is None:
        return Facilities(desk.now(), asked, trouble=desk.trouble)
    try:
        # A ZIP of nine digits lies within its first five, which is what facilities are known by.
        query = code[:_ZIP_DIGITS] if code[:_ZIP_DIGITS].isdecimal() else code
        records = await desk.provider.management.facilities(zip_code=query or None, bill_to=payer or None)
    except ApiError as error:
        return Facilities(desk.now(), asked, trouble=error.sentence)
    read = [read_facility(each) for each in records]
    found = tuple(each for each in read if each is not None)
    try:
        await known_facilities(desk, found)
    except StoreError as error:
        return Facilities(desk.now(), asked, found, error.sentence, len(read) - len(found))
    return Facilities(desk.now(), asked, found, unreadable=len(read) - len(found))
