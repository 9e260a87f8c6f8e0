"""A file of orders by keys alone, on every target: chosen in the system's own dialog, sent, and nothing twice."""

from pathlib import Path

from tests.support import targets
from tests.support.hands import Hands
from tests.ui.bulk.import_help import line, write_csv

_REFERENCES = ("FILE-1", "FILE-2", "FILE-3")


def test_a_file_with_an_umlaut_in_its_name_is_sent_once(hands: Hands, tmp_path: Path) -> None:
    folder = tmp_path / "Aufträge der Büros"
    folder.mkdir()
    path = write_csv(folder, *(line(each) for each in _REFERENCES))
    hands.open()
    _open_file(hands, path)
    hands.keys("ctrl+Return")
    for each in _REFERENCES:
        hands.wait_until_taken(each)
    _open_file(hands, path)
    hands.keys("ctrl+Return")
    hands.rest()
    assert [len(hands.states(each)) for each in _REFERENCES] == [1, 1, 1]
    hands.close()


def _open_file(hands: Hands, path: Path) -> None:
    """Choose the file in the dialog, which on Windows is Windows' own."""
    before = set(hands.windows("."))
    hands.keys("ctrl+4", "ctrl+o")
    hands.wait_for(lambda: set(hands.windows(".")) - before, "the dialog")
    hands.rest()  # Windows' dialog comes with windows that are gone again when it is whole
    dialog = [each for each in hands.windows(".") if each not in before][-1]
    hands.type(targets.named(path), window=dialog)
    hands.keys("Return", window=dialog)
    hands.wait_for(lambda: dialog not in hands.windows("."), "the end of the dialog")
    hands.rest()
