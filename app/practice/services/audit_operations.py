"""Audits of the order information service: the list, the detail, the photos."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime, time, timedelta

from app.contract.moments import read_date
from app.practice.database.audit_table import audited_order, audits_between, find_audit
from app.practice.operation_answers import Answer, Call, Listing, Outcome, Picture, Record, Refusal, bad_request
from app.practice.running_service import RunningService
from app.practice.services.information_operations import DEFAULT_DAYS, check_range, whole_number
from app.practice.services.style import finish, image_address, moment_of_switches
from app.practice.world import seconds
from app.practice.world.made_audits import Audit, detail_rows, list_row, made_audit
from app.practice.world.photo_subjects import audit_photo, quick_photo

_PAGE = 40  # audits made at a time, so that other requests get their turn
_PHOTO = re.compile(r"audit-([0-9]{1,10})-([0-9]{1,2})\.jpg")


def audits(service: RunningService, call: Call) -> Outcome:
    """Audits by date; both days included."""
    today = seconds.moment_of(call.now).date()
    start = _day(call, "StartDate", datetime.combine(today - timedelta(days=DEFAULT_DAYS), time.min))
    end = _day(call, "EndDate", datetime.combine(today, time.min)).replace(hour=23, minute=59, second=59)
    check_range(start, end.replace(hour=0, minute=0, second=0))
    window = (seconds.seconds_of(start), seconds.seconds_of(end))
    found = audits_between(service.connection, call.client.id, *window, call.now)
    return Listing(_pages(service, found), "Audit")


def _day(call: Call, name: str, otherwise: datetime) -> datetime:
    text = call.parameter(name)
    if text is None:
        return otherwise
    day = read_date(text)
    if day is None:
        raise bad_request(name, "Must be a date as YYYY-MM-DD.")
    return datetime.combine(day, time.min)


def _pages(service: RunningService, found: list[tuple[int, int]]) -> Iterator[list[Record]]:
    date = _list_date(service)
    for first in range(0, len(found), _PAGE):
        page = [made_audit(service.seed, number, at) for number, at in found[first : first + _PAGE]]
        yield [finish(service, list_row(audit, date(audit.at)), "Audit") for audit in page]


def _list_date(service: RunningService) -> Callable[[int], int]:
    if service.switches.on("audit-date-seconds"):
        return seconds.epoch_seconds
    if service.switches.on("audit-date-ymd"):
        return lambda at: int(seconds.day_text(at // seconds.DAY).replace("-", ""))
    return lambda at: seconds.epoch_seconds(at) * 1000


def audit(service: RunningService, call: Call) -> Outcome:
    """An audit's questions, answers and addresses of photos."""
    made = _find(service, call, whole_number(call.path["AuditId"]))
    order_number = audited_order(service.connection, call.client.id, made.number, made.at)
    rows = [
        finish(service, row, "Audit detail")
        for row in detail_rows(made, moment_of_switches(service)(made.at), order_number, image_address(service))
    ]
    return Answer(rows[0] if service.switches.on("audit-object") else rows, "AuditDetail")


def _find(service: RunningService, call: Call, number: int | None) -> Audit:
    entry = None if number is None else find_audit(service.connection, call.client.id, number, call.now)
    if entry is None:
        raise Refusal(404, "Audit not found.", "There is no audit with this number.")
    return made_audit(service.seed, *entry)


def image(service: RunningService, call: Call) -> Outcome:
    """The photo of a question."""
    filename = call.path["Filename"]
    found = _PHOTO.fullmatch(filename)
    made = _find(service, call, int(found[1])) if found else None
    if made is None or filename not in [answer.photo for answer in made.answers]:
        raise Refusal(404, "Image not found.", "There is no image of this name.")
    if service.switches.on("quick-photos"):
        return Picture(filename, lambda: quick_photo(made, filename), kept=False)
    return Picture(filename, lambda: audit_photo(service.seed, made, filename))
