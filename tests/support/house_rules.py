"""Rules of the house that no linter knows, as functions from a parsed module to the lines that break them.

Each rule is data: a name, where it holds, and a finder. The reasons are traps that were met: a nested event loop wakes
other tasks in the wrong place, an unowned task vanishes, a label guesses at HTML, a lambda in `connect` leaks a widget.
"""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

Finder = Callable[[ast.Module], Iterator[ast.AST]]

DIALOG_HELPERS = {
    "QMessageBox": {"information", "question", "warning", "critical", "about", "aboutQt"},
    "QFileDialog": {
        "getOpenFileName",
        "getOpenFileNames",
        "getOpenFileUrl",
        "getOpenFileUrls",
        "getSaveFileName",
        "getSaveFileUrl",
        "getExistingDirectory",
        "getExistingDirectoryUrl",
        "getOpenFileContent",
    },
    "QInputDialog": {"getText", "getMultiLineText", "getItem", "getInt", "getDouble"},
    "QColorDialog": {"getColor"},
    "QFontDialog": {"getFont"},
}
COLOUR = re.compile(r"#(?:[0-9A-Fa-f]{8}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{3,4})\b")

# Begins with a capital, goes on in small letters (a statement of SQL does not), and ends as sentences do.
SENTENCE = re.compile(r"\s*[A-Z][a-z]*[ ,][^\n]* [^\n]*[.…?:]\s*")


@dataclass(frozen=True)
class Rule:
    """`holds` and `exempt` are path prefixes below the checkout; a file under both is exempt."""

    name: str
    finder: Finder
    holds: tuple[str, ...] = ("app/",)
    exempt: tuple[str, ...] = ()

    def covers(self, path: PurePosixPath) -> bool:
        """Whether the rule holds for the module at `path`."""
        return str(path).startswith(self.holds) and not (self.exempt and str(path).startswith(self.exempt))

    def breaches(self, source: str) -> list[int]:
        """The numbers of the lines that break the rule."""
        return self.breaches_in(ast.parse(source))

    def breaches_in(self, tree: ast.Module) -> list[int]:
        """`breaches` of a module that was parsed already."""
        return sorted(getattr(node, "lineno", 1) for node in self.finder(tree))


def last_name(node: ast.expr) -> str:
    """`c` of `a.b.c`, `c` of `c`, empty for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def calls(tree: ast.Module) -> Iterator[ast.Call]:
    """Every call in the module."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def nested_loops(tree: ast.Module) -> Iterator[ast.AST]:
    """`x.exec()`, `processEvents`, and the static helpers of dialogs, which all spin a loop inside the loop."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            helper = node.attr in DIALOG_HELPERS.get(last_name(node.value), ())
            if helper or node.attr in {"processEvents", "exec_", "run_until_complete"}:
                yield node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "exec":
            yield node


def raw_labels(tree: ast.Module) -> Iterator[ast.AST]:
    """A `QLabel` made or derived from by hand."""
    yield from (call for call in calls(tree) if last_name(call.func) == "QLabel")
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any(last_name(base) == "QLabel" for base in node.bases):
            yield node


def unowned_tasks(tree: ast.Module) -> Iterator[ast.AST]:
    """A task made other than in an `async with TaskGroup() as group`, whose scope owns it."""
    groups = {
        item.optional_vars.id
        for node in ast.walk(tree)
        if isinstance(node, ast.AsyncWith)
        for item in node.items
        if isinstance(item.optional_vars, ast.Name)
        and isinstance(item.context_expr, ast.Call)
        and last_name(item.context_expr.func) == "TaskGroup"
    }
    for call in calls(tree):
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        if last_name(call.func) in {"create_task", "ensure_future"} and not (
            isinstance(owner, ast.Name) and owner.id in groups
        ):
            yield call


def bridge_decorators(tree: ast.Module) -> Iterator[ast.AST]:
    """qasync's `asyncSlot` and `asyncClose`: the first loses its tasks, the second spins the loop."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and last_name(node) in {"asyncSlot", "asyncClose"}:
            yield node
        if isinstance(node, ast.ImportFrom) and any(name.name in {"asyncSlot", "asyncClose"} for name in node.names):
            yield node


