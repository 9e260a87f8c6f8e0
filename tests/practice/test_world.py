"""The made-up world: places that match, lives that make sense, and enough of everything."""

from collections import Counter
from datetime import datetime

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from app.contract.check import check_body
from app.contract.codes import FOLDER_TYPE_WORDS, OrderState
from app.practice.world import name_tables
from app.practice.world.dice import roll
from app.practice.world.life import Life, cancel, plan_life, state_at
from app.practice.world.made_audits import made_audit
from app.practice.world.made_orders import made_up_facts, order_roll, start_order
from app.practice.world.order_notes import notes_at
from app.practice.world.papers import papers_at
from app.practice.world.record import EVERYTHING, Known, Style, order_record
from app.practice.world.seconds import (
    DAY,
    NEVER,
    epoch_seconds,
    moment_of,
    plain,
    seconds_of,
    with_fraction,
    with_offset,
    zulu,
)

NOW = seconds_of(datetime(2026, 11, 21, 14))
# The first three digits of a ZIP code say its state (United States Postal Service).
STATE_PREFIXES = {
    **{"TN": range(370, 386), "GA": range(300, 320), "NC": range(270, 290), "SC": range(290, 300)},
    **{"FL": range(320, 350), "AL": range(350, 370), "MS": range(386, 398), "LA": range(700, 715)},
    **{"AR": range(716, 730), "TX": range(750, 800), "OK": range(730, 750), "KS": range(660, 680)},
    **{"MO": range(630, 659), "NE": range(680, 694), "IA": range(500, 529), "MN": range(550, 568)},
    **{"ND": range(580, 589), "SD": range(570, 578), "WI": range(530, 550), "IL": range(600, 630)},
    **{"IN": range(460, 480), "MI": range(480, 500), "OH": range(430, 460), "KY": range(400, 428)},
    **{"WV": range(247, 269), "PA": range(150, 197), "NJ": range(70, 90), "NY": range(100, 150)},
    **{"CT": range(60, 70), "RI": range(28, 30), "MA": range(10, 28), "NH": range(30, 39)},
    **{"ME": range(39, 50), "VT": range(50, 60), "MD": range(206, 220), "DC": range(200, 206)},
    **{"VA": range(220, 247), "DE": range(197, 200), "CO": range(800, 817), "WY": range(820, 832)},
    **{"UT": range(840, 848), "ID": range(832, 839), "MT": range(590, 600), "NM": range(870, 885)},
    **{"AZ": range(850, 866), "NV": range(889, 899), "CA": range(900, 962), "OR": range(970, 980)},
    **{"WA": range(980, 995), "AK": range(995, 1000), "HI": range(967, 969)},
}


