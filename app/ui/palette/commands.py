"""The commands of the palette as data, and the search among them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from app.store.sqlite.search_text import plain


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its title, a soft `detail` beside it, and its shortcut `key`.

    `also` are hidden words by which the search finds it. `why_not` says why the command cannot run now. `colour` is the
    name of the colour of the connection that the title names.
    """

    title: str
    act: Callable[[], object]
    detail: str = ""
    key: str = ""
    also: str = ""
    why_not: str = ""
    colour: str = ""


def matching(typed: str, commands: Iterable[Command]) -> list[Command]:
    """The commands that match every typed word, best match first; all of them if nothing is typed.

    From best to worst, a word matches the start of the title, the start of any word, or any part of one.
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
    """The distance of a command from the typed words, 0 for the best match; None if it does not match."""
    shown = plain(f"{command.title} {command.detail}")
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
