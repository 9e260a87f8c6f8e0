"""Addresses made of text from outside: they call a number, write to one person, or look for a place."""

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desk.text.contact_links import MAP_SITES, mail_link, map_link, phone_link


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("901-555-1002", "tel:9015551002"),
        (" +1 (901) 555 1002 ", "tel:+19015551002"),
        ("901.555.1002 x12", "tel:9015551002;ext=12"),
        ("901-555-1002 ext. 7", "tel:9015551002;ext=7"),
        ("call Ann", ""),
        ("555", ""),
        ("901-555-1002;phone-context=evil", ""),
        ("*21*9015551002#", ""),
        ("", ""),
    ],
)
def test_a_phone_number_can_be_called_however_it_is_written(text: str, link: str) -> None:
    assert phone_link(text) == link


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("dock@example.com", "mailto:dock@example.com"),
        ("o'brien+dock@mail.example.com", "mailto:o%27brien%2Bdock@mail.example.com"),
        ("dock@example.com?bcc=evil@example.com", ""),
        ("a@example.com,b@example.com", ""),
        ("dock@localhost", ""),
        ("file:///etc/passwd", ""),
    ],
)
def test_one_mail_address_can_be_written_to(text: str, link: str) -> None:
    assert mail_link(text) == link


@pytest.mark.parametrize("site", MAP_SITES)
@given(place=st.text(min_size=1, max_size=40).filter(str.strip))
def test_a_place_is_looked_for_on_the_chosen_site_only(site: str, place: str) -> None:
    parts = urlsplit(map_link(site, place))
    asked = parse_qs(parts.query, keep_blank_values=True)
    assert (parts.scheme, parts.fragment) == ("https", "")
    assert place.strip() in [each for values in asked.values() for each in values]
    assert len(asked) <= 2, "the place adds no parameter of its own"


def test_nothing_is_asked_of_a_site_until_one_is_chosen() -> None:
    assert map_link("", "84 Beale Street, Memphis") == ""
    assert map_link("osm", " ") == ""
