"""`python -m tests.bench [--list] [--rounds N] [NAME …]`: the measures of speed, as one table of ratios."""

import argparse
import sys
from collections.abc import Sequence

from app.runtime.loop import SWITCH_S
from app.runtime.memory import keep_one_heap, set_libraries_aside
from tests.bench.harness import Measure, row, table
from tests.bench.measures import MEASURES


def chosen(names: Sequence[str]) -> list[Measure]:
    """The measures of these names (S1, s1), in the table's order; all of them if none is named."""
    wanted = {name.upper() for name in names}
    unknown = wanted - {measure.name for measure in MEASURES}
    if unknown:
        known = ", ".join(measure.name for measure in MEASURES)
        raise SystemExit(f"No measure is called {', '.join(sorted(unknown))}; there are: {known}")
    return [measure for measure in MEASURES if not wanted or measure.name in wanted]


def main(arguments: Sequence[str]) -> int:
    """Run the chosen measures and print the table; status 1 if a target was missed."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--list", action="store_true", help="name the measures and leave")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="turns of each side, at least 5")
    options = parser.parse_args(arguments)
    measures = chosen(options.names)
    if options.list:
        print("\n".join(f"{m.name}  {m.title}; yardstick: {m.yardstick}; target <= {m.target:g}" for m in measures))
        return 0
    _run_as_the_program()
    rows, notes, missed = [], [], False
    for measure in measures:
        result = measure.run(options.rounds)
        rows.append(row(measure, result))
        notes += [f"{measure.name}: {result.note}"] if result.note else []
        missed |= result.ratio > measure.target
    print("\n".join([table(rows), *notes]))
    return int(missed)


def _run_as_the_program() -> None:
    """Give this process the collector, the heap and the turns of threads that the program has, for both sides.

    Several measures run the program's parts without a window, in this process. With Python's own settings they would be
    held up by collections and by waits for the interpreter lock that no person ever meets.
    """
    keep_one_heap()
    set_libraries_aside()
    sys.setswitchinterval(SWITCH_S)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
