"""The team's database: what it keeps, and whom it refuses what. Against a real PostgreSQL."""

# ruff: noqa: S608 (the names in statements are the server's own)

import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import errors, sql

from app.store.team import team_calls
from app.store.team.setup_database import plan, save_settings, set_up
from app.store.team.team_calls import ClockDifference, LogEnd
from app.store.team.team_entry import Outgoing
from app.store.team.team_errors import TeamTrouble
from app.store.team.team_place import connection_words
from tests.support.long_log import write_long_log
from tests.support.postgres import TeamDatabase, TeamServer

CLOCK = ClockDifference(0, 1)
pytestmark = pytest.mark.slow  # each starts or asks a PostgreSQL of its own
PLACE = "acme"


@contextmanager
def as_person(team: TeamDatabase, name: str) -> Iterator[psycopg.Connection]:
    """A connection of one of the team's people, made as the program makes it."""
    role = next(each for each in team.people if each.startswith(name))
    words = connection_words(team.place, role, team.people[role], Path("unused"))
    with psycopg.connect(**words, autocommit=True) as c:  # type: ignore[arg-type]
        yield c


@contextmanager
def desk_of(team: TeamDatabase, name: str) -> Iterator[tuple[psycopg.Connection, UUID]]:
    """A person's connection, with a desk that has joined."""
    with as_person(team, name) as c:
        desk = uuid4()
        team_calls.join(c, desk, name.capitalize(), CLOCK)
        yield c, desk


def entry(seq: int, body: str = "{}", kind: str = "write", subject: str = "") -> Outgoing:
    return Outgoing(seq, 1000 + seq, kind, 1, subject or f"CRN-{seq}", body)


# The log


def test_another_desk_reads_what_was_appended_in_order(team_database: TeamDatabase) -> None:
    with desk_of(team_database, "anna") as (anna, desk), desk_of(team_database, "ben") as (ben, _):
        assert team_calls.append(anna, desk, [entry(1, '{"a": "é \\u0000 \\ud800"}'), entry(2)]) == 2
        assert team_calls.append(anna, desk, [entry(3)]) == 3
        found = team_calls.entries_after(ben, desk, 0, 10)
        assert [(each.seq, each.clock, each.subject) for each in found] == [
            (1, 1001, "CRN-1"), (2, 1002, "CRN-2"), (3, 1003, "CRN-3"),
        ]  # fmt: skip
        assert found[0].body == '{"a": "é \\u0000 \\ud800"}'  # letter for letter, also what jsonb would refuse
        assert [each.seq for each in team_calls.entries_after(ben, desk, 1, 1)] == [2]
        names = {each.person: each.last_seq for each in team_calls.desks(ben)}
        assert names == {"Anna": 3, "Ben": 0}


def test_a_push_may_be_repeated_and_leaves_no_gap(team_database: TeamDatabase) -> None:
    with desk_of(team_database, "anna") as (anna, desk):
        team_calls.append(anna, desk, [entry(1), entry(2)])
        assert team_calls.append(anna, desk, [entry(1), entry(2), entry(3)]) == 3
        assert team_calls.append(anna, desk, [entry(2)]) == 3
        with pytest.raises(psycopg.Error) as refused:
            team_calls.append(anna, desk, [entry(5)])
        assert refused.value.sqlstate == "WB001"
        assert [each.seq for each in team_calls.entries_after(anna, desk, 0, 10)] == [1, 2, 3]
        assert team_calls.join(anna, desk, "Anna", CLOCK) == LogEnd(3, 1003)


def test_a_failed_push_keeps_nothing(team_database: TeamDatabase) -> None:
    with desk_of(team_database, "anna") as (anna, desk):
        with pytest.raises(errors.InvalidTextRepresentation):
            team_calls.append(anna, desk, [entry(1), entry(2, "no JSON")])
        assert team_calls.entries_after(anna, desk, 0, 10) == []
        assert team_calls.append(anna, desk, [entry(1)]) == 1


