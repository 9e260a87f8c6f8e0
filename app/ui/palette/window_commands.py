"""The commands of this window: pages, actions on orders, views, connections, themes, and the orders themselves."""

from collections.abc import Callable, Sequence
from functools import partial

from app.contract.codes import ORDER_STATE_WORDS
from app.desk.audits.audit_views import AUDITS
from app.desk.connections.saved_views import load_views
from app.desk.desk import Desk
from app.desk.orders import stored_orders
from app.desk.requests.request_drafts import read_templates
from app.desk.sending import order_status
from app.desk.sending.outstanding_orders import OutboxLine, outstanding
from app.store.cache.audits.audit_query import page_audits
from app.store.cache.audits.audit_rows import AuditLine, AuditQuery
from app.store.cache.order_rows import OrderLine
from app.ui.base.page import Page
from app.ui.base.rail import ENTRIES, rail_key
from app.ui.outbox.outbox_words import spoken_among_orders
from app.ui.palette import palette_words as words
from app.ui.palette.commands import Command
from app.ui.palette.window_access import WindowAccess
from app.ui.settings.settings_words import ACTIONS as SETTINGS_ACTIONS
from app.ui.settings.settings_words import SECTIONS as SETTINGS_SECTIONS
from app.ui.theme.theme import APPEARANCES, Appearance
from app.ui.widgets.text.times import clock, day

_ORDERS = 6
_WRITES = 3
_AUDITS = 3
_TEMPLATES = (("quotes", "quote_submit"), ("trucks", "truck_submit"))  # by page, and their operations


