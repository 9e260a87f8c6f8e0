"""Settings: the connections, and what a test of one finds, in the form and below a kept one."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.api.network import network_words
from app.desk.connections.connection import CapabilityCard
from app.desk.connections.connections_words import PURPOSES
from app.desk.connections.legs import CardLeg, clock_leg, scope_leg
from app.desk.connections.permission_probes import Ability
from app.store.journal import write_store
from app.ui.notices.bus_notices import Standing
from app.ui.notices.notice_service import NoticeService
from app.ui.settings.capability_card import CardView
from app.ui.settings.settings_page import SettingsPage
from app.ui.theme.theme import SIZES
from app.ui.tour.tour import Tour
from tests.shots.data import NOW
from tests.shots.stage import Stage

Scene = Callable[[Stage], Awaitable[None]]
_KEPT = "Acme Freight"
_NOBODY = "https://orders.provider.example could not be reached: nothing listens at that address."
_OTHER = "What answers there is not the order information service: check the address."


_ORDERS, _LOGIN = "orders.provider.example", "login.provider.example"
_FACTS = "TLSv1.3, certificate by Acme Private Authority until 14 Mar 2028"


def _legs(fails: str = "", trouble: str = "", ahead: float = 0.4) -> tuple[CardLeg, ...]:
    """A way through a proxy to two places, on which the leg of this kind fails at the first."""
    found: list[CardLeg] = []
    for at, place in enumerate((_LOGIN, _ORDERS)):
        blocked = False
        for kind, where, seconds, facts in (
            ("name", "proxy.acme.example", 0.003, "10.0.0.17"),
            ("connection", "proxy.acme.example:8080", 0.012, ""),
            ("proxy", f"{place}:443", 0.031, ""),
            ("tls", place, 0.044, _FACTS),
        ):
            wrong = trouble if kind == fails and at == 0 else ""
            leg = CardLeg(kind, where, seconds, "" if wrong else facts, wrong)  # type: ignore[arg-type]
            found.append(replace(leg, seconds=None, facts="", tried=False) if blocked else leg)
            blocked = blocked or bool(wrong)
    tried = not trouble or fails == "clock"
    found.append(
        CardLeg("token", _LOGIN, 0.087 if tried else None, "lasts 3,600 seconds" if tried else "", tried=tried)
    )
    found.append(scope_leg(tuple(PURPOSES) if tried else None))
    found += [CardLeg("service", _ORDERS, 0.121 if tried else None, tried=tried)] * 2
    return (*found, clock_leg(ahead if tried else None))


def _settings(stage: Stage) -> SettingsPage:
    stage.shell.go("settings")
    page = stage.shell.page("settings")
    assert isinstance(page, SettingsPage)
    return page


async def settings_list(stage: Stage) -> None:
    await stage.use_full_desk()
    _settings(stage)


async def settings_connect(stage: Stage) -> None:
    _settings(stage).begin_connect()


def _filled(stage: Stage) -> SettingsPage:
    page = _settings(stage)
    page.begin_connect()
    form = page.form
    form.name.set_text("Acme Freight")
    values = {
        "base_url": "https://orders.provider.example",
        "info_base_url": "https://orders.provider.example/OrderInformationApi",
        "auth_url": "https://login.provider.example",
        "client_id": "acme-4711",
        "client_secret": "not a real one",
    }
    for name, text in values.items():
        form.fields[name].set_text(text)
    form.check()
    return page


async def settings_card(stage: Stage) -> None:
    abilities = tuple(
        Ability(scope, purpose, at < 3, "Granted and tried." if at < 3 else "Not granted.")
        for at, (scope, purpose) in enumerate(PURPOSES.items())
    )
    _tested(stage, CapabilityCard(NOW, abilities, 3600, legs=_legs()))


async def settings_network(stage: Stage) -> None:
    """A proxy with a login, and a file of authorities."""
    page = _settings(stage)
    page._close_form()
    form = _filled(stage).form
    network = form.network
    network.unfold_button.click()
    network.proxy.put("address")
    network.fields["proxy"].set_text("http://proxy.acme.example:8080")
    network.fields["proxy_user"].set_text("waybill")
    network.fields["proxy_password"].set_text("not a real one")
    network.authorities.put("file")
    network.set_shown_file("/etc/acme/authority.pem", network_words.authorities_found(1, "Acme Private Authority"))
    form.check()


async def settings_formats(stage: Stage) -> None:
    """Orders that leave as XML."""
    page = _settings(stage)
    page._close_form()
    form = _filled(stage).form
    form.network.unfold_button.click()
    form.network.sends.put("xml")
    await asyncio.sleep(0)  # the folded part has its place only in the loop's next turn
    area = page.findChild(QScrollArea)
    assert area is not None
    area.ensureWidgetVisible(form.network.sends)


async def settings_leg_tls(stage: Stage) -> None:
    words = network_words.UNKNOWN_AUTHORITY
    _tested(stage, CapabilityCard(NOW, trouble=words, wrong={"auth_url": words}, legs=_legs("tls", words)))


async def settings_leg_proxy(stage: Stage) -> None:
    words = network_words.PROXY_REFUSES_LOGIN
    await settings_network(stage)
    form = _settings(stage).form
    form.show_card(CapabilityCard(NOW, trouble=words, wrong={"proxy_password": words}, legs=_legs("proxy", words)))


async def settings_leg_clock(stage: Stage) -> None:
    abilities = tuple(Ability(scope, purpose, True, "Granted and tried.") for scope, purpose in PURPOSES.items())
    _tested(stage, CapabilityCard(NOW, abilities, 3600, legs=_legs(ahead=1_860), clock=1_860))


async def settings_odd_address(stage: Stage) -> None:
    form = _filled(stage).form
    form.fields["info_base_url"].set_text("https://orders.provider.example")
    form.fields["base_url"].set_text("https://login.provider.example/connect/token")
    form.check()
    for each in form.fields.values():
        each.show_issue_now()


async def settings_refused(stage: Stage) -> None:
    words = "The provider does not accept this client id and secret."
    _tested(stage, CapabilityCard(NOW, trouble=words, wrong={"client_secret": words}))


async def settings_wrong_management(stage: Stage) -> None:
    _tested(stage, _partly({"base_url": _NOBODY}))


async def settings_wrong_information(stage: Stage) -> None:
    _tested(stage, _partly({"info_base_url": _OTHER}))


async def settings_kept_wrong(stage: Stage) -> None:
    page = _settings(stage)
    page._close_form()
    page.reload()
    await stage.settle()
    line = next(each for each in page.findChildren(QFrame) if each.isVisible() and each.accessibleName() == _KEPT)
    (card,) = line.findChildren(CardView)
    card.show_card(_partly({"base_url": _NOBODY, "info_base_url": _OTHER}))


async def settings_stays(stage: Stage) -> None:
    """A connection whose outbox has not ended is not removed."""
    page = _settings(stage)
    acme = next(each for each in page._profiles if each.name == _KEPT)
    await stage.journal.write(write_store.queue_write, acme.id, "submit", "CRN-1", b"{}", NOW)
    await page._remove(acme)


async def settings_moves(stage: Stage) -> None:
    """What is queued goes to another place only if a person says so."""
    page = _settings(stage)
    page.bar.clear()
    acme = next(each for each in page._profiles if each.name == _KEPT)
    moved = replace(acme, base_url="https://orders.elsewhere.example")
    stage.ask(page._how_to_save(acme, moved))


async def window_not_kept(stage: Stage) -> None:
    """Closing when the disk does not take what was typed."""
    stage.ask(stage.shell.leaving.ask_about("The disk is full, so nothing of this was saved. Make room and try again."))


def _tested(stage: Stage, card: CapabilityCard) -> None:
    """The form as it is when a test of what is typed has just ended."""
    form = _filled(stage).form
    form.blockSignals(True)  # nobody is asked
    form.test_button.click()
    form.blockSignals(False)
    form.show_card(card)


def _partly(wrong: dict[str, str]) -> CapabilityCard:
    """All is granted, but these addresses do not work."""
    abilities = []
    for scope, purpose in PURPOSES.items():
        management = scope.startswith("order_management_api")
        service = "order management" if management else "order information"
        if ("base_url" if management else "info_base_url") in wrong:
            words = f"Granted, but could not be tried: the {service} address does not work."
            abilities.append(Ability(scope, purpose, None, words))
        else:
            abilities.append(Ability(scope, purpose, True, "Granted and tried."))
    return CapabilityCard(NOW, tuple(abilities), 3600, wrong=wrong)


async def settings_notices(stage: Stage) -> None:
    """Notices, with a program that shows them."""
    page = _settings(stage)
    page._close_form()
    window, services = stage.shell.window, stage.shell.services
    if page.notices_section._service is None:
        service = NoticeService(services.sink, services.news, services.theme, window, str, bool)
        service.desktop._on_stands(Standing("GNOME Shell 43.9", tray_answers=False))
        page.notices_section.take(service)
    await stage.settle()
    _scroll_to(page, page.notices_section.trial_button)


async def settings_notices_unseen(stage: Stage) -> None:
    """Notices where nothing shows them."""
    await settings_notices(stage)
    page = _settings(stage)
    service = page.notices_section._service
    assert service is not None
    service.desktop._on_stands(Standing(tray_answers=False))
    service.changed.emit()
    await stage.settle()
    _scroll_to(page, page.notices_section.state_label)
    service.desktop._standing = Standing("GNOME Shell 43.9", tray_answers=False)


async def settings_large_text(stage: Stage) -> None:
    """Appearance, with large text and close rows."""
    page = _settings(stage)
    page._close_form()
    SIZES.choose(150, compact=True)
    page.reload()
    await stage.settle()
    _scroll_to(page, page.look.sounds)


async def orders_large_text(stage: Stage) -> None:
    await stage.use_full_desk()
    SIZES.choose(150, compact=False)
    stage.shell.go("orders")


async def orders_compact(stage: Stage) -> None:
    await stage.use_full_desk()
    SIZES.choose(100, compact=True)
    stage.shell.go("orders")


async def entry_large_text(stage: Stage) -> None:
    await stage.use_full_desk()
    SIZES.choose(150, compact=False)
    stage.shell.go("entry")


async def orders_small_text(stage: Stage) -> None:
    await stage.use_full_desk()
    SIZES.choose(80, compact=True)
    stage.shell.go("orders")


async def tour_offer(stage: Stage) -> None:
    await _with_tour(stage)
    _tour(stage).panel.show_offer()


async def tour_task(stage: Stage) -> None:
    await _with_tour(stage)
    _tour(stage).panel.show_task(3, 5, "scan", "enter")


async def tour_task_in_form(stage: Stage) -> None:
    await stage.use_full_desk()
    stage.shell.go("entry")
    _tour(stage).panel.show_task(3, 5, "scan", "")


async def tour_end(stage: Stage) -> None:
    await _with_tour(stage)
    _tour(stage).panel.show_end("review")


async def _with_tour(stage: Stage) -> None:
    await stage.use_full_desk()
    stage.shell.go("orders")


def _tour(stage: Stage) -> Tour:
    return stage.shell._make_tour()


def _scroll_to(page: SettingsPage, widget: QWidget) -> None:
    area = page.findChild(QScrollArea)
    assert area is not None
    area.ensureWidgetVisible(widget)


# What must also hold in a small window.
SMALL_SETTINGS_SCENES: tuple[Scene, ...] = (
    settings_notices,
    settings_notices_unseen,
    settings_large_text,
    tour_offer,
    tour_task,
    tour_task_in_form,
    tour_end,
)
# What must also hold where everything is twice as large.
LARGE_SETTINGS_SCENES: tuple[Scene, ...] = (
    settings_list,
    settings_network,
    settings_formats,
    settings_leg_proxy,
    settings_notices,
    tour_task,
    tour_task_in_form,
)
SETTINGS_SCENES: tuple[Scene, ...] = (
    settings_list,
    settings_connect,
    settings_card,
    settings_network,
    settings_formats,
    settings_leg_tls,
    settings_leg_proxy,
    settings_leg_clock,
    settings_odd_address,
    settings_refused,
    settings_wrong_management,
    settings_wrong_information,
    settings_kept_wrong,
    settings_stays,
    settings_moves,
    settings_notices,
    settings_notices_unseen,
    settings_large_text,
    orders_large_text,
    orders_compact,
    orders_small_text,
    entry_large_text,
    tour_offer,
    tour_task,
    tour_task_in_form,
    tour_end,
    window_not_kept,
)
