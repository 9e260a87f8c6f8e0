"""The list of versions: whose signature counts, which list counts, and what of it is for this computer."""

import json
from datetime import date
from typing import Any

import pytest
from nacl.signing import SigningKey

from app.desk.updates import updates_words as words
from app.desk.updates.version_list import Newer, UpdateTrouble, choose, key_of, read_list
from tests.support.update_host import FAR, key_text, package, signed, version, wrapped

KEY, OTHER = SigningKey.generate(), SigningKey.generate()
MINE = key_text(KEY)
DEB = package("waybill_0.2.0_amd64.deb", b"deb", "debian-x86_64")
TODAY = date(2026, 11, 23)


def refused(raw: bytes, *keys: str) -> str:
    with pytest.raises(UpdateTrouble) as trouble:
        read_list(raw, keys or (MINE,))
    return trouble.value.sentence


def chosen(
    raw: bytes, *, here: str = "0.1.0", seen: int = 0, systems: tuple[str, ...] = ("debian-x86_64",)
) -> Newer | None:
    return choose(read_list(raw, (MINE,)), here, systems, seen, TODAY)


def test_a_signed_list_names_the_newest_version_and_the_package_for_here() -> None:
    found = chosen(signed(KEY, version("0.1.9"), version("0.10.0", DEB, notes="New."), version("0.2.0")))
    assert found is not None
    assert (found.version, found.notes) == ("0.10.0", "New.")
    assert found.package is not None
    assert found.package.name == "waybill_0.2.0_amd64.deb"


def test_without_a_package_for_here_it_is_only_told() -> None:
    assert chosen(signed(KEY, version("0.2.0", DEB)), systems=("macos-aarch64",)) == Newer("0.2.0", "", None)


@pytest.mark.parametrize("here", ["0.2.0", "0.10.0", "1.0.0"])
def test_what_is_not_newer_is_not_offered(here: str) -> None:
    assert chosen(signed(KEY, version("0.2.0", DEB)), here=here) is None


def test_a_list_of_anybody_else_is_refused() -> None:
    assert refused(signed(OTHER, version("0.2.0", DEB))) == words.NOT_SIGNED
    assert read_list(signed(OTHER, version("0.2.0", DEB)), (MINE, key_text(OTHER))).key == key_text(OTHER)


def test_one_changed_letter_is_refused() -> None:
    outer = json.loads(signed(KEY, version("0.2.0", DEB)))
    outer["list"] = outer["list"].replace("0.2.0", "0.3.0", 1)
    assert refused(json.dumps(outer).encode()) == words.NOT_SIGNED


def test_a_signature_of_something_else_is_refused() -> None:
    text = json.dumps({"number": 1, "expires": str(FAR), "versions": []})
    assert refused(wrapped(text, KEY.sign(text.encode()).signature)) == words.NOT_SIGNED
    assert refused(wrapped(text, b"short")) == words.NOT_SIGNED


@pytest.mark.parametrize("raw", [b"", b"[]", b"{}", b"\xff", b"<html>Sign in</html>", b'{"format": "waybill updates"}'])
def test_what_is_no_list_is_said_to_be_none(raw: bytes) -> None:
    assert refused(raw) == words.NO_LIST


def wrong(**change: object) -> dict[str, Any]:
    return version("0.2.0", {**DEB, **change})


@pytest.mark.parametrize(
    "entry",
    [
        version("0.2"), version("newest"), {"version": "0.2.0"}, wrong(name="../waybill.deb"), wrong(name="C:waybill"),
        wrong(name="nul.deb"), wrong(name=".profile"), wrong(size=0), wrong(size=True), wrong(size=2**40),
        wrong(sha256="abc"), wrong(system=7), {"version": 2, "packages": []},
    ],
)  # fmt: skip
def test_a_mistake_in_a_signed_list_is_said(entry: dict[str, Any]) -> None:
    assert refused(signed(KEY, entry)) == words.MISTAKE_IN_LIST


def test_a_number_and_an_end_that_make_no_sense_are_mistakes() -> None:
    assert refused(signed(KEY, number=0)) == words.MISTAKE_IN_LIST
    assert refused(signed(KEY, expires="soon")) == words.MISTAKE_IN_LIST


def test_a_list_older_than_one_that_was_seen_is_refused() -> None:
    raw = signed(KEY, version("0.2.0", DEB), number=4)
    assert chosen(raw, seen=4) is not None
    with pytest.raises(UpdateTrouble, match="older than one that was seen"):
        chosen(raw, seen=5)


def test_a_list_is_good_until_its_day() -> None:
    assert chosen(signed(KEY, version("0.2.0", DEB), expires=TODAY)) is not None
    with pytest.raises(UpdateTrouble, match="good until 2026-11-22"):
        chosen(signed(KEY, version("0.2.0", DEB), expires="2026-11-22"))


def test_a_key_may_be_pasted_with_blanks_and_nothing_else_is_one() -> None:
    assert key_of(f" {MINE[:20]}\n{MINE[20:]} ") == MINE
    for text in ("", "nonsense", MINE[:-4], MINE + MINE):
        with pytest.raises(UpdateTrouble):
            key_of(text)
