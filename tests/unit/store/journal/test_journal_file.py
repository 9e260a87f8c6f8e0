"""The journal as the program opens it: checked before the first write, repaired if it is damaged, never lost."""

import itertools
import re
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from app.store.journal import draft_store, own_evidence, request_store, review_store, write_store
from app.store.journal.profile_store import all_profiles
from app.store.journal.records import UNSETTLED
from app.store.journal.recovery import journal_file, journal_repair, unfinished_writes
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.journal_repair import RestoreReport, last_restore, repair
from app.store.journal.recovery.readable_copy import copy_path, read_copy
from app.store.journal.recovery.rebuild import BROUGHT_BACK, UNCERTAIN
from app.store.journal.request_store import REQUEST_STATES
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.journal.setting_store import read_setting, write_setting
from app.store.sqlite.database import Database
from app.store.sqlite.opening import SIDES, finished_path, open_file
from app.store.sqlite.plain_rows import value
from app.store.store_errors import JournalDamaged, NotOpened, StoreError
from tests.support.failing_disk import FailingDisk
from tests.support.journals import (
    ALL_STATES,
    LATER_JOURNAL,
    NOW,
    ask,
    fill,
    flip,
    kept_rows,
    make,
    make_killed,
    opened_journal,
    payload_of,
    raw,
    requests_of,
    states,
)

AFTER = {f"R-{n}": "in_doubt" if state in UNSETTLED else state for n, state in enumerate(ALL_STATES)}
BEFORE = {f"R-{n}": state for n, state in enumerate(ALL_STATES)}
ASKED: dict[str, str] = {state: "in_doubt" if state == "sending" else state for state in REQUEST_STATES}


def asked(database: Database) -> dict[str, str]:
    return {title: row.state for title, row in requests_of(database).items()}


def nothing(_: apsw.Connection) -> None:
    return


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def restored(database: Database) -> RestoreReport:
    found = database.read_now(last_restore)
    assert found is not None
    return found


def _flip_payload(path: Path) -> None:
    flip(path, b'"orderReferenceNumber":"R-3"')


def _flip_reference(path: Path) -> None:
    """Flip one letter of one column, which SQLite's own check does not cover."""
    data = path.read_bytes()
    at = data.index(b"acmesubmitR-3") + 12
    path.write_bytes(data[:at] + b"9" + data[at + 1 :])


def _no_header(path: Path) -> None:
    path.write_bytes(b"x" * 100 + path.read_bytes()[100:])


def _half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _foreign(path: Path) -> None:
    path.write_bytes(b"no database at all " * 1_000)


