"""Reference data (facilities, cross references, stock items), and the open orders of a partner."""

from collections.abc import Iterable, Iterator
from functools import cache

from app.practice.database import order_pages, order_table
from app.practice.database.order_pages import Window
from app.practice.json_form import read_json
from app.practice.operation_answers import Answer, Call, Listing, Outcome, Record, bad_request
from app.practice.running_service import RunningService
from app.practice.services.information_operations import PAGE
from app.practice.services.open_body_operations import text_field
from app.practice.world import name_tables
from app.practice.world.dice import text_number
from app.practice.world.life import MANAGEMENT_STATUS, state_at
from app.practice.world.name_tables import Facility
from app.practice.world.seconds import NEVER, day_text

_MODELS_OF_A_MAKER = 8


def facilities(service: RunningService, call: Call) -> Outcome:
    """All facilities, the facilities that serve a ZIP code, or the facilities that a bill-to uses."""
    found: Iterable[Facility] = name_tables.facilities()
    zip_code, bill_to = call.parameter("ZipCode"), call.parameter("BillToCode")
    if zip_code is not None:
        serving = name_tables.facility_for_zip(zip_code)
        found = [serving] if serving else []
    if bill_to is not None:
        found = [each for each in found if _uses(call, bill_to, each)]
    return Answer([_facility_record(each) for each in found], "Facility")


def _uses(call: Call, bill_to: str, facility: Facility) -> bool:
    own = name_tables.companies()["bill_tos"][call.client.kind]
    return bill_to.upper() in own and text_number(f"{bill_to.upper()} {facility.code}") % 5 > 0


def _facility_record(facility: Facility) -> Record:
    place = facility.place
    return {
        "providerFacilityCode": facility.code,
        "name": facility.name,
        "streetAddress": facility.street,
        "city": place.city,
        "state": place.state,
        "zip": place.zip,
        # 555-0100 to 555-0199 are given to nobody.
        "phone": f"{place.area}-555-0100",
    }


def cross_reference(service: RunningService, call: Call) -> Outcome:
    """The provider's codes of facilities, commodities, manufacturers and bill-tos."""
    wanted = {"group": call.parameter("GroupFilter"), "key": call.parameter("KeyFilter")}
    rows = (*_references(), *_bill_to_references(call.client.kind))
    return Answer(_filtered(rows, wanted), "CrossReference")


@cache
def _references() -> tuple[Record, ...]:
    facility_rows = [("FACILITY", each.code, each.name) for each in name_tables.facilities()]
    goods_rows = [("COMMODITY", each.code, each.description) for each in name_tables.goods()]
    maker_rows = [("MANUFACTURER", each.code, each.name) for each in name_tables.makers()]
    return tuple(_reference(*row) for row in (*facility_rows, *goods_rows, *maker_rows))


def _bill_to_references(kind: str) -> list[Record]:
    return [_reference("BILLTO", code, f"Bill-to {code}") for code in name_tables.companies()["bill_tos"][kind]]


def _reference(group: str, key: str, value: str) -> Record:
    return {"group": group, "key": key, "value": value}


def stock_items(service: RunningService, call: Call) -> Outcome:
    """How the client's stock items are to be handled."""
    wanted = {
        "billToCode": call.parameter("BillToFilter"),
        "manufacturerCode": call.parameter("ManufacturerCodeFilter"),
        "modelNumber": call.parameter("ModelNumberFilter"),
        "customerModelNumber": call.parameter("CustomerModelNumberFilter"),
        "sku": call.parameter("SkuFilter"),
    }
    return Answer(_filtered(_stock(call.client.kind), wanted), "StockItemConfig")


@cache
def _stock(kind: str) -> tuple[Record, ...]:
    bill_tos, goods = name_tables.companies()["bill_tos"][kind], name_tables.goods()
    rows = []
    for at, maker in enumerate(name_tables.makers()):
        for index in range(_MODELS_OF_A_MAKER):
            item = goods[(at * 3 + index * 5) % len(goods)]
            model = f"{maker.code[:3]}-{item.code[:4]}-{100 + index * 10}"
            rows.append(
                {
                    "billToCode": bill_tos[(at + index) % len(bill_tos)],
                    "manufacturerCode": maker.code,
                    "modelNumber": model,
                    "customerModelNumber": f"C{at:02}{index}",
                    "sku": f"{800_000 + at * 100 + index}",
                    "commodity": item.code,
                    "description": f"{maker.brand} {item.description.lower()}",
                    "volume": item.volume,
                    "weight": item.weight,
                }
            )
    return tuple(rows)


def _filtered(rows: Iterable[Record], wanted: dict[str, str | None]) -> list[Record]:
    """The rows that hold each wanted text in its field, letters of either case."""
    asked = {name: text.lower() for name, text in wanted.items() if text is not None}
    return [row for row in rows if all(text in row[name].lower() for name, text in asked.items())]


def open_orders(service: RunningService, call: Call) -> Outcome:
    """All open orders, or the open orders of a facility."""
    facility = call.parameter("ProviderFacilityCode") or ""
    window = Window(call.client.id, 0, NEVER, call.now, facility=facility.upper())
    return Listing(_open_pages(service, window), "OpenOrder")


def _open_pages(service: RunningService, window: Window) -> Iterator[list[Record]]:
    place = order_pages.START
    while True:
        rows, place = order_pages.open_page(service.connection, window, place, PAGE)
        if not rows:
            return
        yield [_open_record(service, row, window.now) for row in rows]


def _open_record(service: RunningService, row: order_table.Row, now: int) -> Record:
    order = order_table.known_order(service.seed, row)
    address = order.facts.consignee["Address"]
    return {
        "orderReferenceNumber": row.reference,
        "systemNumber": row.number,
        "billToCode": row.bill_to,
        "providerFacilityCode": row.facility,
        "status": str(MANAGEMENT_STATUS[state_at(order.life, now)]),
        "consigneeName": order.facts.consignee["Name"],
        "city": address["City"],
        "state": address["State"],
        "zip": address["ZipCode"],
        "requestedDeliveryDate": day_text(order.life.requested // 86_400),
    }


def facilities_with_open_orders(service: RunningService, call: Call) -> Outcome:
    """The facilities at which the client has open orders; `request` is JSON in the query and may name one."""
    text = call.parameter("request")
    request = read_json(text) if text is not None else {}
    if not isinstance(request, dict):
        raise bad_request("request", "Must be a JSON object.")
    wanted = text_field(request, "providerFacilityCode", "facilityCode").upper()
    rows = order_pages.facilities_with_open_orders(service.connection, call.client.id, call.now)
    return Answer([_with_orders(*row) for row in rows if wanted in {"", row[0]}], "FacilityWithOpenOrders")


def _with_orders(code: str, count: int) -> Record:
    facility = name_tables.facility_by_code().get(code)
    return {"providerFacilityCode": code, "name": facility.name if facility else code, "openOrders": count}
