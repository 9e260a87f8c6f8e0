"""The pinned requirements: complete, hashed, without addresses, and in agreement with pyproject.toml."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

FILES = ("requirements.txt", "requirements-dev.txt", "requirements-packing.txt")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


@dataclass(frozen=True)
class Pin:
    requirement: Requirement
    hashes: int


def pins(root: Path, file: str) -> dict[str, Pin]:
    """Canonical name → pin, from pip's own format with continued lines."""
    text = (root / "packaging" / file).read_text(encoding="utf-8").replace("\\\n", " ")
    found: dict[str, Pin] = {}
    for line in text.splitlines():
        words = line.split("--hash", 1)[0].strip()
        requirement = Requirement(words)
        name = canonicalize_name(requirement.name)
        assert name not in found, f"{name} is pinned twice"
        found[name] = Pin(requirement, len(HASH.findall(line)))
    return found


def wanted(root: Path, *, dev: bool) -> list[Requirement]:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = project["dependencies"] + (project["optional-dependencies"]["dev"] if dev else [])
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize("file", FILES)
def test_every_pin_is_exact_and_hashed(root: Path, file: str) -> None:
    for name, pin in pins(root, file).items():
        assert [clause.operator for clause in pin.requirement.specifier] == ["=="], name
        assert pin.hashes > 0, name


@pytest.mark.parametrize("file", FILES)
def test_the_pins_hold_no_address_and_no_option(root: Path, file: str) -> None:
    text = (root / "packaging" / file).read_text(encoding="utf-8")
    assert "://" not in text
    assert [line for line in text.splitlines() if line.startswith("-")] == []
    assert all(pin.requirement.url is None for pin in pins(root, file).values())


@pytest.mark.parametrize(("file", "dev"), [(FILES[0], False), (FILES[1], True)])
def test_the_pins_satisfy_what_the_project_asks_for(root: Path, file: str, dev: bool) -> None:
    pinned = pins(root, file)
    for requirement in wanted(root, dev=dev):
        (version,) = (clause.version for clause in pinned[canonicalize_name(requirement.name)].requirement.specifier)
        assert requirement.specifier.contains(version), requirement


def test_makers_and_users_run_the_same_versions(root: Path) -> None:
    runtime, dev, packing = (pins(root, file) for file in FILES)
    for others in (dev, packing):
        assert {name: others[name].requirement.specifier for name in runtime} == {
            name: pin.requirement.specifier for name, pin in runtime.items()
        }


def test_the_packing_environment_holds_what_packs_and_nothing_else_of_makers(root: Path) -> None:
    """PyInstaller takes along what it finds: a library of makers would be found by some other's optional import."""
    runtime, _, packing = (pins(root, file) for file in FILES)
    assert set(packing) - set(runtime) == {
        *("pyinstaller", "pyinstaller-hooks-contrib", "altgraph", "packaging", "setuptools"),
        *("macholib", "pefile"),  # on macOS and Windows
    }


def test_users_get_no_tools_of_makers(root: Path) -> None:
    tools = {canonicalize_name(r.name) for r in wanted(root, dev=True)} - {
        canonicalize_name(r.name) for r in wanted(root, dev=False)
    }
    assert tools & set(pins(root, FILES[0])) <= {"jeepney"}  # the Secret Service on Linux speaks through it


def test_the_qt_that_aborts_on_older_pythons_is_shut_out(root: Path) -> None:
    """PySide6 6.12.0 kills the process on Python 3.10 and 3.11 after some thousand calls that return nothing."""
    (qt,) = (requirement for requirement in wanted(root, dev=False) if requirement.name == "PySide6-Essentials")
    assert not qt.specifier.contains("6.12.0")
    assert qt.specifier.contains("6.11.3")
