"""Hand-written samples of the contract, and small tools to change one value in them.

The samples are JSON and XML written from services.md, never made from the models they test. A path is written as in
an issue: `freightDetails[0].count`.
"""

import copy
import json
import re
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings

# How fast a busy machine is has no bearing on what the contract says.
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
DATA = Path(__file__).resolve().parents[1] / "unit" / "contract" / "data"


def sample(name: str) -> Any:
    """A decoded JSON sample."""
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def sample_bytes(name: str) -> bytes:
    """The sample in the file of this name."""
    return (DATA / name).read_bytes()


def steps(path: str) -> list[str | int]:
    """`a[0].b` as `["a", 0, "b"]`."""
    return [int(each) if each.isdigit() else each for each in re.findall(r"[^.\[\]]+", path)]


def changed(body: Any, path: str, value: object) -> Any:
    """A copy of `body` with another value at `path`; the place may be new."""
    new = copy.deepcopy(body)
    *way, last = steps(path)
    place = new
    for step in way:
        place = place[step]
    place[last] = value
    return new


def without(body: Any, path: str) -> Any:
    """A copy of `body` without the value at `path`."""
    new = copy.deepcopy(body)
    *way, last = steps(path)
    place = new
    for step in way:
        place = place[step]
    del place[last]
    return new


def value_at(body: Any, path: str) -> Any:
    """The value at `path`."""
    for step in steps(path):
        body = body[step]
    return body
