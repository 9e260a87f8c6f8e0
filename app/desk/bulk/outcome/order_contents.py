"""Whether two payloads say the same of an order, in whatever order their lists are.

Invariant: a file whose rows stand in another order is the same file.
"""

import json
from typing import Any

from app.desk.sending.payload_differences import Difference, between


def same(first: bytes, second: bytes) -> bool:
    """Whether two payloads have the same contents."""
    return first == second or _sorted(json.loads(first)) == _sorted(json.loads(second))


def differences(before: bytes, after: bytes) -> list[Difference]:
    """What differs, with the lists of `after` in the order that they have in `before`, as far as they have one."""
    return between(before, _encoded(_aligned(json.loads(before), json.loads(after))))


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _sorted(part) for name, part in value.items()}
    return sorted(map(_encoded, value)) if isinstance(value, list) else value


def _aligned(before: Any, after: Any) -> Any:
    if isinstance(before, dict) and isinstance(after, dict):
        return {name: _aligned(before.get(name), part) for name, part in after.items()}
    if isinstance(before, list) and isinstance(after, list):
        return _in_order_of(before, after)
    return after


def _in_order_of(before: list[Any], after: list[Any]) -> list[Any]:
    """Equal rows first at their old places, then rows of the same key, then the others."""
    left, found = list(after), list[Any]([None] * len(before))
    for known_by in (_whole, _key):
        for place, old in enumerate(before):
            match = next((new for new in left if found[place] is None and known_by(old) == known_by(new)), None)
            if match is not None:
                found[place] = match
                left.remove(match)
    return [left.pop(0) if each is None and left else each for each in found if each is not None or left] + left


def _whole(row: Any) -> Any:
    return row


def _key(row: Any) -> Any:
    return (row.get("barcode") or row.get("commodity") or row.get("type")) if isinstance(row, dict) else row


def _encoded(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True).encode()
