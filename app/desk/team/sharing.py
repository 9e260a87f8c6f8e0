"""Views, templates and known consignees that a person shares with the team on purpose, and takes over from others.

What is shared is a copy: a later change is shared by sharing it again, and whoever took it over keeps what they took.
Invariant: what is taken over never replaces anything of this desk. A name that is taken gets the person's beside it.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from app.desk.desk import Desk
from app.store.journal.team import team_log
from app.store.team.team_file import SharedThing

TEMPLATE = "template"
CONSIGNEES = "consignees"  # one thing without a name: the consignees of all orders that this desk sends


def view_sort(choice: str) -> str:
    """The sort of the views that are kept under this choice."""
    return f"view {choice}"


async def share(desk: Desk, what: str, name: str, content: Mapping[str, Any]) -> None:
    """Share a thing under its name, in place of what was shared under it. Raises `StoreError`."""
    # Through JSON, as it will be read: what cannot be written so fails here.
    await desk.journal.write(team_log.share, desk.profile.id, what, name, json.loads(json.dumps(dict(content))))
    _tell(desk)


async def stop_sharing(desk: Desk, what: str, name: str) -> bool:
    """Share it no longer; whether it was shared. Whoever took it over keeps it. Raises `StoreError`."""
    if name not in await desk.journal.read(team_log.shared_names, desk.profile.id, what):
        return False
    await desk.journal.write(team_log.share, desk.profile.id, what, name, None)
    _tell(desk)
    return True


async def shares_consignees(desk: Desk) -> bool:
    """Whether this desk shares the consignees that it sends to. Raises `StoreError`."""
    return bool(await desk.journal.read(team_log.shared_names, desk.profile.id, CONSIGNEES))


async def share_consignees(desk: Desk, *, on: bool) -> None:
    """Let the others be offered the consignees that this desk sends to, or stop that. Raises `StoreError`.

    The log tells only that it is so: the consignees stand in the orders that the team's setting copies, and are not
    told where it copies none.
    """
    if on:
        await share(desk, CONSIGNEES, "", {"sent": True})
    else:
        await stop_sharing(desk, CONSIGNEES, "")


async def others_shared(desk: Desk, what: str) -> Sequence[SharedThing]:
    """The views or templates that others share. Raises `StoreError`."""
    return () if desk.team is None else await desk.team.shared(what)


def content_of(thing: SharedThing) -> dict[str, Any]:
    """The content as data."""
    found = json.loads(thing.content)
    return found if isinstance(found, dict) else {}


def free_name(thing: SharedThing, taken: Collection[str], longest: int) -> str:
    """The thing's name; with the person's, and then a number, where this desk has the name already."""
    used = {each.casefold() for each in taken}
    person = thing.person[: longest // 3]
    # One more than there are names: one of these is free.
    for number in range(len(used) + 2):
        beside = "" if number == 0 else f" ({person})" if number == 1 else f" ({person} {number})"
        name = f"{thing.name[: longest - len(beside)]}{beside}"
        if name.casefold() not in used:
            return name
    raise AssertionError("more names than can be taken")


def _tell(desk: Desk) -> None:
    if desk.team is not None:
        desk.team.tell()