def colours(tree: ast.Module) -> Iterator[ast.AST]:
    """`#a1b2c3` in a string that is not a docstring, `QColor("red")`, `QColor(1, 2, 3)`."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in docstrings and COLOUR.search(str(node.value)):
            yield node
    for call in calls(tree):
        if last_name(call.func) == "QColor" and any(isinstance(word, ast.Constant) for word in call.args):
            yield call


def untranslated_sentences(tree: ast.Module) -> Iterator[ast.AST]:
    """A sentence (`Three words end.`) in a string or f-string that is handed to neither `translate` nor its plural."""
    handed_over = {
        id(inner)
        for call in calls(tree)
        if last_name(call.func) in {"translate", "translate_plural"}
        for inner in ast.walk(call)
    }
    handed_over |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            handed_over |= {id(part) for part in node.values}
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if id(node) not in handed_over and SENTENCE.fullmatch(text):
            yield node


def connected_lambdas(tree: ast.Module) -> Iterator[ast.AST]:
    """`signal.connect(lambda …)`."""
    for call in calls(tree):
        if last_name(call.func) == "connect" and any(isinstance(word, ast.Lambda) for word in call.args):
            yield call


# Senders that several windows share, or that outlive a window, as they are called everywhere.
LONG_LIVED = frozenset({
    *("news", "theme", "SIZES", "MAP_CHOICE", "sink", "sounds", "application", "app", "instance", "styleHints"),
    *("sender", "settler", "learner", "connector", "noticer", "updater", "feeder", "refresher"),
})  # fmt: skip


def held_partials(tree: ast.Module) -> Iterator[ast.AST]:
    """`news.signal.connect(partial(…))`: a signal holds all but bound methods for as long as its sender lives, and so
    whatever the partial holds."""
    for call in calls(tree):
        signal = call.func.value if isinstance(call.func, ast.Attribute) and call.func.attr == "connect" else None
        if not isinstance(signal, ast.Attribute):
            continue
        sender = signal.value.func if isinstance(signal.value, ast.Call) else signal.value
        if last_name(sender) in LONG_LIVED:
            yield from (each for each in call.args if isinstance(each, ast.Call) and last_name(each.func) == "partial")


def items_taken(tree: ast.Module) -> Iterator[ast.AST]:
    """`layout.takeAt(…)`: PySide deletes no item that was taken out, so each leaks."""
    yield from (call for call in calls(tree) if last_name(call.func) == "takeAt")


QT_ROOMS = (
    "app/ui/",
    "app/background/",
    "app/runtime/",
    "app/imaging/",
    "app/assembly.py",
    "app/bootstrap.py",
    "app/__main__.py",
)

RULES = (
    Rule(
        "no event loop inside the event loop",
        nested_loops,
        # the still is shown before there is any other loop
        exempt=("app/practice/", "app/ui/still/show_still.py"),
    ),
    Rule(
        "labels come from the one factory that shows text plainly",
        raw_labels,
        exempt=("app/ui/widgets/text/labels.py",),
    ),
    Rule(
        "tasks are owned: only runtime makes them",
        unowned_tasks,
        # one token request is shared by all who wait for it, so it belongs to none of them; practice has its own loop
        exempt=("app/runtime/", "app/api/auth.py", "app/practice/"),
    ),
    Rule("no asyncSlot, no asyncClose", bridge_decorators),
    Rule(
        "sentences go through app.translation",
        untranslated_sentences,
        ("app/api/", "app/assembly.py", "app/background/", "app/bootstrap.py", "app/desk/", "app/store/", "app/ui/"),
        # Stored in the journal and compared with later: they are data as much as words.
        exempt=("app/store/journal/held_writes.py", "app/store/journal/undo_window.py"),
    ),
    Rule("colours come from the theme's tokens", colours, QT_ROOMS, exempt=("app/ui/theme/tokens.py",)),
    Rule("no lambda in connect", connected_lambdas, QT_ROOMS),
    Rule("no partial on a signal of what outlives a window", held_partials, QT_ROOMS),
    Rule("items of a layout are dropped, not taken", items_taken, QT_ROOMS, exempt=("app/ui/widgets/layout.py",)),
)
