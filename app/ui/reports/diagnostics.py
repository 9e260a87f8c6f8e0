"""The report of an installation about itself, for a person who helps: versions, sizes, counts and the end of its log.

Invariant: nothing in it names an order, a person, a company, an address or a secret (`without_names`).
"""

import asyncio
import platform
import sys
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QSysInfo, qVersion
from PySide6.QtGui import QGuiApplication

from app.runtime.age import seconds_old
from app.runtime.crash_watch import Failure
from app.store.journal import write_store
from app.store.journal.profile_store import Profile, all_profiles
from app.store.paths import DataDir
from app.store.secrets import SecretStore
from app.store.sqlite.database import Database
from app.store.store_errors import StoreError
from app.translation import translate
from app.ui.reports import reports_words as words
from app.ui.reports.without_names import without_names
from app.version import VERSION

_LINES = 80  # of the log
_LOG_END = 64_000  # bytes
_PRACTICE = "practice"


def stands_on() -> str:
    """The system and the libraries that the program runs on, in one line."""
    return translate(
        "Python {python}, Qt {qt}, {system}",
        python=platform.python_version(),
        qt=qVersion(),
        system=QSysInfo.prettyProductName(),
    )


def crash_report(failure: Failure) -> str:
    """The note of a run that broke off."""
    return words.crash_report(failure.version, failure.began, stands_on(), failure.trace)


async def diagnostics(data: DataDir, journal: Database, secrets: SecretStore) -> str:
    """The whole text. What cannot be read is said to be so, and the rest still comes."""
    how = words.PACKED if getattr(sys, "frozen", False) else words.FROM_SOURCE
    sizes, log = await asyncio.to_thread(_on_disk, data)
    connections, outbox = await _counted(journal)
    return without_names(
        words.diagnostics(
            words.program(VERSION, how, QGuiApplication.platformName(), seconds_old()),
            stands_on(),
            ", ".join(_screens()),
            sizes,
            connections,
            outbox,
            (await secrets.describe()).sentence,
            log,
        )
    )


async def _counted(journal: Database) -> tuple[str, str]:
    """The connections by their number alone, and the writes of all of them by their state."""
    try:
        profiles: list[Profile] = await journal.read(all_profiles)
        total: dict[str, int] = {}
        for profile_id in (_PRACTICE, *(each.id for each in profiles)):
            for state, count in (await journal.read(write_store.counts, profile_id)).items():
                total[state] = total.get(state, 0) + count
    except StoreError:
        return words.UNREADABLE, words.UNREADABLE
    said = ", ".join(words.writes(state, count) for state, count in total.items())
    return words.connections(len(profiles) + 1), said


def _screens() -> list[str]:
    return [
        words.screen(each.size().width(), each.size().height(), round(each.devicePixelRatio() * 100))
        for each in QGuiApplication.screens()
    ]


def _on_disk(data: DataDir) -> tuple[str, str]:
    """Sizes and the end of the log. Reads files: not for the thread that paints."""
    parts = (data.journal, data.cache, data.console, data.pictures)
    sizes = ", ".join(words.kept(each.stem, _size(each) / 1e6) for each in parts)
    return sizes, _log_end(data.logs / "waybill.log")


def _size(path: Path) -> int:
    total = 0
    for each in (path, *path.parent.glob(f"{path.name}-*"), *(path.rglob("*") if path.is_dir() else ())):
        with suppress(OSError):  # a picture that is just being deleted
            total += each.stat().st_size if each.is_file() else 0
    return total


def _log_end(log: Path) -> str:
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - _LOG_END))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return words.UNREADABLE
    return "\n".join(lines[-_LINES:])
