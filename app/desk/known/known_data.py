"""Known values: finds them as a person types, and learns them from orders that were sent or seen.

Invariants: learning goes in steps of a few milliseconds each, so no other work waits for it; a payload or order that
cannot be read teaches nothing. The window's first minutes go through this module, so it imports nothing heavy.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from app.contract.facilities import FacilityReading
from app.desk.desk import Desk
from app.store.cache import known_values
from app.store.cache.known_values import FACILITY, FACILITY_ORDER, SAMPLES, Body, Kind, KnownRow, Lesson, Payload
from app.store.sqlite.search_text import plain

__all__ = [
    "CONSIGNEE", "FACILITY", "ONE", "Body", "Found", "Kind", "KnownRow", "Usual", "facility_lesson", "find", "forget",
    "learn_some", "load_key", "usual", "usual_of",
]  # fmt: skip

ONE = Decimal(1)
# A step of either kind takes some milliseconds of the cache's thread, which stores fetched orders too.
_WRITES_A_STEP = 20
_ORDERS_A_STEP = 50
_WRITES_REREAD = 500
_OFFERED = 6
_ZIP_DIGITS = 5
CONSIGNEE = (
    "consigneeName", "streetAddress", "streetAddress2", "city", "state", "zip", "phone1", "phone2", "email",
)  # fmt: skip
_CODES: dict[str, Kind] = {
    "billToCode": "bill_to",
    "manufacturerCode": "manufacturer",
    "providerFacilityCode": "facility",
    "intermediateConsignee": "seller",
}


@dataclass(frozen=True, slots=True)
class Found:
    """The known values that match, best first. `learning`: none does, but there are orders still to learn from."""

    rows: list[KnownRow]
    learning: bool


@dataclass(frozen=True, slots=True)
class Usual:
    """The usual volume and weight of one piece of a commodity, in cubic feet and pounds; None if not known."""

    volume: Decimal | None
    weight: Decimal | None

    def volume_of(self, count: Decimal) -> str:
        """The volume of `count` pieces, as a person types it; empty if it is not known."""
        return _times(self.volume, count)

    def weight_of(self, count: Decimal) -> str:
        """The weight of `count` pieces, as a person types it; empty if it is not known."""
        return _times(self.weight, count)


async def find(desk: Desk, kind: Kind, text: str, limit: int = _OFFERED) -> Found:
    """Known values of a kind that have words beginning with every word of `text`; a phone number matches anywhere."""
    found = await desk.reader.read(known_values.find_known, desk.profile.id, kind, text, limit)
    learning = not found and await desk.reader.read(known_values.is_learning, desk.profile.id)
    return Found(found, learning)


async def usual(desk: Desk, commodity: str) -> Usual | None:
    """The usual volume and weight of this commodity; None if it was never sent from here."""
    found = await desk.reader.read(known_values.get_known, desk.profile.id, "commodity", plain(commodity.strip()))
    return None if found is None else usual_of(found)


async def learn_some(desk: Desk) -> bool:
    """Take one step of learning; returns whether there may be more to learn. Raises `StoreError`."""
    profile = desk.profile.id
    upto = await desk.cache.read(known_values.learnt_up_to, profile)
    sent = await desk.journal.read(known_values.sent_after, profile, upto, _WRITES_A_STEP)
    # What was sent from here before what the provider lists: only that has volumes and weights.
    if sent.upto != upto:
        await desk.cache.write(known_values.learn_writes, profile, sent, lessons_of_payload)
        return True
    if desk.team is not None and await _learn_from_team(desk):
        return True
    return await desk.cache.write(known_values.learn_orders, profile, _ORDERS_A_STEP, lessons_of_order)


async def _learn_from_team(desk: Desk) -> bool:
    """Take one step of learning from the desks that share their consignees; whether there was anything to read."""
    assert desk.team is not None
    profile = desk.profile.id
    for mate in await desk.team.consignee_desks():
        upto = await desk.cache.read(known_values.learnt_up_to, known_values.mate_of(profile, mate))
        orders = await desk.team.orders_after(mate, upto, _WRITES_A_STEP)
        # Without orders there is nothing to learn; that is noted only where it spares reading very many writes again.
        if orders.payloads or abs(orders.upto - upto) > _WRITES_REREAD:
            payloads = [known_values.Payload(each, taken=False) for each in orders.payloads]
            sent = known_values.Sent(payloads, orders.upto)
            await desk.cache.write(known_values.learn_from_mate, profile, mate, sent, _consignees_of_payload)
            return True
    return False


def _consignees_of_payload(payload: Payload) -> Iterator[Lesson]:
    # A team shares consignees and their places on purpose. Codes and loads stay at the desk that used them.
    return (each for each in lessons_of_payload(payload) if each.kind in ("consignee", "place"))


async def forget(desk: Desk) -> None:
    """Drop all known values and learn anew from what is left: a person deleted something for good."""
    await desk.cache.write(known_values.forget_all)


def facility_lesson(found: FacilityReading) -> Lesson:
    """A facility that the provider has named."""
    body = {"code": found.code, "name": found.name, "city": found.city, "state": found.state}
    return Lesson("facility", plain(found.code), body)


def usual_of(known: KnownRow) -> Usual | None:
    """The usual volume and weight: the medians of the latest samples; None without any."""
    pairs = [sample.split("/") for sample in known.body.get(SAMPLES, "").split()]
    volumes = [Decimal(volume) for volume, _ in pairs if volume]
    weights = [Decimal(weight) for _, weight in pairs if weight]
    if not volumes and not weights:
        return None
    return Usual(_middle(volumes), _middle(weights))


def lessons_of_payload(payload: Payload) -> Iterator[Lesson]:
    """The lessons of a submission's bytes. One that the provider has not taken teaches no facility's code: it may yet
    be refused for that. If it is taken, the provider's lists teach the code, with the facility's name. They alone say
    which facility serves a consignee."""
    try:
        order = json.loads(payload.body)
    except (ValueError, RecursionError):
        return
    if not isinstance(order, Mapping):
        return
    consignee = {name: _text(_mapping(order.get("consignee")).get(name)) for name in CONSIGNEE}
    yield from _consignee(consignee, {})
    for name, kind in _CODES.items():
        code = _text(order.get(name))
        if code and (payload.taken or kind != "facility"):
            yield Lesson(kind, plain(code), {"code": code})
    yield from _load(_text(_mapping(order.get("barcoding")).get("receivingLoadNumber")), order)
    for line in _list(order.get("freightDetails")):
        code = _text(line.get("commodity"))
        sample = _sample(line)
        if code:
            yield Lesson("commodity", plain(code), {"code": code} | ({SAMPLES: sample} if sample else {}))


def load_key(load: str) -> str:
    """How the keys of the orders of a load begin."""
    return f"{plain(load)}\n"


def _load(load: str, order: Mapping[str, object]) -> Iterator[Lesson]:
    """The load that a submission names, and that the order was on it."""
    reference = _text(order.get("orderReferenceNumber"))
    if load and reference:
        yield Lesson("load", plain(load), {"code": load})
        yield Lesson("load_order", f"{load_key(load)}{plain(reference)}", {"load": load, "reference": reference})


def lessons_of_order(raw: str) -> list[Lesson]:
    """The lessons of an order's JSON text. It has no volumes and weights: the provider does not return them."""
    try:
        order = json.loads(raw)
    except (ValueError, RecursionError):
        return []
    return list(_lessons_of_record(order)) if isinstance(order, Mapping) else []


