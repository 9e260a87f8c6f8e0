"""Where the program's own files lie that are no code: style sheet, icons, tables of the practice world.

From source they are the folder `resources` beside `app`. An installed or packed program has them inside `app`, because
only what belongs to a package is installed with it.
"""

from pathlib import Path

_APP = Path(__file__).resolve().parent
_INSTALLED = _APP / "resources"
RESOURCES = _INSTALLED if _INSTALLED.is_dir() else _APP.parent / "resources"
