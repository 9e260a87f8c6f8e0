"""Render every scene: `python -m tests.shots DIR`, or those whose name holds a word: `… DIR chip columns`. The same
pictures every time: a scene goes on from those before it in its file, so these are played too, without pictures.

They are taken on a screen, with a screen reader listening: what opens for the first time may be laid out otherwise
there than where nothing is shown. Where no such screen can be had (it is Xvfb), nothing is shown.

What must hold at 200 % is rendered once more in a process of its own, since Qt takes its scale only at a start: on a
screen of 1920×1080 a window has 960×540 points then. What must hold in a small window is taken at 1024×700 too.
"""

import os
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Collection, Sequence
from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.runtime.loop import run
from app.ui.theme.theme import Appearance
from tests.shots.contrast_scenes import CONTRAST_SCENES
from tests.shots.outbox_scenes import SHOWN_ONCE
from tests.shots.scenes import AT_200_PERCENT, IN_SMALL_WINDOW, SCENES, Scene
from tests.shots.stage import Stage, make_stage
from tests.support.window_process import private_desktop

SIZES = ((1280, 800), (1920, 1080))
SMALL = (1024, 700)
LOW = ((960, 540),)
_SCALE = "QT_SCALE_FACTOR"
_SHOWN = "WAYBILL_SHOTS_SHOWN"  # set where there is a screen
_SCREEN = "2200x1400x24"  # larger than any window that is shown

Sizes = Sequence[tuple[int, int]]
Looks = tuple[Appearance, Appearance]
_PLAIN: Looks = ("light", "dark")
_HIGH_CONTRAST: Looks = ("light-contrast", "dark-contrast")


async def _play(application: QApplication, target: Path, scenes: Sequence[Scene], sizes: Sizes) -> int:
    began, taken, failures = time.monotonic(), 0, []
    with tempfile.TemporaryDirectory() as folder:
        stage = await make_stage(application, Path(folder))
        played = with_those_before(scenes)
        for place, scene in enumerate(SCENES, 1):
            if scene not in played:
                continue
            # A scene that scrolls does so in the smaller window, where it has to.
            stage.shell.window.resize(*sizes[0])
            await stage.settle()
            await scene(stage)
            await stage.asked()
            if scene not in scenes:
                await stage.settle()
                await stage.close_dialogs()
                continue
            name = f"{place:02}-{scene.__name__.replace('_', '-')}"
            its = (*sizes, SMALL) if sizes == SIZES and scene in IN_SMALL_WINDOW else sizes
            pair = _HIGH_CONTRAST if scene in CONTRAST_SCENES else _PLAIN
            taken += await _take(stage, target, name, its, pair, both_looks=scene not in SHOWN_ONCE)
            await stage.close_dialogs()
            failures += [f"{scene.__name__}: {where}" for where in stage.failures]
            stage.failures.clear()
        await stage.shell.aclose()
        await stage.close_store()
        stage.shell.window.let_go()
    scale = " at 200 %" if os.environ.get(_SCALE) else ""
    print(f"{taken} pictures{scale} in {target}, {time.monotonic() - began:.0f} s", flush=True)
    for each in failures:
        print(f"The program failed in {each}", flush=True)
    return 1 if failures else 0


def with_those_before(scenes: Collection[Scene]) -> list[Scene]:
    """These scenes, and those before them in the same file, in the order in which they are played."""
    last = {each.__module__: at for at, each in enumerate(SCENES) if each in scenes}
    return [each for at, each in enumerate(SCENES) if at <= last.get(each.__module__, -1)]


async def _take(stage: Stage, target: Path, name: str, sizes: Sizes, pair: Looks, *, both_looks: bool) -> int:
    window, theme = stage.shell.window, stage.shell.services.theme
    # A change of theme polishes every widget again: two of them a scene are enough.
    first, second = pair if theme.appearance == pair[0] else (pair[1], pair[0])
    taken = 0
    scale = "-200" if os.environ.get(_SCALE) else ""
    looks = [first] * len(sizes) + [second] * len(sizes)
    for (width, height), appearance in zip((*sizes, *reversed(sizes)), looks, strict=True):
        above = stage.dialog or QApplication.activeModalWidget()
        if (above is not None and (width, height) != sizes[0]) or (appearance != first and not both_looks):
            continue  # what stands above the window is as large as it is
        window.resize(width, height)
        if theme.appearance != appearance:
            theme.choose(appearance)
        if stage.again is not None:
            stage.again()
        await stage.settle()
        await stage.bring_into_sight()
        (above or window).grab().save(str(target / f"{name}-{width}x{height}{scale}-{appearance}.png"))
        taken += 1
    return taken


def main() -> int:
    """Render into the folder named on the command line."""
    parser = ArgumentParser(prog="python -m tests.shots", description="Render the scenes of the window as pictures.")
    parser.add_argument("folder", metavar="DIR", type=Path, help="the folder that the pictures go into")
    parser.add_argument(
        "words", metavar="WORD", nargs="*", default=[], help="only scenes whose name holds one of these words"
    )
    arguments = parser.parse_args()
    if _SHOWN not in os.environ:
        return _on_a_screen()
    target, words = arguments.folder, arguments.words
    target.mkdir(parents=True, exist_ok=True)
    large = _SCALE in os.environ
    scenes, sizes = (AT_200_PERCENT, LOW) if large else (SCENES, SIZES)
    scenes = tuple(each for each in scenes if not words or any(word in each.__name__ for word in words))
    application = QApplication(sys.argv[:1])
    failed = run(application, lambda: _play(application, target, scenes, sizes))
    if large:
        return failed
    command = [sys.executable, "-m", "tests.shots", *sys.argv[1:]]
    return subprocess.run(command, check=False, env={**os.environ, _SCALE: "2"}).returncode or failed


def _on_a_screen() -> int:
    command = [sys.executable, "-m", "tests.shots", *sys.argv[1:]]
    if sys.platform != "linux":
        return subprocess.run(
            command, check=False, env={**os.environ, _SHOWN: "", "QT_QPA_PLATFORM": "offscreen"}
        ).returncode
    with private_desktop(_SCREEN) as desktop:
        return subprocess.run(command, check=False, env={**desktop.environment, _SHOWN: "1"}).returncode


if __name__ == "__main__":
    sys.exit(main())
