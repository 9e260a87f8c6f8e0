"""Names of files as people read them."""

import re
from urllib.parse import unquote

_ENCODED = re.compile("%[0-9A-Fa-f]{2}")
_NEVER_ENCODED = re.compile(
    "%(?![0-9A-Fa-f]{2})|[^\\x21-\\x7e]"
)  # an encoded name holds no blanks and no letters of other scripts


def plain_name(name: str) -> str:
    """A file's name as people read it: `delivery%20note.pdf` is `delivery note.pdf`.

    The name is decoded once, and only if all of it is encoded: a bare percent sign may be part of a name.
    """
    if not _ENCODED.search(name) or _NEVER_ENCODED.search(name):
        return name
    try:
        return unquote(name, errors="strict")
    except UnicodeDecodeError:
        return name
