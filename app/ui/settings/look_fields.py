"""Size of text, distance of rows, sounds and calls in Settings. Each choice counts at once, in the whole window."""

from PySide6.QtWidgets import QWidget

from app.desk.connections import profiles
from app.store.journal.recovery.journal_file import Journal
from app.store.store_errors import StoreError
from app.ui.base.page import Page
from app.ui.settings import settings_words as words
from app.ui.theme.theme import SIZES
from app.ui.theme.tokens import SPACE_3, TEXT_SIZES
from app.ui.widgets.buttons import button
from app.ui.widgets.call_choice import CALL_CHOICE
from app.ui.widgets.field import ChoiceField
from app.ui.widgets.layout import column, row
from app.ui.widgets.sounds import SOUNDS

_TOPIC = "look"
_COMPACT = "compact"
_PROGRAM = "program"


class LookFields(QWidget):
    """Shows the choices of the whole program, and keeps them in `journal`."""

    def __init__(self, page: Page, journal: Journal) -> None:
        super().__init__()
        self._page, self._journal = page, journal
        self.text_size = ChoiceField(words.TEXT_SIZE, [(f"{each}", words.per_cent(each)) for each in TEXT_SIZES])
        self.rows = ChoiceField(words.ROWS, words.ROW_CHOICES)
        self.sounds = ChoiceField(words.SOUNDS, words.SOUND_CHOICES)
        self.hear_button = button(words.HEAR_SOUND, self._on_hear)
        self.calls = ChoiceField(words.CALLS, words.CALL_CHOICES)
        for field in (self.text_size, self.rows, self.sounds, self.calls):
            field.show_whole()
        self.text_size.changed.connect(self._on_sizes)
        self.rows.changed.connect(self._on_sizes)
        self.sounds.changed.connect(self._on_sounds)
        self.calls.changed.connect(self._on_calls)
        sounds = row(self.sounds, self.hear_button, None, gap=SPACE_3)
        self.setLayout(column(row(self.text_size, self.rows, None, gap=SPACE_3), sounds, row(self.calls, None)))

    async def load(self) -> None:
        """Show what is chosen now. Raises `StoreError`."""
        await SOUNDS.read(self._journal)
        self.text_size.set_text(f"{SIZES.text}")
        self.rows.set_text(_COMPACT if SIZES.compact else "")
        self.sounds.set_text(SOUNDS.choice)
        await CALL_CHOICE.read(self._journal)
        self.calls.set_text(_PROGRAM if CALL_CHOICE.by_program else "")

    def _on_sizes(self) -> None:
        SIZES.choose(int(self.text_size.text()), compact=self.rows.text() == _COMPACT)
        self._page.tasks.write("sizes", self._keep_sizes())

    async def _keep_sizes(self) -> None:
        kept = None
        try:
            while kept != (SIZES.text, SIZES.compact):  # another size may be chosen while one is kept
                kept = SIZES.text, SIZES.compact
                await profiles.remember_sizes(self._journal, kept[0], compact=kept[1])
        except StoreError as error:
            self._page.bar.say("bad", words.look_not_kept(error.sentence), topic=_TOPIC)
        else:
            self._page.bar.withdraw(_TOPIC)

    def _on_sounds(self) -> None:
        self._page.tasks.write("sounds", self._keep_sounds())

    async def _keep_sounds(self) -> None:
        try:
            while SOUNDS.choice != self.sounds.text():
                await SOUNDS.keep(self._journal, self.sounds.text())
        except StoreError as error:
            self._page.bar.say("bad", words.look_not_kept(error.sentence), topic=_TOPIC)
        else:
            self._page.bar.withdraw(_TOPIC)

    def _on_calls(self) -> None:
        self._page.tasks.write("calls", self._keep_calls())

    async def _keep_calls(self) -> None:
        try:
            while CALL_CHOICE.by_program != (wanted := self.calls.text() == _PROGRAM):  # chosen anew meanwhile
                await CALL_CHOICE.keep(self._journal, by_program=wanted)
        except StoreError as error:
            self._page.bar.say("bad", words.look_not_kept(error.sentence), topic=_TOPIC)
        else:
            self._page.bar.withdraw(_TOPIC)

    def _on_hear(self) -> None:
        SOUNDS.play_now("taken" if self.sounds.text() == "all" else "wrong")
