"""The measure of reports: the window's memory while one of many audits is written, with photos of 12 megapixels."""

import json

from tests.bench.harness import Measure, Result
from tests.bench.photos import practice_with
from tests.bench.stalls import window_run

AUDITS = 60


def memory(_rounds: int) -> Result:
    """What the window holds when the last page is written, beside what it held after a tenth of them."""
    with practice_with("--audits", str(AUDITS * 4)) as (folder, environment, facts):
        found = window_run("report_window", environment, f"{folder}/window", json.dumps(facts), str(AUDITS))
    held = found["resident_mib"]
    note = (
        f"{found['words']} {found['mib']} MiB; peak {found['peak_mib']} MiB, {found['peak_before_mib']} before it; "
        f"longest stall {found['stall_max_ms']} ms"
    )
    return Result(held[-1], held[1], note)


MEMORY = Measure("S9-REPORT", f"memory after the report of {AUDITS} audits", "after a tenth of it", "MiB", 1.2, memory)
