"""Dates and times as providers write them."""

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.moments import has_zone, read_audit_date, read_date, read_moment
from tests.support.contract_samples import UNTIMED

NOON = datetime(2026, 7, 1, 12, 0)


@pytest.fixture(params=["UTC", "America/Chicago", "Asia/Kolkata"])
def _zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The computer stands in this time zone."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def local(moment: datetime) -> datetime:
    return datetime.fromtimestamp(moment.timestamp())


@pytest.mark.usefixtures("_zone")
@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-07-01T12:00:00", NOON),
        ("2026-07-01 12:00:00", NOON),
        ("2026-07-01T12:00", NOON),
        (" 2026-07-01T12:00:00 ", NOON),
        ("2026-07-01T12:00:00.1234567", NOON.replace(microsecond=123456)),
        ("2026-07-01T12:00:00.5", NOON.replace(microsecond=500000)),
        ("2026-07-01T12:00:00,25", NOON.replace(microsecond=250000)),
        ("2026-07-01", NOON.replace(hour=0)),
        ("2024-02-29", datetime(2024, 2, 29)),
        ("0001-01-01T00:00:00", datetime(1, 1, 1)),
    ],
)
def test_a_time_without_a_zone_is_kept_as_it_is(text: str, moment: datetime) -> None:
    assert read_moment(text) == moment


@pytest.mark.usefixtures("_zone")
@pytest.mark.parametrize("zone", ["Z", "z", "+00:00", "-00:00", "+0000", " Z"])
@pytest.mark.parametrize("fraction", ["", ".0000000", ".000"])
def test_a_time_in_utc_becomes_local(zone: str, fraction: str) -> None:
    assert read_moment(f"2026-07-01T12:00:00{fraction}{zone}") == local(NOON.replace(tzinfo=UTC))


@pytest.mark.usefixtures("_zone")
@pytest.mark.parametrize("hours", [-11, -5, 2, 5.5, 13])
def test_an_offset_becomes_local(hours: float) -> None:
    moment = NOON.replace(tzinfo=timezone(timedelta(hours=hours)))
    assert read_moment(moment.isoformat()) == local(moment)
    assert read_moment(moment) == local(moment)
    assert read_audit_date(moment) == local(moment)


def test_a_naive_datetime_is_itself() -> None:
    assert read_moment(NOON) == NOON
    assert read_audit_date(NOON) == NOON


@pytest.mark.parametrize("zone", [timezone(timedelta(hours=14)), timezone(timedelta(hours=-14))])
@pytest.mark.parametrize("edge", [datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59)])
@pytest.mark.usefixtures("_zone")
def test_the_ends_of_time_never_raise(edge: datetime, zone: timezone) -> None:
    for value in (edge.replace(tzinfo=zone), edge.replace(tzinfo=zone).isoformat()):
        outcome = read_moment(value)
        assert outcome is None or outcome.tzinfo is None


RUBBISH = ["", " ", "soon", "2026", "2026-7-1", "2026-13-01", "2026-02-30", "2026-07-01T", "2026-07-01T25:00:00"]
RUBBISH += ["2026-07-01T12:60", "2026-07-01T12", "T12:00", "2026-07-01T12:00:00+", "2026-07-01T12:00:00+99:99"]
RUBBISH += ["01/07/2026", "2026-07-01T12:00:00 Uhr", "٢٠٢٦-٠٧-٠١", "/Date(1782900000000)/", "2026-07-01\x00"]


@pytest.mark.parametrize("value", [*RUBBISH, None, 5, 5.5, True, [], {}, date(2026, 7, 1)])
def test_what_is_no_time_is_none(value: object) -> None:
    assert read_moment(value) is None


@pytest.mark.usefixtures("_zone")
@pytest.mark.parametrize("seconds", [0, 86_400, 1_735_689_600, 1_735_689_600.75, 99_999_999_999, -86_400])
def test_an_audit_date_in_seconds(seconds: float) -> None:
    assert read_audit_date(seconds) == datetime.fromtimestamp(int(seconds))
    assert read_audit_date(str(int(seconds))) == datetime.fromtimestamp(int(seconds))


@pytest.mark.usefixtures("_zone")
@pytest.mark.parametrize("seconds", [100_000_000, 1_735_689_600, 4_102_444_800])
def test_an_audit_date_in_milliseconds(seconds: int) -> None:
    for value in (seconds * 1000, f" {seconds * 1000} ", float(seconds * 1000)):
        assert read_audit_date(value) == datetime.fromtimestamp(seconds)
    assert read_audit_date(seconds * 1000 + 250) == datetime.fromtimestamp(seconds + 0.25)


@pytest.mark.parametrize("value", [2026_07_01, "20260701", 20260701.0])
def test_an_audit_date_in_digits_of_the_calendar(value: object) -> None:
    assert read_audit_date(value) == datetime(2026, 7, 1)


@pytest.mark.parametrize("text", ["2026-07-01", "2026-07-01T12:00:00.0000000"])
def test_an_audit_date_as_text(text: str) -> None:
    assert read_audit_date(text) == read_moment(text) is not None


@pytest.mark.parametrize(
    "value",
    [
        *RUBBISH[:2],
        "soon",
        None,
        True,
        False,
        [],
        {},
        20261301,
        20260230,
        float("nan"),
        float("inf"),
        10**30,
        -(10**30),
        "9" * 5000,
        "²",
        "--5",
        "1_735_689_600_",
    ],
)
def test_what_is_no_audit_date_is_none(value: object) -> None:
    assert read_audit_date(value) is None


@pytest.mark.parametrize("value", [10**400, -(10**400), "9" * 400, "9" * 5_000, 10**30, 1e300])
def test_a_number_beyond_all_days_is_no_audit_date(value: object) -> None:
    assert read_audit_date(value) is None


def test_a_zone_is_seen_only_behind_a_time() -> None:
    for text in ("2026-11-16T02:00:00Z", " 2026-11-16 02:00 -0600", "2026-11-16T02:00:00.1234567+00:00"):
        assert has_zone(text)
    for value in ("", "2026-11-16", "2026-11-16T02:00:00", "2026-11-16Z", "Z", None, 1, datetime(2026, 11, 16)):
        assert not has_zone(value)


def test_a_requests_date_is_written_one_way() -> None:
    assert read_date("2026-07-01") == date(2026, 7, 1)
    for text in (*RUBBISH, " 2026-07-01", "2026-07-01 ", "20260701", "2026-07-01T00:00:00"):
        assert read_date(text) is None


@UNTIMED
@given(st.text() | st.from_regex(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d([.,]\d{0,9})?)?)?(Z|[+-]\d\d:?\d\d)?"))
def test_any_text_is_a_naive_time_or_none(text: str) -> None:
    for moment in (read_moment(text), read_audit_date(text)):
        assert moment is None or moment.tzinfo is None
    read_date(text)


@UNTIMED
@given(st.integers() | st.floats() | st.integers().map(str))
def test_any_number_is_a_naive_time_or_none(value: object) -> None:
    moment = read_audit_date(value)
    assert moment is None or moment.tzinfo is None


@UNTIMED
@given(st.datetimes() | st.datetimes(min_value=datetime(1980, 1, 1), timezones=st.timezones()))
def test_a_time_written_out_is_read_back(moment: datetime) -> None:
    assert read_moment(moment.isoformat()) == read_moment(moment)
