"""The sentences on printed pages, in one place to be reviewed and translated.

Invariant: each function returns whole sentences; `translate` puts the values in. Field names and column titles stand at
their tables.
"""

from collections.abc import Sequence
from datetime import datetime

from app.desk.text.typed_dates import exact_moment
from app.translation import translate, translate_plural

PRACTICE = translate("Practice: not a real order")
FOUND_BY_ADDRESS = translate("The provider finds it by the consignee's address")
FACILITY_BY_ADDRESS = translate("Facility by address")
DAMAGED = translate("What is kept of this order here is damaged, so it cannot be printed.")
NO_TEXT = translate("There is no text to make a barcode of.")


def page_words(page: int, pages: int) -> str:
    """The foot of each page."""
    return translate("Page {page:,} of {pages:,}", page=page, pages=pages)


def printed_words(when: datetime) -> str:
    """The other end of the foot."""
    return translate("Printed {when} by Waybill", when=exact_moment(when))


def order_title(reference: str) -> str:
    """The head of an order sheet."""
    return translate("Order {reference}", reference=reference) if reference else translate("Order without a reference")


def as_listed(number: int, state: str, seen: str) -> str:
    """How an order stands that this desk has not sent; `state` is empty where the provider names none."""
    if not state:
        return translate(
            "Number {number}, as the provider showed it {seen}. Volumes, weights and barcodes are not known here.",
            number=number,
            seen=seen,
        )
    return translate(
        "Number {number}: {state}, as the provider showed it {seen}. Volumes, weights and barcodes are not known here.",
        number=number,
        state=state,
        seen=seen,
    )


def barcodes_title(load: str) -> str:
    """The heading above the barcodes."""
    return translate("Barcodes on load {load}", load=load) if load else translate("Barcodes")


def label_of(place: int, total: int) -> str:
    """Which label of the order this one is."""
    return translate("{place:,} of {total:,}", place=place, total=total)


def piece_words(pieces: str) -> str:
    """How many pieces a label is for. `pieces` is a text, as it was typed."""
    return translate("1 piece") if pieces == "1" else translate("{pieces} pieces", pieces=pieces)


def facility_words(code: str) -> str:
    """The facility on a label."""
    return translate("Facility {code}", code=code)


def po_words(number: str) -> str:
    """The PO number on a label."""
    return translate("PO {number}", number=number)


def requested_words(day: str) -> str:
    """The day on which an order is wanted, on a label."""
    return translate("Deliver {day}", day=day)


def received_words(day: str) -> str:
    """The day on which the facility is to receive it, on a label."""
    return translate("At the facility {day}", day=day)


def ships_words(day: str) -> str:
    """The day on which it is shipped to the facility, on a label."""
    return translate("Ships {day}", day=day)


def too_long(need: float, have: float, dpi: str) -> str:
    """A barcode that would not scan on this label."""
    return translate(
        "Too long for this label: bars that scan need {need:.0f} mm at {dpi} dpi, and the label has {have:.0f} mm. "
        "Choose a longer label or a finer printer.",
        need=need,
        have=have,
        dpi=dpi,
    )


def too_many_characters(count: int) -> str:
    """A text that no Code 128 holds."""
    return translate_plural(
        "Its {count} character is too many for one Code 128.",
        "Its {count} characters are too many for one Code 128.",
        count,
    )


def hidden_characters(codes: Sequence[str]) -> str:
    """A text with control characters."""
    return translate(
        "It holds a hidden character ({codes}), which a scanner would not type again.", codes=", ".join(codes)
    )


def wrong_characters(characters: Sequence[str]) -> str:
    """A text with letters or signs beyond ASCII."""
    return translate(
        "Code 128 holds plain English letters, digits and signs; it cannot hold {characters}",
        characters=" ".join(characters),
    )
