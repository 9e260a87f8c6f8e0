"""Size of text, distance of rows, sounds: at once in the whole window, kept, and nothing odd from a damaged setting."""

import json
import os
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QTableView

from app.desk.connections import profiles
from app.desk.desk import Desk
from app.store.journal import setting_store
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir
from app.store.secrets import SecretStore
from app.ui.base.page import PageServices
from app.ui.settings.settings_page import Keeping, SettingsPage
from app.ui.theme.theme import SIZES, follow_row_height
from app.ui.widgets import sounds
from app.ui.widgets.sounds import SOUNDS, Sounds
from app.ui.widgets.text.labels import text_label
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.settings.settings_help import idle


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk, tmp_path: Path) -> SettingsPage:
    journal = offline_desk.journal
    assert isinstance(journal, Journal)
    made = SettingsPage(services, Keeping(journal, SecretStore(seconds=5), DataDir(tmp_path)))
    show(made)
    made.take_desk(offline_desk)
    loop.until(lambda: idle(made) and not made.tasks.busy)
    return made


def test_text_and_rows_change_at_once_everywhere_and_are_kept(
    loop: RunningLoop, page: SettingsPage, show: Show, offline_desk: Desk
) -> None:
    table, label = QTableView(), text_label("A label", "heading")
    follow_row_height(table.verticalHeader(), least=True)
    show(table)
    show(label)
    before = label.fontMetrics().height()
    assert table.verticalHeader().defaultSectionSize() == 30
    page.look.text_size.put("150")
    loop.until(lambda: label.fontMetrics().height() > 1.3 * before)
    assert table.verticalHeader().defaultSectionSize() == 45
    page.look.rows.put("compact")
    assert table.verticalHeader().defaultSectionSize() == 36
    loop.until(lambda: not page.tasks.busy)
    assert loop.run(profiles.sizes(offline_desk.journal)) == (150, True)
    page.look.text_size.put("80")
    loop.until(lambda: label.fontMetrics().height() < before)
    assert table.verticalHeader().defaultSectionSize() == 19
    loop.until(lambda: not page.tasks.busy)


@pytest.mark.parametrize("saved", [None, [], {"text": "large", "compact": 1}, {"text": 4_000}])
def test_a_size_that_nobody_can_choose_counts_as_the_first(
    loop: RunningLoop, offline_desk: Desk, saved: object
) -> None:
    loop.run(offline_desk.journal.write(setting_store.write_setting, "sizes", saved))
    text, compact = loop.run(profiles.sizes(offline_desk.journal))
    SIZES.choose(text, compact=compact)
    assert (SIZES.text, SIZES.compact) == (100, False)


def test_only_the_chosen_sounds_are_heard(
    loop: RunningLoop, page: SettingsPage, offline_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[int] = []
    monkeypatch.setattr(QApplication, "beep", lambda: heard.append(1))
    monkeypatch.setattr(sounds, "_LEAST_S", 0.0)
    for choice, expected in (("all", 3), ("refused", 2), ("none", 0)):
        page.look.sounds.put(choice)
        loop.until(lambda: not page.tasks.busy)
        heard.clear()
        for each in ("taken", "wrong", "refused"):
            SOUNDS.play(each)
        assert len(heard) == expected
        again = Sounds()
        loop.run(again.read(offline_desk.journal))
        assert again.choice == choice
    page.look.hear_button.click()
    assert heard == [1], "who wants to hear it hears it"


def test_a_sound_is_played_by_a_program_that_nobody_waits_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loop: RunningLoop
) -> None:
    player, played = tmp_path / "paplay", tmp_path / "played.json"
    player.write_text(f'#!/bin/sh\nsleep 0.2\nprintf \'"%s"\' "$1" > {played}.part\nmv {played}.part {played}\n')
    player.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(sounds, "_PLAYERS", (("no-such-player",), ("paplay",)))
    made = Sounds()
    made.play("wrong")
    assert not played.exists()
    loop.until(played.exists)
    file = Path(json.loads(played.read_text()))
    assert file.name == "wrong.wav"
    assert file.read_bytes()[:4] == b"RIFF"
