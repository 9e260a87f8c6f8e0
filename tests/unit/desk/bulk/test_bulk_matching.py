"""How the columns of a file are matched: away from the window, however wide the file is."""

import threading
from pathlib import Path

import pytest

from app.desk.bulk.files.file_tables import Table
from app.desk.bulk.mapping import kept_mappings, match_columns
from app.desk.bulk.mapping.column_mapping import ColumnMapping
from app.desk.bulk.mapping.match_columns import Matched
from app.desk.desk import Desk
from tests.support.import_files import FIRST, lines, mapped, table_of

pytestmark = pytest.mark.asyncio


async def test_columns_are_matched_on_a_thread_of_their_own(
    offline_desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[threading.Thread] = []
    really = match_columns.find_forms

    def find_forms(table: Table, mapping: ColumnMapping) -> Matched:
        seen.append(threading.current_thread())
        return really(table, mapping)

    for module in (match_columns, kept_mappings):
        monkeypatch.setattr(module, "find_forms", find_forms)
    table = table_of(tmp_path, lines(FIRST))
    matched = await kept_mappings.mapping_for(offline_desk, table)
    await kept_mappings.remember(offline_desk, table, mapped(table)[0].mapping)
    again = await kept_mappings.mapping_for(offline_desk, table)
    assert [use.path for use in again.mapping.columns] == [use.path for use in matched.mapping.columns]
    assert len(seen) >= 2
    assert threading.main_thread() not in seen[:1] + seen[-1:]
