"""Tells in the window's message bar what failed: the run before, or something in this one.

A report is shown whole before anybody copies it. Imported when there is something to tell.
"""

from collections.abc import Callable
from functools import partial

from app.runtime.crash_watch import MANY, CrashWatch
from app.ui.base.main_window import MainWindow
from app.ui.reports import reports_words
from app.ui.reports.diagnostics import crash_report
from app.ui.reports.report_dialog import show_report
from app.ui.shell import shell_words as words
from app.ui.theme.theme import Theme

_CRASH, _SAFE = "the run before", "safe start"


def tell_of_fault(window: MainWindow, theme: Theme, where: str, report: str) -> None:
    """A mistake of the program's own in this run: its lines, without their values."""
    show = partial(show_report, window, theme, reports_words.FAULT_TITLE, reports_words.CRASH_HELP)
    window.bar.say("bad", words.fault(where), reports_words.SHOW_REPORT, partial(show, words.report(where, report)))


def tell_of_failure(window: MainWindow, theme: Theme, watch: CrashWatch) -> None:
    """How the run before broke off, if it did."""
    if watch.failure is not None:
        report = crash_report(watch.failure)
        show = partial(show_report, window, theme, reports_words.CRASH_TITLE, reports_words.CRASH_HELP, report)
        window.bar.say("warn", reports_words.CRASHED, reports_words.SHOW_REPORT, show, topic=_CRASH)
    elif watch.broken_off:
        window.bar.say("", reports_words.BROKEN_OFF, topic=_CRASH, stays=True)


def tell_of_safe_start(window: MainWindow, watch: CrashWatch, go_on: Callable[[], None]) -> None:
    """Say that nothing happens by itself in this start, with the button that ends this."""
    said = reports_words.SAFE if watch.in_a_row >= MANY else reports_words.SAFE_ASKED
    window.bar.say("warn", said, reports_words.WORK_AS_USUAL, go_on, topic=_SAFE, priority=1)
