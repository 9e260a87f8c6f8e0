"""Updates in Settings: whether there is a newer version, fetching it, handing it to the system's installer."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QProgressBar, QWidget

from app.api.errors import BadAddress
from app.background.updater import Updater
from app.desk.updates import update_source
from app.desk.updates.version_list import UpdateTrouble
from app.store.store_errors import StoreError
from app.ui.base.page import Page
from app.ui.settings import settings_words as words
from app.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.bars.message_bar import progress_bar
from app.ui.widgets.buttons import button
from app.ui.widgets.field import Field
from app.ui.widgets.files.show_in_folder import show_in_folder
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.text.labels import set_tone, text_label, visible
from app.version import VERSION

if TYPE_CHECKING:
    from app.background.updater import UpdateState

_TOPIC = "updates"
_THOUSANDTHS = 1_000


class UpdatesSection(QFrame):
    """Hidden until the updater is there, which comes after the first paint."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self.setObjectName("card")
        self._page = page
        self._updater: Updater | None = None
        self.trouble_label = text_label("", wrap=True, selectable=True)
        set_tone(self.trouble_label, "warn")
        self.state_label = text_label("", wrap=True, selectable=True)
        self.notes_label = text_label("", "soft", wrap=True, selectable=True)
        self.source_label = text_label("", "soft", wrap=True, selectable=True)
        self.progress: QProgressBar = progress_bar(words.UPDATE_PROGRESS)
        self.progress.setRange(0, _THOUSANDTHS)
        self.address = Field(words.UPDATE_ADDRESS, required=True, hint=words.UPDATE_ADDRESS_HINT)
        self.key = Field(words.UPDATE_KEY, required=True)
        self.look_button = button(words.LOOK_FOR_UPDATE, self._on_look)
        self.fetch_button = button(words.FETCH_UPDATE, self._on_fetch)
        self.stop_button = button(words.STOP_FETCHING, self._on_stop)
        self.install_button = button(words.INSTALL_UPDATE, self._on_install)
        self.folder_button = button(words.SHOW_PACKAGE, self._on_show)
        self.change_button = button(words.GIVE_UPDATE_ADDRESS, self._open)
        self.save_button = button(words.KEEP_UPDATE_ADDRESS, self._on_save)
        self.close_button = button(words.UPDATE_GO_BACK, self._close, kind="quiet")
        self.forget_button = button(words.ASK_FOR_NO_UPDATES, self._on_forget)
        self._form = self._lay_out_form()
        acts = (self.fetch_button, self.stop_button, self.install_button, self.folder_button, self.look_button)
        self.setLayout(
            column(
                text_label(words.UPDATES, "heading"),
                self.trouble_label,
                self.state_label,
                self.progress,
                self.notes_label,
                self.source_label,
                row(*acts, self.change_button, None, gap=SPACE_2),
                self._form,
                margin=(SPACE_4, SPACE_3, SPACE_4, SPACE_3), gap=SPACE_2,
            )
        )  # fmt: skip
        self._form.hide()
        self.hide()

    def _lay_out_form(self) -> QWidget:
        help_label = text_label(words.UPDATE_KEY_HELP, "soft", wrap=True)
        buttons = row(self.close_button, None, self.forget_button, self.save_button, gap=SPACE_2)
        return holding(column(self.address, self.key, help_label, buttons, gap=SPACE_2))

    def take(self, updater: Updater) -> None:
        """Show how updates stand."""
        self._updater = updater
        updater.changed.connect(self.show_state)
        self.show()
        self.show_state()

    def show_state(self) -> None:
        """Show the state of the updater, and what a person can do about it."""
        if self._updater is None:
            return
        state, settled = self._updater.state, self._updater.settled
        source = settled.source if settled is not None else None
        self._say(state)
        newer = state.newer if state.stage in ("newer", "downloading", "checked", "handed") else None
        self.notes_label.setText(visible(newer.notes) if newer is not None else "")
        self.notes_label.setVisible(newer is not None and bool(newer.notes) and state.stage != "handed")
        self.source_label.setText(visible(words.update_source(source.address, given=source.given)) if source else "")
        self.source_label.setVisible(source is not None)
        self.progress.setVisible(state.stage == "downloading")
        if newer is not None and newer.package is not None:
            self.progress.setValue(_THOUSANDTHS * state.done // newer.package.size)
        self.look_button.setVisible(source is not None and state.stage in ("idle", "current", "newer"))
        self.fetch_button.setVisible(state.stage == "newer" and newer is not None and newer.package is not None)
        self.stop_button.setVisible(state.stage == "downloading")
        self.install_button.setVisible(state.stage == "checked")
        self.folder_button.setVisible(state.stage in ("checked", "handed"))
        may_change = settled is not None and not settled.off and (source is None or not source.given)
        self.change_button.setVisible(may_change and self._form.isHidden() and state.stage != "downloading")
        self.change_button.setText(words.GIVE_UPDATE_ADDRESS if source is None else words.CHANGE_UPDATE_ADDRESS)
        self.change_button.setAccessibleName(self.change_button.text())
        if not may_change:
            self._form.hide()

    def _say(self, state: "UpdateState") -> None:
        newer = state.newer
        sentences = {
            "unknown": words.UPDATES_NOT_READ,
            "none": words.NO_UPDATE_ADDRESS,
            "off": words.UPDATES_OFF,
            "idle": words.UPDATES_IDLE,
            "checking": words.LOOKING_FOR_UPDATE,
            "current": words.is_newest(VERSION),
            "handed": state.told,
        }
        sentence = sentences.get(state.stage, "")
        if newer is not None and not sentence:
            size = newer.package.size if newer.package is not None else None
            if state.stage == "downloading":
                sentence = words.fetching_update(newer.version, state.done, size or 0)
            elif state.stage == "checked":
                sentence = words.update_checked(newer.version)
            else:
                sentence = words.newer_version(newer.version, size)
        self.trouble_label.setText(visible(state.trouble))
        self.trouble_label.setVisible(bool(state.trouble))
        self.state_label.setText(visible(sentence))
        self.state_label.setVisible(bool(sentence))
        set_tone(self.state_label, "good" if state.stage == "current" else "soft")

    def _on_look(self) -> None:
        if self._updater is not None:
            self._updater.look()

    def _on_fetch(self) -> None:
        if self._updater is not None:
            self._updater.fetch()
            # The pressed button goes as soon as the download begins, and Qt would hand the keyboard to any other.
            self.stop_button.setFocus()

    def _on_stop(self) -> None:
        if self._updater is not None:
            self._updater.stop()
            self.fetch_button.setFocus()

    def _on_install(self) -> None:
        if self._updater is not None:
            self._updater.install()

    def _on_show(self) -> None:
        path = self._updater.state.path if self._updater is not None else None
        if path is not None and not show_in_folder(path):
            self._page.bar.say("warn", words.package_lies(path))

    # The form

    def _open(self) -> None:
        assert self._updater is not None
        settled = self._updater.settled
        source = settled.source if settled is not None else None
        self.address.set_text(source.address if source is not None else "")
        self.key.set_text(source.keys[0] if source is not None and source.keys else "")
        for field in (self.address, self.key):
            field.set_notice("")
        self.key.setVisible(settled is None or settled.wants_key)
        self.forget_button.setVisible(source is not None)
        self._form.show()
        self.show_state()
        self.address.editor.setFocus()

    def _close(self) -> None:
        self._form.hide()
        self.show_state()
        self.change_button.setFocus()

    def _on_save(self) -> None:
        key = self.key.text() if self.key.isVisibleTo(self) else ""
        self._page.tasks.write(_TOPIC, self._save(self.address.text(), key))

    async def _save(self, address: str, key: str) -> None:
        assert self._updater is not None
        for field in (self.address, self.key):
            field.set_notice("")
        if self.key.isVisibleTo(self) and not key.strip():
            self.key.set_notice(words.REQUIRED)
            return
        try:
            await update_source.choose(self._page.desk.journal, address, key)
        except BadAddress as error:
            self.address.set_notice(error.sentence)
        except UpdateTrouble as error:
            self.key.set_notice(error.sentence)
        except StoreError as error:
            self._page.bar.say("bad", words.update_address_not_kept(error.sentence), topic=_TOPIC)
        else:
            self._changed()

    def _on_forget(self) -> None:
        self._page.tasks.write(_TOPIC, self._forget())

    async def _forget(self) -> None:
        try:
            await update_source.forget(self._page.desk.journal)
        except StoreError as error:
            self._page.bar.say("bad", words.update_address_not_kept(error.sentence), topic=_TOPIC)
        else:
            self._changed()

    def _changed(self) -> None:
        assert self._updater is not None
        self._page.bar.withdraw(_TOPIC)
        self._close()
        self._updater.read_settled()
