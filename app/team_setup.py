"""`--team-setup`: prepares a PostgreSQL database for a team, from a terminal, for whoever runs the server.

It prints what it will do and asks before it does it. The administrator's connection string is asked for, never taken
from the command line (which every program on a computer can read), and kept nowhere.
"""

import contextlib
import getpass
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from app.arguments import TeamSetup
from app.store.team import setup_database
from app.store.team.setup_database import Plan
from app.store.team.team_errors import TeamTrouble, is_unproven, trouble_of
from app.store.team.team_place import TeamPlace, tls_words
from app.translation import translate, translate_plural

_ASK_WHERE = translate("Connection string of an administrator (postgresql://NAME:PASSWORD@HOST/DATABASE): ")
_NAME_AUTHORITIES = translate(
    "The connection string names the file so: postgresql://NAME:PASSWORD@HOST/DATABASE?sslrootcert=FILE"
)
_ASK_YES = translate("Do this? [y/N] ")
_YES = ("y", "yes")


def run_team_setup(wanted: TeamSetup) -> int:
    """Ask, prepare, and say what was done; the exit status."""
    host = ""
    try:
        with TemporaryDirectory(prefix="waybill-team-") as folder:
            typed = _read_hidden(_ASK_WHERE)
            host = _host(typed)
            words = _safely(typed, host, Path(folder) / "authorities.pem")
            with psycopg.connect(words) as c:
                return _prepare(c, wanted)
    except psycopg.ProgrammingError as error:
        if error.sqlstate is None:  # libpq could not read the connection string; its words may quote it
            return _fail(translate("This is no connection string."))
        return _fail(trouble_of(error, host).sentence)
    except psycopg.Error as error:
        _fail(trouble_of(error, host).sentence)
        return _fail(_NAME_AUTHORITIES) if is_unproven(error) else 1
    except TeamTrouble as trouble:
        return _fail(trouble.sentence)
    except (EOFError, KeyboardInterrupt):
        return _fail(translate("Nothing was changed."))


def _host(typed: str) -> str:
    """The computer that a connection string names; libpq takes this one where there is none."""
    return str(psycopg.conninfo.conninfo_to_dict(typed).get("host") or "localhost")


def _safely(typed: str, host: str, roots: Path) -> str:
    """The connection string, with TLS by name as for everybody else, unless it says something about TLS itself."""
    words = psycopg.conninfo.conninfo_to_dict(typed)
    tls: dict[str, str] = {}
    if "sslmode" not in words:
        tls = tls_words(TeamPlace(host=host), roots)
        tls |= {name: str(words[name]) for name in ("sslrootcert",) if name in words}
    return psycopg.conninfo.make_conninfo(typed, connect_timeout=15, **tls)


def _prepare(c: psycopg.Connection, wanted: TeamSetup) -> int:
    planned = setup_database.plan(c)
    for role in wanted.people:
        if why := setup_database.person_trouble(c, role):
            raise TeamTrouble("call", why)
    steps = _steps(planned, wanted)
    if not steps:
        _say(translate("The database {database} is ready. There is nothing to do.", database=planned.names.database))
        return 0
    _say(translate("In the database {database} on {host}:", database=planned.names.database, host=c.info.host))
    for each in steps:
        _say(f"  - {each}")
    # The plan was read in a transaction: it must not hold up the team while a person thinks.
    c.rollback()
    if _read_answer(_ASK_YES).strip().lower() not in _YES:
        return _fail(translate("Nothing was changed."))
    names = setup_database.set_up(c)
    if wanted.keep_months is not None or wanted.hide_orders is not None:
        setup_database.save_settings(
            c, payloads=None if wanted.hide_orders is None else not wanted.hide_orders, keep_months=wanted.keep_months
        )
    for role in wanted.people:
        password = setup_database.add_person(c, names, role)
        _say(
            translate(
                "{role} may work with the team. The password, said only now: {password}", role=role, password=password
            )
        )
    if wanted.people:
        _say(
            translate(
                "Each chooses Join a team in Settings, with this server ({host}, port {port}), the database "
                "{database}, the role and the password.",
                host=c.info.host, port=c.info.port, database=names.database,
            )
        )  # fmt: skip
    _say(translate("Done."))
    return 0


def _steps(planned: Plan, wanted: TeamSetup) -> list[str]:
    """The steps that will be done, a sentence each; empty if there are none."""
    steps = [translate("make the role {role}, which nobody logs in as", role=role) for role in planned.roles]
    if planned.files:
        steps.append(
            translate("make tables and functions in the schema waybill: {files}", files=", ".join(planned.files))
        )
        steps.append(translate("let nobody but members of {role} connect to the database", role=planned.names.member))
    if wanted.keep_months is not None:
        steps.append(
            translate_plural("keep the log for {count} month", "keep the log for {count} months", wanted.keep_months)
        )
    if wanted.hide_orders is not None:
        steps.append(
            translate("copy no names and addresses of orders from now on")
            if wanted.hide_orders
            else translate("copy orders whole, with names and addresses, from now on")
        )
    steps += [translate("make the role {role} with a new password, for a person", role=role) for role in wanted.people]
    return steps


def _read_hidden(question: str) -> str:
    return (getpass.getpass(question) if sys.stdin.isatty() else sys.stdin.readline()).strip()


def _read_answer(question: str) -> str:
    if sys.stdin.isatty():
        return input(question)
    return sys.stdin.readline()


def _say(sentence: str) -> None:
    print(sentence, flush=True)  # noqa: T201


def _fail(sentence: str) -> int:
    with contextlib.suppress(OSError):
        print(sentence, file=sys.stderr)  # noqa: T201
    return 1
