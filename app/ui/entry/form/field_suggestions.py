"""Suggests known consignees, codes and places below the fields of the form while a person types.

Invariant: nothing is filled in unless a person takes a suggestion, and one step undoes everything that it filled in.
"""

import asyncio
from functools import partial

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QLineEdit
from shiboken6 import isValid

from app.contract.draft import FALSE
from app.contract.order_rules import FACILITY_CODE, USE_ADDRESS
from app.desk.desk import Desk
from app.desk.drafts import drafts_words
from app.desk.known import known_data
from app.desk.known.known_data import CONSIGNEE, Body, KnownRow
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.ui.entry import entry_words
from app.ui.entry.form.entry_form import Fill, OrderForm
from app.ui.widgets.choosing.suggestions import Completer, Suggestion, SuggestionList

BUSY_AFTER_MS = 200
_LEARNT_AFTER_S = 0.5
_ZIP_DIGITS = 5
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
        """Suggestion what is known at this desk."""
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
        self.filled_in.emit(sentence, partial(self._form.take_back, filled))


async def ask(desk: Desk, completer: Completer, kind: known_data.Kind, text: str) -> None:
    """Suggestion what fits `text`, and ask again while nothing fits and the desk is still learning."""
    while await _ask_once(desk, completer, kind, text):
        await asyncio.sleep(_LEARNT_AFTER_S)
        # A cell's editor may have been deleted meanwhile, and its completer with it.
        if not (isValid(completer) and completer.waits_for(text)):
            return


async def _ask_once(desk: Desk, completer: Completer, kind: known_data.Kind, text: str) -> bool:
    """Suggestion what fits now. True if nothing fits and more is being learnt. A failure is shown in the list."""
    busy = QTimer()
    busy.setSingleShot(True)
    busy.timeout.connect(partial(_answer, completer, text, [], entry_words.LOOKING))
    busy.start(BUSY_AFTER_MS)
    try:
        found = await known_data.find(desk, kind, text.strip()[:_ZIP_DIGITS] if kind == "place" else text)
    except StoreError as error:
        _answer(completer, text, [], entry_words.suggestions_unreadable(error.sentence))
        return False
    finally:
        busy.stop()
    rows = [each for each in found.rows if not _stands_already(kind, each, text)]
    learning = found.learning and bool(text.strip())
    _answer(
        completer, text, [suggestion_of(kind, each) for each in rows], entry_words.STILL_LEARNING if learning else ""
    )
    return learning and not rows


def _answer(completer: Completer, text: str, suggestions: list[Suggestion], sentence: str) -> None:
    if isValid(completer):  # a cell's editor may have been deleted meanwhile
        completer.offer(text, suggestions, sentence)


def suggestion_of(kind: known_data.Kind, known: KnownRow) -> Suggestion:
    """A known thing as a line of the list."""
    text, detail = words(kind, known.body)
    return Suggestion(text, detail, known.body)


def words(kind: known_data.Kind, body: Body) -> tuple[str, str]:
    """The name of a known thing, and the detail that tells it from others."""
    place = " ".join(part for part in (body.get("city", ""), body.get("state", ""), body.get("zip", "")) if part)
    if kind == "consignee":
        parts = (body["streetAddress"], body["streetAddress2"], place, body["phone1"])
        return body["consigneeName"], ", ".join(part for part in parts if part)
    if kind == "place":
        return body["zip"], f"{body['city']} {body['state']}"
    if kind == "commodity":
        return body["code"], ", ".join(part for part in (body.get("description", ""), _a_piece(body)) if part)
    return body["code"], ", ".join(part for part in (body.get("name", ""), place) if part)


def _a_piece(body: Body) -> str:
    found = known_data.usual_of(KnownRow(body, True))
    if found is None:
        return ""
    one = known_data.ONE
    volume = found.volume_of(one) if found.volume is not None else ""
    return entry_words.a_piece(drafts_words.volume_and_weight(volume, found.weight_of(one)))


def _values(path: str, kind: known_data.Kind, body: Body) -> dict[str, str]:
    if kind == "consignee":
        return {f"consignee.{name}": body.get(name, "") for name in CONSIGNEE}
    if kind == "place":
        return {f"consignee.{name}": body[name] for name in ("zip", "city", "state")}
    return {path: body["code"]}


def _stands_already(kind: known_data.Kind, known: KnownRow, text: str) -> bool:
    """A code that is typed out needs no suggestion; a consignee's name may be that of several."""
    return kind not in ("consignee", "place", "commodity") and known.body["code"] == text.strip()


def go_past_consignee(form: OrderForm) -> None:
    """Put the keyboard into the first freight line that has no commodity, else into the first line."""
    model = form.lists["freightDetails"].model
    rows = range(model.rowCount())
    at = next((row for row in rows if not str(model.index(row, 0).data(Qt.ItemDataRole.EditRole)).strip()), 0)
    form.go_to(f"freightDetails[{at}].commodity" if rows else "freightDetails")
