"""The vocabulary of the end-to-end tests: a test finds widgets as a screen reader does, and presses keys.

    window.find("Order reference", "text").type("A-1")
    window.find("Submit order").press()
    window.wait_for_words("has taken order")

Everything waits for a condition, never for a time. What does not come fails with the accessible tree as it is then,
and a picture of the screen.
"""

import re
import uuid
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.support.accessibility import ANY, LEAVES, NOTHING, Call, Name, Node, Ref, Refused, Roles, reading
from tests.support.window_process import PATIENCE, Desktop, WindowProcess, all_gone, private_desktop, until

T = TypeVar("T")
# What a screen reader does to an element, in this order of preference.
_ACTIONS = ("Press", "Toggle", "ShowMenu")
_SAYING = frozenset({"label", "list item"})
NOWHERE = Node(("", NOTHING), "application", "", "", frozenset())


class Element:
    """One element of the window: `node` is how it was when it was found, everything else asks anew."""

    def __init__(self, window: "Window", node: Node) -> None:
        self._window, self.node = window, node
        self._bus, self._ref = window.bus, node.ref

    @property
    def text(self) -> str:
        """The element's text: of a field, of a label, of the choice in a combo box."""
        if self.node.role == "text":
            return str(self._bus.call(Call(self._ref, "Text", "GetText", "ii", (0, -1)))[0])
        return str(self._bus.value(self._ref, "Accessible", "Name"))

    @property
    def description(self) -> str:
        """The element's description: the error of a field, the key of a button."""
        return str(self._bus.value(self._ref, "Accessible", "Description"))

    def states(self) -> frozenset[str]:
        """The element as it is now."""
        return self._bus.tree(self._ref).states

    def distances(self) -> list[int]:
        """How far below the one before it each of its children is shown, as far as they are."""
        found = self._bus.ask([Call(each.ref, "Component", "GetExtents", "u", (0,)) for each in self.node.children])
        tops = [answer[0][1] for answer in found if answer is not None and answer[0][3] > 0]
        return [after - before for before, after in pairwise(tops)]

    def press(self) -> None:
        """Press a button, choose a page or a tab.

        Qt shows the press for a moment before it acts, so wait for what comes of it.
        """
        offered = [each[0] for each in self._bus.call(Call(self._ref, "Action", "GetActions"))[0]]
        wanted = next((offered.index(each) for each in _ACTIONS if each in offered), None)
        assert wanted is not None, f"{self.node.role} {self.node.called!r} offers only {offered}"
        assert self._bus.call(Call(self._ref, "Action", "DoAction", "i", (wanted,)))[0]

    def focus(self) -> "Element":
        """Put the keyboard here."""
        self._window.come_forward()
        assert self._bus.call(Call(self._ref, "Component", "GrabFocus"))[0]
        self._window.wait_for(
            lambda: "focused" in self.states() or self.node.role == "table", f"focus on {self.node.called!r}"
        )
        return self

    def type(self, text: str) -> None:
        """Replace the text of a field."""
        self.focus()
        assert self._bus.call(Call(self._ref, "EditableText", "SetTextContents", "s", (text,)))[0]
        assert self.text == text

    def choose(self, words: str) -> None:
        """Choose in a combo box: open its list, go up or down to the words, Enter."""
        self.press()
        items = self._window.wait_for(self._offered, f"the list of {self.node.called!r}")
        names = [each.name for each in items]
        here = next(at for at, each in enumerate(items) if "selected" in each.states)
        steps = names.index(words) - here
        self._window.keys(*["Down" if steps > 0 else "Up"] * abs(steps), "Return")
        self._window.wait_for(lambda: self.text == words and not self._offered(), f"{words!r} in {self.node.called!r}")

    def _offered(self) -> list[Node]:
        return [each for each in self._bus.tree(self._ref).walk() if each.role == "list item"]

    def rows(self, most: int = 50) -> list[list[str]]:
        """The first rows of a table, as the words of their cells."""
        lines, places = (int(self._bus.value(self._ref, "Table", name)) for name in ("NRows", "NColumns"))
        lines = min(lines, most)
        calls = [
            Call(self._ref, "Table", "GetAccessibleAt", "ii", (line, place))
            for line in range(lines)
            for place in range(places)
        ]
        cells: list[Ref] = [("", "") if answer is None else answer[0] for answer in self._bus.ask(calls)]
        if any(path in ("", NOTHING) for _, path in cells):
            return []  # the table has changed since it was asked for its size
        names = self._bus.ask([reading(cell, "Accessible", "Name") for cell in cells])
        words = ["" if answer is None else str(answer[0][1]) for answer in names]
        return [words[start : start + places] for start in range(0, len(words), places)] if places else []

    def titles(self) -> list[str]:
        """The titles of a table's columns."""
        places = int(self._bus.value(self._ref, "Table", "NColumns"))
        return [
            str(self._bus.call(Call(self._ref, "Table", "GetColumnDescription", "i", (at,)))[0]) for at in range(places)
        ]


