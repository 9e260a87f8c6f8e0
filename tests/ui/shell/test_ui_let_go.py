"""A window that was closed is let go with all its pages.

A signal holds any slot but a bound method for good, and one such slot keeps the whole window: 10 MB and 9,000 objects.
"""

import gc
import shutil
import weakref
from pathlib import Path

import pytest
from PySide6.QtCore import QObject

from app.store.secrets import SecretStore
from app.ui.base.page import PageServices
from app.ui.base.rail import ENTRIES
from app.ui.theme.theme import Theme
from tests.support.loop import RunningLoop
from tests.ui.shell.test_ui_shell import world
from tests.ui.shell_help import Program, open_program

__all__ = ["world"]  # a fixture


def watched(program: Program) -> dict[str, weakref.ref[QObject]]:
    """Show every page of the window, and close it; weak references to what has to go with it."""
    loop, shell = program.loop, program.shell
    loop.run(shell.begin_work(program.secrets, program.practice))
    loop.until(lambda: program.window.link_label.text().startswith("✓ Connected"))
    for entry in ENTRIES:
        program.window.page_asked.emit(entry.name)
        loop.until(lambda: not any(page.tasks.busy for page in shell.pages()), entry.name)
    found: dict[str, QObject | None] = {entry.name: shell.page(entry.name) for entry in ENTRIES}
    found |= {"noticing": shell.noticing, "shell": shell}
    program.close()
    return {name: weakref.ref(each) for name, each in found.items() if each is not None}


def test_a_window_that_showed_every_page_is_let_go(
    loop: RunningLoop,
    theme: Theme,
    services: PageServices,
    tmp_path: Path,
    world: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    shutil.copytree(world, tmp_path / "data" / "practice")
    left = watched(open_program(loop, theme, services, tmp_path / "data", SecretStore(seconds=5)))
    gc.unfreeze()  # what the files before left may hold on to the window, and be garbage by now (tests/support/quiet)
    gc.collect()
    assert len(left) == len(ENTRIES) + 2
    assert [name for name, each in left.items() if each() is not None] == []
