"""The normal form of texts that are searched and of the words of a search: lower case, without accents."""

import re
import unicodedata
from itertools import filterfalse

from app.store.sqlite.text_values import storable

_BETWEEN = re.compile(r"\D")
SHORTEST_INDEXED = 3  # letters; a shorter word is looked for in the text itself


def plain(text: str) -> str:
    """The text in lower case, without accents and NUL characters; every other character stays."""
    if text.isascii():
        return text.lower().replace("\0", "")
    apart = unicodedata.normalize("NFKD", text.casefold())
    return storable("".join(filterfalse(unicodedata.combining, apart)).replace("\0", ""))


def digits(phone: str | None) -> str:
    """The digits of a phone number that has other characters too, since people type it either way; else empty."""
    found = _BETWEEN.sub("", phone or "")
    return "" if found == phone else found


def words(text: str) -> tuple[list[str], list[str]]:
    """The words of a search: those long enough for the index, and the short ones."""
    found = list(dict.fromkeys(plain(text).split()))
    return (
        [word for word in found if len(word) >= SHORTEST_INDEXED],
        [word for word in found if len(word) < SHORTEST_INDEXED],
    )
