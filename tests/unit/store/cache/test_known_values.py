"""Known values: found by any word and any part of a phone number, the one sent last first, each learnt once."""

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.store.cache import forget, known_values, order_store
from app.store.cache.known_values import SAMPLES, Body, Kind, Lesson, Payload
from app.store.cache.schema.cache_schema import CACHE
from app.store.sqlite.opening import open_file
from tests.support.contract_samples import UNTIMED
from tests.support.order_facts import ASKED, facts, some


@pytest.fixture
def c(tmp_path: Path) -> Iterator[apsw.Connection]:
    connection = open_file(tmp_path / "cache.sqlite3", CACHE)
    yield connection
    connection.close()


def person(name: str, **body: str) -> Lesson:
    return Lesson("consignee", name, {"consigneeName": name, **body}, whole=True)


def names(c: apsw.Connection, text: str, kind: Kind = "consignee", profile: str = "p") -> list[str]:
    found = known_values.find_known(c, profile, kind, text, 10)
    return [next(iter(each.body.values())) for each in found]


def body(c: apsw.Connection, kind: Kind, key: str) -> Body:
    found = known_values.get_known(c, "p", kind, key)
    assert found is not None
    return found.body


RIVERA = person("J. Rivera", streetAddress="12 Beale Street", city="Memphis", zip="38103", phone1="(901) 555-0142")


@pytest.mark.parametrize(
    "typed",
    [
        "rivera",
        "RIV",
        "j riv",
        "rivera j",
        "beale",
        "mem riv",
        "38103",
        "381",
        "0142",
        "901-555",
        "555",
        "5550142",
        "12",
    ],
)
def test_any_word_finds_by_its_beginning_and_a_phone_by_any_of_its_digits(c: apsw.Connection, typed: str) -> None:
    known_values.learn(c, "p", [RIVERA, person("A. Nobody", city="Tulsa", phone1="212-777-9999")], sent=False)
    assert names(c, typed) == ["J. Rivera"]


@pytest.mark.parametrize("typed", ["ivera", "rivera tulsa", "5599", "14", "rivera x"])
def test_what_does_not_fit_in_every_word_is_not_offered(c: apsw.Connection, typed: str) -> None:
    known_values.learn(c, "p", [RIVERA], sent=False)
    assert names(c, typed) == []


def test_accents_and_scripts_are_no_obstacle(c: apsw.Connection) -> None:
    known_values.learn(c, "p", [person("Élodie Nuñez"), person("محمد علي"), person("Straße 5")], sent=False)
    assert names(c, "nunez elo") == ["Élodie Nuñez"]
    assert names(c, "مح") == ["محمد علي"]
    assert names(c, "strasse") == ["Straße 5"]


def test_what_was_sent_last_comes_first_and_before_all_that_was_only_seen(c: apsw.Connection) -> None:
    known_values.learn(c, "p", [person("Ann A"), person("Ann B")], sent=True)
    known_values.learn(c, "p", [person("Ann C"), person("Ann D")], sent=False)
    assert names(c, "ann") == ["Ann B", "Ann A", "Ann D", "Ann C"]
    known_values.learn(c, "p", [person("Ann A")], sent=True)
    assert names(c, "ann") == ["Ann A", "Ann B", "Ann D", "Ann C"]
    known_values.learn(c, "p", [person("Ann C")], sent=True)
    assert names(c, "") == ["Ann C", "Ann A", "Ann B", "Ann D"]


def test_what_was_sent_is_not_overwritten_by_what_is_seen(c: apsw.Connection) -> None:
    known_values.learn(c, "p", [person("Ann", phone1="901", email="a@example.com")], sent=True)
    known_values.learn(c, "p", [person("Ann", phone1="902", city="Reno")], sent=False)
    assert body(c, "consignee", "Ann") == {"consigneeName": "Ann", "phone1": "901", "email": "a@example.com"}
    known_values.learn(c, "p", [person("Ann", phone1="903")], sent=True)
    assert body(c, "consignee", "Ann") == {"consigneeName": "Ann", "phone1": "903"}
    assert names(c, "903") == ["Ann"]
    assert names(c, "example") == [], "the words of before are gone"


def test_what_is_learnt_in_parts_is_put_together(c: apsw.Connection) -> None:
    known_values.learn(c, "p", [Lesson("commodity", "sofa", {"code": "SOFA", SAMPLES: "37.25/130"})], sent=True)
    known_values.learn(
        c, "p", [Lesson("commodity", "sofa", {"code": "SOFA", "description": "Sofa, three seats"})], sent=False
    )
    known_values.learn(c, "p", [Lesson("commodity", "sofa", {"code": "SOFA", SAMPLES: "38/"})], sent=True)
    wanted = {"code": "SOFA", "description": "Sofa, three seats", SAMPLES: "37.25/130 38/"}
    assert body(c, "commodity", "sofa") == wanted
    assert names(c, "seats", "commodity") == ["SOFA"]
    assert names(c, "37", "commodity") == [], "samples are no words"
    for _ in range(20):
        known_values.learn(c, "p", [Lesson("commodity", "sofa", {"code": "SOFA", SAMPLES: "1/1"})], sent=True)
    assert body(c, "commodity", "sofa")[SAMPLES] == " ".join(["1/1"] * 9)


