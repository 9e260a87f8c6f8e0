"""Tries the Windows program under Wine: `dev.py test --windows`. Takes some twenty minutes.

What Wine cannot tell: UI Automation for screen readers, SmartScreen and virus scanners, real printers, changes of
density between monitors, Windows Terminal as the default console. Those need a person with Windows.
"""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from devtools import debian, places
from devtools.errors import CannotGoOn
from releasing import packages, program, windows_packages, wine
from releasing.wine import Wine

from trials.screen import NEEDS as HANDS
from trials.screen import TITLE, NotShown, accepted, journal_says, screen, until

UNIT = ("tests/unit/store", "tests/unit/api", "tests/unit/desk", "tests/unit/practice", "tests/unit/imaging")
_UNIT_S, _SELFTEST_S, _SETUP_S, _WINDOW_S = 1_800, 180, 300, 180
PICTURES = places.BUILD / "trial"


class Failed(Exception):
    """What was to be shown did not show; the text says what."""


def run(names: list[str]) -> int:
    """Run the named trials, or all; 1 if one failed."""
    unknown = [name for name in names if name not in TRIALS]
    if unknown:
        raise CannotGoOn(f"There is no trial {', '.join(unknown)}; there are {', '.join(TRIALS)}.")
    debian.ensure((*HANDS, windows_packages.NSIS))
    failed = []
    for name in names or TRIALS:
        print(f"\n== {name}", flush=True)
        started = time.monotonic()
        try:
            TRIALS[name]()
            ended = "passed"
        except (Failed, NotShown) as why:
            ended = f"FAILED: {why}"
            failed.append(name)
        print(f"== {name}: {ended} in {time.monotonic() - started:.0f} s", flush=True)
    print(f"\nFailed: {', '.join(failed)}" if failed else "\nAll passed.")
    return 1 if failed else 0


def _expect(true: bool, what: str) -> None:
    if not true:
        raise Failed(what)
    print(f"   {what}", flush=True)


def selftest() -> None:
    """The packed program checks what it stands on."""
    windows = wine.ensure(program.PINS)
    made = windows_packages.packed(packages.icons())
    with screen() as shown:
        more = {"DISPLAY": shown.environment["DISPLAY"]}
        command: list[str | Path] = [made.folder / "waybill-cli.exe", "--selftest"]
        ran = windows.run(command, places.log_file("windows-selftest"), _SELFTEST_S, more)
    print(ran.stdout.decode("utf-8", "replace"))
    _expect(ran.returncode == 0, "the self-test passes")


def units() -> None:
    """The tests of what has no window, by Windows' own Python."""
    windows = wine.ensure(places.DEV_PINS)
    log = places.log_file("windows-units")
    command: list[str | Path] = [windows.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *UNIT]
    ran = windows.run(command, log, _UNIT_S, {"PYTHONUTF8": "1"})
    print("\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-25:]))
    _expect(ran.returncode == 0, "the unit tests pass")


def flows() -> None:
    """Installed, started, an order by keys, killed, started again, installed over itself while it runs, removed."""
    windows = wine.ensure(program.PINS)
    (setup,) = windows_packages.setup(packages.icons())
    log = places.log_file("windows-flows")
    home = windows.prefix / "drive_c" / "users" / _user(windows) / "AppData" / "Local"
    installed, data = home / "Programs" / "Waybill", home / "Waybill"
    with screen() as shown:
        more = {"DISPLAY": shown.environment["DISPLAY"]}

        def install(*words: str) -> int:
            return windows.run([setup, "/S", *words], log, _SETUP_S, more).returncode

        _expect(install() == 0, "installed silently")
        _expect((installed / "program" / "waybill.exe").exists(), "the program is in its place")
        _expect(any((windows.prefix / "drive_c").rglob("Waybill.lnk")), "it is in the start menu")
        with _started(windows, installed / "program" / "waybill.exe", more) as running:
            window = shown.window(_WINDOW_S)
            time.sleep(10)
            shown.picture(PICTURES / "windows-started.png")
            shown.enter_order(window, "TRIAL-1")
            shown.picture(PICTURES / "windows-typed.png")
            shown.keys(window, "ctrl+Return")
            until(lambda: accepted(data, "TRIAL-1"), 90, "the order at the provider")
            _expect(True, "an order entered by keys was taken by practice")
            shown.keys(window, "ctrl+n")
            time.sleep(2)
            shown.type(window, "TRIAL-DRAFT")
            until(lambda: journal_says(data, "TRIAL-DRAFT"), 30, "the draft on the disk")
            _expect(install() == 3, "while it runs it is not replaced")
            _expect((installed / "program" / "waybill.exe").exists(), "and stays in its place")
            running.kill()
            windows.stop()
        _expect(install() == 0, "installed over itself")
        with _started(windows, installed / "program" / "waybill.exe", more):
            window = shown.window(_WINDOW_S)
            time.sleep(10)
            shown.picture(PICTURES / "windows-again.png")
            _expect(accepted(data, "TRIAL-1") and journal_says(data, "TRIAL-DRAFT"), "order and draft are there again")
            shown.keys(window, "ctrl+q")
            until(lambda: not shown.do("search", "--onlyvisible", "--name", TITLE), 60, "the end")
        windows.stop()
        gone = windows.run([installed / "uninstall.exe", "/S", f"_?={_inside(installed)}"], log, _SETUP_S, more)
        _expect(gone.returncode == 0, "removed silently")
        _expect(not (installed / "program").exists(), "the program is gone")
        _expect(not any((windows.prefix / "drive_c").rglob("Waybill.lnk")), "and its entry in the start menu")
        _expect((data / "journal.sqlite3").exists(), "the data is there")


def _inside(path: Path) -> str:
    return wine.path_in(path)


def _user(windows: Wine) -> str:
    users = windows.prefix / "drive_c" / "users"
    (found,) = (each.name for each in users.iterdir() if each.name != "Public")
    return found


@contextmanager
def _started(windows: Wine, program_file: Path, more: dict[str, str]) -> Iterator["subprocess.Popen[bytes]"]:
    log = places.log_file("windows-program")
    with log.open("wb") as words:
        process = subprocess.Popen(
            ["timeout", "-k", "2", "600", "wine", str(program_file)],
            env=windows.surroundings(more),
            stdin=subprocess.DEVNULL,
            stdout=words,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


TRIALS: dict[str, Callable[[], None]] = {"selftest": selftest, "flows": flows, "units": units}
