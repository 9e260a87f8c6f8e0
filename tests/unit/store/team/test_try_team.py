"""The way to a team's database: which leg fails, and that no password goes to a server that does not prove its name."""

import socket
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from app.store.team import team_calls
from app.store.team.team_errors import Leg
from app.store.team.team_place import TeamPlace, connection_words
from app.store.team.try_team import LEGS, TeamTrial, try_team
from tests.support.certificates import authority
from tests.support.postgres import TeamDatabase

pytestmark = pytest.mark.slow  # each starts or asks a PostgreSQL of its own


def trial(team: TeamDatabase, place: TeamPlace | None = None, *, password: str = "", person: str = "Anna") -> TeamTrial:
    role = next(iter(team.people))
    return try_team(place or team.place, role, password or team.people[role], person, Path("unused"))


def test_a_whole_way_is_said_with_who_is_there(team_database: TeamDatabase) -> None:
    found = trial(team_database)
    assert found.trouble is None
    assert [found.went_well(each) for each in LEGS] == [True] * len(LEGS)
    assert found.clock is not None
    assert abs(found.clock.ahead_ms) <= 2_000  # one computer has one clock
    assert found.people == ()


def test_a_trial_leaves_no_trace(team_database: TeamDatabase) -> None:
    trial(team_database)
    with team_database.server.as_administrator(team_database.names.database) as c:
        assert c.execute("SELECT count(*) FROM waybill.desks").fetchone() == (0,)


def other_authority(team: TeamDatabase, folder: Path) -> TeamPlace:
    (folder / "other.pem").write_bytes(authority().pem)
    return replace(team.place, authorities=str(folder / "other.pem"))


def closed_port(team: TeamDatabase, _folder: Path) -> TeamPlace:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return replace(team.place, port=taken.getsockname()[1])


@pytest.mark.parametrize(
    ("leg", "place", "sentence"),
    [
        ("connection", closed_port, "The server at team.acme.test does not answer."),
        ("certificate", other_authority, "The server at team.acme.test did not prove that it is team.acme.test."),
        (
            "certificate",
            lambda team, _: replace(team.place, host="other.acme.test"),
            "The server at other.acme.test did not prove",
        ),
        (
            "certificate",
            lambda team, folder: replace(team.place, authorities=str(folder / "none.pem")),
            "No such file or directory",
        ),
        ("database", lambda team, _: replace(team.place, database="nothing"), "no database of this name"),
        ("database", lambda team, _: replace(team.place, database="template1"), ""),
    ],
)
def test_the_leg_that_fails_is_said(
    team_database: TeamDatabase,
    tmp_path: Path,
    leg: Leg,
    place: Callable[[TeamDatabase, Path], TeamPlace],
    sentence: str,
) -> None:
    found = trial(team_database, place(team_database, tmp_path))
    assert found.trouble is not None
    if not sentence:  # a database that everybody may use, and that nobody has set up
        leg = "tables"
    assert (found.trouble.leg, sentence in found.trouble.sentence) == (leg, True), found.trouble.sentence
    at = LEGS.index(leg)
    assert [found.went_well(each) for each in LEGS] == [True] * at + [False] + [None] * (len(LEGS) - at - 1)


def test_a_wrong_password_is_said(team_database: TeamDatabase) -> None:
    found = trial(team_database, password="wrong")
    assert found.trouble is not None
    assert found.trouble.leg == "password"
    assert found.trouble.lasting
    assert "wrong" not in found.trouble.sentence


def test_a_name_of_another_person_is_said(team_database: TeamDatabase) -> None:

    role = list(team_database.people)[1]
    words = connection_words(team_database.place, role, team_database.people[role], Path("unused"))
    with psycopg.connect(**words, autocommit=True) as c:  # type: ignore[arg-type]
        team_calls.join(c, uuid4(), "Ben", team_calls.ClockDifference(0, 1))
    found = trial(team_database, person=" ben")
    assert found.trouble is not None
    assert (found.trouble.leg, found.trouble.sentence) == ("desk", "Another person of the team works under this name.")


def test_a_server_without_encryption_hears_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that says no to TLS, and would take a password in the clear."""
    heard = bytearray()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.settimeout(10)
                heard.extend(connection.recv(8))  # asks for TLS
                connection.sendall(b"N")
                while piece := connection.recv(1000):
                    heard.extend(piece)

        thread = threading.Thread(target=serve)
        thread.start()
        monkeypatch.setenv("PGHOSTADDR", "127.0.0.1")
        bundle = Path("/etc/ssl/certs/ca-certificates.crt")
        place = TeamPlace("team.acme.test", server.getsockname()[1], authorities=str(bundle) if bundle.exists() else "")
        found = try_team(place, "anna", "canary-47", "Anna", Path("unused"))
        thread.join(20)
    assert found.trouble is not None
    assert found.trouble.leg == "certificate"
    assert "does not encrypt connections" in found.trouble.sentence
    assert b"canary-47" not in heard
    assert b"anna" not in heard


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("localhost", True),
        ("LOCALHOST.", True),
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("[::1]", True),
        ("/run/postgresql", True),
        ("localhost.acme.test", False),
        ("127.0.0.1.acme.test", False),
        ("10.0.0.1", False),
        ("team.acme.test", False),
        ("", False),
    ],
)
def test_only_this_computer_is_trusted_without_a_certificate(host: str, here: bool) -> None:
    place = TeamPlace(host)
    assert place.is_this_computer is here
    words = connection_words(place, "anna", "p", Path("unused"))
    assert words["sslmode"] == ("prefer" if here else "verify-full")
