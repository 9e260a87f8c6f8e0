"""How the program was installed, and who is handed a package."""

import platform
import shutil
import sys
from pathlib import Path

import pytest

from app.desk.updates.this_program import hand_over, systems


def packed_at(monkeypatch: pytest.MonkeyPatch, program: Path, system: str = "linux", machine: str = "x86_64") -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platform, "machine", lambda: machine)


def test_a_checkout_takes_no_package() -> None:
    assert systems() == ()


def test_each_kind_of_installation_takes_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed_at(monkeypatch, tmp_path / "waybill")
    assert systems() == ("linux-x86_64",)
    packed_at(monkeypatch, Path("/usr/lib/waybill/builds/0.1.0-1/waybill"))
    assert systems() == ("debian-x86_64",)
    packed_at(monkeypatch, tmp_path / "Waybill.app" / "waybill", "darwin", "arm64")
    assert systems() == ("macos-aarch64",)
    packed_at(monkeypatch, tmp_path / "program" / "waybill.exe", "win32", "AMD64")
    assert systems() == ("windows-stick-x86_64",)
    (tmp_path / "uninstall.exe").touch()
    assert systems() == ("windows-setup-x86_64",)
    (tmp_path / "installed-for-everybody.txt").touch()
    assert systems() == ("windows-msi-x86_64",)


def test_windows_installer_replaces_what_was_installed_for_everybody(tmp_path: Path) -> None:
    plan = hand_over("windows-msi-x86_64", tmp_path / "waybill.msi")
    assert (plan.command, plan.closes) == (("msiexec", "/i", str(tmp_path / "waybill.msi")), True)


def test_the_setup_program_replaces_a_program_that_has_ended(tmp_path: Path) -> None:
    plan = hand_over("windows-setup-x86_64", tmp_path / "setup.exe")
    assert (plan.command, plan.closes) == ((str(tmp_path / "setup.exe"),), True)


def test_a_deb_is_shown_by_what_the_desktop_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}" if name == "gdebi-gtk" else None)
    path = tmp_path / "a b.deb"
    assert hand_over("debian-x86_64", path).command == ("/usr/bin/gdebi-gtk", str(path))
    monkeypatch.setattr(shutil, "which", lambda _: None)
    plan = hand_over("debian-x86_64", path)
    assert plan.command == ()
    assert f"sudo apt install '{path}'" in plan.sentence


@pytest.mark.parametrize("system", ["windows-stick-x86_64", "linux-x86_64", "macos-aarch64", "python"])
def test_everything_else_is_put_in_place_by_a_person(tmp_path: Path, system: str) -> None:
    plan = hand_over(system, tmp_path / "package")
    assert plan.command == ()
    assert str(tmp_path / "package") in plan.sentence
