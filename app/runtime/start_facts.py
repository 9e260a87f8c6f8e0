"""The lines of `--time-to-ready`: when a moment of the start was reached, and which modules were imported by then."""

import sys
import time

from app.runtime.age import seconds_old


def print_facts(moment: str, **more: object) -> None:
    """Print a line of JSON: the age of the process in seconds as `moment`, the processor's seconds, how many of
    Waybill's modules are imported, and the names of the libraries that are."""
    age = round(seconds_old(), 4)
    cpu = round(time.process_time(), 4)
    packages = {name.partition(".")[0] for name in sys.modules}
    imported = {
        "modules": sum(name.startswith("app.") for name in sys.modules),
        "libraries": sorted(packages - sys.stdlib_module_names - {"app", "__main__"}),
    }
    import json  # once the moment has been taken: nothing else needs it before the first paint

    print(json.dumps({moment: age, "cpu_s": cpu, **more, **imported}), flush=True)  # noqa: T201
