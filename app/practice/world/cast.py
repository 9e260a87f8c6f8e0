"""The parties of an order: consignees, carriers, manufacturers, facilities, as Contact records of services.md.

Contacts of companies are built once and shared: nobody may change the dictionaries that these functions return.
"""

from functools import cache
from typing import Any

from app.practice.world import name_tables
from app.practice.world.dice import Roll, chance, pick, upto
from app.practice.world.name_tables import Place

Contact = dict[str, Any]

# Which values of an order's roll a consignee takes.
_FIRST, _LAST, _KIND, _HOUSE, _STREET, _UNIT, _PHONE, _EMAIL = range(8, 16)


def phone(area: str, value: int) -> str:
    """A telephone number that belongs to nobody."""
    return f"{area}-555-01{upto(100, value):02}"


def consignee(roll: Roll, place: Place) -> Contact:
    """A person, or now and then a business, at a place."""
    people = name_tables.people()
    first, last = pick(people["first"], roll[_FIRST]), pick(people["last"], roll[_LAST])
    business = chance(12, roll[_KIND])
    name = f"{last} {pick(people['business'], roll[_UNIT])}" if business else f"{first} {last}"
    address = {"StreetAddress1": f"{1 + upto(9800, roll[_HOUSE])} {pick(people['street'], roll[_STREET])}"}
    if chance(22, roll[_UNIT]):
        address["StreetAddress2"] = pick(people["unit"], roll[_KIND])
    address.update(City=place.city, State=place.state, ZipCode=place.zip)
    contact: Contact = {"Name": name, "Phone": phone(place.area, roll[_PHONE])}
    if chance(55, roll[_EMAIL]):
        contact["Email"] = f"{_letters(last)}{upto(1000, roll[_EMAIL])}@example.com"
    contact["Address"] = address
    return contact


def _letters(name: str) -> str:
    return "".join(each for each in name.lower() if "a" <= each <= "z")[:12] or "orders"


@cache
def facility_contact(code: str) -> Contact:
    """A facility as a Contact. A code that the provider does not know gives a Contact with that `Id` alone."""
    facility = name_tables.facility_by_code().get(code)
    if facility is None:
        return {"Id": code}
    place = facility.place
    return {
        "Id": code,
        "Name": facility.name,
        "Phone": f"{place.area}-555-0100",
        "Email": f"{code.lower()}@provider.example",
        "Address": {
            "StreetAddress1": facility.street,
            "City": place.city,
            "State": place.state,
            "ZipCode": place.zip,
        },
    }


@cache
def maker_contact(code: str) -> Contact:
    """A manufacturer as a Contact."""
    maker = name_tables.maker_by_code().get(code)
    if maker is None:
        return {"Id": code}
    place = maker.place
    return {
        "Id": code,
        "Name": maker.name,
        "Phone": f"{place.area}-555-0142",
        "Address": {
            "StreetAddress1": maker.street,
            "City": place.city,
            "State": place.state,
            "ZipCode": place.zip,
        },
    }


@cache
def carrier_contact(index: int) -> Contact:
    """The carrier at a place in the table, counted round."""
    carriers = name_tables.companies()["carriers"]
    code, name, area = carriers[index % len(carriers)]
    return {"Id": code, "Name": name, "Phone": f"{area}-555-0117", "Email": f"dispatch@{code.lower()}.example"}
