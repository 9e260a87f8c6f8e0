"""The faults there are, in the order of the table. A new one is a module with a `FAULT` and a line here."""

from tests.faults import (
    bulk,
    f01_killed,
    f03_dropped,
    f04_closed,
    f05_histories,
    f11_refused,
    f16_malformed,
    f17_canary,
)
from tests.faults.harness import Fault

FAULTS: tuple[Fault, ...] = (
    f01_killed.FAULT,
    f03_dropped.FAULT,
    f04_closed.FAULT,
    f05_histories.FAULT,
    f11_refused.FAULT,
    f16_malformed.FAULT,
    f17_canary.FAULT,
    bulk.FAULT,
)
