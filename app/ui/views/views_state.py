"""Which views there are and which of them is shown. Plain state: no widget, no store."""

from collections.abc import Sequence
from typing import Generic

from app.desk.connections.saved_views import Kind, V


class ViewsState(Generic[V]):
    """Begins with the shipped ones. What is shown of a view, changed or not, is the subclass's to know."""

    def __init__(self, kind: Kind[V]) -> None:
        self.kind = kind
        self.views: Sequence[V] = kind.shipped
        self.current: V = kind.shipped[0]

    def take(self, views: Sequence[V]) -> None:
        """These are the views now; the one that was shown stays, else the first is shown."""
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
        """The view that is called so."""
        return next((each for each in self.views if each.name.casefold() == name.casefold()), None)

    def step(self, by: int) -> V:
        """The next view, or the one before."""
        names = [each.name for each in self.views]
        at = names.index(self.current.name) if self.current.name in names else 0
        return self.views[(at + by) % len(self.views)]
