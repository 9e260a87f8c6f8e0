"""`waybill --team-setup`: what it says, what it asks, what it makes, and what it keeps to itself."""

import io
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from app.arguments import TeamSetup, read_arguments
from app.store.team import team_calls
from app.store.team.setup_database import add_person, set_up
from app.store.team.team_place import connection_words
from app.team_setup import run_team_setup
from tests.support.postgres import ADMINISTRATOR, TeamServer

pytestmark = pytest.mark.slow  # each starts or asks a PostgreSQL of its own

NAME = "new_team"


@pytest.fixture
def empty_database(team_server: TeamServer) -> Iterator[str]:
    """The connection string of an administrator, for a database in which nothing is."""
    with team_server.as_administrator() as c:
        c.execute(f"CREATE DATABASE {NAME}")
    yield team_server.administrator(NAME)
    with team_server.as_administrator() as c:
        c.execute(f"DROP DATABASE {NAME} WITH (FORCE)")
        for role in ("dora", f"{NAME}_member", f"{NAME}_owner"):
            c.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(role)))


def run(monkeypatch: pytest.MonkeyPatch, wanted: TeamSetup, *lines: str) -> int:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return run_team_setup(wanted)


def test_it_says_what_it_will_do_and_does_it_after_a_yes(
    empty_database: str, team_server: TeamServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = TeamSetup(people=("dora",), keep_months=1, hide_orders=True)
    assert run(monkeypatch, wanted, empty_database, "y") == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "In the database new_team on team.acme.test:"
    assert "  - make the role new_team_owner, which nobody logs in as" in said
    assert (
        "  - make tables and functions in the schema waybill: 1_log.sql, 2_claims.sql, 3_retention.sql, 4_rights.sql"
        in said
    )
    assert "  - keep the log for 1 month" in said
    assert "  - copy no names and addresses of orders from now on" in said
    assert "  - make the role dora with a new password, for a person" in said
    assert said[-2:] == [
        f"Each chooses Join a team in Settings, with this server (team.acme.test, port {team_server.port}), "
        "the database new_team, the role and the password.",
        "Done.",
    ]
    password = next(line for line in said if line.startswith("dora may work")).rpartition(" ")[2]
    words = connection_words(team_server.place(NAME), "dora", password, Path("unused"))
    with psycopg.connect(**words, autocommit=True) as c:  # type: ignore[arg-type]
        assert team_calls.settings(c) == team_calls.TeamSettings(payloads=False, keep_months=1)
        steps = c.execute("SELECT step FROM waybill.steps ORDER BY step").fetchall()
        assert [step for (step,) in steps] == [1, 2, 3, 4]

    assert run(monkeypatch, TeamSetup(), empty_database) == 0
    assert capsys.readouterr().out == "The database new_team is ready. There is nothing to do.\n"


@pytest.mark.parametrize("answer", [("n",), ("",), ()])
def test_without_a_yes_nothing_is_changed(
    empty_database: str,
    team_server: TeamServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answer: tuple[str, ...],
) -> None:
    assert run(monkeypatch, TeamSetup(people=("dora",)), empty_database, *answer) == 1
    assert capsys.readouterr().err == "Nothing was changed.\n"
    with team_server.as_administrator(NAME) as c:
        assert c.execute("SELECT to_regnamespace('waybill')").fetchone() == (None,)
        assert c.execute("SELECT count(*) FROM pg_roles WHERE rolname = 'dora'").fetchone() == (0,)


def test_a_failure_leaves_the_database_as_it_was(
    empty_database: str, team_server: TeamServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with team_server.as_administrator(NAME) as c:
        c.execute("CREATE SCHEMA waybill")
        c.execute("CREATE TABLE waybill.claims ()")  # somebody else's: the second file fails at it
    assert run(monkeypatch, TeamSetup(), empty_database, "y") == 1
    assert "Done" not in capsys.readouterr().out
    with team_server.as_administrator(NAME) as c:
        assert c.execute("SELECT to_regclass('waybill.entries')").fetchone() == (None,)
        assert c.execute("SELECT count(*) FROM pg_roles WHERE rolname LIKE 'new_team%%'").fetchone() == (0,)


def test_a_server_that_does_not_answer_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, TeamSetup(), "postgresql://admin:canary-47@127.0.0.1:1/postgres") == 1
    assert "The server at 127.0.0.1 does not answer." in capsys.readouterr().err


def test_a_server_that_proves_nothing_is_not_asked_and_the_way_to_name_its_authorities_is_said(
    team_server: TeamServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = psycopg.conninfo.conninfo_to_dict(team_server.administrator())
    unnamed = {name: str(text) for name, text in words.items() if name not in ("sslmode", "sslrootcert")}
    assert run(monkeypatch, TeamSetup(), psycopg.conninfo.make_conninfo("", **unnamed)) == 1
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith("The server at team.acme.test did not prove that it is team.acme.test.")
    assert said[1:] == [
        "The connection string names the file so: postgresql://NAME:PASSWORD@HOST/DATABASE?sslrootcert=FILE"
    ]


def test_passwords_are_in_no_sentence(
    team_server: TeamServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = psycopg.conninfo.make_conninfo(team_server.administrator(), password="canary-47")
    assert run(monkeypatch, TeamSetup(), wrong) == 1
    assert run(monkeypatch, TeamSetup(), "postgresql://x:canary-47@") == 1
    assert run(monkeypatch, TeamSetup(), "no=connection password=canary-47 string") == 1
    said = capsys.readouterr()
    assert "refused the name or the password" in said.err
    assert "This is no connection string." in said.err
    assert "canary-47" not in said.out + said.err


def test_a_role_that_is_there_is_not_taken_over(
    empty_database: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, TeamSetup(people=("administrator",)), empty_database, "y") == 1
    assert (
        "The server has a role administrator already. Nothing was changed: choose another name."
        in capsys.readouterr().err
    )


def test_a_lost_password_is_replaced_as_the_readme_says(
    root: Path, team_server: TeamServer, empty_database: str
) -> None:
    readme = (root / "README.md").read_text(encoding="utf-8")
    (line,) = [each.strip() for each in readme.splitlines() if "\\password" in each]
    psql, *words = shlex.split(line.replace("waybill", NAME).replace("anna", "dora"))
    with psycopg.connect(empty_database, autocommit=True) as c:
        lost = add_person(c, set_up(c), "dora")
    # In a session of its own psql finds no terminal, and reads the password from where it is handed it.
    ran = subprocess.run(
        [str(team_server.binaries / psql), *words, "--host", str(team_server.folder), "--port", str(team_server.port),
         "--username", ADMINISTRATOR],
        input="the new one\nthe new one\n", capture_output=True, text=True, start_new_session=True, check=False,
        env={**os.environ, "PGHOSTADDR": ""},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    with psycopg.connect(**connection_words(team_server.place(NAME), "dora", "the new one", Path("unused"))) as c:  # type: ignore[arg-type]
        assert c.execute("SELECT current_user").fetchone() == ("dora",)
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(**connection_words(team_server.place(NAME), "dora", lost, Path("unused")))  # type: ignore[arg-type]


def test_the_command_line_says_it() -> None:
    read = read_arguments(["--team-setup", *("--person", "anna") * 2, "--person", "ben", "--keep-months", "6"])
    assert read.team_setup == TeamSetup(("anna", "ben"), 6, None)
    assert read_arguments(["--team-setup", "--show-orders"]).team_setup == TeamSetup(hide_orders=False)
    for nonsense in (["--person", "anna"], ["--team-setup", "--keep-months", "0"]):
        with pytest.raises(SystemExit):
            read_arguments(nonsense)
