"""The bodies that practice describes although the contract does not show them (services.md: "not shown").

They are ours, and plausible: they give whoever tries the program out a form to fill in. Every record stays open and
nothing is refused for not being like this, so what a real provider asks for can be tried in practice too.
"""

from typing import Any

Schema = dict[str, Any]

_REFERENCE = "#/components/schemas/"


def _text(most: int | None = None, **more: Any) -> Schema:
    return {"type": "string"} | ({"maxLength": most} if most else {}) | more


def _record(description: str, properties: Schema, *required: str) -> Schema:
    needed = {"required": list(required)} if required else {}
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "additionalProperties": True,
        **needed,
    }


def _of(name: str) -> Schema:
    return {"$ref": _REFERENCE + name}


def _list_of(name: str) -> Schema:
    return {"type": "array", "items": _of(name)}


_DAY: Schema = {"type": "string", "format": "date"}
_MOMENT: Schema = {"type": "string", "format": "date-time"}
_ORDER = _text(30, description="The order's own reference.")

# By the record's name in the listing.
OPEN_BODIES: dict[str, str] = {
    "quote submission request": "QuoteSubmission",
    "truck submission request": "TruckSubmission",
    "import request": "ImportRequest",
    "order event request": "OrderEvent",
    "partner order cancellation request": "PartnerCancellation",
    "slot lookup request": "SlotLookup",
    "slot reservation request": "SlotReservation",
}

OPEN_SCHEMAS: dict[str, Schema] = {
    "QuoteSubmission": _record(
        "What a delivery would cost.",
        {
            "orderReferenceNumber": _ORDER,
            "billToCode": _text(),
            "deliveryType": _text(enum=["HOME", "STORE", "BUILD"], default="HOME"),
            "pickup": {"oneOf": [_of("FacilityPlace"), _of("AddressPlace")]},
            "delivery": _of("AddressPlace"),
            "requestedDeliveryDate": _DAY,
            "freightDetails": _list_of("QuotedFreight"),
            "services": {
                "type": "array",
                "uniqueItems": True,
                "items": _text(enum=["ASSEMBLY", "HAUL_AWAY", "SECOND_FLOOR"]),
            },
            "declaredValue": {"type": "number", "minimum": 0, "description": "In dollars."},
            "contact": {"anyOf": [_of("PhoneContact"), _of("EmailContact")]},
        },
    ),
    "QuotedFreight": _record(
        "One commodity of a quote.",
        {
            "commodity": _text(),
            "count": {"type": "integer", "format": "int32", "minimum": 1},
            "volume": {"type": "number", "minimum": 0, "description": "All of it, in cubic feet."},
            "weight": {"type": "number", "minimum": 0, "nullable": True, "description": "All of it, in pounds."},
        },
        "commodity",
        "count",
    ),
    "FacilityPlace": _record("One of the provider's facilities.", {"providerFacilityCode": _text(6)}),
    "AddressPlace": _record(
        "An address.",
        {"streetAddress": _text(100), "city": _text(18), "state": _text(2), "zip": _text(10)},
    ),
    "PhoneContact": _record("Someone to call.", {"name": _text(100), "phone": _text(20)}),
    "EmailContact": _record("Someone to write to.", {"name": _text(100), "email": _text(30, format="email")}),
    "TruckSubmission": _record(
        "A truck on its way to a facility.",
        {
            "loadNumber": _text(50),
            "providerFacilityCode": _text(6),
            "kind": _text(enum=["VAN", "REEFER", "FLATBED"]),
            "estimatedArrival": _MOMENT,
            "sealed": {"type": "boolean"},
            "stops": _list_of("TruckStop"),
        },
    ),
    "TruckStop": _record(
        "What is unloaded for one order.",
        {"orderReferenceNumber": _ORDER, "pieces": {"type": "integer", "format": "int32", "minimum": 1}},
    ),
    "ImportRequest": _record(
        "Orders, each as it would be submitted alone.",
        {"orders": _list_of("OrderSubmission")},
    ),
    "OrderEvent": _record(
        "Something that happened to an order.",
        {
            "orderReferenceNumber": _ORDER,
            "eventType": _text(enum=["PICKED_UP", "ARRIVED", "DELIVERED", "DELAYED"]),
            "occurredAt": _MOMENT,
            "remarks": _text(254),
        },
    ),
    "PartnerCancellation": _record(
        "The order that is to be cancelled.",
        {"orderReferenceNumber": _ORDER, "reason": _text(254)},
        "orderReferenceNumber",
    ),
    "SlotLookup": _record(
        "Where a delivery is to go: the facility, or the place that it serves.",
        {"orderReferenceNumber": _ORDER, "providerFacilityCode": _text(6), "zip": _text(10)},
    ),
    "SlotReservation": _record(
        "The slot that is to be reserved.",
        {"orderReferenceNumber": _ORDER, "slotId": _text(description="As the slot lookup names it.")},
    ),
}
