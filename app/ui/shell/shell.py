"""Holds the window together: which page is shown, which desk is in force, and what is said of it."""

import asyncio
import contextlib
import time
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.background.cleaner import Cleaner
from app.background.connector import Connector
from app.background.folder_watcher import FolderWatcher
from app.background.import_feeder import ImportFeeder
from app.background.learner import Learner
from app.background.sender import Ending, Sender
from app.background.settler import Settler
from app.desk.connections import profiles
from app.desk.desk import Desk
from app.runtime.single_owner import place_of
from app.runtime.tasks import Tasks
from app.store.console.console_file import ConsoleFile
from app.store.journal.profile_store import Profile
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir, without_links
from app.store.sqlite.database import Database
from app.store.store_errors import StoreError
from app.ui.base.deferred_imports import import_lock, preload
from app.ui.base.main_window import MainWindow
from app.ui.base.page import Page, PageServices
from app.ui.orders.orders_page import OrdersPage
from app.ui.palette.open_palette import PaletteOpener
from app.ui.palette.window_access import WindowAccess
from app.ui.shell import shell_words as words
from app.ui.shell.close_window import PATIENCE_S, Leaving, unkept
from app.ui.shell.dropped_files import DroppedFiles
from app.ui.shell.news_routes import NewsRoutes
from app.ui.shell.outbox_notices import OutboxNotices
from app.ui.shell.today_count import TodayCount
from app.ui.shell.undo_cancellations import CancelUndo, UndoKeys
from app.ui.shell.window_gallery import WindowGallery
from app.ui.widgets.buttons import shortcut
from app.ui.widgets.text.times import clock

if TYPE_CHECKING:
    from app.background.team_connector import TeamConnector
    from app.background.updater import Updater
    from app.desk.bulk.outcome.watched_folder import FolderFile
    from app.runtime.practice_child import PracticeChild
    from app.store.secrets import SecretStore
    from app.ui.notices.notice_service import NoticeService
    from app.ui.tour.tour import Tour

# A submitted order may wait in the import queue and be in no list for a while (trap 4).
_SHOW_SOON_S = (2.0, 25.0)
# Topics of the window's bar.
_PRACTICE, _NEXT_START, _BROUGHT_BACK = "practice ended", "next start", "brought back"
_FOLDER = "watched folder"
_STAYED = "connection unchanged"
_PAGE_OFF, _UPDATE = "page off", "newer version"


@dataclass(frozen=True, slots=True)
class Kept:
    """All that is kept on this computer, opened."""

    data: DataDir
    journal: Journal
    cache: Database
    reader: Database


