"""What runs with each start is loaded by the thread that preloads, not on the window's own thread at its first use."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

# They work soon after each start, whatever the program is used for.
SERVICES = (
    "background/connector.py",
    "background/learner.py",
    "background/order_refresher.py",
    "background/sender.py",
    "background/settler.py",
    "ui/shell/today_count.py",
)
_PRELOAD = """
import json, sys
from app.ui.base.deferred_imports import preload
preload()
print(json.dumps(sorted(sys.modules)))
"""


def imported_in_functions(source: str, root: Path) -> set[str]:
    """The modules of the program that the functions of a file import."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    functions = [each for each in ast.walk(ast.parse(source)) if isinstance(each, kinds)]
    imports = {each for function in functions for each in ast.walk(function) if isinstance(each, ast.ImportFrom)}
    found = set()
    for each in imports:
        module = each.module or ""
        modules = [f"{module}.{name.name}" for name in each.names]
        found |= {name for name in modules if (root / f"{name.replace('.', '/')}.py").exists()} or {module}
    return {name for name in found if name.startswith("app.")}


@pytest.fixture(scope="module")
def preloaded(root: Path) -> set[str]:
    done = subprocess.run([sys.executable, "-c", _PRELOAD], cwd=root, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


@pytest.mark.parametrize("service", SERVICES)
def test_what_works_with_each_start_is_preloaded(root: Path, preloaded: set[str], service: str) -> None:
    wanted = imported_in_functions((root / "app" / service).read_text(encoding="utf-8"), root)
    assert wanted, f"{service} defers no import: it need not stand in this list"
    assert wanted - preloaded == set()


def test_the_orders_page_finds_its_forecast_preloaded(preloaded: set[str]) -> None:
    assert "app.desk.forecast.foretold" in preloaded


_REQUEST = """
import asyncio, json, sys
from app.api.addresses import Addresses, Credentials
from app.api.errors import ApiError
from app.api.provider import open_provider
from app.ui.base.deferred_imports import preload
preload()
before = set(sys.modules)

async def ask():
    async with open_provider(Addresses(*["http://127.0.0.1:9"] * 3), Credentials("client", "secret")) as provider:
        try:
            await asyncio.wait_for(provider.management.order_status(reference="R-1"), 5)
        except (ApiError, TimeoutError):
            pass

asyncio.run(ask())
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def test_the_first_request_loads_nothing_of_the_http_client(root: Path) -> None:
    """Nothing listens on the discard port: the request fails after the client has done all it does to connect."""
    done = subprocess.run([sys.executable, "-c", _REQUEST], cwd=root, capture_output=True, text=True, check=True)
    loaded = [name for name in json.loads(done.stdout) if name.partition(".")[0] in ("anyio", "httpx2", "httpcore2")]
    assert loaded == []


def test_a_start_without_an_import_reads_no_code_of_imports(preloaded: set[str]) -> None:
    """Only once an import runs does `import_feeder` load it."""
    assert not {name for name in preloaded if name.startswith("app.desk.bulk.")}
