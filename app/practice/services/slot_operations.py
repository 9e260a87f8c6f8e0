"""Delivery slots of the partner groups: free slots of the facility that serves a place, and reservations."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from app.practice.database.other_records import count_kept
from app.practice.operation_answers import Answer, Call, Outcome, Record
from app.practice.running_service import RunningService
from app.practice.services.open_body_operations import body_object, keep_body, text_field
from app.practice.services.order_operations import checked_order, keep_order
from app.practice.world import name_tables
from app.practice.world.dice import roll, text_number, upto
from app.practice.world.seconds import moment_of
from app.practice.world.submitted import facility_of

_SLOT = b"slot"
_RESERVED = "partner_a_reserve_slot"
_DAYS_AHEAD = range(2, 12)
_WINDOWS = {"A": ("08:00", "12:00"), "B": ("12:00", "16:00"), "C": ("16:00", "20:00")}
_SLOT_ID = re.compile(r"([A-Z0-9]{1,6})-(\d{8})-([ABC])")


def get_slot(service: RunningService, call: Call) -> Outcome:
    """The free slots at the facility that the body names, or that serves its ZIP code."""
    body = body_object(call)
    keep_body(service, call)
    return _free(service, call, _facility(body))


def _facility(body: Record) -> str:
    code = text_field(body, "providerFacilityCode", "facilityCode", "facility").upper()
    if code in name_tables.facility_by_code():
        return code
    # The shape of the request is not published: the ZIP may stand on it or in a record within.
    nested = [value for value in body.values() if isinstance(value, dict)]
    for part in (body, *nested):
        found = name_tables.facility_for_zip(text_field(part, "zip", "zipCode", "postalCode"))
        if found:
            return found.code
    return name_tables.facilities()[0].code


def _free(service: RunningService, call: Call, facility: str) -> Outcome:
    today = moment_of(call.now).date()
    slots = [slot for day in _DAYS_AHEAD for slot in _slots(service, facility, today + timedelta(days=day))]
    return Answer({"providerFacilityCode": facility, "slots": slots}, "SlotResult")


def _slots(service: RunningService, facility: str, day: date) -> Iterator[Record]:
    # Nothing is delivered on a Sunday.
    if day.weekday() == 6:
        return
    for letter, (start, end) in _WINDOWS.items():
        slot_id = f"{facility}-{day:%Y%m%d}-{letter}"
        left = _left(service, slot_id)
        if left > 0:
            yield {"slotId": slot_id, "date": day.isoformat(), "from": start, "to": end, "remaining": left}


def _left(service: RunningService, slot_id: str) -> int:
    """How often a slot can still be reserved."""
    # Drawn from the slot's own name, so it is the same whenever somebody asks.
    places = upto(6, roll(service.seed, _SLOT, text_number(slot_id))[0])
    return places - count_kept(service.connection, _RESERVED, slot_id)


def reserve_slot(service: RunningService, call: Call) -> Outcome:
    """Keeps a reservation. A slot that is known to be full is not given twice."""
    slot_id = text_field(body_object(call), "slotId", "slot", "id").upper()
    if _SLOT_ID.fullmatch(slot_id) and _left(service, slot_id) <= 0:
        return Answer({"slotId": slot_id, "reserved": False, "reason": "The slot is full."}, "ReservationResult")
    record: Record = {"reservationId": f"RSV-{keep_body(service, call, slot_id)}", "reserved": True}
    if slot_id:
        record["slotId"] = slot_id
    return Answer(record, "ReservationResult")


def submit_for_slot(service: RunningService, call: Call) -> Outcome:
    """Submits the order and answers with the slots it could have, as getSlot does."""
    order = checked_order(service, call)
    keep_order(service, call, order)
    return _free(service, call, facility_of(order.model_dump()) or name_tables.facilities()[0].code)
