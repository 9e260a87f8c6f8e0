"""The saved views of a list, in their order. Each connection has its own.

The content of a view belongs to its kind (`order_views`, `audit_views`): plain values with a name. A shipped view can
be changed, moved and deleted like any other, and restored.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Generic, TypeVar

from app.desk.connections import connections_words as words
from app.desk.connections.connection_choices import keep_choice, read_choice
from app.desk.desk import Desk

LONGEST_NAME = 40
MOST = 100


@dataclass(frozen=True, slots=True)
class SavedView:
    """The parts that every view has."""

    name: str


V = TypeVar("V", bound=SavedView)


@dataclass(frozen=True, slots=True)
class Kind(Generic[V]):
    """The views of one list: the name they are kept under, the shipped ones, and how a record that was kept is read,
    given its name; None for one that is not understood."""

    choice: str
    shipped: tuple[V, ...]
    read: Callable[[str, Mapping[str, object]], V | None]


class NameTaken(ValueError):
    """The sentence is the argument."""


async def load_views(desk: Desk, kind: Kind[V]) -> tuple[V, ...]:
    """The views of this connection, in their order. Raises `StoreError`."""
    return read_views(kind, await read_choice(desk, kind.choice))


def read_views(kind: Kind[V], kept: object) -> tuple[V, ...]:
    """The kept views, as far as they are understood; the shipped ones when none were kept."""
    if not isinstance(kept, list):
        return kind.shipped
    return tuple(view for record in kept if (view := _read(kind, record)) is not None)


async def save_view(desk: Desk, kind: Kind[V], view: V, old_name: str = "") -> tuple[V, ...]:
    """Keep a view, in the place of the one called `old_name`; at the end if there is none.

    Raises `NameTaken` with a sentence, and `StoreError`.
    """
    views = await load_views(desk, kind)
    trouble = name_trouble(views, view.name, old_name)
    if trouble:
        raise NameTaken(trouble)
    found = [view if each.name == old_name else each for each in views]
    return await keep_views(desk, kind, found if view in found else [*found, view])


async def delete_view(desk: Desk, kind: Kind[V], name: str) -> tuple[V, ...]:
    """The views without this one. Raises `StoreError`."""
    return await keep_views(desk, kind, [each for each in await load_views(desk, kind) if each.name != name])


async def order_views(desk: Desk, kind: Kind[V], names: Sequence[str]) -> tuple[V, ...]:
    """The views in this order; those that are not named come last. Raises `StoreError`."""
    views = await load_views(desk, kind)
    places = {name: place for place, name in enumerate(names)}
    return await keep_views(desk, kind, sorted(views, key=lambda view: places.get(view.name, len(places))))


async def restore_shipped(desk: Desk, kind: Kind[V]) -> tuple[V, ...]:
    """The views with each shipped one that is not there any more. Raises `StoreError`."""
    views = await load_views(desk, kind)
    names = {view.name.casefold() for view in views}
    # By name: a shipped view that a person has changed is there, and stays changed.
    missing = [each for each in kind.shipped if each.name.casefold() not in names]
    return await keep_views(desk, kind, [*views, *missing])


async def keep_views(desk: Desk, kind: Kind[V], views: Sequence[V]) -> tuple[V, ...]:
    """Keep exactly these. Raises `StoreError`."""
    await keep_choice(desk, kind.choice, [asdict(view) for view in views])
    return tuple(views)


async def last_view(desk: Desk, kind: Kind[V]) -> str:
    """The name of the view that was shown last on this connection; empty when none was chosen. Raises `StoreError`."""
    kept = await read_choice(desk, f"{kind.choice}.last")
    return kept if isinstance(kept, str) else ""


async def keep_last_view(desk: Desk, kind: Kind[V], name: str) -> None:
    """Open with this view the next time. Raises `StoreError`."""
    await keep_choice(desk, f"{kind.choice}.last", name)


def name_trouble(views: Sequence[SavedView], name: str, old_name: str = "") -> str:
    """Why a view cannot be called so; empty when it can."""
    if not name.strip():
        return words.VIEW_NEEDS_NAME
    if len(name) > LONGEST_NAME:
        return words.view_name_too_long(LONGEST_NAME, len(name))
    others = [each for each in views if each.name != old_name]
    if any(each.name.casefold() == name.casefold() for each in others):
        return words.view_name_taken(name)
    if len(others) >= MOST:
        return words.too_many_views(MOST)
    return ""


def _read(kind: Kind[V], record: object) -> V | None:
    name = record.get("name") if isinstance(record, Mapping) else None
    return kind.read(name, record) if isinstance(name, str) and isinstance(record, Mapping) else None
