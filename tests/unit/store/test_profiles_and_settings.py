"""Connections and choices lie in the journal; secrets do not."""

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import apsw
import pytest

from app.store import profiles, settings
from app.store.journal_schema import JOURNAL
from app.store.opening import open_file
from app.store.profiles import Profile

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
    profiles.delete_profile(c, "id-2")
    assert profiles.all_profiles(c) == [changed]


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
