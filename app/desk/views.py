"""Saved views: a filter as it is typed, how it is sorted, and the columns; a connection has its own.

The shipped ones can be changed, moved and deleted like any other, and brought back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from app.desk.choices import keep_choice, read_choice
from app.desk.desk import Desk
from app.store.cache_rows import SORTS

_CHOICE = "views"
LONGEST_NAME = 40
MOST = 100


@dataclass(frozen=True, slots=True)
class View:
    """`columns` are the store's names in their order; none means the usual ones."""

    name: str
    filter: str
    sort: str = "imported_at"
    descending: bool = True
    columns: tuple[str, ...] = ()


SHIPPED: tuple[View, ...] = (
    View("Open", "list:open"),
    View("Completed", "list:completed", "delivered_at"),
    View("Due today", "list:open due:today", "scheduled_delivery", descending=False),
    View("Late", "list:open late", "late"),
    View("Needs attention", "is:attention", "imported_at", descending=False),
    View("Completed without POD", "list:completed -has:pod", "delivered_at"),
    View("Watched", "watched"),
)


class NameTaken(ValueError):
    """The sentence is the argument."""


async def load_views(desk: Desk) -> tuple[View, ...]:
    """The views of this connection, in their order. Raises `StoreError`."""
    return read_views(await read_choice(desk, _CHOICE))


def read_views(kept: object) -> tuple[View, ...]:
    """What was kept, as far as it is understood; the shipped ones when nothing was."""
    if not isinstance(kept, list):
        return SHIPPED
    return tuple(view for record in kept if (view := _read(record)) is not None)


async def save_view(desk: Desk, view: View, old_name: str = "") -> tuple[View, ...]:
    """Keep a view, in the place of the one called `old_name`; at the end if there is none.

    Raises `NameTaken` with a sentence, and `StoreError`.
    """
    views = await load_views(desk)
    trouble = name_trouble(views, view.name, old_name)
    if trouble:
        raise NameTaken(trouble)
    found = [view if each.name == old_name else each for each in views]
    return await _keep(desk, found if view in found else [*found, view])


async def delete_view(desk: Desk, name: str) -> tuple[View, ...]:
    """The views without this one. Raises `StoreError`."""
    return await _keep(desk, [each for each in await load_views(desk) if each.name != name])


async def order_views(desk: Desk, names: Sequence[str]) -> tuple[View, ...]:
    """The views in this order; those that are not named come last. Raises `StoreError`."""
    views = await load_views(desk)
    places = {name: place for place, name in enumerate(names)}
    return await _keep(desk, sorted(views, key=lambda view: places.get(view.name, len(places))))


async def restore_shipped(desk: Desk) -> tuple[View, ...]:
    """The views with each shipped one that is not there any more. Raises `StoreError`."""
    views = await load_views(desk)
    names = {view.name.casefold() for view in views}
    return await _keep(desk, [*views, *(each for each in SHIPPED if each.name.casefold() not in names)])


async def keep_views(desk: Desk, views: Sequence[View]) -> None:
    """Keep exactly these: what taking a change back comes to. Raises `StoreError`."""
    await _keep(desk, views)


def name_trouble(views: Sequence[View], name: str, old_name: str = "") -> str:
    """Why a view cannot be called so; empty when it can."""
    if not name.strip():
        return "A view needs a name."
    if len(name) > LONGEST_NAME:
        return f"A name has at most {LONGEST_NAME} letters; this one has {len(name)}."
    others = [each for each in views if each.name != old_name]
    if any(each.name.casefold() == name.casefold() for each in others):
        return f"There is a view called “{name}” already."
    if len(others) >= MOST:
        return f"No more than {MOST} views can be kept."
    return ""


async def _keep(desk: Desk, views: Sequence[View]) -> tuple[View, ...]:
    await keep_choice(desk, _CHOICE, [asdict(view) for view in views])
    return tuple(views)


def _read(record: object) -> View | None:
    if not isinstance(record, Mapping):
        return None
    name, typed, sort = record.get("name"), record.get("filter"), record.get("sort")
    if not isinstance(name, str) or not isinstance(typed, str):
        return None
    columns = record.get("columns")
    return View(
        name,
        typed,
        sort if isinstance(sort, str) and sort in SORTS else "imported_at",
        record.get("descending") is not False,
        tuple(str(each) for each in columns) if isinstance(columns, list) else (),
    )
