"""Orders of the made-up past and future, and the overage of their loads: all follows from the seed and a number."""

from typing import Any, NamedTuple

from app.practice.world import cast, name_tables
from app.practice.world.dice import Roll, chance, pick, roll, text_number, upto
from app.practice.world.life import Life, plan_life

_PLACE, _MAKER, _TYPE, _LINES, _GOODS, _COUNT, _PO, _BOL, _REMARK, _CARRIER, _BILL, _PREFIX = range(16, 28)

ON_A_LOAD = 24  # orders that share an inbound load
_ORDER, _OVERAGE = b"order", b"overage"


class Facts(NamedTuple):
    """The values of an order that never change. Its Contact dictionaries are shared: never change them."""

    consignee: cast.Contact
    maker: cast.Contact | None
    brand: str | None
    facility: cast.Contact | None
    carrier: cast.Contact
    delivery_type: str | None
    purchase_orders: list[str]
    bol: str | None
    remarks: str | None
    commodities: list[dict[str, Any]]
    load: str


class Start(NamedTuple):
    """The values of an order that are stored, because lists and look-ups search for them."""

    reference: str
    bill_to: str
    facility: str
    life: Life


def order_roll(seed: int, number: int) -> Roll:
    """The roll that an order is made from."""
    return roll(seed, _ORDER, number)


def start_order(seed: int, number: int, client: str, imported: int) -> Start:
    """A made-up order of a client (`main`, `other`, `limited`) at the moment of its import."""
    thrown = order_roll(seed, number)
    companies = name_tables.companies()
    prefix = pick(companies["prefixes"][client], thrown[_PREFIX])
    facility = name_tables.facility_for_zip(_place(thrown).zip)
    return Start(
        reference=f"{prefix}{number - 680_000}",
        bill_to=pick(companies["bill_tos"][client], thrown[_BILL]),
        facility=facility.code if facility else "",
        life=plan_life(thrown, imported),
    )


def _place(thrown: Roll) -> name_tables.Place:
    return pick(name_tables.places(), thrown[_PLACE])


def made_up_facts(thrown: Roll, number: int, facility: str) -> Facts:
    """The facts of a made-up order."""
    maker = pick(name_tables.makers(), thrown[_MAKER])
    kind = thrown[_TYPE]
    return Facts(
        consignee=cast.consignee(thrown, _place(thrown)),
        maker=cast.maker_contact(maker.code),
        brand=maker.brand,
        facility=cast.facility_contact(facility) if facility else None,
        carrier=cast.carrier_contact(thrown[_CARRIER]),
        delivery_type="HOME" if chance(78, kind) else "STORE" if chance(91, kind) else "BUILD",
        purchase_orders=_purchase_orders(thrown),
        bol=bill_of_lading(thrown) if chance(88, thrown[_LINES]) else None,
        remarks=pick(name_tables.words()["remarks"], thrown[_REMARK]) if chance(45, thrown[_COUNT]) else None,
        commodities=_commodities(thrown),
        load=load_of(number),
    )


def load_of(number: int) -> str:
    """The inbound load that an order came on."""
    return f"L-{number // ON_A_LOAD}"


def bill_of_lading(thrown: Roll) -> str:
    """A bill of lading number."""
    return f"BOL{10_000_000 + thrown[_BOL] * 911 + thrown[_PO] % 911}"


def _purchase_orders(thrown: Roll) -> list[str]:
    first = 400_000 + thrown[_PO] * 3
    return [f"PO-{first + each}" for each in range(1 + upto(3, thrown[_BOL]) // 2)]


def _commodities(thrown: Roll) -> list[dict[str, Any]]:
    lines = 1 + upto(4, thrown[_LINES])
    table = name_tables.goods()
    first, step = upto(len(table), thrown[_GOODS]), 1 + thrown[_COUNT] % 7
    rows = []
    for line in range(lines):
        each = table[(first + line * step) % len(table)]
        count = 1 + (thrown[_COUNT] >> 3 * line & 3)
        rows.append({"CommodityCode": each.code, "Description": each.description, "Count": count})
    return rows


def overage_items(seed: int, load: str, numbers: list[int]) -> list[dict[str, Any]]:
    """The freight on a load beyond what its paperwork says; every second load or so has some.

    `numbers` are the orders that the load carries.
    """
    key = text_number(load)
    thrown = roll(seed, _OVERAGE, key)
    if not numbers or chance(45, thrown[0]):
        return []
    return [
        _overage_item(thrown[4 * index + 1 : 4 * index + 5], key, numbers) for index in range(1 + upto(4, thrown[31]))
    ]


def _overage_item(values: tuple[int, ...], key: int, numbers: list[int]) -> dict[str, Any]:
    goods = pick(name_tables.goods(), values[0])
    item: dict[str, Any] = {
        "commodity": goods.code,
        "description": goods.description,
        "barcode": f"{(key + values[1] * 7919) % 10**12:012}",
        "count": 1 + upto(3, values[2]),
    }
    if chance(70, values[3]):  # nobody knows whose the rest is
        item["orderNumber"] = pick(numbers, values[1])
    return item
