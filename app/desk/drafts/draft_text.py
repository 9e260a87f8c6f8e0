"""A draft as the JSON text in which it is kept, written out so that the window stays free meanwhile.

A large draft takes longer than a frame, and the interpreter lets other threads in only between its steps: so it is
written in small parts, with the way free for others in between. Call it on a thread of the store, not the window's.
"""

import json
import time
from collections.abc import Iterator
from typing import Any

from app.contract.draft import OrderDraft

_ROWS = 200  # written out at once: well under a millisecond


def draft_text(draft: OrderDraft) -> str:
    """The JSON of `draft.to_dict()`. Nobody may write into the draft until it is done."""
    return "".join(_parts(draft.to_dict()))


def typed_of(draft: Any) -> Any:
    """What was typed into `draft.to_dict()`, without all that was left empty."""
    if isinstance(draft, dict):
        found = {name: typed_of(each) for name, each in draft.items()}
        return {name: each for name, each in found.items() if each not in ("", [], {}, None)}
    if isinstance(draft, list):
        return [each for each in map(typed_of, draft) if each not in ("", {}, None)]
    return draft


def _parts(value: Any) -> Iterator[str]:
    match value:
        case dict():
            opening = "{"
            for name, each in value.items():
                yield f"{opening}{_json(name)}: "
                yield from _parts(each)
                opening = ", "
            yield "}" if value else "{}"
        case list() if len(value) > _ROWS:
            for start in range(0, len(value), _ROWS):
                time.sleep(0)  # lets the window's thread go on
                yield ("[" if not start else ", ") + _json(value[start : start + _ROWS])[1:-1]
            yield "]"
        case _:
            yield _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
