"""Connections and choices lie in the journal; secrets do not."""

from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import datetime
from pathlib import Path

import apsw
import pytest

from app.store import journal, journal_held, profiles, settings
from app.store.errors import WrongState
from app.store.journal_schema import JOURNAL
from app.store.opening import open_file
from app.store.profiles import Profile

NOW = datetime(2026, 11, 20, 14, 2)
ACME = Profile(
    "id-1",
    "Acme Freight",
    "production",
    "https://a.example",
    "https://b.example/OrderInformationApi",
    "https://c.example",
    "client-1",
)


@pytest.fixture
def c(tmp_path: Path) -> Iterator[apsw.Connection]:
    connection = open_file(tmp_path / "journal.sqlite3", JOURNAL)
    yield connection
    connection.close()


def test_profiles_are_kept_changed_and_forgotten(c: apsw.Connection) -> None:
    assert profiles.all_profiles(c) == []
    other = replace(ACME, id="id-2", name="acme, the old one", kind="test", scopes=("a", "b"))
    for profile in (other, ACME):
        profiles.save_profile(c, profile)
    assert profiles.all_profiles(c) == [ACME, other]
    changed = replace(
        ACME, name="Zenith", kind="test", base_url="1", info_base_url="2", auth_url="3", client_id="4", scopes=("x",)
    )
    profiles.save_profile(c, changed)
    assert profiles.all_profiles(c) == [other, changed]
    profiles.remove_profile(c, other)
    assert profiles.all_profiles(c) == [changed]


def queued(c: apsw.Connection, profile: Profile) -> int:
    return journal.queue_write(c, profile.id, "submit", "R-1", b"{}", NOW)


@pytest.mark.parametrize("state", ["queued", "held", "sending", "in_doubt", "rejected"])
def test_a_connection_stays_while_something_of_it_has_not_ended(c: apsw.Connection, state: str) -> None:
    profiles.save_profile(c, ACME)
    write = queued(c, ACME)
    if state == "held":
        journal_held.hold(c, write, "Why.", NOW)
    elif state != "queued":
        attempt = journal.begin_attempt(c, write, NOW)
        if state != "sending":
            journal.end_attempt(c, attempt, "unknown" if state == "in_doubt" else "rejected", NOW)
    with pytest.raises(WrongState):
        profiles.remove_profile(c, ACME)
    assert profiles.all_profiles(c) == [ACME]
    moved = replace(ACME, client_id="another")
    if state in ("sending", "in_doubt"):
        with pytest.raises(WrongState):
            profiles.move_profile(c, moved)
    else:
        profiles.move_profile(c, moved)
        assert profiles.all_profiles(c) == [moved]


def test_a_connection_that_is_made_again_finds_its_journal(c: apsw.Connection) -> None:
    profiles.save_profile(c, ACME)
    journal.settle(c, queued(c, ACME), "withdrawn", "Taken back.", NOW)
    profiles.remove_profile(c, ACME)
    again = replace(ACME, id="new", name="Otherwise called", base_url=f" {ACME.base_url.upper()}/ ")
    assert profiles.id_again(c, again) == ACME.id
    assert len(journal.writes_page(c, ACME.id, (), 9)) == 1, "what was sent is kept meanwhile"
    assert profiles.id_again(c, replace(again, client_id="another")) is None
    assert profiles.id_again(c, replace(again, base_url="https://elsewhere.example")) is None
    profiles.save_profile(c, replace(again, id=ACME.id))
    assert profiles.id_again(c, again) is None, "it is in use by the one that is there"


def test_half_a_character_in_a_name_is_written_out(c: apsw.Connection) -> None:
    profiles.save_profile(c, replace(ACME, name="half \ud83d"))
    assert [profile.name for profile in profiles.all_profiles(c)] == ["half \\ud83d"]


@pytest.mark.parametrize("wrong", [{"name": "  "}, {"kind": "staging"}])
def test_profiles_that_make_no_sense_are_refused(c: apsw.Connection, wrong: dict[str, str]) -> None:
    with pytest.raises(apsw.ConstraintError):
        profiles.save_profile(c, replace(ACME, **wrong))  # type: ignore[arg-type]


def test_a_profile_has_no_place_for_a_secret() -> None:
    assert not [field.name for field in fields(Profile) if "secret" in field.name]


def test_settings_hold_what_json_can(c: apsw.Connection) -> None:
    for value in ("dark", 30, 1.5, True, None, ["a", {"b": "é \ud83d"}]):
        settings.write_setting(c, "key", value)
        assert settings.read_setting(c, "key", "default") == value
    settings.write_setting(c, "other", 1)
    assert settings.read_setting(c, "key") == ["a", {"b": "é \ud83d"}]
    assert settings.read_setting(c, "missing") is None
    assert settings.read_setting(c, "missing", "default") == "default"


@pytest.mark.parametrize(
    "moved", [replace(ACME, client_id="another"), replace(ACME, base_url="https://new.example"), None]
)
def test_a_test_that_ends_late_brings_no_connection_back(c: apsw.Connection, moved: Profile | None) -> None:
    """It was removed, or leads elsewhere by now: what is queued never goes to the place before for that."""
    profiles.save_profile(c, ACME)
    tested = replace(ACME, scopes=("orders",))
    profiles.keep_scopes(c, tested)
    assert profiles.all_profiles(c) == [tested]
    if moved is None:
        profiles.remove_profile(c, ACME)
    else:
        profiles.move_profile(c, moved)
    profiles.keep_scopes(c, tested)
    assert profiles.all_profiles(c) == ([] if moved is None else [moved])


def test_a_test_that_ends_late_changes_no_name(c: apsw.Connection) -> None:
    renamed = replace(ACME, name="Renamed")
    profiles.save_profile(c, renamed)
    profiles.keep_scopes(c, replace(ACME, scopes=("orders",)))
    assert profiles.all_profiles(c) == [replace(renamed, scopes=("orders",))]


def test_what_waits_in_other_connections_is_counted(c: apsw.Connection) -> None:
    """Practice, which sends nothing anywhere, and what has ended are not."""
    other = replace(ACME, id="id-2")
    practice = replace(ACME, id="practice")
    for each in (ACME, other):
        profiles.save_profile(c, each)
    for each in (ACME, other, practice):
        queued(c, each)
    journal.settle(c, queued(c, other), "withdrawn", "Taken back.", NOW)
    at_acme, at_other = profiles.Waiting(ACME.id, ACME.name, 1), profiles.Waiting("id-2", ACME.name, 1)
    assert profiles.unfinished_elsewhere(c, ACME.id) == [at_other]
    assert profiles.unfinished_elsewhere(c, "id-2") == [at_acme]
    assert profiles.unfinished_elsewhere(c, practice.id) in ([at_acme, at_other], [at_other, at_acme])
