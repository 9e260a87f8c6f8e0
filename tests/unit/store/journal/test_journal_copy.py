"""The readable copy holds every write and request and each change of it, and says when it is behind."""

import base64
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from app.store.journal import request_store, review_store, write_store
from app.store.journal.profile_store import save_profile
from app.store.journal.recovery import readable_copy
from app.store.journal.recovery.copy_lines import REQUESTS, CopiedTable, Place, from_line, is_whole, last_place, to_line
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.readable_copy import ReadableCopy, append, copy_path, cut, read_copy
from app.store.journal.request_store import REQUEST_STATES
from app.store.journal.setting_store import write_setting
from app.store.sqlite.plain_rows import Bindings, Columns, value, whole_rows
from tests.support.journals import ACME, ALL_STATES, NOW, ask, fill, opened_journal, payload_of, states


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Journal]:
    made = Journal(tmp_path / "journal.sqlite3")
    yield made
    made.close_now()


def lines(database: Journal) -> list[dict[str, Any]]:
    database.copy.settle()
    assert database.copy.trouble is None
    return [json.loads(line) for line in database.copy.path.read_text(encoding="utf-8").splitlines()]


def test_a_person_can_read_what_was_sent_and_how_it_ended(database: Journal) -> None:
    made = fill(database)
    found = lines(database)
    assert found[0]["line"] == "profile"
    assert found[0]["name"] == "Acme ÄÖ"
    orders = [each for each in found if each["line"] == "order"]
    assert [each["reference"] for each in orders] == [f"R-{number}" for number in range(len(ALL_STATES))]
    for each in orders:
        assert each["text"].encode() == payload_of(each["reference"]) == base64.b64decode(each["payload"])
        assert each["now"]["state"] == "queued"
    ways = {write: [each["now"]["state"] for each in found if each.get("write") == write] for write in made.values()}
    assert ways[made["confirmed"]] == ["queued", "sending", "accepted", "confirmed"]
    assert ways[made["in_doubt"]] == ["queued", "sending", "in_doubt"]
    said = [each["now"].get("note") for each in found if each.get("write") == made["confirmed"]]
    assert said == [None, None, "It ended.", "Read back."]


def test_a_person_can_read_which_requests_were_sent_and_how_they_ended(database: Journal) -> None:
    fill(database)
    found = lines(database)
    whole = [each for each in found if each["line"] == "request"]
    assert [each["title"] for each in whole] == list(REQUEST_STATES)
    for each in whole:
        assert (each["profile"], each["operation"]) == ("acme", "truck_submit")
        assert each["text"].encode() == base64.b64decode(each["payload"]) == f'{{"truck":"{each["title"]} Ä"}}'.encode()
        assert each["now"] == {"state": "sending"}
    ways = {
        begun["title"]: [each["now"]["state"] for each in found if each.get("request") == begun["request"]]
        for begun in whole
    }
    assert ways == {
        "sending": ["sending"],
        **{state: ["sending", state] for state in ("accepted", "refused", "not_sent", "in_doubt")},
        "not_arrived": ["sending", "in_doubt", "not_arrived"],
    }


def copied_requests(path: Path) -> list[Columns]:
    return [read_copy(path).requests[number] for number in sorted(read_copy(path).requests)]


def stored_requests(database: Journal) -> list[Columns]:
    found = database.read_now(whole_rows, "requests", "ORDER BY id")
    return [{name: each for name, each in columns.items() if each is not None} for columns in found]


def test_the_copy_holds_the_requests_that_the_journal_holds(database: Journal) -> None:
    fill(database)
    database.copy.settle()
    assert copied_requests(database.copy.path) == stored_requests(database)
    assert {each.get("reply") for each in stored_requests(database)} == {None, b"\xff{}"}
    assert last_place(database.copy.path).newest_request == len(REQUEST_STATES)


def test_a_request_brings_its_connection_into_the_copy(database: Journal) -> None:
    database.write_now(save_profile, ACME)
    number = ask(database, "sending", NOW)
    database.copy.settle()
    content = read_copy(database.copy.path)
    assert (list(content.profiles), list(content.requests), content.writes) == (["acme"], [number], {})


