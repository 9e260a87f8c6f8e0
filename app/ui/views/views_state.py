"""Which views there are, and which of them is shown.

Invariant: plain state, no widget and no store; there is always one current view.
"""

from collections.abc import Sequence
from typing import Generic

from app.desk.connections.saved_views import Kind, V


class ViewsState(Generic[V]):
    """`current` is the view as it is saved, at first a default one; a subclass knows what of it was changed since."""

    def __init__(self, kind: Kind[V]) -> None:
        self.kind = kind
        self.views: Sequence[V] = kind.shipped
        self.current: V = kind.shipped[0]

    def take(self, views: Sequence[V]) -> None:
        """Replace the views; the current one stays, by its name, else the first becomes current."""
        self.views = views or self.kind.shipped
        found = next((each for each in self.views if each.name == self.current.name), None)
        if found is None:
            self.choose(self.views[0])
        else:
            self.current = found

    def choose(self, view: V) -> None:
        """Show this view."""
        self.current = view

    def find(self, name: str) -> V | None:
        """The view of this name, in whatever case it is written."""
        return next((each for each in self.views if each.name.casefold() == name.casefold()), None)

    def step(self, by: int) -> V:
        """The view so many places after the current one, and on from the other end."""
        names = [each.name for each in self.views]
        at = names.index(self.current.name) if self.current.name in names else 0
        return self.views[(at + by) % len(self.views)]
