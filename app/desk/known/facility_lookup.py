"""Looks up the facilities that the provider offers for a ZIP and a bill-to, for the order form.

Invariants: trouble is part of the result and never raised; every facility that is found is known from then on. The
answer is kept, as those of the facilities page are, and stands in where the provider cannot be asked.
"""

from dataclasses import dataclass
from datetime import datetime

from app.contract.facilities import FacilityReading, read_facility
from app.contract.typed_fields import LIMITS
from app.desk.desk import Desk
from app.desk.known import known_words, reference_lookups
from app.desk.known.reference_lookups import BY_NAME, FACILITIES, short_zip

_LONGEST_ZIP = LIMITS["consignee.zip"]
_LONGEST_BILL_TO = 200  # the contract names no limit, and an address has one


@dataclass(frozen=True, slots=True)
class Facilities:
    """The result of a look-up.

    `criteria` says in words by what, `trouble` why there is no answer of now; `at` is when the provider was asked about
    those `found`. `unreadable` counts records without a code.
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
    lookup = BY_NAME[FACILITIES]
    asked = reference_lookups.wanted(lookup, {"ZipCode": short_zip(code), "BillToCode": payer})
    answer = await reference_lookups.ask(desk, lookup, asked)
    read = [read_facility(each) for each in answer.records]
    found = tuple(each for each in read if each is not None)
    criteria = known_words.criteria(code, payer)
    return Facilities(answer.at or desk.now(), criteria, found, answer.trouble, len(read) - len(found))
