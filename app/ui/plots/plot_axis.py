"""Where the values of a plot stand, and the round values that its axis marks. Pure arithmetic."""

from math import ceil, floor, log10
from typing import NamedTuple

from app.desk.insights.plot_data import Plot, Unit
from app.translation import translate

_ROUND = (1.0, 2.0, 5.0, 10.0)
MOST_STEPS = 5
_WHOLE: tuple[Unit, ...] = ("count", "days")
_HIGH_PERCENT = 50.0  # lines that all lie above it may have an axis that does not begin at nothing


class Axis(NamedTuple):
    """The values from `low` to `high`, with a tick every `step`. Both ends are multiples of it."""

    low: float
    high: float
    step: float

    def part(self, value: float) -> float:
        """Where a value stands, from 0 to 1."""
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)

    def ticks(self) -> list[float]:
        """The marked values, both ends among them."""
        return [self.low + self.step * at for at in range(round((self.high - self.low) / self.step) + 1)]


def axis_of(plot: Plot, steps: int = MOST_STEPS) -> Axis:
    """The axis that holds all values of a plot, with so many steps at most. It begins at nothing, but for values below
    that and for lines of high percentages."""
    values = _values(plot)
    if plot.unit == "percent":
        lowest = min(values, default=0.0)
        low = floor((lowest - 5) / 10) * 10.0 if plot.kind == "lines" and lowest > _HIGH_PERCENT else 0.0
        return Axis(low, 100.0, 20.0 if low == 0.0 else 10.0)
    high = plot.top if plot.top is not None else max(values, default=1.0)
    low = min([0.0, *values])
    step = _step(max(high - low, 1.0 if plot.unit in _WHOLE else 1e-6), steps, whole=plot.unit in _WHOLE)
    return Axis(floor(low / step) * step, max(ceil(round(high / step, 9)), 1) * step, step)


def _values(plot: Plot) -> list[float]:
    if not plot.stacked:
        marks = [mark for _, _, mark in plot.marks()]
        cases = () if plot.cases is None else plot.cases.values
        return [*cases, *(each for mark in marks for each in (mark.low, mark.value, mark.high) if each is not None)]
    sums = [0.0] * len(plot.places)
    for _, place, mark in plot.marks():
        sums[place] += mark.value
    return sums


def _step(span: float, most: int, *, whole: bool) -> float:
    """The smallest round step of which at most so many cover the span."""
    least = span / most
    power = 10.0 ** floor(log10(least))
    step = next(each * power for each in _ROUND if each * power >= least * (1 - 1e-9))
    return max(step, 1.0) if whole else step


def tick_words(value: float, unit: Unit) -> str:
    """A value at the axis."""
    shown = f"{value:,.6f}".rstrip("0").rstrip(".")
    if unit == "percent":
        return translate("{value} %", value=shown)
    if unit == "hours":
        return translate("{value} h", value=shown)
    if unit == "days":
        return translate("{value} d", value=shown)
    return shown


def shown_places(count: int, room: float, each: float) -> range:
    """Which places have room for their labels, if each takes `each` of `room`: every n-th, the last one among them."""
    if count < 1:
        return range(0)
    every = max(1, ceil(count * each / max(room, 1.0)))
    return range((count - 1) % every, count, every)


def ticks_said(count: int, room: float, each: float) -> range:
    """Which ticks of an axis have room for their values: every n-th, so that both ends are among them."""
    steps = count - 1
    every = next((n for n in range(1, steps) if steps % n == 0 and (steps // n + 1) * each <= room), max(steps, 1))
    return range(0, count, every)
