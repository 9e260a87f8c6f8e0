"""The watched folder in Settings: which folder, and whether its files are sent by themselves. Off by default."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QFrame, QWidget

from app.desk.bulk.outcome import watched_folder
from app.desk.bulk.outcome.watched_folder import FolderChoice
from app.desk.desk import Desk
from app.store.store_errors import StoreError
from app.ui.base.page import Page
from app.ui.settings import settings_words as words
from app.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.buttons import button
from app.ui.widgets.files.choose_files import chosen_folder
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import LongLabel, text_label

Choose = Callable[[QWidget, str, Path | None], Awaitable[Path | None]]
_TOPIC = "watched folder"
_CHOOSE: Choose = partial(chosen_folder, sort="watched")


class FolderSection(QFrame):
    """Shows the choice of the connection in use, and changes it at once."""

    def __init__(self, page: Page, choose: Choose = _CHOOSE) -> None:
        super().__init__()
        self.setObjectName("card")
        self._page, self._choose = page, choose
        self.choice = FolderChoice()
        self.folder_label = LongLabel()
        self.choose_button = button(words.CHOOSE_FOLDER, self._on_choose)
        self.off_button = button(words.WATCH_NO_FOLDER, self._on_off)
        self.send_box = QCheckBox(words.SEND_BY_ITSELF)
        self.send_box.toggled.connect(self._on_send)
        self.setLayout(
            column(
                text_label(words.WATCHED_FOLDER, "heading"),
                text_label(words.WATCHED_FOLDER_HELP, "soft", wrap=True),
                self.folder_label,
                row(self.choose_button, self.off_button, None, gap=SPACE_2),
                self.send_box,
                margin=(SPACE_4, SPACE_3, SPACE_4, SPACE_3), gap=SPACE_2,
            )
        )  # fmt: skip
        self._show()

    async def load(self, desk: Desk) -> None:
        """Show the choice of this desk's connection."""
        self.choice = await watched_folder.choice(desk)
        self._show()

    def _show(self) -> None:
        folder = self.choice.folder
        self.folder_label.say(words.watched(folder))
        self.off_button.setVisible(folder is not None)
        self.send_box.setVisible(folder is not None)
        self.send_box.blockSignals(True)  # what is stored is shown, and not stored again
        self.send_box.setChecked(self.choice.send)
        self.send_box.blockSignals(False)

    def _on_choose(self) -> None:
        self._page.tasks.read(_TOPIC, self._ask(self._page.desk))

    async def _ask(self, desk: Desk) -> None:
        folder = await self._choose(self._page.window(), words.CHOOSE_FOLDER_TITLE, self.choice.folder)
        if folder is not None:
            self._put(desk, replace(self.choice, folder=folder))

    def _on_off(self) -> None:
        self._put(self._page.desk, FolderChoice())

    def _on_send(self, on: bool) -> None:
        self._put(self._page.desk, replace(self.choice, send=on))

    def _put(self, desk: Desk, chosen: FolderChoice) -> None:
        self._page.tasks.write(_TOPIC, self._store(desk, chosen))

    async def _store(self, desk: Desk, chosen: FolderChoice) -> None:
        try:
            await watched_folder.choose(desk, chosen)
        except StoreError as error:
            self._page.bar.say("bad", words.folder_not_kept(error.sentence), topic=_TOPIC)
        else:
            self._page.bar.withdraw(_TOPIC)
            self._page.services.news.folder_chosen.emit()
        # Another connection may be in use by now, whose folder is shown.
        if desk is self._page.desk:
            await self.load(desk)
