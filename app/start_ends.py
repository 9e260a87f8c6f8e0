"""How a start ends other than well, for both of its stages."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.ui.shell.start_window import Trouble


class CannotStart(Exception):
    """The start ends here; `trouble` says why."""

    def __init__(self, trouble: "Trouble") -> None:
        super().__init__(trouble.sentence)
        self.trouble = trouble


class StartAnew(Exception):
    """The window has closed to make way for another build; `command` starts that one."""

    def __init__(self, command: list[str]) -> None:
        super().__init__()
        self.command = command


def trouble(heading: str, sentence: str, status: int, folder: Path) -> CannotStart:
    """A start that ends with this exit status, to be raised; `folder` is the one of the data."""
    from app.ui.shell.start_window import Trouble  # nothing of that window is imported where the start goes well

    return CannotStart(Trouble(heading, sentence, status, folder))
