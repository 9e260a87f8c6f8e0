"""Printing by the system's commands: their arguments, and the reports when they refuse or are missing."""

import json
import stat
import sys
from datetime import datetime
from pathlib import Path
from threading import Thread

import pypdfium2
import pytest

from app.contract.draft import BarcodeDraft
from app.desk.files.stoppable_work import Progress, Stopped
from app.desk.printing.barcode_labels import Labels, plan
from app.desk.printing.order_sheet import lay_out
from app.desk.printing.print_subject import Subject
from app.desk.printing.stock import A4, FINENESSES, LETTER, STOCKS
from app.ui.printing.painting.page_output import PrintTrouble
from app.ui.printing.painting.page_painter import TypeRuler
from app.ui.printing.printers import devices, spooler
from tests.support.desks import order_draft
from tests.support.window_process import until

pytestmark = [
    pytest.mark.usefixtures("qapp"),
    pytest.mark.skipif(sys.platform == "win32", reason="the commands of Linux and macOS"),
]


class Commands:
    """An `lp` and an `lpstat` of the test's own, before all others on the path."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        folder.mkdir()
        monkeypatch.setenv("PATH", str(folder))

    def make(self, name: str, body: str) -> None:
        """A command as a Python script."""
        path = self.folder / name
        path.write_text(f"#!{sys.executable}\nimport json, shutil, sys\nhere = {str(self.folder)!r}\n{body}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commands:
    made = Commands(tmp_path / "bin", monkeypatch)
    made.make(
        "lpstat", "print('system default destination: Zebra' if sys.argv[1] == '-d' else 'office\\nBack\\nZebra')"
    )
    made.make(
        "lp", "shutil.copy(sys.argv[-1], here + '/paper.pdf'); json.dump(sys.argv[1:-1], open(here + '/told', 'w'))"
    )
    return made


def two_labels() -> Labels:
    draft = order_draft("R-1")
    draft.barcoding.barcodeItemDetails = [BarcodeDraft("CHAIR", each, "1") for each in ("0001", "0002")]
    return plan(Subject(draft, "", practice=False), "each", STOCKS[0], FINENESSES[0])


def test_the_usual_printer_comes_first(commands: Commands) -> None:
    assert commands
    assert devices.printer_names(Progress()) == ["Zebra", "Back", "office"]


def test_a_spooler_that_says_nothing_has_no_printers(commands: Commands) -> None:
    commands.make("lpstat", "sys.exit('lpstat: Scheduler is not running.')")
    assert devices.printer_names(Progress()) == []


def test_the_command_gets_the_real_size_and_no_scaling(commands: Commands) -> None:
    progress = Progress()
    devices.send(two_labels().pages(TypeRuler()), "Zebra", "Labels of order R-1", progress)
    told = json.loads((commands.folder / "told").read_text())
    real_size = ["-o", "media=Custom.101.6x152.4mm", "-o", "print-scaling=none"]
    assert told == ["-d", "Zebra", "-t", "Labels of order R-1", *real_size, "--"]
    assert len(pypdfium2.PdfDocument(commands.folder / "paper.pdf")) == progress.done == 2
    assert progress.handed_over


def test_paper_that_has_a_name_goes_by_it(commands: Commands) -> None:
    for paper, name in ((LETTER, "Letter"), (A4, "A4")):
        pages = lay_out(Subject(order_draft("R-1"), "", practice=False), paper, datetime.now(), TypeRuler())
        devices.send(pages, "Zebra", "Order R-1", Progress())
        assert f"media={name}" in json.loads((commands.folder / "told").read_text())


def test_a_refusal_is_reported_in_the_words_of_the_spooler(commands: Commands) -> None:
    commands.make("lp", "sys.exit('lp: The printer or class does not exist.')")
    with pytest.raises(PrintTrouble) as refused:
        devices.send(two_labels().pages(TypeRuler()), "Zebra", "Labels", Progress())
    assert refused.value.sentence == "Nothing was printed by Zebra: The printer or class does not exist."


def test_one_that_does_not_answer_is_given_up(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    commands.make("lp", "sys.stdin = None\nimport threading; threading.Event().wait()")
    monkeypatch.setattr(spooler, "_PATIENCE_S", 0.2)
    with pytest.raises(PrintTrouble) as refused:
        devices.send(two_labels().pages(TypeRuler()), "Zebra", "Labels", Progress())
    assert refused.value.sentence == "The printer Zebra does not answer. Look whether anything was printed."


def hangs(commands: Commands, name: str) -> None:
    """A command that never ends, and says who it is."""
    commands.make(
        name, "import os, threading; open(here + '/pid', 'w').write(str(os.getpid())); threading.Event().wait()"
    )


def gone(commands: Commands) -> bool:
    return not Path(f"/proc/{(commands.folder / 'pid').read_text()}").exists()


def test_a_spooler_that_hangs_is_killed_and_reported(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    hangs(commands, "lpstat")
    monkeypatch.setattr(spooler, "NAMES_PATIENCE_S", 1.0)
    with pytest.raises(PrintTrouble, match="does not answer, so its printers are not known"):
        devices.printer_names(Progress())
    assert gone(commands)


def test_nobody_waits_for_a_spooler_when_the_window_goes(commands: Commands) -> None:
    hangs(commands, "lpstat")
    progress = Progress()

    def stop() -> None:
        assert until((commands.folder / "pid").exists)
        progress.stop = True

    stopping = Thread(target=stop)
    stopping.start()
    with pytest.raises(Stopped):
        devices.printer_names(progress)
    stopping.join()
    assert gone(commands)


def test_a_stopped_job_is_not_handed_to_the_spooler(commands: Commands) -> None:
    with pytest.raises(Stopped):
        devices.send(two_labels().pages(TypeRuler()), "Zebra", "Labels", Progress(stop=True))
    assert not (commands.folder / "told").exists()


def test_without_commands_qt_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not spooler.is_there()
    with pytest.raises(PrintTrouble) as refused:
        devices.send(two_labels().pages(TypeRuler()), "No such", "Labels", Progress())
    assert refused.value.sentence == "The printer No such is not there any more."