def _lessons_of_record(order: Mapping[str, object]) -> Iterator[Lesson]:
    contact = _mapping(order.get("Consignee"))
    address = _mapping(contact.get("Address"))
    second = (_text(address.get("StreetAddress2")), _text(address.get("StreetAddress3")))
    values = {
        "consigneeName": contact.get("Name"),
        "streetAddress": address.get("StreetAddress1"),
        "streetAddress2": ", ".join(line for line in second if line),
        "city": address.get("City"),
        "state": address.get("State"),
        "zip": address.get("ZipCode"),
        "phone1": contact.get("Phone"),
        "phone2": "",
        "email": contact.get("Email"),
    }
    yield from _consignee({name: _text(values[name]) for name in CONSIGNEE}, _served_by(order))
    yield from _coded(_mapping(order.get("Facility")), "facility")
    yield from _coded(_mapping(order.get("Manufacturer")), "manufacturer")
    for line in _list(order.get("Commodities")):
        code = _text(line.get("CommodityCode"))
        if code:
            yield Lesson("commodity", plain(code), {"code": code, "description": _text(line.get("Description"))})


def _served_by(order: Mapping[str, object]) -> Body:
    facility, number = _text(_mapping(order.get("Facility")).get("Id")), _number(order.get("OrderNumber"))
    return {FACILITY: facility, FACILITY_ORDER: f"{number:.0f}"} if facility and number is not None else {}


def _coded(contact: Mapping[str, object], kind: Kind) -> Iterator[Lesson]:
    code, address = _text(contact.get("Id")), _mapping(contact.get("Address"))
    if code:
        body = {"code": code, "name": _text(contact.get("Name")), "city": _text(address.get("City"))}
        yield Lesson(kind, plain(code), body | {"state": _text(address.get("State"))})


def _consignee(body: Body, served: Body) -> Iterator[Lesson]:
    """A consignee and its place. `served` is the facility that the provider named for it, and of which order."""
    name, code = body["consigneeName"], body["zip"]
    if name:
        # By five digits, because one consignee is typed with a ZIP and with a ZIP+4.
        identity = (name, body["streetAddress"], body["streetAddress2"], code[:_ZIP_DIGITS])
        yield Lesson("consignee", plain("\n".join(identity)), body | served, whole=True)
    digits = code[:_ZIP_DIGITS]
    if len(digits) == _ZIP_DIGITS and digits.isdecimal() and body["city"] and body["state"]:
        yield Lesson("place", digits, {"zip": digits, "city": body["city"], "state": body["state"]}, whole=True)


def _sample(line: Mapping[str, object]) -> str:
    """Volume and weight of one piece of this line, as a stored sample; empty if the line does not say."""
    count = _number(line.get("count"))
    if count is None or count <= 0:
        return ""
    volume, weight = _number(line.get("volume")), _number(line.get("weight"))
    parts = ["" if each is None else f"{each / count:.6f}" for each in (volume, weight)]
    return "/".join(parts) if any(parts) else ""


def _middle(numbers: list[Decimal]) -> Decimal | None:
    """The median; of an even number of samples the mean of the two in the middle."""
    # The median and not the mean: one mistyped volume must not spoil all later guesses.
    ordered, half = sorted(numbers), len(numbers) // 2
    if not ordered:
        return None
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _times(piece: Decimal | None, count: Decimal) -> str:
    if piece is None:
        return ""
    total = (piece * count).quantize(Decimal("0.01"))
    return f"{total.normalize():f}" if total else "0"


def _number(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Mapping[str, object]]:
    return [_mapping(each) for each in value] if isinstance(value, list) else []
