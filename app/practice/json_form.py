"""Reads the JSON that callers send, strictly by the standard."""

import json
from typing import Any

from app.practice.operation_answers import bad_request


def read_json(body: bytes | str) -> Any:
    """The value of a JSON text. Raises Refusal for NaN, for lone surrogates and for text that is no JSON."""
    try:
        value = json.loads(body, parse_constant=_no_constant)
        # A lone surrogate parses, and fails only when the record is stored or sent: encode it here to refuse it now.
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise bad_request("", f"The body is not JSON that can be read: {type(error).__name__}.") from error
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
