"""How the columns of a file are matched, away from the window, and what of it counts for the next file."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from app.desk.bulk.files.file_tables import ReadOptions, Table
from app.desk.bulk.mapping import kept_mappings, match_columns
from app.desk.bulk.mapping.column_mapping import ColumnMapping
from app.desk.bulk.mapping.match_columns import Matched
from app.desk.bulk.outcome.watched_folder import open_sheet
from app.desk.bulk.rows.import_sheet import ImportSheet
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress
from app.store.journal import import_setting_store
from tests.support.import_files import FIRST, TITLES, lines, mapped, table_of

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


ACCENTS = lines(FIRST.replace("J. Rivera", "José Núñez"))


async def next_week(desk: Desk, folder: Path, text: bytes, options: ReadOptions | None = None) -> ImportSheet:
    """The sheet of a further file, which is remembered as it is at sending."""
    (folder / "next.csv").write_bytes(text)
    sheet, _ = await open_sheet(desk, folder / "next.csv", options or ReadOptions(), Progress())
    await kept_mappings.remember(desk, sheet.table, sheet.mapping)
    return sheet


def days(*found: str) -> bytes:
    """A file with an order for each of these days."""
    titles = f"{TITLES},Requested delivery"
    return "\n".join([titles, *(f"{FIRST.replace('R-1', f'R-{n}')},{day}" for n, day in enumerate(found))]).encode()


def read_days(sheet: ImportSheet) -> list[str]:
    return [sheet.draft(key).requestedDeliveryDate for key in sheet.orders]


@pytest.mark.parametrize(
    ("first", "second"),
    [("cp1252", "utf-8"), ("cp1252", "utf-8-sig"), ("utf-8", "cp1252"), ("utf-8-sig", "utf-16"), ("ascii", "cp1252")],
)
async def test_an_encoding_that_was_found_says_nothing_about_the_next_file(
    offline_desk: Desk, tmp_path: Path, first: str, second: str
) -> None:
    before = ACCENTS if first != "ascii" else lines(FIRST)
    await next_week(offline_desk, tmp_path, before.encode(first))
    sheet = await next_week(offline_desk, tmp_path, ACCENTS.encode(second))
    assert sheet.rows[0][1] == "José Núñez"
    assert all(each.sure for each in sheet.table.findings) == (second != "cp1252")


async def test_an_encoding_that_was_chosen_counts_where_the_same_is_guessed(offline_desk: Desk, tmp_path: Path) -> None:
    text = ACCENTS.encode("cp1252")
    # The same bytes are other letters there: a person tells them apart by a name.
    chosen = ReadOptions(encoding="mac_roman")
    assert (await next_week(offline_desk, tmp_path, text, chosen)).rows[0][1] != "José Núñez"
    proven = await next_week(offline_desk, tmp_path, ACCENTS.encode())
    assert proven.rows[0][1] == "José Núñez"
    again = await next_week(offline_desk, tmp_path, text)
    assert again.table.read_with.encoding == "mac_roman"
    await next_week(offline_desk, tmp_path, text, ReadOptions(encoding="cp1252"))
    assert (await next_week(offline_desk, tmp_path, text)).rows[0][1] == "José Núñez"


async def test_a_separator_is_found_anew(offline_desk: Desk, tmp_path: Path) -> None:
    await next_week(offline_desk, tmp_path, lines(FIRST).replace(",", ";").encode())
    sheet = await next_week(offline_desk, tmp_path, lines(FIRST).encode())
    assert sheet.rows == [tuple(FIRST.split(","))]


async def test_a_file_tells_the_order_of_its_days_whatever_the_last_one_told(
    offline_desk: Desk, tmp_path: Path
) -> None:
    await next_week(offline_desk, tmp_path, days("12/24/2027", "06/05/2027"))
    sheet = await next_week(offline_desk, tmp_path, days("24/12/2027", "06/05/2027"))
    assert read_days(sheet) == ["2027-12-24", "2027-05-06"]
    # Nothing tells it here, and nobody has chosen: each day has its sentence.
    left_open = await next_week(offline_desk, tmp_path, days("06/05/2027"))
    assert left_open.orders[0].wrong == 1


async def test_an_order_of_days_that_was_chosen_counts_until_a_file_tells_another(
    offline_desk: Desk, tmp_path: Path
) -> None:
    sheet = await next_week(offline_desk, tmp_path, days("06/05/2027"))
    chosen = replace(sheet.mapping, dates="dmy")
    await kept_mappings.remember(offline_desk, sheet.table, chosen)
    for found in (days("24/12/2027"), days("06/05/2027")):
        sheet = await next_week(offline_desk, tmp_path, found)
        assert sheet.mapping.dates == "dmy"
    assert read_days(await next_week(offline_desk, tmp_path, days("12/24/2027", "06/05/2027")))[1] == "2027-06-05"
    assert (await next_week(offline_desk, tmp_path, days("06/05/2027"))).orders[0].wrong == 1


async def test_a_file_tells_its_decimal_sign_whatever_the_last_one_told(offline_desk: Desk, tmp_path: Path) -> None:
    titles, row = TITLES.replace(",", ";"), FIRST.replace(",", ";")
    await next_week(offline_desk, tmp_path, f"{titles}\n{row}\n".encode())
    # By itself the first number could be a thousand as well.
    told = [titles, *(row.replace("84.5", volume) for volume in ("1,234", "84,5"))]
    sheet = await next_week(offline_desk, tmp_path, "\n".join(told).encode())
    assert [each.volume for each in sheet.draft(0).freightDetails] == ["1.234", "84.5"]


async def test_a_mapping_under_a_name_gives_way_to_what_a_file_tells(offline_desk: Desk, tmp_path: Path) -> None:
    sheet = await next_week(offline_desk, tmp_path, days("12/24/2027"))
    await kept_mappings.keep(offline_desk, sheet.table, sheet.mapping, "ERP")
    other = table_of(tmp_path, days("24/12/2027"))
    assert (await kept_mappings.load(offline_desk, other, "ERP")).dates == ""
    assert (await kept_mappings.load(offline_desk, table_of(tmp_path, days("06/05/2027")), "ERP")).dates == "mdy"


async def test_what_an_earlier_version_kept_is_read_without_what_was_found(offline_desk: Desk, tmp_path: Path) -> None:
    sheet = await next_week(offline_desk, tmp_path, days("12/24/2027"))
    key = kept_mappings.digest_of(sheet.table.titles)
    journal, profile = offline_desk.journal, offline_desk.profile.id
    record = journal.read_now(import_setting_store.remembered, profile, key)
    assert record is not None
    old = {name: each for name, each in record.items() if name != "chosen"}
    old |= {"dates": "mdy", "decimal": ".", "reading": {"encoding": "cp1252", "separator": ";"}}
    journal.write_now(import_setting_store.remember, profile, key, old)
    again = await next_week(offline_desk, tmp_path, days("06/05/2027"))
    assert (again.mapping.dates, again.table.read_with.encoding) == ("", "utf-8")
    assert [use.path for use in again.mapping.columns] == [use.path for use in sheet.mapping.columns]
