"""Render every scene: `python -m tests.shots DIR`. The same pictures every time, in under a minute."""

import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from app.runtime.loop import run
from tests.shots.outbox_scenes import SHOWN_ONCE
from tests.shots.scenes import SCENES
from tests.shots.stage import Stage, make_stage

SIZES = ((1280, 800), (1920, 1080))


async def _play(application: QApplication, target: Path) -> int:
    taken = 0
    with tempfile.TemporaryDirectory() as folder:
        stage = await make_stage(application, Path(folder))
        for place, scene in enumerate(SCENES, 1):
            # A scene that scrolls does so in the smaller window, where it has to.
            stage.shell.window.resize(*SIZES[0])
            await stage.settle()
            await scene(stage)
            name = f"{place:02}-{scene.__name__.replace('_', '-')}"
            taken += await _take(stage, target, name, both_looks=scene not in SHOWN_ONCE)
            await stage.close_dialogs()
        await stage.shell.aclose()
        await stage.close_store()
        stage.shell.window.let_go()
    return taken


async def _take(stage: Stage, target: Path, name: str, *, both_looks: bool) -> int:
    window, theme = stage.shell.window, stage.shell.room.theme
    # A change of theme polishes every widget again: two of them a scene are enough.
    first, second = (theme.appearance, "light" if theme.appearance == "dark" else "dark")
    taken = 0
    for (width, height), appearance in zip((*SIZES, *reversed(SIZES)), (first, first, second, second), strict=True):
        above = stage.dialog or QApplication.activeModalWidget()
        if (above is not None and (width, height) != SIZES[0]) or (appearance != first and not both_looks):
            continue  # what stands above the window is as large as it is
        window.resize(width, height)
        if theme.appearance != appearance:
            theme.choose("light" if appearance == "light" else "dark")
        await stage.settle()
        (above or window).grab().save(str(target / f"{name}-{width}x{height}-{appearance}.png"))
        taken += 1
    return taken


def main() -> int:
    """Render into the folder named on the command line."""
    if len(sys.argv) != 2:
        print("Say which folder the pictures go into: python -m tests.shots DIR", file=sys.stderr)
        return 2
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    application = QApplication(sys.argv[:1])
    began = time.monotonic()
    taken = run(application, lambda: _play(application, target))
    print(f"{taken} pictures in {target}, {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
