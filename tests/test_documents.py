"""The documents stay true: each file, folder and name that a README or a folder's docstring gives is there."""

import ast
import re
from pathlib import Path

import pytest

DOCUMENTS = ("README.md", "app/README.md", "app/practice/README.md")
# `room/module`, `room/module.py`, `room/module.name` or `room/module.Class.name`
PLACE = re.compile(r"`((?:[a-z_][a-z_0-9]*/)+[a-zA-Z_0-9]*)((?:\.[A-Za-z_0-9]+)*)`")
MADE_LATER = ("build/", "dist/", "dev.py/")


def places(text: str) -> list[tuple[str, str]]:
    """Path and dotted rest of everything in backticks that looks like a place in the project."""
    return [(path, rest) for path, rest in PLACE.findall(text) if not path.startswith(MADE_LATER)]


def missing(root: Path, path: str, rest: str) -> bool:
    """Whether there is no such file, folder or name."""
    for base in (root, root / "app"):
        if (base / f"{path}{rest}").exists():
            return False
        module = base / f"{path}.py"
        if not module.exists() and (base / path / "__init__.py").exists() and rest:
            module = base / path / "__init__.py"
        if module.exists():
            return not defines(ast.parse(module.read_text(encoding="utf-8")), rest.split(".")[1:])
    return True


def defines(tree: ast.Module | ast.ClassDef, names: list[str]) -> bool:
    """Whether a module or class defines the first name, and that the next, and so on; `py` is the module itself."""
    if not names or names == ["py"]:
        return True
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == names[0]:
            return defines(node, names[1:])
        bound = [node.name] if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else []
        if isinstance(node, ast.Assign):
            bound = [each.id for each in node.targets if isinstance(each, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            bound = [node.target.id]
        if names[0] in bound:
            return len(names) == 1
    return False


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_place_that_a_document_names_is_there(root: Path, document: str) -> None:
    found = places((root / document).read_text(encoding="utf-8"))
    assert [f"{path}{rest}" for path, rest in found if missing(root, path, rest)] == []


def test_every_place_that_a_docstring_or_comment_names_is_there(root: Path) -> None:
    gone = [
        f"{file.relative_to(root)}: {path}{rest}"
        for file in sorted((root / "app").rglob("*.py"))
        for path, rest in places(file.read_text(encoding="utf-8"))
        if missing(root, path, rest)
    ]
    assert gone == []


def test_every_folder_of_the_program_says_what_it_is_for(root: Path) -> None:
    silent = [
        file.parent.relative_to(root).as_posix()
        for file in sorted((root / "app").rglob("__init__.py"))
        if file.parent != root / "app" and not ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    ]
    assert silent == []


@pytest.mark.parametrize("place", ["store/nowhere", "app/desk/desk.Nothing", "desk/desk.Desk.nothing"])
def test_a_place_that_is_not_there_is_found(root: Path, place: str) -> None:
    ((path, rest),) = places(f"`{place}`")
    assert missing(root, path, rest)


@pytest.mark.parametrize("place", ["store", "desk/desk", "app/desk/desk.Desk", "desk/desk.py", "packaging/dev.py"])
def test_a_place_that_is_there_is_not(root: Path, place: str) -> None:
    assert [each for each in places(f"`{place}`") if missing(root, *each)] == []
