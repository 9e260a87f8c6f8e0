"""Facility codes that a desk does not know are doubted, and the near known one is named."""

import threading

import apsw
import pytest

from app.desk.desk import Desk
from app.desk.known.known_facilities import KeptFacilities, KnownFacilities, is_slip
from app.store.cache import known_values
from app.store.cache.known_values import Body, Lesson

KNOWN = KnownFacilities(
    [
        {"code": "MEM01", "name": "South", "city": "Memphis"},
        {"code": "ATL-07", "name": "East"},
        {"code": "F012"},
        {"code": "F021"},
    ]
)


@pytest.mark.parametrize("code", ["", "  ", "MEM01", " mem01 ", "f012"])
def test_a_known_code_or_none_is_not_doubted(code: str) -> None:
    assert KNOWN.doubt(code) is None


def test_where_no_facility_is_known_none_is_doubted() -> None:
    assert KnownFacilities().doubt("MEM") is None


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("MEM", "MEM01"),
        ("MEM1", "MEM01"),
        ("NEM01", "MEM01"),
        ("MME01", "MEM01"),
        ("MEM-01", "MEM01"),
        ("MEM01 - Memphis", "MEM01"),
        ("Memphis", "MEM01"),
        ("east", "ATL-07"),
        ("ATL07", "ATL-07"),
    ],
)
def test_the_near_known_code_is_named_as_the_one_that_was_meant(code: str, meant: str) -> None:
    doubt = KNOWN.doubt(code)
    assert doubt is not None
    assert doubt.proposal == meant
    assert doubt.sentence == f"{code} is not known here. Did you mean {meant}?"


@pytest.mark.parametrize("code", ["MEM02", "DAL01", "M", "X" * 3_000])
def test_a_new_facility_has_one_plain_sentence(code: str) -> None:
    doubt = KNOWN.doubt(code)
    assert doubt is not None
    assert (doubt.sentence, doubt.proposal) == (f"{code} is not known here.", "")


def test_of_several_near_codes_none_is_put_in_by_itself() -> None:
    doubt = KNOWN.doubt("F0")
    assert doubt is not None
    assert doubt.proposal == ""
    assert doubt.sentence == "F0 is not known here. Did you mean F012 or F021?"


@pytest.mark.parametrize(
    ("typed", "meant", "slip"),
    [
        ("AB", "AB", False),
        ("AB", "ABC", True),
        ("AABB", "ABB", True),
        ("ABCD", "ACBD", True),
        ("ABCD", "AXCD", True),
        ("AB12", "AB13", False),
        ("ABCD", "AXXD", False),
        ("", "A", True),
    ],
)
def test_a_slip_is_one_letter(typed: str, meant: str, slip: bool) -> None:
    assert is_slip(typed, meant) is slip
    assert is_slip(meant, typed) is slip


async def learn(desk: Desk, *codes: str) -> None:
    lessons = [Lesson("facility", code.lower(), {"code": code}) for code in codes]
    await desk.cache.write(known_values.learn, desk.profile.id, lessons, sent=False)


@pytest.mark.asyncio
async def test_facilities_are_read_anew_only_after_the_cache_was_written_to(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = []
    read = known_values.facilities

    def noted(c: apsw.Connection, profile: str) -> list[Body] | None:
        reads.append(profile)
        return read(c, profile)

    monkeypatch.setattr(known_values, "facilities", noted)
    await learn(desk, "MEM01")
    kept = KeptFacilities(desk)
    for typed in ("M", "ME", "MEM", "MEM0"):
        await kept.doubt(typed)
    assert len(reads) == 1
    assert await kept.doubt("MEM02") is not None
    await learn(desk, "MEM02")
    assert await kept.doubt("MEM02") is None
    assert len(reads) == 2


@pytest.mark.asyncio
async def test_a_code_is_compared_on_the_thread_of_the_store(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = set()
    near = KnownFacilities._near

    def noted(known: KnownFacilities, typed: str) -> list[str]:
        threads.add(threading.current_thread())
        return near(known, typed)

    monkeypatch.setattr(KnownFacilities, "_near", noted)
    await learn(desk, "MEM01")
    doubt = await KeptFacilities(desk).doubt("MEM")
    assert doubt is not None
    assert doubt.proposal == "MEM01"
    assert threads
    assert threading.current_thread() not in threads


@pytest.mark.asyncio
async def test_no_known_code_is_doubted_however_many_there_are(desk: Desk) -> None:
    await learn(desk, *(f"F{number:05}" for number in range(10_001)))
    kept = KeptFacilities(desk)
    assert await kept.doubt("F00000") is None
    assert await kept.doubt("F10000") is None
