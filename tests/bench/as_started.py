"""Runs a window of the measures as the program itself starts: collector held back, one heap, sources left alone.

Arguments: the module beside this one, and its own. A window that imports the program by itself holds what PySide reads
of its sources meanwhile: twelve megabytes that the program does without.
"""

import runpy
import sys

from app.runtime.features import leave_sources_alone
from app.runtime.memory import hold_collector_back, keep_one_heap

if __name__ == "__main__":
    hold_collector_back()
    keep_one_heap()
    leave_sources_alone()
    del sys.argv[0]
    runpy.run_module(f"tests.bench.{sys.argv[0]}", run_name="__main__", alter_sys=True)
