"""Notices on a real notification daemon (dunst): chosen, caused, seen, clicked; quiet hours; no name without leave.

The daemon runs on the test's own display and D-Bus session. What it shows it also hands to a script, which keeps it.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.an_order import enter_order
from tests.e2e.settings_steps import enter_connection, save
from tests.support.practice_process import PracticeFactory
from tests.support.window import Window, WindowFactory
from tests.support.window_process import Desktop, until

_QUIET = "Quiet hours: what happens then is told once at their end, if it is still so"
_CONFIGURATION = """
[global]
    mouse_left_click = do_action, close_current
    timeout = 0
    width = 360
    origin = top-right
    offset = 20x20
[keep]
    appname = "*"
    script = {script}
"""
# dunst calls it with: program, heading, body, icon, urgency.
_SCRIPT = """#!{python}
import json, sys
with open({shown!r}, "a", encoding="utf-8") as file:
    file.write(json.dumps(sys.argv[1:4]) + "\\n")
"""
_OTHER_PROGRAM = """
from PySide6.QtWidgets import QApplication, QWidget
application = QApplication([])
window = QWidget()
window.setWindowTitle("Another program")
window.show()
application.exec()
"""


class Daemon:
    """A running dunst, and what it has shown."""

    def __init__(self, desktop: Desktop, shown: Path) -> None:
        self.desktop, self._shown = desktop, shown

    @property
    def shown(self) -> list[list[str]]:
        """Program, heading and body of each notice, in order."""
        return [json.loads(line) for line in self._shown.read_text(encoding="utf-8").splitlines()]

    def on_screen(self) -> int:
        """How many notices are on the screen now."""
        words = ["dunstctl", "count", "displayed"]
        ran = subprocess.run(words, env=self.desktop.environment, capture_output=True, text=True, check=True)
        return int(ran.stdout)

    def click(self) -> None:
        """Click on the notice with the mouse."""
        found = self.desktop.do("search", "--onlyvisible", "--class", "Dunst").split()
        assert len(found) == 1
        self.desktop.do("mousemove", "--window", found[0], "60", "20", "click", "1")


@contextmanager
def started(desktop: Desktop, *command: str) -> Iterator[None]:
    process = subprocess.Popen(command, env=desktop.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        status = process.poll()
        process.terminate()
        process.wait()
    assert status is None, f"{command[0]} ended by itself, with status {status}"


@pytest.fixture
def daemon(desktop: Desktop, tmp_path: Path) -> Iterator[Daemon]:
    missing = [each for each in ("dunst", "dunstctl") if shutil.which(each) is None]
    assert not missing, "The tests of notices need the Debian package dunst; `packaging/dev.py test` installs it."
    shown, script, configuration = (tmp_path / name for name in ("shown.jsonl", "keep.py", "dunstrc"))
    shown.touch()
    script.write_text(_SCRIPT.format(python=sys.executable, shown=str(shown)), encoding="utf-8")
    script.chmod(0o755)
    configuration.write_text(_CONFIGURATION.format(script=script), encoding="utf-8")
    with started(desktop, "dunst", "-conf", str(configuration)):
        yield Daemon(desktop, shown)


@contextmanager
def another_program(window: Window) -> Iterator[None]:
    """The person works in another window."""
    with started(window.desktop, sys.executable, "-c", _OTHER_PROGRAM):
        name = ("search", "--onlyvisible", "--name", "^Another program$")
        found = window.wait_for(lambda: window.desktop.do(*name).split(), "the other window")
        window.desktop.do("windowfocus", "--sync", found[0])
        yield


def prepare_refused(window: Window, reference: str) -> None:
    """Fill the form with an order whose facility the provider does not know."""
    window.go("New order")
    enter_order(window, reference)
    window.find("Facility code", "text").type("NOWH99")
    window.wait_for_words("Ready to submit")


def wait_until_refused(window: Window, count: int) -> None:
    window.wait_for(lambda: window.seek(f"Outbox, {count}", "radio button"), f"{count} refused", patience=90)


def test_a_refusal_is_noticed_clicked_and_opened_and_quiet_hours_are_kept(
    daemon: Daemon, open_window: WindowFactory, practice_factory: PracticeFactory, tmp_path: Path
) -> None:
    provider = practice_factory("--switch", "import-queue=1,strict-codes")
    window = open_window()
    enter_connection(window, provider.facts)
    save(window)
    window.wait_for_words(r"^dunst 1\.\d+\S* shows them\.")
    refused = "An order or cancellation was refused"
    assert "checked" in window.find(refused, "check box").states()

    prepare_refused(window, "NOTICE-1")
    with another_program(window):
        window.find("Submit order", "push button").press()
        wait_until_refused(window, 1)
        window.wait_for(lambda: daemon.shown, "the notice on the daemon")
        window.desktop.picture(tmp_path / "notice.png")
        assert daemon.shown == [["Waybill", "An order was refused", "Click to see it."]], "no reference unasked"
        assert daemon.on_screen() == 1
        daemon.click()
        window.wait_for(lambda: not daemon.on_screen(), "the notice to go with the click")
    window.wait_for_words("NOTICE-1")
    window.find("Outbox", "table")
    window.desktop.picture(tmp_path / "opened.png")

    window.go("Settings")
    window.find("Name orders by their reference and audits by their number", "check box").press()
    window.find(_QUIET, "check box").press()
    for name in ("From", "Until"):  # two equal times are the whole day
        window.wait_for(lambda: "enabled" in window.find(name, "combo box").states(), name)  # noqa: B023
    window.find(_QUIET, "check box").focus()
    window.keys("Tab", "Tab")
    window.keys_for("18:00")
    window.wait_for(lambda: window.find("Until", "combo box").text == "18:00", "the whole day")
    prepare_refused(window, "NOTICE-2")
    with another_program(window):
        window.find("Submit order", "push button").press()
        wait_until_refused(window, 2)
        window.go("Settings")
        # By the time that quiet hours end, what happened in them has been found; nothing was shown.
        assert len(daemon.shown) == 1
        window.find(_QUIET, "check box").press()
        window.wait_for(lambda: len(daemon.shown) > 1, "the notice after the quiet hours")
    assert daemon.shown[1:] == [["Waybill", "An order was refused", "NOTICE-2"]]
    window.close()
    assert until(lambda: not daemon.on_screen()), "nobody is there to open what it is about"
