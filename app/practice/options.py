"""The command line of the practice service."""

import argparse
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from app.practice.switches import SWITCHES, BadSwitch, Switches, read_switches

FIRST_ORDERS = 1_200
FIRST_AUDITS = 60
PATIENCE = 30.0


@dataclass(frozen=True, slots=True)
class Options:
    """The parsed command line. None leaves an existing data directory as it is."""

    data: Path
    port: int
    orders: int | None
    audits: int | None
    seed: int | None
    clock: float
    epoch: str | None
    token_life: float
    patience: float
    switches: Switches
    stop_with_stdin: bool


def read_options(arguments: list[str]) -> Options:
    """The options of a command line. An invalid one ends the process with code 2 and a sentence."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        switches = read_switches(given.switch)
    except BadSwitch as error:
        parser.error(str(error))
    return Options(
        data=given.data,
        port=given.port,
        orders=given.orders,
        audits=given.audits,
        seed=given.seed,
        clock=given.clock,
        epoch=given.epoch,
        token_life=given.token_life,
        patience=given.patience,
        switches=switches,
        stop_with_stdin=given.stop_with_stdin,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m app.practice",
        description="Both services of the provider, made up, on this computer only. Prints one JSON line when ready.",
        epilog="switches:\n" + "\n".join(f"  {name:20} {each.words}" for name, each in SWITCHES.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--data", type=Path, required=True, metavar="DIR", help="where everything is kept")
    add("--port", type=_port, default=0, help="0 for any free one")
    add("--orders", type=_count, metavar="N", help=f"fill to N orders ({FIRST_ORDERS} at first)")
    add("--audits", type=_count, metavar="N", help=f"fill to N audits ({FIRST_AUDITS} at first)")
    add("--seed", type=int, metavar="S", help="what the world and its faults are thrown from")
    add("--clock", type=_positive, default=1.0, metavar="SPEED", help="how fast time passes; 0 stops it")
    add("--epoch", type=_moment, metavar="TIME", help="local time at which a new world begins (now)")
    add("--token-life", type=_positive, default=3600.0, metavar="SECONDS")
    add("--patience", type=_positive, default=PATIENCE, metavar="SECONDS", help="for a head, and for a body (30)")
    add("--switch", action="append", default=[], metavar="NAME[=VALUE],…", help="see below; may be repeated")
    add("--stop-with-stdin", action="store_true", help="stop when standard input closes")
    return parser


def _port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65_535:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return number


def _count(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 20_000_000:
        raise argparse.ArgumentTypeError("a number from 0 to 20000000")
    return number


def _positive(text: str) -> float:
    number = float(text)
    if not 0 <= number < 1e9:
        raise argparse.ArgumentTypeError("a number, 0 or more")
    return number


def _moment(text: str) -> str:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is not None or not 2000 <= moment.year < 2200:
        raise argparse.ArgumentTypeError("a local time from 2000 to 2199, such as 2026-11-21T14:00:00")
    return text
