"""The names of open drafts: sorted by when they were begun, and never failing on odd text."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest

from app.store.journal import draft_store, write_store
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.sqlite.opening import open_file

NOW = datetime(2026, 11, 20, 14, 2, tzinfo=UTC)


@pytest.fixture
def c(tmp_path: Path) -> Iterator[apsw.Connection]:
    connection = open_file(tmp_path / "journal.sqlite3", JOURNAL)
    yield connection
    connection.close()


def save(
    c: apsw.Connection, key: str, minute: int, reference: object = "", name: object = "", profile: str = "p"
) -> None:
    body = json.dumps({"orderReferenceNumber": reference, "consignee": {"consigneeName": name}}, ensure_ascii=False)
    draft_store.save_draft(c, profile, key, body, NOW + timedelta(minutes=minute))


def test_open_drafts_are_sorted_by_when_they_were_begun(c: apsw.Connection) -> None:
    save(c, "b", 1, "R-1", "J. Rivera")
    save(c, "a", 2, "", "Zoë")
    save(c, "gone", 3)
    save(c, "other", 0, profile="q")
    draft_store.close_draft(c, "gone", NOW)
    save(c, "b", 9, "R-2")
    found = draft_store.open_draft_names(c, "p")
    assert [(each.id, each.reference, each.consignee) for each in found] == [("b", "R-2", ""), ("a", "", "Zoë")]
    assert (found[0].begun_at, found[0].changed_at) == (NOW + timedelta(minutes=1), NOW + timedelta(minutes=9))


@pytest.mark.parametrize("odd", [None, 7, ["x"], "\udc80 half", "\u202e", "a\x00b"])
def test_every_draft_has_a_name_whatever_its_text(c: apsw.Connection, odd: object) -> None:
    save(c, "a", 1, odd, odd)
    draft_store.save_draft(c, "p", "b", "[]", NOW)
    found = {each.id: each for each in draft_store.open_draft_names(c, "p")}
    assert set(found) == {"a", "b"}
    assert all(isinstance(each.reference, str) for each in found.values())


def test_the_last_draft_closed_unsent_is_found(c: apsw.Connection) -> None:
    assert draft_store.last_closed_draft(c, "p") is None
    for at, key in enumerate("abc"):
        save(c, key, at)
        draft_store.close_draft(c, key, NOW + timedelta(hours=3 - at))
    save(c, "sent", 5)
    write_store.queue_write(c, "p", "submit", "R", b"{}", NOW + timedelta(hours=9), "sent")
    assert draft_store.last_closed_draft(c, "p") == "a"
    assert draft_store.last_closed_draft(c, "q") is None
