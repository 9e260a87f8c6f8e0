"""Overage: freight that was found on a load beyond what its paperwork says."""

from typing import Any

from app.practice.world import name_tables
from app.practice.world.dice import chance, pick, roll, text_number, upto

_OVERAGE = b"overage"


def overage_items(seed: int, load: str, numbers: list[int]) -> list[dict[str, Any]]:
    """The items over on a load that carries the orders `numbers`; every second load or so has some."""
    key = text_number(load)
    thrown = roll(seed, _OVERAGE, key)
    if not numbers or chance(45, thrown[0]):
        return []
    return [_item(thrown[4 * index + 1 : 4 * index + 5], key, numbers) for index in range(1 + upto(4, thrown[31]))]


def _item(values: tuple[int, ...], key: int, numbers: list[int]) -> dict[str, Any]:
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