class Window:
    """A running window, once it is on the accessibility bus; `at_once` is called as soon as its process is started."""

    def __init__(
        self,
        desktop: Desktop,
        data: Path,
        pictures: Path,
        at_once: Callable[[WindowProcess], object] = bool,
        **started: Any,
    ) -> None:
        self.run = WindowProcess(desktop, data, pictures / f"printed-{uuid.uuid4().hex[:8]}.txt", **started)
        self.desktop, self.bus, self._pictures = desktop, desktop.bus, pictures
        self._root: Ref | None = None
        at_once(self.run)
        found = until(self._look_for_root)
        assert found, f"the window did not come; it printed: {self.run.printed}"

    def _look_for_root(self) -> bool:
        assert self.run.process.poll() is None, f"the window has ended; it printed: {self.run.printed}"
        self._root = self._root or self.bus.program(self.run.process.pid)
        return bool(self.tree().children)

    def tree(self, *, described: bool = False, wanted: Roles = ANY) -> Node:
        """All that is visible now: nothing before the window is there and after it has gone.

        `described`: with the descriptions of all elements, not those of combo boxes alone. `wanted`: with the names of
        elements of these roles alone.
        """
        try:
            return NOWHERE if self._root is None else self.bus.tree(self._root, described=described, wanted=wanted)
        except Refused:
            return NOWHERE

    # Finding

    def seek(self, name: Name, role: str = "") -> list[Element]:
        """The elements that fit now, without waiting, each with all that stands in it."""
        fitting = [each for each in self.tree(wanted=frozenset({role} - {""})).walk() if each.fits(name, role)]
        return [Element(self, whole) for each in fitting if (whole := self._whole(each, role)) is not None]

    def _whole(self, found: Node, role: str) -> Node | None:
        """The element with the names of what stands in it, which the search for a role did not ask for."""
        if not role or role in LEAVES:
            return found
        try:
            return self.bus.tree(found.ref)
        except Refused:
            return None

    def find(self, name: Name, role: str = "") -> Element:
        """The one element that goes by this name and role, as soon as there is exactly one."""
        return self.wait_for(lambda: _only(self.seek(name, role)), f"one {role or 'element'} {_words(name)}")

    def words(self) -> str:
        """Everything that labels and list items say now, a line each."""
        found = self.tree(wanted=_SAYING).walk()
        return "\n".join(each.name for each in found if each.role in _SAYING and each.name)

    def wait_for_words(self, pattern: str, patience: float = PATIENCE) -> str:
        """Wait until a label says this (a regular expression); its words."""

        def look() -> str:
            found = re.search(f"^.*{pattern}.*$", self.words(), re.MULTILINE)
            return found[0] if found else ""

        return self.wait_for(look, f"the words {pattern!r}", patience)

    def wait_for(self, look: Callable[[], T | None], what: str, patience: float = PATIENCE) -> T:
        """The first result of `look` that is true; fails with the accessible tree if none comes."""
        found = until(look, patience)
        if found:
            return found
        picture = self.desktop.picture(self._pictures / f"screen-{self.run.process.pid}.png")
        pytest.fail(
            f"There was never {what} within {patience:g} s.\nPicture: {picture}\nPrinted: {self.run.printed!r}\n"
            f"Log:\n{self.run.log}\nAccessible tree:\n{self.tree(described=True).drawn()}",
            pytrace=True,
        )

    # Working

    def come_forward(self) -> None:
        """Give the window the keyboard: there is no window manager that would."""
        self.desktop.do("windowfocus", "--sync", self.run.window_id)

    def keys(self, *names: str) -> None:
        """Press keys by their X names: `ctrl+Return`, `Tab`."""
        self.come_forward()
        self.desktop.do("key", "--clearmodifiers", *names)

    def keys_for(self, text: str) -> None:
        """Type a text where the keyboard is, key by key."""
        self.come_forward()
        self.desktop.do("type", "--clearmodifiers", "--delay", "2", "--", text)

    def go(self, page: str) -> None:
        """Choose a page in the rail."""
        self.find(re.compile(rf"^{page}(, \d+)?$"), "radio button").press()

    # Ending

    def close(self) -> None:
        """Close the window as a person does; it and all it started end quietly and in good order."""
        children = self.run.children()
        self.run.ask_to_close()
        status = self.run.ended()
        assert (status, self.run.printed) == (0, "")
        assert " ERROR " not in self.run.log, self.run.log
        assert all_gone(children), "a process that the window started outlives it"


def _only(found: list[Element]) -> Element | None:
    return found[0] if len(found) == 1 else None


def _words(name: Name) -> str:
    return repr(name if isinstance(name, str) else name.pattern)


WindowFactory = Callable[..., Window]
ANEW = "anew"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", f"{ANEW}: windows start an interpreter, since the test is about a start or an end"
    )


@pytest.fixture
def desktop() -> Iterator[Desktop]:
    """A desktop of the test's own, without a keyring."""
    with private_desktop() as made:
        yield made


@pytest.fixture
def open_window(desktop: Desktop, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[WindowFactory]:
    """Opens windows that end with the test: `open_window()`, `open_window(tmp_path / "desk")`.

    What else is given goes to `WindowProcess`. They start an interpreter each for tests that are marked `anew`.
    """
    opened: list[Window] = []
    anew = request.node.get_closest_marker(ANEW) is not None

    def open_one(data: Path | None = None, **started: Any) -> Window:
        opened.append(Window(desktop, data or tmp_path / "desk", tmp_path, **{"anew": anew, **started}))
        return opened[-1]

    yield open_one
    for each in opened:
        children = [] if each.run.process.poll() is not None else each.run.children()
        each.run.kill()
        assert all_gone(children)
