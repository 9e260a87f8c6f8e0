"""The message about a file that was made: with it come the ways to its folder and into the program that opens it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from app.ui.widgets import widget_words as words
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.files.show_in_folder import open_folder, show_in_folder
from app.ui.widgets.text.labels import Tone

Opens = Callable[[Path], bool]


def say_made(
    bar: MessageBar,
    sentence: str,
    target: Path,
    *,
    tone: Tone = "good",
    topic: str = "",
    show: Opens = show_in_folder,
    open_it: Opens = open_folder,
) -> None:
    """Say that `target` was made. `show` opens its folder and `open_it` the file itself; False if nothing opened.

    The message passes after a minute: the file stays, and so do the folders that it is in.
    """
    bar.say(
        tone,
        sentence,
        words.SHOW_IN_FOLDER,
        partial(_reveal, bar, target, topic, show),
        topic=topic,
        second=words.OPEN_FILE,
        act_second=partial(_open, bar, target, topic, open_it),
        offers=True,
    )


def _reveal(bar: MessageBar, target: Path, topic: str, show: Opens) -> None:
    if not show(target):
        bar.say("warn", words.folder_not_opened(target), topic=topic)


def _open(bar: MessageBar, target: Path, topic: str, open_it: Opens) -> None:
    if not open_it(target):
        bar.say("warn", words.file_not_opened(target), topic=topic)
