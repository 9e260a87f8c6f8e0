"""Settings: connections with their capability card, appearance, and where the data lies."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QFrame, QPushButton, QStackedWidget, QWidget

from app.api.addresses import Addresses, Credentials
from app.api.errors import BadAddress
from app.api.network.network_words import authorities_found
from app.api.network.trust import authorities_in
from app.desk.connections import connection, given_connections, profiles
from app.desk.connections.connection import CapabilityCard
from app.desk.connections.given_connections import Given
from app.desk.connections.profiles import Unfinished, unfinished
from app.desk.desk import Desk
from app.desk.text.contact_links import MAP_SITES
from app.store.journal.profile_store import Profile
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir
from app.store.secrets import SecretPlace, SecretStore, proxy_password_of
from app.store.sqlite.database import Database
from app.store.store_errors import StoreError
from app.translation import translate
from app.ui.base.page import Page, PageServices
from app.ui.reports import reports_words
from app.ui.reports.diagnostics import diagnostics
from app.ui.reports.report_dialog import show_report
from app.ui.settings import settings_words as words
from app.ui.settings.about_section import AboutSection
from app.ui.settings.capability_card import CardView
from app.ui.settings.connect_form import ConnectForm, Typed
from app.ui.settings.connection_line import LINE_OF, ConnectionLine
from app.ui.settings.connection_transfer import ConnectionTransfer
from app.ui.settings.folder_section import FolderSection
from app.ui.settings.journal_section import JournalSection
from app.ui.settings.look_fields import LookFields
from app.ui.settings.notices_section import NoticesSection
from app.ui.settings.team_section import TeamSection
from app.ui.settings.updates_section import UpdatesSection
from app.ui.theme.theme import APPEARANCES
from app.ui.theme.tokens import CONNECTION_COLOURS, SETTINGS_WIDTH, SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.connection_colour import colour_mark
from app.ui.widgets.field import ChoiceField
from app.ui.widgets.files.choose_files import FileKind, file_to_read
from app.ui.widgets.layout import Item, column, drop_items, holding, row, scrolling
from app.ui.widgets.map_choice import MAP_CHOICE
from app.ui.widgets.text.labels import text_label, visible

Save = Callable[[Database, Profile], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where settings are stored: the journal, the secrets and the data folder."""

    journal: Journal
    secrets: SecretStore
    data: DataDir


_CERTIFICATES = (
    FileKind("pem", words.CERTIFICATE_FILES, "pem"),
    FileKind("cer", words.CERTIFICATE_FILES, "cer"),
    FileKind("crt", words.CERTIFICATE_FILES, "crt"),
)


async def certificate_file(parent: QWidget, title: str) -> Path | None:
    """Ask for a file with certificates."""
    return await file_to_read(parent, title, _CERTIFICATES)