def test_two_desks_may_begin_a_month_at_once(team_database: TeamDatabase) -> None:
    """The first entries of all, for which the month has to be made, from several desks at the same moment."""
    with ExitStack() as opened:
        people = [opened.enter_context(desk_of(team_database, name)) for name in ("anna", "ben", "cleo")]
        for c, _ in people:  # each session has seen that there is no month
            c.execute("SELECT to_regclass('waybill.entries_2026_11')")
        together = threading.Barrier(len(people))
        failed: list[Exception] = []

        def add(c: psycopg.Connection, desk: UUID) -> None:
            together.wait(20)
            try:
                team_calls.append(c, desk, [entry(1)])
            except psycopg.Error as error:
                failed.append(error)

        threads = [threading.Thread(target=add, args=each) for each in people]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert failed == []
        assert [each.last_seq for each in team_calls.desks(people[0][0])] == [1, 1, 1]


def test_others_are_woken_by_an_entry(team_database: TeamDatabase) -> None:
    with desk_of(team_database, "anna") as (anna, desk), as_person(team_database, "ben") as ben:
        ben.execute("LISTEN waybill")
        team_calls.append(anna, desk, [entry(1)])
        assert [each.payload for each in ben.notifies(timeout=10, stop_after=1)] == [str(desk)]


def test_months_are_dropped_and_the_latest_of_each_subject_stays(team_database: TeamDatabase) -> None:
    server, name = team_database.server, team_database.names.database
    with desk_of(team_database, "anna") as (anna, desk), desk_of(team_database, "ben") as (ben, other):
        team_calls.append(anna, desk, [entry(1, '"old"', subject="CRN-1"), entry(2, '"new"', subject="CRN-1")])
        team_calls.append(ben, other, [entry(1, '"of Ben"', subject="CRN-2")])
        with server.as_administrator(name) as c:
            _age(c, months=40)
        assert team_calls.retire(ben) == 1
        assert team_calls.retire(ben) == 0
        with server.as_administrator(name) as c:
            assert c.execute("SELECT count(*) FROM waybill.entries").fetchone() == (0,)
        # A desk that joins now gets what is left, by the same question as ever.
        assert [(each.seq, each.body) for each in team_calls.entries_after(ben, desk, 0, 10)] == [(2, '"new"')]
        assert [each.body for each in team_calls.entries_after(anna, other, 0, 10)] == ['"of Ben"']
        # and the log goes on where it was
        assert team_calls.append(anna, desk, [entry(3, '"newest"', subject="CRN-1")]) == 3
        assert [each.seq for each in team_calls.entries_after(ben, desk, 0, 10)] == [2, 3]


def test_many_months_are_dropped_one_in_a_call(team_database: TeamDatabase) -> None:
    write_long_log(team_database, "acme", 3_000, months=30)
    server, name = team_database.server, team_database.names.database
    with as_person(team_database, "ben") as ben, server.as_administrator(name) as c:
        c.execute("UPDATE waybill.settings SET keep_months = 6")
        before = _months(c)
        assert team_calls.retire(ben) == 1
        assert _months(c) == before[1:]
        while team_calls.retire(ben):
            pass
        assert len(_months(c)) == 7, "the current month and six before it"
        accepted = "SELECT count(DISTINCT subject) FROM waybill.log WHERE subject LIKE '% accepted %'"
        assert c.execute(accepted).fetchone() == (1_000,), "of each order the latest acceptance stays"


def _months(c: psycopg.Connection) -> list[str]:
    found = c.execute(
        "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid "
        "WHERE i.inhparent = 'waybill.entries'::regclass ORDER BY 1"
    )
    return [name for (name,) in found]


def test_no_question_is_compiled_by_the_server(team_database: TeamDatabase) -> None:
    """What needs a sort or a scan counts as immensely costly, and would be compiled for tens of milliseconds."""
    with as_person(team_database, "ben") as ben:
        team_calls.read_by_index(ben)
        for question in ("SELECT * FROM waybill.desks ORDER BY joined_at", "SELECT * FROM waybill.presence"):
            plan = ben.execute(f"EXPLAIN ANALYZE {question}").fetchall()
            assert "JIT" not in str(plan)


