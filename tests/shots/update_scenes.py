"""Updates in Settings, in each state that a person can see."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from app.background.updater import Updater, UpdateState
from app.desk.updates import updates_words
from app.desk.updates.update_source import Settled, Source
from app.desk.updates.version_list import Newer, Package
from app.ui.settings.settings_page import SettingsPage
from app.ui.settings.updates_section import UpdatesSection
from tests.shots.stage import Stage

Scene = Callable[[Stage], Awaitable[None]]
_ADDRESS = "https://files.acme-freight.example/programs/waybill/waybill-updates.json"
_KEY = "Wm9vbSBsZW5zIG9mIGEga2V5IHRoYXQgaXMgbm9uZSE="
_PACKAGE = Package("windows-setup-x86_64", "Waybill-0.2.0-setup.exe", 41_200_000, "0" * 64)
_NOTES = (
    "- Prints two labels on a sheet.\n- Finds orders by the name of the driver.\n- The outbox opens in half the time."
)
_NEWER = Newer("0.2.0", _NOTES, _PACKAGE)
_TYPED, _GIVEN = Settled(Source(_ADDRESS, (_KEY,))), Settled(Source(_ADDRESS, (_KEY,), given=True))
_FOLDER = Path("~/.local/share/Waybill/updates")
_PATH = _FOLDER / "waybill-0.2.0-linux-x86_64.tar.xz"


async def _shown(stage: Stage, settled: Settled, state: UpdateState) -> UpdatesSection:
    stage.shell.go("settings")
    page = stage.shell.page("settings")
    assert isinstance(page, SettingsPage)
    page._close_form()
    section = page.updates_section
    if section._updater is None:
        # It is never begun: nothing is read and nobody is asked.
        section.take(Updater(stage.shell.services.sink, stage.journal, Path("nowhere"), stage.shell.services.now))
    assert section._updater is not None
    section._updater.settled, section._updater.state = settled, state
    section._form.hide()
    section.show_state()
    stage.in_sight = section
    return section


async def updates_no_address(stage: Stage) -> None:
    await _shown(stage, Settled(), UpdateState("none"))


async def updates_address_asked(stage: Stage) -> None:
    """Both fields are wrong."""
    section = await _shown(stage, Settled(), UpdateState("none"))
    section._open()
    section.address.set_text("files.acme-freight.example")
    section.address.set_notice("An address begins with https://, or with http:// on this computer.")
    section.key.set_text("not a key")
    section.key.set_notice(updates_words.NO_KEY)


async def updates_off(stage: Stage) -> None:
    await _shown(stage, Settled(off=True), UpdateState("off"))


async def updates_looking(stage: Stage) -> None:
    await _shown(stage, _TYPED, UpdateState("checking"))


async def updates_newest(stage: Stage) -> None:
    await _shown(stage, _GIVEN, UpdateState("current"))


async def updates_newer(stage: Stage) -> None:
    await _shown(stage, _TYPED, UpdateState("newer", _NEWER))


async def updates_newer_for_others(stage: Stage) -> None:
    """None of its packages is for this system."""
    await _shown(stage, _GIVEN, UpdateState("newer", Newer("0.2.0", "", None)))


async def updates_fetching(stage: Stage) -> None:
    await _shown(stage, _TYPED, UpdateState("downloading", _NEWER, done=17_300_000))


async def updates_broke_off(stage: Stage) -> None:
    await _shown(stage, _TYPED, UpdateState("newer", _NEWER, trouble=updates_words.BROKE_OFF, done=17_300_000))


async def updates_checked(stage: Stage) -> None:
    await _shown(stage, _TYPED, UpdateState("checked", _NEWER, path=_PATH))


async def updates_handed(stage: Stage) -> None:
    told = updates_words.by_hand_archive(_PATH)
    await _shown(stage, _TYPED, UpdateState("handed", _NEWER, told=told, path=_PATH))


async def updates_forged(stage: Stage) -> None:
    await _shown(stage, _GIVEN, UpdateState("idle", trouble=updates_words.NOT_SIGNED))


UPDATE_SCENES: tuple[Scene, ...] = (
    updates_no_address,
    updates_address_asked,
    updates_off,
    updates_looking,
    updates_newest,
    updates_newer,
    updates_newer_for_others,
    updates_fetching,
    updates_broke_off,
    updates_checked,
    updates_handed,
    updates_forged,
)
LARGE_UPDATE_SCENES: tuple[Scene, ...] = (updates_address_asked, updates_newer, updates_fetching, updates_forged)