class SettingsPage(Page):
    """`use_asked` carries the id of the connection to use, `outbox_asked` of the one whose outbox is to be shown.

    A connection is removed only once its outbox has ended. A connection that gets another address or client takes its
    queued writes along if a person says so. A write that may have arrived keeps the connection where it is, since only
    that provider knows of the write.
    """

    use_asked = Signal(str)
    outbox_asked = Signal(str)
    removed = Signal(str)  # the id of the connection
    changed = Signal()  # the list of connections
    appearance_chosen = Signal(str)

    def __init__(self, services: PageServices, keeping: Keeping) -> None:
        super().__init__(services, "settings")
        self.choose_authorities: Callable[[QWidget, str], Awaitable[Path | None]] = certificate_file
        self._keeping = keeping
        self._profiles: Sequence[Profile] = ()
        self._practice: Profile | None = None
        self._given = Given()
        self._wanted_section = ""
        self._section_shown: tuple[QWidget, QWidget | None] | None = None  # and the widget with the keyboard
        self.form = ConnectForm(services.theme)
        self._list = column(gap=SPACE_2)
        self.data_label = text_label("", wrap=True, selectable=True)
        self.secret_label = text_label("", "soft", wrap=True)
        self.journal_section = JournalSection(self, keeping.journal)
        self.journal_section.deleted.connect(services.news.wrote)
        self.about_section = AboutSection(self.bar)
        self.about_section.diagnostics_asked.connect(self._on_diagnostics)
        self.transfer = ConnectionTransfer(self, keeping.journal)
        self.transfer.imported.connect(self._on_imported)
        self.folder_section = FolderSection(self)
        self.notices_section = NoticesSection(self)
        self.team_section = TeamSection(self)
        self.updates_section = UpdatesSection(self)
        self.appearance = ChoiceField(translate("Theme"), words.THEMES)
        self.appearance.show_whole()
        self._show_appearance()
        services.theme.changed.connect(self._show_appearance)  # it is chosen in the palette, too
        self.appearance.changed.connect(self._on_appearance)
        self.look = LookFields(self, keeping.journal)
        sites = [("", words.NO_MAP), *((key, name) for key, (name, _) in MAP_SITES.items())]
        self.map_site = ChoiceField(words.MAP_SITE, sites)
        self.map_site.show_whole()
        self.map_note = text_label("", "soft", wrap=True)
        self.map_site.changed.connect(self._on_map_site)
        MAP_CHOICE.changed.connect(self._show_map_note)
        self._show_map_note()
        self.form.test_asked.connect(self._on_test)
        self.form.save_asked.connect(self._on_save)
        self.form.closed.connect(self._leave_form)
        self.form.network.file_asked.connect(self._on_file_asked)
        self.form.network.file_named.connect(self._on_file_named)
        self._build(services)

    def _build(self, services: PageServices) -> None:
        self.only_given = text_label(words.NO_OWN_CONNECTIONS, "soft", wrap=True)
        self.only_given.hide()
        self.connect_button = with_icon(
            button(translate("Connect to your provider"), self.begin_connect, kind="primary"),
            services.theme,
            "plug",
            "on_accent",
        )
        connections = _card(
            row(text_label(_title("connections"), "heading"), None, self.connect_button),
            self._list,
            self.transfer,
            self.only_given,
            self.secret_label,
        )
        looks = column(
            row(self.appearance, None),
            self.look,
            row(self.map_site, None),
            self.map_note,
        )
        self._sections: dict[str, QWidget] = {
            "connections": connections,
            "team": self.team_section,
            "appearance": _card(row(text_label(_title("appearance"), "heading"), None), looks),
            "notices": self.notices_section,
            "backup": self.journal_section,
            "folder": self.folder_section,
            "data": _card(row(text_label(_title("data"), "heading"), None), self.data_label),
            "updates": self.updates_section,
            "about": self.about_section,
        }
        self._actions = self._all_actions()
        overview = column(*self._sections.values(), None, gap=SPACE_3)
        self._stack = QStackedWidget()
        self._stack.addWidget(holding(overview))
        self._stack.addWidget(holding(column(self.form, None)))
        middle = holding(column(text_label(translate("Settings"), "title"), self._stack, margin=SPACE_3, gap=SPACE_3))
        middle.setMaximumWidth(SETTINGS_WIDTH)
        whole = row(middle, None)
        whole.setStretch(0, 10)
        inner = holding(whole, "page")
        self._area = area = scrolling(inner)
        area.verticalScrollBar().rangeChanged.connect(self._scroll_to_section)
        area.verticalScrollBar().actionTriggered.connect(self._leave_section)  # by hand, and not by this page
        self.setLayout(column(area))
        self.bar.float_over(self, area)

    def _all_actions(self) -> dict[str, QWidget]:
        """The fields and buttons of `ACTIONS`."""
        look, notices, journal, about = self.look, self.notices_section, self.journal_section, self.about_section
        return {
            "connect": self.connect_button,
            "import": self.transfer.import_button,
            "export": self.transfer.export_button,
            "text": look.text_size.editor,
            "rows": look.rows.editor,
            "sounds": look.sounds.editor,
            "map": self.map_site.editor,
            "calls": look.calls.editor,
            "quiet": notices.quiet_box,
            "notice": notices.trial_button,
            "back up": journal.back_up_button,
            "restore": journal.restore_button,
            "delete": journal.delete_button,
            "watch": self.folder_section.choose_button,
            "look": self.updates_section.look_button,
            "copy": about.copy_button,
            "licences": about.licences_button,
            "diagnostics": about.diagnostics_button,
        }

    def take_desk(self, desk: Desk) -> None:
        # The bar is not cleared: its message is about the connection that is now in use.
        self._desk = desk
        self.data_label.setText(visible(words.data_folder(self._keeping.data.root)))
        self.team_section.take_desk(desk)
        self.reload()

    def enter(self) -> None:
        self.reload()
        # The keyboard goes back to where it was. On the bare page a screen reader would say nothing.
        before, form = self.focusWidget(), self._stack.currentIndex() == 1
        first = self.form.name.editor if form else self.connect_button
        (before if before not in (None, self) and before.isVisibleTo(self) else first).setFocus()

    def status_text(self) -> str:
        """The connection in use, and how many there are."""
        if self._desk is None or not self._profiles:
            return ""
        return words.status(self._desk.profile.name, len(self._profiles))

    def reload(self) -> None:
        """Show the connections again."""
        self.tasks.read("connections", self._load())

    async def _load(self) -> None:
        self.notices_section.reload()
        await self.journal_section.show_state()
        await self.folder_section.load(self.desk)
        await MAP_CHOICE.read(self._keeping.journal)
        self.map_site.set_text(MAP_CHOICE.site)
        await self.look.load()
        self._profiles = await profiles.all_profiles(self._keeping.journal)
        self.tell_status()
        self._given = await given_connections.given(self._keeping.journal)
        for adds in (self.connect_button, self.transfer.import_button):
            adds.setVisible(self._given.own)
        self.only_given.setVisible(not self._given.own)
        place = await self._keeping.secrets.describe()
        self.secret_label.setText(visible(place.sentence))
        self._show_lines()
        QTimer.singleShot(0, self, self._go_to_section)  # the new lines are laid out by then

    def _show_lines(self) -> None:
        """Show a line for each connection, with the keyboard where it was."""
        for each in self._profiles:
            self.tasks.cancel(f"test {each.id}")  # the line that would show the result is replaced
        focused = self._focused_button()
        drop_items(self._list)
        in_use = self.desk.profile.id
        lines = [self._line(each, in_use) for each in self._profiles]
        for line in lines:
            line.use_asked.connect(self.use_asked)
            line.test_asked.connect(self._on_test_line)
            line.change_asked.connect(self._open_form)
            line.remove_asked.connect(self._on_remove)
            self._list.addWidget(line)
        if focused is not None:
            self._give_focus(lines, *focused)

    def _line(self, profile: Profile, in_use: str) -> ConnectionLine:
        return ConnectionLine(
            self.services.theme,
            profile,
            in_use=profile.id == in_use,
            given=profile.id in self._given.ids.values(),
            changeable=self._given.own,
        )

    def _focused_button(self) -> tuple[str, str] | None:
        """The button with the keyboard, as the id of its connection and its text; None if it is in no line."""
        # `focusWidget` of the window, since a dialog may stand before the window.
        focused = self.window().focusWidget()
        line_of = focused.property(LINE_OF) if isinstance(focused, QPushButton) else None
        return (line_of, focused.text()) if isinstance(focused, QPushButton) and isinstance(line_of, str) else None

    def _give_focus(self, lines: Sequence[QFrame], profile_id: str, text: str) -> None:
        """Focus the same button of the new lines, else another of that line, else the one for a new connection."""
        for line in lines:
            line.show()  # now rather than with the next event: a hidden button cannot have the keyboard
        buttons = [each for line in lines for each in line.findChildren(QPushButton)]
        of_line = [each for each in buttons if each.property(LINE_OF) == profile_id]
        same = [each for each in of_line if each.text() == text]
        (*same, *of_line, self.connect_button)[0].setFocus()

    def _on_diagnostics(self) -> None:
        self.tasks.read("diagnostics", self._show_diagnostics())

    async def _show_diagnostics(self) -> None:
        text = await diagnostics(self._keeping.data, self._keeping.journal, self._keeping.secrets)
        title, explained = reports_words.DIAGNOSTICS_TITLE, reports_words.DIAGNOSTICS_HELP
        show_report(self, self.services.theme, title, explained, text)

    def show_section(self, name: str) -> None:
        """Bring a section into sight, with the keyboard in its first field or button, once the page has been read; of
        one of `ACTIONS` with the keyboard in the field or button of that action."""
        self._wanted_section = name
        self.reload()

    def _go_to_section(self) -> None:
        name, self._wanted_section = self._wanted_section, ""
        if not name or self._stack.currentIndex() != 0:
            return  # a connection that is being filled in stays in sight
        wanted = self._actions.get(name)
        name = words.ACTIONS[name][0] if wanted is not None else name
        section = self._sections[name]
        if section.isHidden():  # of a safe start: what it is about was not begun
            self.bar.say("", words.not_begun(_title(name)))
            return
        usable = [each for each in (wanted, *section.findChildren(QWidget)) if each is not None]
        usable = [each for each in usable if _takes_keyboard(each)]
        if usable:
            usable[0].setFocus(Qt.FocusReason.OtherFocusReason)
        self._section_shown = section, QApplication.focusWidget()
        self._scroll_to_section()

    def _scroll_to_section(self) -> None:
        """Scroll to the section that was gone to: now, and as the page grows while its sections read what they show.

        Only as long as the keyboard stands where it was put, and nobody has scrolled.
        """
        if self._section_shown is None or self._section_shown[1] is not QApplication.focusWidget():
            return
        section, inner = self._section_shown[0], self._area.widget()
        assert inner is not None
        # After the focus, which scrolls too: the heading of the section is what a person looks for.
        self._area.verticalScrollBar().setValue(max(section.mapTo(inner, QPoint(0, 0)).y() - SPACE_3, 0))

    def _leave_section(self) -> None:
        self._section_shown = None

    def _on_imported(self) -> None:
        self.changed.emit()
        self.reload()

    def begin_connect(self) -> None:
        """Open the form for a new connection; one that is being filled in stays as it is."""
        if not self._given.own:
            self.bar.say("", words.NO_OWN_CONNECTIONS)
        elif self._stack.currentIndex() == 1 and self.form.unsaved:
            self.form.name.editor.setFocus()
        else:
            self._open_form(None)

    def _open_form(self, profile: Profile | None) -> None:
        self.bar.clear()
        self._stack.setCurrentIndex(1)
        given = profile is not None and profile.id in self._given.ids.values()
        used = [each.colour for each in self._profiles]
        free = next((name for name in CONNECTION_COLOURS if name not in used), "")
        self.form.begin(profile, self.secret_label.text(), free, given=given)
        self._look_for_secrets()
        # When the palette asks for the form, the page may be scrolled to its last section, far below the form's end.
        self._area.verticalScrollBar().setValue(0)

    def _look_for_secrets(self) -> None:
        """Say in the form which secrets are kept. The keyring may take its time, so the form does not wait."""
        self.tasks.cancel("kept secrets")
        if self.form.kept is not None:
            self.tasks.read("kept secrets", self._show_kept(self.form.kept))

    async def _show_kept(self, profile: Profile) -> None:
        secrets = self._keeping.secrets
        try:
            secret = await secrets.read(profile.id)
            password = await secrets.read(proxy_password_of(profile.id)) if profile.proxy_user else None
        except StoreError as error:
            self.form.say_of_secret(error.sentence)
        else:
            self.form.show_kept(secret=bool(secret), password=bool(password))

    def _leave_form(self) -> None:
        if self.form.unsaved:
            self.tasks.read("leave form", self._ask_to_leave())
        else:
            self._close_form()

    async def _ask_to_leave(self) -> None:
        stay = translate("Stay here")
        if await confirmed(self, words.LEAVE_FORM, words.LEAVE_FORM_WARNING, words.DISCARD, stay):
            self._close_form()

    def _close_form(self) -> None:
        self.tasks.cancel("test")
        self._stack.setCurrentIndex(0)
        self.connect_button.setFocus()
        self._area.verticalScrollBar().setValue(0)

    def _on_map_site(self) -> None:
        self.tasks.write("map site", MAP_CHOICE.keep(self._keeping.journal, self.map_site.text()))

    def _show_map_note(self) -> None:
        name, _ = MAP_SITES.get(MAP_CHOICE.site, ("", ""))
        self.map_note.setText(words.map_note(name))

    def _show_appearance(self) -> None:
        self.appearance.set_text(self.services.theme.appearance)

    def _on_appearance(self) -> None:
        chosen = next(each for each in APPEARANCES if each == self.appearance.text())
        self.services.theme.choose(chosen)
        self.appearance_chosen.emit(chosen)

    def _on_test(self, typed: Typed) -> None:
        self.tasks.read("test", self._test_form(typed))

    async def _test_form(self, typed: Typed) -> CapabilityCard | None:
        try:
            card = await self._examine(typed)
        except StoreError as error:
            self.form.say_trouble(error.sentence)
            return None
        self.form.show_card(card)
        return card

    async def _examine(self, typed: Typed) -> CapabilityCard:
        """Test a connection, with the secrets that are kept where none was typed. Raises `StoreError`."""
        profile, secrets = typed.profile, self._keeping.secrets
        secret = typed.secret or await secrets.read(profile.id) or ""
        password = typed.proxy_password
        if profile.proxy_user and not password:
            password = await secrets.read(proxy_password_of(profile.id)) or ""
        return await connection.examine(
            Addresses(profile.base_url, profile.info_base_url, profile.auth_url),
            Credentials(profile.client_id, secret),
            self.services.now,
            connection.transport_of(profile, password),
        )

    def _on_file_asked(self) -> None:
        self.tasks.read("choose authorities", self._choose_authorities())

    async def _choose_authorities(self) -> None:
        found = await self.choose_authorities(self, words.CHOOSE_AUTHORITIES)
        if found is not None:
            self.form.network.set_file(str(found))

    def _on_file_named(self, path: str) -> None:
        self.tasks.read("authorities", self._look_into(path))

    async def _look_into(self, path: str) -> None:
        """Say whose certificates the file holds."""
        try:
            names = await asyncio.to_thread(authorities_in, path)
        except BadAddress as error:
            self.form.network.say_of_file(path, error.sentence, wrong=True)
        else:
            self.form.network.say_of_file(path, authorities_found(len(names), ", ".join(names)), wrong=False)

    def _on_save(self, typed: Typed, as_it_is: bool) -> None:
        self.tasks.write("save connection", self._save(typed, as_it_is=as_it_is))

    async def _save(self, typed: Typed, *, as_it_is: bool) -> None:
        profile = typed.profile
        if not as_it_is:
            card = await self._test_form(typed)
            if card is None or not card.works:
                return
            profile = replace(profile, scopes=card.scopes)
        places: list[SecretPlace] = []
        try:
            profile = profile if self.form.kept else replace(profile, id=await self._id_for(profile))
            save = await self._how_to_save(self.form.kept, profile)
            if save is None:
                self.form.say_trouble(words.NOT_SAVED)
                return
            # The secret before the connection: a connection without its secret could not be used, a secret alone does
            # no harm.
            if typed.secret:
                places.append(await self._keeping.secrets.write(profile.id, typed.secret))
            if typed.proxy_password:
                name = proxy_password_of(profile.id)
                places.append(await self._keeping.secrets.write(name, typed.proxy_password))
            await save(self._keeping.journal, profile)
        except StoreError as error:
            self.form.say_trouble(words.connection_not_saved(error.sentence))
            self._look_for_secrets()  # the secret may have been stored before the rest failed
            return
        self._close_form()
        self.form.busy(False)
        in_memory = words.SECRET_IN_MEMORY if "memory" in places else ""
        left = await self._forget_password(profile)
        caveats = [each for each in (self.form.reserve, self._same_provider(profile), in_memory, left) if each]
        self.changed.emit()
        self.use_asked.emit(profile.id)
        self.bar.say(
            "warn" if caveats else "good", words.connection_saved(profile.name, *caveats), colour=profile.colour
        )

    async def _forget_password(self, profile: Profile) -> str:
        """Delete the password of a proxy that is not used any more; why it is still kept, or nothing."""
        if not (self.form.kept and self.form.kept.proxy_user) or profile.proxy_user:
            return ""
        try:
            await self._keeping.secrets.delete(proxy_password_of(profile.id))
        except StoreError as error:
            return words.password_still_kept(error.sentence)
        return ""

    async def _id_for(self, profile: Profile) -> str:
        """The id of a new connection: the former one if the same connection was removed before."""
        return await profiles.id_again(self._keeping.journal, profile)

    def _on_test_line(self, profile: Profile, card: CardView) -> None:
        self.tasks.read(f"test {profile.id}", self._test_line(profile, card))

    def _on_remove(self, profile: Profile) -> None:
        self.tasks.write(f"remove {profile.id}", self._remove(profile))

    async def _test_line(self, profile: Profile, view: CardView) -> None:
        """Test a saved connection and show the result below its line."""
        view.show_busy()
        try:
            card = await self._examine(Typed(profile, "", ""))
            view.show_card(card)
            if card.connected:
                await profiles.keep_scopes(self._keeping.journal, replace(profile, scopes=card.scopes))
        except StoreError as error:
            if view.busy:
                view.hide()
            self.bar.say("bad", error.sentence)

    async def _remove(self, profile: Profile) -> None:
        """Remove a connection and its secret; its writes stay in the journal."""
        try:
            if not await self._may_be_removed(profile):
                return
            await profiles.remove(self._keeping.journal, profile)
        except StoreError as error:
            self.bar.say("bad", words.connection_not_removed(error.sentence))
            return
        # The connection is gone already, so the rest goes on even where the keyring refuses.
        self.removed.emit(profile.id)
        names = [profile.id, *([proxy_password_of(profile.id)] if profile.proxy_user else [])]
        for name in names:
            try:
                await self._keeping.secrets.delete(name)
            except StoreError as error:
                self.bar.say("bad", words.secret_not_removed(profile.name, error.sentence), colour=profile.colour)
        self.changed.emit()
        self.reload()

    # Where a connection leads decides where its outbox goes

    async def _may_be_removed(self, profile: Profile) -> bool:
        """Whether no write of a connection is unfinished, and a person says yes. Raises `StoreError`."""
        left = await unfinished(self._keeping.journal, profile.id)
        if left.writes:
            self._refuse(profile, words.cannot_remove(profile.name, _unfinished_words(left)))
            return False
        warning = words.remove_warning(left.drafts)
        return await confirmed(
            self, words.ask_remove(profile.name), warning, translate("Remove"), mark=self._mark(profile)
        )

    def _mark(self, profile: Profile) -> QPixmap | None:
        return colour_mark(self.services.theme, profile.kind, profile.colour)

    async def _how_to_save(self, before: Profile | None, profile: Profile) -> Save | None:
        """How to save a connection that was `before`; None if it stays as it was. Raises `StoreError`."""
        if before is None or profiles.same_place(before, profile):
            return profiles.save
        left = await unfinished(self._keeping.journal, profile.id)
        if left.may_be_there:
            self._refuse(before, words.cannot_move(before.name, _unfinished_words(left)))
            return None
        places = [words.place_of(each.base_url, each.client_id) for each in (before, profile)]
        if left.queued and not await confirmed(
            self, words.ask_move(before.name), words.move_warning(left.queued, *places), translate("Send it there"),
            mark=self._mark(before),
        ):  # fmt: skip
            return None
        return profiles.move

    def _refuse(self, profile: Profile, sentence: str) -> None:
        show = partial(self.outbox_asked.emit, profile.id)
        self.bar.say("warn", sentence, translate("Show its outbox"), show, colour=profile.colour)

    def _same_provider(self, profile: Profile) -> str:
        """A warning if another connection leads to the same provider; empty if none does."""
        others = (each for each in self._profiles if each.id != profile.id)
        other = next((each for each in others if profiles.same_place(each, profile)), None)
        return "" if other is None else words.same_provider(other.name)


def _unfinished_words(left: Unfinished) -> str:
    return words.unfinished(left.queued, left.sending, left.in_doubt, left.rejected)


def _title(section: str) -> str:
    return words.SECTIONS[section][0]


def _takes_keyboard(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.isVisible() and widget.isEnabled()


def _card(*items: Item) -> QFrame:
    card = QFrame()
    card.setObjectName("card")
    card.setLayout(column(*items, margin=(SPACE_4, SPACE_3, SPACE_4, SPACE_3), gap=SPACE_2))
    return card
