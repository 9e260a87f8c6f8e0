"""The rules of tests/support/house_rules.py, over the whole program, and each tried on code that breaks it."""

import ast
from pathlib import Path, PurePosixPath

import pytest

from tests.support import house_rules
from tests.support.house_rules import RULES, Rule

BREAKS: dict[house_rules.Finder, tuple[str, ...]] = {
    house_rules.nested_loops: (
        "dialog.exec()",
        "app.exec_()",
        "QMessageBox.question(None, 'a', 'b')",
        "QtWidgets.QFileDialog.getSaveFileName()",
        "ask = QInputDialog.getText",
        "QApplication.processEvents()",
        "loop.run_until_complete(main())",
    ),
    house_rules.raw_labels: ("QLabel('a')", "QtWidgets.QLabel()", "class Title(QLabel): pass"),
    house_rules.unowned_tasks: (
        "asyncio.create_task(work())",
        "loop.create_task(work())",
        "ensure_future(work())",
        "async def f():\n async with asyncio.TaskGroup() as group:\n  asyncio.create_task(work())",
    ),
    house_rules.bridge_decorators: ("from qasync import asyncSlot", "@qasync.asyncClose\ndef f(): pass"),
    house_rules.colours: (
        "INK = '#a1b2c3'",
        "style = 'color: #FFF; margin: 0'",
        "f'border: 1px solid #11223344 {x}'",
        "QColor('red')",
        "QColor(1, 2, 3)",
    ),
    house_rules.connected_lambdas: ("button.clicked.connect(lambda: self.go())",),
    house_rules.held_partials: (
        "self.services.news.wrote.connect(partial(self.look, 1))",
        "sender.recovered.connect(partial(window.bar.withdraw, TOPIC))",
        "SIZES.changed.connect(functools.partial(fit, self))",
        "application.styleHints().colorSchemeChanged.connect(partial(self.look, 1))",
    ),
    house_rules.items_taken: ("while layout.takeAt(0): pass",),
    house_rules.untranslated_sentences: (
        "label.setText('No orders here.')",
        "x = f'{n} orders wait. Ask again.' if n else 'Not one order waits.'",
        "raise Refused(f'The order {n} is not open.')",
    ),
}
KEEPS: dict[house_rules.Finder, tuple[str, ...]] = {
    house_rules.nested_loops: ("dialog.open()", "connection.execute('select 1')", "QMessageBox.StandardButton.Ok"),
    house_rules.raw_labels: ("plain_label('a')", "x: QLabel", "isinstance(w, QLabel)", "class Title(QWidget): pass"),
    house_rules.unowned_tasks: (
        "async def f():\n async with asyncio.TaskGroup() as group:\n  group.create_task(work())",
        "self.tasks.read('orders', work())",
    ),
    house_rules.bridge_decorators: ("from qasync import QEventLoop",),
    house_rules.colours: ('"""Drawn in #a1b2c3."""', "QColor(tokens.ink)", "'order #12'", "'C#'"),
    house_rules.connected_lambdas: ("button.clicked.connect(self.go)", "sorted(x, key=lambda y: y)"),
    house_rules.held_partials: ("news.wrote.connect(self.look)", "button.clicked.connect(partial(self.go, 1))"),
    house_rules.items_taken: ("drop_items(layout)", "layout.itemAt(0)"),
    house_rules.untranslated_sentences: (
        "NONE = translate('No orders here.')",
        "translate_plural('One order waits here.', 'Many orders wait here.', n)",
        '"""A docstring is no sentence on screen."""',
        "'DELETE FROM orders WHERE id = ?'",
        "'Not yet'",
    ),
}


def modules(root: Path, folder: str) -> list[Path]:
    return sorted((root / folder).rglob("*.py"))


@pytest.fixture(scope="module")
def broken(root: Path) -> dict[str, list[str]]:
    """The places that break a rule, by its name. Parsing takes longest, so each module is parsed once for all rules."""
    found: dict[str, list[str]] = {rule.name: [] for rule in RULES}
    for path in modules(root, "app"):
        place = PurePosixPath(path.relative_to(root).as_posix())
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for rule in RULES:
            if rule.covers(place):
                found[rule.name] += [f"{place}:{line}" for line in rule.breaches_in(tree)]
    return found


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_program_keeps_the_rule(broken: dict[str, list[str]], rule: Rule) -> None:
    assert broken[rule.name] == []


@pytest.mark.parametrize(("finder", "source"), [(f, source) for f, sources in BREAKS.items() for source in sources])
def test_the_rule_finds_what_breaks_it(finder: house_rules.Finder, source: str) -> None:
    assert Rule("", finder).breaches(source) != []


@pytest.mark.parametrize(("finder", "source"), [(f, source) for f, sources in KEEPS.items() for source in sources])
def test_the_rule_leaves_good_code_alone(finder: house_rules.Finder, source: str) -> None:
    assert Rule("", finder).breaches(source) == []


def test_every_rule_was_tried() -> None:
    assert {rule.finder for rule in RULES} == set(BREAKS) == set(KEEPS)


def test_an_exempt_place_is_within_the_rule_it_is_exempt_from() -> None:
    """An exemption that names a place the rule never held for would be a leftover."""
    assert all(place.startswith(rule.holds) for rule in RULES for place in rule.exempt)


def test_the_style_sheet_takes_its_colours_from_the_theme(root: Path) -> None:
    sheets = (root / "resources").rglob("*.qss")
    assert [sheet.name for sheet in sheets if house_rules.COLOUR.search(sheet.read_text(encoding="utf-8"))] == []


def test_no_two_modules_have_one_name(root: Path) -> None:
    """A name leads to one file, in a search as in an error's traceback."""
    named: dict[str, list[str]] = {}
    for path in modules(root, "app"):
        if not path.stem.startswith("__"):
            named.setdefault(path.stem, []).append(path.relative_to(root).as_posix())
    assert [places for places in named.values() if len(places) > 1] == []
