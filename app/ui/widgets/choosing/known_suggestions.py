"""Known values of the desk, asked for while a person types and offered below a field.

`ask` answers a completer; `suggestion_of` makes a known thing a line of the list. Invariant: an answer comes only while
the field still holds the text that it is for.
"""

import asyncio
from functools import partial

from PySide6.QtCore import QTimer
from shiboken6 import isValid

from app.desk.desk import Desk
from app.desk.drafts import drafts_words
from app.desk.known import known_data
from app.desk.known.known_data import Body, KnownRow
from app.store.store_errors import StoreError
from app.ui.widgets import widget_words
from app.ui.widgets.choosing.suggestions import Completer, Suggestion

BUSY_AFTER_MS = 200
_LEARNT_AFTER_S = 0.5
_ZIP_DIGITS = 5


async def ask(desk: Desk, completer: Completer, kind: known_data.Kind, text: str) -> None:
    """Offer what fits `text`, and ask again while nothing fits and the desk is still learning."""
    while await _ask_once(desk, completer, kind, text):
        await asyncio.sleep(_LEARNT_AFTER_S)
        # A cell's editor may have been deleted meanwhile, and its completer with it.
        if not (isValid(completer) and completer.waits_for(text)):
            return


async def _ask_once(desk: Desk, completer: Completer, kind: known_data.Kind, text: str) -> bool:
    """Offer what fits now. True if nothing fits and more is being learnt. A failure is shown in the list."""
    busy = QTimer()
    busy.setSingleShot(True)
    busy.timeout.connect(partial(_answer, completer, text, [], widget_words.LOOKING))
    busy.start(BUSY_AFTER_MS)
    try:
        found = await known_data.find(desk, kind, text.strip()[:_ZIP_DIGITS] if kind == "place" else text)
    except StoreError as error:
        _answer(completer, text, [], widget_words.suggestions_unreadable(error.sentence))
        return False
    finally:
        # Otherwise the line that says "looking" would come after the answer.
        busy.stop()
    rows = [each for each in found.rows if not _stands_already(kind, each, text)]
    learning = found.learning and bool(text.strip())
    _answer(
        completer, text, [suggestion_of(kind, each) for each in rows], widget_words.STILL_LEARNING if learning else ""
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
    return widget_words.a_piece(drafts_words.volume_and_weight(volume, found.weight_of(one)))


def _stands_already(kind: known_data.Kind, known: KnownRow, text: str) -> bool:
    """A code that is typed out needs no suggestion; a consignee's name may be that of several."""
    return kind not in ("consignee", "place", "commodity") and known.body["code"] == text.strip()