@pytest.mark.parametrize("harm", [_flip_payload, _flip_reference, _no_header, _half, _empty, _foreign, Path.unlink])
def test_a_damaged_journal_is_set_aside_and_rebuilt(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    path = make(tmp_path)
    with opened_journal(path) as database:
        sent = requests_of(database)
    harm(path)
    before = files(tmp_path)
    with opened_journal(path) as database:
        assert states(database) == AFTER
        assert asked(database) == ASKED
        assert {**requests_of(database), "sending": sent["sending"]} == sent
        assert requests_of(database)["sending"].payload == sent["sending"].payload
        for number, reference in enumerate(AFTER, 1):
            assert database.read_now(write_store.payload, number) == payload_of(reference)
        report = restored(database)
        assert [profile.name for profile in database.read_now(all_profiles)] == ["Acme ÄÖ"]
        assert database.read_now(value, "PRAGMA integrity_check") == "ok"
        assert database.read_now(write_store.ready_writes, "acme") == []
    assert (tmp_path / report.aside).read_bytes() == before.get(path.name, b"")
    assert re.fullmatch(r"journal\.damaged\.\d{8}-\d{6}(-\d+)?\.sqlite3", report.aside)
    assert (report.writes, report.uncertain) == (len(AFTER), ())
    assert (report.requests, report.requests_in_doubt) == (len(ASKED), ("sending", "in_doubt"))
    assert report.in_doubt == tuple(name for name, state in AFTER.items() if state == "in_doubt")
    with opened_journal(path) as database:
        assert states(database) == AFTER  # no second repair
        assert restored(database) == report
    assert len(list(tmp_path.glob("journal.damaged.*.sqlite3"))) == 1


def test_writes_on_their_way_are_in_doubt_after_a_repair(tmp_path: Path) -> None:
    path = make(tmp_path)
    _no_header(path)
    with opened_journal(path) as database:
        rows = {row.reference: row for row in database.read_now(write_store.writes_page, "acme", (), 100)}
        assert rows["R-0"].note == rows["R-1"].note == BROUGHT_BACK
        assert (rows["R-3"].note, rows["R-3"].queued_at) == ("Read back.", NOW)
        (died,) = database.read_now(write_store.write_story, rows["R-1"].id).attempts
        assert (died.outcome, died.sentence) == ("died", BROUGHT_BACK)
        (ended,) = database.read_now(write_store.write_story, rows["R-3"].id).attempts
        assert (ended.outcome, ended.sentence) == ("accepted", "It ended.")
        assert database.write_now(unfinished_writes.end_open_attempts, NOW) == 0


def test_the_attempt_that_was_under_way_comes_back_beside_those_that_ended(tmp_path: Path) -> None:
    """Otherwise nobody would know when the order last left, and a provider that does not show it yet would prove that
    it never arrived."""
    path = tmp_path / "journal.sqlite3"
    with opened_journal(path) as database:
        write = database.write_now(write_store.queue_write, "acme", "submit", "R-1", b"{}", NOW)
        for sentence in ("Offline.", "Offline.", "Busy."):
            attempt = database.write_now(write_store.begin_attempt, write, NOW, "new")
            database.write_now(write_store.end_attempt, attempt, "not_sent", NOW, sentence=sentence)
        database.write_now(write_store.begin_attempt, write, NOW, "new")
    _no_header(path)
    with opened_journal(path) as database:
        told = database.read_now(write_store.write_story, write).attempts
        assert [each.outcome for each in told] == ["not_sent", "not_sent", "died"]
        assert database.read_now(own_evidence.last_attempt_at, "acme", "R-1") is not None


def test_drafts_and_settings_are_salvaged(tmp_path: Path) -> None:
    path = make(tmp_path)
    with opened_journal(path) as database:
        database.write_now(write_setting, "appearance", "dark")
        before = database.read_now(draft_store.draft, "draft-3")
    _no_header(path)
    with opened_journal(path) as database:
        assert [row.id for row in database.read_now(draft_store.open_drafts, "acme")] == ["open"]
        assert database.read_now(draft_store.draft, "draft-3") == before
        assert database.read_now(read_setting, "appearance") == "dark"
        assert restored(database).drafts == len(ALL_STATES) + 1


def test_reviews_are_salvaged(tmp_path: Path) -> None:
    path = make(tmp_path)
    with opened_journal(path) as database:
        before = database.read_now(review_store.reviews_of, "acme", 4_001)
    _no_header(path)
    with opened_journal(path) as database:
        assert database.read_now(review_store.reviews_of, "acme", 4_001) == before
        assert len(before) == 2


def test_attempts_reviews_and_templates_come_back_out_of_the_copy_alone(tmp_path: Path) -> None:
    path = make(tmp_path)
    with opened_journal(path) as database:
        database.write_now(write_setting, "templates.truck_submit/acme", {"Yard run": '{"loadNumber": "TRL-4471"}'})
        database.write_now(write_setting, "templates.acme", {"templates": {"Sofas": {}}, "default": ""})
        database.write_now(write_setting, "templates.begun.acme", {"open": "Sofas"})
        database.write_now(review_store.put_review, "acme", 4_001, "", None, NOW)  # withdrawn
        before = kept_rows(database)
        del before["templates"][1]
    for side in SIDES:
        path.with_name(path.name + side).unlink(missing_ok=True)
    with opened_journal(path) as database:
        assert kept_rows(database) == before
        assert [len(each) for each in before.values()] == [4, 2, 2]
        assert database.read_now(review_store.reviews_of, "acme", 4_001).keys() == {"audit-4001-2.jpg"}
        assert database.read_now(read_setting, "templates.begun.acme") is None
        database.copy.settle()
        rebuilt = read_copy(copy_path(path))
        assert rebuilt.place.change == database.read_now(value, "SELECT change FROM tally")
    with opened_journal(path) as database:
        assert kept_rows(database) == before, "no second repair"


def test_a_damaged_review_gives_way_to_that_of_the_copy(tmp_path: Path) -> None:
    """A review has no seal: nothing else could tell which of the two is what was written."""
    path = make(tmp_path)
    with opened_journal(path) as database:
        before = kept_rows(database)
    flip(path, b'"note": "torn"')
    _no_header(path)
    with opened_journal(path) as database:
        assert kept_rows(database) == before


def test_a_draft_whose_write_is_only_in_the_copy_is_closed(tmp_path: Path) -> None:
    """A person put an older journal in place by hand. If the draft were open, the order would be sent twice."""
    path = tmp_path / "journal.sqlite3"
    with opened_journal(path) as database:
        database.write_now(draft_store.save_draft, "acme", "d", "{}", NOW)
    older = path.read_bytes()
    with opened_journal(path) as database:
        write = database.write_now(write_store.queue_write, "acme", "submit", "R-9", b"x", NOW, draft_id="d")
    path.write_bytes(older)
    with opened_journal(path) as database:
        assert database.read_now(draft_store.open_drafts, "acme") == []
        draft = database.read_now(draft_store.draft, "d")
        assert draft is not None
        assert (draft.submission_id, draft.closed_at) == (write, NOW)
        assert restored(database).why == "it is older than its copy"


def test_a_request_that_only_the_copy_knows_is_in_doubt(tmp_path: Path) -> None:
    """A person put an older journal in place by hand. If the request were gone, it would be sent a second time."""
    path = tmp_path / "journal.sqlite3"
    with opened_journal(path) as database:
        began = ask(database, "sending", NOW)
    older = path.read_bytes()
    with opened_journal(path) as database:
        database.write_now(request_store.end_request, began, "accepted", "Received.", NOW, reply=b"Q-1")
        lost = ask(database, "sending", NOW, "later")
    path.write_bytes(older)
    with opened_journal(path) as database:
        rows = requests_of(database)
        assert (rows["sending"].state, rows["sending"].reply) == ("accepted", b"Q-1")
        assert (rows["later"].id, rows["later"].state) == (lost, "in_doubt")
        assert restored(database).why == "it is older than its copy"
        assert ask(database, "sending", NOW, "next") == lost + 1
    assert {each["state"] for each in read_copy(copy_path(path)).requests.values()} == {
        "accepted",
        "in_doubt",
        "sending",
    }


def test_two_requests_with_one_id_are_both_stored(tmp_path: Path) -> None:
    path = make(tmp_path / "here")
    there = tmp_path / "there" / path.name
    shutil.copytree(path.parent, there.parent)
    with opened_journal(path) as database:
        here = ask(database, "sending", NOW, "here")
    with opened_journal(there) as database:
        assert ask(database, "accepted", NOW, "there") == here
    shutil.copy(copy_path(there), copy_path(path))
    with opened_journal(path) as database:
        rows = requests_of(database)
        assert {title: row.state for title, row in rows.items()} == {**ASKED, "here": "in_doubt", "there": "accepted"}
        assert (rows["there"].id, rows["here"].id) == (here, here + 1)
        assert not any(row.damaged for row in rows.values())


def test_changes_of_requests_are_not_numbered_twice(tmp_path: Path) -> None:
    path = make(tmp_path)
    with opened_journal(path) as database:
        for number in range(60):  # more changes than the repair itself makes
            database.write_now(
                lambda c, n: c.execute("UPDATE requests SET sentence = ? WHERE id = 1", (n,)), str(number)
            )
        before = database.read_now(value, "SELECT change FROM tally")
    copy_path(path).unlink()
    _flip_payload(path)
    with opened_journal(path) as database:
        assert restored(database).writes == len(AFTER)
        assert database.read_now(value, "SELECT min(change) FROM requests") > before


@pytest.mark.parametrize(("old", "new"), [(b"OLD{", b"NEW{"), (b'"OLD ', b'"NEW ')], ids=["title", "payload"])
def test_a_damaged_request_is_brought_back_from_the_copy(tmp_path: Path, old: bytes, new: bytes) -> None:
    """Its title has no digest in the journal, so the copy's line counts, which has one."""
    path = make(tmp_path)
    with opened_journal(path) as database:
        ask(database, "refused", NOW, "OLD")
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new))
    _flip_payload(path)
    with opened_journal(path) as database:
        assert asked(database) == {**ASKED, "OLD": "refused"}
        assert not requests_of(database)["OLD"].damaged


