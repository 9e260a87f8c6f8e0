"""Settings: connections with their capability card, appearance, and where the data lies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QStackedWidget

from app.api.addresses import Addresses, Credentials
from app.desk.connections import connection, profiles
from app.desk.connections.connection import CapabilityCard
from app.desk.desk import Desk
from app.store.journal.profile_store import Profile
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir
from app.store.secrets import SecretStore
from app.store.store_errors import StoreError
from app.ui.base.page import Page, Room
from app.ui.settings.capability_card import CardView
from app.ui.settings.connect_form import KINDS, ConnectForm
from app.ui.settings.journal_section import SafekeepingCard
from app.ui.settings.moved_connection import Leading, twin_words
from app.ui.theme.theme import Appearance
from app.ui.theme.tokens import SETTINGS_WIDTH, SPACE_1, SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.field import ChoiceField
from app.ui.widgets.layout import Item, column, holding, row, scrolling
from app.ui.widgets.text.labels import text_label, visible

_APPEARANCES = [("system", "As the system has it"), ("light", "Light"), ("dark", "Dark")]

_LINE_OF = "lineOf"  # a button's property: whose line it stands in


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where settings are kept: the journal, the secrets and the folder of it all."""

    journal: Journal
    secrets: SecretStore
    data: DataDir


