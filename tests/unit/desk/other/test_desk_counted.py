"""A count and its word agree, wherever one is said."""

import ast
import re
from pathlib import Path

import pytest

from app.desk.text.plurals import counted

# What is counted in sentences. One of it must not be said with an s.
WORDS = "audits|answers|orders|documents|errors|writes|drafts|connections|pages|photos|cancellations|printers|rows"
COUNTED = re.compile(rf"^ (more )?({WORDS})\b")


@pytest.mark.parametrize(("count", "said"), [(0, "0 audits"), (1, "1 audit"), (2, "2 audits"), (2480, "2,480 audits")])
def test_the_word_follows_the_count(count: int, said: str) -> None:
    assert counted(count, "audit") == said
    assert counted(1, "authority", "authorities") == "1 authority"
    assert counted(3, "authority", "authorities") == "3 authorities"


def plural_always(tree: ast.AST) -> list[int]:
    """The lines of f-strings in which a count stands before such a word, and nothing above asks whether it is one."""
    found = []
    guarded: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.IfExp, ast.If)):
            guarded |= {id(each) for each in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and id(node) not in guarded:
            for value, after in zip(node.values, node.values[1:], strict=False):
                words = after.value if isinstance(after, ast.Constant) else ""
                if (
                    isinstance(value, ast.FormattedValue)
                    and value.format_spec
                    and isinstance(words, str)
                    and COUNTED.match(words)
                ):
                    found.append(node.lineno)
    return found


# More than one by what stands before it in the code, or by what the number is.
MORE_THAN_ONE = {
    "desk/orders/watched_orders.py",
    "desk/report/case_file.py",
    "ui/audits/audit_files.py",
    "ui/orders/actions/order_actions.py",
    "ui/orders/actions/results_dialog.py",
    "ui/orders/detail/detail_head.py",
    "ui/palette/window_commands.py",
    "ui/shell/outbox_notices.py",
    "ui/shell/undo_cancellations.py",
    "ui/widgets/grid/paste_blocks.py",
}


def test_no_sentence_says_one_of_several(root: Path) -> None:
    said = [
        f"{path.relative_to(root)}:{line}"
        for path in sorted((root / "app").rglob("*.py"))
        if "practice" not in path.parts and path.relative_to(root / "app").as_posix() not in MORE_THAN_ONE
        for line in plural_always(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert said == []
