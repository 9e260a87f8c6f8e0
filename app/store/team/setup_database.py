"""Makes a database ready for a team: its tables, functions, roles, and the people who may use it.

The statements are the files of resources/team, each applied once, in the order of their numbers. One transaction holds
all of it: a database is ready or as it was before. The connection is an administrator's, and is kept nowhere.
"""

import re
import secrets
from dataclasses import dataclass

import psycopg
from psycopg import sql

from app.resource_folder import RESOURCES
from app.store.team.team_errors import TeamTrouble
from app.translation import translate

_FOLDER = RESOURCES / "team"
_LONGEST = 40  # letters of a database's name: the names of the roles hold it, and PostgreSQL cuts names at 63
_LONGEST_ROLE = 63  # bytes
_WORD = re.compile(r"[a-z_][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Database:
    """A team's database and its two roles: `owner` has the tables, every person is a member of `member`."""

    database: str

    @property
    def owner(self) -> str:
        """The role that has the tables and functions; nobody logs in as it."""
        return f"{self.database}_owner"

    @property
    def member(self) -> str:
        """The role that holds what a person of the team may do."""
        return f"{self.database}_member"


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of `set_up`: the files that are still to be applied, and the roles to be made."""

    names: Database
    files: tuple[str, ...]
    roles: tuple[str, ...]


def plan(c: psycopg.Connection) -> Plan:
    """Look at the database and change nothing. Raises `TeamTrouble`."""
    names = Database(c.info.dbname)
    if len(names.database) > _LONGEST or not _WORD.fullmatch(names.database):
        raise TeamTrouble(
            "database",
            translate(
                "The name of the database may have up to {count} small letters, digits and underscores.", count=_LONGEST
            ),
        )
    applied = _applied(c)
    roles = tuple(each for each in (names.owner, names.member) if not _has_role(c, each))
    files = tuple(each.name for each in sorted(_FOLDER.glob("*.sql")) if _number(each.name) not in applied)
    c.rollback()
    return Plan(names, files, roles)


def set_up(c: psycopg.Connection) -> Database:
    """Make the tables, functions and roles that are missing, and commit. Raises `psycopg.Error` and `TeamTrouble`."""
    planned = plan(c)
    names = planned.names
    owner, member = sql.Identifier(names.owner), sql.Identifier(names.member)
    with c.transaction():
        for role in planned.roles:
            c.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(role)))
        if planned.files:
            # An administrator who is no superuser has to belong to the owner to act for it.
            c.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(owner))
            c.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS waybill AUTHORIZATION {}").format(owner))
            c.execute(sql.SQL("SET LOCAL ROLE {}").format(owner))
            for name in planned.files:
                text = (_FOLDER / name).read_text(encoding="utf-8")
                statement = sql.SQL(text).format(owner=owner, member=member)
                c.execute(statement)
                c.execute("INSERT INTO waybill.steps (step) VALUES (%s)", (_number(name),))
            c.execute("RESET ROLE")
        database = sql.Identifier(names.database)
        # By default everybody on the server may connect to every database.
        c.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(database))
        c.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, member))
    return names


def person_trouble(c: psycopg.Connection, role: str) -> str:
    """Why no person can be let in under this name; empty if one can."""
    if len(role.encode()) > _LONGEST_ROLE or not role.strip() or role.startswith("pg_"):
        return translate("A role has a name of 1 to 63 letters that does not begin with pg_.")
    if _has_role(c, role):
        return translate("The server has a role {role} already. Nothing was changed: choose another name.", role=role)
    return ""


def add_person(c: psycopg.Connection, names: Database, role: str) -> str:
    """Make a role for a person of the team, and return its password, which is kept nowhere. Raises `psycopg.Error`."""
    password = secrets.token_urlsafe(18)
    with c.transaction():
        c.execute(
            sql.SQL("CREATE ROLE {} LOGIN PASSWORD {} IN ROLE {}").format(
                sql.Identifier(role), sql.Literal(_scrambled(c, role, password)), sql.Identifier(names.member)
            )
        )
    return password


def _scrambled(c: psycopg.Connection, role: str, password: str) -> str:
    # Scrambled here: the server's log may hold the statement, and must not hold the password.
    return c.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256").decode()


def save_settings(c: psycopg.Connection, *, payloads: bool | None = None, keep_months: int | None = None) -> None:
    """Store the team's settings; None leaves one as it is. `payloads`: orders are copied with names and addresses."""
    with c.transaction():
        c.execute(
            "UPDATE waybill.settings SET payloads = coalesce(%s, payloads), keep_months = coalesce(%s, keep_months)",
            (payloads, keep_months),
        )


def _applied(c: psycopg.Connection) -> set[int]:
    if c.execute("SELECT to_regclass('waybill.steps')").fetchone() == (None,):
        return set()
    return {int(step) for (step,) in c.execute("SELECT step FROM waybill.steps")}


def _has_role(c: psycopg.Connection, name: str) -> bool:
    return c.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (name,)).fetchone() is not None


def _number(name: str) -> int:
    return int(name.partition("_")[0])