class SettingsPage(Page):
    """`use_asked` names the profile to work with, `outbox_asked` the one whose outbox is to be shown.

    `changed` tells that the list of profiles has changed.
    """

    use_asked = Signal(str)
    outbox_asked = Signal(str)
    removed = Signal(str)  # the id of a connection that was forgotten
    changed = Signal()
    appearance_chosen = Signal(str)

    def __init__(self, room: Room, keeping: Keeping) -> None:
        super().__init__(room, "settings")
        self._keeping = keeping
        self._profiles: Sequence[Profile] = ()
        self._practice: Profile | None = None
        self.form = ConnectForm(room.theme)
        self._list = column(gap=SPACE_2)
        self.data_label = text_label("", wrap=True, selectable=True)
        self.secret_label = text_label("", "soft", wrap=True)
        self.leading = Leading(self, keeping.journal, self.outbox_asked.emit)
        self.safekeeping = SafekeepingCard(self, keeping.journal)
        self.safekeeping.forgot.connect(room.news.wrote)
        self.appearance = ChoiceField("Appearance", _APPEARANCES)
        self.appearance.show_whole()
        self.appearance.set_text(room.theme.appearance)
        self.appearance.changed.connect(self._on_appearance)
        self.form.test_asked.connect(self._on_test)
        self.form.save_asked.connect(self._on_save)
        self.form.closed.connect(self._leave_form)
        self._build(room)

    def _build(self, room: Room) -> None:
        self.connect_button = with_icon(
            button("Connect to your provider", self.begin_connect, kind="primary"), room.theme, "plug", "on_accent"
        )
        connections = _card(
            row(text_label("Connections", "heading"), None, self.connect_button), self._list, self.secret_label
        )
        looks = row(self.appearance, None)
        overview = column(
            connections,
            _card(row(text_label("Looks", "heading"), None), looks),
            self.safekeeping,
            _card(row(text_label("Data", "heading"), None), self.data_label),
            None,
            gap=SPACE_3,
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(holding(overview))
        self._stack.addWidget(holding(column(self.form, None)))
        middle = holding(column(text_label("Settings", "title"), self._stack, margin=SPACE_3, gap=SPACE_3))
        middle.setMaximumWidth(SETTINGS_WIDTH)
        whole = row(middle, None)
        whole.setStretch(0, 10)
        inner = holding(whole, "page")
        area = scrolling(inner)
        self.setLayout(column(area))
        self.bar.float_over(self, area)

    def take_desk(self, desk: Desk) -> None:
        # The bar is not cleared: what it says is about the connection that was just put to use.
        self._desk = desk
        self.data_label.setText(
            visible(
                f"Everything is kept in {self._keeping.data.root}\n"
                "The journal holds drafts, what was sent and its outcome, and connections. "
                "The cache holds orders as last seen and can be deleted while Waybill is closed."
            )
        )
        self.reload()

    def enter(self) -> None:
        self.reload()

    def reload(self) -> None:
        """Show the connections again."""
        self.tasks.read("connections", self._load())

    async def _load(self) -> None:
        await self.safekeeping.show_state()
        self._profiles = await profiles.all_profiles(self._keeping.journal)
        place = await self._keeping.secrets.describe()
        self.secret_label.setText(visible(place.sentence))
        for each in self._profiles:
            self.tasks.cancel(f"test {each.id}")  # its line goes now
        focused = self._focused_button()
        while (item := self._list.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        lines = [self._line(each) for each in self._profiles]
        for line in lines:
            self._list.addWidget(line)
        if focused is not None:
            self._give_focus(lines, *focused)

    def _focused_button(self) -> tuple[str, str] | None:
        """The button of a line that has the keyboard: whose line, and what it says."""
        # In the window, also while another window stands before that.
        focused = self.window().focusWidget()
        line_of = focused.property(_LINE_OF) if isinstance(focused, QPushButton) else None
        return (line_of, focused.text()) if isinstance(focused, QPushButton) and isinstance(line_of, str) else None

    def _give_focus(self, lines: Sequence[QFrame], profile_id: str, words: str) -> None:
        """The same button of the new lines; where that is gone, another of the line, or what makes a new one."""
        for line in lines:
            line.show()  # a turn sooner than by itself: what is not shown could not be focused
        buttons = [each for line in lines for each in line.findChildren(QPushButton)]
        of_line = [each for each in buttons if each.property(_LINE_OF) == profile_id]
        same = [each for each in of_line if each.text() == words]
        (*same, *of_line, self.connect_button)[0].setFocus()

    def _line(self, profile: Profile) -> QFrame:
        current = profile.id == self.desk.profile.id
        practice = profile.kind == "practice"
        kind = "Practice, on this computer" if practice else dict(KINDS)[profile.kind]
        where = "" if practice else f"{profile.base_url} · client {profile.client_id}"
        words = column(
            text_label(f"{profile.name}{' · in use' if current else ''}", "strong"),
            text_label(" · ".join(part for part in (kind, where) if part), "soft", wrap=True),
        )
        actions = _Actions(self, profile)
        keys = [] if current else [actions.button("Use", actions.use)]
        if not practice:
            keys += [actions.button("Test", actions.test), actions.button("Change", actions.change)]
            keys += [] if current else [actions.button("Remove", actions.remove)]
        line = row(words, *keys, margin=(0, SPACE_1, 0, SPACE_1), gap=SPACE_1)
        line.setStretch(0, 1)
        frame = QFrame()
        frame.setAccessibleName(visible(profile.name))
        actions.setParent(frame)
        frame.setLayout(column(line, actions.card))
        return frame

    def begin_connect(self) -> None:
        """Open the form for a new connection; one that is being filled in stays as it is."""
        if self._stack.currentIndex() == 1 and self.form.unsaved:
            self.form.name.editor.setFocus()
        else:
            self._open_form(None)

    def _open_form(self, profile: Profile | None) -> None:
        self.bar.clear()
        self._stack.setCurrentIndex(1)
        kept = "The secret that is kept stays in use unless you type another. " if profile else ""
        self.form.begin(profile, f"{kept}{self.secret_label.text()}")

    def _leave_form(self) -> None:
        if self.form.unsaved:
            self.tasks.read("leave form", self._ask_to_leave())
        else:
            self._close_form()

    async def _ask_to_leave(self) -> None:
        words = "What you typed for this connection is not kept."
        if await confirmed(self, "Go back without saving?", words, "Go back without saving", "Stay here"):
            self._close_form()

    def _close_form(self) -> None:
        self.tasks.cancel("test")
        self._stack.setCurrentIndex(0)
        self.connect_button.setFocus()

    def _on_appearance(self) -> None:
        chosen: Appearance = "system"
        if self.appearance.text() == "light":
            chosen = "light"
        elif self.appearance.text() == "dark":
            chosen = "dark"
        self.room.theme.choose(chosen)
        self.appearance_chosen.emit(chosen)

    def _on_test(self, profile: Profile, secret: str) -> None:
        self.tasks.read("test", self._test_form(profile, secret))

    async def _test_form(self, profile: Profile, secret: str) -> CapabilityCard | None:
        try:
            secret = secret or await self._kept_secret(profile)
            card = await self._examine(profile, secret)
        except StoreError as error:
            self.form.say_trouble(error.sentence)
            return None
        self.form.show_card(card)
        return card

    async def _examine(self, profile: Profile, secret: str) -> CapabilityCard:
        addresses = Addresses(profile.base_url, profile.info_base_url, profile.auth_url)
        return await connection.examine(addresses, Credentials(profile.client_id, secret), self.room.now)

    async def _kept_secret(self, profile: Profile) -> str:
        return await self._keeping.secrets.read(profile.id) or ""

    def _on_save(self, profile: Profile, secret: str, as_it_is: bool) -> None:
        self.tasks.write("save connection", self._save(profile, secret, as_it_is=as_it_is))

    async def _save(self, profile: Profile, secret: str, *, as_it_is: bool) -> None:
        if not as_it_is:
            card = await self._test_form(profile, secret)
            if card is None or not card.works:
                return
            profile = replace(profile, scopes=card.scopes)
        place = None
        try:
            profile = profile if self.form.kept else replace(profile, id=await self._id_for(profile))
            keep = await self.leading.way_to_keep(self.form.kept, profile)
            if keep is None:
                self.form.say_trouble("Nothing was saved; what you typed stays here.")
                return
            if secret:
                place = await self._keeping.secrets.write(profile.id, secret)
            await keep(self._keeping.journal, profile)
        except StoreError as error:
            self.form.say_trouble(f"The connection was not saved. {error.sentence}")
            return
        self._close_form()
        self.form.busy(False)
        but = self.form.reserve + twin_words(profile, self._profiles)
        but += " Its secret is kept in memory until Waybill is closed." if place == "memory" else ""
        self.changed.emit()
        self.use_asked.emit(profile.id)
        self.bar.say("warn" if but else "good", f"{profile.name} was saved.{but}")

    async def _id_for(self, profile: Profile) -> str:
        """The id of a new connection; one whose saving failed and is tried again keeps its own."""
        return await profiles.id_again(self._keeping.journal, profile)

    async def test_line(self, profile: Profile, view: CardView) -> None:
        """Test a kept connection and show its card below its line."""
        view.show_busy()
        try:
            card = await self._examine(profile, await self._kept_secret(profile))
            view.show_card(card)
            if card.connected:
                await profiles.keep_scopes(self._keeping.journal, replace(profile, scopes=card.scopes))
        except StoreError as error:
            if view.busy:
                view.hide()
            self.bar.say("bad", error.sentence)

    async def remove(self, profile: Profile) -> None:
        """Forget a connection and its secret; what was sent through it stays in the journal."""
        try:
            if not await self.leading.may_be_removed(profile):
                return
            await profiles.remove(self._keeping.journal, profile)
        except StoreError as error:
            self.bar.say("bad", f"The connection was not removed. {error.sentence}")
            return
        self.removed.emit(profile.id)
        try:
            await self._keeping.secrets.delete(profile.id)
        except StoreError as error:
            self.bar.say("bad", f"{profile.name} was removed, but its secret is still kept. {error.sentence}")
        self.changed.emit()
        self.reload()

    def change(self, profile: Profile) -> None:
        """Open the form with a kept connection."""
        self._open_form(profile)


class _Actions(QFrame):
    """The buttons of one connection's line; a child of the line, so that both end together."""

    def __init__(self, page: SettingsPage, profile: Profile) -> None:
        super().__init__()
        self.hide()
        self._page, self._profile = page, profile
        self.card = CardView(names_fields=True)

    def button(self, words: str, act: Callable[[], object]) -> QPushButton:
        made = button(words, act, kind="quiet")
        made.setAccessibleName(visible(f"{words} {self._profile.name}"))
        made.setProperty(_LINE_OF, self._profile.id)
        return made

    def use(self) -> None:
        self._page.use_asked.emit(self._profile.id)

    def test(self) -> None:
        self._page.tasks.read(f"test {self._profile.id}", self._page.test_line(self._profile, self.card))

    def change(self) -> None:
        self._page.change(self._profile)

    def remove(self) -> None:
        self._page.tasks.write(f"remove {self._profile.id}", self._page.remove(self._profile))


def _card(*items: Item) -> QFrame:
    card = QFrame()
    card.setObjectName("card")
    card.setLayout(column(*items, margin=(SPACE_4, SPACE_3, SPACE_4, SPACE_3), gap=SPACE_2))
    return card
