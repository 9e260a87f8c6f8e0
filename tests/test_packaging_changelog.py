"""The version and the changelog: each is written once, and every format of a package is made from them."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from defusedxml import ElementTree as Safe
from devtools.errors import CannotGoOn
from releasing import changelog, debian_package, program

from app.version import VERSION

SAMPLE = """# Changes

Words for makers.

## 1.1.0, 2027-01-31

**Orders**
- Finds <all> & more,
  over two lines.

## 1.0.0, not yet released

- The first.
"""


@pytest.fixture
def sample(tmp_path: Path) -> list[changelog.Release]:
    path = tmp_path / "CHANGELOG.md"
    path.write_text(SAMPLE, encoding="utf-8")
    return changelog.releases(path)


def test_the_changelog_begins_with_the_version_of_the_program() -> None:
    assert changelog.releases()[0].version == VERSION == program.version()


def test_the_program_tells_its_version(root: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "app", "--version"], cwd=root, capture_output=True, text=True, check=False
    )
    assert (told.returncode, told.stdout, told.stderr) == (0, f"Waybill {VERSION}\n", "")


def test_releases_are_read_with_their_groups_and_points(sample: list[changelog.Release]) -> None:
    first, second = sample
    assert (first.version, first.day, second.version, second.day) == ("1.1.0", "2027-01-31", "1.0.0", "")
    assert first.groups == [changelog.Group("Orders", ["Finds <all> & more, over two lines."])]
    assert second.groups == [changelog.Group("", ["The first."])]


def test_a_heading_that_is_no_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "CHANGELOG.md"
    path.write_text("## Unreleased\n", encoding="utf-8")
    with pytest.raises(CannotGoOn, match="names no version and day: ## Unreleased"):
        changelog.releases(path)


def test_debians_changelog(sample: list[changelog.Release]) -> None:
    made = changelog.debian(sample, "Ann <ann@example.com>", "2027-02-01")
    assert made.startswith(
        "waybill (1.1.0) stable; urgency=medium\n\n  [ Orders ]\n  * Finds <all> & more, over two lines.\n\n"
        " -- Ann <ann@example.com>  Sun, 31 Jan 2027 00:00:00 +0000\n"
    )
    assert max(map(len, changelog.debian(changelog.releases(), "Ann <a@b>", "2027-02-01").splitlines())) <= 80
    assert "Mon, 01 Feb 2027" in made  # what is not released yet bears the day of the build


def test_appstream_escapes_what_stands_in_a_point(sample: list[changelog.Release]) -> None:
    found = Safe.fromstring(changelog.appstream(sample, "2027-02-01"))
    assert isinstance(found, ElementTree.Element)
    assert [each.attrib for each in found] == [
        {"version": "1.1.0", "date": "2027-01-31"},
        {"version": "1.0.0", "date": "2027-02-01"},
    ]
    assert [each.text for each in found.iter("li")] == ["Finds <all> & more, over two lines.", "The first."]


def test_the_notes_of_a_version(root: Path) -> None:
    told = subprocess.run(
        [sys.executable, str(root / "packaging" / "dev.py"), "notes"], capture_output=True, text=True, check=False
    )
    assert told.stdout == changelog.notes(VERSION)
    with pytest.raises(CannotGoOn, match=r"says nothing of version 0\.0\.1"):
        changelog.notes("0.0.1")


def test_the_texts_of_the_debian_package_hold_no_placeholder() -> None:
    manual, metadata = debian_package.manual("9.8.7"), debian_package.metainfo()
    assert "@" not in manual.replace("@example", "")
    assert "Waybill 9.8.7" in manual
    assert f'<release version="{VERSION}"' in metadata
    assert "@RELEASES@" not in metadata
    Safe.fromstring(metadata.encode())
