"""The outbox's model: it keeps the view's place, and has only what has changed painted again."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.store.journal.records import WriteRow
from app.ui.outbox.outbox_model import OutboxModel

pytestmark = pytest.mark.usefixtures("qapp")
NOW = datetime(2026, 11, 23, 10, 2, tzinfo=UTC)


def write(number: int) -> WriteRow:
    return WriteRow(number, "acme", "submit", f"R-{number}", "queued", NOW, NOW, None, None, 0)


class Told:
    """The rows that a view was told to paint again, and how often it was told to begin anew."""

    def __init__(self, model: OutboxModel) -> None:
        self.rows: list[tuple[int, int]] = []
        self.resets = 0
        model.dataChanged.connect(lambda first, last: self.rows.append((first.row(), last.row())))
        model.modelReset.connect(self._on_reset)

    def _on_reset(self) -> None:
        self.resets += 1


def test_only_rows_that_have_changed_are_painted_again() -> None:
    model = OutboxModel()
    model.replace([write(4), write(3), write(2), write(1)])
    told = Told(model)
    model.replace([write(4), write(3), write(2), write(1)])
    assert (told.rows, told.resets) == ([], 0)
    model.replace([write(4), replace(write(3), state="sending"), replace(write(2), state="accepted"), write(1)])
    assert (told.rows, told.resets) == ([(1, 2)], 0)
    assert [model.index(row, 0).data() for row in range(4)] == ["◔ Queued", "▶ Sending", "✓ Accepted", "◔ Queued"]


def test_a_pause_changes_the_look_of_all() -> None:
    model = OutboxModel()
    model.replace([write(2), write(1)])
    told = Told(model)
    model.replace([write(2), write(1)], paused_until=NOW, pause_reason="The provider asks to wait.")
    assert told.rows == [(0, 1)]
    assert model.index(1, 4).data().startswith("The provider asks to wait.")
    model.replace([write(2), write(1)], blocked=True)
    assert told.rows == [(0, 1)] * 2


def test_the_next_day_changes_how_a_day_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    model = OutboxModel()
    model.replace([write(1)])
    told = Told(model)
    monkeypatch.setattr("app.ui.outbox.outbox_model.today", lambda: NOW.date().replace(year=2030))
    model.replace([write(1)])
    assert told.rows == [(0, 0)]


def test_other_rows_begin_anew() -> None:
    model = OutboxModel()
    model.replace([write(1)])
    told = Told(model)
    model.replace([write(2), write(1)])
    assert (told.rows, told.resets, model.rowCount()) == ([], 1, 2)