def _age(c: psycopg.Connection, months: int) -> None:
    """Let the only month of the log be an old one, as if the team had begun then."""
    row = c.execute(
        "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid "
        "WHERE i.inhparent = 'waybill.entries'::regclass"
    ).fetchone()
    assert row is not None
    now = sql.Identifier("waybill", row[0])
    c.execute(sql.SQL("ALTER TABLE waybill.entries DETACH PARTITION {}").format(now))
    c.execute(sql.SQL("UPDATE {} SET at = at - make_interval(months => %s)").format(now), (months,))
    month = c.execute(
        "SELECT to_char(t, 'YYYY_MM'), t AT TIME ZONE 'UTC', (t + interval '1 month') AT TIME ZONE 'UTC' "
        "FROM date_trunc('month', (now() - make_interval(months => %s)) AT TIME ZONE 'UTC') t",
        (months,),
    ).fetchone()
    assert month is not None
    name, start, end = month
    c.execute(sql.SQL("ALTER TABLE {} RENAME TO {}").format(now, sql.Identifier(f"entries_{name}")))
    c.execute(
        sql.SQL("ALTER TABLE waybill.entries ATTACH PARTITION {} FOR VALUES FROM ({}) TO ({})").format(
            sql.Identifier("waybill", f"entries_{name}"), sql.Literal(start), sql.Literal(end)
        )
    )


# Claims and presence


def test_one_desk_has_a_claim_and_the_other_hears_who(team_database: TeamDatabase) -> None:
    with desk_of(team_database, "anna") as (anna, desk), desk_of(team_database, "ben") as (ben, other):
        assert team_calls.claim(anna, desk, PLACE, "CRN-1", 60).got
        assert team_calls.claim(anna, desk, PLACE, "CRN-1", 60).got  # its own, again
        refused = team_calls.claim(ben, other, PLACE, "CRN-1", 60)
        assert (refused.got, refused.person) == (False, "Anna")
        assert 0 < refused.seconds <= 60
        assert team_calls.claim(ben, other, "another provider", "CRN-1", 60).got
        team_calls.give_back(ben, other, PLACE, "CRN-1")  # not Ben's: nothing happens
        assert not team_calls.claim(ben, other, PLACE, "CRN-1", 60).got
        ben.execute("LISTEN waybill")
        team_calls.give_back(anna, desk, PLACE, "CRN-1")
        assert [each.payload for each in ben.notifies(timeout=10, stop_after=1)] == ["claims"]
        assert team_calls.claim(ben, other, PLACE, "CRN-1", 60).got


def test_a_claim_of_a_desk_that_died_ends(team_database: TeamDatabase) -> None:
    with desk_of(team_database, "anna") as (anna, desk), desk_of(team_database, "ben") as (ben, other):
        assert team_calls.claim(anna, desk, PLACE, "CRN-1", 60).got
        with team_database.server.as_administrator(team_database.names.database) as c:
            c.execute("UPDATE waybill.claims SET until = clock_timestamp() - interval '1 second'")
        assert team_calls.claim(ben, other, PLACE, "CRN-1", 60).got
        assert team_calls.claim(anna, desk, PLACE, "CRN-1", 60).person == "Ben"


def test_of_many_desks_at_once_one_gets_the_claim(team_database: TeamDatabase) -> None:
    with ExitStack() as opened:
        people = [opened.enter_context(desk_of(team_database, name)) for name in ("anna", "ben", "cleo")]
        for turn in range(20):
            got: list[UUID] = []
            together = threading.Barrier(len(people))

            def take(c: psycopg.Connection, desk: UUID, reference: str) -> None:
                together.wait(20)  # noqa: B023  # the threads end within the turn
                if team_calls.claim(c, desk, PLACE, reference, 60).got:
                    got.append(desk)  # noqa: B023

            threads = [threading.Thread(target=take, args=(*each, f"CRN-{turn}")) for each in people]
            for each in threads:
                each.start()
            for each in threads:
                each.join()
            assert len(got) == 1


def test_others_see_who_works_on_what_until_it_ends(team_database: TeamDatabase) -> None:
    with desk_of(team_database, "anna") as (anna, desk), desk_of(team_database, "ben") as (ben, other):
        team_calls.be_present(anna, desk, PLACE, "CRN-1", "changing", 60)
        team_calls.be_present(anna, desk, PLACE, "CRN-2", "entering", 60)
        assert [(each.subject, each.doing, each.desk) for each in team_calls.presence(ben, other)] == [
            ("CRN-1", "changing", desk), ("CRN-2", "entering", desk),
        ]  # fmt: skip
        assert team_calls.presence(anna, desk) == []  # one's own
        team_calls.be_present(anna, desk, PLACE, "CRN-1", "changing", 0)
        assert [each.subject for each in team_calls.presence(ben, other)] == ["CRN-2"]
        with team_database.server.as_administrator(team_database.names.database) as c:
            c.execute("UPDATE waybill.presence SET until = clock_timestamp() - interval '1 second'")
        assert team_calls.presence(ben, other) == []


