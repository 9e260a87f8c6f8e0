"""The faults there are, in the order of the table. A new one is a module with a `FAULT` and a line here."""

from tests.faults.harness import Fault

FAULTS: tuple[Fault, ...] = ()