@pytest.fixture(scope="module")
def world() -> list[Known]:
    """Orders of one client that came in over the last 40 days, with their facts."""
    found, count = [], 4_000
    for number in range(700_001, 700_001 + count):
        start = start_order(5, number, "main", NOW - (number - 700_000) * 40 * DAY // count)
        thrown = order_roll(5, number)
        facts = made_up_facts(thrown, number, start.facility)
        found.append(Known(number, start.reference, thrown, facts, start.life))
    return found


@pytest.mark.parametrize("place", [*name_tables.places(), *(each.place for each in name_tables.facilities())])
def test_a_place_fits_its_state_and_the_contract(place: name_tables.Place) -> None:
    assert int(place.zip[:3]) in STATE_PREFIXES[place.state]
    assert len(place.zip) == 5
    assert len(place.city) <= 18
    assert len(place.area) == 3


def test_every_manufacturer_has_a_place_that_fits() -> None:
    for maker in name_tables.makers():
        assert int(maker.place.zip[:3]) in STATE_PREFIXES[maker.place.state]


def test_every_zip_code_has_a_facility() -> None:
    assert all(name_tables.facility_for_zip(f"{prefix:03}00") for prefix in range(1000))
    for nothing in ("", "12", "K1A 0B1", "٣٨١٠٣"):
        assert name_tables.facility_for_zip(nothing) is None


def test_codes_fit_the_contract(world: list[Known]) -> None:
    assert all(len(each.code) <= 6 for each in name_tables.facilities())
    assert all(each.volume > 0 and each.weight > 0 for each in name_tables.goods())
    body = {
        "orderReferenceNumber": "X",
        "useConsigneeAddressToDetermineFaclityCode": True,
        "consignee": {},
        "freightDetails": [{"commodity": each.code, "count": 1, "volume": each.volume} for each in name_tables.goods()],
    }
    for order in world[:500]:
        address = order.facts.consignee["Address"]
        body["consignee"] = {
            "consigneeName": order.facts.consignee["Name"],
            "streetAddress": address["StreetAddress1"],
            "city": address["City"],
            "state": address["State"],
            "zip": address["ZipCode"],
            "phone1": order.facts.consignee["Phone"],
            "email": order.facts.consignee.get("Email"),
        }
        assert not isinstance(check_body(body), list), check_body(body)


def test_the_world_holds_some_of_everything(world: list[Known]) -> None:
    lives = [order.life for order in world]
    states = Counter(state_at(life, NOW) for life in lives)
    assert set(states) == set(OrderState)
    assert all(count > len(world) // 200 for count in states.values())
    late = [life for life in lives if life.appointment - life.requested > DAY]
    stuck = [life for life in lives if life.closed == NEVER]
    tried_twice = [life for life in lives if life.attempted != NEVER]
    for some in (late, stuck, tried_twice):
        assert len(world) // 100 < len(some) < len(world) // 4
    papers = Counter(paper.folder for order in world for paper in papers_at(order.thrown, order.life, NOW))
    assert set(papers) == set(FOLDER_TYPE_WORDS)
    assert len({order.reference for order in world}) == len(world)
    assert len({order.facts.consignee["Name"] for order in world}) > len(world) // 2


def test_orders_are_delivered_from_where_their_address_is_served(world: list[Known]) -> None:
    for order in world:
        facility = order.facts.facility
        served = name_tables.facility_for_zip(order.facts.consignee["Address"]["ZipCode"])
        assert facility is not None
        assert served is not None
        assert facility["Id"] == served.code


def test_notes_are_words_without_gaps(world: list[Known]) -> None:
    texts = [
        text for order in world for text, _ in notes_at(order.thrown, order.life, "Ann", order.facts.load, 2 * NOW)
    ]
    assert len(texts) > len(world)
    assert len(set(texts)) > 200
    assert not any("{" in text or "  " in text for text in texts)


@settings(max_examples=300)
@given(number=st.integers(1, 2**31), imported=st.integers(0, 4 * 10**9), fated=st.booleans())
def test_a_life_goes_forward(number: int, imported: int, fated: bool) -> None:
    life = plan_life(roll(1, b"order", number), imported, fated=fated)
    steps = [life.imported, life.received, life.scheduled, life.planned, life.loaded, life.dispatched]
    happened = [step for step in (*steps, life.delivered) if step != NEVER]
    assert happened == sorted(happened)
    assert life.cancelled == NEVER or all(step <= life.cancelled for step in happened)
    assert fated or (life.cancelled == NEVER and NEVER not in steps and life.delivered < imported + 60 * DAY)
    states = list(OrderState)
    passed = [states.index(state_at(life, at)) for at in range(imported, imported + 40 * DAY, DAY // 4)]
    assert passed == sorted(passed)


@settings(max_examples=200)
@given(
    number=st.integers(1, 2**31),
    estimated=st.integers(-(10**10), 10**11),
    requested=st.integers(-(10**10), 10**11),
    after=st.integers(0, 60 * DAY),
)
def test_any_dates_and_any_cancellation_can_be_written(
    world: list[Known], number: int, estimated: int, requested: int, after: int
) -> None:
    life = plan_life(roll(1, b"order", number), NOW, estimated, requested, fated=False)
    assert life.received > NOW
    assume(life.delivered > NOW + after)
    ended = cancel(life, NOW + after)
    assert state_at(ended, NOW + after) == OrderState.CAN
    assert ended.delivered > NOW + after
    for lived in (life, ended):
        known = Known(number, "R", roll(1, b"order", number), world[0].facts, Life(*lived))
        for write in (plain, zulu, with_offset, with_fraction):
            record = order_record(known, NOW + after, EVERYTHING, Style(moment=write))
            assert record["DateImported"].startswith("2026-1")


def test_the_past_never_changes(world: list[Known]) -> None:
    for order in world[:300]:
        early = order_record(order, NOW - 5 * DAY, EVERYTHING, Style())
        later = order_record(order, NOW, EVERYTHING, Style())
        dates = {name: value for name, value in early.items() if name.startswith("Date")}
        assert dates.items() <= later.items()
        assert all(note in later["Notes"] for note in early["Notes"])
        assert all(paper in later["ProofOfDelivery"] for paper in early["ProofOfDelivery"])


def test_scores_drift_apart_and_follow_from_answers() -> None:
    spans: dict[str, list[float]] = {}
    for number in range(4_001, 5_001):
        audit = made_audit(5, number, NOW - (5_001 - number) * 270 * DAY // 1000)
        assert 0 <= audit.score <= 100
        assert (audit.score == 100) == all(answer.good for answer in audit.answers)
        assert all(answer.photo for answer in audit.answers if not answer.good)
        spans.setdefault(audit.facility.code, []).append(audit.score)
    drifts = [sum(each[-30:]) / 30 - sum(each[:30]) / 30 for each in spans.values()]
    assert max(drifts) > 3
    assert min(drifts) < -3


@pytest.mark.parametrize(
    "moment", [datetime(2026, 11, 21, 14, 5, 9), datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59)]
)
def test_moments_are_written_as_they_are(moment: datetime) -> None:
    seconds = seconds_of(moment)
    assert moment_of(seconds) == moment
    assert plain(seconds) == moment.isoformat()
    assert plain(seconds + DAY * 9999 * 366) == "9999-12-31T23:59:59"


def test_an_instant_is_the_same_in_every_form() -> None:
    moment = datetime(2026, 7, 1, 12, 30)
    seconds = seconds_of(moment)
    for text in (zulu(seconds), with_offset(seconds)):
        assert datetime.fromisoformat(text).timestamp() == moment.timestamp()
    assert epoch_seconds(seconds) == moment.timestamp()
