"""An order as the information service writes it: the Order record of services.md at a moment, null fields omitted."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.contract.codes import ORDER_STATE_WORDS
from app.practice.world import seconds
from app.practice.world.dice import Roll, upto
from app.practice.world.life import Life, state_at
from app.practice.world.made_orders import Facts
from app.practice.world.order_notes import notes_at
from app.practice.world.papers import papers_at

Record = dict[str, Any]

# Folders that hold a photo; the others hold a scanned or printed page.
PHOTO_FOLDERS = frozenset(("AT", "DAM", "DMB", "DML", "DMR", "LD", "LS", "OOS", "ORD", "OVR", "RF", "SV", "TD", "UN"))


@dataclass(frozen=True, slots=True)
class Include:
    """The parts of an order that a request includes."""

    purchase_orders: bool = False
    commodities: bool = False
    notes: bool = False
    papers: bool = False


EVERYTHING = Include(True, True, True, True)


@dataclass(frozen=True, slots=True)
class Style:
    """How replies are written where notes.md leaves a choice."""

    moment: Callable[[int], str] = seconds.plain
    paper_url: Callable[[str], str] = str
    crn_is_reference: bool = True
    purchase_order_objects: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """An order of the world: its random numbers, its facts, and its life."""

    number: int
    reference: str
    thrown: Roll
    facts: Facts
    life: Life


def order_record(order: Known, now: int, include: Include, style: Style) -> Record:
    """The record of an order at `now`."""
    facts, life, thrown = order.facts, order.life, order.thrown
    record: Record = {
        "OrderNumber": order.number,
        "CRN": order.reference if style.crn_is_reference else f"R{order.number * 7 % 1_000_000:06}",
    }
    if include.purchase_orders:
        record["PO"] = _purchase_orders(facts, style)
    if facts.bol:
        record["BOL"] = facts.bol
    record["Consignee"] = facts.consignee
    if life.scheduled <= now:
        record["Carrier"] = facts.carrier
    if facts.maker:
        record["Manufacturer"] = facts.maker
    if facts.facility:
        record["Facility"] = facts.facility
    if facts.delivery_type:
        record["DeliveryType"] = facts.delivery_type
    _milestones(record, life, thrown, now, style.moment)
    state = state_at(life, now)
    record["StatusId"] = str(state)
    record["Status"] = ORDER_STATE_WORDS[state]
    if facts.brand:
        record["Brand"] = facts.brand
    if facts.remarks:
        record["Remarks"] = facts.remarks
    _parts(record, order, now, include, style)
    record["IsReceived"] = life.received <= now
    record["IsDelivered"] = life.delivered <= now
    return record


def _purchase_orders(facts: Facts, style: Style) -> list[Any]:
    if style.purchase_order_objects:
        return [{"Number": number, "Line": line} for line, number in enumerate(facts.purchase_orders, 1)]
    return facts.purchase_orders


def _milestones(record: Record, life: Life, thrown: Roll, now: int, moment: Callable[[int], str]) -> None:
    record["DateImported"] = moment(life.imported)
    record["DateEstimatedReceive"] = moment(life.estimated)
    if life.received <= now:
        record["DateReceived"] = moment(life.received)
        record["ReceivedById"] = f"R{100 + upto(80, thrown[17])}"
    record["DateRequestedDelivery"] = moment(life.requested)
    if life.scheduled <= now:
        record["DateScheduledDelivery"] = moment(life.appointment)
    if life.loaded <= now:
        record["DateLoaded"] = moment(life.loaded)
        record["LoadedById"] = f"L{100 + upto(60, thrown[18])}"
    if life.delivered <= now:
        record["DateActualDelivery"] = moment(life.delivered)
        record["DeliveredBy"] = f"Crew {1 + upto(40, thrown[19])}"


def _parts(record: Record, order: Known, now: int, include: Include, style: Style) -> None:
    life, thrown = order.life, order.thrown
    if include.notes:
        first_name = order.facts.consignee["Name"].split(" ")[0]
        record["Notes"] = [
            {"Text": text, "CreatedDate": style.moment(when)}
            for text, when in notes_at(thrown, life, first_name, order.facts.load, now)
        ]
    if include.commodities:
        record["Commodities"] = order.facts.commodities
    if include.papers:
        record["ProofOfDelivery"] = [
            {
                "Filename": (name := paper_name(order.number, paper.folder)),
                "Url": style.paper_url(name),
                "CreatedDate": style.moment(paper.filed),
                "Folder": paper.folder,
            }
            for paper in papers_at(thrown, life, now)
        ]


def paper_name(number: int, folder: str) -> str:
    """The file name of a document: it says the order and the folder."""
    return f"{number}-{folder}.{'jpg' if folder in PHOTO_FOLDERS else 'pdf'}"
