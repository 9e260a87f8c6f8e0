"""Tries a pattern on a text only where that is sure to be quick.

A description's pattern comes from outside, and some patterns take longer than the age of the world on thirty
characters. What could take long is not tried: the provider checks it anyway.
"""

import re
from functools import lru_cache

_LONGEST_PATTERN = 500
_LONGEST_TEXT = 1_000
_MOST_WAYS = 2_000_000  # in which the quantifiers of a pattern can share out a text
_QUANTIFIER = re.compile(r"[*+?]|\{(\d*)(,?)(\d*)\}")
_ENDLESS = 1_000


def matches(pattern: str, text: str) -> bool | None:
    """Whether the pattern is found in the text, as JSON schema means it; None if that was not tried."""
    if len(text) > _LONGEST_TEXT:
        return None
    compiled = _compiled(pattern)
    return None if compiled is None else compiled.search(text) is not None


@lru_cache(maxsize=500)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    if len(pattern) > _LONGEST_PATTERN or not _is_quick(pattern):
        return None
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError, FutureWarning):
        return None


def _is_quick(pattern: str) -> bool:
    """Whether no repetition holds a choice or another repetition, and few repetitions follow one another.

    `^` at the start is asked for where there is any: a search begins anew at every character otherwise, which counts as
    one more repetition.
    """
    ways = 1 if pattern.startswith("^") else _ENDLESS
    open_groups: list[bool] = []  # for each: whether it holds a choice or a repetition
    index = 0
    while index < len(pattern):
        sign = pattern[index]
        varies, length = False, 1
        if sign == "\\":
            # A reference to an earlier group makes any search slow, and no bound for it is known.
            if pattern[index + 1 : index + 2].isdigit() or pattern[index + 1 : index + 2] in {"k", ""}:
                return False
            length = 2
        elif sign == "[":
            length = _class_length(pattern, index)
            if not length:
                return False
        elif sign == "(":
            # Python's own forms of groups: a schema's pattern is one of JavaScript, where they mean nothing or
            # something else.
            if pattern.startswith(("(?P", "(?(", "(?#"), index):
                return False
            open_groups.append(False)
            index += 1 + (0 if pattern[index + 1 : index + 2] != "?" else 2)
            continue
        elif sign == ")":
            if not open_groups:
                return False
            varies = open_groups.pop()
        elif sign == "|":
            open_groups[:] = [True] * len(open_groups)
        index += length
        spread, length = _repetition(pattern, index)
        if spread > 1:
            # A repetition of something that can match in several ways is the trap: `(a+)+`. An optional one (`?`) is
            # tried twice only.
            if varies and spread > 2:
                return False
            ways *= spread
            open_groups[:] = [True] * len(open_groups)
        elif varies and open_groups:
            open_groups[-1] = True
        index += length
    return not open_groups and ways <= _MOST_WAYS


def _class_length(pattern: str, start: int) -> int:
    """The length of a character class that begins at `start`; 0 if it does not end."""
    found = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL).match(pattern, start)
    return len(found[0]) if found else 0


def _repetition(pattern: str, index: int) -> tuple[int, int]:
    """In how many ways the quantifier at `index` can take its part, and the quantifier's length; 1, 0 without one."""
    found = _QUANTIFIER.match(pattern, index)
    if found is None or found[0] in {"{}", "{,}"}:
        return 1, 0
    # Behind a quantifier, `?` makes it lazy and `+` possessive; neither changes the number of ways.
    length = len(found[0]) + (pattern[found.end() : found.end() + 1] in {"?", "+"})
    if found[0] == "?":
        return 2, length
    if found[0] in "*+" or (found[2] and not found[3]):
        return _ENDLESS, length
    least = int(found[1] or 0)
    most = int(found[3]) if found[2] else least
    return max(1, min(_ENDLESS, most - least + 1)), length
