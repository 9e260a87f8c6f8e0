"""What this desk knows, offered below the fields of the form as one types; taking a consignee fills all of it.

Nothing is filled in without being taken, and all that is filled in at once can be taken back at once.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QLineEdit
from shiboken6 import isValid

from app.contract.draft import FALSE
from app.desk.desk import Desk
from app.desk.known import known_data
from app.desk.known.known_data import CONSIGNEE, Body, KnownRow
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.ui.entry.form.entry_form import OrderForm
from app.ui.entry.form.filling import Filled, fill, take_back
from app.ui.entry.form.layout_data import USE_ADDRESS
from app.ui.widgets.choosing.suggestions import Completer, Suggestion, SuggestionList

BUSY_AFTER_MS = 200
_LEARNT_AFTER_S = 0.5
_ZIP_DIGITS = 5
FACILITY_CODE = "providerFacilityCode"
_UNSEEN = ("consignee.phone2", "consignee.email", FACILITY_CODE)
_LEARNING = "Nothing known fits yet. Waybill is still learning from the orders it has fetched."

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


class Say(Protocol):
    """Says something in the page's bar, with an action."""

    def __call__(self, sentence: str, action: str, act: Callable[[], object]) -> None: ...


class KnownOffers(QObject):
    """Asks what is known while one types. `say` tells of what was filled in, with the way back."""

    def __init__(self, form: OrderForm, tasks: Tasks, shown: SuggestionList, say: Say) -> None:
        super().__init__(form)
        self._form, self._tasks, self._say = form, tasks, say
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
        """Offer what is known at this desk."""
        self._desk = desk
        self.close()

    def _on_wanted(self, asked: Completer, kind: known_data.Kind, text: str) -> None:
        if self._desk is not None:
            self._tasks.read("known", ask(self._desk, asked, kind, text))

    def close(self) -> None:
        """Another draft is on screen: what was offered was offered for the one before."""
        for each in self.completers.values():
            each.close()

    def _on_taken(self, path: str, kind: known_data.Kind, body: Body, by_tab: bool) -> None:
        values = _values(path, kind, body)
        if kind == "place" and self._form.fields[path].text().strip().startswith(body["zip"]):
            del values[path]  # the four digits behind it are not known, and not to be lost
        if kind == "consignee":
            values |= self._facility_of(body)
        filled = fill(self._form, values)
        if kind == "consignee":
            # Its line in the list shows the name, the address and the phone; the rest a person has not seen.
            self._form.mark_filled(path for path, text in filled.after.items() if path in _UNSEEN and text)
        if filled.before and (kind == "consignee" or set(filled.replaced) - {path}):
            self._tell(kind, body, filled)
        if by_tab and kind == "consignee":
            go_past_consignee(self._form)

    def _facility_of(self, body: Body) -> dict[str, str]:
        """The facility that served this consignee last, where one has to be given and none is."""
        code, fields = body.get(known_data.FACILITY, ""), self._form.fields
        empty = not fields[FACILITY_CODE].text().strip() or self._form.is_filled(FACILITY_CODE)
        wanted = fields[USE_ADDRESS].text() == FALSE and empty
        return {FACILITY_CODE: code} if code and wanted else {}

    def _tell(self, kind: known_data.Kind, body: Body, filled: Filled) -> None:
        text, detail = words(kind, body)
        if kind == "consignee" and FACILITY_CODE in filled.after:
            detail = f"{detail}, and the facility of its last order, {body[known_data.FACILITY]}"
        replaced = set(filled.replaced) - set(FIELDS)
        more = f" {len(replaced)} field{'s' if len(replaced) > 1 else ''} held something else." if replaced else ""
        self._say(f"Filled in {text}, {detail}.{more}", "Undo", partial(take_back, self._form, filled))


async def ask(desk: Desk, asked: Completer, kind: known_data.Kind, text: str) -> None:
    """Offer what fits, also what is learnt of it while one waits. A look that takes long says so."""
    while await _ask_once(desk, asked, kind, text):
        await asyncio.sleep(_LEARNT_AFTER_S)
        if not (isValid(asked) and asked.waits_for(text)):
            return


async def _ask_once(desk: Desk, asked: Completer, kind: known_data.Kind, text: str) -> bool:
    """Offer what fits now; whether nothing does and more is being learnt. Trouble is said in the list."""
    busy = QTimer()
    busy.setSingleShot(True)
    busy.timeout.connect(partial(_answer, asked, text, [], "Looking…"))
    busy.start(BUSY_AFTER_MS)
    try:
        found = await known_data.find(desk, kind, text.strip()[:_ZIP_DIGITS] if kind == "place" else text)
    except StoreError as error:
        _answer(asked, text, [], f"What is known cannot be read. {error.sentence}")
        return False
    finally:
        busy.stop()
    rows = [each for each in found.rows if not _stands_already(kind, each, text)]
    learning = found.learning and bool(text.strip())
    _answer(asked, text, [offer_of(kind, each) for each in rows], _LEARNING if learning else "")
    return learning and not rows


def _answer(asked: Completer, text: str, offers: list[Suggestion], sentence: str) -> None:
    if isValid(asked):  # a cell's editor may have been closed meanwhile
        asked.offer(text, offers, sentence)


def offer_of(kind: known_data.Kind, known: KnownRow) -> Suggestion:
    """A known thing as a line of the list."""
    text, detail = words(kind, known.body)
    return Suggestion(text, detail, known.body)


def words(kind: known_data.Kind, body: Body) -> tuple[str, str]:
    """What it is called, and what tells it from others."""
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
    parts = (f"{found.volume_of(one)} cu ft" if found.volume is not None else "", _pounds(found.weight_of(one)))
    return f"{' and '.join(part for part in parts if part)} a piece"


def _pounds(weight: str) -> str:
    return f"{weight} lb" if weight else ""


def _values(path: str, kind: known_data.Kind, body: Body) -> dict[str, str]:
    if kind == "consignee":
        return {f"consignee.{name}": body.get(name, "") for name in CONSIGNEE}
    if kind == "place":
        return {f"consignee.{name}": body[name] for name in ("zip", "city", "state")}
    return {path: body["code"]}


def _stands_already(kind: known_data.Kind, known: KnownRow, text: str) -> bool:
    """A code that is typed out needs no offer; a consignee's name may be that of several."""
    return kind not in ("consignee", "place", "commodity") and known.body["code"] == text.strip()


def go_past_consignee(form: OrderForm) -> None:
    """Go on behind what was just filled in: to the first freight line that has no commodity, else to the first."""
    model = form.lists["freightDetails"].model
    rows = range(model.rowCount())
    at = next((row for row in rows if not str(model.index(row, 0).data(Qt.ItemDataRole.EditRole)).strip()), 0)
    form.go_to(f"freightDetails[{at}].commodity" if rows else "freightDetails")
