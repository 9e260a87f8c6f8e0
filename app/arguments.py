"""What may be said on the command line."""

import argparse
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Arguments:
    """`data_dir` None is the operating system's place for a program's data."""

    data_dir: Path | None = None
    time_to_ready: bool = False
    selftest: bool = False


def read_arguments(words: list[str]) -> Arguments:
    """Read the command line; leaves with a sentence and status 2 when it makes no sense."""
    parser = argparse.ArgumentParser(prog="waybill", description="Delivery orders at a logistics provider.")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="keep everything of this run in one folder")
    parser.add_argument(
        "--time-to-ready", action="store_true", help="print when the window was painted and usable, as JSON, and leave"
    )
    parser.add_argument("--selftest", action="store_true", help="check what the program needs, print it, and leave")
    read = parser.parse_args(words)
    return Arguments(read.data_dir, read.time_to_ready, read.selftest)
