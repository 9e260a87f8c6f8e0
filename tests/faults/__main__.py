"""`python -m tests.faults [--full] [--seed N] [--size N] [--list] [NAME …]`: breaks things and says what held.

Without `--full` each fault is provoked at the size of every test run. The seed is printed and gives the same run again.
"""

import argparse
import random
import sys
from collections.abc import Sequence

from tests.faults.faults import FAULTS
from tests.faults.harness import Fault, findings, provoke, table


def chosen(names: Sequence[str], faults: Sequence[Fault] = FAULTS) -> list[Fault]:
    """The faults of these names (F2, f2), in the table's order; all of them if none is named."""
    wanted = {name.upper() for name in names}
    unknown = wanted - {fault.name for fault in faults}
    if unknown:
        known = ", ".join(fault.name for fault in faults)
        raise SystemExit(f"No fault is called {', '.join(sorted(unknown))}; there are: {known}")
    return [fault for fault in faults if not wanted or fault.name in wanted]


def main(arguments: Sequence[str], faults: Sequence[Fault] = FAULTS) -> int:
    """Provoke the chosen faults and print the table; status 1 if anything did not hold."""
    parser = argparse.ArgumentParser(prog="faults", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--full", action="store_true", help="at the size of the measures: minutes to an hour")
    parser.add_argument("--size", type=int, metavar="N", help="so many times, in place of either size")
    parser.add_argument("--seed", type=int, metavar="N", help="the seed of an earlier run")
    parser.add_argument("--list", action="store_true", help="name the faults and leave")
    options = parser.parse_args(arguments)
    wanted = chosen(options.names, faults)
    if options.list:
        print("\n".join(f"{each.name}  {each.title}; small {each.small:,}, full {each.full:,}" for each in wanted))
        return 0
    seed = random.randrange(1_000_000) if options.seed is None else options.seed
    print(f"seed {seed}", flush=True)
    outcomes = []
    for each in wanted:
        size = options.size or (each.full if options.full else each.small)
        print(f"{each.name} {each.title}: {size:,} …", flush=True)
        outcomes.append(provoke(each, size, seed))
    print("\n" + "\n".join(filter(None, (table(outcomes), findings(outcomes)))))
    return int(any(each.report.found for each in outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
