"""The directions of the house, checked where the import contracts cannot see: in what a fresh process really loads.

`lint-imports` (in pyproject.toml) reads the source. These tests import, so they also see what a third party pulls in.
"""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

QT = {"PySide6", "shiboken6", "qasync"}
HTTP = {"httpx2", "httpcore2"}
DATA = {"apsw", "keyring"}
SERVER = {"aiohttp", "PIL"}

ROOMS = {
    "api",
    "assembly",
    "background",
    "bootstrap",
    "contract",
    "desk",
    "imaging",
    "practice",
    "runtime",
    "start_ends",
    "store",
    "ui",
}
HEADLESS: dict[str, set[str]] = {
    "app.contract": QT | HTTP | DATA | SERVER,
    "app.api": QT | DATA | SERVER,
    "app.store": QT | HTTP | SERVER,
    "app.desk": QT | SERVER | {"pypdfium2"},
    "app.imaging": QT | HTTP | DATA | {"aiohttp"},
    "app.practice": QT | HTTP | {"keyring"},
}
# Modules of their own beside the rooms, which every room may use.
NO_ROOMS = {"translation", "version", "own_processes", "windows_jobs", "resource_folder"}
REACH: dict[str, set[str]] = {
    "app.contract": set(),
    "app.api": {"contract"},
    "app.store": {"contract"},
    "app.desk": {"contract", "api", "store", "imaging"},
    "app.imaging": set(),
    "app.practice": {"contract"},
    "app.background": {"contract", "api", "store", "imaging", "desk", "runtime"},
    "app.runtime": set(),
}

LOADS_ALL = """
import importlib, json, pkgutil, sys
room = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(room.__path__, room.__name__ + "."):
    importlib.import_module(module.name)
print(json.dumps(sorted(sys.modules)))
"""
LOADS_THESE = """
import importlib, json, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
print(json.dumps(sorted(sys.modules)))
"""

FIRST_PAINT = (
    "app.contract.codes",
    "app.contract.draft",
    "app.contract.moments",
    "app.contract.operations",
    "app.store.paths",
    "app.store.sqlite.database",
    "app.store.journal.write_store",
    "app.store.cache.order_store",
    "app.ui.base.main_window",
    "app.ui.shell.shell",
    "app.assembly",
    "app.bootstrap",
)
NOT_BEFORE_PAINT = {"pydantic", *HTTP, "keyring", "zxingcpp", "pypdfium2", "pyroaring", "msgspec", *SERVER}
# Of our own: the client and what uses it, the sets of orders, and what only a question or another page needs.
OURS_NOT_BEFORE_PAINT = {
    *(
        "app.api",
        "app.desk.sync.order_sync",
        "app.desk.sending.outbox",
        "app.desk.known.known_data",
        "app.desk.printing",
        "app.desk.export",
    ),
    *(
        "app.store.cache.audits.audit_store",
        "app.store.cache.index.key_sets",
        "app.store.cache.index.ordered_walk",
        "app.store.cache.fetched_windows",
    ),
    *("app.store.secrets", "app.runtime.practice_child"),
    *(
        "app.ui.audits",
        "app.ui.entry",
        "app.ui.outbox.outbox_page",
        "app.ui.settings",
        "app.ui.base.gallery",
        "app.ui.printing",
    ),
    *(
        "app.ui.orders.detail.order_detail",
        "app.ui.orders.export.order_export",
        "app.ui.orders.actions.cancel_many",
        "app.ui.widgets.confirm",
    ),
}


@cache
def loaded(root: Path, script: str, *names: str) -> frozenset[str]:
    """The modules a fresh process has loaded after importing `names`; two tests ask about each room."""
    command = [sys.executable, "-c", script, *names]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return frozenset(json.loads(done.stdout))


def tops(modules: frozenset[str]) -> set[str]:
    return {name.split(".")[0] for name in modules}


def rooms_of(modules: frozenset[str]) -> set[str]:
    return {name.split(".")[1] for name in modules if name.startswith("app.")} - NO_ROOMS


@pytest.mark.parametrize("room", HEADLESS)
def test_a_headless_room_loads_nothing_it_must_not_use(root: Path, room: str) -> None:
    assert tops(loaded(root, LOADS_ALL, room)) & HEADLESS[room] == set()


@pytest.mark.parametrize("room", REACH)
def test_a_room_loads_only_the_rooms_below_it(root: Path, room: str) -> None:
    assert rooms_of(loaded(root, LOADS_ALL, room)) <= REACH[room] | {room.removeprefix("app.")}


def test_the_first_paint_loads_no_library_that_only_later_work_needs(root: Path) -> None:
    modules = loaded(root, LOADS_THESE, *FIRST_PAINT)
    assert tops(modules) & NOT_BEFORE_PAINT == set()
    assert "PySide6.QtPrintSupport" not in modules
    assert modules & OURS_NOT_BEFORE_PAINT == set()
    assert "imaging" not in rooms_of(modules)


def test_printing_loads_nothing_that_asks_a_spooler(root: Path) -> None:
    """Qt waits for it with Python's lock held, so only the process of its own may ask."""
    modules = loaded(
        root,
        LOADS_THESE,
        "app.ui.printing.print_panel",
        "app.ui.printing.printers.devices",
        "app.ui.printing.painting.photo_pages",
    )
    assert "PySide6.QtPrintSupport" not in modules


def test_asking_for_pictures_loads_no_decoder(root: Path) -> None:
    assert tops(loaded(root, LOADS_THESE, "app.imaging.imaging")) & {"PIL", "pypdfium2"} == set()


def test_the_probe_sees_what_is_loaded(root: Path) -> None:
    """The tests above prove something only if a library that is loaded is seen."""
    assert {"pydantic", "app"} <= tops(loaded(root, LOADS_ALL, "app.contract"))


def test_every_room_is_known_here(root: Path) -> None:
    """A new room must be given its place in the contracts and in these tables."""
    found = {path.name for path in (root / "app").iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert found <= ROOMS
