"""The choice of the facility: a note on its meaning, and the provider's list of facilities for the ZIP and bill-to."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QLineEdit

from app.contract.draft import FALSE, TRUE
from app.contract.order_rules import FACILITY_CODE, USE_ADDRESS
from app.desk.desk import Desk
from app.desk.known import facility_lookup
from app.desk.known.facility_lookup import Facilities
from app.runtime.tasks import Tasks
from app.translation import translate
from app.ui.entry import entry_words
from app.ui.entry.form.entry_form import OrderForm
from app.ui.theme.theme import Theme
from app.ui.widgets.buttons import icon_button
from app.ui.widgets.choosing.suggestions import Completer, Suggestion
from app.ui.widgets.field import ChoiceField, Field
from app.ui.widgets.text.times import clock, moment

KEY = "Ctrl+Shift+F"
_MEANING = {TRUE: entry_words.FACILITY_BY_ADDRESS, FALSE: entry_words.FACILITY_BY_CODE}


class FacilityLookUp(QObject):
    """Asks the provider for facilities and offers them below the field of the code."""

    answered = Signal()  # what `doubts` says may have changed

    def __init__(self, theme: Theme, form: OrderForm, tasks: Tasks, completer: Completer) -> None:
        super().__init__(form)
        self._form, self._tasks, self._completer = form, tasks, completer
        self._desk: Desk | None = None
        self._answer: tuple[str, str, Facilities] | None = None  # with the ZIP and the bill-to that it is for
        field, choice = form.fields[FACILITY_CODE], form.fields[USE_ADDRESS]
        assert isinstance(field, Field)
        assert isinstance(choice, ChoiceField)
        self._field, self._choice = field, choice
        self.button = icon_button(theme, "search", translate("Look up facilities"), self.look_up, key=KEY)
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
        """Show what the choice means."""
        self._choice.set_note(_MEANING.get(self._choice.text(), ""))

    def look_up(self) -> None:
        """Ask for the facilities of the ZIP and the bill-to in the form."""
        if self._desk is None:
            return
        assert isinstance(self._field.editor, QLineEdit)
        self._field.editor.setFocus()
        zip_code, bill_to = (self._form.fields[path].text() for path in ("consignee.zip", "billToCode"))
        self._completer.show([], entry_words.ASKING_FACILITIES)
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
        self.answered.emit()

    def doubts(self) -> list[str]:
        """A sentence if the provider did not name this code for this ZIP and bill-to."""
        code = self._field.text().strip()
        if self._answer is None or self._choice.text() != FALSE or not code:
            return []
        *about, answer = self._answer
        # The ZIP or the bill-to may have been changed since the answer.
        same = about == [self._form.fields[path].text() for path in ("consignee.zip", "billToCode")]
        known = {each.code.casefold() for each in answer.found}
        if not same or answer.trouble or answer.unreadable or code.casefold() in known:
            return []
        return [entry_words.facility_not_named(code, answer.criteria)]

    def _on_taken(self, _body: object, _by_tab: bool) -> None:
        """A person who takes a facility wants it by its code."""
        if self._choice.text() == TRUE:
            self._choice.put(FALSE)


def words(answer: Facilities) -> str:
    """The sentence below the lines of the list."""
    if answer.trouble and not answer.found:
        sentence = entry_words.facilities_failed(answer.criteria, answer.trouble)
    elif answer.trouble:
        sentence = entry_words.facilities_as_of(answer.criteria, moment(answer.at), answer.trouble)
    elif not answer.found:
        sentence = entry_words.no_facility(answer.criteria, clock(answer.at))
    else:
        sentence = entry_words.facilities(answer.criteria, clock(answer.at))
    unread = [entry_words.unreadable_facilities(answer.unreadable)] if answer.unreadable else []
    return " ".join([sentence, *unread])


def _body(code: str) -> dict[str, str]:
    return {"code": code}