def test_a_log_that_was_cut_is_found_by_the_copy(tmp_path: Path) -> None:
    """SQLite takes the rest of the log for the whole, so an order that was sent would be queued again."""
    path = make_killed(tmp_path)
    log = path.with_name(path.name + SIDES[1])
    whole = log.read_bytes()
    for part in (0.2, 0.5, 0.8, 0.9):
        folder = tmp_path / str(part)
        folder.mkdir()
        for name in (path.name, copy_path(path).name):
            shutil.copy(tmp_path / name, folder)
        (folder / log.name).write_bytes(whole[: int(len(whole) * part)])
        before = files(folder)
        with opened_journal(folder / path.name) as database:
            assert states(database) == AFTER
            assert asked(database) == ASKED
            aside = restored(database).aside
        assert (folder / (aside + "-wal")).read_bytes() == before[log.name]
        assert (folder / aside).read_bytes() == before[path.name]


def test_a_damaged_write_without_a_copy_is_uncertain_and_never_sent(tmp_path: Path) -> None:
    path = make(tmp_path)
    copy_path(path).unlink()
    _flip_reference(path)
    flip(path, b'"orderReferenceNumber":"R-0"')
    with opened_journal(path) as database:
        rows = {row.id: row for row in database.read_now(write_store.writes_page, "acme", (), 100)}
        assert (rows[4].reference, rows[4].state, rows[4].note) == ("R-9", "in_doubt", UNCERTAIN)
        assert (rows[1].state, rows[1].note) == ("in_doubt", UNCERTAIN)
        with pytest.raises(JournalDamaged, match="stored data of this entry is damaged"):
            database.read_now(write_store.payload, 1)
        assert set(restored(database).uncertain) == {"R-0", "R-9"}
    with opened_journal(path) as database:  # the uncertain write is no new damage
        assert len(list(tmp_path.glob("journal.damaged.*"))) == 1


