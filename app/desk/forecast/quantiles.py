"""Quantiles of counted whole numbers, by nearest rank.

Invariant: a quantile is one of the numbers that were counted. The nearest-rank quantile of p among n numbers is the
smallest one at or below which at least p × n of them lie.
"""

from collections.abc import Mapping

LEAST_CASES = 20  # below that nothing is said: nine of ten of a few are an anecdote
TENTHS = 10


def quantile(counted: Mapping[int, int], tenths: int) -> int:
    """The smallest number at or below which at least `tenths` tenths of the counted numbers lie.

    `counted` says how often each number occurs. Raises ValueError if nothing was counted, or for other than 1 to 10.
    """
    total = sum(counted.values())
    if total < 1 or not 1 <= tenths <= TENTHS:
        raise ValueError("no quantile of nothing")
    passed = 0
    for number in sorted(counted):
        passed += counted[number]
        # In whole numbers: 0.9 * 10 is not 9 in binary fractions.
        if passed * TENTHS >= tenths * total:
            return number
    raise AssertionError("all numbers together are ten tenths")


def count_from(counted: Mapping[int, int], least: int) -> int:
    """How many of the counted numbers are `least` or more."""
    return sum(count for number, count in counted.items() if number >= least)
