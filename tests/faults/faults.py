"""The faults there are, in the order of the table. A new one is a module with a `FAULT` and a line here."""

from tests.faults import (
    bulk,
    decoders_killed,
    f01_killed,
    f02_power_cuts,
    f03_dropped,
    f04_closed,
    f05_histories,
    f06_refusing_disk,
    f07_owner,
    f08_damage,
    f09_migration,
    f11_refused,
    f12_addresses,
    f13_pictures,
    f16_malformed,
    f17_canary,
    typing_killed,
    year_synced,
)
from tests.faults.harness import Fault

FAULTS: tuple[Fault, ...] = (
    f01_killed.FAULT,
    f02_power_cuts.FAULT,
    f03_dropped.FAULT,
    f04_closed.FAULT,
    f05_histories.FAULT,
    f06_refusing_disk.FAULT,
    f07_owner.FAULT,
    f08_damage.FAULT,
    f09_migration.FAULT,
    f11_refused.FAULT,
    f12_addresses.FAULT,
    f13_pictures.FAULT,
    decoders_killed.FAULT,
    f16_malformed.FAULT,
    f17_canary.FAULT,
    bulk.FAULT,
    typing_killed.FAULT,
    year_synced.FAULT,
)
