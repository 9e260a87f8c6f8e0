"""The measures there are, in the order of the table. A new one is a module with a `MEASURE` and a line here."""

from tests.bench import (
    known_consignees,
    photos,
    print_labels,
    reports,
    s1_start,
    s2_orders,
    s4_fetch,
    s4_submit,
    s5_fetch,
    s6_submit,
    s8_first_photo,
    s11_idle,
    s13_form,
    s14_import,
)
from tests.bench.harness import Measure

MEASURES: tuple[Measure, ...] = (
    s1_start.MEASURE,
    s2_orders.KEYS,
    s2_orders.COUNTS,
    s2_orders.STEPS,
    s4_fetch.MEASURE,
    s4_submit.MEASURE,
    photos.STALL,
    photos.KILLED,
    s5_fetch.MEASURE,
    s6_submit.MEASURE,
    s6_submit.AWAY,
    photos.NEXT,
    photos.NEAR,
    s8_first_photo.MEASURE,
    s2_orders.MEMORY,
    photos.MEMORY,
    reports.MEMORY,
    s11_idle.MEASURE,
    s13_form.MEASURE,
    s14_import.MEASURE,
    print_labels.MEASURE,
    known_consignees.MEASURE,
)