def test_the_copy_holds_what_the_journal_holds(database: Journal) -> None:
    fill(database)
    database.copy.settle()
    content = read_copy(database.copy.path)
    assert {str(each["reference"]): each["state"] for each in content.writes.values()} == states(database)
    assert content.unreadable == 0
    assert list(content.profiles) == ["acme"]
    assert content.profiles["acme"]["base_url"] == "http://a/"
    assert content.place.change == database.read_now(value, "SELECT change FROM tally")


def copied_attempts(path: Path, write: int) -> list[Columns]:
    return list(read_copy(path).attempts[write].values())


def stored_attempts(database: Journal, write: int) -> list[Columns]:
    found = database.read_now(whole_rows, "attempts", "WHERE write_id = ? ORDER BY id", (write,))
    return [{name: each for name, each in columns.items() if each is not None} for columns in found]


def test_the_copy_holds_the_attempts_of_every_write(database: Journal) -> None:
    made = fill(database)
    database.copy.settle()
    for state, write in made.items():
        found = copied_attempts(database.copy.path, write)
        assert found == stored_attempts(database, write)
        assert bool(found) == (state not in ("queued", "withdrawn"))


def test_attempts_that_were_counted_in_one_are_one_in_the_copy(database: Journal) -> None:
    write = database.write_now(write_store.queue_write, "acme", "submit", "R-1", b"{}", NOW)
    # More than a line has, in three runs: two that are counted in one row each, and one of different sentences.
    for sentence in (*["Too many."] * 4, *(f"Refused {number}." for number in range(12)), *["Too many."] * 3):
        attempt = database.write_now(write_store.begin_attempt, write, NOW)
        database.write_now(write_store.end_attempt, attempt, "not_taken", NOW, http_status=429, sentence=sentence)
    database.copy.settle()
    stored = stored_attempts(database, write)
    assert [each["repeats"] for each in stored] == [3, *[0] * 12, 2]
    assert copied_attempts(database.copy.path, write) == stored
    database.copy.path.unlink()
    for note in ("It is gone.", "It is written anew."):
        database.write_now(write_store.set_note, write, note, NOW)
        database.copy.settle()
    assert copied_attempts(database.copy.path, write) == stored, "a new copy has all of them"


def test_the_copy_holds_reviews_and_templates_and_forgets_what_they_were(database: Journal) -> None:
    fill(database)
    database.copy.settle()
    before = last_place(database.copy.path).change
    for body in ('{"note": "first words", "noted": true}', '{"note": "last words", "noted": true}'):
        database.write_now(review_store.put_review, "acme", 4_001, "", body, NOW)
    for name in ("Miller, 12 Elm Street", "Yard run"):
        database.write_now(write_setting, "templates.truck_submit/acme", {name: "{}"})
    database.write_now(write_setting, "draft.truck_submit/acme", "typed")
    database.copy.settle()
    content = read_copy(database.copy.path)
    assert content.place.change == before + 4
    assert [each["body"] for each in content.reviews.values() if each["photo"] == ""] == [
        '{"note": "last words", "noted": true}'
    ]
    assert [each["value"] for each in content.templates.values()] == ['{"Yard run": "{}"}']
    text = database.copy.path.read_text(encoding="utf-8")
    assert "Elm Street" in text
    assert "typed" not in text
    assert database.copy.remove_rows(lambda _, __: True).result() == 3  # two earlier reviews, and the first template
    text = database.copy.path.read_text(encoding="utf-8")
    assert "Elm Street" not in text
    assert "first words" not in text
    assert read_copy(database.copy.path).reviews == content.reviews
    assert read_copy(database.copy.path).templates == content.templates


def test_drafts_and_secrets_are_not_in_the_copy(database: Journal) -> None:
    fill(database)
    kinds = {each["line"] for each in lines(database)}
    assert kinds == {"profile", "order", "state", "request", "request_state", "review"}


@pytest.mark.skipif(sys.platform == "win32", reason="there a file has the rights of its folder")
def test_only_the_owner_may_read_the_copy(database: Journal) -> None:
    fill(database)
    database.copy.settle()
    assert database.copy.path.stat().st_mode & 0o077 == 0