# Who may what


def test_nobody_changes_or_deletes_an_entry(team_database: TeamDatabase) -> None:
    name = team_database.names.database
    with desk_of(team_database, "anna") as (anna, desk), as_person(team_database, "ben") as ben:
        team_calls.append(anna, desk, [entry(1)])
        month = f"waybill.{_month(ben)}"
        for person in (anna, ben):
            for statement in (
                "UPDATE waybill.entries SET body = '1'",
                "DELETE FROM waybill.entries",
                "TRUNCATE waybill.entries",
                f"UPDATE {month} SET body = '1'",
                f"DELETE FROM {month}",
                f"DROP TABLE {month}",
                "DROP TABLE waybill.entries",
                "UPDATE waybill.desks SET last_seq = 0",
                "DELETE FROM waybill.kept",
                "DELETE FROM waybill.claims",
                "UPDATE waybill.settings SET keep_months = 1",
                "INSERT INTO waybill.kept SELECT * FROM waybill.entries",
                "SELECT waybill.make_month(now())",
                "ALTER TABLE waybill.entries DISABLE ROW LEVEL SECURITY",
                f"SET ROLE {name}_owner",
                "CREATE TABLE waybill.mine ()",
                "CREATE TABLE public.mine ()",
            ):
                with pytest.raises(errors.InsufficientPrivilege):
                    person.execute(statement)
        # Not even a function with a mistake in it could: the owner of the tables is bound too.
        with team_database.server.as_administrator(name) as c:
            c.execute(f"SET ROLE {name}_owner")
            assert c.execute("UPDATE waybill.entries SET body = '1'").rowcount == 0
            assert c.execute("DELETE FROM waybill.entries").rowcount == 0
        assert [each.body for each in team_calls.entries_after(ben, desk, 0, 9)] == ["{}"]


def _month(c: psycopg.Connection) -> str:
    row = c.execute(
        "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid "
        "WHERE i.inhparent = 'waybill.entries'::regclass"
    ).fetchone()
    assert row is not None
    return str(row[0])


def test_a_forged_desk_is_refused(team_database: TeamDatabase) -> None:
    with desk_of(team_database, "anna") as (anna, desk), desk_of(team_database, "ben") as (ben, _):
        team_calls.append(anna, desk, [entry(1)])
        for forged in (desk, uuid4()):  # Anna's, and one that never joined
            for call in (
                lambda forged: team_calls.append(ben, forged, [entry(2)]),
                lambda forged: team_calls.claim(ben, forged, PLACE, "CRN-1", 60),
                lambda forged: team_calls.give_back(ben, forged, PLACE, "CRN-1"),
                lambda forged: team_calls.be_present(ben, forged, PLACE, "CRN-1", "changing", 60),
            ):
                with pytest.raises(errors.InsufficientPrivilege):
                    call(forged)
        with pytest.raises(errors.InsufficientPrivilege):
            team_calls.join(ben, desk, "Ben", CLOCK)
        with pytest.raises(errors.InsufficientPrivilege):
            ben.execute("INSERT INTO waybill.entries VALUES (%s, 2, now(), 1, 'write', 1, 'CRN-1', '{}')", (desk,))
        with pytest.raises(psycopg.Error) as taken:
            team_calls.join(ben, uuid4(), "ANNA", CLOCK)  # under somebody else's name
        assert taken.value.sqlstate == "WB002"
        assert [each.seq for each in team_calls.entries_after(anna, desk, 0, 9)] == [1]
        assert {each.person for each in team_calls.desks(anna)} == {"Anna", "Ben"}


