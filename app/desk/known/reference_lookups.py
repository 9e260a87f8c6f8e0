"""What can be looked up of a provider's reference data, as data; each answer is kept with its age.

Facilities, partner C's open orders by facility, cross references, stock items. Their records have no published shape
(services.md, "Order management"). Invariant: codes that an answer names are known to the order form from then on.
"""

import json
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.contract.facilities import read_facility
from app.desk.desk import Desk
from app.desk.known import known_words as words
from app.desk.known.known_data import facility_lesson
from app.desk.records import kept_records
from app.desk.records.kept_records import Asked, KeptRecords, Noted
from app.desk.records.record_table import Record
from app.store.cache import known_values
from app.store.cache.known_values import Body, Kind, Lesson
from app.store.sqlite.search_text import plain
from app.store.store_errors import StoreError

if TYPE_CHECKING:
    from app.api.management_service import Management

FACILITIES = "facilities"
LONGEST = 200  # characters of a value; the contract names no limit, and an address has one
_ZIP_DIGITS = 5
_NOTED = 50
# Words in the name of a group of cross references, and what its keys are.
_GROUPS: tuple[tuple[str, Kind], ...] = (
    ("commod", "commodity"),
    ("facil", "facility"),
    ("manufact", "manufacturer"),
    ("billto", "bill_to"),
)


@dataclass(frozen=True, slots=True)
class AskedField:
    """A field that narrows a question: the contract's name, its title, and which known values are offered."""

    name: str
    title: str
    known: Kind | None = None
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Lookup:
    """A question to the provider: its name (the contract's operation), its title, its fields, and the call."""

    name: str
    title: str
    explained: str
    fields: tuple[AskedField, ...]
    call: "Callable[[Management, Asked], Awaitable[Sequence[Record]]]"


def _facilities(service: "Management", asked: Asked) -> Awaitable[Sequence[Record]]:
    return service.facilities(zip_code=short_zip(asked.get("ZipCode", "")) or None, bill_to=asked.get("BillToCode"))


def _open_facilities(service: "Management", asked: Asked) -> Awaitable[Sequence[Record]]:
    request = asked.get("request")
    return service.partner_c_facilities(json.loads(request) if request else None)


def _open_orders(service: "Management", asked: Asked) -> Awaitable[Sequence[Record]]:
    return service.partner_c_open_orders(facility=asked.get("ProviderFacilityCode"))


def _cross_references(service: "Management", asked: Asked) -> Awaitable[Sequence[Record]]:
    return service.cross_reference(group=asked.get("GroupFilter"), key=asked.get("KeyFilter"))


def _stock_items(service: "Management", asked: Asked) -> Awaitable[Sequence[Record]]:
    return service.stock_item_config(
        bill_to=asked.get("BillToFilter"),
        manufacturer=asked.get("ManufacturerCodeFilter"),
        model=asked.get("ModelNumberFilter"),
        customer_model=asked.get("CustomerModelNumberFilter"),
        sku=asked.get("SkuFilter"),
    )


LOOKUPS = (
    Lookup(
        FACILITIES,
        words.FACILITIES,
        words.FACILITIES_EXPLAINED,
        (AskedField("ZipCode", words.ZIP, "place"), AskedField("BillToCode", words.BILL_TO, "bill_to")),
        _facilities,
    ),
    Lookup(
        "partner_c_facilities",
        words.OPEN_FACILITIES,
        words.OPEN_FACILITIES_EXPLAINED,
        (AskedField("request", words.REQUEST, hint=words.REQUEST_HINT),),
        _open_facilities,
    ),
    Lookup(
        "partner_c_open_orders",
        words.OPEN_ORDERS,
        words.OPEN_ORDERS_EXPLAINED,
        (AskedField("ProviderFacilityCode", words.FACILITY, "facility"),),
        _open_orders,
    ),
    Lookup(
        "cross_reference",
        words.CROSS_REFERENCES,
        words.CROSS_REFERENCES_EXPLAINED,
        (AskedField("GroupFilter", words.GROUP), AskedField("KeyFilter", words.KEY)),
        _cross_references,
    ),
    Lookup(
        "stock_item_config",
        words.STOCK_ITEMS,
        words.STOCK_ITEMS_EXPLAINED,
        (
            AskedField("BillToFilter", words.BILL_TO, "bill_to"),
            AskedField("ManufacturerCodeFilter", words.MANUFACTURER, "manufacturer"),
            AskedField("ModelNumberFilter", words.MODEL),
            AskedField("CustomerModelNumberFilter", words.CUSTOMER_MODEL),
            AskedField("SkuFilter", words.SKU),
        ),
        _stock_items,
    ),
)
BY_NAME: Mapping[str, Lookup] = {each.name: each for each in LOOKUPS}


