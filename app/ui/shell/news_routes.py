"""Brings the requests of `News`, and notices, to the page that shows an order or a write, or opens it in the form."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.background.news import News
from app.ui.base.page import Page
from app.ui.orders.orders_page import OrdersPage

if TYPE_CHECKING:
    from app.desk.audits.audit_filter import Narrowing
    from app.desk.noticing.notice_text import Place
    from app.store.journal.request_store import RequestRow
    from app.ui.entry.entry_page import EntryPage


class NewsRoutes(QObject):
    """`go` shows a page and `page` returns it; a page is made when it is first needed.

    `is_off` says that the administrator has switched a page off. `go` returns False for such a page, after it has said
    so.
    """

    def __init__(
        self,
        news: News,
        orders: OrdersPage,
        go: Callable[[str], bool],
        page: Callable[[str], Page],
        is_off: Callable[[str], bool],
    ) -> None:
        super().__init__()
        self._orders, self._go, self._page, self._is_off = orders, go, page, is_off
        news.show_write.connect(self.show_write)
        news.show_import.connect(self._show_import)
        news.new_order.connect(self.new_order)
        news.show_order.connect(self.show_order)
        news.show_orders.connect(self.show_orders)
        news.show_writes.connect(self.show_writes)
        news.show_audits.connect(self._show_audits)
        news.show_plot.connect(self._show_plot)
        news.correct.connect(self._correct)
        news.enter_again.connect(self._enter_again)
        news.clone_write.connect(self._clone_write)
        news.clone_order.connect(self._clone_order)
        news.change_order.connect(self._change_order)
        news.show_load.connect(self.show_load)
        news.look_up_known.connect(self.look_up_known)
        news.show_request.connect(self._show_request)

    def new_order(self) -> None:
        """Show an empty form."""
        self._entry().start_blank()

    def show_write(self, write_id: int) -> None:
        """Show this write in the outbox."""
        self._go("outbox")
        from app.ui.outbox.outbox_page import OutboxPage

        page = self._page("outbox")
        assert isinstance(page, OutboxPage)
        page.show_write(write_id)

    def show_reference(self, reference: str) -> None:
        """List the orders of this reference."""
        self._go("orders")
        self._orders.show_reference(reference)

    def show_rule(self, rule: str) -> None:
        """List the orders that a rule finds."""
        self._go("orders")
        self._orders.show_rule(rule)

    def import_files(self, paths: list[Path]) -> None:
        """Read these files on the Import page."""
        if not self._go("bulk"):
            return
        from app.ui.bulk.bulk_page import BulkPage  # going there has brought it, import_lock

        page = self._page("bulk")
        assert isinstance(page, BulkPage)
        page.open_files(paths)

    def _show_import(self, import_id: int) -> None:
        self._go("outbox")
        from app.ui.outbox.outbox_page import OutboxPage

        page = self._page("outbox")
        assert isinstance(page, OutboxPage)
        page.show_import(import_id)

    def show_orders(self, typed: str) -> None:
        """List the orders that this filter finds."""
        self._go("orders")
        self._orders.show_filter(typed)

    def show_writes(self, write_ids: tuple[int, ...], called: str) -> None:
        """Show these writes in the outbox, under this name."""
        self._go("outbox")
        from app.ui.outbox.outbox_page import OutboxPage

        page = self._page("outbox")
        assert isinstance(page, OutboxPage)
        page.show_some(write_ids, called)

    def _show_audits(self, narrowing: "Narrowing", question: str) -> None:
        if not self._go("audits"):
            return
        from app.ui.audits.audits_page import AuditsPage

        page = self._page("audits")
        assert isinstance(page, AuditsPage)
        page.show_narrowed(narrowing, question)

    def _show_plot(self, name: str) -> None:
        if not self._go("insights"):
            return
        from app.ui.insights.insights_page import InsightsPage

        page = self._page("insights")
        assert isinstance(page, InsightsPage)
        page.show_plot(name)

    def show_audits_view(self, name: str) -> None:
        """Show the audits of this view."""
        if not self._go("audits"):
            return
        from app.ui.audits.audits_page import AuditsPage

        page = self._page("audits")
        assert isinstance(page, AuditsPage)
        page.show_view(name)

    def show_audit(self, audit: int) -> None:
        """Open an audit."""
        if not self._go("audits"):
            return
        from app.ui.audits.audits_page import AuditsPage

        page = self._page("audits")
        assert isinstance(page, AuditsPage)
        page.show_audit(audit)

    def show_load(self, load: str) -> None:
        """Show a load on the loads page."""
        if not self._go("loads"):
            return
        from app.ui.loads.loads_page import LoadsPage

        page = self._page("loads")
        assert isinstance(page, LoadsPage)
        page.show_load(load)

    def begin_request(self, page_name: str, template: str) -> None:
        """Begin a quote or truck from a template."""
        if not self._go(page_name):
            return
        from app.ui.quotes.request_page import RequestPage

        page = self._page(page_name)
        assert isinstance(page, RequestPage)
        page.begin_with(template)

    def _show_request(self, request: "RequestRow") -> None:
        from app.ui.quotes.request_page import QUOTES, TRUCKS, RequestPage

        name = next(each.name for each in (QUOTES, TRUCKS) if each.operation == request.operation)
        if not self._go(name):
            return
        page = self._page(name)
        assert isinstance(page, RequestPage)
        page.show_request(request)

    def look_up_known(self, name: str, asked: Mapping[str, str]) -> None:
        """Ask for a kind of reference data on the facilities page."""
        if not self._go("facilities"):
            return
        from app.ui.facilities.facilities_page import FacilitiesPage

        page = self._page("facilities")
        assert isinstance(page, FacilitiesPage)
        page.look_up(name, asked)

    def show_order(self, number: int) -> None:
        """Open the order with this number."""
        self._go("orders")
        self._orders.open_order(number)

    def _entry(self) -> "EntryPage":
        self._go("entry")
        from app.ui.entry.entry_page import EntryPage  # going there has brought it, import_lock

        page = self._page("entry")
        assert isinstance(page, EntryPage)
        return page

    def _correct(self, write_id: int) -> None:
        self._entry().correct(write_id)

    def _enter_again(self, write_id: int) -> None:
        self._entry().enter_again(write_id)

    def _clone_write(self, write_id: int) -> None:
        self._entry().clone_write(write_id)

    def _clone_order(self, number: int) -> None:
        self._entry().clone_order(number)

    def _change_order(self, number: int) -> None:
        self._entry().change_order(number)

    def open_place(self, place: "Place") -> None:
        """Show what a notice is about. What has changed there since the notice is seen there."""
        if place.of == "write":
            self.show_write(place.keys[0])
        elif place.of == "writes":
            self.show_writes(place.keys, place.called)
        elif place.of == "order":
            self.show_order(place.keys[0])
        elif place.of == "audit":
            self.show_audit(place.keys[0])
        elif self._is_off("today"):
            self._open_without_today(place.rule)
        else:
            self._open_group(place.rule)

    def _open_group(self, rule: str) -> None:
        self._go("today")
        from app.ui.today.today_page import TodayPage  # going there has brought it, import_lock

        page = self._page("today")
        assert isinstance(page, TodayPage)
        if rule:
            page.show_group(rule)

    def _open_without_today(self, rule: str) -> None:
        if rule == "soon":
            self.show_rule(rule)
        elif rule == "changed":
            self.show_orders("watched")
        else:
            self._go("audits" if rule else "outbox")
