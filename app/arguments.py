"""The words of the command line."""

from pathlib import Path
from typing import NamedTuple

from app.version import VERSION

LINK = "waybill:order/"


class Arguments(NamedTuple):
    """`data_dir` None is the operating system's place for a program's data."""

    data_dir: Path | None = None
    time_to_ready: bool = False
    selftest: bool = False
    reference: str = ""  # of the order that a link asks for
    as_json: bool = False  # what the self-test found
    team_setup: "TeamSetup | None" = None
    safe: bool = False


class TeamSetup(NamedTuple):
    """The tasks of `--team-setup` besides making tables: roles for people, and settings that were given."""

    people: tuple[str, ...] = ()
    keep_months: int | None = None
    hide_orders: bool | None = None


def read_arguments(words: list[str]) -> Arguments:
    """Read the command line; leaves with a sentence and status 2 when it makes no sense."""
    if (plain := _of_a_usual_start(words)) is not None:
        return plain
    import argparse

    parser = argparse.ArgumentParser(prog="waybill", description="Delivery orders at a logistics provider.")
    parser.add_argument("--version", action="version", version=f"Waybill {VERSION}")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="keep everything of this run in one folder")
    parser.add_argument(
        "--time-to-ready", action="store_true", help="print when the window was painted and usable, as JSON, and leave"
    )
    parser.add_argument("--selftest", action="store_true", help="check what the program needs, print it, and leave")
    parser.add_argument("--json", action="store_true", help="print what the self-test found as JSON")
    parser.add_argument(
        "--safe", action="store_true", help="do not connect by itself, and open the window at its first place and look"
    )
    parser.add_argument("--team-setup", action="store_true", help="prepare a PostgreSQL database for a team, and leave")
    team = parser.add_argument_group("with --team-setup")
    team.add_argument("--person", action="append", default=[], metavar="ROLE", help="let a person in (may be repeated)")
    team.add_argument("--keep-months", type=int, metavar="N", help="how long the team's log is kept (36 at first)")
    team.add_argument("--hide-orders", action="store_true", default=None, help="copy no names and addresses")
    team.add_argument("--show-orders", dest="hide_orders", action="store_false", help="copy orders whole (at first)")
    parser.add_argument("link", nargs="?", default="", metavar="LINK", help="waybill:order/REFERENCE shows this order")
    read = parser.parse_args(words)
    reference = read_link(read.link)
    if reference is None:
        parser.error(f"{read.link} is no link that Waybill knows: it would begin with {LINK}")
    setup = TeamSetup(tuple(dict.fromkeys(read.person)), read.keep_months, read.hide_orders)
    if not read.team_setup and setup != TeamSetup():
        parser.error("--person, --keep-months, --hide-orders and --show-orders go with --team-setup")
    if setup.keep_months is not None and not 1 <= setup.keep_months <= 1200:
        parser.error("--keep-months is 1 to 1200")
    asked = setup if read.team_setup else None
    return Arguments(read.data_dir, read.time_to_ready, read.selftest, reference, read.json, asked, read.safe)


def _of_a_usual_start(words: list[str]) -> Arguments | None:
    """The arguments of a start from a menu or a shortcut; None where only the parser can tell.

    To make the parser takes three milliseconds before the first paint. `--time-to-ready` measures such a start.
    """
    match words:
        case []:
            return Arguments()
        case ["--data-dir", folder] if not folder.startswith("-"):
            return Arguments(Path(folder))
        case ["--data-dir", folder, "--time-to-ready"] if not folder.startswith("-"):
            return Arguments(Path(folder), time_to_ready=True)
    return None


def read_link(link: str) -> str | None:
    """The reference in a link; empty for no link, None for one that makes no sense.

    Browsers and mail programs may have written two slashes into it, and escaped what is no letter.
    """
    if not link:
        return ""
    scheme, _, rest = link.partition(":")
    kind, _, reference = rest.lstrip("/").partition("/")
    if scheme.lower() != "waybill" or kind.lower() != "order":
        return None
    from urllib.parse import unquote  # few starts are by a link

    return unquote(reference.partition("?")[0].rstrip("/")).strip() or None
