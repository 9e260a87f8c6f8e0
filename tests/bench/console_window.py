"""A real window with the console; asks for the form of an operation, and for a description of 200 operations.

Started by `s15_console` as a process of its own. Each is timed from the moment it is asked for until it was painted.
Prints one JSON line and ends.
"""

import asyncio
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from app.desk.console.console_operations import operations
from app.desk.console.description.read_description import read_description
from app.practice.web.description import description
from app.ui.console.console_page import ConsolePage
from tests.bench.bench_window import Opened, in_a_window

MANY = 200
SUBMIT, STATUS = "management POST /Order/submit", "management GET /Order/status"
_TURNS = 15


def large_description() -> bytes:
    """The practice service's description, with its operations repeated until there are 200."""
    whole: dict[str, Any] = json.loads(description("management", "https://login.example"))
    paths = list(whole["paths"].items())
    count = sum(len(methods) for _, methods in paths)
    number = 0
    while count < MANY:
        path, methods = paths[number % len(paths)]
        copy = json.loads(json.dumps(methods))
        for each in copy.values():
            each["operationId"] = f"{each['operationId']}_{number}"
            each["tags"] = [f"{each['tags'][0]}{number // len(paths)}"]
        whole["paths"][f"{path}/{number}"] = copy
        count, number = count + len(copy), number + 1
    return json.dumps(whole).encode()


async def _painted(page: ConsolePage) -> None:
    """Return once all that was asked for is painted."""
    page.update()
    await asyncio.sleep(0)
    page.window().repaint()


async def work(opened: Opened) -> None:
    opened.shell.go("console")
    page = opened.shell.page("console")
    assert isinstance(page, ConsolePage)
    await asyncio.sleep(1)
    forms, lists = [], []
    text = large_description()
    few = operations(read_description(description("management", "https://login.example").encode()))
    for _ in range(_TURNS):
        page.show_operations(few)
        page.open_operation(STATUS)
        await _painted(page)
        await asyncio.sleep(0.2)
        began = time.perf_counter()
        page.open_operation(SUBMIT)
        await _painted(page)
        forms.append((time.perf_counter() - began) * 1000)
        await asyncio.sleep(0.2)
        began = time.perf_counter()
        many = operations(read_description(text))
        page.show_operations(many)
        await _painted(page)
        lists.append((time.perf_counter() - began) * 1000)
        assert len(many) >= MANY
        await asyncio.sleep(0.2)
    found = {"form_ms": statistics.median(forms), "list_ms": statistics.median(lists), "form_max_ms": max(forms)}
    print(json.dumps({name: round(value, 2) for name, value in found.items()}), flush=True)


if __name__ == "__main__":
    sys.exit(in_a_window(Path(sys.argv[1]), None, work))
