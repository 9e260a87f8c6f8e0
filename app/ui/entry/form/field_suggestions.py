"""Suggests known consignees, codes and places below the fields of the form while a person types.

Invariant: nothing is filled in unless a person takes a suggestion, and one step undoes everything that it filled in.
"""

from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QLineEdit

from app.contract.draft import FALSE
from app.contract.order_rules import FACILITY_CODE, LOAD_NUMBER, USE_ADDRESS
from app.desk.desk import Desk
from app.desk.known import known_data
from app.desk.known.known_data import CONSIGNEE, Body
from app.runtime.tasks import Tasks
from app.ui.entry import entry_words
from app.ui.entry.form.entry_form import Fill, OrderForm
from app.ui.widgets.choosing.known_suggestions import ask, words
from app.ui.widgets.choosing.suggestions import Completer, SuggestionList

_UNSEEN = ("consignee.phone2", "consignee.email", FACILITY_CODE)

# Which fields are completed, with what, and from how many letters on.
FIELDS: dict[str, tuple[known_data.Kind, int]] = {
    "consignee.consigneeName": ("consignee", 1),
    "consignee.phone1": ("consignee", 3),
    "consignee.zip": ("place", 2),
    "billToCode": ("bill_to", 1),
    "manufacturerCode": ("manufacturer", 1),
    FACILITY_CODE: ("facility", 1),
    "intermediateConsignee": ("seller", 1),
    LOAD_NUMBER: ("load", 1),
}


class FieldSuggestions(QObject):
    """Asks the cache while a person types, and fills the form from the suggestion that was taken."""

    filled_in = Signal(str, object)  # a sentence about the fill, and the function that undoes it

    def __init__(self, form: OrderForm, tasks: Tasks, shown: SuggestionList) -> None:
        super().__init__(form)
        self._form, self._tasks = form, tasks
        self._desk: Desk | None = None
        self.completers: dict[str, Completer] = {}
        for path, (kind, shortest) in FIELDS.items():
            editor = form.fields[path].editor
            if isinstance(editor, QLineEdit):
                made = Completer(editor, shown, shortest)
                made.wanted.connect(partial(self._on_wanted, made, kind))
                made.taken.connect(partial(self._on_taken, path, kind))
                self.completers[path] = made

    def take_desk(self, desk: Desk) -> None:
        """Suggest the values that are known at this desk."""
        self._desk = desk
        self.close()

    def _on_wanted(self, completer: Completer, kind: known_data.Kind, text: str) -> None:
        if self._desk is not None:
            self._tasks.read("known", ask(self._desk, completer, kind, text))

    def close(self) -> None:
        """Close the list: its suggestions are for the draft before."""
        for each in self.completers.values():
            each.close()

    def _on_taken(self, path: str, kind: known_data.Kind, body: Body, by_tab: bool) -> None:
        values = _values(path, kind, body)
        if kind == "place" and self._form.fields[path].text().strip().startswith(body["zip"]):
            del values[path]  # a ZIP+4 was typed, of which the last four digits are not known: they must not be lost
        if kind == "consignee":
            values |= self._facility_of(body)
        filled = self._form.fill(values)
        if kind == "consignee":
            # The suggestion shows name, address and phone. Nobody has seen the other values, so they are marked.
            self._form.mark_filled(path for path, text in filled.after.items() if path in _UNSEEN and text)
        if filled.before and (kind == "consignee" or set(filled.replaced) - {path}):
            self._report(kind, body, filled)
        if by_tab and kind == "consignee":
            go_past_consignee(self._form)

    def _facility_of(self, body: Body) -> dict[str, str]:
        """The facility that served this consignee last, where one has to be given and none is."""
        code, fields = body.get(known_data.FACILITY, ""), self._form.fields
        empty = not fields[FACILITY_CODE].text().strip() or self._form.is_filled(FACILITY_CODE)
        wanted = fields[USE_ADDRESS].text() == FALSE and empty
        return {FACILITY_CODE: code} if code and wanted else {}

    def _report(self, kind: known_data.Kind, body: Body, filled: Fill) -> None:
        text, detail = words(kind, body)
        if kind == "consignee" and FACILITY_CODE in filled.after:
            detail = entry_words.and_last_facility(detail, body[known_data.FACILITY])
        sentence = entry_words.filled_in(text, detail, len(set(filled.replaced) - set(FIELDS)))
        self.filled_in.emit(sentence, partial(self._form.undo_fill, filled))


def _values(path: str, kind: known_data.Kind, body: Body) -> dict[str, str]:
    if kind == "consignee":
        return {f"consignee.{name}": body.get(name, "") for name in CONSIGNEE}
    if kind == "place":
        return {f"consignee.{name}": body[name] for name in ("zip", "city", "state")}
    return {path: body["code"]}


def go_past_consignee(form: OrderForm) -> None:
    """Put the keyboard into the first freight line that has no commodity, else into the first line."""
    model = form.lists["freightDetails"].model
    rows = range(model.rowCount())
    at = next((row for row in rows if not str(model.index(row, 0).data(Qt.ItemDataRole.EditRole)).strip()), 0)
    form.go_to(f"freightDetails[{at}].commodity" if rows else "freightDetails")