def test_two_orders_with_one_id_are_both_stored(tmp_path: Path) -> None:
    """The journal and its copy were changed apart from each other."""
    path = make(tmp_path / "here")
    there = tmp_path / "there" / path.name
    shutil.copytree(path.parent, there.parent)
    with opened_journal(path) as database:
        here = database.write_now(write_store.queue_write, "acme", "submit", "R-8", b"here", NOW)
    with opened_journal(there) as database:
        number = database.write_now(write_store.queue_write, "acme", "submit", "R-10", b"there", NOW)
        database.write_now(write_store.set_note, number, "So its copy goes further.", NOW)
    assert here == number
    shutil.copy(copy_path(there), copy_path(path))
    with opened_journal(path) as database:
        assert states(database) == {**AFTER, "R-8": "in_doubt", "R-10": "in_doubt"}
        rows = {row.reference: row.id for row in database.read_now(write_store.writes_page, "acme", (), 100)}
        assert (rows["R-10"], rows["R-8"]) == (number, number + 1)
        assert database.read_now(write_store.payload, rows["R-8"]) == b"here"
        assert restored(database).writes == len(AFTER) + 2


def test_opening_does_not_wait_for_the_check_and_writing_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make(tmp_path)
    go_on = threading.Event()
    check = journal_file._full_check
    monkeypatch.setattr(journal_file, "_full_check", lambda *given: (go_on.wait(20), check(*given))[1])
    database = Journal(path)
    database.begin_check()
    assert states(database) == BEFORE
    writing = threading.Thread(target=database.write_now, args=(nothing,))
    writing.start()
    assert writing.is_alive()
    go_on.set()
    writing.join(20)
    assert not writing.is_alive()
    database.close_now()


@pytest.mark.asyncio
async def test_check_repairs_a_damaged_journal(tmp_path: Path) -> None:
    path = make(tmp_path)
    _flip_payload(path)
    database = Journal(path)
    assert states(database) == BEFORE
    await database.check()
    assert states(database) == AFTER
    await database.check()
    await database.close()


