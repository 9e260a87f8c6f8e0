"""Doubts a facility code in a form that this desk does not know, and names the known one that may be meant.

Invariant: the doubt is about the code that stands in the form. It is looked for at each change of the code, by what is
known then. The thread of the store looks, so no key waits.
"""

from PySide6.QtCore import QObject, Signal

from app.contract.draft import TRUE
from app.contract.order_rules import FACILITY_CODE, USE_ADDRESS
from app.desk.desk import Desk
from app.desk.known.known_facilities import KeptFacilities
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.ui.entry.form.entry_form import LookedUp, OrderForm
from app.ui.widgets.field import ChoiceField, Field


class FacilityDoubter(QObject):
    """Looks at the code whenever it is changed; `look` is to be called after the form was loaded."""

    looked = Signal()  # the doubts of the form may be others

    def __init__(self, form: OrderForm, tasks: Tasks) -> None:
        super().__init__(form)
        self._form, self._tasks = form, tasks
        self._known: KeptFacilities | None = None
        code, choice = form.fields[FACILITY_CODE], form.fields[USE_ADDRESS]
        assert isinstance(code, Field)
        assert isinstance(choice, ChoiceField)
        self._code, self._choice = code, choice
        for each in (code, choice):
            each.changed.connect(self.look)

    def take_desk(self, desk: Desk) -> None:
        """Doubt by what this desk knows."""
        self._known = KeptFacilities(desk)

    def look(self) -> None:
        """Look at the code in the form."""
        if self._known is None or not self._code.text().strip() or self._choice.text() == TRUE:
            self._tasks.cancel("facility code")
            self._say(self._code.text(), LookedUp())
        else:
            self._tasks.read("facility code", self._look(self._known, self._code.text()))

    async def _look(self, known: KeptFacilities, code: str) -> None:
        try:
            doubt = await known.doubt(code)
        except StoreError:
            return  # the list of suggestions reports it; without the codes nothing is doubted, as on a new desk
        # A code that is like no known one may be that of a new facility: its field says so, and the verdict does not.
        self._say(code, LookedUp() if doubt is None else LookedUp(doubt.sentence, mistyped=doubt.is_near))

    def _say(self, code: str, found: LookedUp) -> None:
        self._form.set_looked_up(FACILITY_CODE, code, found)
        self.looked.emit()
