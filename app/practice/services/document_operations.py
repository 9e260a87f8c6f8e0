"""Documents of an order and overage of a load, of the order information service."""

import re

from app.practice.database import order_table
from app.practice.database.clients import MAIN
from app.practice.database.fill import FIRST_NUMBER
from app.practice.operation_answers import Answer, Call, Outcome, Picture, Record, Refusal, bad_request
from app.practice.running_service import RunningService
from app.practice.world.made_orders import ON_A_LOAD, load_of, overage_items
from app.practice.world.papers import papers_at
from app.practice.world.photo_subjects import paper_bytes
from app.practice.world.record import paper_name

_DOCUMENT = re.compile(r"([0-9]{1,10})-([A-Z]{2,3})\.(?:jpg|pdf)")
_MADE_UP_LOAD = re.compile(r"L-([0-9]{1,8})")


def document(service: RunningService, call: Call) -> Outcome:
    """A document, at the address that an order's ProofOfDelivery gives."""
    filename = call.path["Filename"]
    found = _DOCUMENT.fullmatch(filename)
    row = order_table.by_number(service.connection, call.client.id, int(found[1]), call.now) if found else None
    if found and row:
        known = order_table.known_order(service.seed, row)
        papers = papers_at(known.thrown, known.life, call.now)
        filed = {paper_name(known.number, paper.folder): paper.filed for paper in papers}.get(filename)
        if filed is not None:
            folder, when = found[2], filed
            return Picture(filename, lambda: paper_bytes(known, folder, when))
    raise Refusal(404, "Document not found.", "There is no document of this name.")


def overage(service: RunningService, call: Call) -> Outcome:
    """The items over on a load, made up or named in a submission."""
    load = call.path.get("LoadId") or call.parameter("LoadId")
    if load is None:
        raise bad_request("LoadId", "Give the load.")
    items = overage_items(service.seed, load, _orders_on(service, call, load))
    if service.switches.on("overage-other"):
        items = [_other_names(load, item) for item in items]
    return Answer(items, "Overage")


def overage_load(service: RunningService) -> str:
    """A made-up load of the main client with items over; empty where the world is too small to have one."""
    main, now = service.clients[MAIN].id, service.clock.now()
    for first in range(FIRST_NUMBER - FIRST_NUMBER % ON_A_LOAD, FIRST_NUMBER + 20 * ON_A_LOAD, ON_A_LOAD):
        numbers = order_table.numbers_between(service.connection, main, first, first + ON_A_LOAD - 1, now)
        if overage_items(service.seed, load_of(first), numbers):
            return load_of(first)
    return ""


def _orders_on(service: RunningService, call: Call, load: str) -> list[int]:
    connection, client = service.connection, call.client.id
    numbers = order_table.numbers_on_load(connection, client, load, call.now)
    found = _MADE_UP_LOAD.fullmatch(load)
    if found:
        first = int(found[1]) * ON_A_LOAD
        # A made-up load has its orders by their numbers; submitted ones may name the same load.
        numbers += order_table.numbers_between(connection, client, first, first + ON_A_LOAD - 1, call.now)
    return numbers


def _other_names(load: str, item: Record) -> Record:
    return {
        "Load": load,
        "Item": {"Code": item["commodity"], "Text": item["description"]},
        "Tag": item["barcode"],
        "Qty": str(item["count"]),
        "Order": item.get("orderNumber"),
    }
