"""Printing through Qt in a process of its own: the process hangs, ends or refuses, and the window goes on."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from app.desk.files.stoppable_work import Progress, Stopped
from app.ui.printing import printing_words
from app.ui.printing.painting.page_output import PrintTrouble
from app.ui.printing.painting.page_painter import TypeRuler
from app.ui.printing.printers import qt_printing
from tests.support.window_process import until
from tests.ui.printing.test_ui_spooler import two_labels

pytestmark = pytest.mark.usefixtures("qapp")
HANGS = "threading.Event().wait()"


class Child:
    """What is started in place of the real process: a script of the test's own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pid_file = folder / "pid"
        self._monkeypatch = monkeypatch

    def does(self, body: str) -> None:
        script = f"import os, sys, threading\nopen({str(self.pid_file)!r}, 'w').write(str(os.getpid()))\n{body}"
        self._monkeypatch.setattr(qt_printing, "printing_command", lambda: [sys.executable, "-c", script])
        if HANGS in body:  # the others answer, however busy the machine is
            for patience in ("NAMES_PATIENCE_S", "PAGE_PATIENCE_S"):
                self._monkeypatch.setattr(qt_printing, patience, 2.0)

    def gone(self) -> bool:
        try:
            os.kill(int(self.pid_file.read_text()), 0)
        except ProcessLookupError:
            return True
        return False


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Child:
    return Child(tmp_path, monkeypatch)


def ask_for_names() -> tuple[threading.Thread, list[str]]:
    """A thread that asks for the names of the printers, and the sentence it meets in place of them.

    A daemon: if the bound of the wait is broken, the test fails and the run can still end.
    """
    found: list[str] = []

    def ask() -> None:
        try:
            qt_printing.names(Progress())
        except PrintTrouble as trouble:
            found.append(trouble.sentence)

    asked = threading.Thread(target=ask, daemon=True)
    asked.start()
    return asked, found


def test_the_real_one_names_the_printers() -> None:
    assert isinstance(qt_printing.names(Progress()), list)


def test_one_that_hangs_is_ended_while_the_window_goes_on(child: Child) -> None:
    child.does(HANGS)
    asked, found = ask_for_names()
    longest, before = 0.0, time.monotonic()
    while asked.is_alive():
        asked.join(0.005)
        longest, before = max(longest, time.monotonic() - before), time.monotonic()
    assert found == [printing_words.PRINTERS_SILENT]
    assert child.gone()
    assert longest < 1.0


def test_one_that_is_not_wanted_any_more_is_ended(child: Child) -> None:
    child.does(HANGS)
    progress = Progress()

    def stop() -> None:
        assert until(child.pid_file.exists)
        progress.stop = True

    stopping = threading.Thread(target=stop)
    stopping.start()
    with pytest.raises(Stopped):
        qt_printing.names(progress)
    stopping.join()
    assert child.gone()


def test_one_whose_pipe_stays_open_after_it_was_killed_is_waited_for_no_longer(
    child: Child, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(qt_printing, "_END_S", 0.2)
    held = tmp_path / "held"
    child.does(
        "import subprocess\n"
        "on = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], stdin=subprocess.DEVNULL)\n"
        f"open({str(held)!r}, 'w').write(str(on.pid))\n{HANGS}"
    )
    _asked, found = ask_for_names()
    try:
        assert until(lambda: found) == [printing_words.PRINTERS_SILENT]
        assert child.gone()
    finally:
        os.kill(int(held.read_text()), signal.SIGKILL)


def test_a_printing_process_that_ends_early_is_reported(child: Child) -> None:
    child.does("sys.exit(3)")
    with pytest.raises(PrintTrouble, match="Which printers there are could not be found out"):
        qt_printing.names(Progress())
    with pytest.raises(PrintTrouble, match="ended before all was handed over"):
        qt_printing.send(two_labels().pages(TypeRuler()), "Z", "Labels", Progress())


def test_pages_are_counted_as_they_are_handed_over(child: Child) -> None:
    child.does(
        "from app.ui.printing.printers.qt_printing import Job\nimport pickle\njob = pickle.load(sys.stdin.buffer)\n"
        "assert (job.name, job.title, len(job.pages)) == ('Zebra', 'Labels', 2)\n"
        """print('{"done": 1}\\n{"done": 2}\\n{"printed": true}', flush=True)"""
    )
    progress = Progress()
    qt_printing.send(two_labels().pages(TypeRuler()), "Zebra", "Labels", progress)
    assert (progress.handed_over, progress.done) == (True, 2)


def test_a_printer_that_hangs_half_way_is_reported(child: Child) -> None:
    child.does(f"""print('{{"done": 1}}', flush=True)\n{HANGS}""")
    progress = Progress()
    with pytest.raises(PrintTrouble) as refused:
        qt_printing.send(two_labels().pages(TypeRuler()), "Zebra", "Labels", progress)
    assert refused.value.sentence == "The printer Zebra does not answer. Look whether anything was printed."
    assert progress.done == 1
    assert child.gone()


def test_a_job_stopped_in_time_is_not_handed_over(child: Child) -> None:
    child.does(HANGS)
    with pytest.raises(Stopped):
        qt_printing.send(two_labels().pages(TypeRuler()), "Zebra", "Labels", Progress(stop=True))
    assert not child.pid_file.exists()


def test_a_printer_that_is_not_there_is_the_real_one_s_sentence() -> None:
    with pytest.raises(PrintTrouble) as refused:
        qt_printing.send(two_labels().pages(TypeRuler()), "No such", "Labels", Progress())
    assert refused.value.sentence == "The printer No such is not there any more."