def test_odd_bytes_come_back_exactly(database: Journal) -> None:
    odd = bytes(range(256)) + '", "check": "\u2028\n'.encode()
    write = database.write_now(write_store.queue_write, "acme", "cancel", "R\n\u2028", odd, NOW)
    database.copy.settle()
    assert read_copy(database.copy.path).writes[write]["payload"] == odd
    assert read_copy(database.copy.path).writes[write]["reference"] == "R\n\u2028"


def test_a_missing_copy_is_written_anew_at_the_next_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.store.journal.recovery.readable_copy._AT_ONCE", 2)  # in many small batches
    path = tmp_path / "journal.sqlite3"
    with opened_journal(path) as database:
        fill(database)
    copy_path(path).unlink()
    with opened_journal(path) as database:
        database.write_now(lambda _: None)
        expected, requests = states(database), stored_requests(database)
        last = database.read_now(value, "SELECT change FROM tally")
    content = read_copy(copy_path(path))
    assert {str(each["reference"]): each["state"] for each in content.writes.values()} == expected
    assert copied_requests(copy_path(path)) == requests
    assert last_place(copy_path(path)) == Place(content.place.journal, last, len(ALL_STATES), len(REQUEST_STATES))


def test_changes_of_both_tables_are_copied_in_small_batches(database: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch that took the changes of one table up to a later number would leave out those of the other for good."""
    made = fill(database)
    asked = [ask(database, "in_doubt", NOW, f"Q-{number}") for number in range(4)]
    database.copy.settle()
    monkeypatch.setattr(readable_copy, "_AT_ONCE", 2)

    def change_all(c: apsw.Connection) -> None:
        for number in asked:
            request_store.decide_request(c, number, "not_arrived", "Decided.", NOW)
        for write in made.values():
            write_store.set_note(c, write, "Once more.", NOW)

    database.write_now(change_all)
    while database.write_now(database.copy.follow):
        pass
    database.copy.settle()
    content = read_copy(database.copy.path)
    assert {content.requests[number]["state"] for number in asked} == {"not_arrived"}
    assert {each["note"] for each in content.writes.values()} == {"Once more."}


def test_lines_missing_after_a_kill_are_added_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with opened_journal(path) as database:
        fill(database)
        expected, requests = states(database), stored_requests(database)
    whole = copy_path(path).read_bytes()
    for length in (0, len(whole) // 3, len(whole) // 2, len(whole) - 1):
        copy_path(path).write_bytes(whole[:length])
        with opened_journal(path) as database:
            assert states(database) == expected
        content = read_copy(copy_path(path))
        assert {str(each["reference"]): each["state"] for each in content.writes.values()} == expected
        assert copied_requests(copy_path(path)) == requests


def test_a_torn_line_does_not_spoil_the_next(tmp_path: Path) -> None:
    path = tmp_path / "copy"
    line = to_line({"line": "forgotten", "count": 1}, Place("j", 1, 1))
    append(path, line[:20])
    append(path, line)
    assert [from_line(each) is not None for each in path.read_bytes().splitlines()] == [False, True]
    assert last_place(path) == Place("j", 1, 1)


def test_a_changed_line_is_not_used() -> None:
    line = to_line({"line": "state", "write": 1, "change": 2, "now": {"state": "queued"}}, Place("j", 2, 1)).encode()
    assert is_whole(line)
    for at in range(len(line) - 1):
        spoilt = bytearray(line)
        spoilt[at] ^= 0x04
        assert not is_whole(bytes(spoilt)), bytes(spoilt)
        assert not is_whole(line[:at])


def test_the_last_place_is_found_behind_a_long_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "copy"
    append(path, to_line({"line": "forgotten", "count": 1}, Place("j", 7, 3)))
    append(path, "x" * 3_000_000)
    assert last_place(path) == Place("j", 7, 3)
    assert last_place(tmp_path / "none") == Place()


def test_a_copy_that_is_behind_says_so_and_catches_up(database: Journal) -> None:
    database.write_now(lambda _: None)
    database.copy.path.mkdir()  # not even the superuser can write to a folder
    fill(database)
    database.copy.settle()
    assert "could not be added to" in (database.copy.trouble or "")
    assert len(states(database)) == len(ALL_STATES)  # the journal works
    database.copy.path.rmdir()
    database.write_now(write_store.set_note, 1, "Once more.", NOW)
    assert len([each for each in lines(database) if each["line"] == "order"]) == len(ALL_STATES)


def test_a_copy_deleted_in_use_is_written_anew_whole(database: Journal) -> None:
    """A copy written from the middle on would claim writes that it does not hold."""
    fill(database)
    database.copy.settle()
    database.copy.path.unlink()
    database.write_now(write_store.set_note, 1, "Once more.", NOW)
    database.copy.settle()
    assert "it is gone" in (database.copy.trouble or "")
    database.write_now(write_store.set_note, 1, "And again.", NOW)
    database.copy.settle()
    assert database.copy.trouble is None
    content = read_copy(database.copy.path)
    assert (len(content.writes), content.writes[1]["note"]) == (len(ALL_STATES), "And again.")
    assert set(content.profiles) == {"acme"}


@pytest.mark.expects_log("What was written could not be followed: IOError")
def test_a_connection_that_could_not_be_read_is_copied_the_next_time(
    database: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.write_now(save_profile, ACME)
    database.write_now(save_profile, replace(ACME, id="beta"))
    database.write_now(lambda _: None)

    def queue_for_both(c: apsw.Connection) -> None:
        for profile in ("acme", "beta"):
            write_store.queue_write(c, profile, "submit", f"R of {profile}", b"{}", NOW)

    def fails_once(c: apsw.Connection, table: str, rest: str = "", bindings: Bindings = ()) -> list[Columns]:
        if "beta" in bindings:
            monkeypatch.setattr(readable_copy, "whole_rows", whole_rows)
            raise apsw.IOError("in the middle")
        return whole_rows(c, table, rest, bindings)

    monkeypatch.setattr(readable_copy, "whole_rows", fails_once)
    database.write_now(queue_for_both)
    database.write_now(write_store.set_note, 1, "Once more.", NOW)
    database.copy.settle()
    assert set(read_copy(database.copy.path).profiles) == {"acme", "beta"}


def test_lines_that_cannot_be_added_for_any_reason_are_added_later(
    database: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_path: Path, _text: str) -> None:
        raise ValueError("of all things")

    with monkeypatch.context() as patched:
        patched.setattr(readable_copy, "append", fails)
        fill(database)
        database.copy.settle()
        assert "ValueError" in (database.copy.trouble or "")
    database.write_now(write_store.set_note, 1, "Once more.", NOW)
    database.copy.settle()
    assert database.copy.trouble is None
    assert len(read_copy(database.copy.path).writes) == len(ALL_STATES)


def test_a_cut_removes_lines_and_wipes_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with opened_journal(path) as database:
        made = fill(database)
    copy = copy_path(path)
    place, confirmed = last_place(copy), made["confirmed"]
    gone = REQUEST_STATES.index("not_arrived") + 1

    def keep(table: CopiedTable, number: int) -> bool:
        return number != (gone if table is REQUESTS else confirmed)

    if sys.platform == "win32":  # no file is replaced there that somebody reads
        assert cut(copy, keep) == 4 + 3
    else:
        with copy.open("rb") as old:
            assert cut(copy, keep) == 4 + 3
            assert set(old.read()) == {0}
    content = read_copy(copy)
    assert set(content.writes) == set(made.values()) - {confirmed}
    assert set(content.requests) == set(range(1, len(REQUEST_STATES) + 1)) - {gone}
    assert b"not_arrived" not in copy.read_bytes()
    assert f"R-{confirmed - 1}".encode() not in copy.read_bytes()
    assert last_place(copy) == place  # the journal does not look older than its copy
    before = copy.read_bytes()
    assert cut(copy, lambda _, __: True) == 0
    assert copy.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir() if "unfinished" in each.name] == []
    with opened_journal(path) as database:
        assert set(read_copy(copy).writes) == set(made.values()) - {confirmed}


def test_nothing_to_cut_where_there_is_no_copy(tmp_path: Path) -> None:
    copy = ReadableCopy(tmp_path / "none")
    assert copy.remove_rows(lambda _, __: False).result() == 0
    copy.close()
    assert list(tmp_path.iterdir()) == []