class WindowCommands:
    """Collects the commands that are possible in this window now."""

    def __init__(self, access: WindowAccess) -> None:
        self._access = access

    def commands(self) -> Sequence[Command]:
        """All commands; actions on the selected rows come first while the orders page shows."""
        access = self._access
        on_orders = access.window.pages.currentWidget() is access.orders
        return [
            *(self._row_commands() if on_orders else self._page_commands()),
            *self._pages(),
            *self._views(),
            *self._order_commands(),
            *self._others(),
            *self._settings(),
        ]

    def _row_commands(self) -> list[Command]:
        chosen = self._access.orders.table.selected_count()
        detail = words.selected(chosen)
        return [
            Command(
                action.title(several=chosen > 1),
                partial(actions.run, action),
                detail,
                action.key,
                also=words.ALSO_SELECTED,
            )
            for actions in (self._access.orders.row_actions,)
            for action in actions.offered
            if actions.possible(action)
        ]

    def _page_commands(self) -> list[Command]:
        page = self._access.window.pages.currentWidget()
        found = page.page_commands() if isinstance(page, Page) else []
        return [Command(title, act, words.THIS_PAGE, key) for title, key, act in found]

    def _pages(self) -> list[Command]:
        go = self._access.go
        return [
            Command(each.title, partial(go, each.name), words.PAGE, rail_key(each), also=words.also_page(each.name))
            for each in ENTRIES
            if not self._access.is_off(each.name)
        ]

    def _views(self) -> list[Command]:
        return [Command(title, partial(self._on_orders, act), words.VIEW, also=words.ORDERS) for title, act in
                self._access.orders.view_commands()]  # fmt: skip

    def _order_commands(self) -> list[Command]:
        page = self._access.orders
        sorts = [
            Command(
                words.sort_by(each.column.title),
                partial(self._on_orders, partial(page.sort_by, each.name)),
                words.ORDERS,
            )
            for each in page.state.columns
        ]
        return [
            Command(words.REFRESH_ORDERS, page.refresher.start, key="F5"),
            *(
                Command(title, partial(self._on_orders, act), words.ORDERS, key)
                for title, key, act in page.page_commands()
            ),
            *sorts,
        ]

    def _others(self) -> list[Command]:
        access = self._access
        choice = access.window.profile_choice
        connections = [
            Command(
                words.use(choice.itemText(at)),
                partial(access.use_profile, str(choice.itemData(at))),
                words.CONNECTION,
                colour=access.window.colour_of(str(choice.itemData(at))),
            )
            for at in range(choice.count())
            if at != choice.currentIndex()
        ]
        themes = [Command(words.THEMES[each], partial(self._choose_theme, each), also=words.ALSO_THEME)
                 for each in APPEARANCES if each != access.theme.appearance]  # fmt: skip
        return [
            Command(words.NEW_ORDER, access.new_order, key="Ctrl+N", also=words.ALSO_ENTER),
            *connections,
            *themes,
            Command(words.TOUR, access.begin_tour, also=words.ALSO_HELP),
            Command(words.KEYS, access.show_keys, words.ALL_KEYS, "F1", also=words.ALSO_HELP),
            Command(words.CLOSE, access.window.close, key="Ctrl+Q", also=words.ALSO_QUIT),
        ]

    def _settings(self) -> list[Command]:
        if self._access.is_off("settings"):
            return []
        show = self._access.show_settings
        return [
            *(
                Command(title, partial(show, name), words.SETTINGS, also=also)
                for name, (title, also) in SETTINGS_SECTIONS.items()
            ),
            *(
                Command(title, partial(show, name), words.in_settings(SETTINGS_SECTIONS[section][0]), also=also)
                for name, (section, title, also) in SETTINGS_ACTIONS.items()
            ),
        ]

    def _on_orders(self, act: Callable[[], object]) -> None:
        self._access.go("orders")
        act()

    def _choose_theme(self, appearance: Appearance) -> None:
        self._access.theme.choose(appearance)
        self._access.remember_appearance(appearance)

    async def read_more(self) -> Sequence[Command]:
        """Views of audits and templates of requests, from the journal: their pages may not exist yet."""
        desk = self._access.desk()
        if desk is None:
            return ()
        show, begin, is_off = self._access.show_audits_view, self._access.begin_request, self._access.is_off
        views = [] if is_off("audits") else await load_views(desk, AUDITS)
        templates = [
            Command(name, partial(begin, page, name), words.TEMPLATE_OF[page])
            for page, operation in _TEMPLATES
            if not is_off(page)
            for name in await read_templates(desk, operation)
        ]
        return [*(Command(each.name, partial(show, each.name), words.AUDITS_VIEW) for each in views), *templates]

    # Orders

    async def find(self, text: str) -> Sequence[Command]:
        """The orders of any list, the writes of the outbox and the audits that contain `text`."""
        desk = self._access.desk()
        if desk is None:
            return ()
        found = await stored_orders.find_latest(desk, text, _ORDERS)
        waiting = (await outstanding(desk, text, _WRITES)).lines
        return [*map(self._order, found), *map(self._write, waiting), *await self._audits(desk, text)]

    async def _audits(self, desk: Desk, text: str) -> list[Command]:
        """The audits of this number, or of an order with it. Words alone are rather those of a command or an order."""
        if self._access.is_off("audits") or not any(each.isdecimal() for each in text):
            return []
        name = words.AUDIT.lower()
        about = text[len(name) :].strip() if text.lower().startswith(name) else text
        wanted = AuditQuery(desk.profile.id, text=about)
        found = await desk.reader.read(page_audits, wanted, _AUDITS, 0)
        return [
            Command(words.audit_title(each.number), partial(self._access.show_audit, each.number), _about_audit(each))
            for each in found
        ]

    def _order(self, line: OrderLine) -> Command:
        return Command(
            line.crn or words.order_title(line.number), partial(self._open_order, line.number), _detail(line)
        )

    def _write(self, line: OutboxLine) -> Command:
        detail = " · ".join(part for part in (spoken_among_orders(line.write), line.consignee_name, line.city) if part)
        return Command(line.crn, partial(self._access.show_write, line.write.id), detail)

    def _open_order(self, number: int) -> None:
        self._on_orders(partial(self._access.orders.open_order, number))

    def about(self, text: str) -> Sequence[Command]:
        """Commands for the text itself: the provider can be asked about any reference, number or load.

        The name of a page that is off is no reference: what is found for it says that the page is off.
        """
        page = next((each for each in ENTRIES if each.title.casefold() == text.casefold()), None)
        if page is not None and self._access.is_off(page.name):
            return [Command(page.title, partial(self._access.go, page.name), words.PAGE_OFF)]
        if " " in text or len(text) > 30:
            return ()
        title = words.look_up(text)
        found = [Command(title, partial(self._look_up, text, False), words.ORDER_REFERENCE)]
        # A load bears a number; a word alone is rather the name of something in the program.
        if any(each.isdecimal() for each in text) and not self._access.is_off("loads"):
            found.insert(0, Command(words.overage_of(text), partial(self._access.show_load, text), words.LOAD))
        if text.isdecimal() and text.isascii() and len(text) <= 12:
            found.append(Command(title, partial(self._look_up, text, True), words.SYSTEM_NUMBER))
        return found

    def _look_up(self, text: str, by_number: bool) -> None:
        desk = self._access.desk()
        if desk is not None:
            self._access.window.bar.say("soft", words.asking_about(text), topic="answer")
            self._access.tasks.read("look up typed", self._looked_up(desk, text, by_number))

    async def _looked_up(self, desk: Desk, text: str, by_number: bool) -> None:
        found = await (order_status.look_up_number(desk, int(text)) if by_number else order_status.look_up(desk, text))
        sentence = words.answer(text, found.sentence, clock(found.at))
        self._access.window.bar.say("good" if found.proven else "warn", sentence, topic="answer", offers=True)
        self._access.orders.side.redraw()  # the order may be open beside the table


def _about_audit(line: AuditLine) -> str:
    score = "" if line.score is None else words.score(f"{line.score:g}")
    return " · ".join(part for part in (line.kind, line.facility, line.vendor, day(line.date), score) if part)


def _detail(line: OrderLine) -> str:
    state = line.status or ORDER_STATE_WORDS.get(line.state or "", "")
    parts = (f"{line.number}", f"{line.state or ''} {state}".strip(), line.consignee_name, line.city, line.list)
    return " · ".join(part for part in parts if part)
