"""A window that is killed while a cell is open. Typing into a field, killed at any moment, is among the faults."""

from pathlib import Path

from tests.support.window import WindowFactory


def test_a_cell_that_is_still_open_counts_too(open_window: WindowFactory) -> None:
    window = open_window()
    window.go("New order")
    window.find("Freight lines", "table").focus()
    window.keys_for("SOFA")
    window.wait_for(lambda: is_kept(window.run.data, b'"commodity": "SOFA"'), "the open cell on the disk")
    window.run.kill()
    again = open_window()
    again.go("New order")
    again.wait_for(lambda: again.find("Freight lines", "table").rows()[0][0] == "Commodity: SOFA", "the open cell")
    again.close()


def is_kept(folder: Path, text: bytes) -> bool:
    """Whether a text can be found in any file of a folder."""
    return any(text in each.read_bytes() for each in folder.glob("journal*") if each.is_file())
