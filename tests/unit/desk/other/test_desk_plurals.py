"""A number and the word after it agree, in every sentence that people read."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

# What sentences count. One of it must not be said with an s.
WORDS = (
    "answers|audits|barcodes|cancellations|characters|columns|connections|days|documents|drafts|errors|hours|labels|"
    "minutes|orders|pages|photos|pictures|printers|questions|records|rows|writes"
)
# A number called `most` or `least` is a fixed bound of the program, and more than one.
COUNTED = re.compile(rf"\{{(?!most\b|least\b)\w+(?::[^}}]*)?\}} (?:more )?(?:{WORDS})\b")


def sentences(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Each text with values in it, as a pattern with names in braces, that has one form for every number.

    These are the texts of `translate`, the form for one of `translate_plural`, and f-strings in which a number is
    formatted; not those in a branch of a condition, which may have asked whether the number is one.
    """
    guarded = {id(each) for node in ast.walk(tree) if isinstance(node, ast.IfExp | ast.If) for each in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            first = node.args[0]
            if node.func.id in ("translate", "translate_plural") and isinstance(first, ast.Constant):
                yield node.lineno, str(first.value)
        elif isinstance(node, ast.JoinedStr) and id(node) not in guarded:
            yield node.lineno, "".join(map(_pattern, node.values))


def _pattern(value: ast.expr) -> str:
    if isinstance(value, ast.Constant):
        return str(value.value)
    return "{number}" if isinstance(value, ast.FormattedValue) and value.format_spec else ""


def fixed_plurals(source: str) -> list[tuple[int, str]]:
    """The lines whose sentence has a number before a plural that does not follow it."""
    return [(line, sentence) for line, sentence in sentences(ast.parse(source)) if COUNTED.search(sentence)]


@pytest.mark.parametrize(
    "source",
    [
        'f"{count:,} audits were fetched."',
        'translate("{count:,} audits were fetched.", count=count)',
        'translate("Fetch {count} more audits", count=count)',
        'translate_plural("{count:,} audits", "{count:,} audits", count)',
    ],
)
def test_a_number_before_a_fixed_plural_is_found(source: str) -> None:
    assert [line for line, _ in fixed_plurals(source)] == [1]


@pytest.mark.parametrize(
    "source",
    [
        'translate_plural("{count:,} audit", "{count:,} audits", count)',
        'translate("Reading audit {place:,} of {count:,}…", place=place, count=count)',
        'f"{name} orders"',
        'translate("No more than {most:,} orders can be watched.", most=MOST)',
        'f"{count:,} audits" if count > 1 else "one audit"',
    ],
)
def test_a_sentence_that_fits_its_number_is_left_alone(source: str) -> None:
    assert fixed_plurals(source) == []


# Sentences whose number is more than one: the code before them has asked.
MORE_THAN_ONE = (
    "because a sheet holds {rows:,} rows",
    "{rows:,} rows are selected",
    "{rows:,} rows are more than {most:,} at once",
    "the block is {columns} columns wide",
    "of {total:,} cancellations",
    "takes at most {number} characters",
    "of {limit} characters",
    "{count:,} orders and cancellations",
    "{count:,} rows, and one import takes 100,000",
    "{count:,} columns, and one import takes 1,000",
)


def test_no_sentence_says_one_of_several(root: Path) -> None:
    found = [
        f"{path.relative_to(root)}:{line}: {sentence}"
        for path in sorted((root / "app").rglob("*.py"))
        if "practice" not in path.parts
        for line, sentence in fixed_plurals(path.read_text(encoding="utf-8"))
        if not any(each in sentence for each in MORE_THAN_ONE)
    ]
    assert found == []
