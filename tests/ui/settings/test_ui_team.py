"""Settings, "Work with a team": typed, tested leg by leg, joined, seen to work, left. Against a real PostgreSQL."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest

from app.background.team_connector import TeamConnector
from app.desk.desk import Desk
from app.desk.sending import outbox
from app.desk.team import sharing
from app.store.journal.profile_store import save_profile
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.team import team_log
from app.store.journal.team.team_choice import TeamChoice, read_choice
from app.store.paths import DataDir
from app.store.secrets import TEAM_LOGIN, SecretStore
from app.store.team.team_calls import TeamSettings
from app.store.team.team_link import LinkState
from app.ui.base.page import PageServices
from app.ui.settings.settings_page import Keeping, SettingsPage
from app.ui.settings.team_section import TeamSection
from tests.support.desks import submission
from tests.support.loop import RunningLoop
from tests.support.postgres import TeamDatabase
from tests.ui.conftest import Show
from tests.ui.questions_help import answer, question
from tests.ui.settings.settings_help import said


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> SecretStore:
    """A computer without a keyring: nothing of the person's own is touched."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    return SecretStore(seconds=5)


@pytest.fixture
def connector(
    loop: RunningLoop, services: PageServices, offline_desk: Desk, secrets: SecretStore, tmp_path: Path
) -> Iterator[TeamConnector]:
    loop.run(offline_desk.journal.write(save_profile, offline_desk.profile))
    made = TeamConnector(services.sink, offline_desk.journal, DataDir(tmp_path))
    made.take_desk(offline_desk)
    made.begin(secrets)
    yield made
    loop.run(made.aclose(20))


@pytest.fixture
def page(
    loop: RunningLoop,
    services: PageServices,
    show: Show,
    offline_desk: Desk,
    secrets: SecretStore,
    tmp_path: Path,
    connector: TeamConnector,
) -> SettingsPage:
    assert isinstance(offline_desk.journal, Journal)
    made = SettingsPage(services, Keeping(offline_desk.journal, secrets, DataDir(tmp_path)))
    made.team_section.take(connector)
    show(made)
    made.take_desk(offline_desk)
    loop.until(lambda: not made.tasks.busy and not connector.busy)
    return made


def type_team(section: TeamSection, team: TeamDatabase, **other: str) -> None:
    """Fill the form in as Anna would."""
    role, password = next(iter(team.people.items()))
    texts = {
        "host": team.place.host,
        "port": str(team.place.port),
        "database": team.place.database,
        "user": role,
        "password": password,
        "person": "Anna Keller",
        "authorities": team.place.authorities,
        **other,
    }
    for name, text in texts.items():
        section.fields[name].set_text("")
        QTest.keyClicks(section.fields[name].editor, text)


def _has_team(desk: Desk) -> bool:
    return desk.team is not None


def test_whoever_works_alone_sees_only_how_to_join(page: SettingsPage) -> None:
    section = page.team_section
    assert "This desk works alone." in said(section)
    assert section.join_button.isVisible()
    assert not section.leave_button.isVisible()
    assert not section.fields["host"].isVisible()
    section.join_button.click()
    password = section.fields["password"]
    assert (password.label.text(), password.editor.accessibleDescription()) == ("Password · required", "Required.")


def test_a_team_is_tested_joined_and_left(
    loop: RunningLoop, page: SettingsPage, team_database: TeamDatabase, offline_desk: Desk, connector: TeamConnector
) -> None:
    section = page.team_section
    section.join_button.click()
    type_team(section, team_database)
    section.test_button.click()
    loop.until(lambda: "Nobody has joined yet." in section.legs_label.text(), lambda: said(section))
    assert section.legs_label.text().count("✓") == 7
    assert loop.run(offline_desk.journal.read(read_choice)) is None, "a test keeps nothing"
    section.save_button.click()
    loop.until(lambda: "Connected as Anna Keller." in said(section), lambda: said(page))
    assert _has_team(offline_desk)
    assert not section.fields["host"].isVisible()
    assert "must be entered again" in said(page), "there is no keyring here"
    section.change_button.click()
    assert section.fields["password"].label.text() == "Password", "the one that is known stays"
    write = loop.run(outbox.queue_submission(offline_desk, submission("R-1"), None))
    connector.tell()

    def told() -> bool:
        log = loop.run(offline_desk.journal.read(team_log.current))
        return log is not None and log.pushed == log.seq > 0

    loop.until(told)
    section.leave_button.click()
    answer(question(loop, section), "Leave the team")
    loop.until(lambda: "This desk works alone." in said(section))
    loop.until(lambda: not page.tasks.busy)
    assert not _has_team(offline_desk)
    assert loop.run(offline_desk.journal.read(read_choice)) is None
    assert loop.run(offline_desk.journal.read(team_log.current)) is None
    assert (loop.run(outbox.story(offline_desk, write))).row.state == "queued", "what was done here stays"


