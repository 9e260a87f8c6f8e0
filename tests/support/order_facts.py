"""Orders for the cache, made by hand or by a seed."""

import json
import random
from datetime import datetime, timedelta
from typing import Any

from app.store.cache.order_rows import OrderFacts

ASKED = datetime(2026, 3, 1, 8, 0)
_FIRST = ("Ana", "Élodie", "José", "Maria", "Wei", "Zoë", "Tom")
_LAST = ("Rivera", "O'Neil", "Nuñez", "Smith", "van Dyk", "Zhang")
_CITIES = ("Memphis", "Nashville", "Knoxville", "Jackson", "Mobile")


def facts(number: int, *, extra: dict[str, Any] | None = None, **columns: Any) -> OrderFacts:
    """One order. Its text holds the columns given, and `extra`, its own wire members, on top."""
    plain = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in columns.items()}
    raw = json.dumps({"OrderNumber": number, **plain, **(extra or {})}, ensure_ascii=False)
    return OrderFacts(number=number, raw=raw, **columns)


def some(count: int, *, seed: int = 1, first: int = 1_000) -> list[OrderFacts]:
    """`count` orders with numbers from `first` on."""
    chance = random.Random(seed)
    return [_one(chance, number) for number in range(first, first + count)]


def _one(chance: random.Random, number: int) -> OrderFacts:
    imported = datetime(2026, 2, 1) + timedelta(minutes=chance.randrange(20_000))
    return facts(
        number,
        crn=f"CRN-{chance.randrange(10_000):05}",
        state=chance.choice(("STD", "AVL", "PLN", "DSO")),
        consignee_name=f"{chance.choice(_FIRST)} {chance.choice(_LAST)}",
        street=f"{chance.randrange(1, 999)} Main St",
        city=chance.choice(_CITIES),
        zip=f"{chance.randrange(10_000, 99_999)}",
        phone=f"901-555-{chance.randrange(10_000):04}",
        pos=f"PO{chance.randrange(1_000)}\nPO{chance.randrange(1_000)}",
        bol=chance.choice((None, f"B{chance.randrange(1_000)}")),
        facility_name=f"{chance.choice(_CITIES)} Terminal",
        imported_at=imported,
        requested_delivery=chance.choice((None, imported + timedelta(days=5))),
        remarks=chance.choice((None, "call before 9", "100% fragile_goods")),
    )
