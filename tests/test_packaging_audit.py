"""`dev.py audit`: a weakness fails it, and so does what nobody could be asked about. By a stand-in for pip-audit."""

import json
import os
from pathlib import Path

import pytest
from devtools import places
from devtools.errors import CannotGoOn
from releasing import weaknesses

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the stand-in is a script of sh")
SOUND = {"name": "yarl", "version": "1.0", "vulns": []}
WEAK = {"name": "pillow", "version": "2.0", "vulns": [{"id": "PYSEC-1", "fix_versions": []}, {"id": "PYSEC-2"}]}
UNASKED = {"name": "qasync", "version": "3.0", "skip_reason": "Dependency not found"}


@pytest.fixture(autouse=True)
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Answers with the content of the file that is returned; without one it says nothing."""
    answer, tool = tmp_path / "said.json", tmp_path / "pip-audit"
    tool.write_text(
        '#!/bin/sh\nfor each in "$@"; do case "$each" in --output=*) target="${each#--output=}";; esac; done\n'
        f'cp "{answer}" "$target" 2>/dev/null || echo "no network" >&2\nexit 1\n'
    )
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(places, "VENV", tmp_path / "nowhere")
    return answer


def say(answer: Path, *dependencies: object) -> None:
    answer.write_text(json.dumps({"dependencies": dependencies}))


def test_sound_libraries_pass(stand_in: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say(stand_in, SOUND)
    assert weaknesses.look() == 0
    assert capsys.readouterr().out == "No weakness is known of anything that is pinned.\n"


def test_a_weakness_is_named_and_fails(stand_in: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say(stand_in, SOUND, WEAK)
    assert weaknesses.look() == 1
    assert "pillow 2.0: PYSEC-1, PYSEC-2\n" in capsys.readouterr().out


def test_what_nobody_could_be_asked_about_is_no_pass(stand_in: Path) -> None:
    say(stand_in, SOUND, UNASKED)
    with pytest.raises(CannotGoOn, match=r"Nobody could be asked about 1: qasync 3\.0\.") as failed:
        weaknesses.look()
    assert failed.value.status == 1


def test_no_answer_at_all_is_no_pass() -> None:
    with pytest.raises(CannotGoOn, match="gave no answer:\nno network"):
        weaknesses.look()
