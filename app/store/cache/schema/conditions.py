"""Conditions on orders as data, and what each of them means.

A clause names a field and the values of which an order must have one; clauses of a query are combined by and. What
counts is the record as the provider tells it: of an order whose documents were never asked for nothing is claimed,
it neither has nor lacks one.

A due day is the scheduled one, else the requested one. An order is late once that day has passed and it is not
delivered, or by as many days as it was delivered after it; a cancelled order is never late.
"""

from collections.abc import Mapping
from datetime import date
from typing import Literal, NamedTuple

Kind = Literal["value", "prefix", "date", "days", "flag", "documents", "set", "list"]

ANY, NONE = "any", "none"  # values of a date: it is there, it is not
YES, NO = "yes", "no"  # values of what was told to be received or delivered; `NONE` is not told


class Clause(NamedTuple):
    """One condition. Of `values` any will do; of a date, days from `first` to `last`, both included, either open.

    Of a date, the values `ANY` and `NONE` stand for "there is one" and "there is none". Of `late` and `over`, the one
    value is the least number of days. `negated` turns it round: of documents, it holds where they are known.
    """

    field: str
    values: tuple[str, ...] = ()
    first: date | None = None
    last: date | None = None
    negated: bool = False


class Field(NamedTuple):
    """`column` is the store's; of a field of kind "set", what its values are compared with, exactly."""

    kind: Kind
    column: str = ""


# What can be asked of an order.
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
    "due": Field("date"),  # the due day, whether or not it was delivered since
    "late": Field("days"),  # late by so many days, 1 if none is named
    "over": Field("days"),  # scheduled so many days after the requested day, 1 if none is named
    "received": Field("flag", "is_received"),
    "delivered": Field("flag", "is_delivered"),
    "has": Field("documents"),  # codes of folders; ANY is a document of whatever kind, NONE is known to have none
    "changed": Field("flag"),  # changed since it was last looked at
    "number": Field("set", "number"),
    "reference": Field("set", "crn"),
}
