"""A file of orders by keys alone, on every target: chosen in the system's own dialog, sent, and nothing twice."""

from pathlib import Path

from tests.support import targets
from tests.support.hands import Hands
from tests.support.window_process import until
from tests.ui.bulk.import_help import line, write_csv

_DIALOG = "^Open a file of orders$"
_TRIES, _SOON_S = 4, 15.0
_REFERENCES = ("FILE-1", "FILE-2", "FILE-3")


def test_a_file_with_an_umlaut_in_its_name_is_sent_once(hands: Hands, tmp_path: Path) -> None:
    folder = tmp_path / "Aufträge der Büros"
    folder.mkdir()
    path = write_csv(folder, *(line(each) for each in _REFERENCES))
    hands.desktop.use_german_keys()
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
    hands.keys("ctrl+4")
    hands.rest()  # the page is made at its first use, and only then knows its keys
    hands.keys("ctrl+o")
    hands.wait_for(lambda: hands.windows(_DIALOG), "the dialog")
    # Return may only take a suggestion: then a person looks, and types it once more.
    for _ in range(_TRIES):
        hands.rest()
        hands.keys("ctrl+a", title=_DIALOG)
        hands.type(targets.named(path), title=_DIALOG)
        hands.rest()
        hands.keys("Return", title=_DIALOG)
        if until(lambda: not hands.windows(_DIALOG), _SOON_S):
            break
    hands.wait_for(lambda: not hands.windows(_DIALOG), "the end of the dialog")
    hands.rest()
