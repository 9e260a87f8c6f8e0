"""F8: the journal or its write-ahead log is cut, or bits in it are flipped, at any offset.

The journal of a working desk is damaged and opened again. Either it is sound, with every row unchanged, or it was
repaired: then the damaged files are kept unchanged under other names, every write and request is there with its exact
bytes, no write would be sent automatically, a request that was being sent is in doubt, and attempts, reviews and
templates are what they were. In one trial of eight the readable copy is damaged instead: then the journal is sound, and
the copy is written anew from it.
"""

import random
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.store.journal import review_store, write_store
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.journal_repair import last_restore
from app.store.journal.recovery.readable_copy import read_copy
from app.store.journal.request_store import REQUEST_STATES, RequestRow
from app.store.journal.setting_store import write_setting
from tests.faults.desk_histories import Acknowledged, Desk, Known, all_writes
from tests.faults.harness import Fault, Report
from tests.faults.places import quick_folder
from tests.support.journals import NOW, ask, kept_rows, requests_of

_SPECIMENS = 4
_STEPS = 120
_REQUEST_EVERY = 8  # steps
_COPY = "journal.copy.jsonl"


@dataclass(slots=True)
class _Specimen:
    """The files of a journal as a killed program leaves them, and the writes that it acknowledged."""

    files: dict[str, bytes]
    said: Acknowledged
    asked: dict[str, RequestRow]
    kept: dict[str, list[tuple[Any, ...]]]


def run(size: int, seed: int) -> Report:
    """Damage a journal `size` times, each time at another offset."""
    report, kinds = Report(), Counter[str]()
    chance = random.Random(seed)
    with quick_folder() as folder:
        specimens = [
            _specimen(folder / f"made-{number}", chance, closed=number % 2 == 1) for number in range(_SPECIMENS)
        ]
    for number in range(size):
        with quick_folder() as folder:
            report.tried += 1
            kinds[_harm(folder, chance.choice(specimens), chance, report, number)] += 1
    report.note = ", ".join(f"{kinds[kind]} {kind}" for kind in sorted(kinds))
    return report


def _specimen(folder: Path, chance: random.Random, *, closed: bool) -> _Specimen:
    folder.mkdir()
    database = Journal(folder / "journal.sqlite3")
    desk = Desk(database, chance)
    desk.set_up()
    for number in range(_STEPS):
        desk.step()
        if number % _REQUEST_EVERY == 0:
            ask(database, chance.choice(REQUEST_STATES), NOW, f"request {number}")
            body = chance.choice((None, f'{{"note": "{number}", "noted": true}}'))
            database.write_now(review_store.put_review, "acme", number % 40, "", body, NOW)
            database.write_now(write_setting, "templates.truck_submit/acme", {f"template {number}": "{}"})
    database.copy.settle()
    asked, kept = requests_of(database), kept_rows(database)
    if closed:
        database.close_now()
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    database.close_now()
    return _Specimen(files, desk.said, asked, kept)


def _harm(folder: Path, specimen: _Specimen, chance: random.Random, report: Report, number: int) -> str:
    """Damage a journal, check the result, and return it in a word."""
    files = dict(specimen.files)
    names = [name for name in files if not name.endswith("-shm") and name != _COPY]
    name = _COPY if chance.random() < 0.125 else chance.choices(names, [len(files[each]) for each in names])[0]
    files[name], how = _spoilt(files[name], chance)
    for each, content in files.items():
        (folder / each).write_bytes(content)
    trial = f"trial {number} ({name} {how})"
    database = Journal(folder / "journal.sqlite3")
    try:
        database.write_now(lambda _: None)  # waits for the full check
        database.copy.settle()
        restored = database.read_now(last_restore)
        if restored is None:
            _look_whole(database, specimen.said, report, trial)
            report.check(requests_of(database) == specimen.asked, f"{trial}: taken for whole, but requests changed")
            _look_at_kept(database, specimen.kept, report, trial)
            return "whole"
        _look_restored(database, specimen.said, report, trial)
        _look_at_requests(database, specimen.asked, report, trial)
        _look_at_kept(database, specimen.kept, report, trial)
        report.check(name != _COPY, f"{trial}: the journal was given up for its copy")
        for side in ("", "-wal"):
            kept = folder / (restored.aside + side)
            before = files.get(f"journal.sqlite3{side}")
            report.check(before is None or kept.read_bytes() == before, f"{trial}: {kept.name} is not what was found")
        lost = any("draft" in words for words in specimen.said.missing(database))
        return "made anew, some drafts lost" if lost else "made anew"
    finally:
        database.close_now()


def _spoilt(content: bytes, chance: random.Random) -> tuple[bytes, str]:
    at = chance.randrange(len(content))
    match chance.randrange(4):
        case 0:
            return content[:at], f"cut at {at}"
        case 1:
            length = chance.choice((512, 4_096))
            return content[:at] + bytes(min(length, len(content) - at)) + content[at + length :], f"wiped at {at}"
        case _:
            spoilt = bytearray(content)
            spoilt[at] ^= 1 << chance.randrange(8)
            return bytes(spoilt), f"flipped at {at}"


def _look_whole(database: Journal, said: Acknowledged, report: Report, trial: str) -> None:
    for words in said.missing(database):
        report.check("draft" in words, f"{trial}: taken for whole, but {words}")
    copied = read_copy(database.copy.path)
    report.check(set(copied.writes) >= set(said.writes), f"{trial}: the copy is not whole")


def _look_restored(database: Journal, said: Acknowledged, report: Report, trial: str) -> None:
    rows = {row.id: row for row in all_writes(database)}
    for number, known in said.writes.items():
        row = rows.get(number)
        if not report.check(row is not None, f"{trial}: write {number} ({known.state}) is gone") or row is None:
            continue
        report.check(row.reference == known.reference, f"{trial}: write {number} is of {row.reference!r}")
        report.check(row.state == _state_after(known), f"{trial}: write {number} was {known.state}, is {row.state}")
        report.check(
            database.read_now(write_store.payload, number) == known.payload, f"{trial}: write {number} has other bytes"
        )
    waiting = [row.id for row in rows.values() if row.state in ("queued", "sending")]
    report.check(not waiting, f"{trial}: {waiting} would be sent by themselves")


def _look_at_requests(database: Journal, asked: dict[str, RequestRow], report: Report, trial: str) -> None:
    found = requests_of(database)
    report.check(found.keys() == asked.keys(), f"{trial}: the requests are {sorted(found)}")
    for title in found.keys() & asked.keys():
        before, after = asked[title], found[title]
        if before.state == "sending":
            before = replace(before, state="in_doubt", sentence=after.sentence, ended_at=after.ended_at)
        report.check(after == before, f"{trial}: {title} was {before}, is {after}")


def _look_at_kept(database: Journal, kept: dict[str, list[tuple[Any, ...]]], report: Report, trial: str) -> None:
    for name, found in kept_rows(database).items():
        gone = [each for each in kept[name] if each not in found]
        report.check(not gone, f"{trial}: of the {name} these are gone: {gone[:3]}")
        more = [each for each in found if each not in kept[name]]
        report.check(not more or name == "attempts", f"{trial}: nobody wrote these {name}: {more[:3]}")


def _state_after(known: Known) -> str:
    return "in_doubt" if known.state in ("queued", "sending") else known.state


FAULT = Fault("F8", "a damaged journal: kept, every order brought back, nothing sent", run, 60, 1_000)