def test_profiles_and_kinds_know_nothing_of_each_other(c: apsw.Connection) -> None:
    known_values.learn(c, "p", [RIVERA, Lesson("facility", "mem01", {"code": "MEM01", "city": "Memphis"})], sent=False)
    assert names(c, "memphis", "facility") == ["MEM01"]
    assert names(c, "memphis") == ["J. Rivera"]
    assert names(c, "memphis", profile="q") == []


def test_orders_are_learnt_from_once_the_oldest_first_and_again_when_they_change(c: apsw.Connection) -> None:
    read: list[str] = []

    def lessons(raw: str) -> list[Lesson]:
        read.append(raw)
        return [person(raw[-8:])]

    orders = some(7)
    order_store.store_orders(c, "p", "open", orders, ASKED)
    order_store.store_orders(c, "q", "open", [facts(1)], ASKED)
    assert known_values.is_learning(c, "p")
    assert [known_values.learn_orders(c, "p", 3, lessons) for _ in range(4)] == [True, True, True, False]
    assert read == [each.raw for each in orders]
    assert not known_values.is_learning(c, "p")
    assert known_values.is_learning(c, "q"), "another profile's wait for it"
    order_store.store_orders(c, "p", "open", orders, ASKED)
    assert not known_values.is_learning(c, "p"), "the same again teaches nothing"
    order_store.store_orders(c, "p", "completed", [facts(orders[0].number, state="CMP")], ASKED.replace(year=2027))
    known_values.learn_orders(c, "p", 3, lessons)
    assert len(read) == 8


def test_facilities_are_known_of_orders_too_from_which_nothing_was_learnt_yet(
    c: apsw.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    known_values.learn(c, "p", [Lesson("facility", "mem01", {"code": "MEM01", "city": "Memphis"})], sent=True)
    orders = [facts(number, facility_id="DAL01", facility_name="Dallas") for number in (1, 2)]
    order_store.store_orders(c, "p", "open", [*orders, facts(3, facility_id="MEM01")], ASKED)
    order_store.store_orders(c, "q", "open", [facts(4, facility_id="TUL01")], ASKED)
    known = [{"code": "MEM01", "city": "Memphis"}, {"code": "DAL01", "name": "Dallas"}]
    assert known_values.facilities(c, "p") == known
    monkeypatch.setattr(known_values, "_MOST_UNLEARNT", 3)
    assert known_values.facilities(c, "p") is None, "there may be others in what is still to be read"
    known_values.learn_orders(c, "p", 1, lambda _raw: [])
    assert known_values.facilities(c, "p") is not None


def test_a_profile_that_is_forgotten_is_not_known_any_more(c: apsw.Connection) -> None:
    order_store.store_orders(c, "p", "open", some(3), ASKED)
    known_values.learn(c, "p", [RIVERA], sent=True)
    known_values.learn(c, "q", [RIVERA], sent=True)
    forget.forget_profile(c, "p")
    assert names(c, "") == []
    assert names(c, "rivera", profile="q") == ["J. Rivera"]
    assert not known_values.is_learning(c, "p")


def test_all_that_is_forgotten_is_learnt_anew_from_what_there_still_is(c: apsw.Connection) -> None:
    order_store.store_orders(c, "p", "open", some(3), ASKED)
    known_values.learn_orders(c, "p", 9, lambda raw: [RIVERA])
    sent = known_values.Sent([Payload(b"x", taken=True)], 12)
    known_values.learn_writes(c, "p", sent, lambda payload: [person("Sent")])
    assert (known_values.learnt_up_to(c, "p"), names(c, "")) == (12, ["Sent", "J. Rivera"])
    known_values.forget_all(c)
    assert (known_values.learnt_up_to(c, "p"), names(c, "")) == (0, [])
    assert names(c, "rivera") == []
    assert known_values.is_learning(c, "p")


@UNTIMED
@given(st.text(), st.text())
def test_any_text_can_be_known_and_looked_for(known: str, typed: str) -> None:
    c = apsw.Connection(":memory:")
    for statements in CACHE.migrations:
        for statement in statements:
            c.execute(statement)
    known_values.learn(c, "p", [person(known, phone1=typed)], sent=True)
    known_values.find_known(c, "p", "consignee", typed, 5)
    found = known_values.find_known(c, "p", "consignee", known.encode("utf-8", "backslashreplace").decode(), 5)
    assert len(found) == 1
    c.close()


def test_a_thing_is_meant_by_its_code_by_its_name_or_by_the_beginning_of_names(c: apsw.Connection) -> None:
    for code, name in (("F1", "Mémphis"), ("F2", "Memphis North"), ("F3", "memphis"), ("F4", "F1"), ("F5", "")):
        known_values.learn(c, "p", [Lesson("facility", code.lower(), {"code": code, "name": name})], sent=False)

    def meant(typed: str) -> set[str]:
        return set(known_values.codes_named(c, "p", "facility", typed))

    assert meant("f1") == {"f1"}
    assert meant("MEMPHIS") == {"F1", "F3"}
    assert meant("memphis n") == {"F2"}
    assert meant("mem") == {"F1", "F2", "F3"}
    assert meant("north") == {"north"}  # a code, for all that is known
    assert known_values.codes_named(c, "q", "facility", "Memphis") == ("Memphis",)
