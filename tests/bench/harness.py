"""How a speed is measured: always against a yardstick timed in the same run, turn and turn about, and by the median.

Machines are noisy, so a number alone says little; the ratio to a thing of known speed, timed alternately, says much.
The order within a pair changes from round to round, so that what the first leaves warm helps neither.
"""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Timed = Callable[[], float]


@dataclass(frozen=True)
class Result:
    """Medians of both sides, in the measure's unit; `note` says under which conditions (display, sizes)."""

    ours: float
    yardstick: float
    note: str = ""

    @property
    def ratio(self) -> float:
        """Ours in yardsticks: below 1 is faster (or smaller) than the yardstick."""
        return self.ours / self.yardstick


@dataclass(frozen=True)
class Measure:
    """One line of the table. `run(rounds)` does the whole of it and cleans up after itself."""

    name: str
    title: str
    yardstick: str
    unit: str
    target: float
    run: Callable[[int], Result]


def alternate(ours: Timed, yardstick: Timed, rounds: int, note: str = "") -> Result:
    """Time both, alternately, `rounds` times each after one unmeasured turn; each call returns its own figure."""
    if rounds < 5:
        raise ValueError("a median of fewer than five says too little")
    ours()
    yardstick()
    our_times: list[float] = []
    yard_times: list[float] = []
    for turn in range(rounds):
        pair = [(our_times, ours), (yard_times, yardstick)]
        for times, timed in pair if turn % 2 == 0 else reversed(pair):
            times.append(timed())
    return Result(statistics.median(our_times), statistics.median(yard_times), note)


HEADINGS = ("measure", "ours", "yardstick", "ratio", "target", "")


def row(measure: Measure, result: Result) -> tuple[str, ...]:
    """One line of the table, as text."""
    return (
        f"{measure.name} {measure.title}",
        f"{result.ours:.4g} {measure.unit}",
        f"{result.yardstick:.4g} {measure.unit} ({measure.yardstick})",
        f"{result.ratio:.2f}",
        f"<= {measure.target:g}",
        "met" if result.ratio <= measure.target else "MISSED",
    )


def table(rows: Sequence[Sequence[str]]) -> str:
    """Headings and rows in columns."""
    lines = [HEADINGS, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
