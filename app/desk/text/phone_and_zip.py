"""Phone numbers and ZIPs as people write them. For showing only: orders are sent with the text that was typed."""

import re

_PHONE = re.compile(r"(?:\+?1)?([2-9]\d{2})(\d{3})(\d{4})(?:x(\d{1,6}))?", re.ASCII)
_BETWEEN = re.compile(r"[\s().\-/]")
_ZIP = re.compile(r"(\d{5})-?(\d{4})?", re.ASCII)


def phone(typed: str) -> str:
    """`9015550142` → `(901) 555-0142`, with its extension; empty for anything that is no North American number."""
    bare = re.sub(r"(?:ext\.?|x)(?=\d)", "x", _BETWEEN.sub("", typed.strip().lower()))
    found = _PHONE.fullmatch(bare)
    if found is None:
        return ""
    area, exchange, line, extension = found.groups()
    return f"({area}) {exchange}-{line}" + (f" ext. {extension}" if extension else "")


def zip_code(typed: str) -> str:
    """`381040142` → `38104-0142`; empty for anything that is no United States ZIP."""
    found = _ZIP.fullmatch(typed.strip())
    if found is None:
        return ""
    return f"{found[1]}-{found[2]}" if found[2] else found[1]
