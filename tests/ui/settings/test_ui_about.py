"""About: the version, what it runs on, and the licences of a packed program."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import qVersion
from PySide6.QtWidgets import QApplication

from app.ui.settings import about_section
from app.ui.settings.about_section import AboutSection, packed_licences
from app.ui.theme.theme import Theme
from app.ui.widgets.bars.message_bar import MessageBar
from app.version import VERSION


@pytest.fixture
def bar(theme: Theme) -> Iterator[MessageBar]:
    made = MessageBar(theme)
    yield made
    made.deleteLater()


def test_the_version_is_copied_with_what_it_runs_on(bar: MessageBar) -> None:
    section = AboutSection(bar)
    assert section.version_label.text() == f"Waybill {VERSION}"
    section.copy_button.click()
    copied = QApplication.clipboard().text()
    assert copied.startswith(f"Waybill {VERSION}\nPython ")
    assert f"Qt {qVersion()}" in copied
    assert str(Path.home()) not in copied
    assert bar.text == "The version was copied."


def test_from_source_there_are_no_licences_to_show(bar: MessageBar) -> None:
    assert AboutSection(bar).licences_button.isHidden()


def test_a_packed_program_has_its_licences_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "waybill"))
    assert packed_licences() is None
    (tmp_path / "licences").mkdir()
    assert packed_licences() == tmp_path / "licences"


def test_the_licences_are_shown_in_their_folder(
    bar: MessageBar, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []

    def open_folder(folder: Path) -> bool:
        opened.append(folder)
        return len(opened) == 1

    monkeypatch.setattr(about_section, "open_folder", open_folder)
    section = AboutSection(bar, tmp_path)
    assert not section.licences_button.isHidden()
    section.licences_button.click()
    assert (opened, bar.text) == ([tmp_path], "")
    section.licences_button.click()
    assert bar.text == f"Nothing here opens folders. The licences are in {tmp_path}."