def test_the_owner_cannot_forge_a_desk_either(team_database: TeamDatabase) -> None:
    name = team_database.names.database
    with desk_of(team_database, "anna") as (anna, desk):
        team_calls.append(anna, desk, [entry(1)])
        with team_database.server.as_administrator(name) as c:
            c.execute(f"SET ROLE {name}_owner")
            with pytest.raises(errors.InsufficientPrivilege, match="row-level security"):
                c.execute("INSERT INTO waybill.entries VALUES (%s, 2, now(), 1, 'write', 1, 'CRN-1', '{}')", (desk,))


def test_somebody_who_is_not_of_the_team_is_not_let_in(team_database: TeamDatabase) -> None:
    server, name = team_database.server, team_database.names.database
    with server.as_administrator() as c:
        c.execute("CREATE ROLE stranger LOGIN PASSWORD 'x'")
    try:
        words = connection_words(team_database.place, "stranger", "x", Path("unused"))
        with pytest.raises(psycopg.OperationalError, match=f'permission denied for database "{name}"'):
            psycopg.connect(**words)  # type: ignore[arg-type]
    finally:
        with server.as_administrator() as c:
            c.execute("DROP ROLE stranger")


# Setting up


def test_setting_up_again_changes_nothing(team_database: TeamDatabase) -> None:
    server, name = team_database.server, team_database.names.database
    with desk_of(team_database, "anna") as (anna, desk):
        team_calls.append(anna, desk, [entry(1)])
        with psycopg.connect(server.administrator(name)) as c:
            again = plan(c)
            assert (again.files, again.roles) == ((), ())
            set_up(c)
            save_settings(c, payloads=False, keep_months=6)
        assert [each.seq for each in team_calls.entries_after(anna, desk, 0, 9)] == [1]
        assert team_calls.settings(anna) == team_calls.TeamSettings(payloads=False, keep_months=6)


def test_a_name_that_roles_cannot_bear_is_refused(team_server: TeamServer) -> None:
    with team_server.as_administrator() as c:
        c.execute('CREATE DATABASE "Acme Team"')
    try:
        with (
            psycopg.connect(team_server.administrator("Acme Team")) as c,
            pytest.raises(TeamTrouble, match="40 small letters"),
        ):
            plan(c)
    finally:
        with team_server.as_administrator() as c:
            c.execute('DROP DATABASE "Acme Team" WITH (FORCE)')


def test_an_administrator_who_is_no_superuser_can_set_up(team_server: TeamServer) -> None:
    with team_server.as_administrator() as c:
        c.execute("CREATE ROLE keeper LOGIN CREATEROLE CREATEDB PASSWORD 'k'")
        c.execute("CREATE DATABASE kept_team OWNER keeper")
    try:
        words = psycopg.conninfo.make_conninfo(team_server.administrator("kept_team"), user="keeper", password="k")
        with psycopg.connect(words) as c:
            assert set_up(c).database == "kept_team"
            assert plan(c).files == ()
    finally:
        with team_server.as_administrator() as c:
            c.execute("DROP DATABASE kept_team WITH (FORCE)")
            for role in ("keeper", "kept_team_member", "kept_team_owner"):
                c.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(role)))


def test_a_backup_restored_by_the_databases_own_tools_has_everything(
    team_database: TeamDatabase, tmp_path: Path
) -> None:
    server, name = team_database.server, team_database.names.database
    with desk_of(team_database, "anna") as (anna, desk):
        team_calls.append(anna, desk, [entry(1, '"kept"')])
        tool = server.binaries
        dump = tmp_path / "team.dump"
        command = [str(tool / "pg_dump"), "--format=custom", f"--file={dump}", server.administrator(name)]
        subprocess.run(command, check=True)
        rights = "SELECT datacl::text FROM pg_database WHERE datname = %s"
        with server.as_administrator() as c:
            before = c.execute(rights, (name,)).fetchone()
            c.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
        subprocess.run([tool / "pg_restore", "--create", f"--dbname={server.administrator()}", dump], check=True)
        with server.as_administrator() as c:
            assert c.execute(rights, (name,)).fetchone() == before  # nobody else may connect
    with as_person(team_database, "anna") as anna:
        assert [each.body for each in team_calls.entries_after(anna, desk, 0, 9)] == ['"kept"']
        assert team_calls.append(anna, desk, [entry(2)]) == 2
        with pytest.raises(errors.InsufficientPrivilege):
            anna.execute("DELETE FROM waybill.entries")
