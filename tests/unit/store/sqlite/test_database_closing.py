"""A database that is closed while the hook after a commit runs: the committed write is reported as committed."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw

from app.store.journal import setting_store
from app.store.journal.recovery.journal_file import Journal


class ClosesMeanwhile(ThreadPoolExecutor):
    """Closes the database from another thread at the moment when the hook after a commit asks to run again."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(max_workers=1)
        self._journal = journal
        self.closer: threading.Thread | None = None

    def submit(self, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if call == self._journal._run_after_commit and self.closer is None:
            self.closer = threading.Thread(target=self._journal.close_now)
            self.closer.start()
            self.closer.join(0.2)
        return super().submit(call, *args, **kwargs)


def test_closing_while_the_hook_after_a_commit_runs_loses_nothing(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite3")
    journal.write_now(setting_store.write_setting, "first", 1)
    followed: list[int] = []

    def more_to_follow(_: apsw.Connection) -> bool:
        followed.append(1)
        return len(followed) == 1

    assert journal._hooks is not None
    journal._hooks = replace(journal._hooks, after_commit=more_to_follow)
    before, journal._thread = journal._thread, ClosesMeanwhile(journal)
    before.submit(lambda: None).result()
    journal.write_now(setting_store.write_setting, "second", 2)  # raises nothing, since the write is on the disk
    closing = journal._thread
    assert isinstance(closing, ClosesMeanwhile)
    assert closing.closer is not None
    closing.closer.join(20)
    before.shutdown()
    again = Journal(tmp_path / "journal.sqlite3")
    assert again.read_now(setting_store.read_setting, "second") == 2
    again.close_now()
