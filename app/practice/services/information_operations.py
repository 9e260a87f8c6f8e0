"""Orders of the order information service: one by its number, the open ones, the completed ones."""

from collections.abc import Callable, Iterator
from datetime import datetime, time, timedelta

import apsw

from app.contract.moments import read_moment
from app.practice.database import order_pages, order_table
from app.practice.database.order_pages import Place, Window
from app.practice.database.order_table import Row
from app.practice.operation_answers import Answer, Call, Listing, Outcome, Record, Refusal, bad_request
from app.practice.running_service import RunningService
from app.practice.services.style import finish, style_of
from app.practice.world.record import EVERYTHING, Include, order_record
from app.practice.world.seconds import moment_of, seconds_of

PAGE = 60  # orders made at a time, a few milliseconds of work
# Digits of a number of 32 bits: `int` takes a long time for thousands of them.
_LONGEST_NUMBER = 10
DEFAULT_DAYS = 7
_LAST = datetime(9999, 12, 31, 23, 59, 59)
_FLAGS = {"true": True, "false": False, "1": True, "0": False}

Pager = Callable[[apsw.Connection, Window, Place, int], tuple[list[Row], Place]]


def order(service: RunningService, call: Call) -> Outcome:
    """One order with purchase orders, notes, commodities and documents; cancelled ones too."""
    number = whole_number(call.path["OrderNumber"])
    row = None if number is None else order_table.by_number(service.connection, call.client.id, number, call.now)
    if row is None:
        raise Refusal(404, "Order not found.", "There is no order with this number.")
    style = style_of(service)
    record = order_record(order_table.known_order(service.seed, row), call.now, EVERYTHING, style)
    return Answer(finish(service, record), "Order")


def whole_number(text: str) -> int | None:
    """The number in a path; None if no order or audit can have it."""
    plain = text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER
    return int(text) if plain else None


def open_orders(service: RunningService, call: Call) -> Outcome:
    """Open orders by import date."""
    return Listing(_pages(service, call, order_pages.open_page), "Order")


def completed_orders(service: RunningService, call: Call) -> Outcome:
    """Completed orders by delivery date."""
    return Listing(_pages(service, call, order_pages.completed_page), "Order")


def _pages(service: RunningService, call: Call, pager: Pager) -> Iterator[list[Record]]:
    include = Include(
        purchase_orders=_flag(call, "IncludePOs"),
        commodities=_flag(call, "IncludeCommodities"),
        notes=_flag(call, "IncludeNotes"),
        papers=_flag(call, "IncludePOD"),
    )
    start, end = asked_range(call)
    cancelled_too = service.switches.on("cancelled-listed")
    window = Window(call.client.id, seconds_of(start), seconds_of(end), call.now, cancelled_too)
    return _made(service, window, include, pager)


def _made(service: RunningService, window: Window, include: Include, pager: Pager) -> Iterator[list[Record]]:
    style, place = style_of(service), order_pages.START
    while True:
        rows, place = pager(service.connection, window, place, PAGE)
        if not rows:
            return
        yield [
            finish(service, order_record(order_table.known_order(service.seed, row), window.now, include, style))
            for row in rows
        ]


def _flag(call: Call, name: str) -> bool:
    text = call.parameter(name)
    if text is None:
        return False
    flag = _FLAGS.get(text.strip().lower())
    if flag is None:
        raise bad_request(name, "Must be true or false.")
    return flag


def asked_range(call: Call) -> tuple[datetime, datetime]:
    """StartDate and EndDate, or their defaults. Raises Refusal for an unreadable, inverted or too long range."""
    today = moment_of(call.now).date()
    start = _moment(call, "StartDate", datetime.combine(today - timedelta(days=DEFAULT_DAYS), time.min))
    end = _moment(call, "EndDate", datetime.combine(today, time(23, 59, 59)))
    check_range(start, end)
    return start, end


def check_range(start: datetime, end: datetime) -> None:
    """Raises Refusal for an inverted or too long range."""
    if end < start:
        raise bad_request("EndDate", "EndDate is before StartDate.")
    if end > a_year_after(start):
        raise bad_request("EndDate", "The range may be at most 1 year.")


def _moment(call: Call, name: str, otherwise: datetime) -> datetime:
    text = call.parameter(name)
    if text is None:
        return otherwise
    moment = read_moment(text)
    if moment is None:
        raise bad_request(name, "Not a date that can be read.")
    return moment


def a_year_after(moment: datetime) -> datetime:
    """This day of the next year; 1 March after 29 February."""
    if moment.year >= _LAST.year:
        return _LAST
    if (moment.month, moment.day) == (2, 29):
        return moment.replace(year=moment.year + 1, month=3, day=1)
    return moment.replace(year=moment.year + 1)
