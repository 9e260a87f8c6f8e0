"""All that the palette offers: pages, what can be done with orders, connections, looks, and the orders themselves."""

from collections.abc import Callable, Sequence
from functools import partial

from app.contract.codes import ORDER_STATE_WORDS
from app.desk.audits.audit_views import AUDITS
from app.desk.connections.saved_views import load_views
from app.desk.desk import Desk
from app.desk.orders import stored_orders
from app.desk.sending import order_status
from app.desk.sending.outstanding_orders import OutboxLine, outstanding
from app.store.cache.order_rows import OrderLine
from app.ui.base.main_window import ENTRIES
from app.ui.base.page import Page
from app.ui.outbox.outbox_words import spoken_among_orders
from app.ui.palette.commands import Command
from app.ui.palette.window_access import WindowAccess
from app.ui.theme.theme import APPEARANCES, Appearance
from app.ui.widgets.text.times import clock

_ORDERS = 6
_WRITES = 3
_APPEARANCE_WORDS: dict[Appearance, str] = {
    "system": "Look as the system has it",
    "light": "Light look",
    "dark": "Dark look",
}


class WindowCommands:
    """Offers what can be done in this window now."""

    def __init__(self, reach: WindowAccess) -> None:
        self._reach = reach

    def commands(self) -> Sequence[Command]:
        """With what is selected first, while the orders are shown."""
        reach = self._reach
        on_orders = reach.window.pages.currentWidget() is reach.orders
        return [
            *(self._row_commands() if on_orders else self._page_commands()),
            *self._pages(),
            *self._views(),
            *self._order_commands(),
            *self._others(),
        ]

    def _row_commands(self) -> list[Command]:
        chosen = self._reach.orders.table.selected_count()
        detail = f"{chosen:,} orders selected" if chosen > 1 else "the order selected"
        return [
            Command(
                action.title(several=chosen > 1),
                partial(actions.run, action),
                detail,
                action.key,
                also="selected rows",
            )
            for actions in (self._reach.orders.row_actions,)
            for action in actions.actions
            if actions.possible(action)
        ]

    def _page_commands(self) -> list[Command]:
        page = self._reach.window.pages.currentWidget()
        told = page.page_commands() if isinstance(page, Page) else []
        return [Command(words, act, "this page", key) for words, key, act in told]

    def _pages(self) -> list[Command]:
        go = self._reach.go
        return [
            Command(each.title, partial(go, each.name), "page", f"Ctrl+{place}", also="go to")
            for place, each in enumerate(ENTRIES, 1)
        ]

    def _views(self) -> list[Command]:
        return [Command(words, partial(self._on_orders, act), "view", also="orders") for words, act in
                self._reach.orders.view_commands()]  # fmt: skip

    def _order_commands(self) -> list[Command]:
        page = self._reach.orders
        sorts = [
            Command(
                f"Sort by {each.column.title}", partial(self._on_orders, partial(page.sort_by, each.name)), "orders"
            )
            for each in page.state.columns
        ]
        return [
            Command("Refresh orders", page.refresher.start, key="F5"),
            *(Command(words, partial(self._on_orders, act), "orders", key) for words, key, act in page.page_commands()),
            *sorts,
        ]

    def _others(self) -> list[Command]:
        reach = self._reach
        choice = reach.window.profile_choice
        connections = [
            Command(f"Use {choice.itemText(at)}", partial(reach.use_profile, str(choice.itemData(at))), "connection")
            for at in range(choice.count())
            if at != choice.currentIndex()
        ]
        looks = [Command(_APPEARANCE_WORDS[each], partial(self._choose_look, each), "look", also="theme appearance")
                 for each in APPEARANCES if each != reach.theme.appearance]  # fmt: skip
        return [
            Command("New order", reach.new_order, key="Ctrl+N", also="enter"),
            *connections,
            *looks,
            Command("Keys", reach.show_keys, "all of them in one list", "F1", also="help shortcuts"),
            Command("Close Waybill", reach.window.close, key="Ctrl+Q", also="quit exit"),
        ]

    def _on_orders(self, act: Callable[[], object]) -> None:
        self._reach.go("orders")
        act()

    def _choose_look(self, appearance: Appearance) -> None:
        self._reach.theme.choose(appearance)
        self._reach.remember_appearance(appearance)

    async def more(self) -> Sequence[Command]:
        """The views of audits: their page may not have been shown yet."""
        desk = self._reach.desk()
        if desk is None:
            return ()
        show = self._reach.show_audits_view
        return [
            Command(each.name, partial(show, each.name), "view of audits") for each in await load_views(desk, AUDITS)
        ]

    # Orders

    async def find(self, text: str) -> Sequence[Command]:
        """Orders of any list, and what is in the outbox, in which the text stands."""
        desk = self._reach.desk()
        if desk is None:
            return ()
        found = await stored_orders.find_latest(desk, text, _ORDERS)
        waiting = (await outstanding(desk, text, _WRITES)).lines
        return [*map(self._order, found), *map(self._write, waiting)]

    def _order(self, line: OrderLine) -> Command:
        return Command(line.crn or f"Order {line.number}", partial(self._open_order, line.number), _told(line))

    def _write(self, line: OutboxLine) -> Command:
        told = " · ".join(part for part in (spoken_among_orders(line.write), line.consignee_name, line.city) if part)
        return Command(line.crn, partial(self._reach.show_write, line.write.id), told)

    def _open_order(self, number: int) -> None:
        self._on_orders(partial(self._reach.orders.open_order, number))

    def about(self, text: str) -> Sequence[Command]:
        """The provider can be asked about any reference or number, whether or not an order of it was ever seen."""
        if " " in text or len(text) > 30:
            return ()
        found = [Command(f"Look up the status of {text}", partial(self._look_up, text, False), "order reference")]
        if text.isdecimal() and text.isascii() and len(text) <= 12:
            found.append(Command(f"Look up the status of {text}", partial(self._look_up, text, True), "system number"))
        return found

    def _look_up(self, text: str, by_number: bool) -> None:
        desk = self._reach.desk()
        if desk is not None:
            self._reach.window.bar.say("soft", f"Asking the provider about {text}…", topic="answer")
            self._reach.tasks.read("look up typed", self._looked_up(desk, text, by_number))

    async def _looked_up(self, desk: Desk, text: str, by_number: bool) -> None:
        found = await (order_status.look_up_number(desk, int(text)) if by_number else order_status.look_up(desk, text))
        words = f"{text}: {found.sentence} Asked at {clock(found.at)}."
        self._reach.window.bar.say("good" if found.proven else "warn", words, topic="answer", stays=True)


def _told(line: OrderLine) -> str:
    state = line.status or ORDER_STATE_WORDS.get(line.state or "", "")
    parts = (f"{line.number}", f"{line.state or ''} {state}".strip(), line.consignee_name, line.city, line.list)
    return " · ".join(part for part in parts if part)