def test_a_check_that_fails_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make(tmp_path)
    check = journal_file._full_check
    trouble: list[Exception] = [apsw.IOError("once")]

    def at_first(c: apsw.Connection, copy: Path) -> str | None:
        if trouble:
            raise trouble.pop()
        return check(c, copy)

    monkeypatch.setattr(journal_file, "_full_check", at_first)
    database = Journal(path)
    with pytest.raises(StoreError, match="nothing of this was saved"):
        database.write_now(nothing)
    database.write_now(nothing)
    assert states(database) == BEFORE
    database.close_now()


def test_damage_found_by_a_read_is_repaired_at_once(tmp_path: Path) -> None:
    path = make(tmp_path)
    with raw(path) as c:
        page = value(c, "SELECT rootpage FROM sqlite_schema WHERE name = 'writes'")
    data = bytearray(path.read_bytes())
    data[(page - 1) * 8_192 : (page - 1) * 8_192 + 8] = bytes(8)
    path.write_bytes(data)
    database = Journal(path)
    assert states(database) == AFTER  # without a write and without a call of `check`
    database.close_now()


def test_a_text_that_is_no_utf_8_is_damage(tmp_path: Path) -> None:
    path = make(tmp_path)
    data = path.read_bytes()
    at = data.rindex("Acme ÄÖ".encode()) + 5
    path.write_bytes(data[:at] + b"\xff" + data[at + 1 :])
    database = Journal(path)
    assert [profile.name for profile in database.read_now(all_profiles)] == ["Acme ÄÖ"]  # salvaged from the copy
    database.close_now()


def test_damage_found_after_a_write_is_repaired_at_the_next_start(tmp_path: Path) -> None:
    """A write may be sending by then, and its outcome has to be stored in the open file."""
    path = make(tmp_path)
    database = Journal(path)
    database.write_now(nothing)

    def fails(_: apsw.Connection) -> None:
        raise apsw.CorruptError("met now")

    for call in (database.read_now, database.write_now):
        with pytest.raises(JournalDamaged, match="start it again"):
            call(fails)
    database.close_now()
    with opened_journal(path) as database:
        assert states(database) == AFTER
        assert restored(database).why == "it was found damaged"
    assert len(list(tmp_path.glob("journal.damaged.*.sqlite3"))) == 1
    with opened_journal(path) as database:
        assert len(list(tmp_path.glob("journal.damaged.*.sqlite3"))) == 1


def test_closing_does_not_wait_for_a_long_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make(tmp_path)
    began = threading.Event()

    def endless(c: apsw.Connection, _copy: Path) -> str | None:
        began.set()
        c.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n").fetchall()
        return None

    monkeypatch.setattr(journal_file, "_full_check", endless)
    database = Journal(path)
    database.begin_check()
    assert began.wait(20)
    database.close_now()


def test_a_damaged_copy_is_set_aside_and_written_anew(tmp_path: Path) -> None:
    path = make(tmp_path)
    flip(copy_path(path), b'"reference": "R-3"')
    harmed = copy_path(path).read_bytes()
    with opened_journal(path) as database:
        assert states(database) == BEFORE
        assert database.read_now(last_restore) is None
    (aside,) = tmp_path.glob("journal.copy.damaged.*.jsonl")
    assert aside.read_bytes() == harmed
    content = read_copy(copy_path(path))
    assert (len(content.writes), content.unreadable) == (len(BEFORE), 0)


def test_the_copy_of_another_journal_is_set_aside(tmp_path: Path) -> None:
    path, other = make(tmp_path / "a"), make(tmp_path / "b")
    shutil.copy(copy_path(other), copy_path(path))
    with opened_journal(path) as database:
        assert database.read_now(last_restore) is None
        assert states(database) == BEFORE
    (aside,) = path.parent.glob("journal.copy.other.*.jsonl")
    assert aside.read_bytes() == copy_path(other).read_bytes()
    assert len(read_copy(copy_path(path)).writes) == len(BEFORE)


