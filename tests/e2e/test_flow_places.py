"""Data in folders of any name, on every target: blanks, umlauts, other scripts, names longer than Windows once took.

A share is tried where the names of shares are, on Windows. Under Wine it is a folder by that kind of name.
"""

import os
from pathlib import Path

import pytest

from tests.e2e.flow_steps import begin_order
from tests.support import targets
from tests.support.hands import Hands

# Five of these go beyond the 260 characters that were once all on Windows; SQLite takes 512.
_LONG = "a folder whose name says at some length what it is for"
_NAMES = {
    "blanks and umlauts": Path("Büro der Spedition Ärmel & Söhne (Köln)"),
    "another script": Path("配送", "Заказы"),
    "long": Path(*(f"{_LONG} {number}" for number in range(5))),
    "OneDrive": Path("OneDrive - Ärmel & Söhne GmbH", "Dokumente"),
}


def kept_there(hands: Hands) -> None:
    """Started, a draft typed, ended, and there again."""
    hands.open()
    begin_order(hands, "FLOW-PLACE")
    hands.close()
    hands.open()
    assert hands.draft("FLOW-PLACE")
    hands.close()


@pytest.mark.parametrize("name", _NAMES)
def test_data_is_kept_in_a_folder_of_any_name(hands: Hands, tmp_path: Path, name: str) -> None:
    hands.data = tmp_path / _NAMES[name]
    hands.data.parent.mkdir(parents=True, exist_ok=True)
    kept_there(hands)


@pytest.mark.skipif(targets.target() != "windows", reason="shares have names of their own on Windows alone")
def test_data_is_kept_on_a_share(hands: Hands, tmp_path: Path) -> None:
    shares = Path(os.environ[targets.PREFIX], "dosdevices", "unc", "server")
    share = shares / tmp_path.parent.name
    shares.mkdir(parents=True, exist_ok=True)
    share.symlink_to(tmp_path)
    try:
        hands.named = rf"\\server\{share.name}\desk"
        kept_there(hands)
    finally:
        share.unlink()
