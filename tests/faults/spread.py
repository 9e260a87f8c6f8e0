"""A large run in parts, side by side; the parts and their seeds depend on size and seed alone."""

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

from tests.faults.harness import Report

_PARTS = 16


def spread(run: Callable[[int, int], Report], size: int, seed: int, *, few: int) -> Report:
    """`run` in this process for `few` and fewer, else in parts in as many processes as there are processors."""
    if size <= few:
        return run(size, seed)
    sizes = [size // _PARTS + (part < size % _PARTS) for part in range(_PARTS)]
    seeds = [seed * 1_000 + part for part in range(_PARTS)]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=os.cpu_count() or 1, mp_context=context) as pool:
        parts = list(pool.map(run, sizes, seeds))
    notes = sorted({part.note for part in parts if part.note})
    return Report(sum(part.tried for part in parts), [each for part in parts for each in part.found], "; ".join(notes))
