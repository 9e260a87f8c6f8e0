"""The words of one desktop notice, and the place that a click on it opens.

Invariant: without leave no reference stands in it, and never what a provider wrote, which may name somebody.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from app.desk.noticing import noticing_words as words
from app.desk.noticing.notice_choices import KINDS, Kind
from app.desk.noticing.notice_facts import Fact

_NAMED = 3
# The groups of *Today* by the kinds of notices.
_GROUPS: dict[Kind, str] = {"watched": "changed", "soon": "soon", "low-audit": "low-audit"}


@dataclass(frozen=True, slots=True)
class Place:
    """What a click opens: `of` says what, `keys` which; `of` "today" is the page, or its group `rule`."""

    of: Literal["write", "writes", "order", "audit", "today"]
    keys: tuple[int, ...] = ()
    rule: str = ""
    called: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice of the connection `profile`: heading, sentence, and the place that a click opens."""

    profile: str
    heading: str
    body: str
    place: Place


def compose(profile: str, facts: Sequence[Fact], *, references: bool, practice: bool) -> Notice:
    """One notice of all these facts, of which there is at least one."""
    by_kind = {kind: here for kind in KINDS if (here := [each for each in facts if each.kind == kind])}
    lines = [_heading(kind, here) for kind, here in by_kind.items()]
    heading = lines[0] if len(lines) == 1 else words.several(len(facts))
    if len(lines) > 1:
        body = lines
    elif references:
        body = [words.named([each.called for each in facts[:_NAMED]], len(facts) - _NAMED)]
    else:
        body = [words.click(len(facts))]
    return Notice(profile, heading, "\n".join([*body, *([words.PRACTICE] if practice else [])]), _place(by_kind))


def _heading(kind: Kind, facts: Sequence[Fact]) -> str:
    count, cancels = len(facts), sum(each.cancels for each in facts)
    if kind == "refused":
        return words.refused(count, cancels)
    if kind == "in-doubt":
        return words.in_doubt(count, cancels)
    return words.COUNTED[kind](count)


def _place(by_kind: dict[Kind, list[Fact]]) -> Place:
    if len(by_kind) > 1:
        return Place("today")
    ((kind, facts),) = by_kind.items()
    keys, alone = tuple(each.key for each in facts), len(facts) == 1
    if kind in ("refused", "in-doubt"):
        return Place("write" if alone else "writes", keys, called=_heading(kind, facts))
    if kind == "low-audit" and alone:
        return Place("audit", keys)
    return Place("order", keys) if alone else Place("today", rule=_GROUPS[kind])
