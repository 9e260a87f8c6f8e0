"""Names of files as people read them, whatever way they came."""

import re
from urllib.parse import unquote

_ENCODED = re.compile("%[0-9A-Fa-f]{2}")
_NEVER_ENCODED = re.compile("%(?![0-9A-Fa-f]{2})|[^\\x21-\\x7e]")  # blanks and letters of other scripts would be


def plain_name(name: str) -> str:
    """A file's name as people read it: `delivery%20note.pdf` is `delivery note.pdf`.

    It is decoded once, and only where it is encoded as a whole: what a sign of its own may be stays as it is.
    """
    if not _ENCODED.search(name) or _NEVER_ENCODED.search(name):
        return name
    try:
        return unquote(name, errors="strict")
    except UnicodeDecodeError:
        return name