class Shell(QObject):
    """Builds pages when they are first shown; hands each the desk in force."""

    closing = Signal()
    leave_asked = Signal(list)  # to close the window, and to start this command then

    def __init__(self, services: PageServices, window: MainWindow, kept: Kept) -> None:
        super().__init__()
        self.pictures = WindowGallery(services.sink, kept.data.pictures)
        self.console = ConsoleFile(kept.data.console)
        self.window, self._kept = window, kept
        self._tasks = Tasks(services.sink, "window")
        self.desk: Desk | None = None
        self.sending = Sender(services.sink, services.news, services.now)
        self.settler = Settler(services.sink, services.news)
        self.connector = Connector(services.sink, self.sending.until_idle)
        self.team: TeamConnector | None = None  # comes after the first paint
        self.updater: Updater | None = None  # comes after the first paint
        self.noticing: NoticeService | None = None  # comes after the first paint
        self.tour: Tour | None = None  # comes after the first paint
        self._silent_since: datetime | None = None
        self._off: frozenset[str] = frozenset()
        self._wanted = ""  # the page that was asked for and cannot be made yet
        self._recovering = self._connects_later = False
        self.undo = CancelUndo(window.bar, self._tasks)
        self.undo_keys = UndoKeys(window, self.undo)
        self.services = services = replace(
            services, pictures=self.pictures.gallery, undo_since=self.undo_keys.undo_since
        )
        self.undo.undone.connect(services.news.queue_changed)
        self.notices = OutboxNotices(window, self.sending, self._tasks, self._shown_page)
        self.today = TodayCount(window.rail, self._tasks, services.news)
        self.notices.decided.connect(services.news.queue_changed)
        self.leaving = Leaving(window, self.pages, self._tasks, self._desk_in_force, self._send_at_last)
        self.orders = OrdersPage(services)
        self.feeder = ImportFeeder(services.sink, services.news)
        self.folder = FolderWatcher(services.sink)
        self.learner = Learner(services.sink, self._is_fetching)
        self.cleaner = Cleaner(services.sink, self._is_fetching)
        self.news_routes = NewsRoutes(services.news, self.orders, self.go, self.page, self.is_off)
        self.drops = DroppedFiles(window, window.pages)
        self.drops.dropped.connect(self.news_routes.import_files)
        self._pages: dict[str, Page] = {"orders": self.orders}
        self.palette = PaletteOpener(self._reach())
        window.add_page(self.orders)
        window.show_page("orders", self.orders)
        self._connect_signals()

    def _connect_signals(self) -> None:
        window, news = self.window, self.services.news
        window.page_asked.connect(self.go)
        window.profile_asked.connect(self.use_profile)
        window.close_asked.connect(self.leaving.ask)
        self.leaving.free.connect(self.closing)
        news.queue_changed.connect(self.sending.wake)
        news.wrote.connect(self._on_wrote)
        news.full_screen.connect(window.show_full)
        news.cancelling.connect(self._offer_undo)
        news.cancelling_many.connect(self._offer_undo_of_all)
        news.undo_cancellations.connect(self.undo.undo_writes)
        self.sending.ended.connect(self._on_sent)
        self.notices.look_asked.connect(self._go_outbox)
        news.folder_chosen.connect(self._watch_folder)
        self.folder.sending.connect(self.feeder.wake)
        self.folder.changed.connect(self._on_folder)
        self.connector.connected.connect(self._on_connected)
        self.connector.stands.connect(self._on_stands)
        self.connector.practice_ended.connect(self._on_practice_ended)
        self.orders.refresher.finished.connect(self.settler.look)
        self.orders.refresher.finished.connect(self.learner.wake)
        self.orders.refresher.finished.connect(self.today.look)
        self.orders.refresher.finished.connect(self._on_orders_came)
        self.orders.status_changed.connect(self._show_status)
        self.orders.provider_asked.connect(self._on_heard)
        self.services.sink.failed.connect(self._on_fault)
        self.services.sink.troubled.connect(self._on_trouble)
        shortcut(window, "F1", self._show_keys)
        shortcut(window, "Ctrl+N", self.news_routes.new_order)
        shortcut(window, "Ctrl+Q", window.close)

    # Pages

    def leave_out(self, names: Collection[str]) -> None:
        """Have no pages of these names: the administrator has switched them off."""
        self._off = frozenset(names)
        self.window.rail.leave_out(self._off)
        self.orders.row_actions.leave_out(self._off)

    def is_off(self, name: str) -> bool:
        """Whether the administrator has switched this page off."""
        return name in self._off

    def go(self, name: str) -> bool:
        """Show a page; one that cannot be made in the first moment is shown as soon as it can.

        Returns False for a page that is off, after saying so.
        """
        if self.is_off(name):
            self.window.bar.say("", words.PAGE_IS_OFF, topic=_PAGE_OFF)
            return False
        self._wanted = "" if self._can_make(name) else name
        if self._wanted:
            return True
        page = self.page(name)
        self.window.show_page(name, page)
        page.enter()
        self._show_status()
        if self.noticing is not None:
            self.noticing.look_around()
        return True

    def _show_status(self) -> None:
        """Let the status bar say what the page in sight says of itself."""
        shown = self.window.pages.currentWidget()
        if isinstance(shown, Page):
            self.window.left_label.setText(shown.status_text() or " ")  # an empty line would be lower

    def page(self, name: str) -> Page:
        """The page of this name, made on its first use."""
        if name not in self._pages:
            # See `deferred_imports`: the preloading thread may import the same modules at this moment.
            with import_lock:
                made = self._make(name)
            self._pages[name] = made
            made.status_changed.connect(self._show_status)
            self.window.add_page(made)
            if self.desk is not None:
                made.take_desk(self.desk)
        return self._pages[name]

    def _can_make(self, name: str) -> bool:
        return name != "settings" or self.connector.secrets is not None

    def _make(self, name: str) -> Page:
        # Each page brings what it needs when it is first shown; the first paint needs none of it.
        if name == "today":
            return self._make_today()
        if name == "entry":
            from app.ui.entry.entry_page import EntryPage

            return EntryPage(self.services)
        if name == "outbox":
            from app.ui.outbox.outbox_page import OutboxPage

            outbox = OutboxPage(self.services)
            outbox.outbox_asked.connect(self._go_outbox_of)
            return outbox
        if name == "bulk":
            from app.ui.bulk.bulk_page import BulkPage

            bulk = BulkPage(self.services)
            self.folder.changed.connect(bulk.show_folder)
            bulk.folder_file_settled.connect(self.folder.look)
            bulk.show_folder(*self.folder.said)
            return bulk
        if name == "audits":
            from app.ui.audits.audits_page import AuditsPage

            audits = AuditsPage(self.services)
            audits.refresher.finished.connect(self._on_audits_came)
            return audits
        if name == "loads":
            from app.ui.loads.loads_page import LoadsPage

            return LoadsPage(self.services)
        if name == "facilities":
            from app.ui.facilities.facilities_page import FacilitiesPage

            return FacilitiesPage(self.services)
        if name in ("quotes", "trucks"):
            from app.ui.quotes.request_page import QUOTES, TRUCKS, RequestPage

            return RequestPage(self.services, QUOTES if name == "quotes" else TRUCKS)
        if name == "console":
            from app.ui.console.console_page import ConsolePage

            return ConsolePage(self.services, self._kept.data.requests)
        if name == "insights":
            from app.ui.insights.insights_page import InsightsPage

            return InsightsPage(self.services)
        from app.ui.settings.settings_page import Keeping, SettingsPage

        assert self.connector.secrets is not None
        settings = SettingsPage(self.services, Keeping(self._kept.journal, self.connector.secrets, self._kept.data))
        settings.use_asked.connect(self.use_profile)
        settings.outbox_asked.connect(self._go_outbox_of)
        settings.changed.connect(self._list_profiles)
        settings.appearance_chosen.connect(self._remember_appearance)
        settings.journal_section.deleted.connect(self.learner.forget)
        settings.journal_section.deleted.connect(self.pictures.wipe)
        settings.journal_section.deleted_before.connect(self._forget_old_calls)
        settings.removed.connect(self.pictures.forget_profile)
        settings.removed.connect(self._forget_calls)
        settings.removed.connect(self.cleaner.wake)
        if self.team is not None:
            settings.team_section.take(self.team)
        if self.updater is not None:
            settings.updates_section.take(self.updater)
        if self.noticing is not None:
            settings.notices_section.take(self.noticing)
        return settings

    def _make_today(self) -> Page:
        from app.ui.today.today_page import TodayPage

        today = TodayPage(self.services)
        today.counted.connect(self.today.show)
        today.shown.connect(self.today.set_page_reads)
        today.rule_asked.connect(self.news_routes.show_rule)
        today.audit_asked.connect(self.news_routes.show_audit)
        self.today.due.connect(today.reload)
        return today

    def _forget_calls(self, profile_id: str) -> None:
        """A connection was removed: delete the calls that were made by hand on it."""
        self._tasks.write(f"forget calls {profile_id}", self.console.forget_profile(profile_id))

    def _forget_old_calls(self, moment: datetime) -> None:
        """A person deleted old writes for good: what was sent by hand before then names the same people."""
        self._tasks.write("forget old calls", self.console.forget_before(moment))

    def _desk_in_force(self) -> Desk | None:
        return self.desk

    async def _send_at_last(self) -> None:
        self.sending.try_now()
        await self.sending.until_idle()

    def _is_fetching(self) -> bool:
        return self.orders.refresher.busy

    def _offer_undo(self, write_id: int, reference: str) -> None:
        if self.desk is not None:
            self.undo.offer(self.desk, write_id, reference)

    def _offer_undo_of_all(self, references: dict[int, str]) -> None:
        if self.desk is not None:
            self.undo.offer_all(self.desk, references)

    def _show_keys(self) -> None:
        from app.ui.shell.keys_dialog import show_keys

        show_keys(self.window, self._shown_page(), self._start_tour, self._off)

    def _shown_page(self) -> str:
        return next((name for name, page in self._pages.items() if page.isVisible()), "")

    def _reach(self) -> WindowAccess:
        return WindowAccess(
            self.window, self.services.theme, self._tasks, self.orders, lambda: self.desk, self.go, self.use_profile,
            self.news_routes.new_order, self.news_routes.show_write, self.news_routes.show_audits_view,
            self.news_routes.show_audit, self.news_routes.show_load, self.news_routes.begin_request, self._show_keys,
            self._start_tour, self._show_settings, self._remember_appearance, self.is_off,
        )  # fmt: skip

    def _show_settings(self, section: str) -> None:
        """Go to a section of Settings."""
        if self.go("settings") and self._can_make("settings"):
            from app.ui.settings.settings_page import SettingsPage

            page = self.page("settings")
            assert isinstance(page, SettingsPage)
            page.show_section(section)

    # Desks

    def open_desk(self, profile: Profile) -> None:
        """Work for this profile: show what was last seen; connecting it follows."""
        kept = self._kept
        self.desk = Desk(profile, kept.journal, kept.cache, kept.reader, self.services.now, console=self.console)
        self.sending.take_desk(self.desk)
        self.settler.take_desk(self.desk)
        self.feeder.take_desk(self.desk)
        self.folder.leave_desk()
        self.learner.take_desk(self.desk)
        self.cleaner.take_desk(self.desk)
        self.connector.take_desk(self.desk)
        if self.team is not None:
            self.team.take_desk(self.desk)
        if self.updater is not None:
            self.updater.take_desk(self.desk)
        if self.noticing is not None:
            self.noticing.take_desk(self.desk)
        if self.tour is not None:
            self.tour.take_desk(self.desk)
        self.pictures.take_desk(self.desk)
        self._silent_since = None
        for page in self._pages.values():
            page.take_desk(self.desk)
        self.window.show_link("soft", words.NOT_CONNECTED)
        self.notices.take_desk(self.desk)
        self.today.take_desk(self.desk)

    def use_profile(self, profile_id: str) -> None:
        """Change to another profile."""
        if self.desk is None or self.desk.profile.id != profile_id or self.desk.provider is None:
            self._tasks.read("use profile", self._use_profile(profile_id))
        elif profile_id != profiles.PRACTICE_ID:
            self._tasks.read("use profile", self._use_profile(profile_id))  # its addresses may have changed

    async def _use_profile(self, profile_id: str) -> None:
        assert self.desk is not None
        try:
            known = {each.id: each for each in await profiles.all_profiles(self._kept.journal)}
        except StoreError as error:
            self._stay(profile_id, error.sentence)
            return
        profile = known.get(profile_id)
        if profile is None:
            return
        if why := await self._not_let_go(profile):
            self.window.show_profiles(list(known.values()), self.desk.profile)
            self._stay(profile_id, why)
            return
        # What was typed is kept before the pages are emptied for the other connection.
        if why := await self._not_kept():
            self.window.show_profiles(list(known.values()), self.desk.profile)
            self._stay(profile_id, words.typed_stays(why))
            return
        # Nothing waits between here and `open_desk`: nothing can be typed in between.
        self.window.bar.withdraw(_STAYED)
        self.connector.hang_up()
        self.open_desk(profile)
        self.window.show_profiles(list(known.values()), profile)
        self._connect()
        try:
            await profiles.remember_used(self._kept.journal, profile_id)
        except StoreError as error:
            self.window.bar.say("warn", words.next_start(error.sentence), topic=_NEXT_START)
        else:
            self.window.bar.withdraw(_NEXT_START)

    def _connect(self) -> None:
        """Connect the desk in force, once what the last run was sending is in doubt and not taken for this run's."""
        if self.connector.secrets is None:
            return  # too early: the start connects once it has the services
        if self._recovering:
            self._connects_later = True
            return
        # Also in a safe start: no order may leave as if this desk had no team.
        self._begin_team()
        self.connector.connect_desk()

    async def _not_let_go(self, profile: Profile) -> str:
        """Have the cancellations that can still be undone wait for a person, because another connection was chosen.

        Returns a sentence that says why that failed, else an empty text. Such a cancellation would leave unasked
        as soon as its connection is used again, which may be days from now.
        """
        from app.desk.sending import outbox

        assert self.desk is not None
        try:
            held = 0 if self.desk.profile.id == profile.id else await outbox.hold_undoable(self.desk)
        except StoreError as error:
            return error.sentence
        if held:
            self.services.news.wrote.emit()
        return ""

    async def _not_kept(self) -> str:
        """Have all pages keep what was typed, also while that is done; why it is not kept, or nothing."""
        while True:
            if lost := await unkept(self.pages(), PATIENCE_S):
                return lost[0][1]
            if not any(page.has_unsaved for page in self.pages()):
                return ""

    def _stay(self, wanted: str, why: str) -> None:
        """Say that the connection in use is the one of before."""
        sentence, again = words.connection_unchanged(why), partial(self.use_profile, wanted)
        self.window.bar.say("bad", sentence, words.TRY_AGAIN, again, topic=_STAYED)

    def take_services(self, secrets: "SecretStore", practice: "PracticeChild") -> None:
        """Take the services that come only after the first paint."""
        self.connector.take_services(secrets, practice)
        if self._wanted:
            self.go(self._wanted)

    def pages(self) -> tuple[Page, ...]:
        """The pages made so far."""
        return tuple(self._pages.values())

    @property
    def tasks(self) -> Tasks:
        """The window's own work, which is of no page."""
        return self._tasks

    @property
    def busy(self) -> bool:
        """Whether anything of the window's own is under way."""
        return self._tasks.busy or self.connector.busy

    async def begin_work(self, secrets: "SecretStore", practice: "PracticeChild", *, safe: bool = False) -> None:
        """After the first paint: settle what the last run left, connect, and count what waits.

        A `safe` start leaves it to a person to connect.
        """
        assert self.desk is not None
        self._recovering = True
        self.take_services(secrets, practice)
        # The API client and its models take some tenths of a second to load: not on the thread that paints.
        await asyncio.get_running_loop().run_in_executor(None, preload)
        from app.desk.sending import outbox
        from app.ui.widgets.sounds import SOUNDS

        with contextlib.suppress(StoreError):  # a journal that cannot be read is said just below
            await SOUNDS.read(self._kept.journal)
        try:
            # Before anything connects: no queue may run while writes of the last run are still marked as being sent.
            await outbox.recover(self.desk, place_of(without_links(self._kept.data.root)))
        except StoreError as error:  # what was being sent stays marked so, and is not sent again
            self.window.bar.say("bad", error.sentence)
        await self._tell_brought_back()
        self._recovering = False
        if not safe:
            self.work_as_usual()
        elif self._connects_later:  # a person has chosen a connection meanwhile
            self._connect()
        self.tell_outbox()
        from app.ui.shell.last_folder import LastFolderKeeper

        LastFolderKeeper(self.window, self._kept.journal, self._tasks)

    def work_as_usual(self) -> None:
        """Connect, and let begin what goes on by itself."""
        # After `recover`: what the last run left in doubt is told to the team as that.
        self._connect()
        self._begin_updates()
        self._begin_notices()
        self.learner.wake()
        self.cleaner.wake()
        self.today.begin()
        self._make_tour().begin()

    def _make_tour(self) -> "Tour":
        from app.ui.tour.tour import Tour

        if self.tour is None:
            assert self.desk is not None
            self.tour = tour = Tour(self.window, self._tasks, self.services.news, self.orders, self.go, self.is_off)
            tour.connect_asked.connect(self._connect_to_provider)
            tour.practice_asked.connect(self._use_practice)
            shortcut(self.window, "F6", self._to_tour)
            tour.take_desk(self.desk)
        return self.tour

    def _start_tour(self) -> None:
        if self.desk is not None:
            self._make_tour().start()

    def _to_tour(self) -> None:
        if self.tour is not None and self.tour.panel.isVisible():
            self.tour.panel.focus()

    def _connect_to_provider(self) -> None:
        self.go("settings")
        from app.ui.settings.settings_page import SettingsPage

        page = self.page("settings")
        assert isinstance(page, SettingsPage)
        page.begin_connect()

    def _begin_team(self) -> None:
        from app.background.team_connector import TeamConnector

        assert self.desk is not None
        assert self.connector.secrets is not None
        if self.team is not None:
            return
        self.team = team = TeamConnector(self.services.sink, self._kept.journal, self._kept.data)
        team.claims_free.connect(self.sending.wake)
        team.learnt.connect(self.services.news.wrote)
        team.presence.connect(self.services.news.presence)
        team.decided.connect(self.settler.look)
        team.known.connect(self.learner.wake)
        team.reviewed.connect(self.services.news.others_reviewed)
        self.services.news.reviewed.connect(team.tell)
        self.services.news.wrote.connect(team.tell)
        team.take_desk(self.desk)
        team.begin(self.connector.secrets)
        settings = self._pages.get("settings")
        if settings is not None:
            from app.ui.settings.settings_page import SettingsPage

            assert isinstance(settings, SettingsPage)
            settings.team_section.take(team)

    def _begin_updates(self) -> None:
        from app.background.updater import Updater

        assert self.desk is not None
        assert self.connector.secrets is not None
        if self.updater is not None:
            return
        kept = self._kept
        self.updater = Updater(self.services.sink, kept.journal, kept.data.updates, self.services.now)
        self.updater.found.connect(self._on_newer_version)
        self.updater.leave_for.connect(self.leave_asked)
        self.updater.take_desk(self.desk)
        self.updater.begin(self.connector.secrets)
        settings = self._pages.get("settings")
        if settings is not None:
            from app.ui.settings.settings_page import SettingsPage

            assert isinstance(settings, SettingsPage)
            settings.updates_section.take(self.updater)

    def _begin_notices(self) -> None:
        from app.ui.notices.notice_service import NoticeService

        assert self.desk is not None
        if self.noticing is not None:
            return
        services = self.services
        self.noticing = noticing = NoticeService(
            services.sink, services.news, services.theme, self.window, self._shown_page, self._is_fetching
        )
        noticing.place_asked.connect(self.news_routes.open_place)
        noticing.settings_asked.connect(self._go_settings)
        noticing.take_desk(self.desk)
        noticing.begin()
        settings = self._pages.get("settings")
        if settings is not None:
            from app.ui.settings.settings_page import SettingsPage

            assert isinstance(settings, SettingsPage)
            settings.notices_section.take(noticing)

    def _on_orders_came(self) -> None:
        """A fetch of orders has ended."""
        refresher = self.orders.refresher
        whole = "open" in refresher.results and not any(gap.list == "open" for gap in refresher.gaps)
        if self.noticing is not None:
            self.noticing.noticer.orders_came(refresher.days if whole else 0)

    def _on_audits_came(self) -> None:
        """The page Audits has fetched, or tried to."""
        from app.ui.audits.audits_page import AuditsPage

        page = self._pages["audits"]
        assert isinstance(page, AuditsPage)
        result = page.refresher.result
        if self.noticing is not None:
            self.noticing.noticer.audits_came(result is not None and not result.trouble)

    def _on_newer_version(self, version: str) -> None:
        show = partial(self.go, "settings")
        self.window.bar.say("", words.newer_version(version), words.SHOW_IN_SETTINGS, show, topic=_UPDATE)

    async def _tell_brought_back(self) -> None:
        """Say once that the journal is not the one of before; Settings says it in full, for good.

        After the first write, before which the file is read through and repaired.
        """
        from app.desk.connections import connections_words, journal_care

        try:
            found = await journal_care.restored_to_tell(self._kept.journal)
        except StoreError:
            return  # why nothing can be read or written was said just before; the next start says this
        if found is not None:
            sentence, show = connections_words.restored(found), partial(self.go, "settings")
            self.window.bar.say("warn", sentence, words.SHOW_IN_SETTINGS, show, topic=_BROUGHT_BACK)

    def _on_connected(self) -> None:
        self.window.bar.withdraw(_PRACTICE)
        self.pictures.try_again()
        for page in self.pages():
            page.connected()
        self.sending.try_now()
        self.settler.look()
        self.feeder.wake()
        if self.noticing is not None:
            self.noticing.noticer.connected()
        self._watch_folder()

    def _watch_folder(self) -> None:
        if self.desk is not None:
            self.folder.take_desk(self.desk)

    def _on_folder(self, files: "list[FolderFile]", trouble: str) -> None:
        """Count the files of the watched folder that wait for a person, and say why it cannot be read."""
        self.window.rail.set_count("bulk", sum(each.state in ("waiting", "trouble") for each in files))
        if trouble:
            show = partial(self.go, "settings")
            self.window.bar.say("warn", words.folder_trouble(trouble), words.SHOW_IN_SETTINGS, show, topic=_FOLDER)
        else:
            self.window.bar.withdraw(_FOLDER)

    def _on_practice_ended(self, sentence: str) -> None:
        self.window.bar.say("bad", sentence, words.RESTART_PRACTICE, self.connector.connect_desk, topic=_PRACTICE)

    def _on_stands(self, tone: str, sentence: str) -> None:
        self.window.show_link("bad" if tone == "bad" else "soft", sentence)
        self.orders.reload()

    def _on_heard(self, trouble: str) -> None:
        """A refresh of the orders was answered, or it was not: only then is anything said about the connection."""
        now = self.services.now()
        if not trouble:
            self._silent_since = None
            self.window.show_link("good", words.connected(clock(now)))
            return
        self._silent_since = self._silent_since or now
        self.window.show_link("warn", words.silent(clock(self._silent_since), trouble))

    # What happens elsewhere

    def _on_wrote(self) -> None:
        self.learner.wake()
        self.undo.look()
        self.tell_outbox()

    def _on_sent(self, endings: list[Ending]) -> None:
        self.undo.look()
        if any(each.state in ("accepted", "rejected") for each in endings):
            self._on_heard("")  # what was said of the connection before is over
        if any(each.state == "rejected" for each in endings):
            from app.ui.widgets.sounds import SOUNDS  # the first paint does without it

            SOUNDS.play("refused")
        if any(each.state == "accepted" for each in endings):
            for seconds in _SHOW_SOON_S:
                self.orders.refresher.refresh_soon(seconds)
            self.orders.ask_again()

    def _use_practice(self) -> None:
        self.use_profile(profiles.PRACTICE_ID)

    def _go_settings(self) -> None:
        self.go("settings")

    def _go_outbox(self) -> None:
        self.go("outbox")

    def _go_outbox_of(self, profile_id: str) -> None:
        self.use_profile(profile_id)
        self.go("outbox")

    def tell_outbox(self) -> None:
        """Count what waits, for the rail and the status bar."""
        self.notices.count()

    def _list_profiles(self) -> None:
        self._tasks.read("profiles", self.list_profiles())

    async def list_profiles(self) -> None:
        """Offer the profiles there are."""
        assert self.desk is not None
        self.window.show_profiles(await profiles.all_profiles(self._kept.journal), self.desk.profile)

    def _remember_appearance(self, appearance: str) -> None:
        self._tasks.write("appearance", profiles.remember_appearance(self._kept.journal, appearance))

    def _on_trouble(self, where: str, sentence: str) -> None:
        self.window.bar.show_failure(where, sentence)

    def _on_fault(self, where: str, report: str) -> None:
        from app.ui.shell.failure_notices import tell_of_fault

        tell_of_fault(self.window, self.services.theme, where, report)

    async def aclose(self) -> list[str]:
        """Keep what is typed, finish what is being sent, leave the provider, stop practice; why something was not kept.

        What is under way has three seconds, all of it together. The window goes at once, unless orders are being sent.
        """
        until = time.monotonic() + PATIENCE_S
        # First: nothing new leaves while the window waits for what is under way.
        self.sending.begin_no_more()
        # At once, because both share the same three seconds.
        lost, _ = await asyncio.gather(self._end_work(until), self.notices.see_out(PATIENCE_S))
        # Last: the writes under way still need the provider.
        await self.connector.aclose(max(until - time.monotonic(), 0.0))
        if self.team is not None:
            await self.team.aclose(max(until - time.monotonic(), 0.0))
        if self.updater is not None:
            await self.updater.aclose(max(until - time.monotonic(), 0.0))
        if self.noticing is not None:
            await self.noticing.aclose(max(until - time.monotonic(), 0.0))
        await self.console.close()
        return lost

    async def _end_work(self, until: float) -> list[str]:
        if self.tour is not None:
            self.tour.end()
        self.today.end()
        lost = await unkept(self.pages(), PATIENCE_S)
        left = max(until - time.monotonic(), 0.0)
        await asyncio.gather(
            *(page.tasks.aclose(left) for page in self._pages.values()),
            *(
                each.aclose(left)
                for each in (self.pictures, self.settler, self.feeder, self.folder, self.learner, self.cleaner)
            ),
            *(each.aclose(left) for each in (self.sending, self._tasks)),
        )
        return [why for _, why in lost]
