"""F15: six situations of the keyring while a connection is entered and used: no secret on the disk, a live window.

Each is a window of its own with a real Secret Service on a private D-Bus session, or without one. The connection goes
through a proxy with a login, so there are two secrets. Whatever the keyring does, the connection works for this run,
and the settings say where the secrets are. In a seventh situation the keyring is in order: it has the secrets, and a
second window reads them back.
"""

import json
import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.faults.harness import Fault, Report
from tests.faults.keyring_child import CLIENT, PROXY_PASSWORD, SECRET
from tests.support import plaintext_keyring
from tests.support.children import child
from tests.support.keyring_session import KeyringSession

ROOT = Path(__file__).resolve().parents[2]
SITUATIONS = ("locked", "denied", "absent", "plaintext", "null", "slow")
IN_ORDER = "in order"
# What the settings say, by situation.
SAID = {
    "locked": "The keyring is locked.",
    "denied": "Look at it in its own program.",
    "absent": "This computer offers no keyring",
    "plaintext": "This computer offers no keyring",
    "null": "This computer offers no keyring",
    "slow": "The keyring did not answer within",
}
_SLOW_S, _SLOW_LIMIT_S = 3.0, 1.0  # for the small size: how long it is silent, and what Waybill waits for it
_FULL_S, _FULL_LIMIT_S = 60.0, 20.0  # the second is the program's own
_STANDS_STILL_S = 0.75  # the window, at most; a busy machine alone takes some tenths
_PATIENCE_S = 300.0


def run(size: int, seed: int) -> Report:
    """`size` situations, in turn; from twice around on a slow keyring is silent for a minute."""
    report = Report()
    full = size >= 2 * len(SITUATIONS)
    gaps = []
    for number in range(size):
        situation = SITUATIONS[(seed + number) % len(SITUATIONS)]
        gaps.append(_situation(situation, report, full=full))
    _situation(IN_ORDER, report, full=False)
    report.note = f"the window stood still for {max(gaps):.2f} s at most"
    return report


def _situation(name: str, report: Report, *, full: bool) -> float:
    with tempfile.TemporaryDirectory(prefix="f15-") as made:
        folder = Path(made)
        with _session(folder, name) as session:
            # A short wait is for the silence alone: a keyring in order may need more than a second on a busy machine.
            short = name == "slow" and not full
            silent, limit = (_SLOW_S, _SLOW_LIMIT_S) if short else (_FULL_S, _FULL_LIMIT_S)
            told = _child(folder, session, name, silent, limit)
            again = _child(folder, session, "again", silent, limit) if name == IN_ORDER else {}
        report.tried += 1
        return _judge(report, name, told, again, folder)


@contextmanager
def _session(folder: Path, name: str) -> Iterator[KeyringSession]:
    session = KeyringSession(folder / "session", denied=name == "denied")
    try:
        if name in ("denied", "slow", IN_ORDER):
            session.start_keyring()
        elif name == "locked":
            session.start_keyring()
            session.stop_keyring()
            session.start_keyring(unlocked=False)
        elif name == "plaintext":
            session.environment["PYTHON_KEYRING_BACKEND"] = plaintext_keyring.NAME
            session.environment[plaintext_keyring.FILE] = str(folder / "plaintext")
        elif name == "null":
            session.environment["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
        yield session
    finally:
        session.stop()


def _child(folder: Path, session: KeyringSession, name: str, silent: float, limit: float) -> dict[str, Any]:
    """The report of a window that ran in this situation."""
    (folder / "tmp").mkdir(exist_ok=True)
    environment = {**session.environment, "QT_QPA_PLATFORM": "offscreen", "TMPDIR": str(folder / "tmp")}
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    thaw = threading.Timer(silent, session.thaw_keyring)
    if name == "slow":
        session.freeze_keyring()
    with child("tests.faults.keyring_child", [str(folder), name, str(limit)], environment, window=True) as window:
        try:
            began = window.stdout.readline()  # the window is open and the person begins
            if name == "slow":
                thaw.start()
            status, printed, complaints = window.end(_PATIENCE_S)
        finally:
            thaw.cancel()
            if name == "slow":
                session.thaw_keyring()
    told = began + printed
    (folder / f"{name}.out").write_text(told + complaints, encoding="utf-8")
    lines = told.splitlines()
    return json.loads(lines[-1]) if lines and status == 0 else {"failed": complaints[-1_500:]}


def _judge(report: Report, name: str, told: dict[str, Any], again: dict[str, Any], folder: Path) -> float:
    if not report.check("failed" not in told, f"{name}: the window ended: {told.get('failed')}"):
        return 0.0
    report.check(told["connected"], f"{name}: the connection does not work: {told['trouble']}")
    place = "keyring" if name == IN_ORDER else "memory"
    report.check(told["place"] == place, f"{name}: the secrets are said to be in the {told['place']}")
    report.check(SAID.get(name, "") in told["said"], f"{name}: the settings say {told['said']!r}")
    report.check(told["gap"] < _STANDS_STILL_S, f"{name}: the window stood still for {told['gap']:.2f} s")
    report.check(told["typed"] > 0, f"{name}: nothing could be typed meanwhile")
    if name == "slow":
        report.check(told["after"] == "keyring", "slow: once it answers again, it is not used")
    if name == IN_ORDER:
        report.check(bool(again.get("connected")), f"the second window did not find the secrets: {again}")
    report.check(bool(files_with(folder, CLIENT)), f"{name}: the search finds nothing where there is something")
    for secret in (SECRET, PROXY_PASSWORD):
        report.found += [f"{name}: {secret} is in {file}" for file in files_with(folder, secret)]
    return float(told["gap"])


def files_with(folder: Path, word: str) -> list[str]:
    """The files below a folder that hold a word, however text is written down."""
    plain = word.encode()
    traces = (
        plain,
        word.encode("utf-16-le"),
        plain.hex().encode(),
        plain.replace(b" ", b"+"),
        plain.replace(b" ", b"%20"),
    )
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and any(trace in path.read_bytes() for trace in traces)
    ]


FAULT = Fault("F15", "six keyring situations: no secret on the disk, and the window stays live", run, 6, 12)
