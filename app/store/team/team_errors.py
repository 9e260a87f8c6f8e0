"""The trouble with a team's database, as one error with a sentence and the leg of the way where it arose.

Nothing of PostgreSQL's own words is shown that could hold a password; libpq never puts one into them.
"""

import re
from typing import Literal

import psycopg
from psycopg import errors

from app.store.store_errors import StoreError
from app.translation import translate

Leg = Literal["name", "connection", "certificate", "password", "database", "tables", "desk", "call"]

GAP = "WB001"
NAME_TAKEN = "WB002"
# OpenSSL's words for a certificate, or libpq's for its name. ("SSL SYSCALL error" is a connection that broke.)
_UNPROVEN = ("SSL error", "does not match host name", "root certificate")
_BUSY = ("too many connections", "remaining connection slots", "starting up", "shutting down")  # passes by itself
# Words of the server's own, in whichever language: it says how grave they are, a colon, and two spaces.
_FROM_SERVER = re.compile(r"failed: \S+:  (.+)")


class TeamTrouble(StoreError):
    """The team's database could not do what was asked. `leg` says where on the way it failed.

    `lasting`: trying again by the clock does not help, because a person has to change something.
    """

    def __init__(self, leg: Leg, sentence: str, *, lasting: bool = False) -> None:
        super().__init__(sentence)
        self.leg = leg
        self.lasting = lasting


def trouble_of(error: psycopg.Error, host: str) -> TeamTrouble:
    """The trouble that an error of psycopg stands for."""
    code, said = error.sqlstate or "", _first_line(str(error))
    if code == NAME_TAKEN:
        return TeamTrouble("desk", translate("Another person of the team works under this name."), lasting=True)
    if isinstance(error, errors.InsufficientPrivilege):
        return TeamTrouble(
            "desk", translate("The team's database does not allow this: {said}.", said=said), lasting=True
        )
    if isinstance(error, errors.UndefinedTable | errors.UndefinedFunction | errors.InvalidSchemaName):
        return TeamTrouble(
            "tables",
            translate("This database was not set up for a team, or for an older Waybill: run `waybill --team-setup`."),
            lasting=True,
        )
    if isinstance(error, psycopg.OperationalError) and not code:
        return _not_connected(error, host)
    return TeamTrouble("call", translate("The team's database reported a fault: {said}.", said=said))


def is_unproven(error: psycopg.Error) -> bool:
    """Whether the server did not prove who it is, so that its authorities have to be named."""
    return any(each in str(error) for each in _UNPROVEN)


def _not_connected(error: psycopg.OperationalError, host: str) -> TeamTrouble:
    """From libpq's words: before there is a connection it gives no code, and the server's words may be translated."""
    words = str(error)
    if (refused := _without_tls(words, host)) is not None:
        return refused
    if "could not translate host name" in words or "failed to resolve host" in words:
        return TeamTrouble("name", translate("No computer is known by the name {host}.", host=host))
    if "password authentication failed" in words or "no password supplied" in words:
        return TeamTrouble("password", translate("The database refused the name or the password."), lasting=True)
    if "pg_hba.conf" in words:
        return TeamTrouble(
            "password", translate("The database lets nobody in under this name from this computer."), lasting=True
        )
    if re.search(r'database ".*" does not exist', words):
        return TeamTrouble("database", translate("The server has no database of this name."), lasting=True)
    if "permission denied for database" in words:
        return TeamTrouble("database", translate("This role may not use this database."), lasting=True)
    if any(each in words for each in _BUSY):
        return TeamTrouble("connection", translate("The database on {host} takes nobody in at the moment.", host=host))
    if said := _FROM_SERVER.search(words):
        return TeamTrouble(
            "password",
            translate("The database let nobody in. It said: {said}.", said=_first_line(said[1])),
            lasting=True,
        )
    return TeamTrouble("connection", translate("The server at {host} does not answer.", host=host))


def _without_tls(words: str, host: str) -> TeamTrouble | None:
    """The trouble of a server that does not encrypt, or does not prove who it is; None for any other."""
    if any(each in words for each in _UNPROVEN):
        return TeamTrouble(
            "certificate",
            translate(
                "The server at {host} did not prove that it is {host}. Nothing was sent to it. Name the file with your "
                "company's authorities, or ask whoever runs the server.",
                host=host,
            ),
            lasting=True,
        )
    if "SSL" in words and ("not support" in words or "no encryption" in words or "required" in words):
        return TeamTrouble(
            "certificate",
            translate("The server at {host} does not encrypt connections, so nothing was sent to it.", host=host),
            lasting=True,
        )
    return None


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0].rstrip(".")
