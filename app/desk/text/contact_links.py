"""Addresses that call a phone number, write to somebody, or show a place on a map.

Invariant: text from outside becomes digits, one mail address or a quoted search: it chooses no program and no site.
"""

import re
from collections.abc import Mapping
from urllib.parse import quote

_EXTENSION = re.compile(r"\s*(?:x|ext\.?|extension)\s*(\d{1,6})\s*$", re.IGNORECASE | re.ASCII)
_PHONE = re.compile(r"\+?[\d\s().\-/]+", re.ASCII)
_MAIL = re.compile(r"[A-Za-z0-9.!#$%'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+", re.ASCII)
_FEWEST, _MOST = 7, 15  # digits of a number that can be called

# By the key that is kept: the site's name, and where its search begins.
MAP_SITES: Mapping[str, tuple[str, str]] = {
    "osm": ("OpenStreetMap", "https://www.openstreetmap.org/search?query="),
    "google": ("Google Maps", "https://www.google.com/maps/search/?api=1&query="),
    "bing": ("Bing Maps", "https://www.bing.com/maps?q="),
}


def phone_link(text: str) -> str:
    """`tel:9015551002` for a phone number as people write it; empty for any other text."""
    text = text.strip()
    extension = _EXTENSION.search(text)
    number = text[: extension.start()] if extension else text
    digits = re.sub(r"\D", "", number, flags=re.ASCII)
    if not _PHONE.fullmatch(number) or not _FEWEST <= len(digits) <= _MOST:
        return ""
    plus = "+" if number.startswith("+") else ""
    return f"tel:{plus}{digits}" + (f";ext={extension[1]}" if extension else "")


def mail_link(text: str) -> str:
    """`mailto:dock@example.com` for one mail address; empty for any other text."""
    text = text.strip()
    return f"mailto:{quote(text, safe='@')}" if _MAIL.fullmatch(text) else ""


def map_link(site: str, place: str) -> str:
    """The search of a map site for this place; empty where no site is chosen or nothing is to be looked for."""
    return MAP_SITES[site][1] + quote(place.strip(), safe="") if site in MAP_SITES and place.strip() else ""
