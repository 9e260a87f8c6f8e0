"""Connections and settings are stored in the journal; secrets are not."""

from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import datetime
from pathlib import Path

import apsw
import pytest

from app.store.journal import held_writes, profile_store, setting_store, write_store
from app.store.journal.profile_store import Profile
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.sqlite.opening import open_file
from app.store.store_errors import WrongState

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


def test_profiles_are_stored_changed_and_removed(c: apsw.Connection) -> None:
    assert profile_store.all_profiles(c) == []
    other = replace(ACME, id="id-2", name="acme, the old one", kind="test", scopes=("a", "b"))
    for profile in (other, ACME):
        profile_store.save_profile(c, profile)
    assert profile_store.all_profiles(c) == [ACME, other]
    changed = replace(
        ACME, name="Zenith", kind="test", base_url="1", info_base_url="2", auth_url="3", client_id="4", scopes=("x",),
        colour="teal", proxy="http://p.example:8080", proxy_user="u", authorities="/etc/acme.pem", replies="xml",
        sends="xml",
    )  # fmt: skip
    profile_store.save_profile(c, changed)
    assert profile_store.all_profiles(c) == [other, changed]
    profile_store.remove_profile(c, other)
    assert profile_store.all_profiles(c) == [changed]


def test_options_that_another_version_wrote_do_no_harm(c: apsw.Connection) -> None:
    profile_store.save_profile(c, ACME)
    options = '{"colour": 7, "replies": "cbor", "sends": ["xml"], "proxy": "direct", "new": [1]}'
    c.execute("UPDATE profiles SET options = ?", (options,))
    assert profile_store.all_profiles(c) == [replace(ACME, proxy="direct")]
    c.execute("UPDATE profiles SET options = '[]'")
    assert profile_store.all_profiles(c) == [ACME]


def queued(c: apsw.Connection, profile: Profile) -> int:
    return write_store.queue_write(c, profile.id, "submit", "R-1", b"{}", NOW)


@pytest.mark.parametrize("state", ["queued", "held", "sending", "in_doubt", "rejected"])
def test_a_connection_with_unfinished_writes_is_not_removed(c: apsw.Connection, state: str) -> None:
    profile_store.save_profile(c, ACME)
    write = queued(c, ACME)
    if state == "held":
        held_writes.hold(c, write, "Why.", NOW)
    elif state != "queued":
        attempt = write_store.begin_attempt(c, write, NOW)
        if state != "sending":
            write_store.end_attempt(c, attempt, "unknown" if state == "in_doubt" else "rejected", NOW)
    with pytest.raises(WrongState):
        profile_store.remove_profile(c, ACME)
    assert profile_store.all_profiles(c) == [ACME]
    moved = replace(ACME, client_id="another")
    if state in ("sending", "in_doubt"):
        with pytest.raises(WrongState):
            profile_store.move_profile(c, moved)
    else:
        profile_store.move_profile(c, moved)
        assert profile_store.all_profiles(c) == [moved]


def test_a_connection_added_again_gets_its_old_id(c: apsw.Connection) -> None:
    profile_store.save_profile(c, ACME)
    write_store.settle(c, queued(c, ACME), "withdrawn", "Withdrawn.", NOW)
    profile_store.remove_profile(c, ACME)
    again = replace(ACME, id="new", name="Otherwise called", base_url=f" {ACME.base_url.upper()}/ ")
    assert profile_store.reusable_id(c, again) == ACME.id
    assert len(write_store.writes_page(c, ACME.id, (), 9)) == 1, "what was sent is kept meanwhile"
    assert profile_store.reusable_id(c, replace(again, client_id="another")) is None
    assert profile_store.reusable_id(c, replace(again, base_url="https://elsewhere.example")) is None
    profile_store.save_profile(c, replace(again, id=ACME.id))
    assert profile_store.reusable_id(c, again) is None, "it is in use by the one that is there"


def test_a_lone_surrogate_in_a_name_is_written_out(c: apsw.Connection) -> None:
    profile_store.save_profile(c, replace(ACME, name="half \ud83d"))
    assert [profile.name for profile in profile_store.all_profiles(c)] == ["half \\ud83d"]


@pytest.mark.parametrize("wrong", [{"name": "  "}, {"kind": "staging"}])
def test_invalid_profiles_are_refused(c: apsw.Connection, wrong: dict[str, str]) -> None:
    with pytest.raises(apsw.ConstraintError):
        profile_store.save_profile(c, replace(ACME, **wrong))  # type: ignore[arg-type]


def test_a_profile_has_no_field_for_a_secret() -> None:
    assert not [field.name for field in fields(Profile) if "secret" in field.name or "password" in field.name]


def test_settings_hold_what_json_can(c: apsw.Connection) -> None:
    for value in ("dark", 30, 1.5, True, None, ["a", {"b": "é \ud83d"}]):
        setting_store.write_setting(c, "key", value)
        assert setting_store.read_setting(c, "key", "default") == value
    setting_store.write_setting(c, "other", 1)
    assert setting_store.read_setting(c, "key") == ["a", {"b": "é \ud83d"}]
    assert setting_store.read_setting(c, "missing") is None
    assert setting_store.read_setting(c, "missing", "default") == "default"


@pytest.mark.parametrize(
    "moved", [replace(ACME, client_id="another"), replace(ACME, base_url="https://new.example"), None]
)
def test_scopes_of_a_removed_or_moved_connection_are_dropped(c: apsw.Connection, moved: Profile | None) -> None:
    """Writes queued for the new provider must never go to the one before."""
    profile_store.save_profile(c, ACME)
    tested = replace(ACME, scopes=("orders",))
    profile_store.save_scopes(c, tested)
    assert profile_store.all_profiles(c) == [tested]
    if moved is None:
        profile_store.remove_profile(c, ACME)
    else:
        profile_store.move_profile(c, moved)
    profile_store.save_scopes(c, tested)
    assert profile_store.all_profiles(c) == ([] if moved is None else [moved])


def test_storing_scopes_changes_no_name(c: apsw.Connection) -> None:
    renamed = replace(ACME, name="Renamed")
    profile_store.save_profile(c, renamed)
    profile_store.save_scopes(c, replace(ACME, scopes=("orders",)))
    assert profile_store.all_profiles(c) == [replace(renamed, scopes=("orders",))]


def test_unfinished_writes_of_other_connections_are_counted(c: apsw.Connection) -> None:
    """Ended writes are not counted, nor is practice, which sends nothing to a provider."""
    other = replace(ACME, id="id-2")
    practice = replace(ACME, id="practice")
    for each in (ACME, other):
        profile_store.save_profile(c, each)
    for each in (ACME, other, practice):
        queued(c, each)
    write_store.settle(c, queued(c, other), "withdrawn", "Withdrawn.", NOW)
    at_acme = profile_store.UnfinishedConnection(ACME.id, ACME.name, 1)
    at_other = profile_store.UnfinishedConnection("id-2", ACME.name, 1)
    assert profile_store.unfinished_connections(c, ACME.id) == [at_other]
    assert profile_store.unfinished_connections(c, "id-2") == [at_acme]
    assert profile_store.unfinished_connections(c, practice.id) in ([at_acme, at_other], [at_other, at_acme])
