"""What a fault of the suite is, and the table of what was tried and found.

`run(size, seed)` provokes the fault `size` times and says what did not hold. The same size and seed provoke the same
faults in the same order; what the operating system decides (which process runs when) is the only other thing that
may differ. A run makes its own folders and processes and leaves none behind.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Report:
    """How often the fault was provoked, and a sentence for each time that something did not hold."""

    tried: int = 0
    found: list[str] = field(default_factory=list)
    note: str = ""  # what else is worth knowing, such as a time that was measured
    kinds: Counter[str] = field(default_factory=Counter)  # of the findings, where the fault tells them apart

    def check(self, holds: bool, otherwise: str, kind: str = "") -> bool:
        """Note `otherwise` unless it holds; the same truth is returned. `kind` is what it has in common with others."""
        if not holds:
            self.found.append(otherwise)
            if kind:
                self.kinds[kind] += 1
        return holds


@dataclass(frozen=True, slots=True)
class Fault:
    """One line of the table. `small` is for every change (a few seconds), `full` is the size of the measure."""

    name: str  # as in the measures: "F2"
    title: str  # what is done, and what must hold
    run: Callable[[int, int], Report]
    small: int
    full: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """A fault that was run."""

    fault: Fault
    seed: int
    report: Report
    seconds: float


def provoke(fault: Fault, size: int, seed: int) -> Outcome:
    """Run one fault. What it raises is a finding too: the others are still wanted."""
    started = time.monotonic()
    try:
        report = fault.run(size, seed)
    except Exception as error:  # noqa: BLE001  # told in the table, with the seed to see it again
        report = Report(found=[f"{type(error).__name__}: {error}"])
    return Outcome(fault, seed, report, time.monotonic() - started)


HEADINGS = ("fault", "tried", "found", "seconds", "seed")
_SHOWN = 10


def table(outcomes: Sequence[Outcome]) -> str:
    """Headings and a line for each fault, in columns."""
    lines = [HEADINGS]
    for each in outcomes:
        name = f"{each.fault.name} {each.fault.title}"
        lines.append(
            (name, f"{each.report.tried:,}", str(len(each.report.found)), f"{each.seconds:.1f}", str(each.seed))
        )
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def printable(words: str) -> str:
    """The words as any output takes them: half a character, which a fault may have put there, as an escape."""
    return words.encode("utf-8", "backslashreplace").decode()


def findings(outcomes: Sequence[Outcome]) -> str:
    """What did not hold, the first few of each fault, and what was noted."""
    lines: list[str] = []
    for each in outcomes:
        if each.report.note:
            lines.append(f"{each.fault.name}: {each.report.note}")
        lines += [f"{each.fault.name}: {count:,} × {kind}" for kind, count in each.report.kinds.most_common()]
        shown = [printable(words) for words in each.report.found[:_SHOWN]]
        lines += [f"{each.fault.name} (seed {each.seed}) FOUND: {words}" for words in shown]
        if len(each.report.found) > _SHOWN:
            lines.append(f"{each.fault.name}: and {len(each.report.found) - _SHOWN} more")
    return "\n".join(lines)