def test_an_unreadable_journal_is_set_aside_and_an_empty_one_begun(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    path.write_bytes(b"rubbish" * 5_000)
    copy_path(path).write_bytes(b"more rubbish\n" * 500)
    with opened_journal(path) as database:
        assert states(database) == {}
        fill(database)
    assert {each.read_bytes()[:4] for each in tmp_path.glob("journal*damaged*")} == {b"rubb", b"more"}
    assert len(read_copy(copy_path(path)).writes) == len(BEFORE)


def test_a_repair_that_fails_changes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make(tmp_path)
    _no_header(path)
    before = files(tmp_path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(journal_repair, "copy_to", full)
    database = Journal(path)
    with pytest.raises(NotOpened, match="No space left on device") as refusal:
        database.read_now(nothing)
    assert "Nothing was deleted" in refusal.value.sentence
    database.close_now()
    assert files(tmp_path) == before
    monkeypatch.undo()
    with opened_journal(path) as database:
        assert states(database) == AFTER


class Killed(BaseException):
    """Stands for the end of the process."""


def killed_at(number: int, path: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Repair the journal, and be killed before the rename with this number; returns whether there was one."""
    names = itertools.count()

    def deadly(method: Callable[[Path, Path], Path]) -> Callable[[Path, Path], Path]:
        def act(self: Path, target: Path) -> Path:
            if next(names) == number:
                raise Killed
            return method(self, target)

        return act

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", deadly(Path.rename))
        patch.setattr(Path, "replace", deadly(Path.replace))
        try:
            repair(path, "it is damaged", NOW)
        except Killed:
            return True
    return False


def test_a_repair_stopped_at_any_step_is_finished_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    harmed = make_killed(tmp_path / "made")
    log = harmed.with_name(harmed.name + "-wal")
    log.write_bytes(log.read_bytes()[: log.stat().st_size // 2])
    number, came_to_it = 0, True
    while came_to_it:
        folder = tmp_path / str(number)
        shutil.copytree(harmed.parent, folder)
        came_to_it = killed_at(number, folder / harmed.name, monkeypatch)
        with opened_journal(folder / harmed.name) as database:
            assert states(database) == AFTER, number
            aside = restored(database).aside
        for side in SIDES[:2]:
            assert (folder / (aside + side)).read_bytes() == harmed.with_name(harmed.name + side).read_bytes()
        assert len(list(folder.glob("journal.damaged.*.sqlite3"))) == 1
        assert not finished_path(folder / harmed.name).exists()
        number += 1
    assert number > 4  # the new file twice, the old one, its log and its index


def test_a_finished_journal_that_cannot_be_read_is_not_put_in_place(tmp_path: Path) -> None:
    path = make(tmp_path)
    finished_path(path).write_bytes(b"rubbish" * 5_000)
    with opened_journal(path) as database:
        assert states(database) == BEFORE
    assert [each.read_bytes()[:4] for each in tmp_path.glob("journal.restored.damaged.*")] == [b"rubb"]


def test_a_journal_of_an_older_program_gets_its_copy(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    open_file(path, JOURNAL).close()
    with opened_journal(path, LATER_JOURNAL) as database:
        assert database.read_now(last_restore) is None
        fill(database)
    assert len(read_copy(copy_path(path)).writes) == len(BEFORE)


def test_a_disk_that_fails_is_not_called_damage(tmp_path: Path) -> None:
    path = make(tmp_path)
    disk = FailingDisk()
    database = Journal(path, vfs=disk.vfs)
    assert states(database) == BEFORE
    disk.fail = apsw.FullError
    with pytest.raises(StoreError, match="disk is full"):
        database.write_now(draft_store.save_draft, "acme", "d", "{}", NOW)
    disk.fail = None
    database.write_now(draft_store.save_draft, "acme", "d", "{}", NOW)
    database.close_now()
    disk.unregister()
    assert list(tmp_path.glob("*damaged*")) == []


def test_a_flipped_letter_in_the_name_of_a_column_is_damage(tmp_path: Path) -> None:
    """SQLite's own check does not find it, and the first statement on drafts would fail."""
    path = make(tmp_path)
    with opened_journal(path) as database:
        before = states(database)
    content = path.read_bytes()
    path.write_bytes(content.replace(b"submission_id INTEGER", b"submission_hd INTEGER", 1))
    with opened_journal(path) as database:
        assert restored(database).why == "its tables are not the journal's"
        assert set(states(database)) == set(before)
        assert [row.id for row in database.read_now(draft_store.open_drafts, "acme")] == ["open"]