def test_consignees_are_shared_by_a_switch_and_only_where_orders_are_copied(
    loop: RunningLoop, page: SettingsPage, team_database: TeamDatabase, offline_desk: Desk,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    section = page.team_section
    assert not section.consignees_box.isVisible(), "there is nobody to share with"
    section.join_button.click()
    type_team(section, team_database)
    section.save_button.click()
    loop.until(lambda: "Connected as Anna Keller." in said(section), lambda: said(page))
    assert section.consignees_box.isVisible()
    assert not section.consignees_box.isChecked()
    section.consignees_box.click()
    loop.until(lambda: "The team is offered the consignees of your orders now." in said(page), lambda: said(page))
    assert loop.run(sharing.shares_consignees(offline_desk))
    page.take_desk(offline_desk)
    loop.until(lambda: not page.tasks.busy and section.consignees_box.isChecked())
    section.consignees_box.click()
    loop.until(lambda: "The team learns no more consignees from you." in said(page), lambda: said(page))
    assert not loop.run(sharing.shares_consignees(offline_desk))
    hiding = LinkState(connected=True, settings=TeamSettings(payloads=False, keep_months=36))
    monkeypatch.setattr(TeamConnector, "state", property(lambda _: hiding))
    section.show_state()
    assert not section.consignees_box.isEnabled()
    assert "there are no consignees to share" in said(section)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("password", "wrong", "The database refused the name or the password."),
        ("database", "nothing", "The server has no database of this name."),
        ("host", "other.acme.test", "did not prove that it is other.acme.test"),
        ("authorities", "/nonexistent.pem", "No such file or directory"),
    ],
)
def test_the_trouble_stands_beside_its_field(
    loop: RunningLoop, page: SettingsPage, team_database: TeamDatabase, offline_desk: Desk, name: str, text: str,
    sentence: str,
) -> None:  # fmt: skip
    section = page.team_section
    section.join_button.click()
    type_team(section, team_database, **{name: text})
    section.save_button.click()
    loop.until(lambda: section.save_button.isEnabled() and "✕" in section.legs_label.text(), lambda: said(section))
    shown = {each: field.shown for each, field in section.fields.items() if field.trouble}
    assert list(shown) == ["authorities" if name == "host" else name]
    assert sentence in " ".join(shown.values())
    assert loop.run(offline_desk.journal.read(read_choice)) is None, "what does not work is not joined"
    assert section.fields["person"].text() == "Anna Keller", "and nothing typed is lost"


def test_what_is_missing_is_said_before_anybody_is_asked(page: SettingsPage) -> None:
    section = page.team_section
    section.join_button.click()
    section.fields["port"].set_text("seven")
    section.save_button.click()
    assert {name for name, field in section.fields.items() if field.trouble} == {
        "host", "port", "database", "user", "password", "person",
    }  # fmt: skip
    assert not page.tasks.busy


def test_at_the_next_start_the_team_is_there_again(
    loop: RunningLoop, services: PageServices, secrets: SecretStore, offline_desk: Desk, team_database: TeamDatabase,
    tmp_path: Path,
) -> None:  # fmt: skip
    role, password = next(iter(team_database.people.items()))
    place = team_database.place
    choice = TeamChoice(place.host, place.port, place.database, role, "Anna", place.authorities, waits=True)
    first = TeamConnector(services.sink, offline_desk.journal, DataDir(tmp_path))
    first.take_desk(offline_desk)
    first.begin(secrets)
    loop.run(first.join(choice, password))
    loop.until(lambda: first.state is not None and first.state.connected)
    loop.run(first.aclose(20))
    again = TeamConnector(services.sink, offline_desk.journal, DataDir(tmp_path))
    again.take_desk(offline_desk)
    again.begin(secrets)
    loop.until(lambda: again.state is not None and again.state.connected)
    assert again.choice == choice
    loop.run(again.aclose(20))
    loop.run(secrets.delete(TEAM_LOGIN))
    without = TeamConnector(services.sink, offline_desk.journal, DataDir(tmp_path))
    without.begin(secrets)
    loop.until(lambda: "not in the keyring" in without.trouble)
    assert without.state is None
    loop.run(without.aclose(20))


def test_a_desk_that_works_alone_imports_and_connects_nothing() -> None:
    """In a process of its own: this one has imported everything."""

    script = """
import json, sys, tempfile, asyncio
from pathlib import Path
from app.store.journal.recovery.journal_file import Journal
from app.store.journal import write_store
from app.store.paths import DataDir
from app.background.team_connector import TeamConnector
from app.runtime.sink import Sink
from app.desk.sending import outbox, send_queue
from datetime import datetime, UTC
with tempfile.TemporaryDirectory() as folder:
    journal = Journal(Path(folder) / "journal.sqlite3")
    team = TeamConnector(Sink(), journal, DataDir(Path(folder)))
    team._secrets = object()
    asyncio.run(team._open())
    journal.write_now(write_store.queue_write, "p", "submit", "R 1", b"{}", datetime.now(UTC))
    journal.close_now()
    files = sorted(each.name for each in Path(folder).iterdir())
loaded = [name for name in sys.modules if name.startswith(("psycopg", "app.store.team", "app.desk.team."))]
print(json.dumps({"loaded": loaded, "files": files}))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found["loaded"] == []
    assert not [name for name in found["files"] if name.startswith("team")]
