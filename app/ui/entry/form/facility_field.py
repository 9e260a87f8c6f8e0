"""Choosing the facility: what the choice means in words, and the provider's own list for the ZIP and bill-to typed."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QLineEdit

from app.contract.draft import FALSE, TRUE
from app.desk.desk import Desk
from app.desk.known import facility_lookup
from app.desk.known.facility_lookup import Facilities
from app.runtime.tasks import Tasks
from app.ui.entry.form.entry_form import OrderForm
from app.ui.entry.form.known import FACILITY_CODE
from app.ui.entry.form.layout_data import USE_ADDRESS
from app.ui.theme.theme import Theme
from app.ui.widgets.buttons import icon_button
from app.ui.widgets.choosing.suggestions import Completer, Suggestion
from app.ui.widgets.field import ChoiceField, Field
from app.ui.widgets.text.times import clock

KEY = "Ctrl+Shift+F"
_MEANING = {
    TRUE: "The provider picks it by the consignee's ZIP. The code may stay empty.",
    FALSE: "You name it by its code. Ctrl+Shift+F lists those for this ZIP and bill-to.",
}


class FacilityLookUp(QObject):
    """Asks for the facilities and offers them below the code's field; one that is taken is the facility given."""

    def __init__(self, theme: Theme, form: OrderForm, tasks: Tasks, completer: Completer) -> None:
        super().__init__(form)
        self._form, self._tasks, self._completer = form, tasks, completer
        self._desk: Desk | None = None
        self._answer: tuple[str, str, Facilities] | None = None  # for which ZIP and bill-to
        field, choice = form.fields[FACILITY_CODE], form.fields[USE_ADDRESS]
        assert isinstance(field, Field)
        assert isinstance(choice, ChoiceField)
        self._field, self._choice = field, choice
        self.button = icon_button(theme, "search", "Look up facilities", self.look_up, key=KEY)
        self.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Tab goes from field to field; the list has its key
        self.button.setProperty("tight", True)
        field.line.addWidget(self.button)
        choice.changed.connect(self.explain)
        completer.taken.connect(self._on_taken)
        self.explain()

    def take_desk(self, desk: Desk) -> None:
        """Ask this desk's provider."""
        self._desk, self._answer = desk, None
        self._tasks.cancel("facilities")

    def explain(self) -> None:
        """Say what the choice means."""
        self._choice.set_note(_MEANING.get(self._choice.text(), ""))

    def look_up(self) -> None:
        """Ask by the consignee's ZIP and the bill-to, as far as they are typed."""
        if self._desk is None:
            return
        assert isinstance(self._field.editor, QLineEdit)
        self._field.editor.setFocus()
        zip_code, bill_to = (self._form.fields[path].text() for path in ("consignee.zip", "billToCode"))
        self._completer.show([], "Asking the provider for its facilities…")
        self._tasks.read("facilities", self._ask(self._desk, zip_code, bill_to))

    async def _ask(self, desk: Desk, zip_code: str, bill_to: str) -> None:
        answer = await facility_lookup.look_up(desk, zip_code, bill_to)
        self._answer = zip_code, bill_to, answer
        offers = [
            Suggestion(
                each.code,
                ", ".join(part for part in (each.name, f"{each.city} {each.state}".strip()) if part),
                _body(each.code),
            )
            for each in answer.found
        ]
        self._completer.show(offers, words(answer))

    def doubts(self) -> list[str]:
        """Whether the code is not among those that the provider named for this ZIP and bill-to."""
        code = self._field.text().strip()
        if self._answer is None or self._choice.text() != FALSE or not code:
            return []
        *about, answer = self._answer
        same = about == [self._form.fields[path].text() for path in ("consignee.zip", "billToCode")]
        known = {each.code.casefold() for each in answer.found}
        if not same or answer.trouble or answer.unreadable or code.casefold() in known:
            return []
        asked = f" for {answer.asked}" if answer.asked else ""
        return [f"Facility code: the provider did not name {code}{asked}."]

    def _on_taken(self, _body: object, _by_tab: bool) -> None:
        """Whoever chooses a facility means it to deliver."""
        if self._choice.text() == TRUE:
            self._choice.put(FALSE)


def words(answer: Facilities) -> str:
    """What the answer comes to. With facilities to choose from only what is odd about it is said."""
    asked = f" for {answer.asked}" if answer.asked else ""
    odd = f" {answer.unreadable} came without a code that Waybill can read." if answer.unreadable else ""
    if answer.trouble and not answer.found:
        return f"The facilities{asked} could not be asked for. {answer.trouble} {KEY} asks again."
    if not answer.found:
        return f"The provider named no facility{asked}.{odd} Asked at {clock(answer.at)}."
    if not answer.asked:
        return f"All facilities: no ZIP and no bill-to is typed yet.{odd} Down chooses, Enter or Tab takes it."
    return f"Facilities{asked}, asked at {clock(answer.at)}.{odd} Down chooses, Enter or Tab takes it."


def _body(code: str) -> dict[str, str]:
    return {"code": code}
