"""packaging/CHANGELOG.md as data, and as what package formats ask for: it is written once, for people.

A version is a heading `## 0.1.0, 2026-12-01` (or `## 0.1.0, not yet released`); below it stand groups (`**Orders**`)
of points (`- Shows …`).
"""

import html
import re
import textwrap
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

from devtools import places
from devtools.errors import CannotGoOn

CHANGELOG = places.PACKAGING / "CHANGELOG.md"
_HEADING = re.compile(r"## (\d+\.\d+\.\d+), (?:(\d{4}-\d{2}-\d{2})|not yet released)")


@dataclass
class Group:
    """Points under a heading of their own; the first group of a version may have none."""

    name: str
    points: list[str] = field(default_factory=list)


@dataclass
class Release:
    """A version; `day` is empty until it is released."""

    version: str
    day: str
    groups: list[Group] = field(default_factory=list)
    text: str = ""


def releases(path: Path = CHANGELOG) -> list[Release]:
    """All versions, newest first. Raises `CannotGoOn` for a heading that is no version."""
    found: list[Release] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            heading = _HEADING.fullmatch(line.strip())
            if heading is None:
                raise CannotGoOn(f"{path.name} has a heading that names no version and day: {line}")
            found.append(Release(heading[1], heading[2] or ""))
        elif found:
            found[-1].text += f"{line}\n"
            _read(line, found[-1].groups)
    if not found:
        raise CannotGoOn(f"{path.name} names no version.")
    return found


def _read(line: str, groups: list[Group]) -> None:
    if line.startswith("**"):
        groups.append(Group(line.strip("* ")))
    elif line.startswith("- "):
        if not groups:
            groups.append(Group(""))
        groups[-1].points.append(line[2:].strip())
    elif line.startswith("  ") and groups and groups[-1].points:
        groups[-1].points[-1] += f" {line.strip()}"


def notes(version: str) -> str:
    """What is new in a version, as Markdown: the text of its release. Raises `CannotGoOn` for an unknown one."""
    for each in releases():
        if each.version == version:
            return each.text.strip() + "\n"
    raise CannotGoOn(f"{CHANGELOG.name} says nothing of version {version}.")


def debian(found: list[Release], maker: str, today: str) -> str:
    """The changelog of a Debian package."""
    return "\n".join(_debian_entry(each, maker, today) for each in found)


def _debian_entry(release: Release, maker: str, today: str) -> str:
    lines = [f"waybill ({release.version}) stable; urgency=medium", ""]
    for group in release.groups:
        lines += [f"  [ {group.name} ]"] if group.name else []
        for point in group.points:
            lines += textwrap.wrap(point, 78, initial_indent="  * ", subsequent_indent="    ", break_long_words=False)
    moment = datetime.fromisoformat(release.day or today).replace(tzinfo=UTC)
    return "\n".join([*lines, "", f" -- {maker}  {format_datetime(moment)}", ""])


def appstream(found: list[Release], today: str) -> str:
    """The `<releases>` of AppStream metadata."""
    return "\n".join(["  <releases>", *(_appstream_entry(each, today) for each in found), "  </releases>"])


def _appstream_entry(release: Release, today: str) -> str:
    points = [html.escape(point) for group in release.groups for point in group.points]
    inner = "\n".join(f"          <li>{point}</li>" for point in points)
    return (
        f'    <release version="{release.version}" date="{release.day or today}">\n'
        f"      <description>\n        <ul>\n{inner}\n        </ul>\n      </description>\n    </release>"
    )
