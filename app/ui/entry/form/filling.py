"""Filling several fields of the form at once, in one step that can be taken back.

Invariant: taking back changes only what still stands as it was filled in; what was typed since stays.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from app.ui.entry.form.entry_form import OrderForm


@dataclass(frozen=True, slots=True)
class Filled:
    """The fields that were changed: by path, what stood there and what was put there."""

    before: Mapping[str, str]
    after: Mapping[str, str]

    @property
    def replaced(self) -> list[str]:
        """The paths of fields in which something else stood."""
        return [path for path, text in self.before.items() if text.strip()]


def fill(form: OrderForm, values: Mapping[str, str]) -> Filled:
    """Put these texts into their fields, as if they were typed."""
    before = {path: form.fields[path].text() for path in values}
    changed = {path: text for path, text in values.items() if before[path] != text}
    for path, text in changed.items():
        form.fields[path].put(text)
    return Filled({path: before[path] for path in changed}, changed)


def take_back(form: OrderForm, filled: Filled) -> None:
    """Give the fields what stood there before."""
    form.accept(filled.after)  # else the fields that go with a name would be emptied before their turn comes
    for path, text in filled.before.items():
        if form.fields[path].text() == filled.after[path]:
            form.fields[path].put(text)
