"""Opens what a notice is about."""

from collections.abc import Callable

from app.desk.noticing.notice_text import Place
from app.ui.base.page import Page
from app.ui.shell.news_routes import NewsRoutes


class NoticePlaces:
    """`go` shows a page, `page` returns it, `is_off` says that the administrator has switched it off."""

    def __init__(
        self, routes: NewsRoutes, go: Callable[[str], bool], page: Callable[[str], Page], is_off: Callable[[str], bool]
    ) -> None:
        self._routes, self._go, self._page, self._is_off = routes, go, page, is_off

    def open_place(self, place: Place) -> None:
        """Show this place. What has changed there since the notice is seen there."""
        if place.of == "write":
            self._routes.show_write(place.keys[0])
        elif place.of == "writes":
            self._routes.show_writes(place.keys, place.called)
        elif place.of == "order":
            self._routes.show_order(place.keys[0])
        elif place.of == "audit":
            self._routes.show_audit(place.keys[0])
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
            self._routes.show_rule(rule)
        elif rule == "changed":
            self._routes.show_orders("watched")
        else:
            self._go("audits" if rule else "outbox")