def short_zip(text: str) -> str:
    """The first five digits of a ZIP, by which the provider knows facilities; any other text as it is."""
    return text[:_ZIP_DIGITS] if text[:_ZIP_DIGITS].isdecimal() else text


def wanted(lookup: Lookup, typed: Mapping[str, str]) -> Asked:
    """The fields of a question that hold something."""
    found = ((each.name, typed.get(each.name, "").strip()) for each in lookup.fields)
    return {name: text for name, text in found if text}


def issues(asked: Asked) -> dict[str, str]:
    """A sentence for each field that cannot be asked by."""
    found = {name: words.value_too_long(LONGEST, len(text)) for name, text in asked.items() if len(text) > LONGEST}
    if "request" in asked and not _is_object(asked["request"]):
        found["request"] = words.NOT_AN_OBJECT
    return found


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


async def ask(desk: Desk, lookup: Lookup, asked: Asked) -> KeptRecords:
    """Ask the provider, keep the answer, and learn its codes. Trouble is part of the result."""
    answer = await kept_records.fetch(
        desk, lookup.name, asked, lambda provider: lookup.call(provider.management, asked)
    )
    # An answer of before, which stands in for one of now, has taught its codes already.
    if answer.trouble:
        return answer
    try:
        await desk.cache.write(known_values.learn, desk.profile.id, list(lessons(lookup, answer.records)), sent=False)
    except StoreError as error:
        return KeptRecords(asked, answer.at, answer.records, error.sentence)
    return answer


async def last_answer(desk: Desk, lookup: Lookup, asked: Asked) -> KeptRecords:
    """The last answer, without asking. Raises `StoreError`."""
    return await kept_records.read(desk, lookup.name, asked)


async def asked_before(desk: Desk, lookup: Lookup) -> list[Noted]:
    """The questions that were asked before, the latest first. Raises `StoreError`."""
    return await kept_records.latest(desk, lookup.name, _NOTED)


def lessons(lookup: Lookup, records: Iterable[Record]) -> Iterator[Lesson]:
    """The codes that records name, for the form."""
    for record in records:
        if lookup.name in (FACILITIES, "partner_c_facilities"):
            yield from _facility(record)
        elif lookup.name == "cross_reference":
            yield from _reference(record)
        elif lookup.name == "stock_item_config":
            yield from _stock_item(record)


def _facility(record: Record) -> Iterator[Lesson]:
    found = read_facility(record)
    if found is not None:
        yield facility_lesson(found)


def _reference(record: Record) -> Iterator[Lesson]:
    texts = _texts(record)
    group = texts.get("group", "").replace(" ", "").replace("_", "").replace("-", "")
    kind = next((kind for word, kind in _GROUPS if word in group.lower()), None)
    if kind is not None and texts.get("key"):
        told = texts.get("value", "")
        yield _coded(kind, texts["key"], {"description" if kind == "commodity" else "name": told})


def _stock_item(record: Record) -> Iterator[Lesson]:
    texts = _texts(record)
    if texts.get("commodity"):
        yield _coded("commodity", texts["commodity"], {})
    if texts.get("manufacturercode"):
        yield _coded("manufacturer", texts["manufacturercode"], {})


def _coded(kind: Kind, code: str, more: Body) -> Lesson:
    return Lesson(kind, plain(code), {"code": code} | {name: text for name, text in more.items() if text})


def _texts(record: Record) -> dict[str, str]:
    return {
        str(name).lower(): value.strip() for name, value in record.items() if isinstance(value, str) and value.strip()
    }
