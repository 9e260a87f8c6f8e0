"""What the palette offers, as data, and which of it a few typed words mean."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from app.store.sqlite.search_text import plain


@dataclass(frozen=True, slots=True)
class Command:
    """One thing that can be done. `detail` stands softly beside its words, `key` at the end of the line.

    `also` are words by which it is found and that are not shown. What cannot be done now says `why_not`.
    """

    words: str
    act: Callable[[], object]
    detail: str = ""
    key: str = ""
    also: str = ""
    why_not: str = ""


def fitting(typed: str, commands: Iterable[Command]) -> list[Command]:
    """Those that every typed word fits, the closest first; all of them, in their order, when nothing is typed.

    A word fits at the start of a word, at the start of the whole, or anywhere in it, in this order of closeness.
    """
    wanted = plain(typed).split()
    if not wanted:
        return list(commands)
    found = [(_distance(wanted, each), at, each) for at, each in enumerate(commands)]
    return [each for distance, _, each in sorted(found, key=_first_two) if distance is not None]


def _first_two(found: tuple[int | None, int, Command]) -> tuple[int, int]:
    distance, at, _ = found
    return (-1 if distance is None else distance, at)


def _distance(wanted: list[str], command: Command) -> int | None:
    """How far a command is from what was typed; None when it is something else."""
    shown = plain(f"{command.words} {command.detail}")
    whole = f"{shown} {plain(command.also)}"
    starts = whole.split()
    total = 0
    for word in wanted:
        if shown.startswith(word):
            continue
        if any(each.startswith(word) for each in starts):
            total += 1
        elif word in whole:
            total += 3
        else:
            return None
    return total
