"""The one plain form of texts that are searched and of the words that are looked for: no case, no accents."""

import re
import unicodedata
from itertools import filterfalse

from app.store.sqlite.text_values import storable

_BETWEEN = re.compile(r"\D")
SHORTEST_INDEXED = 3  # letters; shorter words are looked for in the text itself


def plain(text: str) -> str:
    """Lower case, without accents; every other character stays as it is, NUL apart."""
    if text.isascii():
        return text.lower().replace("\0", "")
    apart = unicodedata.normalize("NFKD", text.casefold())
    return storable("".join(filterfalse(unicodedata.combining, apart)).replace("\0", ""))


def digits(phone: str | None) -> str:
    """The digits of a phone number if anything stands between them, else nothing: it is typed either way."""
    found = _BETWEEN.sub("", phone or "")
    return "" if found == phone else found


def words(text: str) -> tuple[list[str], list[str]]:
    """The words of a search: those long enough for the index, and the short ones."""
    found = list(dict.fromkeys(plain(text).split()))
    return (
        [word for word in found if len(word) >= SHORTEST_INDEXED],
        [word for word in found if len(word) < SHORTEST_INDEXED],
    )
