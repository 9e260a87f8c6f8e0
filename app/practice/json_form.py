"""JSON that callers send, held to what the standard says JSON is."""

import json
from typing import Any

from app.practice.operation_answers import bad_request


def read_json(body: bytes | str) -> Any:
    """JSON as the standard has it: no NaN, no lone surrogates. Raises Refusal."""
    try:
        value = json.loads(body, parse_constant=_no_constant)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise bad_request("", f"The body is not JSON that can be read: {type(error).__name__}.") from error
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
