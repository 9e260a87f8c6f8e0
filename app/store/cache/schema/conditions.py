"""Conditions on orders as data: clauses, and the fields that they name.

A clause names a field and the values of which an order must have one; all clauses of a query must hold. Invariant: a
clause claims nothing that the provider has not said. An order whose documents were never requested neither has nor
lacks a document.

The due day is the scheduled day, else the requested one. An order that is not delivered is late by the days since its
due day, a delivered one by the days between both; a cancelled order is never late.
"""

from collections.abc import Mapping
from datetime import date
from typing import Literal, NamedTuple

Kind = Literal["value", "prefix", "date", "days", "took", "flag", "documents", "set", "list", "past"]

ANY, NONE = "any", "none"  # values of a date: there is one, there is none
YES, NO = "yes", "no"  # values of a flag; `NONE` if the provider has not said


class Clause(NamedTuple):
    """One condition: any of `values`, or of a date the days from `first` to `last`, both included, either open.

    Of a date, the values `ANY` and `NONE` stand for "there is one" and "there is none". Of `late` and `over`, the one
    value is the least number of days. Of a step, two values are the least and the most days that it took, "" for no
    limit. Of `changed_on`, the values are names of `CHANGE_NAMES`, none for any change. `negated` inverts it; of
    documents, an inverted clause holds only for orders whose documents are known.
    """

    field: str
    values: tuple[str, ...] = ()
    first: date | None = None
    last: date | None = None
    negated: bool = False


class Field(NamedTuple):
    """A field that a clause can name. `column` is that of the table `orders`; kind "set" compares it exactly."""

    kind: Kind
    column: str = ""


# A step of an order → the columns of its two dates. It took the days between both; it is not known while one of them is
# missing, or where the later one is before the earlier.
STEPS: Mapping[str, tuple[str, str]] = {
    "import_to_receipt": ("imported_at", "received_at"),
    "receipt_to_loading": ("received_at", "loaded_at"),
    "loading_to_delivery": ("loaded_at", "delivered_at"),
    "receipt_to_delivery": ("received_at", "delivered_at"),
    "import_to_delivery": ("imported_at", "delivered_at"),
}

# Name in a clause → field.
FIELDS: Mapping[str, Field] = {
    "list": Field("list"),  # open, completed, other
    "state": Field("value", "state"),
    "facility": Field("value", "facility_id"),
    "delivery": Field("value", "delivery_type"),
    "brand": Field("value", "brand"),
    "manufacturer": Field("value", "manufacturer"),
    "region": Field("value", "region"),
    "city": Field("value", "city"),
    "zip": Field("prefix", "zip"),
    "imported": Field("date", "imported_at"),
    "estimated": Field("date", "estimated_receive"),
    "received_on": Field("date", "received_at"),
    "requested": Field("date", "requested_delivery"),
    "scheduled": Field("date", "scheduled_delivery"),
    "loaded": Field("date", "loaded_at"),
    "delivered_on": Field("date", "delivered_at"),
    "due": Field("date"),  # the due day, delivered or not
    "late": Field("days"),  # late by at least so many days, 1 if none is named
    "over": Field("days"),  # scheduled at least so many days after the requested day, 1 if none is named
    **{step: Field("took") for step in STEPS},
    "received": Field("flag", "is_received"),
    "delivered": Field("flag", "is_delivered"),
    "has": Field(
        "documents"
    ),  # codes of folders; ANY is a document of any kind, NONE is no document, if they are known
    "changed": Field("flag"),  # bears a change mark
    "changed_on": Field("past"),  # changed on one of these days, as far as changes are kept; no row tells
    "number": Field("set", "number"),
    "reference": Field("set", "crn"),
}
