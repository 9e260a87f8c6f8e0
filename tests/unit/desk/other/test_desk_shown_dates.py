"""One way in which dispatchers read dates, and one module that writes it."""

import re
from datetime import date, datetime
from pathlib import Path

import pytest

from app.desk.text.typed_dates import exact_day, exact_moment, read_typed_date, short_day, short_moment

TODAY = date(2026, 11, 23)
# Pages and files of auditors, and texts for programs rather than for people: their days are written otherwise.
_OTHERS = re.compile(
    r"/(audits|report|viewer|console|imaging|insights|forecast|practice|api|store|runtime|updates)/|_export\.py$|/export/"
)
_NAMES = re.compile(r"%[aAbBj]")  # names of weekdays and months
_SHOWN_HERE = "app/desk/text/typed_dates.py"


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (date(2026, 11, 24), "Tue 24 Nov"),
        (date(2026, 12, 3), "Thu 3 Dec"),
        (date(2027, 2, 7), "Sun 7 Feb"),
        (date(2025, 11, 24), "24 Nov 2025"),
        (date(2027, 11, 4), "4 Nov 2027"),
    ],
)
def test_a_day_has_its_weekday_or_where_it_is_not_near_its_year(day: date, words: str) -> None:
    assert short_day(day, TODAY) == words
    assert short_moment(datetime(day.year, day.month, day.day, 14, 2), TODAY) == f"{words} 14:02"


def test_what_is_shown_of_a_day_ahead_can_be_typed() -> None:
    for day in (date(2026, 11, 24), date(2027, 2, 7), date(2027, 11, 4)):
        assert read_typed_date(short_day(day, TODAY), TODAY) == day


def test_a_record_has_weekday_and_year() -> None:
    assert exact_day(date(2026, 11, 3)) == "Tue 3 Nov 2026"
    assert exact_moment(datetime(2026, 11, 3, 14, 2)) == "Tue 3 Nov 2026 14:02"
    assert exact_moment(datetime(2026, 11, 3)) == "Tue 3 Nov 2026"


def test_no_other_module_writes_the_name_of_a_month_or_weekday(root: Path) -> None:
    found = [
        path.relative_to(root).as_posix()
        for path in sorted((root / "app").rglob("*.py"))
        if not _OTHERS.search(path.as_posix()) and _NAMES.search(path.read_text(encoding="utf-8"))
    ]
    assert found == [_SHOWN_HERE]
